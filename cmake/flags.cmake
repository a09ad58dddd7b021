# How every C file of the project is compiled: warnings, arithmetic, sanitizers. One interface target carries it.
#
# Arithmetic: no fused multiply-add behind our back, so that results have the same bits with every compiler and
# instruction set; no errno and no trap flags from mathematical functions, so that loops over them vectorise. Wide types
# are passed between functions of one file only, so notes about their calling convention are of no concern.

add_library(scree_flags INTERFACE)

target_compile_definitions(scree_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
target_compile_options(scree_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion -Wno-psabi
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<BOOL:${SCREE_WERROR}>:-Werror>
  -fno-math-errno -fno-trapping-math -ffp-contract=off
  $<$<CONFIG:Release>:-g1>)
target_link_libraries(scree_flags INTERFACE OpenMP::OpenMP_C m)

if(SCREE_SANITIZE)
  target_compile_options(scree_flags INTERFACE
    -fsanitize=${SCREE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(scree_flags INTERFACE -fsanitize=${SCREE_SANITIZE})
endif()

if(SCREE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SCREE_FUZZ needs clang (libFuzzer is part of it); the compiler is ${CMAKE_C_COMPILER_ID}")
  endif()
  target_compile_options(scree_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(scree_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
