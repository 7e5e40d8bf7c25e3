// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <stop_token>
#include <utility>

#include "base/mutex.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "evidence/config.h"
#include "evidence/evidence.h"
#include "evidence/oracle_files.h"
#include "evidence/pages/page_tree.h"
#include "evidence/pages/page_visit.h"

namespace sibyl::evidence {
namespace {

Error Cancelled() {
  return Error{.kind = ErrorKind::kCancelled, .message = "fetching pages: cancelled"};
}

Error NoFetcher(std::string_view what) {
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("{}: pages cannot be fetched", what),
               .hint = "this run is offline and can use only pages that are already pinned"};
}

// Every address once, in the order they came.
std::vector<std::string> Addresses(const std::vector<std::string>& urls) {
  std::vector<std::string> addresses;
  std::set<std::string> seen;
  for (const std::string& url : urls) {
    std::string address = PageAddress(url);
    if (seen.insert(address).second) addresses.push_back(std::move(address));
  }
  return addresses;
}

struct PageVisit {
  std::string url;
  const PageRecord* before = nullptr;  // of a pin that outlives it
};

// Fetches all pages with several threads; the results are in the order of the
// requests.
Result<std::vector<VisitedPage>> VisitAll(const std::vector<PageVisit>& visits, std::size_t threads,
                                          const Surroundings& around) {
  std::vector<VisitedPage> visited(visits.size());
  std::stop_source stop;
  Mutex mutex;
  Status failure;
  const auto visit = [&](std::size_t i) {
    if (around.cancelled && around.cancelled()) {
      stop.request_stop();
      return;
    }
    Result<VisitedPage> page = VisitPage(visits[i].url, visits[i].before, around);
    if (page.ok()) {
      visited[i] = *std::move(page);
      return;
    }
    stop.request_stop();
    const MutexLock lock(mutex);
    if (failure.ok()) failure = std::move(page).error();
  };
  ForEachInParallel(visits.size(),
                    {.threads = std::max<std::size_t>(threads, 1), .stop = stop.get_token()},
                    visit);
  if (!failure.ok()) return std::move(failure).error();
  if (stop.stop_requested()) return Cancelled();
  return visited;
}

const PageRecord* FindRecord(const std::vector<PageRecord>& pages, std::string_view address) {
  const auto found = std::find_if(pages.begin(), pages.end(), [address](const PageRecord& page) {
    return page.url == address || (!page.final_url.empty() && page.final_url == address);
  });
  return found == pages.end() ? nullptr : &*found;
}

std::string_view WithoutSlash(std::string_view address) {
  if (address.ends_with('/')) address.remove_suffix(1);
  return address;
}

// The pin of a source that has these pages; texts of new ones are written.
Result<Pin> PinPages(Pin pin, std::vector<VisitedPage>& visited, const Surroundings& around) {
  PageTree tree = SIBYL_TRY(PageTree::Open(pin, around));
  for (VisitedPage& page : visited) {
    if (page.outcome.fate == PageFate::kNew || page.outcome.fate == PageFate::kChanged) {
      tree.Put(*page.outcome.record, std::move(page.text));
    }
  }
  for (VisitedPage& page : visited) {
    if (page.outcome.record) page.outcome.record = tree.RecordOf(page.outcome.record->url);
  }
  return tree.Write(std::move(pin));
}

// The source must be one that collects pages; one that is not there is made.
Result<std::string> ConfigWithCollector(const std::string& name, const Surroundings& around) {
  std::string text = SIBYL_TRY(ReadConfigText(around));
  const SourceConfig config = SIBYL_TRY(ParseSourceConfig(text, std::string(kConfigFile)));
  const SourceSpec* spec = config.Find(name);
  if (spec == nullptr) {
    return AppendSource(text,
                        {.name = name, .kind = SourceKind::kPage, .origin = PagesOrigin(name, {})});
  }
  if (spec->kind == SourceKind::kPage && spec->urls.empty()) return text;
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format(
          "adding pages to {}: this source {}", name,
          spec->kind == SourceKind::kPage ? "lists its pages in sibyl.toml" : "has no pages"),
      .hint = "a source that collects pages is declared with page = []"};
}

Pin EmptyPin(const std::string& name, const std::vector<std::string>& urls,
             const SourceFilter& filter) {
  return {
      .name = name, .kind = SourceKind::kPage, .origin = PagesOrigin(name, urls), .filter = filter};
}

