# SPDX-License-Identifier: Apache-2.0
# One function builds a room of the house: library, header check, tests, lint.
#
#   sibyl_module(plan DEPENDS base LIBRARIES fmt::fmt)
#
# COLD: its time goes into other rooms, so it is optimised less and compiles in
# two thirds of the time.
#
# globs src/plan: every .cc is built, every .h must compile alone, every
# _test.cc is run. Globs on purpose: a hand-kept list of tests loses tests.
#
# A header with a .cc of its name is the first thing that .cc includes
# (tests/layers_test.cc sees to it), so its compiling alone is shown by the
# build itself; only the others are compiled for it.

include(SibylPrecompile)

# Most of the time goes into reading the same headers again, so several files of
# a room are compiled as one where nobody edits and rebuilds: release, fuzz and
# bench. A name may then be in the anonymous namespace of only one file of a
# batch; "redefinition of" says which to rename. In dev and clang every file is
# compiled by itself, which shows an include that is missing.
option(SIBYL_UNITY "Compile several files of a room as one" OFF)
set(SIBYL_UNITY_FILES 12 CACHE STRING "How many, with SIBYL_UNITY")
function(sibyl_unity target)
  if(SIBYL_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON
                          UNITY_BUILD_BATCH_SIZE ${SIBYL_UNITY_FILES})
    # g++ takes each file for a header and warns of its private types.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

add_library(sibyl_flags INTERFACE)
target_compile_features(sibyl_flags INTERFACE cxx_std_20)
target_include_directories(sibyl_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
# Designated initialisers that leave the rest at its default are house style;
# g++ alone takes offence (-Wextra), clang does not. -Wrestrict of g++ 12 sees
# an overlap in every `"literal" + std::string` that is inlined (GCC bug 105651).
target_compile_options(sibyl_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Werror -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# Not where several files are compiled as one: a name of another file looks like
# a global.
if(NOT SIBYL_UNITY)
  target_compile_options(sibyl_flags INTERFACE -Wshadow)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the sloppiness it caches nothing that uses a precompiled header;
  # without the base folder a clone elsewhere would find nothing cached.
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

  add_library(sibyl_${name} STATIC ${sources})
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

# A GoogleTest program out of files that were found; ctest sees each test.
function(sibyl_tests name tests)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
  add_executable(${name}_test ${tests})
  target_link_libraries(${name}_test PRIVATE sibyl_flags GTest::gtest_main rapidcheck)
  foreach(test IN LISTS tests)
    # Only where it is asked for: with the path of the clone in every command,
    # ccache would find nothing in another one.
    file(STRINGS ${test} asks REGEX SIBYL_SOURCE_DIR LIMIT_COUNT 1)
    if(asks)
      set_property(SOURCE ${test} APPEND PROPERTY COMPILE_DEFINITIONS
                   SIBYL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
  sibyl_precompile(${name}_test TESTS)
  sibyl_unity(${name}_test)
  gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 TEST_PREFIX ${name}/
                       PROPERTIES TIMEOUT 300)
endfunction()

# The target "tidy" runs clang-tidy over what changed since it last passed: one
# stamp per file, renewed when the file or a header of its module changes.
# (run-clang-tidy would look at everything every time.)
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
