// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/fence.h"

#include <algorithm>

#include "base/strings.h"

namespace sibyl {
namespace {

constexpr std::size_t kShortestFence = 3;
constexpr std::size_t kMostSpaces = 3;

std::size_t RunOf(std::string_view text, char letter) {
  return std::min(text.find_first_not_of(letter), text.size());
}

}  // namespace

std::optional<Fence> ReadFence(std::string_view line, FenceIndent indent) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  const char mark = line[begin];
  if (mark != '`' && mark != '~') return std::nullopt;
  if (indent == FenceIndent::kUpToThree) {
    const bool has_tab = line.substr(0, begin).find('\t') != std::string_view::npos;
    if (begin > kMostSpaces || has_tab) return std::nullopt;
  }
  line.remove_prefix(begin);
  const std::size_t length = RunOf(line, mark);
  if (length < kShortestFence) return std::nullopt;
  const std::string_view info = Trim(line.substr(length));
  if (mark == '`' && info.find('`') != std::string_view::npos) return std::nullopt;
  return Fence{.mark = mark, .length = length, .info = info};
}

FencePart FenceTracker::Take(std::string_view line) {
  const std::optional<Fence> fence = ReadFence(line, indent_);
  if (!open_) {
    if (!fence) return FencePart::kOutside;
    open_ = Fence{.mark = fence->mark, .length = fence->length};
    return FencePart::kOpening;
  }
  if (!fence || !fence->Closes(*open_)) return FencePart::kInside;
  open_.reset();
  return FencePart::kClosing;
}

std::string FenceAround(std::string_view code, std::size_t least) {
  std::size_t length = least;
  for (std::size_t at = code.find('`'); at != std::string_view::npos; at = code.find('`', at)) {
    const std::size_t run = RunOf(code.substr(at), '`');
    length = std::max(length, run + 1);
    at += run;
  }
  return std::string(length, '`');
}

}  // namespace sibyl
