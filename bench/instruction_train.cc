// SPDX-License-Identifier: Apache-2.0
// Makes src/injection/instruction_weights.inc.
//
//   instruction_train --items FILE... --ordinary FOLDER... [--other FOLDER...]
//                     [--check FILE...] [--out FILE]
//
// --items     labelled items, one file per author: id, lang, label (injection or
//             benign), kind and text
// --ordinary  text of which at most 0.85 of 10,000 paragraphs may be refused
// --other     more text without injections; it is learned from, too
// --check     labelled items that nothing is learned from
//
// With --out the weights are learned and written. Without it each author is judged by
// what the others teach, too: that is the figure to expect from an author who is not
// known. A quarter of the files of each folder is not learned from; the limit is set
// with it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "instruction_corpus.h"
#include "instruction_learn.h"

namespace {

using namespace sibyl::bench;  // NOLINT: a benchmark is one file

constexpr double kAllowed = 0.85e-4;  // of the paragraphs of ordinary text
constexpr float kScale = 64;          // a weight in the table for one of one

struct Author {
  std::string name;
  std::vector<Example> items;
};

struct Corpus {
  Vocabulary vocabulary;
  std::vector<Author> authors;
  std::vector<Author> checks;
  std::vector<Folder> ordinary;
  std::vector<Folder> other;
};

Corpus ReadCorpus(const std::map<std::string, std::vector<std::string>>& names) {
  Corpus corpus;
  const auto of = [&](const char* option) {
    const auto at = names.find(option);
    return at == names.end() ? std::vector<std::string>{} : at->second;
  };
  for (const std::string& name : of("--items")) {
    corpus.authors.push_back({name, ReadItems(name, corpus.vocabulary)});
  }
  for (const std::string& name : of("--check")) {
    corpus.checks.push_back({name, ReadItems(name, corpus.vocabulary)});
  }
  for (const std::string& name : of("--ordinary")) {
    corpus.ordinary.push_back(ReadFolder(name, corpus.vocabulary));
  }
  for (const std::string& name : of("--other")) {
    corpus.other.push_back(ReadFolder(name, corpus.vocabulary));
  }
  return corpus;
}

Learned LearnWithout(const Corpus& corpus, const Author* left_out) {
  Lessons lessons;
  for (const Author& author : corpus.authors) {
    if (&author == left_out) continue;
    for (const Example& item : author.items) lessons.items.push_back(&item);
  }
  for (const std::vector<Folder>* folders : {&corpus.ordinary, &corpus.other}) {
    for (const Folder& folder : *folders) {
      for (const Example& example : folder.known) lessons.ordinary.push_back(&example);
    }
  }
  Learned learned = Learn(lessons, corpus.vocabulary);
  // As in the table, so that the limit belongs to it.
  for (float& weight : learned.weights) weight = std::round(weight * kScale) / kScale;
  learned.bias = std::round(learned.bias * kScale) / kScale;
  return learned;
}

double LimitOf(const Learned& learned, const Corpus& corpus) {
  std::vector<double> scores;
  for (const Folder& folder : corpus.ordinary) {
    for (const Example& example : folder.held_out) scores.push_back(ScoreOf(learned, example));
  }
  if (scores.empty()) return 0;
  std::sort(scores.begin(), scores.end(), std::greater<>());
  return scores[static_cast<std::size_t>(kAllowed * static_cast<double>(scores.size()))];
}

void PrintFound(const Author& author, const Learned& learned, double limit) {
  std::map<std::string, std::pair<int, int>> counts;  // found, of all
  for (const Example& item : author.items) {
    if (item.is_disguised) continue;
    const std::string label = item.is_injection ? "injection" : "benign";
    const bool is_found = ScoreOf(learned, item) > limit;
    for (const std::string& key : {label, label + (item.language == "en" ? " en" : " other")}) {
      counts[key].first += is_found ? 1 : 0;
      ++counts[key].second;
    }
  }
  fmt::print("{}\n", author.name);
  for (const auto& [key, count] : counts) {
    fmt::print("  {:16} {:4} of {:4} ({:.0f} %)\n", key, count.first, count.second,
               100.0 * count.first / count.second);
  }
}

void PrintRefused(const std::vector<Folder>& folders, const Learned& learned, double limit) {
  for (const Folder& folder : folders) {
    const auto refused =
        std::count_if(folder.held_out.begin(), folder.held_out.end(),
                      [&](const Example& example) { return ScoreOf(learned, example) > limit; });
    fmt::print("  {}: {} of {} paragraphs that were held out\n", folder.name, refused,
               folder.held_out.size());
  }
}

void Write(const std::string& file, const Corpus& corpus, const Learned& learned, double limit) {
  std::vector<std::pair<sibyl::injection::Feature, long>> weights;
  for (std::size_t i = 0; i < learned.weights.size(); ++i) {
    const long weight = std::lround(learned.weights[i] * kScale);
    if (weight != 0) weights.emplace_back(corpus.vocabulary.features()[i], weight);
  }
  std::sort(weights.begin(), weights.end());
  std::ofstream out(file);
  out << "// SPDX-License-Identifier: Apache-2.0\n"
         "// Made by instruction_train (bench/instruction_train.cc); not edited by hand.\n"
         "// clang-format off\n";
  out << fmt::format("constexpr int kBias = {};\n", std::lround(learned.bias * kScale));
  out << fmt::format("constexpr int kLimit = {};\n", std::lround(limit * kScale));
  out << "constexpr Weight kWeights[] = {";
  for (std::size_t i = 0; i < weights.size(); ++i) {
    out << (i % 8 == 0 ? "\n" : "")
        << fmt::format("{{{:#x},{}}},", weights[i].first, weights[i].second);
  }
  out << "\n};\n// clang-format on\n";
  fmt::print("{} weights in {}\n", weights.size(), file);
}

int Run(const std::map<std::string, std::vector<std::string>>& names) {
  const Corpus corpus = ReadCorpus(names);
  const auto out = names.find("--out");
  if (out == names.end()) {
    fmt::print("Learned from the other authors only:\n");
    for (const Author& author : corpus.authors) {
      const Learned learned = LearnWithout(corpus, &author);
      PrintFound(author, learned, LimitOf(learned, corpus));
    }
  }
  const Learned learned = LearnWithout(corpus, nullptr);
  const double limit = LimitOf(learned, corpus);
  fmt::print("Learned from all of them:\n");
  for (const Author& check : corpus.checks) PrintFound(check, learned, limit);
  PrintRefused(corpus.ordinary, learned, limit);
  PrintRefused(corpus.other, learned, limit);
  if (out != names.end() && out->second.size() == 1) {
    Write(out->second.front(), corpus, learned, limit);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::vector<std::string>> names;
  std::string option;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--")) {
      option = word;
    } else {
      names[option].push_back(word);
    }
  }
  try {
    return Run(names);
  } catch (const std::exception& error) {
    fmt::print(stderr, "instruction_train: {}\n", error.what());
    return 2;
  }
}
