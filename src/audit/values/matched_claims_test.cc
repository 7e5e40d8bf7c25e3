// SPDX-License-Identifier: Apache-2.0
#include "audit/values/matched_claims.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using List = std::vector<std::string>;

List ClaimsIn(const std::string& text) {
  const std::vector<SettingOwner> owners = {
      {.name = "Anneal",
       .settings = {"anneal_epochs", "last_epoch", "num_heads", "activation"},
       .is_here = true}};
  List claims;
  for (const ValueClaim& claim :
       MatchClaims(statement::ReadStatements(text)->all.front(), owners)) {
    claims.push_back(fmt::format("{}.{}={}", claim.owner, claim.name, claim.value));
  }
  return claims;
}

TEST(MatchClaims, WordsAroundAValueDescribeASetting) {
  EXPECT_EQ(ClaimsIn("`Anneal` anneals over 20 epochs."), List{"Anneal.anneal_epochs=20"});
  EXPECT_EQ(ClaimsIn("`Anneal` uses 32 heads of 128."), List{"Anneal.num_heads=32"});
  EXPECT_EQ(ClaimsIn("`Anneal` defaults to the \"relu\" activation."),
            List{"Anneal.activation=\"relu\""});
  EXPECT_EQ(ClaimsIn("`Anneal` keeps 20 of them."), List{});
  EXPECT_EQ(ClaimsIn("`Anneal` sees 20 epochs."), List{}) << "one word may be any";
}

TEST(MatchClaims, ANameBesideTheValueCountsInAnyForm) {
  EXPECT_EQ(ClaimsIn("It waits 5 long rounds (`last_epoch`)."), List{"Anneal.last_epoch=5"});
  EXPECT_EQ(ClaimsIn("Divided by `last_epoch`, 10 if you leave it alone."),
            List{"Anneal.last_epoch=10"});
  EXPECT_EQ(ClaimsIn("It uses the 1-norm by default (`last_epoch`)."), List{"Anneal.last_epoch=1"});
  EXPECT_EQ(ClaimsIn("`CURL_STATUS_BAD` has the numeric value 16."), List{".CURL_STATUS_BAD=16"});
  EXPECT_EQ(ClaimsIn("`--head-rows` and `--head-columns` are both 512."),
            (List{".--head-rows=512", ".--head-columns=512"}));
}

TEST(MatchClaims, LimitsAndListsAreNoValues) {
  EXPECT_EQ(ClaimsIn("`Anneal` anneals over at least 20 epochs."), List{});
  EXPECT_EQ(ClaimsIn("`last_epoch` is 2, 4 or 8."), List{});
  EXPECT_EQ(ClaimsIn("`Anneal` comes with six heads, 8 anneal rounds."), List{});
  EXPECT_EQ(ClaimsIn("The activation of heads on the default epoch."), List{});
  EXPECT_EQ(ClaimsIn("`CURL_VERSION_NUMBER` is 13.0."), List{}) << "a version";
}

TEST(MatchClaims, PartsOfANameMatchWordsInOtherForms) {
  EXPECT_EQ(CountParts("num_warmup_iters", {"warmups", "iterations"}), 3U);
  EXPECT_EQ(CountParts("seq-length", {"sequence", "length"}), 2U);
  EXPECT_EQ(CountParts("seq-length", {"sequence"}), 0U);
  EXPECT_EQ(CountParts("num", {"epochs"}), 0U);
  EXPECT_EQ(CountParts("lr_decay", {"decay", "rate", "learning"}), 3U);
  EXPECT_EQ(CountParts("nhead", {"heads"}), 1U);
}

List AlarmsIn(const std::string& text) {
  static const TestWitness* const kSources = new TestWitness(
      {{.name = "gizmo",
        .files = {{"optim.py",
                   "class GizmoAnnealer:\n    def __init__(self, optimizer, anneal_epochs=10,\n"
                   "                 strategy=\"cos\"):\n        pass\n"},
                  {"scripts/train_gizmo.py",
                   "parser.add_argument('--num-heads', type=int, default=16)\n"
                   "parser.add_argument('--seq-length', type=int, default=1024)\n"}}}});
  const auto judged = Auditor(**kSources).Audit({.file = "n.md", .text = "# Gizmo\n\n" + text});
  List alarms;
  for (const statement::Judgement& judgement : *judged) {
    if (judgement.Fails()) alarms.push_back(judgement.text);
  }
  return alarms;
}

TEST(MatchClaims, AreComparedWithTheDefinition) {
  EXPECT_EQ(AlarmsIn("`GizmoAnnealer` anneals over 20 epochs."), List{"anneal_epochs = 20"});
  EXPECT_EQ(AlarmsIn("`GizmoAnnealer` anneals over 10 epochs."), List{});
  EXPECT_EQ(AlarmsIn("I use 20 epochs to anneal with `GizmoAnnealer`."), List{});
  EXPECT_EQ(AlarmsIn("The script `scripts/train_gizmo.py` has 32 heads."), List{"num-heads = 32"});
  EXPECT_EQ(AlarmsIn("See `scripts/train_gizmo.py`.\n\nIts `--seq-length` is 2048."),
            List{"--seq-length = 2048"});
}

}  // namespace
}  // namespace sibyl::audit
