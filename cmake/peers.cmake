# Other engines for side-by-side benchmarks: each bench/peers/NAME.cpp becomes the program peers/NAME in the build
# tree. They take the scenes and the measuring from bench/ and are no part of the product: never installed.

enable_language(CXX)
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet)

add_custom_target(peers)
file(GLOB SCREE_PEER_SOURCES CONFIGURE_DEPENDS bench/peers/*.cpp)
foreach(source IN LISTS SCREE_PEER_SOURCES)
  cmake_path(GET source STEM name)
  add_executable(peer_${name} ${source})
  set_target_properties(peer_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/peers
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  target_link_libraries(peer_${name} PRIVATE scree_bench PkgConfig::BULLET)
  add_dependencies(peers peer_${name})
endforeach()
