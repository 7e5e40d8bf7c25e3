// SPDX-License-Identifier: Apache-2.0
#include "base/toml_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>

namespace sibyl {

std::string TomlString(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (byte < ' ' || byte == 0x7f) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += letter;
    }
  }
  return quoted + '"';
}

std::string TomlStrings(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ", ";
    list += TomlString(text);
  }
  return list + ']';
}

std::optional<std::string> ReadTomlString(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const char letter = rest[i];
    if (letter == '"') {
      rest.remove_prefix(i + 1);
      return text;
    }
    if (static_cast<unsigned char>(letter) < ' ') return std::nullopt;
    if (letter != '\\') {
      text += letter;
      continue;
    }
    if (++i == rest.size()) return std::nullopt;
    if (rest[i] == '"' || rest[i] == '\\') {
      text += rest[i];
      continue;
    }
    if (rest[i] != 'u' || rest.size() - i < 5) return std::nullopt;
    unsigned value = 0;
    const char* digits = rest.data() + i + 1;
    const auto [stop, error] = std::from_chars(digits, digits + 4, value, 16);
    if (error != std::errc() || stop != digits + 4 || value > 0x7f) return std::nullopt;
    text += static_cast<char>(value);
    i += 4;
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> ReadTomlStrings(std::string_view& rest) {
  if (!rest.starts_with('[')) return std::nullopt;
  rest.remove_prefix(1);
  std::vector<std::string> texts;
  while (!rest.starts_with(']')) {
    if (!texts.empty()) {
      if (!rest.starts_with(", ")) return std::nullopt;
      rest.remove_prefix(2);
    }
    std::optional<std::string> text = ReadTomlString(rest);
    if (!text) return std::nullopt;
    texts.push_back(*std::move(text));
  }
  rest.remove_prefix(1);
  return texts;
}

}  // namespace sibyl
