// SPDX-License-Identifier: Apache-2.0
#include "audit/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/hex.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "statement/folded_text.h"

namespace sibyl::audit {
namespace {

constexpr std::string_view kHeader = "sibyl baseline 1";
constexpr std::size_t kDigits = 16;

bool IsFingerprint(std::string_view text) { return text.size() == kDigits && IsLowerHex(text); }

// One line, whatever a file is called.
std::string WithoutControls(std::string text) {
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  }
  return std::string(Trim(text));
}

Error NotALine(std::size_t number, std::string_view line, std::string_view why) {
  return {.kind = ErrorKind::kCorrupt,
          .message = fmt::format("reading a baseline: {}", why),
          .hint = "write a new one with --write-baseline",
          .place = Place{.file = {}, .line = number, .column = 1, .text = std::string(line)}};
}

std::optional<std::size_t> ReadCount(std::string_view text) {
  const std::optional<std::size_t> count = ParseNumber<std::size_t>(text);
  return count && *count > 0 ? count : std::nullopt;
}

}  // namespace

std::string LineKey(std::string_view line) {
  // Hashed with every finding of the line; a longer one is hashed once.
  constexpr std::size_t kLongest = std::size_t{16} << 10;
  const statement::FoldedText folded(line, statement::Folding::kSpace);
  return folded.text().size() <= kLongest ? std::string(folded.text()) : Sha256(folded.text());
}

std::string Fingerprint(const statement::Judgement& judgement, std::string_view path) {
  const std::string line =
      judgement.long_line != nullptr ? *judgement.long_line : LineKey(judgement.place.text);
  return Sha256(fmt::format("{}\n{}\n{}\n{}", judgement.code, path, judgement.text, line))
      .substr(0, kDigits);
}

Result<Baseline> Baseline::Parse(std::string_view text) {
  Baseline baseline;
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(text)) {
    ++number;
    if (number == 1) {
      if (line != kHeader)
        return NotALine(number, line, "not a baseline, or one of another version");
      continue;
    }
    if (Trim(line).empty()) continue;
    const std::string_view fingerprint = line.substr(0, std::min(line.find(' '), line.size()));
    std::string_view rest = line.substr(std::min(fingerprint.size() + 1, line.size()));
    const std::string_view count_text = rest.substr(0, std::min(rest.find(' '), rest.size()));
    rest.remove_prefix(std::min(count_text.size() + 1, rest.size()));
    const auto count = ReadCount(count_text);
    if (!IsFingerprint(fingerprint) || !count) {
      return NotALine(number, line, "expected sixteen hexadecimal digits, a count and a message");
    }
    const bool is_new = baseline.entries_
                            .try_emplace(std::string(fingerprint),
                                         Entry{*count, WithoutControls(std::string(rest))})
                            .second;
    if (!is_new) return NotALine(number, line, "a finding is listed twice");
  }
  if (number == 0) return NotALine(1, "", "it is empty");
  return baseline;
}

void Baseline::Add(const statement::Judgement& judgement, std::string_view path) {
  Entry& entry = entries_[Fingerprint(judgement, path)];
  ++entry.count;
  entry.about = WithoutControls(
      fmt::format("{} {} {}", path, judgement.code, statement::Excerpt(judgement.text)));
}

bool Baseline::Take(const statement::Judgement& judgement, std::string_view path) {
  const auto entry = entries_.find(Fingerprint(judgement, path));
  if (entry == entries_.end() || entry->second.count == 0) return false;
  --entry->second.count;
  return true;
}

std::size_t Baseline::left() const {
  std::size_t count = 0;
  for (const auto& [fingerprint, entry] : entries_) count += entry.count;
  return count;
}

std::string Baseline::Format() const {
  std::vector<std::pair<std::string_view, std::string>> lines;
  for (const auto& [fingerprint, entry] : entries_) {
    if (entry.count == 0) continue;
    lines.emplace_back(entry.about, fmt::format("{} {} {}", fingerprint, entry.count, entry.about));
  }
  std::sort(lines.begin(), lines.end());
  std::string text = std::string(kHeader) + "\n";
  for (const auto& [about, line] : lines) {
    text += Trim(line);
    text += '\n';
  }
  return text;
}

}  // namespace sibyl::audit
