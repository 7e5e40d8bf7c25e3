// SPDX-License-Identifier: Apache-2.0
#include "engine/unchecked_code.h"

#include <gtest/gtest.h>

namespace sibyl::engine {
namespace {

TEST(UncheckedCode, IsAWarningWithTheNumberOfBlocks) {
  const code::CodeChecker code({.depth = code::CodeDepth::kTools, .bubblewrap = "/no/such/bwrap"});
  Outcome outcome;
  AddUncheckedCode(code, outcome);
  EXPECT_TRUE(outcome.findings.empty()) << "nothing was to be checked";
  static_cast<void>(code.Check("bash", "echo\n"));
  AddUncheckedCode(code, outcome);
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].code, UncheckedCodeRule().code);
  EXPECT_EQ(outcome.findings[0].severity, Severity::kWarning);
  EXPECT_EQ(outcome.findings[0].message,
            "--code: 1 code block not checked: the sandbox, bubblewrap (/no/such/bwrap), is not "
            "installed");
  EXPECT_EQ(outcome.findings[0].hint, "install it: apt install bubblewrap");
  static_cast<void>(code.Check("bash", "echo\n"));
  Outcome again;
  AddUncheckedCode(code, again);
  EXPECT_TRUE(again.findings[0].message.starts_with("--code: 2 code blocks not checked"));
}

}  // namespace
}  // namespace sibyl::engine
