// SPDX-License-Identifier: Apache-2.0
#include "engine/text/columns.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kEllipsis = "…";

}  // namespace

std::string Shorten(std::string_view text, std::size_t columns) {
  std::size_t width = 0;
  std::size_t kept = 0;  // bytes that fit beside an ellipsis
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character point = DecodeUtf8(text.substr(at));
    width += DisplayWidth(point.code_point);
    if (width > columns) {
      if (columns == 0) return {};
      return std::string(text.substr(0, kept)).append(kEllipsis);
    }
    at += point.bytes;
    if (width < columns) kept = at;
  }
  return std::string(text);
}

std::string PadRight(std::string_view text, std::size_t columns) {
  const std::size_t width = DisplayWidth(text);
  std::string padded(text);
  if (width < columns) padded.append(columns - width, ' ');
  return padded;
}

std::string PadLeft(std::string_view text, std::size_t columns) {
  const std::size_t width = DisplayWidth(text);
  std::string padded(width < columns ? columns - width : 0, ' ');
  return padded.append(text);
}

std::string ShownBytes(std::uint64_t bytes) {
  if (bytes < 1'000) return fmt::format("{} B", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
}

std::string Wrap(std::string_view text, const WrapOptions& options) {
  std::string wrapped;
  std::size_t column = options.first_indent;
  bool at_line_start = true;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return wrapped;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    const std::size_t width = DisplayWidth(word);
    if (!at_line_start && column + 1 + width > options.columns) {
      wrapped += '\n';
      wrapped.append(options.indent, ' ');
      column = options.indent;
    } else if (!at_line_start) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += width;
    at_line_start = false;
  }
}

std::string ShortenWords(std::string_view text, std::size_t columns) {
  std::string shortened;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    shortened += ElideMiddle(word, columns);
    text.remove_prefix(word.size());
    if (!text.empty()) shortened += ' ';
    text.remove_prefix(text.empty() ? 0 : 1);
  }
  return shortened;
}

}  // namespace sibyl::engine
