# SPDX-License-Identifier: Apache-2.0
# Builds a room (a folder in src): library, header check, tests, lint.
#
#   sibyl_module(plan DEPENDS base LIBRARIES fmt::fmt)
#
# COLD: the room spends its time in other rooms, so it is compiled with -O1, in two
# thirds of the time.
#
# Globs src/plan: every .cc is built, every .h must compile by itself, every
# _test.cc is run. Globs on purpose: a list of tests kept by hand loses tests.
#
# A .cc file includes the header of its name first (tests/layers_test.cc checks
# it), so the build already compiles these headers by themselves; only the other
# headers are compiled separately.

include(SibylPrecompile)

# Most compile time is spent parsing the same headers, so release, fuzz and bench,
# which are rarely rebuilt incrementally, compile several files of a room as one. A
# name may then be in the anonymous namespace of only one file of a batch; the
# error "redefinition of" names it. dev and clang compile every file separately,
# which reveals missing includes.
option(SIBYL_UNITY "Compile several files of a room as one" OFF)
set(SIBYL_UNITY_FILES 12 CACHE STRING "How many, with SIBYL_UNITY")
function(sibyl_unity target)
  if(SIBYL_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON
                          UNITY_BUILD_BATCH_SIZE ${SIBYL_UNITY_FILES})
    # g++ treats each file as a header and warns about its private types.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

add_library(sibyl_flags INTERFACE)
target_compile_features(sibyl_flags INTERFACE cxx_std_20)
target_include_directories(sibyl_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
# Designated initialisers that omit members are our style; only g++ warns about them
# (-Wextra). -Wrestrict of g++ 12 reports an overlap in every inlined
# `"literal" + std::string` (GCC bug 105651).
target_compile_options(sibyl_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Werror -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# Not in unity builds, where a name of another file looks like a global.
if(NOT SIBYL_UNITY)
  target_compile_options(sibyl_flags INTERFACE -Wshadow)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Sloppiness is needed for precompiled headers, the base folder to share the cache
  # between clones.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

function(sibyl_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD" "" "DEPENDS;LIBRARIES")
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.h)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")

  # Static, except in the fuzz preset: linked statically, its 80 sanitized programs
  # would each contain a copy of most rooms (BUILD_SHARED_LIBS).
  add_library(sibyl_${name} ${sources})
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.h$" ".cc" source ${header})
    if(NOT source IN_LIST sources)
      list(APPEND headers_alone ${header})
    endif()
  endforeach()
  target_sources(sibyl_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                                      FILES ${headers_alone})
  set_target_properties(sibyl_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  list(JOIN arg_DEPENDS "," uses)
  set_property(GLOBAL APPEND PROPERTY SIBYL_ROOMS "${name}=${uses}")
  list(TRANSFORM arg_DEPENDS PREPEND sibyl_)
  target_link_libraries(sibyl_${name} PUBLIC sibyl_flags ${arg_DEPENDS} ${arg_LIBRARIES})
  sibyl_precompile(sibyl_${name} LIBRARY)
  sibyl_unity(sibyl_${name})
  if(arg_COLD)
    target_compile_options(sibyl_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  set_property(GLOBAL APPEND PROPERTY SIBYL_LIBRARIES sibyl_${name})
  sibyl_tidy(${name} "${sources}" "${headers}")

  if(BUILD_TESTING AND tests)
    sibyl_tests(${name} "${tests}")
    target_link_libraries(${name}_test PRIVATE sibyl_${name})
  endif()
endfunction()

# ctest normally runs every test in its own process. Starting a sanitized program
# 3,000 times takes longer than the tests, so there one process runs all tests of a room,
# or SIBYL_TEST_SHARDS of them for one that takes minutes.
option(SIBYL_TESTS_BY_ROOM "One test of ctest per room" OFF)

# All tests of a room, as "name" or as "name/shard1", "name/shard2", ...
function(sibyl_room_tests name)
  set(shards 1)
  set(filter *)
  if(SIBYL_TEST_FILTER)
    set(filter ${SIBYL_TEST_FILTER})
  endif()
  if(SIBYL_TEST_SHARDS)
    set(shards ${SIBYL_TEST_SHARDS})
  endif()
  foreach(shard RANGE 1 ${shards})
    set(test ${name})
    if(shards GREATER 1)
      set(test ${name}/shard${shard})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${test} COMMAND ${name}_test --gtest_brief=1)
    set_tests_properties(
      ${test} PROPERTIES TIMEOUT 1200 COST "${SIBYL_TEST_COST}" ENVIRONMENT
                         "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index};GTEST_FILTER=${filter}")
  endforeach()
endfunction()

# Builds a GoogleTest program from the files; ctest lists its tests.
function(sibyl_tests name tests)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
  add_executable(${name}_test ${tests})
  target_link_libraries(${name}_test PRIVATE sibyl_flags GTest::gtest_main rapidcheck)
  foreach(test IN LISTS tests)
    # Only for files that use it: with the path in every command, ccache could not
    # share results between clones.
    file(STRINGS ${test} asks REGEX SIBYL_SOURCE_DIR LIMIT_COUNT 1)
    if(asks)
      set_property(SOURCE ${test} APPEND PROPERTY COMPILE_DEFINITIONS
                   SIBYL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
  sibyl_precompile(${name}_test TESTS)
  sibyl_unity(${name}_test)
  if(SIBYL_TESTS_BY_ROOM)
    sibyl_room_tests(${name})
  else()
    gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 TEST_PREFIX ${name}/
                         PROPERTIES TIMEOUT 300 COST "${SIBYL_TEST_COST}")
  endif()
endfunction()

# Runs one test of a room alone: sibyl_serial(base InSandbox.ForksAreCounted).
# gtest_discover_tests gives all tests of a program the same properties.
function(sibyl_serial name test)
  if(TARGET ${name}_test AND SIBYL_TESTS_BY_ROOM)
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT GTEST_FILTER=-${test})
    add_test(NAME ${name}/${test} COMMAND ${name}_test --gtest_filter=${test})
    set_tests_properties(${name}/${test} PROPERTIES RUN_SERIAL TRUE)
  elseif(TARGET ${name}_test)
    set(file ${PROJECT_BINARY_DIR}/${name}_serial.cmake)
    file(GENERATE OUTPUT ${file} CONTENT
         "if(EXISTS \"$<TARGET_FILE:${name}_test>\")
  set_tests_properties([==[${name}/${test}]==] PROPERTIES RUN_SERIAL TRUE)
endif()
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
  endif()
endfunction()

# The target "tidy" runs clang-tidy on files that changed since they last passed: one
# stamp per file, renewed when the file or a header of its room changes.
# (run-clang-tidy would check everything every time.)
add_custom_target(tidy)
function(sibyl_tidy name sources headers)
  set(stamps "")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/src ${source})
    set(stamp ${PROJECT_BINARY_DIR}/tidy/${path}.stamp)
    get_filename_component(stamp_folder ${stamp} DIRECTORY)
    file(MAKE_DIRECTORY ${stamp_folder})
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND ${PROJECT_SOURCE_DIR}/scripts/tidy ${PROJECT_BINARY_DIR} ${source}
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/.clang-tidy
      COMMENT "clang-tidy src/${path}"
      VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(tidy_${name} DEPENDS ${stamps})
  add_dependencies(tidy tidy_${name})
endfunction()
