// SPDX-License-Identifier: Apache-2.0
// Tables in documents that CONTRIBUTING.md asks people to extend by hand: each has a
// line for everything in the code that it lists.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.h"
#include "base/strings.h"
#include "base/telemetry/families.h"
#include "gate/rules.h"
#include "inspect/inspectors.h"
#include "plan/check.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

std::string DocumentText(std::string_view path) {
  const Result<std::string> text = ReadFile(fs::path(SIBYL_SOURCE_DIR) / path);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? *text : std::string();
}

TEST(Documents, ArchitectureHasAParagraphForEveryRoom) {
  const std::string text = DocumentText("ARCHITECTURE.md");
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(SIBYL_SOURCE_DIR) / "src")) {
    if (!entry.is_directory()) continue;
    const std::string room = entry.path().filename();
    EXPECT_TRUE(Contains(text, "\n**" + room + "** "))
        << "ARCHITECTURE.md does not explain " << room;
  }
}

TEST(Documents, ThePlanFormatListsEveryCodeOfItsChecks) {
  const std::string text = DocumentText("docs/formats/plan.md");
  for (const Rule& rule : plan::CheckRules()) {
    EXPECT_TRUE(Contains(text, "\n| `" + std::string(rule.code) + "` |"))
        << "docs/formats/plan.md has no row for " << rule.code;
  }
}

TEST(Documents, TheGatesPageListsEveryCode) {
  const std::string text = DocumentText("docs/formats/gate.md");
  for (const Rule& rule : gate::GateRules()) {
    EXPECT_TRUE(Contains(text, "`" + std::string(rule.code) + "`"))
        << "docs/formats/gate.md does not list " << rule.code;
  }
}

// A row for every metric, and none for others.
TEST(Documents, TheOperatorsPageListsEveryMetric) {
  const std::string text = DocumentText("docs/operate.md");
  std::set<std::string> listed;
  for (const std::string_view line : SplitLines(text)) {
    if (!line.starts_with("| `sibyl_") && !line.starts_with("| `process_")) continue;
    listed.emplace(line.substr(3, line.find('`', 3) - 3));
  }
  std::set<std::string> known;
  for (const MetricFamily* family : kMetricFamilies) {
    known.emplace(family->name);
    std::string labels;
    for (const std::string_view label : family->labels) {
      if (!label.empty()) labels += (labels.empty() ? "" : ", ") + std::string(label);
    }
    const std::string row = "| `" + std::string(family->name) + "` | " + labels;
    EXPECT_TRUE(Contains(text, "\n" + row)) << "docs/operate.md has no row " << row;
  }
  EXPECT_EQ(listed, known);
}

// Without "on()", 'and' keeps a row only if both sides have the same labels, and a sum has none.
TEST(Documents, AlarmsThatCombineTwoMetricsIgnoreTheirLabels) {
  const std::string text = DocumentText("docs/operate.md");
  std::size_t combined = 0;
  for (const std::string_view line : SplitLines(text)) {
    if (!line.starts_with("| ") || line.find("} > 0 and ") == std::string_view::npos) continue;
    EXPECT_NE(line.find(" and on() ("), std::string_view::npos) << line;
    ++combined;
  }
  EXPECT_EQ(combined, 2U);
}

// What a session shows: the command, and what it printed.
struct Shown {
  std::string command;
  std::vector<std::string> output;
};

// Of all transcripts, or of one.
std::vector<Shown> RecordedCommands(std::string_view only = {}) {
  std::vector<Shown> recorded;
  const fs::path folder = fs::path(SIBYL_SOURCE_DIR) / "tests/transcripts";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    if (!only.empty() && entry.path().filename() != only) continue;
    const std::string text = *ReadFile(entry.path());
    for (const std::string_view line : SplitLines(text)) {
      if (line.starts_with("$ ")) {
        // Where it was run is not shown.
        std::string_view command = line.substr(2);
        if (command.starts_with("cd ")) command.remove_prefix(command.find("&& ") + 3);
        // What differs each time is replaced.
        command = command.substr(0, command.find(" 2>&1 | sed "));
        recorded.push_back({.command = std::string(command)});
      } else if (!recorded.empty()) {
        recorded.back().output.emplace_back(line);
      }
    }
  }
  return recorded;
}

