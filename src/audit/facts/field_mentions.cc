// SPDX-License-Identifier: Apache-2.0
#include "audit/facts/field_mentions.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostMentions = 200;

char At(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : '\0'; }

bool EndsWord(std::string_view text, std::size_t at) { return !IsNameByte(At(text, at)); }

// "12.4", "550.54.14", "12": digits and points, from `at`.
std::string_view VersionAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (IsDigit(At(text, end)) ||
         (At(text, end) == '.' && end > at && IsDigit(At(text, end + 1)))) {
    ++end;
  }
  return text.substr(at, end - at);
}

std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (At(text, at) == ' ' || At(text, at) == '\n') ++at;
  return at;
}

// Skips any of the words, each followed by blanks.
std::size_t SkipWords(std::string_view text, std::size_t at,
                      std::initializer_list<std::string_view> words) {
  constexpr int kMostWords = 4;
  for (int i = 0; i < kMostWords; ++i) {
    at = SkipBlanks(text, at);
    const auto word = std::find_if(words.begin(), words.end(), [&](std::string_view one) {
      return StartsWithIgnoringCase(text.substr(std::min(at, text.size())), one) &&
             (!IsLetter(one.back()) || !IsLetter(At(text, at + one.size())));
    });
    if (word == words.end()) return at;
    at += word->size();
  }
  return SkipBlanks(text, at);
}

// The name of a product at `at`; the longest. Blanks may be missing or hyphens.
std::size_t MatchName(std::string_view text, std::size_t at, std::string_view name) {
  const bool is_exact = name.find(' ') == name.npos;  // "T4" is not "t4"
  for (const char c : name) {
    if (c == ' ') {
      if (At(text, at) == ' ' || At(text, at) == '-') ++at;
      continue;
    }
    const char there = At(text, at);
    const bool is_same = is_exact
                             ? there == c
                             : IsAlphanumeric(there) && LowerCase(std::string_view(&there, 1)) ==
                                                            LowerCase(std::string_view(&c, 1));
    if (!is_same) return 0;
    ++at;
  }
  return EndsWord(text, at) ? at : 0;
}

std::optional<Mention> ProductAt(std::string_view text, std::size_t at) {
  std::optional<Mention> best;
  for (const field::Product& product : field::Products()) {
    const std::size_t end = MatchName(text, at, product.name);
    if (end == 0 || (best && best->end >= end)) continue;
    best = Mention{
        .kind = MentionKind::kProduct, .begin = at, .end = end, .value = at, .product = &product};
  }
  return best;
}

std::optional<Mention> GenerationAt(std::string_view text, std::size_t at) {
  if (!IsUpper(At(text, at))) return std::nullopt;
  for (const field::ArchitectureLife& life : field::Architectures()) {
    if (!text.substr(at).starts_with(life.generation)) continue;
    std::size_t end = at + life.generation.size();
    if (!EndsWord(text, end)) continue;
    const std::string_view behind = text.substr(end);
    if (behind.starts_with(" Altra") || behind.starts_with(" Computing")) return std::nullopt;
    if (behind.starts_with(" Lovelace")) end += 9;
    return Mention{.kind = MentionKind::kGeneration,
                   .begin = at,
                   .end = end,
                   .value = at,
                   .generation = life.generation};
  }
  return std::nullopt;
}

std::optional<Mention> NumberedArchitecture(std::string_view text, std::size_t at,
                                            std::size_t number, std::size_t end) {
  const auto architecture = field::ParseArchitecture(text.substr(number, end - number));
  if (!architecture || architecture->number > 199) return std::nullopt;
  return Mention{.kind = MentionKind::kArchitecture,
                 .begin = at,
                 .end = end,
                 .value = at,
                 .architecture = *architecture};
}

