# Libraries that Scree can do without. Each is used when pkg-config finds it, unless its option says no; what then is
# missing answers with a message. `scree devices` lists them.
#
# Sets SCREE_OPTIONAL_LINKS, SCREE_OPTIONAL_DEFINITIONS (SCREE_HAVE_QHULL=1, SCREE_HAVE_OPENCL=1 ...) and SCREE_OPTIONAL_LIBS
# (for the pkg-config file). OpenGL and GLFW are for the executable alone and no part of the library: view/CMakeLists.txt
# takes them.

pkg_check_modules(QHULL QUIET IMPORTED_TARGET qhull_r)
pkg_check_modules(TIFF QUIET IMPORTED_TARGET libtiff-4>=4.5) # from there on, errors need no global handler
option(SCREE_QHULL "Convex hulls of points (needs qhull; on when it is found)" ${QHULL_FOUND})
option(SCREE_TIFF "Height fields from TIFF files (needs libtiff 4.5; on when it is found)" ${TIFF_FOUND})

pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy>=1.5 egl)
pkg_check_modules(GLFW QUIET IMPORTED_TARGET glfw3>=3.3)
option(SCREE_GL "Pictures by OpenGL, without a display (needs libepoxy and EGL; on when they are found)" ${EPOXY_FOUND})
if(SCREE_GL AND GLFW_FOUND)
  set(window_by_default ON)
else()
  set(window_by_default OFF)
endif()
option(SCREE_WINDOW "The window of scree view (needs GLFW and SCREE_GL; on when it is found)" ${window_by_default})
if(SCREE_WINDOW AND NOT GLFW_FOUND)
  message(FATAL_ERROR "SCREE_WINDOW is on, but pkg-config does not find GLFW (Debian: libglfw3-dev)")
endif()
if(SCREE_GL AND NOT EPOXY_FOUND)
  message(FATAL_ERROR "SCREE_GL is on, but pkg-config does not find libepoxy and EGL (Debian: libepoxy-dev, libegl-dev)")
endif()

find_path(OPENCL_HEADERS CL/cl_icd.h)
if(OPENCL_HEADERS)
  set(opencl_by_default ON)
else()
  set(opencl_by_default OFF)
endif()
option(SCREE_OPENCL "OpenCL devices, looked for at run time (needs OpenCL's headers; on when they are found)"
  ${opencl_by_default})
if(SCREE_OPENCL AND NOT OPENCL_HEADERS)
  message(FATAL_ERROR "SCREE_OPENCL is on, but CL/cl_icd.h is not found (Debian: opencl-c-headers)")
endif()

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
if(SCREE_OPENCL)
  list(APPEND SCREE_OPTIONAL_LINKS ${CMAKE_DL_LIBS})
  list(APPEND SCREE_OPTIONAL_DEFINITIONS SCREE_HAVE_OPENCL=1)
endif()
