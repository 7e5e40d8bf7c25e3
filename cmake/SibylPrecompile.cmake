# SPDX-License-Identifier: Apache-2.0
# Precompiled headers, because parsing the same libraries takes half of the time:
# for everything in the fuzz preset, and for the tests in every preset. Elsewhere the
# program is compiled without them, so that a missing include is an error.

option(SIBYL_PRECOMPILE "Precompile slow headers (clang)" OFF)

set(SIBYL_SLOW_HEADERS <algorithm> <chrono> <filesystem> <functional> <map> <optional> <span>
    <string> <string_view> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)

# sibyl_precompile(target LIBRARY|TESTS): the first of each kind makes the
# header, the others use it.
function(sibyl_precompile target kind)
  if(NOT SIBYL_PRECOMPILE AND NOT kind STREQUAL TESTS)
    return()
  endif()
  # A time stamp in the precompiled header would defeat ccache; g++ writes none, but
  # needs this option for ccache.
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  else()
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    if(kind STREQUAL TESTS)
      # Tests need not be fast, and with optimisation and precompiled headers g++ 12
      # reports false string overflows (as in GCC bug 105651).
      target_compile_options(${target} PRIVATE -O0 -U_FORTIFY_SOURCE)
    endif()
  endif()
  # The fuzzers need to see which branches of a room are taken, not those of its tests;
  # a header is precompiled with the options of those that use it.
  if(SIBYL_BUILD_FUZZERS AND kind STREQUAL TESTS)
    target_compile_options(${target} PRIVATE -fno-sanitize=fuzzer-no-link)
  endif()
  get_property(first GLOBAL PROPERTY SIBYL_PRECOMPILED_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  set_property(GLOBAL PROPERTY SIBYL_PRECOMPILED_${kind} ${target})
  set(headers ${SIBYL_SLOW_HEADERS})
  if(kind STREQUAL TESTS)
    list(APPEND headers <gtest/gtest.h> <rapidcheck.h>)
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
