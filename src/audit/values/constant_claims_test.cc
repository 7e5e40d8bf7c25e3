// SPDX-License-Identifier: Apache-2.0
#include "audit/values/constant_claims.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/values/assigned_claims.h"
#include "statement/statement.h"

namespace sibyl::audit {
namespace {

using Strings = std::vector<std::string>;

// "NAME=value" for each.
Strings Read(const std::string& text,
             std::vector<ValueClaim> (*read)(const statement::Statement&) = ReadConstantClaims) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  Strings found;
  if (!statements.ok()) return found;
  for (const statement::Statement& statement : statements->all) {
    for (const ValueClaim& claim : read(statement)) found.push_back(claim.name + "=" + claim.value);
  }
  return found;
}

TEST(ConstantClaims, ANumberAfterAConstant) {
  EXPECT_EQ(Read("Add `cudaEventInterprocess` (`0x08`) for this.\n"),
            (Strings{"cudaEventInterprocess=0x08"}));
  EXPECT_EQ(Read("It is `LAUNCH_SERIALIZATION`, numbered 7.\n"),
            (Strings{"LAUNCH_SERIALIZATION=7"}));
  EXPECT_EQ(Read("`cudaErrorTensorMemoryLeak` is error 722.\n"),
            (Strings{"cudaErrorTensorMemoryLeak=722"}));
  EXPECT_EQ(Read("It stops at `KERNEL_PARAM_LIMIT`, that is 4096 integers.\n"),
            (Strings{"KERNEL_PARAM_LIMIT=4096"}));
}

TEST(ConstantClaims, ANumberBeforeAConstant) {
  EXPECT_EQ(Read("- 802, `cudaErrorNotSupported`\n"), (Strings{"cudaErrorNotSupported=802"}));
  EXPECT_EQ(Read("They start at 3000; 3001 is `STATUS_SHAPE`.\n"), (Strings{"STATUS_SHAPE=3001"}));
}

TEST(ConstantClaims, ARowWithACode) {
  EXPECT_EQ(Read("| error | code |\n|---|---|\n| cudaErrorIllegalAddress | 77 |\n"),
            (Strings{"cudaErrorIllegalAddress=77"}));
  EXPECT_TRUE(Read("| kernel | GPUs |\n|---|---|\n| LAUNCH_SERIALIZATION | 2 |\n").empty());
}

TEST(ConstantClaims, OtherNumbersAreNotTheirValues) {
  EXPECT_TRUE(Read("`MAX_WORKERS` is 3 times what we need.\n").empty());
  EXPECT_TRUE(Read("We run `MAX_WORKERS`, 4 nodes and 2 racks.\n").empty());
  EXPECT_TRUE(Read("Of 20 runs `MAX_WORKERS` failed in 3.\n").empty());
}

TEST(AssignedClaims, ParametersInCodeFont) {
  EXPECT_EQ(Read("It has `lr=1e-3`, `fused = True` and `a == b`, `--x=1`.\n", ReadAssignedClaims),
            (Strings{"lr=1e-3", "fused=True"}));
}

}  // namespace
}  // namespace sibyl::audit
