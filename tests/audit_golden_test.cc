// SPDX-License-Identifier: Apache-2.0
// Audits notes that a person has labelled (tests/golden/audit). SIBYL_UPDATE=1
// rewrites the figures; review the difference. Wrong judgements stay listed there,
// so that a fix is visible.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/test_witness.h"
#include "base/files/files.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

namespace fs = std::filesystem;

const fs::path& Folder() {
  static const fs::path* const kFolder =
      new fs::path(fs::path(SIBYL_SOURCE_DIR) / "tests/golden/audit");
  return *kFolder;
}

struct Label {
  std::size_t line = 0;
  std::string text;
  std::string kind;
  std::string label;
  std::string reason;

  bool IsFalse() const { return label == "absent" || label == "contradicted"; }
};

std::vector<Label> ReadLabels(std::string_view file) {
  std::vector<Label> labels;
  for (const std::string_view line : SplitLines(file)) {
    std::vector<std::string> cells;
    std::size_t begin = 0;
    while (begin <= line.size()) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      cells.emplace_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (cells.size() != 6) {
      ADD_FAILURE() << "labels.tsv: six columns are expected: " << line;
      continue;
    }
    Label label{.text = cells[2], .kind = cells[3], .label = cells[4], .reason = cells[5]};
    std::from_chars(cells[1].data(), cells[1].data() + cells[1].size(), label.line);
    labels.push_back(std::move(label));
  }
  return labels;
}

TestWitness::Source ReadTree(const fs::path& folder) {
  TestWitness::Source source{.name = folder.filename().string(), .files = {}};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    Result<std::string> text = ReadFile(entry.path());
    EXPECT_TRUE(text.ok()) << entry.path();
    if (text.ok()) {
      source.files.emplace_back(fs::relative(entry.path(), folder).generic_string(),
                                *std::move(text));
    }
  }
  std::sort(source.files.begin(), source.files.end());  // folders list in any order
  return source;
}

// Ignores quotation marks, ticks and line breaks.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '`' || c == '"') continue;
    const bool is_space = c == ' ' || c == '\n' || c == '\t';
    if (is_space && (plain.empty() || plain.back() == ' ')) continue;
    plain += is_space ? ' ' : c;
  }
  while (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

bool IsName(std::string_view kind) {
  return kind == "identifier" || kind == "qualified name" || kind == "flag" || kind == "path" ||
         kind == "package";
}

// "2.0" and "2" are one value.
std::string WithoutZero(std::string text) {
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

bool Matches(const Label& label, const statement::Judgement& judgement) {
  const std::size_t line = judgement.place.line;
  if (line + 1 < label.line || line > label.line + 1) return false;
  // A value, a quotation or a line of code is not supported by a name in it
  // that exists, and a name is not judged by the quotation that contains it.
  if (IsName(label.kind) != IsName(judgement.kind)) return false;
  const std::string wanted = Plain(label.text);
  const std::string found = Plain(judgement.text);
  if (found.empty()) return false;
  if (label.kind == "quotation" || label.kind == "attributed code") {
    return found.find(wanted) != std::string::npos || wanted.find(found) != std::string::npos;
  }
  if (label.kind == "default") return WithoutZero(found) == WithoutZero(wanted);
  return found == wanted || found == "-D" + wanted;
}

struct Tally {
  std::size_t labels = 0;
  std::size_t alarms = 0;
  std::size_t right_alarms = 0;
  std::size_t false_claims = 0;
  std::size_t undecidable = 0;
  std::size_t undecidable_alarms = 0;
  std::size_t supportable = 0;
  std::size_t supported = 0;
  std::size_t unseen = 0;

  void Add(const Label& label, std::string_view got) {
    const bool is_alarm = got == "alarm";
    ++labels;
    alarms += is_alarm ? 1 : 0;
    right_alarms += is_alarm && label.IsFalse() ? 1 : 0;
    false_claims += label.IsFalse() ? 1 : 0;
    undecidable += label.label == "undecidable" ? 1 : 0;
    undecidable_alarms += label.label == "undecidable" && is_alarm ? 1 : 0;
    supportable += label.label == "supported" ? 1 : 0;
    supported += label.label == "supported" && got == "supported" ? 1 : 0;
    unseen += got == "unseen" ? 1 : 0;
  }
};

double Share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string ShareText(std::size_t part, std::size_t whole) {
  std::array<char, 64> text{};
  if (whole == 0) return "-";
  std::snprintf(text.data(), text.size(), "%zu/%zu = %.3f", part, whole, Share(part, whole));
  return text.data();
}

std::string Row(std::string_view kind, const Tally& tally) {
  std::array<char, 256> row{};
  std::snprintf(row.data(), row.size(), "%-16s %6zu  %16s %16s %16s %16s %7zu\n",
                std::string(kind).c_str(), tally.labels,
                ShareText(tally.right_alarms, tally.alarms).c_str(),
                ShareText(tally.right_alarms, tally.false_claims).c_str(),
                ShareText(tally.undecidable_alarms, tally.undecidable).c_str(),
                ShareText(tally.supported, tally.supportable).c_str(), tally.unseen);
  return row.data();
}

// If several match, a failing one counts: that is what people see.
std::string Answer(const Label& label, const std::vector<statement::Judgement>& judged,
                   std::set<std::size_t>& used) {
  std::string got = "unseen";
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (!Matches(label, judged[i])) continue;
    used.insert(i);
    if (judged[i].Fails()) {
      got = "alarm";
    } else if (judged[i].verdict == statement::Verdict::kSupported && got != "alarm") {
      got = "supported";
    } else if (got == "unseen") {
      got = "undecidable";
    }
  }
  return got;
}

struct Score {
  Tally all;
  std::string figures;
};

Score ScoreOf(const std::vector<Label>& labels, const std::vector<statement::Judgement>& judged) {
  Score score;
  std::map<std::string, Tally> kinds;
  std::map<std::string, std::string> mistakes;
  std::set<std::size_t> used;
  for (const Label& label : labels) {
    const std::string got = Answer(label, judged, used);
    score.all.Add(label, got);
    kinds[label.kind].Add(label, got);
    const std::string expected = label.IsFalse() ? "alarm" : label.label;
    if (got == expected || (expected == "undecidable" && got == "unseen")) continue;
    const char* const sort = got == "alarm"    ? "false alarms"
                             : label.IsFalse() ? "missed"
                                               : "not as labelled";
    mistakes[sort] += "  notes.md:" + std::to_string(label.line) + " " + label.kind + ": " +
                      label.text + "\n    labelled " + label.label + " (" + label.reason +
                      "), the audit: " + got + "\n";
  }
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (!judged[i].Fails() || used.contains(i)) continue;
    mistakes["alarms on what has no label"] +=
        "  notes.md:" + std::to_string(judged[i].place.line) + " " + judged[i].kind + ": " +
        judged[i].text + "\n";
  }
  score.figures =
      "kind             labels         precision           recall    alarms undec.        "
      "supported  unseen\n";
  for (const auto& [kind, tally] : kinds) score.figures += Row(kind, tally);
  score.figures += Row("all", score.all);
  for (const auto& [sort, list] : mistakes) score.figures += "\n" + sort + ":\n" + list;
  return score;
}

