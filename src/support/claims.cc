// SPDX-License-Identifier: Apache-2.0
#include "support/claims.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/one_of.h"
#include "base/strings.h"
#include "support/values.h"

namespace sibyl::support {
namespace {

// "has to be given", "must be requested": it is off.
bool IsOnRequest(const std::vector<Token>& tokens, std::size_t i, std::size_t end) {
  constexpr std::array<std::string_view, 8> kWords = {"given", "requested", "passed", "enabled",
                                                      "set",   "activated", "asked",  "switched"};
  const std::string& lower = tokens[i].lower;
  const bool is_must = lower == "must" ||
                       (lower == "to" && i > 0 && tokens[i - 1].lower == "has") ||
                       (lower == "to" && i > 0 && tokens[i - 1].lower == "have");
  return is_must && i + 2 < end && tokens[i + 1].lower == "be" &&
         IsOneOf(tokens[i + 2].lower, kWords);
}

// "from 12.2 on", "later on", "depends on", "a trade off": not a value.
bool IsAdverb(const Clause& clause, std::size_t i) {
  constexpr std::array<std::string_view, 6> kStates = {"is",     "are",      "be",
                                                       "turned", "switched", "to"};
  constexpr std::array<std::string_view, 36> kVerbs = {
      "depend",  "depends",  "depending", "based",   "base",  "builds", "built", "run",
      "runs",    "running",  "ran",       "relies",  "rely",  "works",  "work",  "operates",
      "acts",    "act",      "later",     "early",   "so",    "goes",   "go",    "going",
      "carries", "carried",  "passes",    "passed",  "trade", "trades", "falls", "drops",
      "cut",     "executed", "called",    "executes"};
  if (i == clause.begin) return true;
  const Token& before = clause.tokens[i - 1];
  if (IsOneOf(before.lower, kStates)) return false;
  if (before.kind == TokenKind::kNumber || IsOneOf(before.lower, kVerbs)) return true;
  for (std::size_t j = clause.begin; j < i; ++j) {
    if (clause.tokens[j].lower == "from" && !before.in_code) return true;
  }
  return false;
}

// "is on", "leaves the cache off"; not "on the device", and not "can be turned off".
bool IsStated(const Clause& clause, std::size_t i) {
  constexpr std::array<std::string_view, 7> kAfter = {"by", "unless", "out",  "and",
                                                      "in", "from",   "until"};
  constexpr std::array<std::string_view, 4> kMay = {"can", "may", "could", "might"};
  const std::vector<Token>& tokens = clause.tokens;
  if (tokens[i].in_code) return true;
  const bool is_last = i + 1 == clause.end || IsOneOf(tokens[i + 1].lower, kAfter);
  if (!is_last || IsAdverb(clause, i)) return false;
  return i < clause.begin + 3 || !IsOneOf(tokens[i - 3].lower, kMay);
}

// Words that are a value only where they are stated of something.
bool IsLoose(std::string_view lower) { return lower == "on" || lower == "off" || lower == "no"; }

// "leaves out the tests", "the tests are left out", "excludes"
bool LeavesOut(const std::vector<Token>& tokens, std::size_t i, std::size_t end) {
  constexpr std::array<std::string_view, 8> kWords = {
      "omits", "omitted", "excludes", "excluded", "excluding", "leaves", "left", "skips"};
  const std::string& lower = tokens[i].lower;
  if (!IsOneOf(lower, kWords)) return false;
  const bool needs_out = lower == "leaves" || lower == "left";
  return !needs_out || (i + 1 < end && tokens[i + 1].lower == "out");
}

}  // namespace

Sign Flip(Sign sign) {
  return sign == Sign::kOn ? Sign::kOff : sign == Sign::kOff ? Sign::kOn : sign;
}

bool IsPreposition(const std::vector<Token>& tokens, std::size_t i) {
  if (tokens[i].lower != "on" && tokens[i].lower != "off") return false;
  std::size_t begin = i;
  while (begin > 0 && tokens[begin - 1].clause == tokens[i].clause) --begin;
  const std::size_t end = ClauseEnd(tokens, i);
  const std::string_view other = tokens[i].lower == "on" ? "off" : "on";
  for (std::size_t at = begin; at < end; ++at) {
    if (tokens[at].lower == other) return true;  // "on or off": both
  }
  return !IsStated({tokens, begin, end}, i);
}

bool HasVerb(const Clause& clause) {
  constexpr std::array<std::string_view, 9> kVerbs = {"is",   "are",     "defaults", "stays", "was",
                                                      "runs", "remains", "starts",   "uses"};
  for (std::size_t i = clause.begin; i < clause.end; ++i) {
    if (IsOneOf(clause.tokens[i].lower, kVerbs)) return true;
  }
  return false;
}

std::size_t ClauseEnd(const std::vector<Token>& tokens, std::size_t begin) {
  std::size_t end = begin;
  while (end < tokens.size() && tokens[end].clause == tokens[begin].clause) ++end;
  return end;
}

bool IsBeforeUnless(const Clause& clause) {
  const std::vector<Token>& tokens = clause.tokens;
  const std::size_t next = clause.end;
  if (next >= tokens.size() || tokens[next].lower != "unless") return false;
  const std::size_t end = ClauseEnd(tokens, next);
  return std::none_of(tokens.begin() + static_cast<std::ptrdiff_t>(next),
                      tokens.begin() + static_cast<std::ptrdiff_t>(end),
                      [](const Token& token) { return token.in_code; });
}

Claim ClaimOf(const Clause& clause) {
  const std::vector<Token>& tokens = clause.tokens;
  const std::size_t end = clause.end;
  constexpr std::array<std::string_view, 9> kOn = {
      "on", "enabled", "enable", "true", "yes", "active", "enables", "activated", "allowed"};
  constexpr std::array<std::string_view, 9> kOff = {"off",      "disabled",    "disable",
                                                    "false",    "no",          "inactive",
                                                    "disables", "deactivated", "skipped"};
  Claim claim;
  bool has_on = false;
  bool has_off = false;
  for (std::size_t i = clause.begin; i < end; ++i) {
    const std::string& lower = tokens[i].lower;
    const bool is_loose = IsLoose(lower) && !IsStated(clause, i);
    if (IsOneOf(lower, kOn) && !is_loose) claim.sign = Sign::kOn;
    if (IsOneOf(lower, kOff) && !is_loose) claim.sign = Sign::kOff;
    has_on = has_on || IsOneOf(lower, kOn);
    has_off = has_off || IsOneOf(lower, kOff);
    claim.is_negated = claim.is_negated || tokens[i].is_negation || LeavesOut(tokens, i, end);
  }
  // "turns the profiler on or off"
  if (has_on && has_off) claim.sign = Sign::kNone;
  if (claim.sign != Sign::kNone && claim.is_negated) claim.sign = Flip(claim.sign);
  for (std::size_t i = clause.begin; i < end; ++i) {
    if (IsOnRequest(tokens, i, end)) claim.sign = Sign::kOff;
  }
  claim.is_implied = claim.sign == Sign::kNone;
  return claim;
}

bool SpeaksOfDefault(std::string_view text) {
  const std::string lower = LowerCase(text);
  constexpr std::array<std::string_view, 55> kCues = {"default",
                                                      "unless ",
                                                      "out of the box",
                                                      "told otherwise",
                                                      "not given",
                                                      "unset",
                                                      "is not set",
                                                      "left alone",
                                                      "freshly",
                                                      "initially",
                                                      "no value",
                                                      "unspecified",
                                                      "omitted",
                                                      "without overrides",
                                                      "not specified",
                                                      "without argument",
                                                      "without any",
                                                      "without option",
                                                      "without flag",
                                                      "without a setting",
                                                      "without further",
                                                      "not supplied",
                                                      "not provided",
                                                      "not passed",
                                                      "not configured",
                                                      "nothing is given",
                                                      "nothing is set",
                                                      "no explicit",
                                                      "as shipped",
                                                      "left empty",
                                                      "from the start",
                                                      "newly ",
                                                      "a fresh ",
                                                      "as delivered",
                                                      "start out",
                                                      "starts out",
                                                      "start off",
                                                      "starts off",
                                                      "as supplied",
                                                      "unconfigured",
                                                      "without settings",
                                                      "is left out",
                                                      "is left at",
                                                      "is chosen",
                                                      "when omitted",
                                                      "not chosen",
                                                      "without an expl",
                                                      "if none is",
                                                      "ordinarily",
                                                      "a plain ",
                                                      "an ordinary ",
                                                      "left to itself",
                                                      "nothing is changed",
                                                      "says otherwise",
                                                      "if nothing else"};
  return std::any_of(kCues.begin(), kCues.end(),
                     [&](std::string_view cue) { return lower.find(cue) != std::string::npos; });
}

}  // namespace sibyl::support
