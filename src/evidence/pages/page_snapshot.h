// SPDX-License-Identifier: Apache-2.0
// A page as it was at one moment: the answer, the text made of it, and where it came
// from, kept as a small WARC file under the hash of the text. Written once, never
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
  /// Lines with a name: "12 memory-fences" is what stands behind '#' for line 12.
  std::vector<std::string> anchors;

  bool operator==(const PageSnapshot&) const = default;
};

/// Where the snapshot of a text lies: pages/ab/<64 digits>.warc.gz in the store.
std::filesystem::path PageSnapshotPath(const Store& store, std::string_view text_sha256);

/// The bytes of the file; the same snapshot gives the same bytes.
std::string FormatPageSnapshot(const PageSnapshot& snapshot);

/// Reads one or many snapshots out of the bytes of a WARC file, ours or another's,
/// compressed or not. A response without a text of ours has none here, and no
/// text_sha256. Responses that cannot be read are counted in `skipped`. kCorrupt when
/// the file is broken; what stands before the break is lost with it.
struct PageSnapshots {
  std::vector<PageSnapshot> pages;
  std::vector<std::string> skipped;  ///< "https://…: why"
};
Result<PageSnapshots> ParsePageSnapshots(std::string_view bytes);

/// Durable when it returns; one that is there already is left alone.
Status StorePageSnapshot(const Store& store, const PageSnapshot& snapshot);

/// kNotFound when the store has it not, kCorrupt when its text has another hash.
Result<PageSnapshot> LoadPageSnapshot(const Store& store, std::string_view text_sha256);

/// Headers that a snapshot may keep: no cookies, and nothing that speaks of the
/// connection or of an encoding that is no longer there.
std::vector<std::pair<std::string, std::string>> KeptHeaders(
    const std::vector<std::pair<std::string, std::string>>& headers);

}  // namespace sibyl::evidence
