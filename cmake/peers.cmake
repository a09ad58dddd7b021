# Other engines for side-by-side benchmarks, as programs peers/NAME in the build tree. They take the scenes and the
# measuring from bench/ and are no part of the product: never installed. Bullet is needed; engines that are not found are
# left out.

enable_language(CXX)
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet)
pkg_check_modules(ODE IMPORTED_TARGET ode)
find_library(MUJOCO_LIBRARY mujoco)
find_program(LAMMPS_COMMAND lmp)
find_program(YADE_COMMAND yade)

add_custom_target(peers)

# scree_peer(NAME SOURCES LIBRARIES...)
function(scree_peer name sources)
  add_executable(peer_${name} ${sources})
  set_target_properties(peer_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/peers
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  target_link_libraries(peer_${name} PRIVATE scree_bench ${ARGN})
  add_dependencies(peers peer_${name})
endfunction()

scree_peer(bullet "bench/peers/bullet.cpp;bench/peers/peer.cpp" PkgConfig::BULLET)
scree_peer(bullet_detect bench/peers/bullet_detect.cpp PkgConfig::BULLET)
scree_peer(bullet_boxes bench/peers/bullet_boxes.cpp PkgConfig::BULLET)
if(ODE_FOUND)
  scree_peer(ode "bench/peers/ode.cpp;bench/peers/peer.cpp" PkgConfig::ODE)
endif()
if(MUJOCO_LIBRARY)
  scree_peer(mujoco "bench/peers/mujoco.cpp;bench/peers/peer.cpp" ${MUJOCO_LIBRARY})
endif()
if(LAMMPS_COMMAND)
  scree_peer(lammps_pile "bench/peers/lammps_pile.cpp;bench/peers/outside.cpp")
endif()
if(YADE_COMMAND)
  scree_peer(yade_pile "bench/peers/yade_pile.cpp;bench/peers/outside.cpp")
endif()
