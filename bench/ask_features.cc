// SPDX-License-Identifier: Apache-2.0
// What the scores of `sibyl ask` are made of, for questions with gold places: weights
// are fitted to it (bench/ask_fit.cc).
//
//   ask_features [--pages] ORACLE SET.jsonl… > FEATURES.jsonl
//
// With --pages they are those of the oracle's own pages; gold places then have lines (a page,
// first, last).
// One line for each question: its units, best first, each with its features and
// whether it is right. A comparison has a list for each of its sides as well.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/strings.h"
#include "draft/answer/answer.h"
#include "expansion/expansion_inputs.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/page_index.h"
#include "oracle/source_index.h"

namespace {

using namespace sibyl;  // NOLINT: a program
using Json = nlohmann::json;

constexpr std::size_t kMostUnits = 60;

std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank) {
      folded += c;
    } else if (!folded.empty() && folded.back() != ' ') {
      folded += ' ';
    }
  }
  return LowerCase(folded);
}

bool HasAll(const std::string& text, const Json& must) {
  for (const Json& wanted : must) {
    const Json alternatives = wanted.is_array() ? wanted : Json::array({wanted});
    bool has_one = false;
    for (const Json& one : alternatives) {
      has_one = has_one || Contains(text, Folded(one.get<std::string>()));
    }
    if (!has_one) return false;
  }
  return !must.empty();
}

bool IsRight(const draft::RankedUnit& unit, const Json& question) {
  for (const Json& place : question.value("gold", Json::array())) {
    if (place.contains("page")) {
      if (unit.path == place["page"] && unit.unit.first_line <= place["last"].get<std::size_t>() &&
          place["first"].get<std::size_t>() <= unit.unit.last_line) {
        return true;
      }
      continue;
    }
    if (LowerCase(unit.source) == LowerCase(place["source"].get<std::string>()) &&
        unit.path == place["path"] && unit.unit.first_line <= place["last"].get<std::size_t>() &&
        place["first"].get<std::size_t>() <= unit.unit.last_line) {
      return true;
    }
  }
  return HasAll(Folded(unit.unit.text + " " + unit.unit.lead),
                question.value("must", Json::array()));
}

Json RankedJson(const draft::Question& asked, const draft::AnswerInputs& inputs,
                const Json& question) {
  Json json = {{"units", Json::array()}};
  const std::vector<draft::RankedUnit> ranked =
      inputs.pages != nullptr ? draft::RankPageUnits(asked, inputs, kMostUnits)
                              : draft::RankUnits(asked, inputs, kMostUnits);
  for (const draft::RankedUnit& unit : ranked) {
    if (json["units"].empty()) {
      json["asked"] = unit.is_asked;
      json["chance"] = unit.chance;
      json["possible"] = unit.is_possible;
    }
    json["units"].push_back({{"right", IsRight(unit, question)},
                             {"features", unit.features},
                             {"at", unit.source + ":" + unit.path},
                             {"lines", {unit.unit.first_line, unit.unit.last_line}}});
  }
  return json;
}

Result<int> Run(const std::filesystem::path& oracle, const std::vector<std::string>& sets,
                bool of_pages) {
  const SystemClock clock = SIBYL_TRY(SystemClock::FromEnvironment());
  const oracle::Context context = {.working_folder = std::filesystem::current_path(),
                                   .oracle = std::filesystem::absolute(oracle),
                                   .clock = clock};
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::SourceIndexes indexes = SIBYL_TRY(oracle::OpenSourceIndexes(lock, around));
  const index::Searcher searcher(indexes.Borrow());
  const std::vector<draft::KnowledgeFile> knowledge = expansion::ReadKnowledge(context);
  std::vector<oracle::OwnPage> pages;
  for (const draft::KnowledgeFile& file : knowledge) pages.push_back({file.path, file.text});
  std::optional<index::Index> index;
  std::optional<index::Searcher> page_searcher;
  if (of_pages) {
    index.emplace(SIBYL_TRY(oracle::OpenPageIndex(pages, around)));
    page_searcher.emplace(std::vector<const index::Index*>{&*index});
  }
  const draft::AnswerInputs inputs{.searcher = searcher,
                                   .lock = lock,
                                   .knowledge = knowledge,
                                   .pages = of_pages ? &*page_searcher : nullptr};
  for (const std::string& set : sets) {
    std::ifstream file(set);
    for (std::string line; std::getline(file, line);) {
      if (Trim(line).empty()) continue;
      const Json question = Json::parse(line);
      const draft::Question asked = draft::ReadQuestion(question["question"].get<std::string>());
      Json json = RankedJson(asked, inputs, question);
      json["id"] = question["id"];
      json["set"] = std::filesystem::path(set).stem().string();
      json["kind"] = question.value("kind", "");
      json["answerable"] = question["answerable"];
      json["sides"] = Json::array();
      for (std::size_t i = 0; i < asked.sides.size(); ++i) {
        json["sides"].push_back(RankedJson(draft::QuestionOfSide(asked, i), inputs, question));
      }
      std::cout << json.dump() << "\n";
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool of_pages = !arguments.empty() && arguments.front() == "--pages";
  if (of_pages) arguments.erase(arguments.begin());
  if (arguments.size() < 2) {
    std::cerr << "usage: ask_features [--pages] ORACLE SET.jsonl...\n";
    return 2;
  }
  const Result<int> done = Run(arguments[0], {arguments.begin() + 1, arguments.end()}, of_pages);
  if (!done.ok()) {
    std::cerr << done.error().message << "\n";
    return 1;
  }
  return *done;
}
