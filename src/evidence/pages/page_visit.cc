// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_visit.h"

#include <fmt/format.h>

#include <array>
#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "base/hash.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/without_doing.h"
#include "evidence/pages/page_address.h"
#include "evidence/pages/page_changes.h"
#include "page/judge.h"
#include "page/page.h"

namespace sibyl::evidence {
namespace {

// A header or a title as one line for the lock.
std::string Line(std::string_view text, std::size_t most) {
  std::string line(Trim(text.substr(0, most)));
  for (char& letter : line) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
  }
  return ReplaceInvalidUtf8(line);
}

void Refuse(PageOutcome& outcome, std::string code, std::string reason, std::string hint = {}) {
  outcome.fate = PageFate::kRefused;
  outcome.code = std::move(code);
  outcome.reason = std::move(reason);
  outcome.hint = std::move(hint);
}

void RefuseStatus(int status, PageOutcome& outcome) {
  const auto refuse = [&](std::string code, std::string_view words) {
    Refuse(outcome, std::move(code), fmt::format("{} ({})", words, status));
  };
  switch (status) {
    case 401:
    case 403:
    case 407:
      return refuse("forbidden", "the server denies access");
    case 404:
      return refuse("not-found", "no such page");
    case 410:
      return refuse("not-found", "the page was removed permanently");
    case 429:
      return refuse("busy", "the server's rate limit was reached");
    default:
      return refuse("status", status >= 500 ? "the server failed" : "unexpected status");
  }
}

void RefuseError(const Error& error, PageOutcome& outcome) {
  std::string code = "unreachable";
  if (error.kind == ErrorKind::kUsage) {
    code = error.cause == ErrorCause::kRobots ? "robots" : "refused";
  } else if (error.kind == ErrorKind::kNotFound) {
    code = "no-host";
  }
  Refuse(outcome, std::move(code), error.message, error.hint);
}

std::string HintOf(page::Refusal refusal) {
  switch (refusal) {
    case page::Refusal::kShell:
      return "look for a version that works without scripts, or add its repository";
    case page::Refusal::kLogin:
    case page::Refusal::kConsent:
    case page::Refusal::kChallenge:
      return "save the page with a browser and add it as a file";
    case page::Refusal::kErrorPage:
    case page::Refusal::kEmpty:
    case page::Refusal::kNone:
      break;
  }
  return {};
}

std::string WallName(page::Refusal refusal) {
  constexpr std::array<std::string_view, 7> kNames = {
      "a page",       "an empty page",  "an empty shell", "an error page",
      "a login page", "a consent wall", "a robot check"};
  return std::string(kNames[static_cast<std::size_t>(refusal)]);
}

bool IsSnapshotHere(const Store& store, const PageRecord& page) {
  std::error_code error;
  return std::filesystem::exists(PageSnapshotPath(store, page.text_sha256), error);
}

bool IsHtml(const PageResponse& response) {
  const Result<page::Form> form =
      page::FormOf(response.body, response.Header("content-type"), response.url);
  return form.ok() && *form == page::Form::kHtml;
}

// True if the response may be truncated.
bool IsDoubtful(const PageResponse& response) {
  const bool has_page = response.status >= 200 && response.status <= 299;
  return has_page && response.may_be_cut && !(IsHtml(response) && page::IsClosed(response.body));
}

// A truncated body without a length looks complete. HTML is complete if its
// last tag is closed; anything else if two fetches give the same bytes, since a
// connection rarely fails at the same byte twice. Deliberate truncation is not
// detected. True if the response is refused.
bool RefuseIfCut(const PageRequest& request, const PageFetcher& fetch,
                 Result<PageResponse>& response, PageOutcome& outcome) {
  if (!response.ok() || !IsDoubtful(*response)) return false;
  const PageResponse first = *std::move(response);
  response = fetch({.url = request.url});
  if (!response.ok() || !IsDoubtful(*response)) return false;
  const bool is_html = IsHtml(*response);
  if (!is_html && response->body == first.body) return false;
  Refuse(outcome, "cut",
         fmt::format("the server gives no length and closed the connection after {} bytes, {}",
                     response->body.size(),
                     is_html ? "before the end of the page, twice"
                             : fmt::format("and after {} the previous time", first.body.size())),
         "use https, or save the page with a browser and add it as a file");
  return true;
}

// The old snapshot is kept if the page is not available.
void KeepBefore(const PageRecord& before, PageOutcome& outcome) {
  if (outcome.fate != PageFate::kRefused) return;
  outcome.fate = PageFate::kKept;
  outcome.record = before;
}

void CompareWith(const PageRecord& before, const Store& store, VisitedPage& page) {
  PageOutcome& outcome = page.outcome;
  if (outcome.record->text_sha256 == before.text_sha256) {
    // Changes only around the same text: counters, dates, adverts. The snapshot
    // is kept.
    outcome.fate = PageFate::kUnchanged;
    outcome.record = before;
    page.text.clear();
    return;
  }
  outcome.fate = PageFate::kChanged;
  if (const auto old_page = LoadPageSnapshot(store, before.text_sha256); old_page.ok()) {
    outcome.changes = DescribePageChange(old_page->text, page.text);
  }
}

}  // namespace

