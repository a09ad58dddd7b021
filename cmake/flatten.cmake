# Kernels for devices: scree_embed_kernel(VARIABLE NAME INPUT) expands the includes of an OpenCL source, with #line where
# a file begins and where it goes on, so that compilers of drivers name our files, and embeds the result (embed.cmake).
#
# The same file is the script that expands at build time: cmake -DINPUT=.. -DOUTPUT=.. -DFOLDER=.. -P flatten.cmake

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
  # Gives the text of a file below FOLDER with all its own includes in place; each file is taken once.
  function(expand name variable)
    file(READ ${FOLDER}/${name} rest)
    set_property(GLOBAL APPEND PROPERTY taken ${name})
    set(text "#line 1 \"${name}\"\n")
    set(line 1)
    while(rest MATCHES "(^|\n)#include \"([^\"]+)\"")
      set(include "#include \"${CMAKE_MATCH_2}\"")
      set(wanted ${CMAKE_MATCH_2})
      string(FIND "${rest}" "${include}" at)
      string(SUBSTRING "${rest}" 0 ${at} before)
      string(LENGTH "${include}" length)
      math(EXPR behind "${at} + ${length}")
      string(SUBSTRING "${rest}" ${behind} -1 rest)
      string(REGEX MATCHALL "\n" ends "${before}")
      list(LENGTH ends count)
      math(EXPR line "${line} + ${count}")
      string(APPEND text "${before}")
      get_property(taken GLOBAL PROPERTY taken)
      if(NOT wanted IN_LIST taken)
        expand(${wanted} inner)
        math(EXPR next "${line} + 1")
        string(APPEND text "${inner}\n#line ${next} \"${name}\"")
      endif()
    endwhile()
    set(${variable} "${text}${rest}" PARENT_SCOPE)
  endfunction()
  file(RELATIVE_PATH name ${FOLDER} ${INPUT})
  expand(${name} flat)
  file(WRITE ${OUTPUT} "${flat}")
  get_property(taken GLOBAL PROPERTY taken)
  list(TRANSFORM taken PREPEND ${FOLDER}/)
  list(JOIN taken " " taken)
  file(WRITE ${OUTPUT}.d "${OUTPUT}: ${taken}\n")
  return()
endif()

set(SCREE_FLATTEN_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(scree_embed_kernel variable name input)
  set(flat ${PROJECT_BINARY_DIR}/embedded/${name}.cl)
  add_custom_command(OUTPUT ${flat}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${flat} -DFOLDER=${PROJECT_SOURCE_DIR}/src -P ${SCREE_FLATTEN_SCRIPT}
    DEPENDS ${input} ${SCREE_FLATTEN_SCRIPT} DEPFILE ${flat}.d VERBATIM)
  scree_embed(embedded ${name} ${flat})
  set(${variable} ${embedded} PARENT_SCOPE)
endfunction()