// Pages that another process pinned while these were fetched stay as it pinned them,
// and of two addresses that lead to one page the first has it.
void YieldToPinned(const Pin& pin, std::vector<VisitedPage>& visited) {
  std::map<std::string, PageRecord> taken;  // by where redirects led
  for (VisitedPage& page : visited) {
    if (page.outcome.fate != PageFate::kNew) continue;
    const PageRecord& record = *page.outcome.record;
    const std::string& final_url = record.final_url.empty() ? record.url : record.final_url;
    const PageRecord* there = FindRecord(pin.pages, record.url);
    if (there == nullptr) there = FindRecord(pin.pages, final_url);
    const auto [at, is_new] = taken.try_emplace(final_url, record);
    if (there == nullptr && !is_new) there = &at->second;
    if (there == nullptr) continue;
    page.outcome.fate = PageFate::kUnchanged;
    page.outcome.record = *there;
  }
}

std::vector<PageOutcome> OutcomesOf(std::vector<VisitedPage> visited) {
  std::vector<PageOutcome> outcomes;
  outcomes.reserve(visited.size());
  for (VisitedPage& page : visited) outcomes.push_back(std::move(page.outcome));
  return outcomes;
}

}  // namespace

std::string_view PageFateName(PageFate fate) {
  constexpr std::array<std::string_view, 5> kNames = {"new", "changed", "unchanged", "kept",
                                                      "refused"};
  return kNames[static_cast<std::size_t>(fate)];
}

std::string_view PageResponse::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoringCase(key, name)) return value;
  }
  return {};
}

const PageRecord* FindPage(const Lock& lock, std::string_view url) {
  const std::string address = PageAddress(url);
  for (const Pin& pin : lock.pins) {
    if (const PageRecord* page = FindRecord(pin.pages, address)) return page;
  }
  for (const Pin& pin : lock.pins) {
    for (const PageRecord& page : pin.pages) {
      if (WithoutSlash(page.url) == WithoutSlash(address)) return &page;
    }
  }
  return nullptr;
}

SourceFilter FilterOf(const SourceSpec& spec) {
  SourceFilter filter = spec.filter;
  // A manual that is one page has megabytes of text, and each of them was requested.
  constexpr std::uint64_t kPageBytes = std::uint64_t{32} << 20;
  if (spec.kind == SourceKind::kPage && filter.max_file_bytes == SourceFilter{}.max_file_bytes) {
    filter.max_file_bytes = kPageBytes;
  }
  return filter;
}

Result<PagesChange> AddPages(const std::vector<std::string>& urls, const AddPagesOptions& options,
                             const Surroundings& around) {
  if (!IsSourceName(options.source)) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("adding pages: '{}' is not a valid source name", options.source)};
  }
  SIBYL_TRY(ConfigWithCollector(options.source, around));  // before anything is fetched
  const Lock known = SIBYL_TRY(ReadLock(around));
  std::vector<PageVisit> visits;
  std::vector<PageOutcome> outcomes;
  std::map<std::string, std::size_t> place;  // of a visit's result in `outcomes`
  for (const std::string& url : Addresses(urls)) {
    const PageRecord* there = FindPage(known, url);
    if (there == nullptr) {
      place[url] = outcomes.size();
      visits.push_back({.url = url});
    }
    outcomes.push_back({.url = url, .fate = PageFate::kUnchanged});
    if (there != nullptr) outcomes.back().record = *there;
  }
  if (!visits.empty() && !around.fetch_page) return NoFetcher("adding pages");
  std::vector<VisitedPage> visited = SIBYL_TRY(VisitAll(visits, options.threads, around));

  constexpr std::chrono::minutes kPatience{2};
  const FileLock turn = SIBYL_TRY(LockOracle(around, kPatience));
  const std::string config = SIBYL_TRY(ConfigWithCollector(options.source, around));
  Lock lock = SIBYL_TRY(ReadLock(around));
  PagesChange change;
  const Pin* before = lock.Find(options.source);
  if (before != nullptr) change.before = *before;
  const SourceFilter filter = FilterOf({.kind = SourceKind::kPage});
  change.pin = before != nullptr ? *before : EmptyPin(options.source, {}, filter);
  YieldToPinned(change.pin, visited);
  change.pin = SIBYL_TRY(PinPages(std::move(change.pin), visited, around));
  for (PageOutcome& outcome : OutcomesOf(std::move(visited))) {
    outcomes[place.at(outcome.url)] = std::move(outcome);
  }
  change.pages = std::move(outcomes);
  if (!change.pin.tree || !change.Moved()) return change;
  // The declaration first: a declaration without a pin is a normal state.
  if (config != SIBYL_TRY(ReadConfigText(around))) SIBYL_TRY(WriteConfigText(config, around));
  lock.Put(change.pin);
  SIBYL_TRY(WriteLock(lock, around));
  return change;
}

