// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/judgement_json.h"
#include "engine/outcome.h"
#include "engine/reading/checked_pages.h"
#include "engine/reading/reading_operations.h"
#include "engine/reading/statement_units.h"
#include "engine/text/render.h"
#include "gate/cited/cited_support.h"
#include "gate/structure.h"

namespace sibyl::engine {
namespace {

// "2026-11-18" of "sibyl 0.1.0 · 2026-11-18 · cmake@e16ee22 · …".
std::string DateOfStamp(std::string_view stamp) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  for (std::size_t at = stamp.find("· "); at != std::string_view::npos;
       at = stamp.find("· ", at + 1)) {
    const std::string_view part = stamp.substr(at + std::string_view("· ").size(), kForm.size());
    const auto fits = [](char form, char here) {
      return form == 'd' ? here >= '0' && here <= '9' : here == form;
    };
    if (part.size() == kForm.size() && std::equal(kForm.begin(), kForm.end(), part.begin(), fits)) {
      return std::string(part);
    }
  }
  return {};
}

// The folder of a page; empty for a page at the root.
std::string TopicOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

Json PageAsJson(const gate::Page& page, const std::vector<statement::Judgement>& judgements) {
  const gate::SupportCount support = gate::CountSupport(judgements);
  Json json = {{"file", page.source.path},
               {"title", TitleOf(page)},
               {"topic", TopicOf(page.source.path)},
               {"knowledge", page.IsKnowledge()},
               {"lines", SplitLines(page.source.text).size()},
               {"citations", page.CountCitations()},
               {"counts", CountsAsJson(statement::CountVerdicts(judgements))},
               {"statements",
                {{"grounded", support.grounded},
                 {"undecided", support.undecided},
                 {"refused", support.refused}}},
               {"marks", UnitCountsAsJson(CountUnits(UnitsOf(page, judgements)))}};
  if (page.problem) json["problem"] = page.problem->message;
  if (const statement::Statement* stamp = gate::FindStamp(page.statements)) {
    if (std::string date = DateOfStamp(stamp->text); !date.empty()) json["updated"] = date;
    if (const auto points = gate::ReadStampCount(stamp->text, "points covered")) {
      json["points"] = {{"covered", points->part}, {"planned", points->whole}};
    }
  }
  return json;
}

Result<Outcome> RunPageList(const oracle::Context& context, const Arguments& /*arguments*/) {
  const CheckedPages checked = SIBYL_TRY(CheckPages(context, {}));
  Outcome outcome{.data = {{"pages", Json::array()}}, .findings = checked.findings};
  for (std::size_t i = 0; i < checked.pages.size(); ++i) {
    outcome.data["pages"].push_back(PageAsJson(*checked.pages[i], checked.judgements[i]));
  }
  return outcome;
}

}  // namespace

constexpr Operation kPageList = {
    .name = "page list",
    .summary = "list the oracle's pages and what holds of each",
    .description =
        R"(Lists every page with its title, its citations, and how many of its checks hold, are stale or not
decided. Plans are not pages. The checks are those of `sibyl verify`; nothing is fetched.

  sibyl page list --json)",
    .effects = {.reads = true, .writes = true},
    .tool = {.name = "list_pages", .is_read_only = true, .is_idempotent = true},
    .run = RunPageList,
    .render = RenderPageList,
};

}  // namespace sibyl::engine
