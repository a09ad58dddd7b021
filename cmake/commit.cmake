# The commit that a build was made of, for the lines of benchmarks: scree_commit(VARIABLE) makes a C file in the build
# tree with `build_commit[]`, the short hash, with "+" where what is built differs from it, and empty where the tree is
# no checkout of git. It is looked up anew in each build, and written only when it changed.
#
# The same file is the script that does it at build time: cmake -DSOURCE=.. -DOUTPUT=.. -P commit.cmake

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  function(ask_git variable)
    execute_process(COMMAND git -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE words ERROR_QUIET RESULT_VARIABLE result
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT result EQUAL 0)
      set(words "")
    endif()
    set(${variable} "${words}" PARENT_SCOPE)
  endfunction()

  # A copy of Scree inside another project must not take that project's commit for its own.
  ask_git(above rev-parse --show-prefix)
  ask_git(commit rev-parse --short HEAD)
  if(NOT above STREQUAL "")
    set(commit "")
  endif()
  # Documents and measurements may change while benchmarks run: they are no part of what is built.
  ask_git(changed status --porcelain -- src include view bench cmake web CMakeLists.txt ":!bench/book")
  if(commit AND changed)
    string(APPEND commit "+")
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"bench/commit.h\"\n\nconst char build_commit[] = \"${commit}\";\n")
  return()
endif()

set(SCREE_COMMIT_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(scree_commit variable)
  set(output ${PROJECT_BINARY_DIR}/embedded/commit.c)
  add_custom_target(scree_commit_file
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${output} -P ${SCREE_COMMIT_SCRIPT}
    BYPRODUCTS ${output} VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()
