# SPDX-License-Identifier: Apache-2.0
# Precompiled headers, where reading the same libraries again is half of the
# time: for everything in the sanitized clang build, and for the tests in every
# build. The program itself does without elsewhere, so that a file of it which
# forgets an include does not compile there.

option(SIBYL_PRECOMPILE "Precompile the headers that are slow to read (clang)" OFF)

set(SIBYL_SLOW_HEADERS <algorithm> <chrono> <filesystem> <functional> <map> <optional> <span>
    <string> <string_view> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)

# sibyl_precompile(target LIBRARY|TESTS): the first of each kind makes the
# header, the others use it.
function(sibyl_precompile target kind)
  if(NOT SIBYL_PRECOMPILE AND NOT kind STREQUAL TESTS)
    return()
  endif()
  # A time stamp in the header would make it new to ccache in every clone; g++
  # has none, but must be told to let ccache see through.
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  else()
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    if(kind STREQUAL TESTS)
      # Tests need not be fast; and optimising, g++ 12 sees strings overflow
      # where the headers come precompiled (as in GCC bug 105651).
      target_compile_options(${target} PRIVATE -O0 -U_FORTIFY_SOURCE)
    endif()
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
