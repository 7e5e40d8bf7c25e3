// SPDX-License-Identifier: Apache-2.0
// How well the gate tells supported statements from unsupported ones, on
// labelled statements:
//
//   support_bench SOURCES SET.jsonl…        a table for each kind
//   support_bench --dump SOURCES SET.jsonl… one line for each item
//   support_bench --rules SOURCES SET.jsonl… what each rule refuses, false and true
//
// SOURCES is a folder with a checkout of each source, named as in the set.
// A set may give only `id` and `bytes`: the words that its writer points at.
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

#include "base/line_span.h"
#include "base/strings.h"
#include "gate/citations.h"
#include "gate/cited/cited_atoms.h"
#include "gate/cited/cited_quotes.h"
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

struct RuleRow {
  int of_false = 0, of_true = 0;
  int alone = 0;                       // false ones that no other check refuses
  std::map<std::string, int> writers;  // of the true ones
};

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool is_dump = !arguments.empty() && arguments[0] == "--dump";
  const bool is_rules = !arguments.empty() && arguments[0] == "--rules";
  if (is_dump || is_rules) arguments.erase(arguments.begin());
  if (arguments.size() < 2) {
    std::cerr << "usage: support_bench [--dump|--rules] SOURCES SET.jsonl...\n";
    return 2;
  }
  std::vector<Item> items;
  std::map<std::string, evidence::ByteRange> words;  // by id
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string text = Read(arguments[i]);
    for (const std::string_view line : SplitLines(text)) {
      if (Trim(line).empty()) continue;
      const auto json = nlohmann::json::parse(line);
      if (!json.contains("statement")) {
        words[json["id"]] = {json["bytes"][0], json["bytes"][1]};
        continue;
      }
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
  std::map<std::string, RuleRow> rules;
  support::Grounder grounder;
  double seconds = 0;
  for (const Item& item : items) {
    const std::string path = arguments[0] + "/" + item.source + "/" + item.path;
    auto [file, is_new] = files.try_emplace(path);
    if (is_new) file->second = Read(path);
    if (file->second.empty()) {
      std::cerr << "support_bench: cannot read " << path << "\n";
      return 1;
    }
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
    receipt.resolution.span_view =
        TextOfLines(*receipt.resolution.file, {item.first, item.last}).value_or("");
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
    std::vector<std::string> by;  // the rules that refuse
    const auto lower = [&](Verdict other, const std::string& why, std::string rule) {
      const auto rank = [](Verdict v) {
        return v == Verdict::kSupported ? 0 : v == Verdict::kUndecidable ? 1 : 2;
      };
      if (rank(other) > 0) reasons.push_back(why);
      if (rank(other) > rank(verdict)) verdict = other;
      if (rank(other) > 1) by.push_back(std::move(rule));
    };
    for (const auto& j : gate::JudgeNames(cited)) lower(j.verdict, j.code + " " + j.text, j.code);
    for (const auto& j : gate::JudgeQuotes(cited)) lower(j.verdict, j.code + " " + j.text, j.code);
    const std::clock_t start = std::clock();
    double coverage = 0;
    std::string explained;
    for (std::size_t k = 0; k < statements->all.size(); ++k) {
      const statement::Statement& statement = statements->all[k];
      if (statement.kind == statement::StatementKind::kHeading) continue;
      support::Grounding grounding =
          grounder.Judge(statement, {.text = receipt.resolution.span_view,
                                     .context = receipt.context,
                                     .files = {*receipt.resolution.file}});
      if (const auto found = words.find(item.id); found != words.end()) {
        const std::string lines = std::string(receipt.resolution.span_view) + receipt.context;
        const support::Grounding by_words = grounder.Judge(
            statement, {.text = std::string_view(*receipt.resolution.file)
                                    .substr(found->second.first, found->second.size()),
                        .context = lines});
        grounding = support::WithWords(std::move(grounding), by_words);
      }
      lower(grounding.verdict, grounding.message, std::string(grounding.rule));
      explained += support::ExplainWords(grounding);
      if (!grounding.doubts.empty()) explained += "; doubts: " + Join(grounding.doubts, " | ");
      if (const auto& other = grounding.measures.elsewhere; other.first != 0) {
        explained += fmt::format("; lines {}-{} have {:.2f}, these {:.2f}", other.first, other.last,
                                 other.there, other.here);
      }
      if (k == 0 || grounding.verdict != Verdict::kSupported)
        coverage = grounding.measures.coverage;
    }
    seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    Row& row = rows[item.label][item.kind];
    Row& all = rows[item.label]["all"];
    for (Row* r : {&row, &all}) {
      (verdict == Verdict::kSupported     ? r->grounded
       : verdict == Verdict::kUndecidable ? r->undecided
                                          : r->refused) += 1;
    }
    if (!by.empty()) {
      RuleRow& rule = rules[by.front()];
      (item.label == "true" ? rule.of_true : rule.of_false) += 1;
      if (item.label == "true") ++rule.writers[item.id.substr(0, 1)];
      if (item.label == "false" && by.size() == 1) ++rule.alone;
    }
    if (is_dump) {
      const char* name = verdict == Verdict::kSupported     ? "grounded"
                         : verdict == Verdict::kUndecidable ? "undecided"
                                                            : "refused";
      fmt::print("{}\t{}\t{}\t{}\t{:.3f}\t{}\t{}\n", item.id, item.kind, item.label, name, coverage,
                 Join(reasons, "; "), explained);
    }
  }
  if (is_dump) return 0;
  if (is_rules) {
    fmt::print("{:20} {:>6} {:>5} {:>6} {:>9}  true of\n", "rule", "false", "true", "alone",
               "precision");
    for (const auto& [name, rule] : rules) {
      std::string writers;
      for (const auto& [writer, count] : rule.writers)
        writers += fmt::format(" {}{}", writer, count);
      fmt::print("{:20} {:6} {:5} {:6} {:9.3f} {}\n", name, rule.of_false, rule.of_true, rule.alone,
                 static_cast<double>(rule.of_false) / (rule.of_false + rule.of_true), writers);
    }
    return 0;
  }
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
