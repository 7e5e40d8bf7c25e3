// SPDX-License-Identifier: Apache-2.0
#include "inspect/totals.h"

#include <fmt/format.h>

#include <algorithm>

namespace sibyl::inspect {
namespace {

constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;
constexpr std::uint64_t kGibi = std::uint64_t{1} << 30;

// Docker stops at 127 layers; a layout keeps a file open for each.
constexpr std::uint64_t kMostLayers = 512;
constexpr std::uint64_t kMostDocuments = 256;
constexpr std::uint64_t kMostDocumentBytesInAll = 32 * kMebi;
// The largest images that were inspected have about a million files.
constexpr std::uint64_t kMostEntries = 8'000'000;

// Real layers and device code unpack to about ten times their size; zeros reach a thousand.
constexpr std::uint64_t kUnpackRatio = 100;
constexpr std::uint64_t kHarmlessUnpacked = kGibi;
constexpr std::uint64_t kMostUnpacked = 256 * kGibi;

// The first limit fits a million files with short names; the second is for images with several
// million.
constexpr std::uint64_t kKeptRatio = 16;
constexpr std::uint64_t kHarmlessKept = 256 * kMebi;
constexpr std::uint64_t kMostKept = 2 * kGibi;

std::uint64_t Times(std::uint64_t value, std::uint64_t factor) {
  return value > UINT64_MAX / factor ? UINT64_MAX : value * factor;
}

std::uint64_t UnpackedLimit(std::uint64_t stored) {
  // Uncompressed content is never rejected for its size.
  const std::uint64_t most = std::max(kMostUnpacked, Times(stored, 4));
  return std::max(kHarmlessUnpacked, std::min(Times(stored, kUnpackRatio), most));
}

std::uint64_t KeptLimit(std::uint64_t stored) {
  return std::clamp(Times(stored, kKeptRatio), kHarmlessKept, kMostKept);
}

}  // namespace

Budget::Budget(std::uint64_t stored_bytes) {
  limits_[Index(Total::kLayers)] = kMostLayers;
  limits_[Index(Total::kDocuments)] = kMostDocuments;
  limits_[Index(Total::kDocumentBytes)] = kMostDocumentBytesInAll;
  limits_[Index(Total::kEntries)] = kMostEntries;
  AddStored(stored_bytes);
}

void Budget::AddStored(std::uint64_t bytes) {
  const std::uint64_t stored = stored_.fetch_add(bytes) + bytes;
  limits_[Index(Total::kUnpackedBytes)] = UnpackedLimit(stored);
  limits_[Index(Total::kKeptBytes)] = KeptLimit(stored);
}

bool Budget::Spend(Total total, std::uint64_t amount) {
  if (is_exceeded()) return false;
  const std::size_t index = Index(total);
  const std::uint64_t limit = limits_[index].load();
  // Compared before adding, so that the sum cannot overflow.
  bool fits = amount <= limit;
  if (fits) {
    fits = spent_[index].fetch_add(amount) + amount <= limit;
  } else {
    spent_[index] = amount;
  }
  if (!fits) {
    std::uint8_t none = kNone;
    exceeded_.compare_exchange_strong(none, static_cast<std::uint8_t>(index));
  }
  return fits;
}

std::optional<std::string> Budget::WhatIsExceeded() const {
  const std::uint8_t which = exceeded_.load();
  if (which == kNone) return std::nullopt;
  const std::uint64_t most = limits_[which].load();
  const std::uint64_t stored = stored_.load();
  switch (static_cast<Total>(which)) {
    case Total::kLayers:
      return fmt::format("the manifest lists {} layers; the limit is {}", spent_[which].load(),
                         most);
    case Total::kDocuments:
      return fmt::format("it has more indexes and manifests than the limit of {}", most);
    case Total::kDocumentBytes:
      return fmt::format("its indexes, manifests and configurations exceed the limit of {} bytes",
                         most);
    case Total::kEntries:
      return fmt::format("it has more entries than the limit of {}", most);
    case Total::kUnpackedBytes:
      return fmt::format("it unpacks to more than {} bytes, the limit for {} stored bytes", most,
                         stored);
    case Total::kKeptBytes:
      return fmt::format("its names and tables exceed the limit of {} bytes of memory", most);
  }
  return std::nullopt;
}

Finding LimitFinding(const std::string& path, const std::string& what) {
  return {.severity = Severity::kError,
          .code = "inspect/limit",
          .message = fmt::format("not read completely: {}", what),
          .hint = "facts that need the whole artifact are omitted",
          .place = {.file = path}};
}

}  // namespace sibyl::inspect
