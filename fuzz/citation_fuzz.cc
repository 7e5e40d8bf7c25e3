// SPDX-License-Identifier: Apache-2.0
// A parsed citation has one written form, which parses to the same citation; a
// footnote survives writing and parsing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "evidence/citation.h"
#include "evidence/cited_words.h"
#include "evidence/footnote.h"
#include "evidence/origins/permalink.h"

namespace {

using namespace sibyl::evidence;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckRoundTrip(const Citation& citation) {
  const std::string text = FormatCitation(citation);
  if (text.size() > kMaxCitationBytes) return;
  const sibyl::Result<Citation> again = ParseCitation(text);
  Require(again.ok() && *again == citation && FormatCitation(*again) == text);
  const std::string line = FormatFootnote({"p1-1", "a [label] -->\n", citation});
  Require(line.find('\n') == std::string::npos);
  const sibyl::Result<Footnote> note = ParseFootnote(line);
  Require(note.ok() && note->citation == citation && note->id == "p1-1");
}

// The words are the end of the text, in quotation marks; the rest is the file.
void CheckWords(std::string_view text) {
  const auto [file, words] = SplitWords(text);
  if (words.empty()) return;
  const auto found = FindWords(file, {}, words);
  if (!found.ok()) return;
  Require(found->first <= found->last && found->last < file.size());
  const std::string cited = WordsOnOneLine(file.substr(found->first, found->size()));
  Require(cited == WordsOnOneLine(words) || cited == WordsOnOneLine(WithoutEscapes(words)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto citation = ParseCitation(text); citation.ok()) CheckRoundTrip(*citation);
  if (const auto note = ParseFootnote(text); note.ok()) CheckRoundTrip(note->citation);
  if (const auto parts = ParsePermalink(text)) {
    Require(!parts->origin.empty() && !parts->revision.empty() && !parts->path.empty());
  }
  CheckWords(text);
  return 0;
}
