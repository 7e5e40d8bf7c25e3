// SPDX-License-Identifier: Apache-2.0
// Any bytes are a file in any language: its cards have names, and lines within it.
// The first byte chooses the language.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "cards/file_cards.h"
#include "cards/spot.h"
#include "passages/passage.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sibyl::cards::Card;
  using sibyl::cards::CardSpot;
  constexpr std::string_view kLanguages[] = {"c++",  "python", "cmake", "dockerfile", "markdown",
                                             "rst",  "yaml",   "go",    "json",       "shell",
                                             "cuda", "toml",   ""};
  if (size == 0) return 0;
  const std::string_view language = kLanguages[data[0] % 13];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr std::string_view kPath = "Help/variable/pool.1";
  const sibyl::passages::LineTable lines(text);
  sibyl::passages::OutlineNotes notes;
  sibyl::passages::SplitPassages(language, lines, notes);
  const std::vector<CardSpot> spots = sibyl::cards::SpotCards({kPath, language, lines, notes});
  Require(spots.size() <= sibyl::cards::kMaxCardsOfFile);
  for (const CardSpot& spot : spots) {
    Require(spot.name_bytes > 0 && spot.name + spot.name_bytes <= text.size());
    Require(spot.value + spot.value_bytes <= text.size());
    Require(spot.first_line > 0 && spot.first_line <= spot.last_line);
    Require(spot.last_line <= lines.count());
  }
  // Reading all of a file's cards reads the comments around each; a few are enough.
  constexpr std::size_t kRead = 50;
  for (std::size_t i = 0; i < spots.size() && i < kRead; ++i) {
    const Card card =
        sibyl::cards::ReadFileCard({.path = kPath, .language = language, .text = text},
                                   {.kind = spots[i].kind,
                                    .name = text.substr(spots[i].name, spots[i].name_bytes),
                                    .value = text.substr(spots[i].value, spots[i].value_bytes),
                                    .first_line = spots[i].first_line,
                                    .last_line = spots[i].last_line});
    Require(card.offset <= text.size());
  }
  return 0;
}
