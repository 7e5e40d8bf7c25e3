// SPDX-License-Identifier: Apache-2.0
#include "support/missing_names.h"

#include <algorithm>

#include "base/strings.h"
#include "support/command.h"

namespace sibyl::support {

bool MissingNames::IsOfKnownCode(const Token& token) const {
  for (const statement::TextRun& run : read_.statement.runs) {
    if (!run.is_code || token.begin < run.begin || token.end > run.end) continue;
    const std::string_view code =
        Trim(std::string_view(read_.statement.text).substr(run.begin, run.end - run.begin));
    if (code.starts_with('-') || code.find_first_of(" -") == std::string_view::npos) return false;
    if (IsCommandOf(code, evidence_.lines())) return true;
    return std::any_of(files_.begin(), files_.end(), [&](std::string_view file) {
      if (searches_left_ == 0) return false;
      --searches_left_;
      return file.find(code) != std::string_view::npos;
    });
  }
  return false;
}

bool MissingNames::IsOfFirstName(const Token& token) const {
  const auto& runs = read_.statement.runs;
  const auto first = std::find_if(runs.begin(), runs.end(),
                                  [](const statement::TextRun& run) { return run.is_code; });
  return first != runs.end() && token.begin >= first->begin && token.end <= first->end;
}

bool MissingNames::IsExchanged(const Token& name) const {
  constexpr std::size_t kFewest = 2;
  if (name.kind != TokenKind::kName || !IsOfFirstName(name)) return false;
  if (name.parts.size() < kFewest || evidence_.HasWord(name.lower)) return false;
  return std::any_of(evidence_.tokens().begin(), evidence_.tokens().end(), [&](const Token& other) {
    const bool is_alike =
        other.kind == TokenKind::kName && other.parts.size() >= kFewest &&
        other.parts.front() == name.parts.front() &&
        (other.lower.find('_') == std::string::npos) == (name.lower.find('_') == std::string::npos);
    if (!is_alike) return false;
    return std::none_of(read_.tokens.begin(), read_.tokens.end(),
                        [&](const Token& said) { return said.lower == other.lower; });
  });
}

bool MissingNames::IsInFile(const std::string& lower) const {
  return std::any_of(files_.begin(), files_.end(), [&](std::string_view file) {
    if (searches_left_ == 0) return false;
    --searches_left_;
    return LowerCase(file).find(lower) != std::string::npos;
  });
}

}  // namespace sibyl::support
