# SPDX-License-Identifier: Apache-2.0
# Precompiled headers for the sanitized clang build, where reading the same
# libraries again is half of the time. The g++ and lint builds do without, so
# that a file which forgets an include does not compile there.

option(SIBYL_PRECOMPILE "Precompile the headers that are slow to read (clang)" OFF)

set(SIBYL_SLOW_HEADERS <algorithm> <chrono> <filesystem> <functional> <map> <optional> <span>
    <string> <string_view> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)

# sibyl_precompile(target LIBRARY|TESTS): the first of each kind makes the
# header, the others use it.
function(sibyl_precompile target kind)
  if(NOT SIBYL_PRECOMPILE)
    return()
  endif()
  # A time stamp in the header would make it new to ccache in every clone.
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
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
