// SPDX-License-Identifier: Apache-2.0
// WARC 1.1 (ISO 28500): the format of web archives. Our snapshot is three
// records, so that other tools can read it too: the response, the extracted
// text, and metadata. docs/formats/warc.md lists the fields.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sibyl::page {

using WarcFields = std::vector<std::pair<std::string, std::string>>;

struct WarcRecord {
  std::string type;    ///< "response", "conversion", "metadata", "warcinfo", …
  std::string id;      ///< "<urn:uuid:…>"; made from the content when empty.
  std::string date;    ///< 2026-11-15T10:02:11Z
  std::string target;  ///< The URI; empty for warcinfo.
  std::string content_type;
  WarcFields fields;  ///< All others, in their order.
  std::string block;

  /// The value of the first other field of that name, without case; empty for none.
  std::string_view Field(std::string_view name) const;

  bool operator==(const WarcRecord&) const = default;
};

/// The bytes of one record, including both line ends after it. The same record
/// always gives the same bytes: a missing id is derived from the rest.
std::string FormatWarcRecord(WarcRecord record);

/// "<urn:uuid:…>" of a text: version 8 of RFC 9562, which leaves the digits to us.
std::string WarcIdOf(std::string_view text);

struct WarcLimits {
  std::size_t max_block_bytes = std::size_t{64} << 20;
  std::size_t max_header_bytes = std::size_t{64} << 10;
};

/// Reads records from the front to the back of bytes that are not compressed.
class WarcReader {
 public:
  /// `bytes` outlives the reader.
  explicit WarcReader(std::string_view bytes, const WarcLimits& limits = {})
      : rest_(bytes), limits_(limits) {}

  /// The next record; nothing at the end. kCorrupt if the bytes are not a
  /// record, are truncated, or exceed the limits; then the reader has ended.
  Result<std::optional<WarcRecord>> Next();

 private:
  std::string_view rest_;
  WarcLimits limits_;
};

/// An HTTP response as stored in the block of a response record.
struct HttpMessage {
  int status = 0;
  WarcFields headers;
  std::string body;                         ///< Whole, and in no chunks.
  std::vector<std::string> encodings = {};  ///< "gzip", …: of the body, the outermost last.
};

std::string FormatHttpMessage(const HttpMessage& message);

/// kCorrupt if it is not a response, or its body is truncated. Chunks, as
/// crawlers store them, are joined; content encodings are listed for the caller
/// to decode.
Result<HttpMessage> ParseHttpMessage(std::string_view block);

/// "name: value" lines (application/warc-fields).
std::string FormatWarcFields(const WarcFields& fields);
WarcFields ParseWarcFields(std::string_view text);

}  // namespace sibyl::page
