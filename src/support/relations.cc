// SPDX-License-Identifier: Apache-2.0
#include "support/relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

using cards::Definition;
using cards::DefinitionKind;

bool Has(const std::vector<std::string>& names, std::string_view lower) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return LowerCase(name) == lower; });
}

enum class Family : std::uint8_t { kNone, kCall, kDerive };

struct Verb {
  Family family = Family::kNone;
  bool is_passive = false;  // "is called by"
};

Verb VerbOf(const std::vector<Token>& tokens, std::size_t i) {
  constexpr std::array<std::string_view, 16> kCall = {
      "calls",   "call", "invokes", "called", "invoked", "delegates", "forwards",   "wraps",
      "wrapper", "uses", "used",    "hands",  "relies",  "depends",   "dispatches", "built"};
  constexpr std::array<std::string_view, 8> kDerive = {"derives",     "inherits", "extends",
                                                       "derived",     "subclass", "subclasses",
                                                       "specializes", "inherited"};
  const std::string& lower = tokens[i].lower;
  const std::string next = i + 1 < tokens.size() ? tokens[i + 1].lower : "";
  Verb verb;
  if (IsOneOf(lower, kCall)) verb.family = Family::kCall;
  if (IsOneOf(lower, kDerive)) verb.family = Family::kDerive;
  // "takes the result of": it calls it
  if ((lower == "result" || lower == "results") && next == "of") verb.family = Family::kCall;
  // "hands … over to", "built on"; "hands out" is something else
  const bool is_hand = lower == "hands" && next != "over" && next != "to";
  const bool is_built = lower == "built" && next != "on" && next != "upon";
  if (is_hand || is_built) verb.family = Family::kNone;
  verb.is_passive = next == "by" && lower != "wrapper";
  const bool needs_by =
      lower == "called" || lower == "invoked" || lower == "used" || lower == "inherited";
  if (needs_by && !verb.is_passive) verb.family = Family::kNone;
  return verb;
}

class RelationJudge {
 public:
  RelationJudge(const ReadStatement& read, const std::vector<Definition>& definitions)
      : read_(read), definitions_(definitions) {}

  std::vector<std::string> Take() {
    constexpr std::size_t kMost = 60;  // tokens; a longer sentence is hardly about one relation
    for (std::size_t i = 0; i < std::min(read_.tokens.size(), kMost); ++i) {
      if (read_.tokens[i].in_code) continue;
      JudgeVerb(i);
      JudgeOrder(i);
      JudgePart(i);
    }
    return std::move(findings_);
  }

 private:
  bool IsName(std::size_t i) const {
    const Token& token = read_.tokens[i];
    return token.in_code && token.weight != WordWeight::kNone;
  }

  // The name of its clause before or after token i, blanks and words between.
  std::optional<std::size_t> NameBefore(std::size_t i, std::size_t reach) const {
    for (std::size_t j = i; j-- > 0 && i - j <= reach;) {
      if (IsName(j)) return j;
    }
    return std::nullopt;
  }
  // The same, of a verb: "`f` of `T` calls" is about f.
  std::optional<std::size_t> SubjectBefore(std::size_t i, std::size_t reach) const {
    std::optional<std::size_t> name = NameBefore(i, reach);
    if (!name || *name < 2 || Lower(*name - 1) != "of" || !IsName(*name - 2)) return name;
    return *name - 2;
  }
  std::optional<std::size_t> NameAfter(std::size_t i, std::size_t reach) const {
    for (std::size_t j = i + 1; j < read_.tokens.size() && j - i <= reach; ++j) {
      if (IsName(j)) return j;
    }
    return std::nullopt;
  }

  const std::string& Lower(std::size_t i) const { return read_.tokens[i].lower; }
  std::string Text(std::size_t i) const {
    const Token& token = read_.tokens[i];
    return read_.statement.text.substr(token.begin, token.end - token.begin);
  }

  bool IsDenied(std::size_t i) const {
    const std::size_t from = i > 2 ? i - 3 : 0;
    for (std::size_t j = from; j < i; ++j) {
      if (read_.tokens[j].is_negation) return true;
    }
    return false;
  }

  // "A calls B", "B is called by A", "A derives from B"
  void JudgeVerb(std::size_t i) {
    const Verb verb = VerbOf(read_.tokens, i);
    if (verb.family == Family::kNone || IsDenied(i)) return;
    constexpr std::size_t kBefore = 10;
    constexpr std::size_t kAfter = 6;
    auto one = SubjectBefore(i, kBefore);
    auto other = NameAfter(i, kAfter);
    if (!one || !other || Lower(*one) == Lower(*other)) return;
    if (verb.is_passive) std::swap(one, other);
    if (IsRelated(verb.family, *one, *other) || !IsRelated(verb.family, *other, *one)) return;
    findings_.push_back(fmt::format("in the cited lines, {} {} {}", Text(*other),
                                    verb.family == Family::kCall ? "calls" : "derives from",
                                    Text(*one)));
  }

