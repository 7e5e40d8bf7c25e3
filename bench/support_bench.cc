// SPDX-License-Identifier: Apache-2.0
// How well the gate tells supported statements from unsupported ones, on
// labelled statements:
//
//   support_bench SOURCES SET.jsonl…        a table for each kind
//   support_bench --dump SOURCES SET.jsonl… one line for each item
//
// SOURCES is a folder with a checkout of each source, named as in the set.
// docs/quality.md says how the sets were made and at which commits.
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "gate/citations.h"
#include "gate/cited_atoms.h"
#include "gate/cited_quotes.h"
#include "passages/enclosing.h"
#include "support/grounding.h"

namespace {

using namespace sibyl;  // NOLINT: a program
using statement::Verdict;

struct Item {
  std::string id, kind, label, source, path, text;
  std::size_t first = 1, last = 1;
};

struct Row {
  double refused = 0, undecided = 0, grounded = 0;
};

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view LinesOf(std::string_view text, std::size_t first, std::size_t last) {
  std::size_t at = 0;
  std::size_t begin = 0;
  for (std::size_t line = 1; line <= last && at < text.size(); ++line) {
    if (line == first) begin = at;
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return text.substr(begin, at - begin);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  bool is_dump = false;
  if (!arguments.empty() && arguments[0] == "--dump") {
    is_dump = true;
    arguments.erase(arguments.begin());
  }
  if (arguments.size() < 2) {
    std::cerr << "usage: support_bench [--dump] SOURCES SET.jsonl...\n";
    return 2;
  }
  std::vector<Item> items;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string text = Read(arguments[i]);
    for (const std::string_view line : SplitLines(text)) {
      if (Trim(line).empty()) continue;
      const auto json = nlohmann::json::parse(line);
      items.push_back({.id = json["id"],
                       .kind = json["kind"],
                       .label = json["label"],
                       .source = json["source"],
                       .path = json["path"],
                       .text = json["statement"],
                       .first = json["first"],
                       .last = json["last"]});
    }
  }
  std::map<std::string, std::string> files;
  std::map<std::string, std::map<std::string, Row>> rows;  // label, kind
  support::Grounder grounder;
  double seconds = 0;
  for (const Item& item : items) {
    const std::string path = arguments[0] + "/" + item.source + "/" + item.path;
    auto [file, is_new] = files.try_emplace(path);
    if (is_new) file->second = Read(path);
    const std::string page = item.text + "[^1]\n\n[^1]: x\n";
    const auto statements = statement::ReadStatements(page);
    if (!statements.ok()) continue;
    gate::Receipts receipts;
    gate::Receipt receipt;
    receipt.label = "1";
    receipt.uses = 1;
    receipt.citation = evidence::SourceCitation{};
    std::get<evidence::SourceCitation>(*receipt.citation).path = item.path;
    receipt.resolution.state = gate::Resolution::State::kResolved;
    receipt.resolution.file = std::make_shared<const std::string>(file->second);
    receipt.resolution.span_view = LinesOf(*receipt.resolution.file, item.first, item.last);
    const std::string& text = *receipt.resolution.file;
    const auto begin = static_cast<std::size_t>(receipt.resolution.span_view.data() - text.data());
    receipt.context = item.source + "/" + item.path + "\n" +
                      passages::EnclosingText(item.path, text, begin,
                                              begin + receipt.resolution.span_view.size());
    receipts.emplace("1", receipt);
    const gate::CitedFile cited = {
        .name = item.id, .text_view = page, .statements = *statements, .receipts = receipts};
    std::vector<std::string> reasons;
    Verdict verdict = Verdict::kSupported;
    const auto lower = [&](Verdict other, const std::string& why) {
      const auto rank = [](Verdict v) {
        return v == Verdict::kSupported ? 0 : v == Verdict::kUndecidable ? 1 : 2;
      };
      if (rank(other) > 0) reasons.push_back(why);
      if (rank(other) > rank(verdict)) verdict = other;
    };
    for (const auto& j : gate::JudgeNames(cited)) lower(j.verdict, j.code + " " + j.text);
    for (const auto& j : gate::JudgeQuotes(cited)) lower(j.verdict, j.code + " " + j.text);
    const std::clock_t start = std::clock();
    support::Measures measures;
    for (std::size_t k = 0; k < statements->all.size(); ++k) {
      const statement::Statement& statement = statements->all[k];
      if (statement.kind == statement::StatementKind::kHeading) continue;
      const support::Grounding grounding = grounder.Judge(
          statement, {.text = receipt.resolution.span_view, .context = receipt.context});
      lower(grounding.verdict, grounding.message);
      if (k == 0 || grounding.verdict != Verdict::kSupported) measures = grounding.measures;
    }
    seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    Row& row = rows[item.label][item.kind];
    Row& all = rows[item.label]["all"];
    for (Row* r : {&row, &all}) {
      (verdict == Verdict::kSupported     ? r->grounded
       : verdict == Verdict::kUndecidable ? r->undecided
                                          : r->refused) += 1;
    }
    if (is_dump) {
      const char* name = verdict == Verdict::kSupported     ? "grounded"
                         : verdict == Verdict::kUndecidable ? "undecided"
                                                            : "refused";
      const support::Measures& m = measures;
      fmt::print(
          "{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\t{}\t{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\t{}\t{}\t{}\t{:.3f}"
          "\t{:.3f}\t{}\t{}\t{:.3f}\t{:.3f}\t{:.3f}\n",
          item.id, item.kind, item.label, name, m.coverage, m.least_clause, m.words, m.strong_found,
          m.numbers_missing, m.numbers_doubtful, m.names_missing, m.opposed, m.swap_gain,
          m.universal, m.negation, Join(reasons, "; "), m.rival_gain, m.pole_gain, m.values_wrong,
          m.values_doubtful, m.found, m.missing_fit, m.missing_word);
    }
  }
  if (is_dump) return 0;
  for (const auto& [label, kinds] : rows) {
    fmt::print("{:14} {:>8} {:>9} {:>8}\n", label, "refused", "undecided", "grounded");
    for (const auto& [kind, row] : kinds) {
      const double n = row.refused + row.undecided + row.grounded;
      fmt::print("{:14} {:7.0f}% {:8.0f}% {:7.0f}%  of {:.0f}\n", kind, 100 * row.refused / n,
                 100 * row.undecided / n, 100 * row.grounded / n, n);
    }
  }
  fmt::print("{:.0f} statements a second of processor time\n",
             static_cast<double>(items.size()) / seconds);
}
