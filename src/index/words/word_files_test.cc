// SPDX-License-Identifier: Apache-2.0
// Checks every line of the embedded tables; reports file and line.
#include "index/words/word_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "base/strings.h"

namespace sibyl::index {
namespace {

std::string WhyNotGlossary(std::string_view line) {
  const std::size_t colon = line.find(" : ");
  if (colon == std::string_view::npos) return "needs ' : '";
  if (line.find(" : ", colon + 1) != std::string_view::npos) return "has two ' : '";
  return "";
}

std::string WhyNotSynonyms(std::string_view line) {
  return line.find(' ') == std::string_view::npos ? "needs two words" : "";
}

std::string WhyNotNicknames(std::string_view line) {
  if (line.find(" = ") == std::string_view::npos) return "needs ' = '";
  return line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_ =") == line.npos
             ? ""
             : "has other characters than a-z, 0-9 and _";
}

std::string WhyNotThesaurus(std::string_view line) {
  constexpr std::ptrdiff_t kMostPlusSigns = 3;
  if (std::count(line.begin(), line.end(), ':') != 1 ||
      line.find(" : ") == std::string_view::npos) {
    return "needs exactly one ' : '";
  }
  const auto plus_signs = std::count(line.begin(), line.end(), '+');
  if (plus_signs > kMostPlusSigns) return "has more than four groups";
  if (line.starts_with('+') || line.find("+ +") != std::string_view::npos ||
      line.find("+ :") != std::string_view::npos) {
    return "has an empty group";
  }
  if (line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_ +:") !=
      std::string_view::npos) {
    return "has other characters than a-z, 0-9 and _";
  }
  return "";
}

// Empty if the line is well formed, otherwise what is wrong with it.
std::string WhyNotLine(WordFileKind kind, std::string_view line) {
  if (line.empty() || line.starts_with('#')) return "";
  for (const char c : line) {
    if (c < ' ' || c > '~') return "has a character that is not printable ASCII";
    if (c >= 'A' && c <= 'Z') return "has a capital letter";
  }
  if (line.starts_with(' ') || line.ends_with(' ') || line.find("  ") != std::string_view::npos) {
    return "has a superfluous space";
  }
  if (line.starts_with(": ") || line.ends_with(" :")) return "is empty on one side of the colon";
  switch (kind) {
    case WordFileKind::kGlossary:
      return WhyNotGlossary(line);
    case WordFileKind::kSynonyms:
      return WhyNotSynonyms(line);
    case WordFileKind::kThesaurus:
      return WhyNotThesaurus(line);
    case WordFileKind::kNicknames:
      return WhyNotNicknames(line);
  }
  return "is in a file of unknown kind";
}

TEST(WordFiles, EveryLineHasTheFormatOfItsFile) {
  for (const WordFile& file : WordFiles()) {
    EXPECT_TRUE(file.text.starts_with("# SPDX-License-Identifier: Apache-2.0\n")) << file.path;
    EXPECT_TRUE(file.text.ends_with('\n')) << file.path << ": the last line has no end";
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(file.text)) {
      ++number;
      const std::string why = WhyNotLine(file.kind, line);
      EXPECT_TRUE(why.empty()) << file.path << ":" << number << ": " << why << ": " << line;
    }
  }
}

// The names of a glossary entry; otherwise the whole line.
std::string_view KeyOf(WordFileKind kind, std::string_view line) {
  return kind == WordFileKind::kGlossary ? line.substr(0, line.find(" : ")) : line;
}

TEST(WordFiles, NoEntryIsThereTwice) {
  std::set<std::pair<WordFileKind, std::string_view>> seen;
  for (const WordFile& file : WordFiles()) {
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(file.text)) {
      ++number;
      if (line.empty() || line.starts_with('#')) continue;
      EXPECT_TRUE(seen.emplace(file.kind, KeyOf(file.kind, line)).second)
          << file.path << ":" << number << ": duplicate: " << line;
    }
  }
  EXPECT_GT(seen.size(), 1'500U);
}

// In the other files the order matters: see word_files.h.
TEST(WordFiles, SynonymsAreSorted) {
  std::string_view before;
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(SynonymTable())) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    EXPECT_LT(before, line) << "src/index/words/synonyms.txt:" << number;
    before = line;
  }
}

TEST(WordFiles, EveryFileIsEmbedded) {
  namespace fs = std::filesystem;
  const fs::path root = SIBYL_SOURCE_DIR;
  std::set<fs::path> embedded;
  for (const WordFile& file : WordFiles()) embedded.insert(root / file.path);
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "src/index/words")) {
    if (entry.path().extension() != ".txt") continue;
    EXPECT_TRUE(embedded.contains(entry.path())) << entry.path() << " is not in word_files.cc";
  }
}

TEST(WordFiles, TheFormatsAreHeldAgainstInventedLines) {
  constexpr auto kGlossary = WordFileKind::kGlossary;
  constexpr auto kSynonyms = WordFileKind::kSynonyms;
  constexpr auto kThesaurus = WordFileKind::kThesaurus;
  EXPECT_EQ(WhyNotLine(kGlossary, "pinned page_locked : host memory never swapped"), "");
  EXPECT_EQ(WhyNotLine(kSynonyms, "big large"), "");
  EXPECT_EQ(WhyNotLine(kThesaurus, "copy move + memory : pinned"), "");
  EXPECT_EQ(WhyNotLine(kThesaurus, "# Any Comment\t:"), "");
  for (const char* line : {"pinned host memory", "pinned: host", "a : b : c", " : words", "names :",
                           "Pinned : host", "pinned  : host", "pinned : host ", "pinned\t: host"}) {
    EXPECT_NE(WhyNotLine(kGlossary, line), "") << line;
  }
  for (const char* line : {"alone", "big  large", "big\tlarge", "big Large"}) {
    EXPECT_NE(WhyNotLine(kSynonyms, line), "") << line;
  }
  for (const char* line :
       {"copy pinned", "copy : a : b", "copy:pinned", "+ copy : pinned", "copy + : pinned",
        "copy + + move : pinned", "a + b + c + d + e : f", "copy-engine : pinned"}) {
    EXPECT_NE(WhyNotLine(kThesaurus, line), "") << line;
  }
}

}  // namespace
}  // namespace sibyl::index
