# Libraries that Scree can do without. Each is used when pkg-config finds it, unless its option says no; what then is
# missing answers with a message. `scree devices` lists them.
#
# Sets SCREE_OPTIONAL_LINKS, SCREE_OPTIONAL_DEFINITIONS (SCREE_HAVE_QHULL=1, SCREE_HAVE_TIFF=1) and SCREE_OPTIONAL_LIBS
# (for the pkg-config file).

pkg_check_modules(QHULL QUIET IMPORTED_TARGET qhull_r)
pkg_check_modules(TIFF QUIET IMPORTED_TARGET libtiff-4>=4.5) # from there on, errors need no global handler
option(SCREE_QHULL "Convex hulls of points (needs qhull; on when it is found)" ${QHULL_FOUND})
option(SCREE_TIFF "Height fields from TIFF files (needs libtiff 4.5; on when it is found)" ${TIFF_FOUND})

set(SCREE_OPTIONAL_LINKS)
set(SCREE_OPTIONAL_DEFINITIONS)
set(SCREE_OPTIONAL_LIBS)
foreach(name QHULL TIFF)
  if(SCREE_${name} AND NOT ${name}_FOUND)
    message(FATAL_ERROR "SCREE_${name} is on, but pkg-config does not find it (Debian: libqhull-dev, libtiff-dev)")
  endif()
  if(SCREE_${name})
    list(APPEND SCREE_OPTIONAL_LINKS PkgConfig::${name})
    list(APPEND SCREE_OPTIONAL_DEFINITIONS SCREE_HAVE_${name}=1)
    list(APPEND SCREE_OPTIONAL_LIBS ${${name}_LDFLAGS})
  endif()
endforeach()
