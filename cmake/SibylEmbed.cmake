# SPDX-License-Identifier: Apache-2.0
# Embeds text files of a room as string literals, so that the program needs no
# further files:
#
#   sibyl_embed(index words)     # every *.txt, *.css, *.js and *.svg of src/index/words
#
#   constexpr std::string_view kSynonyms =
#   #include "index/words/synonyms.txt.inc"
#       ;
#
# Generated when CMake configures, which it repeats when a text changes: clang-tidy
# runs in a build folder that was configured but never built.

function(sibyl_embed module folder)
  # The longest literal that every compiler must accept.
  set(most_bytes 65536)
  set(end [[)text"]])
  file(GLOB paths CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/${folder}/*.txt
       ${PROJECT_SOURCE_DIR}/src/${module}/${folder}/*.css ${PROJECT_SOURCE_DIR}/src/${module}/${folder}/*.js
       ${PROJECT_SOURCE_DIR}/src/${module}/${folder}/*.svg)
  foreach(path IN LISTS paths)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    string(LENGTH "${text}" bytes)
    string(FIND "${text}" "${end}" found)
    if(bytes GREATER most_bytes)
      message(FATAL_ERROR "${path}: ${bytes} bytes; a literal has at most ${most_bytes}: split it")
    elseif(NOT found EQUAL -1)
      message(FATAL_ERROR "${path}: ${end} would end the literal")
    endif()
    get_filename_component(name ${path} NAME)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/embedded/${module}/${folder}/${name}.inc
         CONTENT "R\"text(@text@)text\"\n" @ONLY)
  endforeach()
  target_include_directories(sibyl_${module} PRIVATE ${PROJECT_BINARY_DIR}/embedded)
endfunction()
