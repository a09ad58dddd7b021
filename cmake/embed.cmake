# Files that become part of a program: scree_embed(VARIABLE NAME INPUT) makes a C file in the build tree with the bytes
# of INPUT as `NAME[]` and their number as `NAME_size`, and puts its path into VARIABLE.
#
# The same file is the script that does it at build time: cmake -DNAME=.. -DINPUT=.. -DOUTPUT=.. -P embed.cmake

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(READ ${INPUT} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  if(size EQUAL 0)
    set(bytes "0")
  endif()
  file(WRITE ${OUTPUT} "#include <stddef.h>\n\nextern const unsigned char ${NAME}[];\nextern const size_t ${NAME}_size;\n"
    "const unsigned char ${NAME}[] = {${bytes}};\nconst size_t ${NAME}_size = ${size};\n")
  return()
endif()

set(SCREE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(scree_embed variable name input)
  set(output ${PROJECT_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DINPUT=${input} -DOUTPUT=${output} -P ${SCREE_EMBED_SCRIPT}
    DEPENDS ${input} ${SCREE_EMBED_SCRIPT} VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()
