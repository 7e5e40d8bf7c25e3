// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/ptx.h"

#include <charconv>

#include "base/ascii.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kMostPreamble = 64 << 10;

// Skips blanks and comments.
std::string_view SkipBlanks(std::string_view text) {
  for (;;) {
    while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
    if (!text.starts_with("//")) return text;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end);
  }
}

std::string_view TakeWord(std::string_view& text) {
  text = SkipBlanks(text);
  std::size_t end = 0;
  // No word of the preamble is longer; the end of a longer one must not be searched for at
  // every ".version" in it.
  constexpr std::size_t kLongestWord = 64;
  while (end < text.size() && end < kLongestWord && !IsBlank(text[end]) && text[end] != ',') ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace

bool ReadPtx(std::string_view text, CodeImage& image) {
  std::string_view rest = text.substr(0, kMostPreamble);
  if (TakeWord(rest) != ".version") return false;
  const std::string_view version = TakeWord(rest);
  const char* const end = version.data() + version.size();
  const auto [dot, wrong] = std::from_chars(version.data(), end, image.major);
  if (wrong != std::errc() || dot == end || *dot != '.') return false;
  const auto [last, also_wrong] = std::from_chars(dot + 1, end, image.minor);
  if (also_wrong != std::errc() || last != end) return false;
  if (TakeWord(rest) != ".target") return false;
  const std::optional<field::Architecture> architecture = field::ParseArchitecture(TakeWord(rest));
  if (!architecture) return false;
  image.kind = ImageKind::kPtx;
  image.architecture = *architecture;
  image.has_code = HasCode::kYes;
  return true;
}

}  // namespace sibyl::inspect