  bool IsRelated(Family family, std::size_t a, std::size_t b) const {
    return family == Family::kCall ? Calls(Lower(a), Lower(b)) : Derives(Lower(a), Lower(b));
  }

  bool Calls(const std::string& caller, const std::string& callee) const {
    return std::any_of(definitions_.begin(), definitions_.end(), [&](const Definition& d) {
      return LowerCase(d.name) == caller && Has(d.calls, callee);
    });
  }

  bool Derives(const std::string& type, const std::string& base) const {
    return std::any_of(definitions_.begin(), definitions_.end(), [&](const Definition& d) {
      return LowerCase(d.name) == type && Has(d.bases, base);
    });
  }

  // "A followed by B", "A before B", "A and then B", "B after A"
  void JudgeOrder(std::size_t i) {
    constexpr std::array<std::string_view, 5> kOrder = {"followed", "before", "then", "after",
                                                        "precedes"};
    if (!IsOneOf(Lower(i), kOrder) || IsDenied(i)) return;
    constexpr std::size_t kReach = 5;
    auto first = NameBefore(i, kReach);
    auto second = NameAfter(i, kReach);
    if (!first || !second || Lower(*first) == Lower(*second)) return;
    if (Lower(i) == "after") std::swap(first, second);
    bool is_reversed = false;
    for (const Definition& definition : definitions_) {
      if (definition.kind != DefinitionKind::kFunction) continue;
      const Range a = PlacesOf(definition, Lower(*first));
      const Range b = PlacesOf(definition, Lower(*second));
      if (!a.is_there || !b.is_there) continue;
      if (a.first < b.last) return;
      is_reversed = true;
    }
    if (is_reversed) {
      findings_.push_back(
          fmt::format("in the cited lines, {} comes before {}", Text(*second), Text(*first)));
    }
  }

  struct Range {
    bool is_there = false;
    std::size_t first = 0;
    std::size_t last = 0;
  };
  static Range PlacesOf(const Definition& definition, std::string_view lower) {
    Range range;
    for (std::size_t i = 0; i < definition.calls.size(); ++i) {
      if (LowerCase(definition.calls[i]) != lower) continue;
      if (!range.is_there) range.first = i;
      range.is_there = true;
      range.last = i;
    }
    return range;
  }

  // "the parameter `p` of `f`", "`m`, a member of `T`", "`m` belongs to `T`"
  void JudgePart(std::size_t i) {
    constexpr std::array<std::string_view, 12> kParts = {
        "parameter", "argument",   "member", "field",   "method",     "attribute",
        "members",   "enumerator", "fields", "methods", "parameters", "arguments"};
    constexpr std::size_t kReach = 3;
    const bool belongs = Lower(i) == "belongs" || Lower(i) == "belong";
    if (belongs && !IsDenied(i) && i + 1 < read_.tokens.size() && Lower(i + 1) == "to") {
      return JudgeOwner(NameBefore(i, kReach), NameAfter(i + 1, kReach));
    }
    if (!IsOneOf(Lower(i), kParts) || IsDenied(i)) return;
    std::optional<std::size_t> part = NameAfter(i, kReach);
    std::size_t of = part ? *part + 1 : i + 1;
    if (of < read_.tokens.size() && Lower(of) != "of" && part) {
      part = NameBefore(i, kReach);
      of = i + 1;
    }
    if (of < read_.tokens.size() && Lower(of) == "of" && (!part || *part > of)) {
      part = NameBefore(i, kReach);
    }
    if (!part || of >= read_.tokens.size() || Lower(of) != "of") return;
    JudgeOwner(part, NameAfter(of, kReach));
  }

  void JudgeOwner(std::optional<std::size_t> part, std::optional<std::size_t> whole) {
    if (!part || !whole || *whole == *part) return;
    const Definition* actual = nullptr;
    bool is_known = false;
    for (const Definition& definition : definitions_) {
      const bool has = HasPart(definition, Lower(*part));
      if (LowerCase(definition.name) == Lower(*whole)) {
        is_known = is_known || definition.has_body || !definition.members.empty();
        if (has) return;
      } else if (has) {
        actual = &definition;
      }
    }
    if (!is_known || actual == nullptr || actual->name.empty()) return;
    findings_.push_back(
        fmt::format("in the cited lines, {} belongs to {}", Text(*part), actual->name));
  }

  static bool HasPart(const Definition& definition, std::string_view lower) {
    return std::any_of(
        definition.members.begin(), definition.members.end(),
        [&](const cards::Member& member) { return LowerCase(member.name) == lower; });
  }

  const ReadStatement& read_;
  const std::vector<Definition>& definitions_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> ContradictedRelations(const ReadStatement& read,
                                               const std::vector<Definition>& definitions) {
  if (definitions.empty()) return {};
  return RelationJudge(read, definitions).Take();
}

}  // namespace sibyl::support
