// SPDX-License-Identifier: Apache-2.0
// Any bytes are a text in any language: every line is in exactly one passage,
// and the same text gives the same passages. The first byte chooses the language.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "passages/passage.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sibyl::passages::Passage;
  constexpr std::string_view kLanguages[] = {"c++",      "python", "cmake", "dockerfile",
                                             "markdown", "rst",    "shell", "cuda"};
  if (size == 0) return 0;
  const std::string_view language = kLanguages[data[0] % 8];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<Passage> passages = sibyl::passages::SplitPassages(language, text);
  std::uint32_t line = 1;
  std::uint32_t at = 0;
  for (const Passage& passage : passages) {
    Require(passage.first_line == line && passage.begin == at);
    Require(passage.last_line >= line && passage.end > at);
    line = passage.last_line + 1;
    at = passage.end;
  }
  Require(at == text.size());
  Require(passages == sibyl::passages::SplitPassages(language, text));
  (void)sibyl::passages::Classify("a/b.c", text);
  return 0;
}
