// SPDX-License-Identifier: Apache-2.0
#include "page/warc.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace sibyl::page {
namespace {

constexpr std::string_view kEnd = "\r\n";

Error Bad(std::string what) {
  return Error{.kind = ErrorKind::kCorrupt, .message = "reading a WARC file: " + std::move(what)};
}

// A value must not contain a line end, which would start another field.
std::string OneLineValue(std::string_view value) {
  std::string clean(value);
  for (char& letter : clean) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
  }
  return clean;
}

void AddField(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += fmt::format("{}: {}\r\n", name, OneLineValue(value));
}

// A line without its end; the end is CR LF, or LF alone from careless writers.
std::optional<std::string_view> TakeLine(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Fields up to and with the empty line that ends them. A line that starts with
// a space continues the previous field.
Result<WarcFields> TakeFields(std::string_view& rest) {
  WarcFields fields;
  while (true) {
    const std::optional<std::string_view> line = TakeLine(rest);
    if (!line) return Bad("a header is truncated");
    if (line->empty()) return fields;
    if ((line->front() == ' ' || line->front() == '\t') && !fields.empty()) {
      fields.back().second += " " + std::string(Trim(*line));
      continue;
    }
    const std::size_t colon = line->find(':');
    if (colon == std::string_view::npos || colon == 0) return Bad("a header line has no colon");
    fields.emplace_back(line->substr(0, colon), Trim(line->substr(colon + 1)));
  }
}

std::string_view ValueOf(const WarcFields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (EqualsIgnoringCase(key, name)) return value;
  }
  return {};
}

// Removes a field that has its own member from the others. If it is repeated,
// the first one counts, and the others are removed too, so that readers of our
// output see only one.
std::string TakeField(WarcFields& fields, std::string_view name) {
  std::string value(ValueOf(fields, name));
  std::erase_if(fields, [&](const auto& field) { return EqualsIgnoringCase(field.first, name); });
  return value;
}

// "gzip, br" as a list in lower case; "identity" is nothing.
std::vector<std::string> Codings(std::string_view value) {
  std::vector<std::string> codings;
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(','), value.size());
    std::string coding = LowerCase(Trim(value.substr(0, end)));
    value.remove_prefix(std::min(end + 1, value.size()));
    if (!coding.empty() && coding != "identity") codings.push_back(std::move(coding));
  }
  return codings;
}

// The length at the start of a chunk: "1a", or "1a;name=value".
std::optional<std::size_t> ChunkLength(std::string_view line) {
  line = Trim(line.substr(0, line.find(';')));
  std::size_t length = 0;
  const char* end = line.data() + line.size();
  const auto [stop, error] = std::from_chars(line.data(), end, length, 16);
  if (line.empty() || error != std::errc() || stop != end) return std::nullopt;
  return length;
}

bool StartsAsChunk(std::string_view body) {
  const std::optional<std::string_view> line = TakeLine(body);
  return line && ChunkLength(*line).has_value();
}

// Data after the last chunk is not part of the page.
Result<std::string> JoinChunks(std::string_view rest) {
  std::string body;
  while (true) {
    const std::optional<std::string_view> line = TakeLine(rest);
    const std::optional<std::size_t> length = line ? ChunkLength(*line) : std::nullopt;
    if (!length) return Bad("a response whose chunks are damaged or truncated");
    if (*length == 0) return body;
    if (*length > rest.size()) return Bad("a response whose last chunk is truncated");
    body.append(rest.substr(0, *length));
    rest.remove_prefix(*length);
    const std::optional<std::string_view> end = TakeLine(rest);
    if (!end || !end->empty()) return Bad("a response whose chunks are damaged or truncated");
  }
}

}  // namespace

std::string_view WarcRecord::Field(std::string_view name) const { return ValueOf(fields, name); }

std::string WarcIdOf(std::string_view text) {
  std::string digits = Sha256(text).substr(0, 32);
  digits[12] = '8';
  constexpr std::string_view kVariant = "89ab";
  const char letter = digits[16];
  digits[16] = kVariant[static_cast<std::size_t>(letter) % kVariant.size()];
  return fmt::format("<urn:uuid:{}-{}-{}-{}-{}>", digits.substr(0, 8), digits.substr(8, 4),
                     digits.substr(12, 4), digits.substr(16, 4), digits.substr(20));
}

