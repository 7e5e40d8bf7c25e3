// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/closed_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

std::vector<std::string> AbsentIn(const std::string& text) {
  static const TestWitness* const kSources = new TestWitness(
      {{.name = "gizmo",
        .files = {{"mesh.py",
                   "def init_mesh(device, shape, dim_names=None, use_cache=True):\n"
                   "    pass\nmax_workers = 3\nqueue_depth = 8\n"},
                  {"other.py", "def open_store(file_name, read_ahead=1):\n    pass\n"}}}});
  const auto judged = Auditor(**kSources).Audit({.file = "n.md", .text = "# Gizmo\n\n" + text});
  std::vector<std::string> absent;
  for (const statement::Judgement& judgement : *judged) {
    if (judgement.Fails()) absent.push_back(judgement.text);
  }
  return absent;
}

using List = std::vector<std::string>;

constexpr std::string_view kKnown =
    "The calls are `init_mesh` and `open_store`. There is `queue_depth`, too, and `max_workers`.\n"
    "\n";

TEST(ClosedText, ANameThatNoSourceHasIsAbsentWhereAllOthersAreKnown) {
  EXPECT_EQ(AbsentIn(std::string(kKnown) + "Labels for the axes go into `axis_labels`.\n"),
            List{"axis_labels"});
  EXPECT_EQ(AbsentIn(std::string(kKnown) + "Saving memory is a matter of `drop_cache=True`.\n"),
            List{"drop_cache"});
}

TEST(ClosedText, OtherProjectsAndOwnThingsAreNotJudged) {
  const std::string known(kKnown);
  EXPECT_EQ(AbsentIn(known + "FlashThing calls it `axis_labels`.\n"), List{});
  EXPECT_EQ(AbsentIn(known + "Then Widget calls it `axis_labels`.\n"), List{});
  EXPECT_EQ(AbsentIn(known + "Our helper is `axis_labels`.\n"), List{});
  EXPECT_EQ(AbsentIn(known + "`axis_labels` is in `tools/axis.py`.\n"), List{});
  EXPECT_EQ(AbsentIn(known + "Everything in `axis_labels_*` counts.\n"), List{}) << "a pattern";
  EXPECT_EQ(AbsentIn(known + "Later `axislabels` counts.\n"), List{}) << "an ordinary word";
  EXPECT_EQ(AbsentIn(known + "```\naxis_labels(1)\n```\n"), List{}) << "code";
}

TEST(ClosedText, NothingIsConcludedFromATextWithNamesOfItsOwn) {
  EXPECT_EQ(AbsentIn("Call `init_mesh` with `axis_labels`, and read `run_step` and `log_step`.\n"),
            List{});
  EXPECT_EQ(AbsentIn(std::string(kKnown) +
                     "It has `axis_labels`.\n\nAgain `axis_labels`.\n\nAnd `axis_labels`.\n"),
            List{})
      << "what a text is about, it names again and again";
}

}  // namespace
}  // namespace sibyl::audit
