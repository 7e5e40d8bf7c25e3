// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/cmake_code.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::audit {
namespace {

std::string NamesOf(std::string_view code) {
  std::string all;
  for (const CMakeName& one : FindCMakeNames(code)) {
    all += (one.is_command ? "" : "*") + one.name + " ";
  }
  return all;
}

TEST(CMakeCode, HasItsPropertiesAndCommands) {
  EXPECT_EQ(NamesOf("set_target_properties(a PROPERTIES\n  CUDA_STANDARD 17\n  CUDA_X ON)\n"),
            "set_target_properties *CUDA_STANDARD *CUDA_X ");
  EXPECT_EQ(NamesOf("set_property(TARGET a PROPERTY CUDA_X OFF ON_MORE)"), "set_property *CUDA_X ");
  EXPECT_EQ(NamesOf("get_target_property(out a CUDA_X)"), "get_target_property *CUDA_X ");
  EXPECT_EQ(NamesOf("# set_property(TARGET a PROPERTY CUDA_X 1)\nproject(\"PROPERTY CUDA_Y\")"),
            "project ");
  EXPECT_EQ(NamesOf("if(A AND (B OR C))\n  target_x(a)\nendif()"), "if target_x endif ");
}

}  // namespace
}  // namespace sibyl::audit