TEST(AuditGolden, JudgesLabelledNotesAsBefore) {
  const Result<std::string> notes = ReadFile(Folder() / "notes.md");
  const Result<std::string> labels = ReadFile(Folder() / "labels.tsv");
  ASSERT_TRUE(notes.ok() && labels.ok());
  const TestWitness sources({ReadTree(Folder() / "sources/gadget"),
                             ReadTree(Folder() / "sources/toolkit"),
                             ReadTree(Folder() / "sources/builder")});
  const Auditor auditor(*sources);
  const Result<std::vector<statement::Judgement>> judged =
      auditor.Audit({.file = "notes.md", .text = *notes});
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  const Score score = ScoreOf(ReadLabels(*labels), *judged);

  const fs::path golden = Folder() / "figures.txt";
  if (std::getenv("SIBYL_UPDATE") != nullptr) {
    ASSERT_TRUE(WriteFileAtomically(golden, score.figures).ok());
  }
  const Result<std::string> expected = ReadFile(golden);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  EXPECT_EQ(score.figures, *expected) << "SIBYL_UPDATE=1 ctest rewrites " << golden;
  EXPECT_GE(score.all.labels, 130U);
  EXPECT_GE(Share(score.all.right_alarms, score.all.alarms), 0.95);
  EXPECT_GE(Share(score.all.right_alarms, score.all.false_claims), 0.70);
  EXPECT_LE(Share(score.all.undecidable_alarms, score.all.undecidable), 0.03);
}

TEST(AuditGolden, LabelsStandInTheNotes) {
  const Result<std::string> notes = ReadFile(Folder() / "notes.md");
  const Result<std::string> labels = ReadFile(Folder() / "labels.tsv");
  ASSERT_TRUE(notes.ok() && labels.ok());
  const auto lines = SplitLines(*notes);
  for (const Label& label : ReadLabels(*labels)) {
    ASSERT_TRUE(label.line >= 1 && label.line <= lines.size()) << label.text;
    const std::string name = label.text.substr(0, label.text.find(" = "));  // of a default
    EXPECT_NE(lines[label.line - 1].find(name), std::string::npos)
        << "notes.md:" << label.line << ": " << label.text;
  }
}

}  // namespace
}  // namespace sibyl::audit
