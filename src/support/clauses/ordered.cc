// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/ordered.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/one_of.h"
#include "support/lexicon.h"

namespace sibyl::support {
namespace {

enum class OrderKind : std::uint8_t { kTime, kRank, kContrast, kWay, kBase };

// A word that orders the tokens [left, at) before the tokens [from, right).
struct Order {
  OrderKind kind = OrderKind::kTime;
  std::size_t at = 0;
  std::size_t left = 0;
  std::size_t left_end = 0;
  std::size_t right = 0;
  std::size_t right_end = 0;
};

constexpr std::size_t kMostOrders = 64;
constexpr std::size_t kLongestSide = 8;

bool EndsSide(std::string_view lower) {
  constexpr std::array<std::string_view, 14> kWords = {
      "because", "whereas", "while", "but", "although", "though", "unless",
      "if",      "when",    "since", "so",  "which",    "where",  "whenever"};
  return IsOneOf(lower, kWords);
}

class OrderReader {
 public:
  OrderReader(std::string_view text, const std::vector<Token>& tokens)
      : text_view_(text), tokens_(tokens) {}

  std::vector<Order> Take() {
    for (std::size_t i = 0; i < tokens_.size() && orders_.size() < kMostOrders; ++i) {
      if (!tokens_[i].in_code) ReadAt(i);
    }
    return std::move(orders_);
  }

 private:
  std::string_view Lower(std::size_t i) const {
    return i < tokens_.size() ? std::string_view(tokens_[i].lower) : std::string_view();
  }

  std::string_view Before(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : tokens_[i - 1].end;
    return text_view_.substr(begin, tokens_[i].begin - begin);
  }

  bool EndsBetween(std::size_t i, std::string_view marks) const {
    const std::string_view between = Before(i);
    for (std::size_t at = 0; at < between.size(); ++at) {
      if (marks.find(between[at]) == std::string_view::npos) continue;
      const bool is_stop = between[at] != '.' || at + 1 < between.size();
      if (is_stop) return true;
    }
    return between.find("\n\n") != std::string_view::npos;
  }

  std::size_t LeftOf(std::size_t i) const {
    std::size_t begin = i;
    while (begin > 0 && i - begin < kLongestSide && !EndsBetween(begin, ".;") &&
           !EndsSide(Lower(begin - 1))) {
      --begin;
    }
    return begin;
  }

  std::size_t RightOf(std::size_t from, std::string_view marks = ".;,)") const {
    std::size_t end = from;
    while (end < tokens_.size() && end - from < kLongestSide &&
           (end == from || !EndsBetween(end, marks)) && (end - from < 2 || !EndsSide(Lower(end)))) {
      ++end;
    }
    return end;
  }

  void Add(OrderKind kind, std::size_t at, std::size_t from, bool is_flipped) {
    Order order = {.kind = kind,
                   .at = at,
                   .left = LeftOf(at),
                   .left_end = at,
                   .right = from,
                   .right_end = RightOf(from)};
    if (order.left == order.left_end || order.right == order.right_end) return;
    if (is_flipped) {
      std::swap(order.left, order.right);
      std::swap(order.left_end, order.right_end);
    }
    orders_.push_back(order);
  }

  // "Before the memory is used, it is cleared"
  void AddFronted(std::size_t i, bool is_flipped) {
    const std::size_t end = RightOf(i + 1, ".;,");
    if (end >= tokens_.size() || Before(end).find(',') == std::string_view::npos) return;
    Order order = {.kind = OrderKind::kTime,
                   .at = i,
                   .left = end,
                   .left_end = RightOf(end),
                   .right = i + 1,
                   .right_end = end};
    if (is_flipped) {
      std::swap(order.left, order.right);
      std::swap(order.left_end, order.right_end);
    }
    orders_.push_back(order);
  }

