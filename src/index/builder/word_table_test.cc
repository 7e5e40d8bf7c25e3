// SPDX-License-Identifier: Apache-2.0
#include "index/builder/word_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "index/builder/word_finder.h"
#include "index/words/term_forms.h"

namespace sibyl::index {
namespace {

// Followed by the bytes that a key may read.
std::string Padded(const std::string& word) { return word + std::string(16, ' '); }

std::set<std::string> TermsOf(const std::string& word, WordFinder& finder,
                              const Vocabulary& vocabulary) {
  const std::string padded = Padded(word);
  const WordKey key = WordKey::Of(padded.data(), word.size());
  std::set<std::string> terms;
  finder.table().ForEach(
      finder.Find(key, key.Hash(), {padded.data(), word.size()}), [&](WeightedTerm term) {
        const auto places = vocabulary.places(term.partition());
        const auto text = vocabulary.text(term.partition(), places[term.local()]);
        terms.insert(std::string(text) + "/" + std::to_string(term.eighths()));
      });
  return terms;
}

std::set<std::string> FormsOf(const std::string& word) {
  TermForms forms;
  std::set<std::string> expected;
  for (const TermForm& form : forms.Derive(word)) {
    expected.insert(form.text + "/" + std::to_string(form.eighths));
  }
  return expected;
}

TEST(WordTable, HasTheFormsOfAWord) {
  WordTable table(1);
  Vocabulary vocabulary(1);
  WordFinder finder(table, vocabulary);
  finder.BeginBatch(0);
  for (const std::string& word :
       std::vector<std::string>{"kernel", "kernels", "cudaGraphLaunch", "TORCH_CUDA_ARCH_LIST", "x",
                                "Graph", "launch", "a_word_that_is_longer_than_its_key",
                                "running_runs_RunRunning", std::string("\xE2\x84\xAA") + "elvin"}) {
    EXPECT_EQ(TermsOf(word, finder, vocabulary), FormsOf(word)) << word;
    EXPECT_EQ(TermsOf(word, finder, vocabulary), FormsOf(word)) << word << ", again";
  }
  finder.EndBatch();
}

TEST(WordTable, GrowsUnderManyThreads) {
  constexpr int kWords = 80'000;  // more than its initial size
  WordTable table(1);
  Vocabulary vocabulary(1);
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int number = 0; number < kThreads; ++number) {
    threads.emplace_back([&, number] {
      WordFinder finder(table, vocabulary);
      for (int i = 0; i < kWords; ++i) {
        if (i % 1000 == 0) finder.BeginBatch(static_cast<std::uint32_t>(i / 1000));
        // All threads add the same words, each in its own order.
        const std::string word = "word" + std::to_string((i + number * 777) % kWords);
        const std::string padded = Padded(word);
        const WordKey key = WordKey::Of(padded.data(), word.size());
        (void)finder.Find(key, key.Hash(), {padded.data(), word.size()});
        finder.Pause();
        if (i % 1000 == 999) finder.EndBatch();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::size_t terms = 0;
  for (std::size_t p = 0; p < kPartitions; ++p) terms += vocabulary.places(p).size();
  EXPECT_EQ(terms, static_cast<std::size_t>(kWords));
  WordFinder finder(table, vocabulary);
  finder.BeginBatch(0);
  EXPECT_EQ(TermsOf("word79999", finder, vocabulary), FormsOf("word79999"));
  finder.EndBatch();
}

TEST(WordTable, KnowsWhichTermsAreWordsAndSinceWhen) {
  WordTable table(1);
  Vocabulary vocabulary(1);
  WordFinder finder(table, vocabulary);
  finder.BeginBatch(3);
  (void)TermsOf("foo_bar", finder, vocabulary);
  finder.EndBatch();
  finder.BeginBatch(1);
  (void)TermsOf("bar", finder, vocabulary);
  finder.EndBatch();
  const auto whole_before = [&](std::uint32_t batch) {
    std::set<std::string> whole;
    const auto bits = table.WholeTerms(batch, vocabulary);
    for (std::size_t p = 0; p < kPartitions; ++p) {
      const auto places = vocabulary.places(p);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if ((bits[p][i / 64] >> i % 64 & 1) != 0) whole.emplace(vocabulary.text(p, places[i]));
      }
    }
    return whole;
  };
  EXPECT_EQ(whole_before(1), (std::set<std::string>{}));
  EXPECT_EQ(whole_before(2), (std::set<std::string>{"bar"}));
  EXPECT_EQ(whole_before(4), (std::set<std::string>{"bar", "foo_bar"}));
}

}  // namespace
}  // namespace sibyl::index
