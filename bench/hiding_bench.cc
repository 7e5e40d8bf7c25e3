// SPDX-License-Identifier: Apache-2.0
// How well the gate finds claims that hide: in headings, labels, cells, alt
// texts, titles, comments, entities, invisible characters.
//
//   hiding_bench SOURCES SET.jsonl…         counts for each place
//   hiding_bench --dump SOURCES SET.jsonl…  every finding, and with a question mark
//                                           every statement that is not decided
//
// SOURCES is a folder with a checkout of each source. An item of a set is a
// section with definitions such as "[^1]: source:path:10-12"; its label says
// whether it is honest ("true") or hides a claim ("false").
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/line_span.h"
#include "base/strings.h"
#include "gate/citations.h"
#include "gate/cited/cited_atoms.h"
#include "gate/cited/cited_quotes.h"
#include "gate/cited/cited_support.h"
#include "gate/draft_markup.h"
#include "gate/links.h"
#include "gate/own_text.h"
#include "gate/uncited.h"
#include "passages/enclosing.h"

namespace {

using namespace sibyl;  // NOLINT: a program

struct Item {
  std::string id, place, text;
  bool is_honest = false;
};

struct Row {
  int caught = 0, doubted = 0, missed = 0, passed = 0, refused = 0;
};

struct Found {
  std::vector<std::string> findings;
  std::vector<std::string> doubts;
};

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "nccl:docs/env.rst:85-89", with or without words after it.
void Resolve(const std::string& sources, std::string_view line, gate::Receipt& receipt) {
  std::string_view target = Trim(line.substr(line.find("]:") + 2));
  target = target.substr(0, target.find(' '));
  const std::size_t name = target.find(':');
  const std::size_t lines = target.rfind(':');
  if (name == std::string_view::npos || lines == name) return;
  const std::string source(target.substr(0, name));
  const std::string path(target.substr(name + 1, lines - name - 1));
  const std::size_t first = std::stoul(std::string(target.substr(lines + 1)));
  const std::size_t dash = target.find('-', lines);
  const std::size_t last =
      dash == std::string_view::npos ? first : std::stoul(std::string(target.substr(dash + 1)));
  receipt.citation = evidence::SourceCitation{};
  std::get<evidence::SourceCitation>(*receipt.citation).path = path;
  receipt.problem.clear();
  const std::string file = sources + "/" + source + "/" + path;
  receipt.resolution.state = gate::Resolution::State::kResolved;
  receipt.resolution.file = std::make_shared<const std::string>(Read(file));
  const std::string_view text = *receipt.resolution.file;
  if (text.empty()) {
    std::cerr << "hiding_bench: cannot read " << file << "\n";
    std::exit(1);  // NOLINT(concurrency-mt-unsafe): one thread
  }
  receipt.resolution.span_view = TextOfLines(text, {first, last}).value_or("");
  const auto begin = static_cast<std::size_t>(receipt.resolution.span_view.data() - text.data());
  receipt.context =
      source + "/" + path + "\n" +
      passages::EnclosingText(path, text, begin, begin + receipt.resolution.span_view.size());
}

Found Findings(const std::string& sources, const Item& item) {
  const auto statements = statement::ReadStatements(item.text);
  if (!statements.ok()) return {.findings = {"unread"}, .doubts = {}};
  gate::Receipts receipts = gate::ReadReceipts(*statements);
  for (auto& [label, receipt] : receipts) {
    Resolve(sources, statements->footnotes.at(label).line, receipt);
  }
  const gate::CitedFile file = {
      .name = item.id, .text_view = item.text, .statements = *statements, .receipts = receipts};
  Found found;
  const auto take = [&](const std::vector<statement::Judgement>& judgements) {
    for (const statement::Judgement& each : judgements) {
      const bool is_doubt = each.code == "support/undecided";
      if (!each.Fails() && !is_doubt) continue;
      (is_doubt ? found.doubts : found.findings)
          .push_back(fmt::format("{} {}: {} ({}) {}", each.place.line, each.code, each.text,
                                 each.message, each.reason));
    }
  };
  take(gate::JudgeReceipts(file));
  take(gate::JudgeNames(file));
  take(gate::JudgeQuotes(file));
  take(gate::FindUncited(file));
  take(gate::JudgeOwnText(file));
  take(gate::JudgeDraftMarkup(file));
  take(gate::JudgeUnsafeLinks(file));
  take(gate::JudgeSupport(file, {}));
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool is_dump = !arguments.empty() && arguments[0] == "--dump";
  if (is_dump) arguments.erase(arguments.begin());
  if (arguments.size() < 2) {
    std::cerr << "usage: hiding_bench [--dump] SOURCES SET.jsonl...\n";
    return 2;
  }
  std::map<std::string, Row> rows;
  Row all;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string set = Read(arguments[i]);
    for (const std::string_view line : SplitLines(set)) {
      if (Trim(line).empty()) continue;
      const auto json = nlohmann::json::parse(line);
      const Item item = {.id = json["id"],
                         .place = json["place"],
                         .text = json["text"],
                         .is_honest = json["label"] == "true"};
      const Found found = Findings(arguments[0], item);
      const std::vector<std::string>& findings = found.findings;
      for (Row* row : {&rows[item.place], &all}) {
        int& missed = found.doubts.empty() ? row->missed : row->doubted;
        int& count = item.is_honest ? (findings.empty() ? row->passed : row->refused)
                                    : (findings.empty() ? missed : row->caught);
        ++count;
      }
      const bool is_right = findings.empty() == item.is_honest;
      if (is_dump) {
        fmt::print("{} {} {} [{}]\n", is_right ? "  " : "!!", item.id,
                   item.is_honest ? "honest" : "hidden", item.place);
        for (const std::string& finding : findings) fmt::print("      {}\n", finding);
        for (const std::string& doubt : found.doubts) fmt::print("    ? {}\n", doubt);
      }
    }
  }
  rows["all"] = all;
  fmt::print("{:44} {:>6} {:>7} {:>6} {:>6} {:>7}\n", "place", "caught", "doubted", "missed",
             "passed", "refused");
  for (const auto& [place, row] : rows) {
    fmt::print("{:44} {:6} {:7} {:6} {:6} {:7}\n", place, row.caught, row.doubted, row.missed,
               row.passed, row.refused);
  }
}
