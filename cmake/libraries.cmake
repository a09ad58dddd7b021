# The two libraries that are installed, made of the same objects.
#
# Inside, modules call one another by short names such as `fail`. The shared library hides them by visibility. A static
# archive cannot, so its objects are linked into one and the hidden names made local: a program that has a function
# `fail` of its own can still link libscree.a.

set(scree_all_objects $<TARGET_OBJECTS:scree_objects> ${SCREE_KERNEL_OBJECTS})
set(scree_private_links
  PkgConfig::YAML PkgConfig::HDF5 PkgConfig::PNG PkgConfig::ZLIB ${SCREE_OPTIONAL_LINKS} OpenMP::OpenMP_C m)

add_library(scree_shared SHARED ${scree_all_objects})
set_target_properties(scree_shared PROPERTIES
  OUTPUT_NAME scree EXPORT_NAME scree LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(scree_shared PRIVATE scree_flags ${scree_private_links})
if(NOT SCREE_SANITIZE)
  target_link_options(scree_shared PRIVATE -Wl,--no-undefined)
endif()

set(one_object ${PROJECT_BINARY_DIR}/scree.o)
add_custom_command(OUTPUT ${one_object}
  COMMAND ${CMAKE_LINKER} -r -o ${one_object} ${scree_all_objects}
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${one_object}
  DEPENDS ${scree_all_objects}
  COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(${one_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_library(scree_static STATIC ${one_object})
# Makefiles know rules for files within a target alone, so the targets must be built in this order.
add_dependencies(scree_static scree_objects ${SCREE_KERNEL_TARGETS})
set_target_properties(scree_static PROPERTIES OUTPUT_NAME scree EXPORT_NAME scree_static LINKER_LANGUAGE C)
target_link_libraries(scree_static PRIVATE ${scree_private_links})

foreach(library scree_shared scree_static)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
add_library(scree::scree ALIAS scree_shared)
add_library(scree::scree_static ALIAS scree_static)