// Commands of a document's plain blocks, with the output that it shows.
std::vector<Shown> ShownCommands(std::string_view document) {
  std::vector<Shown> shown;
  bool is_open = false;
  bool in_block = false;
  bool in_session = false;
  for (const std::string_view line : SplitLines(document)) {
    if (line.starts_with("```")) {
      is_open = !is_open;
      in_block = is_open && line == "```";
      in_session = false;
      continue;
    }
    if (!in_block) continue;
    if (line.starts_with("$ ")) {
      const std::string_view command = Trim(line.substr(2, line.find("  #") - 2));
      in_session = command.starts_with("sibyl ");
      if (in_session) shown.push_back({.command = std::string(command)});
    } else if (in_session) {
      shown.back().output.emplace_back(line);
    }
  }
  return shown;
}

// A line "…" stands for any number of lines.
bool Shows(const std::vector<std::string>& shown, const std::vector<std::string>& output) {
  std::size_t at = 0;
  bool may_skip = false;
  for (const std::string& line : shown) {
    if (Trim(line) == "…") {
      may_skip = true;
      continue;
    }
    while (may_skip && at < output.size() && output[at] != line) ++at;
    if (at >= output.size() || output[at] != line) return false;
    ++at;
    may_skip = false;
  }
  return may_skip || at >= output.size() || output[at].starts_with('[');
}

// How many outputs of a document were compared with what the transcripts have.
std::size_t CompareOutputs(std::string_view document) {
  const std::vector<Shown> recorded = RecordedCommands();
  std::size_t compared = 0;
  for (const Shown& shown : ShownCommands(document)) {
    if (shown.output.empty()) continue;
    ++compared;
    bool is_recorded = false;
    for (const Shown& each : recorded) {
      if (each.command == shown.command && Shows(shown.output, each.output)) is_recorded = true;
    }
    EXPECT_TRUE(is_recorded) << "no transcript in tests/transcripts has this output of: "
                             << shown.command;
  }
  return compared;
}

// "5,365" is "5,300": the figures in documents are rounded down, so that they change rarely.
std::string Hundreds(std::size_t count) {
  const std::size_t hundreds = count / 100;
  return hundreds < 10 ? fmt::format("{}00", hundreds)
                       : fmt::format("{},{}00", hundreds / 10, hundreds % 10);
}

// The number that is followed by `words`, and preceded by " of ".
std::size_t NumberBefore(std::string_view text, std::string_view words) {
  const std::size_t end = std::min(text.find(words), text.size());
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  return begin == end ? 0 : std::stoul(std::string(text.substr(begin, end - begin)));
}

// It said 5,200 citations long after there were more. Each page has its own in its stamp.
TEST(Documents, ReadmeHasTheFiguresOfTheOracle) {
  std::size_t pages = 0;
  std::size_t citations = 0;
  std::size_t statements = 0;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(fs::path(SIBYL_SOURCE_DIR) / "oracles/cuda")) {
    const Result<std::string> text = ReadFile(entry.path());
    if (entry.path().extension() != ".md" || !text.ok()) continue;
    const std::string_view stamp = std::string_view(*text).substr(0, text->find("\n\n|"));
    const std::size_t found = NumberBefore(stamp, " citations hold");
    pages += found > 0 ? 1 : 0;
    citations += found;
    statements += NumberBefore(stamp, " statements grounded");
  }
  const std::string expected = fmt::format("{} pages with more than {} statements and {} citations",
                                           pages, Hundreds(statements), Hundreds(citations));
  EXPECT_TRUE(Contains(DocumentText("README.md"), expected)) << "it should say: " << expected;
}

// It once showed 304 lines where the program printed 279.
TEST(Documents, ReadmeShowsWhatTheProgramPrints) {
  EXPECT_GE(CompareOutputs(DocumentText("README.md")), 3U);
}

TEST(Documents, TheFormatsPageShowsWhatTheProgramPrints) {
  EXPECT_GE(CompareOutputs(DocumentText("docs/formats/README.md")), 1U);
}

