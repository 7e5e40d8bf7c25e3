// SPDX-License-Identifier: Apache-2.0
#include "interface/site/site.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/reading/reading_operations.h"
#include "interface/room/json_text.h"
#include "interface/room/page_html.h"
#include "interface/room/room.h"
#include "interface/room/room_answers.h"
#include "interface/room/views.h"
#include "interface/site/search_index.h"
#include "interface/site/site_pages.h"

namespace sibyl::interface {
namespace {

Result<engine::Outcome> Ask(const oracle::Context& context, const engine::Operation& operation,
                            std::vector<engine::GivenValue> values = {}) {
  const engine::Arguments arguments =
      SIBYL_TRY(engine::Arguments::Make(operation, std::move(values)));
  return engine::RunOperation(operation, context, arguments);
}

// Of the cited lines only their place is left.
void LeaveOutLines(Json& answer) {
  for (Json& receipt : answer["receipts"]) {
    for (const char* member : {"lines", "text", "words", "cut"}) receipt.erase(member);
  }
}

class SiteMaker {
 public:
  SiteMaker(const oracle::Context& context, const SiteOptions& options)
      : context_(context), options_(options), oracle_(NameOfOracle(context)) {}

  Result<Site> Make() {
    const engine::Outcome pages = SIBYL_TRY(Ask(context_, engine::kPageList));
    const engine::Outcome sources = SIBYL_TRY(Ask(context_, engine::kSourceList));
    site_.findings = pages.findings;
    const engine::Outcome runs = SIBYL_TRY(Ask(context_, engine::kLabResults));
    SIBYL_TRY(AddLabs(runs.data));
    const Json& listed = JsonList(pages.data, "pages");
    for (const Json& page : listed) {
      if (!page.contains("problem")) pages_.emplace(JsonText(page, "file"));
    }
    for (const Json& page : listed) {
      if (context_.progress) {
        context_.progress("writing " + std::string(JsonText(page, "file")));
      }
      SIBYL_TRY(AddPage(page));
    }
    const Json no_status;
    Add("index.html", HomePage(StyleFor("index.html"), {.pages = pages.data,
                                                        .sources = sources.data,
                                                        .status = no_status,
                                                        .oracle = DescribeOracle(context_)}));
    Add("search.html", SiteSearchPage(StyleFor("search.html")));
    for (const std::string_view name : {"room.css", "room.js", "icon.svg"}) {
      Add("static/" + std::string(name), std::string(FindRoomAsset(name).bytes));
    }
    Add("static/search.js", std::string(SiteSearchScript()));
    Add("static/search-index.js", SearchIndexScript(indexed_));
    Add(".nojekyll", {});
    std::sort(site_.files.begin(), site_.files.end(),
              [](const SiteFile& a, const SiteFile& b) { return a.path < b.path; });
    return std::move(site_);
  }

 private:
  RoomStyle StyleFor(const std::string& file) const {
    const LinkStyle links = LinkStyle::Site(file);
    return {.links = has_labs_ ? links.WithLabs() : links,
            .oracle = oracle_,
            .has_page = [this](std::string_view page) { return pages_.contains(page); }};
  }

  void Add(std::string path, std::string bytes) {
    site_.files.push_back({.path = std::move(path), .bytes = std::move(bytes)});
  }

  // The runs that can be read: a page and a picture of each.
  Status AddLabs(const Json& runs) {
    Json readable = {{"runs", Json::array()}, {"questions", JsonObject(runs, "questions")}};
    for (const Json& run : JsonList(runs, "runs")) {
      if (!run.contains("error")) readable["runs"].push_back(run);
    }
    has_labs_ = !readable["runs"].empty();
    if (!has_labs_) return {};
    Add("labs/index.html", LabsPage(StyleFor("labs/index.html"), readable));
    for (const Json& run : readable["runs"]) {
      const std::string id(JsonText(run, "run"));
      const engine::Outcome shown =
          SIBYL_TRY(Ask(context_, engine::kLabResults, {{"run", id}, {"plot", ""}}));
      const std::string file = LinkStyle::LabFile(id);
      Add(file, LabPage(StyleFor(file), shown.data));
      Add(LinkStyle::LabPlotFile(id), std::string(JsonText(shown.data, "svg")));
    }
    return {};
  }

  // The pictures that the receipts of a page show.
  Status AddPlots(const Json& page) {
    for (const Json& receipt : JsonList(page, "receipts")) {
      const std::string run(JsonText(receipt, "run"));
      const std::string metric(JsonText(receipt, "metric"));
      if (!has_labs_ || JsonObject(receipt, "measurement").empty()) continue;
      const std::string file = LinkStyle::LabPlotFile(run, metric);
      if (!plots_.insert(file).second) continue;
      const engine::Outcome shown = SIBYL_TRY(
          Ask(context_, engine::kLabResults, {{"run", run}, {"plot", ""}, {"metric", metric}}));
      Add(file, std::string(JsonText(shown.data, "svg")));
    }
    return {};
  }

  Status AddPage(const Json& listed) {
    const std::string path(JsonText(listed, "file"));
    if (listed.contains("problem")) return {};  // is among the findings
    engine::Outcome shown = SIBYL_TRY(Ask(context_, engine::kPageShow, {{"file", path}}));
    if (options_.receipts == SiteReceipts::kLinks) LeaveOutLines(shown.data);
    const std::string file = LinkStyle::PageFile(path);
    std::string html = SIBYL_TRY(KnowledgePage(StyleFor(file), shown.data, Receipts::kIncluded));
    Add(file, std::move(html));
    SIBYL_TRY(AddPlots(shown.data));
    site_.receipts += JsonList(shown.data, "receipts").size();
    if (!JsonList(shown.data, "statements").empty()) {
      const std::string receipts = LinkStyle::ReceiptFile(path);
      Add(receipts, SiteReceiptsPage(StyleFor(receipts), shown.data));
    }
    std::vector<PageSection> sections = SIBYL_TRY(SectionsOf(JsonText(shown.data, "text")));
    indexed_.push_back({.href = file,
                        .title = std::string(JsonText(shown.data, "title")),
                        .topic = std::string(JsonText(listed, "topic")),
                        .is_cited = JsonNumber(listed, "citations") > 0,
                        .sections = std::move(sections)});
    ++site_.pages;
    return {};
  }

  const oracle::Context& context_;
  const SiteOptions& options_;
  std::string oracle_;
  Site site_;
  std::vector<IndexedPage> indexed_;
  std::set<std::string, std::less<>> pages_;
  std::set<std::string> plots_;
  bool has_labs_ = false;
};

}  // namespace

Result<Site> MakeSite(const oracle::Context& context, const SiteOptions& options) {
  return SiteMaker(context, options).Make();
}

}  // namespace sibyl::interface