  void ReadAt(std::size_t i) {
    constexpr std::array<std::string_view, 6> kRankNouns = {"precedence", "priority",  "preference",
                                                            "wins",       "preferred", "chosen"};
    constexpr std::array<std::string_view, 3> kRankVerbs = {"overrides", "supersedes", "overrules"};
    constexpr std::array<std::string_view, 4> kRanked = {"overridden", "overruled", "superseded",
                                                         "shadowed"};
    constexpr std::array<std::string_view, 8> kBased = {"depends", "depend", "relies", "rely",
                                                        "built",   "builds", "based",  "layered"};
    const std::string_view lower = Lower(i);
    const std::string_view before = i == 0 ? std::string_view() : Lower(i - 1);
    const bool is_first = i == 0 || EndsBetween(i, ".;,");
    if (lower == "before" || lower == "after") {
      // "after 90 days", "after which", days-before-stale
      const bool is_span = i + 1 < tokens_.size() && tokens_[i + 1].kind == TokenKind::kNumber;
      if (is_span || Lower(i + 1) == "which" || Before(i) == "-") return;
      if (is_first) return AddFronted(i, lower == "after");
      return Add(OrderKind::kTime, i, i + 1, lower == "after");
    }
    if (lower == "over" && IsOneOf(before, kRankNouns))
      return Add(OrderKind::kRank, i - 1, i + 1, false);
    const bool is_verb = before == "to" || before == "will" || before == "can" || before == "may";
    if (IsOneOf(lower, kRankVerbs) || (lower == "override" && is_verb))
      return Add(OrderKind::kRank, i, i + 1, false);
    if (IsOneOf(lower, kRanked) && Lower(i + 1) == "by")
      return Add(OrderKind::kRank, i, i + 2, true);
    if (lower == "on" && IsOneOf(before, kBased)) {
      const bool is_top = Lower(i + 1) == "top" && Lower(i + 2) == "of";
      return Add(OrderKind::kBase, i - 1, is_top ? i + 3 : i + 1, false);
    }
    if (lower == "from") return ReadWay(i);
    const bool is_rather = lower == "rather" && Lower(i + 1) == "than";
    const bool is_instead = lower == "instead" && Lower(i + 1) == "of";
    if (is_rather || is_instead) return Add(OrderKind::kContrast, i, i + 2, false);
    const bool is_place =
        lower == "place" && Lower(i + 1) == "of" && (before == "the" || before == "in");
    if (is_place) return Add(OrderKind::kContrast, i - 1, i + 2, false);
    const bool is_joined =
        before == "and" || before == "but" || before == "e" || EndsBetween(i, ",(;");
    // "on Linux but not on Windows": the left side ends before "but".
    const std::size_t end = before == "but" ? i - 1 : i;
    if (lower == "not" && i > 0 && is_joined) Add(OrderKind::kContrast, end, i + 1, false);
  }

  // "from GPU to CPU"
  void ReadWay(std::size_t from) {
    constexpr std::size_t kMost = 6;
    for (std::size_t i = from + 2; i < std::min(from + kMost, tokens_.size()); ++i) {
      if (EndsBetween(i, ".;,:(")) return;
      if (Lower(i) != "to" && Lower(i) != "into") continue;
      if (i + 1 >= tokens_.size()) return;
      constexpr std::size_t kNear = 4;
      orders_.push_back({.kind = OrderKind::kWay,
                         .at = from,
                         .left = from + 1,
                         .left_end = i,
                         .right = i + 1,
                         .right_end = std::min(RightOf(i + 1), i + 1 + kNear)});
      return;
    }
  }

  std::string_view text_view_;
  const std::vector<Token>& tokens_;
  std::vector<Order> orders_;
};

class OrderComparer {
 public:
  OrderComparer(const ReadStatement& read, const EvidenceText& evidence)
      : read_(read), evidence_(evidence) {}

  // `status`, not the end of NINJA_STATUS.
  const std::vector<std::uint32_t>& PlacesOf(std::size_t token) const {
    const auto& exact = evidence_.PositionsOfWord(read_.tokens[token].lower);
    return exact.empty() ? read_.grounds[token].positions : exact;
  }

  OrderFinding Take() const {
    OrderFinding finding;
    const std::vector<Order> said = OrderReader(read_.statement.text, read_.tokens).Take();
    constexpr std::size_t kMostTokens = 20'000;
    if (said.empty() || evidence_.tokens().size() > kMostTokens) return finding;
    const std::vector<Order> there = OrderReader(evidence_.lines(), evidence_.tokens()).Take();
    for (const Order& order : said) {
      constexpr double kTelling = 2;
      constexpr double kOneName = 1.5;
      const double crossing = CrossingOf(order, there);
      const std::string& word = read_.tokens[order.at].lower;
      if (IsOtherWay(order)) finding.turned = word;
      if (crossing >= kTelling) finding.turned = word;
      if (crossing >= kOneName) finding.doubtful = word;
    }
    return finding;
  }

