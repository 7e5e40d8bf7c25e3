// SPDX-License-Identifier: Apache-2.0
// Any text of any language is read into sentences, fenced code, options and a
// trimmed excerpt that are inside it. The first byte chooses the language.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/strings.h"
#include "draft/extract/code_excerpt.h"
#include "draft/extract/option_rows.h"
#include "draft/extract/prose.h"
#include "draft/extract/queries.h"
#include "draft/page_text.h"

namespace {

using namespace sibyl;         // NOLINT: a fuzz target is one file
using namespace sibyl::draft;  // NOLINT

constexpr std::array<std::string_view, 10> kLanguages = {
    "markdown", "rst", "c++", "python", "cmake", "shell", "dockerfile", "text", "cuda", "yaml"};

void Require(bool holds) {
  if (!holds) std::abort();
}

void RequireLines(std::size_t first, std::size_t last, std::size_t lines) {
  Require(first >= 1 && first <= last && last <= lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view language = kLanguages[data[0] % kLanguages.size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t lines = SplitLines(text).size();
  for (const Sentence& sentence : ReadSentences(language, text)) {
    RequireLines(sentence.first_line, sentence.last_line, lines);
    Require(!sentence.text.empty() && sentence.text.find('\n') == std::string::npos);
    const std::string quote = EscapedQuote(sentence.text);
    Require(quote.find('\n') == std::string::npos);
    Explains(sentence.text);
    StandsAlone(sentence.text);
  }
  for (const FencedCode& fence : ReadFences(language, text)) {
    RequireLines(fence.first_line, fence.last_line, lines);
  }
  for (const OptionRow& row : ReadOptions(language, text)) {
    RequireLines(row.first_line, row.last_line, lines);
    Require(!row.name.empty());
    Require(EscapedCell(row.meaning).find('\n') == std::string::npos);
  }
  PlainPoint(text);
  CleanQuery(text);
  SymbolsIn(text);
  const index::Searcher nothing({});
  TermReader reader(nothing);
  const PointTerms terms = reader.TermsOf(text.substr(0, text.find('\n')), {});
  for (const bool is_definition : {false, true}) {
    const auto code = TrimCode({.language = language, .text = text, .is_definition = is_definition},
                               terms, reader, 20);
    if (code) RequireLines(code->first_line, code->last_line, lines);
  }
  return 0;
}
