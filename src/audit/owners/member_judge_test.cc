// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/member_judge.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "audit/audit.h"
#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

const TestWitness& MemberSources() {
  static const TestWitness* const kSources = new TestWitness(
      {{.name = "gizmo",
        .files = {{"gizmo/__init__.py", "from .optim import Adam\nfrom .build import load\n"},
                  {"gizmo/optim.py",
                   "class Base:\n    def zero_grad(self): pass\n\n"
                   "class Adam(Base):\n    def __init__(self, params, lr=1e-3, weight_decay=0):\n"
                   "        self.lr = lr\n    def step(self): pass\n\n"
                   "class Mode(Enum):\n    FAST = 1\n    SLOW = 2\n\n"
                   "class Open(Elsewhere):\n    def go(self): pass\n"},
                  {"gizmo/pool.py", "class PoolProps:\n    def __init__(self, size, kind): pass\n"},
                  {"gizmo/build.py",
                   "def load(name, sources, extra_cflags=None): pass\n"
                   "def pass_on(name, **kwargs): load(name, **kwargs)\n"},
                  {"include/gizmo.h",
                   "struct gizmoPoolProperties { int maxSize; int location; };\n"
                   "int gizmoPoolTrimTo(void* pool, int minBytesToKeep);\n"
                   "namespace gizmo { enum class Status { kSuccess, kErrorBad }; }\n"
                   "// namespace gizmo\n// namespace gizmo\n// namespace gizmo\n"
                   "// namespace gizmo\n"},
                  {"bind.cc", "py::enum_<Mode>(m, \"Mode\").value(\"TURBO\", gizmo::turbo);\n"},
                  {"late.py", "Mode.LATE = 3\nsetattr(Mode, 'LATER', 4)\nNEVER_THERE = 1\n"},
                  {"other.py", "num_retries = 3\nminSize = 1\n"}}}});
  return *kSources;
}

// Every failing name of a text about gizmo, with its nearest.
std::map<std::string, std::string> Alarms(const std::string& text) {
  const Auditor auditor(*MemberSources());
  const auto judged = auditor.Audit({.file = "notes.md", .text = "# Gizmo\n\n" + text});
  std::map<std::string, std::string> alarms;
  for (const statement::Judgement& judgement : *judged) {
    if (judgement.Fails()) alarms.emplace(judgement.text, judgement.nearest);
  }
  return alarms;
}

using Map = std::map<std::string, std::string>;

TEST(MemberJudge, WhatAClassTakesIsHeldToItsConstructor) {
  EXPECT_EQ(Alarms("`Adam` takes `weight_decay`, `lr` and `weights_decay`."),
            (Map{{"weights_decay", "weight_decay"}}));
  EXPECT_EQ(Alarms("`gizmo.Adam` takes `weight_decay`, `lr` and `weights_decay`."),
            (Map{{"weights_decay", "weight_decay"}}));
  EXPECT_EQ(Alarms("`gizmo.load` accepts `num_retries`."), (Map{{"num_retries", ""}}))
      << "the word occurs, but not there";
}

TEST(MemberJudge, TheRoleOfANameMayComeFirst) {
  EXPECT_EQ(Alarms("The `extra_flags` argument of `gizmo.load` is new."),
            (Map{{"extra_flags", "extra_cflags"}}));
  EXPECT_EQ(Alarms("The `extra_cflags` argument of `gizmo.load` is old."), Map());
}

TEST(MemberJudge, OptionsInAHeaderAreThoseOfAProgram) {
  const std::string rows = " | default |\n| --- | --- |\n| `num_retries` | 3 |\n";
  EXPECT_EQ(Alarms("| PoolProps argument" + rows), (Map{{"num_retries", ""}}));
  EXPECT_EQ(Alarms("| PoolProps option" + rows), Map());
}

TEST(MemberJudge, ADenialIsNotAClaim) {
  EXPECT_EQ(Alarms("`gizmo.load` has no `num_retries`."), Map());
}

TEST(MemberJudge, MembersMayBeInherited) {
  EXPECT_EQ(Alarms("`gizmo.Adam` has `zero_grad`."), Map());
  EXPECT_EQ(Alarms("`gizmo.optim.Open` has `num_retries`."), Map()) << "its base is not pinned";
}

TEST(MemberJudge, KeywordsOfCallsAreParameters) {
  EXPECT_EQ(Alarms("```python\nimport gizmo\nx = gizmo.load(name=\"a\", with_nvcc=True)\n```\n"),
            (Map{{"with_nvcc", ""}}));
  EXPECT_EQ(Alarms("Call `gizmo.load(name=\"a\", with_nvcc=True)`."), (Map{{"with_nvcc", ""}}));
  EXPECT_EQ(Alarms("```python\nother.load(with_nvcc=True)\n```\n"), Map());
}

