// SPDX-License-Identifier: Apache-2.0
#include "index/builder/passage_terms.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>
#include <vector>

#include "index/builder/passage_words.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

TEST(PassageTerms, AddsUpWhatAMapWould) {
  PassageTerms terms;
  EXPECT_TRUE(rc::check([&terms] {
    const auto different = *rc::gen::inRange<std::uint32_t>(1, 2000);
    const auto count = *rc::gen::inRange<std::size_t>(0, 3000);
    std::vector<PassageTerms::Counted> counted;
    std::map<std::uint32_t, std::uint32_t> eighths;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t local = *rc::gen::inRange<std::uint32_t>(0, different);
      const WeightedTerm term({.partition = local % 16, .local = local * 77}, 5);
      counted.emplace_back(term.bits(), 2);
      eighths[term.id()] += 10;
    }
    terms.Begin();
    terms.Count(counted);
    RC_ASSERT(terms.size() == eighths.size());
    const ImpactScale scale(100, 1);
    const std::uint8_t* impacts = terms.Impacts(scale);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::vector<std::uint32_t> sum(ImpactScale::RoomFor(1), eighths.at(terms.ids()[i]));
      const std::vector<std::uint16_t> bonus(ImpactScale::RoomFor(1), 0);
      std::vector<std::uint8_t> impact(ImpactScale::RoomFor(1));
      scale.Impacts(sum.data(), bonus.data(), impact.data(), 1);
      RC_ASSERT(impacts[i] == impact[0]);
    }
  }));
}

TEST(PassageWords, CountsWhatAMapWould) {
  PassageWords words;
  EXPECT_TRUE(rc::check([&words] {
    const auto different = *rc::gen::inRange<std::uint32_t>(1, 900);
    const auto count = *rc::gen::inRange<std::size_t>(0, 3000);
    std::string text;
    std::map<std::string, std::uint32_t> expected;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = *rc::gen::inRange<std::uint32_t>(0, different);
      std::string word = "w" + std::to_string(number);
      if (number % 5 == 0) word += "_and_something_that_makes_it_long";
      ++expected[word];
      text += word + " ";
    }
    const std::vector<std::uint32_t> edges = FindWordEdgesPortably(text);
    text.append(16, ' ');
    words.Begin(text.data(), edges);
    while (words.next() < edges.size()) words.CountUpTo(static_cast<std::uint32_t>(text.size()));
    RC_ASSERT(words.words().size() == expected.size());
    for (const PassageWords::Word& word : words.words()) {
      RC_ASSERT(expected.at(std::string(words.text(word.edge))) == word.count);
    }
    words.Clear();
  }));
}

}  // namespace
}  // namespace sibyl::index
