# `cmake --install`: executable, libraries, headers, pkg-config file, CMake package, scenes and schema.
#
# Both package files find their tree from where they stand, so that an installed tree may be moved.

include(CMakePackageConfigHelpers)

install(TARGETS scree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS scree_shared EXPORT scree-shared
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS scree_static EXPORT scree-static
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/scree ${PROJECT_BINARY_DIR}/include/scree
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# pkg-config
cmake_path(SET pc_folder NORMALIZE ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH SCREE_PC_TO_PREFIX ${pc_folder} ${CMAKE_INSTALL_PREFIX})
set(SCREE_PC_PRIVATE_LIBS ${YAML_LDFLAGS} ${HDF5_LDFLAGS} ${PNG_LDFLAGS} ${ZLIB_LDFLAGS} ${SCREE_OPTIONAL_LIBS})
foreach(name IN LISTS OpenMP_C_LIB_NAMES)
  list(APPEND SCREE_PC_PRIVATE_LIBS -l${name})
endforeach()
list(APPEND SCREE_PC_PRIVATE_LIBS -lm)
list(JOIN SCREE_PC_PRIVATE_LIBS " " SCREE_PC_PRIVATE_LIBS)
configure_file(cmake/scree.pc.in scree.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# CMake package
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
install(EXPORT scree-shared NAMESPACE scree:: FILE scree-shared.cmake DESTINATION ${package_folder})
install(EXPORT scree-static NAMESPACE scree:: FILE scree-static.cmake DESTINATION ${package_folder})
configure_package_config_file(cmake/scree-config.cmake.in scree-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
  DESTINATION ${package_folder})

# Scenes to learn from, and the schema that editors complete and check scenes from
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/scree)
file(GLOB SCREE_SCHEMAS CONFIGURE_DEPENDS docs/*.schema.json)
if(SCREE_SCHEMAS)
  install(FILES ${SCREE_SCHEMAS} DESTINATION ${CMAKE_INSTALL_DATADIR}/scree)
endif()
