// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <system_error>

#include "base/files/files.h"
#include "base/hash.h"
#include "base/strings.h"
#include "evidence/pages/gzip.h"
#include "page/warc.h"

namespace sibyl::evidence {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxWarcBytes = std::size_t{1} << 30;
constexpr std::string_view kTextType = "text/plain; charset=utf-8";
constexpr std::string_view kFieldsType = "application/warc-fields";

struct RecordField {
  std::string_view name;
  std::string PageRecord::*member;
};

// The fields of our metadata record, without the anchors.
constexpr std::array<RecordField, 8> kRecordFields = {{
    {"url", &PageRecord::url},
    {"final-url", &PageRecord::final_url},
    {"path", &PageRecord::path},
    {"title", &PageRecord::title},
    {"sha256", &PageRecord::sha256},
    {"text-sha256", &PageRecord::text_sha256},
    {"etag", &PageRecord::etag},
    {"last-modified", &PageRecord::last_modified},
}};

std::string HeaderOf(const PageSnapshot& page, std::string_view name) {
  for (const auto& [key, value] : page.headers) {
    if (EqualsIgnoringCase(key, name)) return value;
  }
  return {};
}

void ReadMetadata(std::string_view block, PageSnapshot& page) {
  for (const auto& [name, value] : page::ParseWarcFields(block)) {
    if (name == "anchor") page.anchors.push_back(value);
    for (const RecordField& field : kRecordFields) {
      if (field.name == name) page.record.*(field.member) = value;
    }
  }
}

// Decodes the content encoding. The limits are those of a fetched page,
// including the ratio of 200.
Result<std::string> Unpacked(page::HttpMessage& message) {
  constexpr std::size_t kMaxBody = std::size_t{64} << 20;
  constexpr std::size_t kHarmless = std::size_t{1} << 20;
  constexpr std::size_t kExpansion = 200;
  constexpr std::size_t kMostLayers = 2;
  if (message.encodings.size() > kMostLayers) {
    return Error{.kind = ErrorKind::kUsage, .message = "it is compressed more than twice"};
  }
  std::string body = std::move(message.body);
  for (; !message.encodings.empty(); message.encodings.pop_back()) {
    const std::string& encoding = message.encodings.back();
    const std::size_t most = std::min(kMaxBody, std::max(kHarmless, body.size() * kExpansion));
    if (encoding == "gzip" || encoding == "x-gzip") {
      // Uncompressed bodies are unchanged: some crawlers decompress and keep
      // the header.
      body = SIBYL_TRY(GunzipMembers(body, most));
    } else if (encoding == "deflate") {
      body = SIBYL_TRY(InflateBody(body, most));
    } else {
      return Error{
          .kind = ErrorKind::kUsage,
          .message = fmt::format("its body is encoded as '{}', which is not supported", encoding)};
    }
  }
  return body;
}

// A snapshot from a response record; records that refer to it follow.
Result<PageSnapshot> FromResponse(const page::WarcRecord& record) {
  if (const std::string_view why = record.Field("WARC-Truncated"); !why.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("the archive truncated it ({})", why)};
  }
  page::HttpMessage message = SIBYL_TRY(page::ParseHttpMessage(record.block));
  message.body = SIBYL_TRY(Unpacked(message));
  PageSnapshot page{.status = message.status,
                    .headers = KeptHeaders(message.headers),
                    .body = std::move(message.body)};
  page.record.url = record.target;
  page.record.fetched = record.date;
  page.record.sha256 = Sha256(page.body);
  page.record.etag = HeaderOf(page, "etag");
  page.record.last_modified = HeaderOf(page, "last-modified");
  return page;
}

/// Puts the records of a file together: texts and metadata to their responses.
class SnapshotReader {
 public:
  Status Take(const page::WarcRecord& record) {
    if (record.type == "response") {
      Result<PageSnapshot> page = FromResponse(record);
      if (!page.ok()) {
        found_.skipped.push_back(record.target + ": " + page.error().message);
        return {};
      }
      pages_[record.id] = found_.pages.size();
      found_.pages.push_back(*std::move(page));
      return {};
    }
    const auto at = pages_.find(std::string(record.Field("WARC-Refers-To")));
    if (at == pages_.end()) return {};
    PageSnapshot& page = found_.pages[at->second];
    if (record.type == "conversion") {
      page.text = record.block;
      page.record.text_sha256 = Sha256(page.text);
    } else if (record.type == "metadata" && record.content_type == kFieldsType) {
      ReadMetadata(record.block, page);
    }
    return {};
  }

  // Computed hashes take precedence over recorded ones.
  Result<PageSnapshots> Finish() {
    for (PageSnapshot& page : found_.pages) {
      const std::string body = Sha256(page.body);
      const std::string text = page.text.empty() ? std::string() : Sha256(page.text);
      if (page.record.sha256 != body || page.record.text_sha256 != text) {
        return Error{.kind = ErrorKind::kCorrupt,
                     .message = fmt::format("reading a snapshot of {}: it does not match its hash",
                                            page.record.url)};
      }
    }
    return std::move(found_);
  }

 private:
  PageSnapshots found_;
  std::map<std::string, std::size_t> pages_;  // by the id of their response
};

}  // namespace

