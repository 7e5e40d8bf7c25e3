// SPDX-License-Identifier: Apache-2.0
#include "index/words/wanted_stems.h"

#include <gtest/gtest.h>

#include "index/words/word_files.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

TEST(WantedStems, AreFoundInWordsThatHaveThem) {
  TermForms forms;
  WantedStems wanted;
  EXPECT_EQ(wanted.Add(forms.Stem("memories")), 0U);
  EXPECT_EQ(wanted.Add(forms.Stem("copying")), 1U);
  EXPECT_EQ(wanted.Add("a"), 2U);
  EXPECT_EQ(wanted.Add(forms.Stem("memory")), 0U) << "once is enough";
  EXPECT_EQ(wanted.size(), 3U);
  EXPECT_EQ(wanted.Find("memory", forms), 0U);
  EXPECT_EQ(wanted.Find("copies", forms), 1U);
  EXPECT_EQ(wanted.Find("a", forms), 2U);
  EXPECT_EQ(wanted.Find("at", forms), WantedStems::kNone);
  EXPECT_EQ(wanted.Find("memo", forms), WantedStems::kNone);
}

// Checks the shortcut: every word of the tables is found by its stem.
TEST(WantedStems, FindEveryWordOfTheGlossary) {
  TermForms forms;
  WantedStems all;
  std::vector<std::string_view> words;
  for (const std::string_view table : GlossaryTables()) {
    const std::vector<std::uint32_t> edges = FindWordEdgesPortably(table);
    for (std::size_t i = 0; i < edges.size(); i += 2) {
      words.push_back(table.substr(edges[i], edges[i + 1] - edges[i]));
    }
  }
  std::vector<std::size_t> places;
  for (const std::string_view word : words) places.push_back(all.Add(forms.Stem(word)));
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(all.Find(words[i], forms), places[i]) << words[i];
  }
}

TEST(LowerWords, AreThoseOfAQuestion) {
  EXPECT_EQ(LowerWords("Why is page_LOCKED so fast?"),
            (std::vector<std::string>{"why", "is", "page_locked", "so", "fast"}));
}

}  // namespace
}  // namespace sibyl::index