// sm_90a, SM90, compute_90; compute capability 9.0, CC 9.0.
std::optional<Mention> ArchitectureAt(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  for (const std::string_view prefix : {"sm_", "SM_", "compute_", "sm", "SM"}) {
    if (!rest.starts_with(prefix) || !IsDigit(At(text, at + prefix.size()))) continue;
    std::size_t end = at + prefix.size();
    while (IsDigit(At(text, end))) ++end;
    if (At(text, end) == 'a' || At(text, end) == 'f') ++end;
    const bool goes_on = At(text, end) == '.' && IsDigit(At(text, end + 1));
    if (!EndsWord(text, end) || goes_on) return std::nullopt;
    return NumberedArchitecture(text, at, at + prefix.size(), end);
  }
  std::size_t number = 0;
  if (StartsWithIgnoringCase(rest, "compute capabilit")) {
    number = SkipWords(text, at + 17, {"y", "ies", "(CC)", "version", "of", "is"});
  } else if (rest.starts_with("CC ")) {
    number = at + 3;
  }
  if (number == 0) return std::nullopt;
  const std::string_view version = VersionAt(text, number);
  std::size_t end = number + version.size();
  if (At(text, end) == 'a' && EndsWord(text, end + 1)) ++end;
  if (version.find('.') == version.npos || !EndsWord(text, end)) return std::nullopt;
  auto mention = NumberedArchitecture(text, at, number, end);
  if (mention) mention->value = number;
  return mention;
}

std::optional<Mention> ToolkitAt(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  std::size_t number = 0;
  if (rest.starts_with("CUDA")) {
    number = SkipWords(text, at + 4, {"Toolkit", "version", "release", "SDK", "-", "v"});
  } else if (StartsWithIgnoringCase(rest, "toolkit ")) {
    number = SkipWords(text, at + 8, {"version", "release", "v"});
  }
  if (number == 0) return std::nullopt;
  const bool is_least = text.substr(std::min(number, text.size())).starts_with(">=");
  if (is_least) number = SkipBlanks(text, number + 2);
  const std::string_view version = VersionAt(text, number);
  if (version.empty() || version.size() > 8) return std::nullopt;
  Mention mention{
      .kind = MentionKind::kToolkit, .begin = at, .end = number + version.size(), .value = number};
  if (const auto parsed = field::ParseCudaVersion(version)) {
    mention.version = *parsed;
  } else {
    const auto major = field::ParseCudaVersion(std::string(version) + ".0");
    if (!major) return std::nullopt;
    mention.version = *major;
    mention.is_major = true;
    if (text.substr(mention.end).starts_with(".x")) mention.end += 2;
  }
  if (!EndsWord(text, mention.end) || mention.version.major > 20) return std::nullopt;
  return mention;
}

std::optional<Mention> DriverAt(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  std::size_t number = at;
  if (StartsWithIgnoringCase(rest, "driver")) {
    number = SkipWords(text, at + 6,
                       {"s", "version", "branch", "release", "of", "at", "least", ">=", "R", "r",
                        "must", "be", "is"});
    if (number == at + 6) return std::nullopt;
  } else if (rest.starts_with("R") && IsDigit(At(text, at + 1))) {
    number = at + 1;
  }
  const std::string_view version = VersionAt(text, number);
  // Without a word, only 550.54.14 is certainly a driver; and "the 550 branch".
  const bool is_long = std::ranges::count(version, '.') == 2 ||
                       text.substr(number + version.size()).starts_with(" branch");
  if (version.size() < 3 || (number == at && !is_long)) return std::nullopt;
  auto driver = field::ParseDriverVersion(version);
  if (!driver || driver->parts[0] > 999 || driver->parts[0] < 300) return std::nullopt;
  const std::size_t end = number + version.size();
  if (!EndsWord(text, end)) return std::nullopt;
  return Mention{.kind = MentionKind::kDriver,
                 .begin = at,
                 .end = end,
                 .value = number,
                 .driver = *std::move(driver)};
}

std::optional<Mention> PtxAt(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("PTX ")) return std::nullopt;
  const std::size_t number = SkipWords(text, at + 4, {"ISA", "version", "v"});
  const std::string_view version = VersionAt(text, number);
  const auto parsed = field::ParseCudaVersion(version);
  const std::size_t end = number + version.size();
  if (!parsed || parsed->major > 20 || !EndsWord(text, end)) return std::nullopt;
  return Mention{
      .kind = MentionKind::kPtx, .begin = at, .end = end, .value = number, .version = *parsed};
}