std::string FormatWarcRecord(WarcRecord record) {
  if (record.id.empty()) {
    record.id = WarcIdOf(fmt::format("{}\n{}\n{}\n{}", record.type, record.date, record.target,
                                     Sha256(record.block)));
  }
  std::string out = "WARC/1.1\r\n";
  AddField(out, "WARC-Type", record.type);
  AddField(out, "WARC-Record-ID", record.id);
  AddField(out, "WARC-Date", record.date);
  AddField(out, "WARC-Target-URI", record.target);
  for (const auto& [name, value] : record.fields) AddField(out, name, value);
  AddField(out, "Content-Type", record.content_type);
  AddField(out, "Content-Length", std::to_string(record.block.size()));
  out += kEnd;
  out += record.block;
  out += "\r\n\r\n";
  return out;
}

Result<std::optional<WarcRecord>> WarcReader::Next() {
  while (rest_.starts_with('\r') || rest_.starts_with('\n')) rest_.remove_prefix(1);
  if (rest_.empty()) return std::optional<WarcRecord>();
  std::string_view rest = rest_;
  rest_ = {};  // whatever is wrong below, there is no way to find the next record
  const std::string_view head = rest.substr(0, limits_.max_header_bytes);
  std::string_view head_rest = head;
  const std::optional<std::string_view> version = TakeLine(head_rest);
  if (!version || !version->starts_with("WARC/1.")) return Bad("expected the start of a record");
  WarcRecord record;
  record.fields = SIBYL_TRY(TakeFields(head_rest));
  rest.remove_prefix(head.size() - head_rest.size());
  const std::optional<std::size_t> length =
      ParseNumber<std::size_t>(TakeField(record.fields, "Content-Length"));
  if (!length) return Bad("a record without its length");
  if (*length > limits_.max_block_bytes) {
    return Bad(fmt::format("a record of {} bytes, more than the limit of {}", *length,
                           limits_.max_block_bytes));
  }
  if (*length > rest.size()) return Bad("a record is truncated");
  record.type = TakeField(record.fields, "WARC-Type");
  record.id = TakeField(record.fields, "WARC-Record-ID");
  record.date = TakeField(record.fields, "WARC-Date");
  record.target = TakeField(record.fields, "WARC-Target-URI");
  record.content_type = TakeField(record.fields, "Content-Type");
  // WARC 1.0 wrote the URI in angle brackets.
  if (record.target.size() > 2 && record.target.front() == '<' && record.target.back() == '>') {
    record.target = record.target.substr(1, record.target.size() - 2);
  }
  record.block = rest.substr(0, *length);
  rest_ = rest.substr(*length);
  return std::optional<WarcRecord>(std::move(record));
}

std::string FormatHttpMessage(const HttpMessage& message) {
  std::string out =
      fmt::format("HTTP/1.1 {} {}\r\n", message.status, message.status == 200 ? "OK" : "-");
  for (const auto& [name, value] : message.headers) AddField(out, name, value);
  out += kEnd;
  out += message.body;
  return out;
}

Result<HttpMessage> ParseHttpMessage(std::string_view block) {
  const std::optional<std::string_view> first = TakeLine(block);
  const std::size_t space = first ? first->find(' ') : std::string_view::npos;
  if (!first || !first->starts_with("HTTP/") || space == std::string_view::npos) {
    return Bad("a response without a status line");
  }
  const std::optional<std::size_t> status = ParseNumber<std::size_t>(first->substr(space + 1, 3));
  if (!status || *status < 100 || *status > 599) return Bad("a response without a status");
  HttpMessage message{.status = static_cast<int>(*status)};
  message.headers = SIBYL_TRY(TakeFields(block));
  message.encodings = Codings(ValueOf(message.headers, "Content-Encoding"));
  const std::vector<std::string> transfer = Codings(ValueOf(message.headers, "Transfer-Encoding"));
  if (transfer.size() > 1 || (transfer.size() == 1 && transfer[0] != "chunked")) {
    return Bad(
        fmt::format("a response with unsupported Transfer-Encoding: {}", Join(transfer, ", ")));
  }
  // Some crawlers put the chunks together and leave the header as it was.
  if (!transfer.empty() && StartsAsChunk(block)) {
    message.body = SIBYL_TRY(JoinChunks(block));
    return message;
  }
  const std::optional<std::size_t> length =
      ParseNumber<std::size_t>(ValueOf(message.headers, "Content-Length"));
  if (length && block.size() < *length) {
    return Bad(
        fmt::format("a response of {} bytes, of which only {} are present", *length, block.size()));
  }
  message.body = block;
  return message;
}

std::string FormatWarcFields(const WarcFields& fields) {
  std::string out;
  for (const auto& [name, value] : fields) AddField(out, name, value);
  return out;
}

WarcFields ParseWarcFields(std::string_view text) {
  std::string whole(text);
  whole += "\r\n\r\n";
  std::string_view rest = whole;
  Result<WarcFields> fields = TakeFields(rest);
  return fields.ok() ? *std::move(fields) : WarcFields{};
}

}  // namespace sibyl::page