TEST(MemberJudge, KeywordsThatArePassedOnMustExistSomewhere) {
  EXPECT_EQ(Alarms("`gizmo.build.pass_on` takes `num_retries`."), Map());
  EXPECT_EQ(Alarms("`gizmo.build.pass_on` takes `never_seen`."), (Map{{"never_seen", ""}}));
}

TEST(MemberJudge, FieldsOfADeclaredVariableAreItsTypes) {
  EXPECT_EQ(Alarms("```cpp\ngizmoPoolProperties props = {};\nprops.location = 1;\n"
                   "props.minSize = 2;\n```\n"),
            (Map{{"minSize", "maxSize"}}));
}

TEST(MemberJudge, ARowOfATableHasItsOwnerInFront) {
  EXPECT_EQ(Alarms("| call | what |\n| - | - |\n"
                   "| `gizmoPoolTrimTo` | parameters `pool`, `minBytesToFree` |\n"),
            (Map{{"minBytesToFree", "minBytesToKeep"}}));
}

TEST(MemberJudge, AnItemOfAListHasItsOwnerAbove) {
  EXPECT_EQ(Alarms("The arguments of `gizmo.load`:\n\n- `sources`: files\n- `retries`: times\n"),
            (Map{{"retries", ""}}));
}

TEST(MemberJudge, EnumeratorsAreNamedByTheirEnum) {
  EXPECT_EQ(Alarms("`gizmo::Status::kErrorBad` and `gizmo::Status::kErrorWorse`."),
            (Map{{"gizmo::Status::kErrorWorse", "gizmo::Status::kErrorBad"}}));
}

TEST(MemberJudge, MembersThatAreRegisteredElsewhereAreNotAbsent) {
  EXPECT_EQ(Alarms("`gizmo.optim.Mode` has `FAST`, `TURBO`, `LATE` and `LATER`."), Map());
  EXPECT_EQ(Alarms("`gizmo.optim.Mode` has `FAST` and `NEVER_THERE`."), (Map{{"NEVER_THERE", ""}}))
      << "the word is there, but nothing gives it to the owner";
}

TEST(MemberJudge, TheWritersOwnThingsAreNotJudged) {
  EXPECT_EQ(Alarms("Our fork of `gizmo.load` calls `gizmo.never_seen`."), Map());
}

TEST(Members, AKeywordIsHeldAgainstTheSignature) {
  EXPECT_TRUE(Alarms("```python\nimport gizmo\ngizmo.load(name, sources, extra_nvcc=1)\n```\n")
                  .contains("extra_nvcc"));
  EXPECT_TRUE(
      Alarms("```python\nprint(1)\ngizmo.load(name, extra_nvcc=1)\n```\n").contains("extra_nvcc"))
      << "after a line that ends with a parenthesis";
}

TEST(Members, AListNeedsOneRealMember) {
  EXPECT_TRUE(
      Alarms("A `gizmoPoolProperties` with `maxSize` and `ordinal`.\n").contains("ordinal"));
  EXPECT_TRUE(Alarms("A `gizmoPoolProperties` with `torch` and `ordinal`.\n").empty());
  EXPECT_TRUE(Alarms("Fill `gizmoPoolProperties`: `.maxSize`, `.minSize`.\n").contains("minSize"));
  EXPECT_TRUE(Alarms("`gizmoPoolProperties` fields that I read: `maxSize` and `minSize`.\n")
                  .contains("minSize"));
  EXPECT_TRUE(Alarms("`gizmo::Status::kErrorBad` or `kErrorWorse`.\n").contains("kErrorWorse"));
}

TEST(Members, AVariableHasTheTypeOfTheBlock) {
  const std::string block = "```python\nimport gizmo\nadam = gizmo.optim.Adam(p)\n```\n\n";
  EXPECT_TRUE(Alarms(block + "Call `adam.stepp()`.\n").contains("stepp"));
  EXPECT_TRUE(Alarms(block + "Call `adam.step()`.\n").empty());
}

TEST(MemberJudge, ALaterVerbOfTheSentenceHasTheSameSubject) {
  EXPECT_EQ(Alarms("`PoolProps` begins with `size` and accepts `num_retries`."),
            (Map{{"num_retries", ""}}));
  EXPECT_EQ(Alarms("`PoolProps` never accepts `num_retries`."), Map());
  EXPECT_EQ(Alarms("`PoolProps` is read by `load`, which accepts `num_retries`."), Map());
}

TEST(MemberJudge, AClassNeedNotBeInCodeFont) {
  EXPECT_EQ(Alarms("PoolProps accepts `size` and `num_retries`."), (Map{{"num_retries", ""}}));
}

}  // namespace
}  // namespace sibyl::audit