ReadPage ReadResponse(const std::string& url, PageResponse response, std::string fetched) {
  ReadPage read;
  PageOutcome& outcome = read.page.outcome;
  outcome.url = url;
  if (response.status < 200 || response.status > 299) {
    RefuseStatus(response.status, outcome);
    return read;
  }
  Result<page::ExtractedPage> document =
      page::Extract(response.body, response.Header("content-type"), response.url);
  if (!document.ok()) {
    Refuse(outcome, "unreadable", document.error().message, document.error().hint);
    return read;
  }
  outcome.words = document->words;
  outcome.left_out_bytes = document->left_out_bytes;
  const page::PageVerdict verdict = page::Judge(*document);
  if (!verdict.ok()) {
    Refuse(outcome, std::string(page::RefusalName(verdict.refusal)),
           fmt::format("it is {}: {}", WallName(verdict.refusal), verdict.reason),
           HintOf(verdict.refusal));
    return read;
  }
  constexpr std::size_t kMaxTitle = 300;
  constexpr std::size_t kMaxTag = 512;
  const std::string final_url = PageAddress(response.url);
  PageRecord record{.url = url,
                    .final_url = final_url == url ? std::string() : final_url,
                    .title = Line(document->title, kMaxTitle),
                    .sha256 = Sha256(response.body),
                    .text_sha256 = Sha256(document->text),
                    .fetched = std::move(fetched),
                    .etag = Line(response.Header("etag"), kMaxTag),
                    .last_modified = Line(response.Header("last-modified"), kMaxTag)};
  // The path depends on the format; the tree makes it unique.
  record.path = PagePath(url, page::TextSuffix(document->form), {});
  outcome.fate = PageFate::kNew;
  outcome.record = record;
  read.snapshot = {.record = std::move(record),
                   .status = response.status,
                   .headers = KeptHeaders(response.headers),
                   .body = std::move(response.body),
                   .text = document->text};
  for (const page::PageHeading& heading : document->headings) {
    if (heading.anchor.empty()) continue;
    read.snapshot.anchors.push_back(
        fmt::format("{} {}", heading.line, Line(heading.anchor, kMaxTitle)));
  }
  read.page.text = std::move(document->text);
  return read;
}

Result<VisitedPage> VisitPage(const std::string& url, const PageRecord* before,
                              const Surroundings& around) {
  if (around.progress) around.progress("fetching " + url);
  PageRequest request{.url = url};
  if (before != nullptr && IsSnapshotHere(around.store, *before)) {
    request.etag = before->etag;
    request.last_modified = before->last_modified;
  }
  VisitedPage page;
  page.outcome.url = url;
  Result<PageResponse> response = around.fetch_page(request);
  if (RefuseIfCut(request, around.fetch_page, response, page.outcome)) {
    // It stays refused, or the old snapshot is kept.
  } else if (!response.ok()) {
    if (response.error().kind == ErrorKind::kCancelled) return std::move(response).error();
    // Whoever shows the reason names the page.
    RefuseError(WithoutDoing(fmt::format("fetching '{}'", url), response.error()), page.outcome);
  } else if (response->status == 304 && before != nullptr) {
    page.outcome.fate = PageFate::kUnchanged;
    page.outcome.record = *before;
    return page;
  } else {
    ReadPage read = ReadResponse(url, *std::move(response), FormatUtc(around.clock.WrittenNow()));
    page = std::move(read.page);
    if (page.outcome.record) {
      SIBYL_TRY(StorePageSnapshot(around.store, read.snapshot));
      if (before != nullptr) CompareWith(*before, around.store, page);
      return page;
    }
  }
  if (before != nullptr) KeepBefore(*before, page.outcome);
  return page;
}

}  // namespace sibyl::evidence