std::optional<Mention> BareAt(std::string_view text, std::size_t at) {
  if (!IsDigit(text[at])) return std::nullopt;
  const std::string_view version = VersionAt(text, at);
  std::size_t end = at + version.size();
  const auto parsed = field::ParseCudaVersion(version);
  if (!parsed || std::ranges::count(version, '.') != 1 || version.size() > 4) return std::nullopt;
  Mention mention{.kind = MentionKind::kBare, .begin = at, .value = at, .version = *parsed};
  if (const auto architecture = field::ParseArchitecture(version)) {
    mention.architecture = *architecture;
    if (At(text, end) == 'a' && EndsWord(text, end + 1)) mention.architecture.suffix = text[end++];
  }
  mention.end = end;
  if (!EndsWord(text, end)) return std::nullopt;
  return mention;
}

std::optional<Mention> MentionAt(std::string_view text, std::size_t at) {
  for (const auto read :
       {ProductAt, GenerationAt, ArchitectureAt, ToolkitAt, DriverAt, PtxAt, BareAt}) {
    if (auto mention = read(text, at)) return mention;
  }
  return std::nullopt;
}

// "8.0+", "8.0 or newer", "8.0 to 9.0", ">= 8.0": more than this one.
bool IsRange(std::string_view text, const Mention& mention) {
  const std::vector<std::string> before = PlainTokens(text.substr(
      mention.begin > 16 ? mention.begin - 16 : 0, std::min<std::size_t>(mention.begin, 16)));
  constexpr std::array<std::string_view, 12> kBefore = {
      ">=", ">", "<", "<=", "least", "from", "to", "through", "between", "than", "until", "beyond"};
  if (!before.empty() && IsOneOf(before.back(), kBefore)) return true;
  if (mention.value > mention.begin &&
      text.substr(mention.begin, mention.value - mention.begin).find('>') != text.npos) {
    return true;
  }
  const std::vector<std::string> behind = PlainTokens(text.substr(mention.end, 24));
  if (behind.empty()) return false;
  constexpr std::array<std::string_view, 5> kRange = {"+", "to", "through", "-", "–"};
  constexpr std::array<std::string_view, 8> kMore = {"newer", "later",   "above", "higher",
                                                     "up",    "greater", "older", "below"};
  if (IsOneOf(behind[0], kRange)) {
    return behind[0] == "+" || (behind.size() > 1 && (IsDigit(behind[1][0]) || behind[1] == "sm"));
  }
  return behind.size() > 1 && (behind[0] == "or" || behind[0] == "and") &&
         IsOneOf(behind[1], kMore);
}

bool IsListMark(std::string_view between) {
  const std::vector<std::string> tokens = PlainTokens(between);
  constexpr std::array<std::string_view, 6> kMarks = {",", "and", "or", "/", "&", "the"};
  return !tokens.empty() && tokens.size() <= 3 &&
         std::ranges::all_of(tokens, [&](const std::string& one) { return IsOneOf(one, kMarks); });
}

}  // namespace

std::vector<std::string> PlainTokens(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (IsNameByte(text[end]) || text[end] == '\'')) ++end;
    if (end == at) {
      const std::string_view two = text.substr(at, 2);
      end = at + (two == ">=" || two == "<=" || two == "->" ? 2 : 1);
      // The bytes of one character stay together.
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    }
    const std::string_view token = text.substr(at, end - at);
    if (token != " " && token != "\n" && token != "\t") tokens.push_back(LowerCase(token));
    at = end;
  }
  return tokens;
}

std::vector<MentionGroup> FindMentions(std::string_view text) {
  std::vector<MentionGroup> groups;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size() && count < kMostMentions;) {
    const bool begins =
        IsAlphanumeric(text[at]) && (at == 0 || (!IsNameByte(text[at - 1]) && text[at - 1] != '.'));
    Work::Add(1);
    std::optional<Mention> mention = begins ? MentionAt(text, at) : std::nullopt;
    if (!mention) {
      ++at;
      continue;
    }
    at = mention->end;
    ++count;
    mention->is_range = IsRange(text, *mention);
    const bool continues =
        !groups.empty() &&
        IsListMark(text.substr(groups.back().end(), mention->begin - groups.back().end()));
    if (continues && mention->kind == MentionKind::kBare &&
        groups.back().kind == MentionKind::kArchitecture && mention->architecture.number >= 30) {
      mention->kind = MentionKind::kArchitecture;
    }
    if (continues && groups.back().kind == mention->kind) {
      groups.back().all.push_back(*std::move(mention));
    } else {
      groups.push_back({.kind = mention->kind, .all = {*std::move(mention)}});
    }
  }
  return groups;
}

}  // namespace sibyl::audit
