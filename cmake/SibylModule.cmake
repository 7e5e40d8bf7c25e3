# SPDX-License-Identifier: Apache-2.0
# One function builds a room of the house: library, header check and tests.
#
#   sibyl_module(plan DEPENDS base LIBRARIES fmt::fmt)
#
# globs src/plan: every .cc is built, every .h must compile alone, every
# _test.cc is run. Globs on purpose: a hand-kept list of tests loses tests.

add_library(sibyl_flags INTERFACE)
target_compile_features(sibyl_flags INTERFACE cxx_std_20)
target_include_directories(sibyl_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
# Designated initialisers that leave the rest at its default are house style;
# g++ alone takes offence (-Wextra), clang does not. -Wrestrict of g++ 12 sees
# an overlap in every `"literal" + std::string` that is inlined (GCC bug 105651).
target_compile_options(sibyl_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

function(sibyl_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES")
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.h)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")

  if(NOT sources)
    message(STATUS "sibyl_module(${name}): no sources in src/${name} yet, skipped")
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY SIBYL_LIBRARIES sibyl_${name})

  add_library(sibyl_${name} STATIC ${sources})
  target_sources(sibyl_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                                      FILES ${headers})
  set_target_properties(sibyl_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  list(TRANSFORM arg_DEPENDS PREPEND sibyl_)
  target_link_libraries(sibyl_${name} PUBLIC sibyl_flags ${arg_DEPENDS} ${arg_LIBRARIES})

  if(BUILD_TESTING AND tests)
    find_package(GTest REQUIRED)
    find_package(rapidcheck REQUIRED)
    include(GoogleTest)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE sibyl_${name} GTest::gtest_main rapidcheck)
    target_compile_definitions(${name}_test PRIVATE SIBYL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 TEST_PREFIX ${name}/)
  endif()
endfunction()
