// SPDX-License-Identifier: Apache-2.0
// Any text of any language is read into sentences, fenced code, units and whole
// blocks that are inside it. The first byte chooses the language.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "draft/answer/long_forms.h"
#include "draft/answer/question/question.h"
#include "draft/answer/shape.h"
#include "draft/answer/subject.h"
#include "draft/answer/telling_shape.h"
#include "draft/answer/units.h"
#include "draft/extract/code_lines.h"
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

  PlainPoint(text);
  CleanQuery(text);
  SymbolsIn(text);
  ReadQuestion(text.substr(0, text.find('\n')));
  for (const bool is_whole : {false, true}) {
    const auto block =
        WholeBlock({.language = language, .text = text, .is_whole = is_whole}, {1, 1}, 20);
    if (block) RequireLines(block->first, block->last, lines);
  }
  std::vector<Question> questions;  // read once: there are many units
  for (const char* asked : {"default of batch size", "how many workers", "why is it slow",
                            "since which version", "which values"}) {
    questions.push_back(ReadQuestion(asked));
  }
  for (const bool is_prose : {false, true}) {
    for (const auto& units :
         {ReadUnits(language, is_prose, text), ReadCardUnits(language, is_prose, text)}) {
      for (const Unit& unit : units) {
        RequireLines(unit.first_line, unit.last_line, lines);
        Require(OpeningSentence(unit.text).size() <= unit.text.size());
        Require(DefinedSubject(OpeningSentence(unit.text)).size() <= unit.text.size());
        IsHollow(unit);
        for (const Question& question : questions) TellingShape(question, unit);
      }
    }
  }
  LongForms(ReadQuestion("What does DDP wait for?"), {std::string(text)});
  return 0;
}
