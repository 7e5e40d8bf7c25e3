// SPDX-License-Identifier: Apache-2.0
#include "net/robots.h"

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"

namespace sibyl::net {
namespace {

constexpr double kLongestDelaySeconds = 60.0;

// Canonical form: percent-encoding only where needed, non-ASCII encoded,
// upper-case digits.
std::string Normalised(std::string_view text) {
  std::string normal;
  normal.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (const std::optional<char> decoded = DecodedByte(text, i)) {
      i += 2;
      if (IsUnreserved(*decoded)) {
        normal += *decoded;
      } else {
        AppendPercent(normal, *decoded);
      }
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      AppendPercent(normal, c);
    } else {
      normal += c;
    }
  }
  return normal;
}

// Each piece between two stars is searched for after the previous one: linear
// for any pattern.
bool Matches(std::string_view pattern, std::string_view target) {
  const bool to_the_end = pattern.ends_with('$');
  if (to_the_end) pattern.remove_suffix(1);
  bool is_first = true;
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    const bool is_last = star == std::string_view::npos;
    if (is_first) {
      if (!target.starts_with(piece)) return false;
      target.remove_prefix(piece.size());
      if (is_last) return !to_the_end || target.empty();
    } else if (is_last && to_the_end) {
      return target.ends_with(piece);
    } else if (!piece.empty()) {
      const void* found = memmem(target.data(), target.size(), piece.data(), piece.size());
      if (found == nullptr) return false;
      target.remove_prefix(
          static_cast<std::size_t>(static_cast<const char*>(found) - target.data()) + piece.size());
    }
    if (is_last) return true;
    is_first = false;
    pattern.remove_prefix(star + 1);
  }
}

// "sibyl/1.0 (x)" is "sibyl".
std::string_view TokenOf(std::string_view agent) {
  const auto end = std::find_if(agent.begin(), agent.end(), [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-');
  });
  return agent.substr(0, static_cast<std::size_t>(end - agent.begin()));
}

}  // namespace

/// Parses the file into two sets of rules: ours and those for all.
class RobotsReader {
 public:
  explicit RobotsReader(std::string_view product_token) : token_(product_token) {}

  void Read(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view key = Trim(line.substr(0, colon));
    const std::string_view value = Trim(line.substr(colon + 1));
    if (EqualsIgnoringCase(key, "user-agent")) {
      ReadAgent(value);
    } else if (EqualsIgnoringCase(key, "allow") || EqualsIgnoringCase(key, "disallow")) {
      in_agents_ = false;
      // An empty rule rules nothing.
      if (!value.empty()) AddRule(value, EqualsIgnoringCase(key, "allow"));
    } else if (EqualsIgnoringCase(key, "crawl-delay")) {
      in_agents_ = false;
      ReadDelay(value);
    }
  }

  Robots Finish() { return names_us_ ? std::move(ours_) : std::move(everybodys_); }

 private:
  void ReadAgent(std::string_view agent) {
    // A line of rules ends the list of names that the group is for.
    if (!in_agents_) {
      is_ours_ = false;
      is_everybodys_ = false;
    }
    in_agents_ = true;
    if (agent.starts_with('*')) {
      is_everybodys_ = true;
    } else if (EqualsIgnoringCase(TokenOf(agent), token_)) {
      is_ours_ = true;
      names_us_ = true;
    }
  }

  void AddRule(std::string_view pattern, bool allows) {
    if (!is_ours_ && !is_everybodys_) return;
    Robots::Rule rule{.pattern = Normalised(pattern), .allows = allows};
    if (is_ours_) ours_.rules_.push_back(rule);
    if (is_everybodys_) everybodys_.rules_.push_back(std::move(rule));
  }

  void ReadDelay(std::string_view value) {
    const std::optional<double> seconds = ParseNumber<double>(value);
    if (!seconds || !(*seconds >= 0)) return;
    const auto delay = std::chrono::milliseconds(
        static_cast<std::int64_t>(std::min(*seconds, kLongestDelaySeconds) * 1000.0));
    if (is_ours_) ours_.crawl_delay_ = delay;
    if (is_everybodys_) everybodys_.crawl_delay_ = delay;
  }

  std::string_view token_;
  Robots ours_;
  Robots everybodys_;
  bool names_us_ = false;
  bool in_agents_ = false;
  bool is_ours_ = false;
  bool is_everybodys_ = false;
};

Robots Robots::DisallowAll() {
  Robots robots;
  robots.rules_.push_back({.pattern = "/", .allows = false});
  return robots;
}

Robots Robots::Parse(std::string_view text, std::string_view product_token) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  text = text.substr(0, kMaxRobotsBytes);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  RobotsReader reader(product_token);
  for (const std::string_view line : SplitLines(text)) reader.Read(line);
  return reader.Finish();
}

bool Robots::Allows(std::string_view target) const {
  if (target == "/robots.txt") return true;
  const std::string normal = Normalised(target);
  std::size_t longest = 0;
  bool allows = true;
  for (const Rule& rule : rules_) {
    const std::size_t length = rule.pattern.size();
    const bool decides = length > longest || (length == longest && rule.allows);
    if (decides && Matches(rule.pattern, normal)) {
      longest = length;
      allows = rule.allows;
    }
  }
  return allows;
}

}  // namespace sibyl::net
