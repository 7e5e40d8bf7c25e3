// SPDX-License-Identifier: Apache-2.0
#include "evidence/instruction_phrases.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "evidence/instruction_fold.h"
#include "evidence/instruction_rules.h"
#include "evidence/instruction_tokens.h"
#include "evidence/letters.h"

namespace sibyl::evidence {
namespace {

int Base64Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

// All runs of base64 that are long enough for a sentence, decoded; the rest is
// left out.
std::string DecodeBase64(std::string_view text) {
  constexpr std::size_t kShortest = 16;
  std::string decoded;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && Base64Value(text[end]) >= 0) ++end;
    if (end - at >= kShortest) {
      unsigned bits = 0;
      int count = 0;
      for (; at < end; ++at) {
        bits = bits << 6U | static_cast<unsigned>(Base64Value(text[at]));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        const auto byte = static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
        decoded += byte == '\n' ? ' ' : byte;
      }
      decoded += ' ';
    }
    at = end + 1;
  }
  return decoded;
}

std::string DecodeRot13(std::string_view text) {
  std::string decoded(text);
  for (char& c : decoded) {
    if (!IsLatinLetter(static_cast<unsigned char>(c))) continue;
    const char first = c >= 'a' ? 'a' : 'A';
    c = static_cast<char>(first + (c - first + 13) % 26);
  }
  return decoded;
}

// The lines of a paragraph, from zero.
std::vector<std::size_t> Judge(std::string_view paragraph, bool was_encoded) {
  FoldedText folded;
  std::string_view text = paragraph;
  if (NeedsFolding(paragraph)) {
    folded = FoldText(paragraph);
    text = folded.text;
  }
  const Tokens tokens = ReadTokens(text);
  std::vector<std::size_t> found = FindInstructedLines(tokens, folded, was_encoded);
  if (!found.empty() || was_encoded || (tokens.roles & kDecode) == 0) return found;
  const std::string lower = LowerCase(text);
  const bool has_rot13 =
      lower.find("rot13") != std::string::npos || lower.find("rot-13") != std::string::npos;
  for (const std::string& decoded : {DecodeBase64(text), has_rot13 ? DecodeRot13(text) : ""}) {
    if (!decoded.empty() && !Judge(decoded, true).empty()) return {0};
  }
  return {};
}

}  // namespace

std::vector<std::size_t> FindInstructionLines(std::string_view text) {
  std::vector<std::size_t> found;
  std::size_t line = 0;
  std::size_t first_line = 0;
  std::size_t begin = 0;  // of the paragraph
  std::size_t at = 0;
  const auto judge = [&](std::size_t end) {
    if (end <= begin) return;
    for (const std::size_t where : Judge(text.substr(begin, end - begin), false)) {
      found.push_back(first_line + where);
    }
  };
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (Trim(text.substr(at, end - at)).empty()) {
      judge(at);
      begin = end;
      first_line = line + 1;
    }
    at = end;
    ++line;
  }
  judge(text.size());
  return found;
}

}  // namespace sibyl::evidence
