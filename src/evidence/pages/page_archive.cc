// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_archive.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/files/files.h"
#include "evidence/evidence.h"
#include "evidence/pages/gzip.h"
#include "evidence/pages/page_snapshot.h"
#include "evidence/pages/page_visit.h"
#include "page/warc.h"

namespace sibyl::evidence {
namespace {

// A response without our text: checked and converted as if it had just been
// fetched.
Result<PageSnapshot> MakeText(PageSnapshot page) {
  const std::string address = PageAddress(page.record.url);
  ReadPage read = ReadResponse(address,
                               {.status = page.status,
                                .url = page.record.url,
                                .headers = std::move(page.headers),
                                .body = std::move(page.body)},
                               page.record.fetched);
  if (read.page.outcome.record) return std::move(read.snapshot);
  return Error{.kind = ErrorKind::kUsage, .message = read.page.outcome.reason};
}

}  // namespace

Result<std::string> ExportPages(const Pin& pin, const Surroundings& around) {
  if (pin.kind != SourceKind::kPage) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("exporting {}: it has no pages", pin.name),
                 .hint = "only pages can be exported; copy the repository or folder instead"};
  }
  const page::WarcRecord about{
      .type = "warcinfo",
      .date = pin.date,
      .content_type = "application/warc-fields",
      .block = page::FormatWarcFields(
          {{"software", "sibyl"},
           {"format", "WARC File Format 1.1"},
           {"description", fmt::format("the pages of source {}", pin.name)}})};
  std::string bytes = GzipMember(page::FormatWarcRecord(about));
  for (const PageRecord& record : pin.pages) {
    PageSnapshot page = SIBYL_TRY(LoadPageSnapshot(around.store, record.text_sha256));
    // Two pages may have the same text, and the store keeps the response of the
    // first.
    const std::string body_sha256 = page.record.sha256;
    page.record = record;
    page.record.sha256 = body_sha256;
    bytes += FormatPageSnapshot(page);
  }
  return bytes;
}

Result<ImportedPages> ImportPages(std::string_view bytes, std::string_view source,
                                  const Surroundings& around) {
  PageSnapshots found = SIBYL_TRY(ParsePageSnapshots(bytes));
  ImportedPages imported{.skipped = std::move(found.skipped)};
  std::map<std::string, PageSnapshot> by_address;
  for (PageSnapshot& page : found.pages) {
    const std::string url = page.record.url;
    if (page.text.empty()) {
      Result<PageSnapshot> made = MakeText(std::move(page));
      if (!made.ok()) {
        imported.skipped.push_back(fmt::format("{}: {}", url, made.error().message));
        continue;
      }
      page = *std::move(made);
    }
    SIBYL_TRY(StorePageSnapshot(around.store, page));
    ++imported.stored;
    by_address.insert_or_assign(page.record.url, std::move(page));
  }
  const Lock lock = SIBYL_TRY(ReadLock(around));
  for (const Pin& pin : lock.pins) {
    if (pin.kind != SourceKind::kPage || OpenSnapshot(pin, around).ok()) continue;
    if (RestoreSource(pin, around).ok()) imported.restored.push_back(pin.name);
  }
  if (source.empty()) return imported;
  // The archive answers as the web would have.
  Surroundings archive = around;
  archive.fetch_page = [&by_address](const PageRequest& request) -> Result<PageResponse> {
    const PageSnapshot& page = by_address.at(request.url);
    return PageResponse{
        .status = page.status,
        .url = page.record.final_url.empty() ? page.record.url : page.record.final_url,
        .headers = page.headers,
        .body = page.body};
  };
  std::vector<std::string> urls;
  urls.reserve(by_address.size());
  for (const auto& [url, page] : by_address) urls.push_back(url);
  PagesChange change =
      SIBYL_TRY(AddPages(urls, {.source = std::string(source), .threads = 1}, archive));
  imported.pages = std::move(change.pages);
  return imported;
}

}  // namespace sibyl::evidence
