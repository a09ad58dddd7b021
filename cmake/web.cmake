# The script of the page that `scree export --web` writes: web/ and what it uses of three, bundled by esbuild. Both come
# from the npm registry, by web/package-lock.json, into the build tree: nothing of them is in the source tree.
#
# npm runs when CMake configures and the lock file is new. Where there is no npm, or it fails, Scree is built without
# the page, and says so; with -DSCREE_WEB=ON that is an error. Sets SCREE_WEB_SCRIPT, a C file for the executable.

find_program(SCREE_NPM npm)
find_program(SCREE_NODE NAMES node nodejs)
if(PROJECT_IS_TOP_LEVEL)
  set(web_by_default AUTO)
else()
  set(web_by_default OFF)
endif()
set(SCREE_WEB ${web_by_default} CACHE STRING "The page of scree export --web (needs node and npm): ON, OFF, or AUTO: when it can be made")
set_property(CACHE SCREE_WEB PROPERTY STRINGS AUTO ON OFF)

set(web_source ${PROJECT_SOURCE_DIR}/web)
set(web_folder ${PROJECT_BINARY_DIR}/web)
set(web_script ${web_folder}/page.js)
set(web_stamp ${web_folder}/installed.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${web_source}/package-lock.json)

# Sets `trouble` to what stands in the way; empty when all is there.
function(scree_install_web trouble)
  set(${trouble} "" PARENT_SCOPE)
  if(NOT SCREE_NPM OR NOT SCREE_NODE)
    set(${trouble} "node or npm is not there (Debian: nodejs, npm)" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 ${web_source}/package-lock.json wanted)
  set(installed "")
  if(EXISTS ${web_stamp})
    file(READ ${web_stamp} installed)
  endif()
  if(installed STREQUAL wanted)
    return()
  endif()
  file(COPY ${web_source}/package.json ${web_source}/package-lock.json DESTINATION ${web_folder})
  execute_process(COMMAND ${SCREE_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
      --fetch-retries=1 --fetch-retry-mintimeout=2000
    WORKING_DIRECTORY ${web_folder} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE words TIMEOUT 300)
  if(result EQUAL 0)
    file(WRITE ${web_stamp} ${wanted})
  else()
    string(REGEX REPLACE "\n.*" "" words "${words}")
    set(${trouble} "npm ci failed: ${words}" PARENT_SCOPE)
  endif()
endfunction()

set(web_trouble "SCREE_WEB is off")
if(SCREE_WEB)
  scree_install_web(web_trouble)
endif()
if(web_trouble AND SCREE_WEB STREQUAL "ON")
  message(FATAL_ERROR "SCREE_WEB is on, but ${web_trouble}")
elseif(web_trouble)
  message(STATUS "scree export --web is left out: ${web_trouble}")
  set(web_script ${PROJECT_BINARY_DIR}/embedded/no_page.js)
  file(CONFIGURE OUTPUT ${web_script} CONTENT "")
else()
  file(GLOB web_files CONFIGURE_DEPENDS ${web_source}/*.js ${web_source}/*.css)
  add_custom_command(OUTPUT ${web_script}
    COMMAND ${CMAKE_COMMAND} -E copy ${web_files} ${web_folder}
    COMMAND ${SCREE_NODE} build.js ${web_script}
    WORKING_DIRECTORY ${web_folder} DEPENDS ${web_files} ${web_stamp} VERBATIM)
endif()
scree_embed(SCREE_WEB_SCRIPT web_page_script ${web_script})
