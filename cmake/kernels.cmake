# Kernels: each file of src/solve/sweep/kernels is compiled once per kind of problem, precision and instruction set, each file of
# src/collide/kernels and src/penalty/kernels once per instruction set, each of src/solve/newton/kernels too, in
# double, and the widest set that the machine has is picked at run time.
#
#     SCREE_REAL_DOUBLE        0 or 1
#     SCREE_ISA                baseline or avx2
#     SCREE_ISOTROPIC          1 for the kernels of problems in which all bodies have three equal moments of inertia
#     SCREE_CENTERED_SPHERES   1 for those of problems in which besides all arms are along the normals (single precision)
#     SCREE_EXTENDED_CONTACT   1 for those of problems with compliance, rolling or spinning friction
#     SCREE_KERNEL_SUFFIX      f32_baseline, f64_avx2, f32_avx2_isotropic and so on: makes names unique
#
# Only -mavx2 is added, never -mfma: all variants of a precision give the same bits.
#
# Sets SCREE_KERNEL_TARGETS, SCREE_KERNEL_OBJECTS (a list of generator expressions), and SCREE_KERNEL_DEFINITIONS to
# SCREE_HAVE_AVX2=1 where those variants exist.

file(GLOB SCREE_KERNEL_SOURCES CONFIGURE_DEPENDS src/solve/sweep/kernels/*.c)
file(GLOB SCREE_SINGLE_KERNEL_SOURCES CONFIGURE_DEPENDS
  src/collide/kernels/*.c src/penalty/kernels/*.c)
file(GLOB SCREE_DOUBLE_KERNEL_SOURCES CONFIGURE_DEPENDS src/solve/newton/kernels/*.c)
set(SCREE_KERNEL_TARGETS)
set(SCREE_KERNEL_OBJECTS)
set(SCREE_KERNEL_DEFINITIONS)

set(kernel_isas baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND kernel_isas avx2)
endif()

function(scree_add_kernels real isa kind)
  if(real STREQUAL f64)
    set(double 1)
  else()
    set(double 0)
  endif()
  if(real STREQUAL f32 AND kind STREQUAL "")
    set(single ${SCREE_SINGLE_KERNEL_SOURCES})
  endif()
  if(real STREQUAL f64 AND kind STREQUAL "")
    list(APPEND single ${SCREE_DOUBLE_KERNEL_SOURCES})
  endif()
  set(target scree_kernels_${real}_${isa}${kind})
  add_library(${target} OBJECT ${SCREE_KERNEL_SOURCES} ${single})
  scree_configure_objects(${target})
  target_compile_definitions(${target} PRIVATE
    SCREE_REAL_DOUBLE=${double} SCREE_ISA=${isa} SCREE_KERNEL_SUFFIX=${real}_${isa}${kind}
    SCREE_ISOTROPIC=$<STREQUAL:${kind},_isotropic> SCREE_CENTERED_SPHERES=$<STREQUAL:${kind},_spheres>
    SCREE_EXTENDED_CONTACT=$<STREQUAL:${kind},_extended>)
  if(isa STREQUAL avx2)
    target_compile_options(${target} PRIVATE -mavx2)
  endif()
endfunction()

if(SCREE_KERNEL_SOURCES)
  foreach(isa IN LISTS kernel_isas)
    foreach(real f32 f64)
      set(kinds "" _isotropic _extended)
      if(real STREQUAL f32)
        list(APPEND kinds _spheres)
      endif()
      foreach(kind IN LISTS kinds)
        scree_add_kernels(${real} ${isa} "${kind}")
        list(APPEND SCREE_KERNEL_TARGETS scree_kernels_${real}_${isa}${kind})
        list(APPEND SCREE_KERNEL_OBJECTS $<TARGET_OBJECTS:scree_kernels_${real}_${isa}${kind}>)
      endforeach()
    endforeach()
    if(isa STREQUAL avx2)
      list(APPEND SCREE_KERNEL_DEFINITIONS SCREE_HAVE_AVX2=1)
    endif()
  endforeach()
endif()
