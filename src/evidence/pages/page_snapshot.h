// SPDX-License-Identifier: Apache-2.0
// A snapshot of a page: the response, the extracted text, and its address,
// stored as a small WARC file under the hash of the text. Written once, never
// changed, never removed by fetching again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "evidence/source.h"
#include "evidence/store.h"

namespace sibyl::evidence {

struct PageSnapshot {
  PageRecord record;
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  ///< Without cookies.
  std::string body;
  std::string text;
  /// Lines with an anchor: "12 memory-fences" is the anchor of line 12.
  std::vector<std::string> anchors;

  bool operator==(const PageSnapshot&) const = default;
};

/// The path of a text's snapshot: pages/ab/<64 digits>.warc.gz in the store.
std::filesystem::path PageSnapshotPath(const Store& store, std::string_view text_sha256);

/// The bytes of the file; the same snapshot gives the same bytes.
std::string FormatPageSnapshot(const PageSnapshot& snapshot);

/// Parses the snapshots in a WARC file, by sibyl or another tool, compressed or
/// not. A response without our text has none here, and no text_sha256.
/// Unreadable responses are counted in `skipped`. kCorrupt if the file is
/// damaged; nothing is returned then.
struct PageSnapshots {
  std::vector<PageSnapshot> pages;
  std::vector<std::string> skipped;  ///< "https://…: why"
};
Result<PageSnapshots> ParsePageSnapshots(std::string_view bytes);

/// Durable when it returns; an existing one is not changed.
Status StorePageSnapshot(const Store& store, const PageSnapshot& snapshot);

/// kNotFound when the store has it not, kCorrupt when its text has another hash.
Result<PageSnapshot> LoadPageSnapshot(const Store& store, std::string_view text_sha256);

/// Headers that a snapshot keeps: no cookies, no connection headers, no
/// encodings that were removed.
std::vector<std::pair<std::string, std::string>> KeptHeaders(
    const std::vector<std::pair<std::string, std::string>>& headers);

}  // namespace sibyl::evidence
