// SPDX-License-Identifier: Apache-2.0
#include "references/find/claim_scope.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "references/find/asserted.h"
#include "references/find/find.h"

namespace sibyl::references {
namespace {

using Names = std::set<std::string>;

// The names that each cited line owns.
std::map<std::size_t, Names> Owned(std::string_view document) {
  std::map<std::size_t, Names> owned;
  const Result<FoundReferences> found = FindReferences(document);
  EXPECT_TRUE(found.ok());
  if (!found.ok()) return owned;
  for (const Reference& reference : found->all) {
    Names& names = owned[reference.lines.first];
    for (const ClaimedName& name : reference.claim.names) {
      if (name.is_own) names.insert(name.text);
    }
  }
  return owned;
}

bool IsNameAsserted(std::string_view sentence) { return IsAsserted(sentence, sentence.find('`')); }

TEST(ClaimScope, ParenthesesAfterACitationNameIt) {
  const auto owned = Owned(
      "In `a.ts`: `:213-228` (inferType), `:246-261`/`:426` (extractMetadata), `:500` "
      "(lastOne).\n");
  EXPECT_EQ(owned.at(213), Names{"inferType"});
  EXPECT_EQ(owned.at(246), Names{"extractMetadata"});
  EXPECT_EQ(owned.at(426), Names{"extractMetadata"});
  EXPECT_EQ(owned.at(500), Names{"lastOne"});
}

TEST(ClaimScope, ANameBeforeACitationIsNotReplacedByParenthesesAfterIt) {
  EXPECT_TRUE(Owned("`parse` at `a.rs:10` (called by `main_loop`).\n").at(10).contains("parse"));
}

TEST(ClaimScope, AsManyNamesAsCitationsArePairedInOrder) {
  const auto owned = Owned("In `a.ts`, `getLinks`/`getBacklinks` (`:1867,:1926`) read it.\n");
  EXPECT_EQ(owned.at(1867), Names{"getLinks"});
  EXPECT_EQ(owned.at(1926), Names{"getBacklinks"});
}

TEST(ClaimScope, ANameBeforeTheNextCitationBelongsToThat) {
  const auto owned = Owned("The cards of `a.tsx` (Host Status `:260`, CardHeadLink `:14`).\n");
  EXPECT_FALSE(owned.at(260).contains("CardHeadLink"));
  EXPECT_TRUE(owned.at(14).contains("CardHeadLink"));
}

TEST(ClaimScope, ANumberAfterACommaTakesTheCodeAfterIt) {
  const auto owned = Owned("`Reset.tsx:16` busy state, :51 `loading={busy}`\n");
  EXPECT_TRUE(owned.at(51).contains("loading={busy}"));
  EXPECT_FALSE(owned.at(16).contains("loading={busy}"));
}

TEST(ClaimScope, TheWordHereIsNoName) {
  EXPECT_TRUE(Owned("It is defined [here](src/a.rs#L10).\n").at(10).empty());
  EXPECT_EQ(Owned("It is [parse](src/a.rs#L10).\n").at(10), Names{"parse"});
}

TEST(Asserted, NegatedNamesAreNot) {
  EXPECT_FALSE(IsNameAsserted("It emits no `x`."));
  EXPECT_FALSE(IsNameAsserted("It never emits `x` — confirmed by a test"));
  EXPECT_FALSE(IsNameAsserted("shows absolute, not `x`"));
  EXPECT_FALSE(IsNameAsserted("it doesn't call `x`"));
  EXPECT_FALSE(IsNameAsserted("uses a lock instead of `x`"));
  EXPECT_TRUE(IsNameAsserted("It does not fail. Then `x` is called"));
  EXPECT_TRUE(IsNameAsserted("not only `x`"));
  EXPECT_TRUE(IsNameAsserted("It is not empty, and `x` is called"));
}

TEST(Asserted, WhatIsToBeAddedIsNot) {
  EXPECT_FALSE(IsNameAsserted("Add `x` to the body tag"));
  EXPECT_FALSE(IsNameAsserted("Fix: add `x` to the match arm"));
  EXPECT_FALSE(IsNameAsserted("The loop should insert `x`"));
  EXPECT_TRUE(IsNameAsserted("Add a case to `x`"));
  EXPECT_TRUE(IsNameAsserted("These helpers add `x`"));
}

}  // namespace
}  // namespace sibyl::references