fs::path PageSnapshotPath(const Store& store, std::string_view text_sha256) {
  const std::string digits(text_sha256);
  return store.folder() / "pages" / digits.substr(0, 2) / (digits + ".warc.gz");
}

std::string FormatPageSnapshot(const PageSnapshot& snapshot) {
  const PageRecord& record = snapshot.record;
  page::HttpMessage message{
      .status = snapshot.status, .headers = snapshot.headers, .body = snapshot.body};
  message.headers.emplace_back("Content-Length", std::to_string(snapshot.body.size()));
  const std::string target = record.final_url.empty() ? record.url : record.final_url;
  const std::string id = page::WarcIdOf(fmt::format("response\n{}\n{}\n{}\n{}", record.fetched,
                                                    target, record.sha256, record.text_sha256));
  const page::WarcRecord response{.type = "response",
                                  .id = id,
                                  .date = record.fetched,
                                  .target = target,
                                  .content_type = "application/http;msgtype=response",
                                  .fields = {{"WARC-Payload-Digest", "sha256:" + record.sha256}},
                                  .block = page::FormatHttpMessage(message)};
  const page::WarcRecord text{
      .type = "conversion",
      .date = record.fetched,
      .target = target,
      .content_type = std::string(kTextType),
      .fields = {{"WARC-Refers-To", id}, {"WARC-Block-Digest", "sha256:" + record.text_sha256}},
      .block = snapshot.text};
  page::WarcFields fields;
  for (const RecordField& field : kRecordFields) {
    fields.emplace_back(field.name, record.*(field.member));
  }
  for (const std::string& anchor : snapshot.anchors) fields.emplace_back("anchor", anchor);
  const page::WarcRecord about{.type = "metadata",
                               .date = record.fetched,
                               .target = target,
                               .content_type = std::string(kFieldsType),
                               .fields = {{"WARC-Refers-To", id}},
                               .block = page::FormatWarcFields(fields)};
  std::string bytes;
  for (const page::WarcRecord& one : {response, text, about}) {
    bytes += GzipMember(page::FormatWarcRecord(one));
  }
  return bytes;
}

Result<PageSnapshots> ParsePageSnapshots(std::string_view bytes) {
  const std::string plain = SIBYL_TRY(GunzipMembers(bytes, kMaxWarcBytes));
  page::WarcReader reader(plain);
  SnapshotReader snapshots;
  while (true) {
    const std::optional<page::WarcRecord> record = SIBYL_TRY(reader.Next());
    if (!record) return snapshots.Finish();
    SIBYL_TRY(snapshots.Take(*record));
  }
}

Status StorePageSnapshot(const Store& store, const PageSnapshot& snapshot) {
  const fs::path path = PageSnapshotPath(store, snapshot.record.text_sha256);
  std::error_code error;
  if (fs::exists(path, error)) return {};
  SIBYL_TRY(CreateFolders(path.parent_path()));
  return WriteFileAtomically(path, FormatPageSnapshot(snapshot));
}

Result<PageSnapshot> LoadPageSnapshot(const Store& store, std::string_view text_sha256) {
  const fs::path path = PageSnapshotPath(store, text_sha256);
  std::error_code error;
  if (!fs::exists(path, error)) {
    return Error{
        .kind = ErrorKind::kNotFound,
        .message = fmt::format("opening a snapshot: the store has no page with the text {}",
                               text_sha256.substr(0, 12)),
        .hint = "'sibyl source import FILE' restores it from an exported WARC file"};
  }
  const std::string bytes = SIBYL_TRY(ReadFile(path, {.max_bytes = kMaxWarcBytes}));
  PageSnapshots found = SIBYL_TRY(ParsePageSnapshots(bytes));
  if (found.pages.size() != 1 || found.pages[0].record.text_sha256 != text_sha256) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("opening a snapshot: {} is of another page", path.string()),
                 .hint = "delete it; 'sibyl source sync' or 'sibyl source import' restores it"};
  }
  return std::move(found.pages[0]);
}

std::vector<std::pair<std::string, std::string>> KeptHeaders(
    const std::vector<std::pair<std::string, std::string>>& headers) {
  constexpr std::array<std::string_view, 14> kDropped = {"set-cookie",
                                                         "set-cookie2",
                                                         "cookie",
                                                         "authorization",
                                                         "connection",
                                                         "keep-alive",
                                                         "trailer",
                                                         "upgrade",
                                                         "proxy-authenticate",
                                                         "www-authenticate",
                                                         "authentication-info",
                                                         "content-encoding",
                                                         "transfer-encoding",
                                                         "content-length"};
  constexpr std::size_t kMostHeaders = 100;
  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& [name, value] : headers) {
    const std::string lower = LowerCase(name);
    const bool is_dropped = std::find(kDropped.begin(), kDropped.end(), lower) != kDropped.end() ||
                            lower.empty() || lower.find_first_of(": \t\r\n") != std::string::npos ||
                            Trim(value).empty();
    if (!is_dropped && kept.size() < kMostHeaders) {
      std::string clean(Trim(value));
      for (char& letter : clean) {
        if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
      }
      kept.emplace_back(name, std::string(Trim(clean)));
    }
  }
  return kept;
}

}  // namespace sibyl::evidence
