// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/fingerprint.h"

#include <string_view>

#include "base/hash.h"
#include "base/line_excerpt.h"
#include "base/numbers.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

// The line or, where a finding has none, what was checked. The message comes last:
// it may contain numbers that change without the document.
std::string_view WordsOf(const Finding& finding) {
  if (!finding.place.text.empty()) return finding.place.text;
  for (const FindingDetail& detail : finding.details) {
    if (detail.name == "text" && !detail.value.empty()) return detail.value;
  }
  return finding.message;
}

}  // namespace

Fingerprints::Fingerprint Fingerprints::Next(const Finding& finding) {
  std::string key = finding.code + '\n' + finding.place.file + '\n';
  key += WordsOf(finding);
  std::string hash = Sha256(key);
  const int occurrence = ++seen_[hash];
  return {.hash = std::move(hash), .occurrence = occurrence};
}

std::size_t CharacterColumn(const Finding& finding) {
  const Place& place = finding.place;
  for (const FindingDetail& detail : finding.details) {
    if (detail.name != kCharacterColumn) continue;
    const std::optional<std::size_t> known = ParseNumber<std::size_t>(detail.value);
    if (known && *known > 0) return *known;
  }
  if (place.column == 0) return 0;
  const std::size_t left_out = ExcerptBegin(place.column);
  if (place.text.empty()) return place.column;
  std::size_t column = 1 + left_out;
  std::string_view before = std::string_view(place.text).substr(0, place.column - 1 - left_out);
  for (; !before.empty(); ++column) before.remove_prefix(DecodeUtf8(before).bytes);
  return column;
}

std::string MessageWithHint(const Finding& finding) {
  return finding.hint.empty() ? finding.message : finding.message + "; " + finding.hint;
}

}  // namespace sibyl::interface