// Its times are those of one machine, and so are the outputs about its toolkit and its sources; the
// rest is what the program prints.
TEST(Documents, TheFirstHourShowsWhatTheProgramPrints) {
  std::map<std::string, std::vector<std::string>> recorded;
  for (const char* name :
       {"first-hour.txt", "first-hour-library.txt", "first-hour-cmake.txt", "readme-oracle.txt"}) {
    for (const Shown& each : RecordedCommands(name)) recorded[each.command] = each.output;
  }
  std::size_t compared = 0;
  for (const Shown& shown : ShownCommands(DocumentText("docs/first-hour.md"))) {
    const auto found = recorded.find(shown.command);
    if (found == recorded.end() || shown.output.empty()) continue;
    ++compared;
    EXPECT_TRUE(Shows(shown.output, found->second)) << "docs/first-hour.md: " << shown.command;
  }
  EXPECT_GE(compared, 12U);
}

// The files that a document tells the reader to write: "cat > PATH <<'EOF'".
std::map<std::string, std::string> WrittenFiles(std::string_view document) {
  std::map<std::string, std::string> files;
  std::string* open = nullptr;
  for (const std::string_view line : SplitLines(document)) {
    constexpr std::string_view kBegin = "cat > ";
    constexpr std::string_view kEnd = " <<'EOF'";
    if (line.starts_with(kBegin) && line.ends_with(kEnd)) {
      const std::string_view path = line.substr(kBegin.size());
      open = &files[std::string(path.substr(0, path.size() - kEnd.size()))];
    } else if (line == "EOF") {
      open = nullptr;
    } else if (open != nullptr) {
      *open += std::string(line) + "\n";
    }
  }
  return files;
}

// A stranger follows it word for word.
TEST(Documents, WritingAnOracleShowsWhatTheProgramPrintsForItsFiles) {
  std::string document = DocumentText("docs/write-an-oracle.md");
  constexpr std::string_view kHome = "/home/ada/try";
  for (std::size_t at = document.find(kHome); at != std::string::npos;
       at = document.find(kHome, at)) {
    document.replace(at, kHome.size(), "FOLDER");
  }
  EXPECT_GE(CompareOutputs(document), 15U);
  const std::map<std::string, std::string> files = WrittenFiles(document);
  EXPECT_EQ(files.size(), 6U);
  const fs::path recorded = fs::path(SIBYL_SOURCE_DIR) / "tests/transcripts/files";
  for (const auto& [path, text] : files) {
    fs::path file = recorded / "tide-work" / fs::path(path).filename();
    if (path.starts_with("tide-docs/")) file = recorded / path;
    if (path.ends_with("ingestion.md")) file = recorded / "tide-work/plan.md";
    const auto expected = ReadFile(file);
    ASSERT_TRUE(expected.ok()) << file;
    EXPECT_EQ(text, *expected) << path;
  }
}

TEST(Documents, TheFactsPageNamesEveryInspector) {
  const std::string text = DocumentText("docs/formats/facts.md");
  for (const std::string_view inspector : inspect::CitableInspectors()) {
    EXPECT_TRUE(Contains(text, "\n| " + std::string(inspector) + " |"))
        << "docs/formats/facts.md has no row for the facts of " << inspector;
  }
}

// They are part of every clone, and are shown by whatever the reader has.
TEST(Documents, DrawnPicturesAreSmallAndBringNothingWithThem) {
  constexpr std::size_t kMostBytes = 60'000;
  std::size_t pictures = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SIBYL_SOURCE_DIR) / "docs/pictures")) {
    if (entry.path().extension() != ".svg") continue;
    ++pictures;
    const std::string text = DocumentText("docs/pictures/" + entry.path().filename().string());
    EXPECT_LT(text.size(), kMostBytes) << entry.path();
    for (const char* foreign : {"@font-face", "<script", "<image", "href="}) {
      EXPECT_FALSE(Contains(text, foreign)) << entry.path() << " has " << foreign;
    }
  }
  EXPECT_GE(pictures, 1U);
}

}  // namespace
}  // namespace sibyl
