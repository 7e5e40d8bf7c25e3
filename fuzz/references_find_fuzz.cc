// SPDX-License-Identifier: Apache-2.0
// Any bytes as a document: its code citations point into it, and their numbers are
// where they are said to be.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "references/find/find.h"
#include "references/find/quick_look.h"
#include "references/rewrite.h"

namespace {

using namespace sibyl::references;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckNumber(std::string_view text, const NumberPlace& place) {
  Require(place.begin < place.end && place.end <= text.size());
  std::size_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data() + place.begin, text.data() + place.end, number);
  Require(error == std::errc() && end == text.data() + place.end);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto found = FindReferences(text);
  if (!found.ok()) return 0;
  Require(found->all.empty() || MayHaveReferences(text));
  CheckedDocument document{.path = "a.md", .text = std::string(text)};
  for (Reference& reference : found->all) {
    Require(reference.begin <= reference.end && reference.end <= text.size());
    Require(reference.lines.first > 0 && reference.lines.first <= reference.lines.last);
    Require(!reference.path.empty() && !FormName(reference.form).empty());
    for (const NumberPlace& place : reference.numbers) CheckNumber(text, place);
    Judged judged{.status = CitationStatus::kDrifted,
                  .target = {.path = "b.rs"},
                  .suggestion = Target{.path = "b.rs", .lines = {7, 9}},
                  .is_certain = true};
    document.references.push_back({.reference = std::move(reference), .judged = std::move(judged)});
  }
  const std::vector<Edit> edits = CorrectNumbers(document);
  for (std::size_t i = 1; i < edits.size(); ++i) Require(edits[i - 1].end <= edits[i].begin);
  const std::string corrected = ApplyEdits(text, edits);
  Require(edits.empty() || UnifiedDiff("a.md", text, corrected).empty() == (corrected == text));
  return 0;
}