Result<FetchedPages> FetchPages(const SourceSpec& spec, const Pin* before,
                                const Surroundings& around) {
  std::vector<std::string> urls = Addresses(spec.urls);
  if (urls.empty() && before != nullptr) {
    for (const PageRecord& page : before->pages) urls.push_back(page.url);
  }
  if (urls.empty()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = "this source has no pages yet",
                 .hint = fmt::format("'sibyl source add URL --name {}' adds one", spec.name)};
  }
  if (!around.fetch_page) return NoFetcher("fetching " + spec.origin);
  std::vector<PageVisit> visits;
  visits.reserve(urls.size());
  for (const std::string& url : urls) {
    visits.push_back(
        {.url = url, .before = before == nullptr ? nullptr : FindRecord(before->pages, url)});
  }
  constexpr std::size_t kAtATime = 4;
  std::vector<VisitedPage> visited = SIBYL_TRY(VisitAll(visits, kAtATime, around));
  Pin pin = EmptyPin(spec.name, spec.urls, FilterOf(spec));
  if (before != nullptr) {
    pin.tree = before->tree;
    pin.date = before->date;
    for (const VisitedPage& page : visited) {
      const PageRecord* there = FindRecord(before->pages, page.outcome.url);
      if (there != nullptr) pin.pages.push_back(*there);
    }
  }
  pin = SIBYL_TRY(PinPages(std::move(pin), visited, around));
  if (!pin.tree) {
    const PageOutcome& first = visited.front().outcome;
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("fetching {}: {}", first.url, first.reason),
                 .hint = first.hint};
  }
  return FetchedPages{.pin = std::move(pin), .pages = OutcomesOf(std::move(visited))};
}

std::vector<Finding> FindingsOfPages(const std::vector<PageOutcome>& pages, std::string_view file) {
  std::vector<Finding> findings;
  for (const PageOutcome& page : pages) {
    if (page.fate != PageFate::kKept && page.fate != PageFate::kRefused) continue;
    const bool is_kept = page.fate == PageFate::kKept;
    findings.push_back(
        {.severity = is_kept ? Severity::kWarning : Severity::kError,
         .code = is_kept ? "page/kept" : "page/refused",
         .message = is_kept ? fmt::format("{}: {}; its snapshot of {} is kept", page.url,
                                          page.reason, page.record->fetched.substr(0, 10))
                            : fmt::format("{}: {}", page.url, page.reason),
         .hint = page.hint,
         .place = {.file = std::string(file)}});
  }
  return findings;
}

Status RestorePages(const Pin& pin, const Surroundings& around) {
  PageTree tree = SIBYL_TRY(PageTree::Open(pin, around));
  std::vector<std::string> lost;
  for (const PageRecord& page : pin.pages) {
    if (tree.Holds(page)) continue;
    if (Result<PageSnapshot> kept = LoadPageSnapshot(around.store, page.text_sha256); kept.ok()) {
      tree.Put(page, std::move(kept->text));
      continue;
    }
    if (!around.fetch_page) {
      lost.push_back(page.url);
      continue;
    }
    VisitedPage again = SIBYL_TRY(VisitPage(page.url, nullptr, around));
    if (again.outcome.record && again.outcome.record->text_sha256 == page.text_sha256) {
      tree.Put(page, std::move(again.text));
    } else {
      lost.push_back(page.url);
    }
  }
  if (!lost.empty() && !around.fetch_page) return NotInCache();
  if (!lost.empty()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("restoring {}: {} {} missing from the store, and the "
                                        "pinned version is no longer online: {}",
                                        pin.name, Count(lost.size(), "page"),
                                        lost.size() == 1 ? "is" : "are", lost.front()),
                 .hint =
                     "'sibyl source import FILE' restores it from an exported WARC file; 'sibyl "
                     "source sync' pins the current version"};
  }
  const Pin written = SIBYL_TRY(tree.Write(pin));
  if (written.tree == pin.tree) return {};
  return Error{
      .kind = ErrorKind::kCorrupt,
      .message = fmt::format("restoring {}: its pages do not make up the pinned tree", pin.name),
      .hint = fmt::format("'sibyl source sync {}' pins them again", pin.name)};
}

}  // namespace sibyl::evidence