 private:
  struct Sides {
    double straight_left = 0;
    double straight_right = 0;
    double left = 0;  // of what crosses
    double right = 0;

    // Where both sides cross, what stays on the left is the verb.
    double Straight() const {
      return left > 0 && right > 0 ? straight_right : straight_left + straight_right;
    }
  };

  bool IsIn(std::size_t token, std::size_t begin, std::size_t end) const {
    if (begin == end) return false;
    const std::vector<std::uint32_t>& places = PlacesOf(token);
    const std::uint32_t first = evidence_.tokens()[begin].position;
    const auto at = std::lower_bound(places.begin(), places.end(), first);
    return at != places.end() && *at <= evidence_.tokens()[end - 1].position;
  }

  void Count(const Order& there, std::size_t token, bool is_left, Sides& sides) const {
    const double weight = WeightOf(read_.tokens[token]);
    if (weight < 1 || read_.grounds[token].ground < Ground::kSynonym) return;
    const bool in_left = IsIn(token, there.left, there.left_end);
    const bool in_right = IsIn(token, there.right, there.right_end);
    if (in_left == in_right) return;
    double& straight = is_left ? sides.straight_left : sides.straight_right;
    (in_left == is_left ? straight : is_left ? sides.left : sides.right) += weight;
  }

  // "from host to device" where the only name of a way is `DeviceToHost`.
  bool IsOtherWay(const Order& said) const {
    constexpr std::size_t kParts = 3;
    if (said.kind != OrderKind::kWay) return false;
    const auto has = [&](std::size_t begin, std::size_t end, const std::string& part) {
      for (std::size_t i = begin; i < end; ++i) {
        if (read_.tokens[i].stem == part || read_.tokens[i].lower == part) return true;
      }
      return false;
    };
    bool is_other = false;
    for (const Token& name : evidence_.tokens()) {
      if (name.kind != TokenKind::kName || name.parts.size() < kParts) continue;
      for (std::size_t i = 1; i + 1 < name.parts.size(); ++i) {
        if (name.parts[i] != "to") continue;
        const std::string& from = name.parts[i - 1];
        const std::string& to = name.parts[i + 1];
        if (has(said.left, said.left_end, from) && has(said.right, said.right_end, to))
          return false;
        is_other = is_other ||
                   (has(said.left, said.left_end, to) && has(said.right, said.right_end, from));
      }
    }
    return is_other;
  }

  // How much crosses; zero if the lines have the order as it is said, too.
  double CrossingOf(const Order& said, const std::vector<Order>& there) const {
    double most = 0;
    for (const Order& order : there) {
      if (order.kind != said.kind) continue;
      Sides sides;
      for (std::size_t i = said.left; i < said.left_end; ++i) {
        if (!IsOnBothSides(said, i)) Count(order, i, true, sides);
      }
      for (std::size_t i = said.right; i < said.right_end; ++i) {
        if (!IsOnBothSides(said, i)) Count(order, i, false, sides);
      }
      const double crossing = sides.left + sides.right;
      const double straight = sides.Straight();
      if (straight > 0 && straight >= crossing) return 0;
      const bool needs_both = said.kind == OrderKind::kTime || said.kind == OrderKind::kWay;
      if (needs_both && (sides.left == 0 || sides.right == 0)) continue;
      most = std::max(most, crossing - straight);
    }
    return most;
  }

  bool IsOnBothSides(const Order& said, std::size_t token) const {
    const bool in_left = token >= said.left && token < said.left_end;
    const std::size_t begin = in_left ? said.right : said.left;
    const std::size_t end = in_left ? said.right_end : said.left_end;
    for (std::size_t i = begin; i < end; ++i) {
      if (read_.tokens[i].stem == read_.tokens[token].stem) return true;
    }
    return false;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
};

}  // namespace

OrderFinding CompareOrder(const ReadStatement& read, const EvidenceText& evidence) {
  return OrderComparer(read, evidence).Take();
}

}  // namespace sibyl::support
