// SPDX-License-Identifier: Apache-2.0
#include "references/find/claim_scope.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "references/find/prose.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMaxClaimed = 40;  // names of one claim
constexpr std::size_t kMaxShared = 64;   // citations that share their names

/// The brackets that a citation is in: what is said about it ends where they do.
struct Brackets {
  bool is_inside = false;
  std::size_t before = 0;  ///< Bytes between the opening one and the citation.
  std::size_t after = 0;   ///< Bytes between the citation and the closing one.
};

Brackets BracketsAround(std::string_view text, const TextSpan& span) {
  constexpr std::size_t kLongestAside = 400;
  Brackets brackets;
  const std::size_t from = span.begin > kLongestAside ? span.begin - kLongestAside : 0;
  int depth = 0;
  for (std::size_t at = span.begin; at > from && depth <= 0; --at) {
    if (text[at - 1] == ')') --depth;
    if (text[at - 1] == '(' && ++depth > 0) brackets.before = span.begin - at;
  }
  if (depth <= 0) return brackets;
  brackets.is_inside = true;
  const std::string_view after = text.substr(span.end, kLongestAside);
  brackets.after = after.size();
  for (std::size_t at = 0; at < after.size(); ++at) {
    if (after[at] == '(') ++depth;
    if (after[at] == ')' && --depth == 0) {
      brackets.after = at;
      break;
    }
  }
  return brackets;
}

std::string_view Between(std::string_view text, std::size_t begin, std::size_t end) {
  return begin < end && end <= text.size() ? text.substr(begin, end - begin) : std::string_view();
}

// Nothing that is read as words.
bool IsMarks(std::string_view text) {
  constexpr std::size_t kMost = 4;
  return text.size() <= kMost && std::none_of(text.begin(), text.end(), IsAlphanumeric);
}

// Where parentheses end that start right after a citation; `at` if there are none.
std::size_t AsideEnd(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 200;
  std::size_t open = at;
  while (open < text.size() && open < at + 2 && text[open] == ' ') ++open;
  if (open >= text.size() || text[open] != '(') return at;
  int depth = 0;
  for (std::size_t i = open; i < text.size() && i < open + kLongest; ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return at;
}

void SortNames(Claim& claim) {
  std::stable_sort(claim.names.begin(), claim.names.end(),
                   [](const ClaimedName& a, const ClaimedName& b) {
                     return std::pair(!a.is_own, a.distance) < std::pair(!b.is_own, b.distance);
                   });
}

// "| `LB` | loads the word and shifts it (a.rs:10) |": a cell with words of its own
// is about those, not about the names in other cells.
bool HasOwnWords(const Unit& cell) {
  constexpr std::size_t kSentence = 4;
  const std::string_view text = cell.statement->text;
  std::size_t words = 0;
  std::size_t at = 0;
  const auto count = [&](std::string_view part) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool starts = IsLetter(part[i]) && (i == 0 || !IsNameByte(part[i - 1]));
      if (starts && i + 1 < part.size() && IsLetter(part[i + 1])) ++words;
    }
  };
  for (const TextSpan& span : cell.excluded) {
    if (span.begin > at) count(text.substr(at, span.begin - at));
    at = std::max(at, span.end);
  }
  if (at < text.size()) count(text.substr(at));
  return words >= kSentence;
}

}  // namespace

ClaimScope::ClaimScope(const std::vector<Unit>& units) : units_(units) {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::size_t before = elements_.size();
    for (const NamedPlace& name : units[i].names) {
      elements_.push_back(
          {.begin = offset + name.begin, .end = offset + name.end, .unit = i, .name = &name});
    }
    for (std::size_t j = 0; j < units[i].hits.size(); ++j) {
      const TextSpan span = SpanOf(units[i], units[i].hits[j]);
      elements_.push_back(
          {.begin = offset + span.begin, .end = offset + span.end, .unit = i, .hit = j});
    }
    std::stable_sort(elements_.begin() + static_cast<std::ptrdiff_t>(before), elements_.end(),
                     [](const Element& a, const Element& b) { return a.begin < b.begin; });
    offset += units[i].statement->text.size() + 2;
    of_units_.push_back(
        {.begin = before, .end = elements_.size(), .has_names = !units[i].names.empty()});
    std::vector<std::size_t>& places = of_units_.back().places;
    places.resize(units[i].hits.size());
    for (std::size_t j = before; j < elements_.size(); ++j) {
      if (elements_[j].name == nullptr) places[elements_[j].hit] = j;
    }
    const std::string_view text = units[i].statement->text;
    const std::size_t start = offset - text.size() - 2;
    const std::vector<Run> runs = RunsOf(of_units_.back(), text, start);
    BindAsides(runs);
    for (const Run& run : runs) PairNames(of_units_.back(), run, text, start);
  }
}

std::vector<ClaimScope::Run> ClaimScope::RunsOf(const OfUnit& unit, std::string_view text,
                                                std::size_t offset) const {
  std::vector<Run> runs;
  for (std::size_t i = unit.begin; i < unit.end;) {
    if (elements_[i].name != nullptr) {
      ++i;
      continue;
    }
    const std::size_t named = runs.empty() ? unit.begin : runs.back().aside_end;
    Run run{.begin = i, .end = i + 1, .has_names_before = named < i};
    while (run.end < unit.end && elements_[run.end].name == nullptr &&
           IsMarks(Between(text, elements_[run.end - 1].end - offset,
                           elements_[run.end].begin - offset))) {
      ++run.end;
    }
    run.aside_end = run.end;
    const std::size_t close = offset + AsideEnd(text, elements_[run.end - 1].end - offset);
    while (run.aside_end < unit.end && elements_[run.aside_end].end <= close &&
           elements_[run.aside_end].name != nullptr) {
      ++run.aside_end;
    }
    // A citation in the parentheses has the names there.
    if (run.aside_end < unit.end && elements_[run.aside_end].begin < close) run.aside_end = run.end;
    runs.push_back(run);
    i = run.aside_end;
  }
  return runs;
}

void ClaimScope::BindAsides(const std::vector<Run>& runs) {
  const auto has_aside = [](const Run& run) { return run.aside_end > run.end; };
  const bool is_style = std::count_if(runs.begin(), runs.end(), has_aside) > 1;
  for (const Run& run : runs) {
    if (!has_aside(run) || (run.has_names_before && !is_style)) continue;
    for (std::size_t i = run.begin; i < run.aside_end; ++i) elements_[i].run = run.begin;
  }
}

void ClaimScope::PairNames(const OfUnit& unit, const Run& run, std::string_view text,
                           std::size_t offset) {
  constexpr std::size_t kMostBetween = 8;
  const std::size_t count = run.end - run.begin;
  if (count < 2 || run.begin < unit.begin + count) return;
  const auto is_plain = [&](std::size_t i) {
    const Element& element = elements_[i];
    return element.name != nullptr && element.name->name.kind == ClaimedName::Kind::kName &&
           !element.name->name.is_part && element.name->name.is_own;
  };
  const auto follows = [&](std::size_t i) {
    const std::string_view between =
        Between(text, elements_[i].end - offset, elements_[i + 1].begin - offset);
    return between.size() <= kMostBetween &&
           (IsMarks(between) || between.find(" and ") != std::string_view::npos);
  };
  std::size_t first = run.begin - 1;
  if (!is_plain(first) || !follows(first)) return;
  while (first > unit.begin && is_plain(first - 1) && follows(first - 1)) --first;
  if (run.begin - first != count) return;
  for (std::size_t i = 0; i < count; ++i) {
    elements_[first + i].partner = run.begin + i;
    elements_[run.begin + i].partner = first + i;
  }
}

bool ClaimScope::MayOwn(const Element& self, std::size_t name) const {
  const Element& element = elements_[name];
  if (self.partner != SIZE_MAX && self.partner != name) return false;
  return element.run == SIZE_MAX ? self.run == SIZE_MAX : element.run == self.run;
}

Claim ClaimScope::Of(std::size_t index, std::size_t hit) const {
  const OfUnit& unit = of_units_[index];
  const statement::Statement& statement = *units_[index].statement;
  const bool is_row = statement.kind == statement::StatementKind::kCell;
  const TextSpan span = SpanOf(units_[index], units_[index].hits[hit]);
  const Brackets brackets = BracketsAround(statement.text, span);
  const auto at_index = [&](std::size_t i) {
    return elements_.begin() + static_cast<std::ptrdiff_t>(i);
  };
  Claim claim{.prose = ProseOf(units_, index, hit)};
  const auto self = at_index(unit.places[hit]);
  const auto is_name = [](const Element& element) { return element.name != nullptr; };
  const bool is_widened = !is_row && !unit.has_names;
  const bool takes_all = is_row || is_widened;
  const auto first = takes_all ? elements_.begin() : at_index(unit.begin);
  const auto end = takes_all ? elements_.end() : at_index(unit.end);
  auto before = self;
  for (std::size_t i = 0; i < kMaxShared && before != first && !is_name(*std::prev(before)); ++i) {
    --before;
  }
  auto after = std::next(self);
  for (std::size_t i = 0; i < kMaxShared && after != end && !is_name(*after); ++i) ++after;
  const bool names_first = is_name(*first);
  auto last_name = after;
  while (last_name != end && is_name(*last_name)) ++last_name;
  const bool is_last = last_name == end;
  claim.is_shared = std::distance(before, after) > 1;
  // Of several citations in a row, names that follow belong to the last one.
  const bool takes_after = (!names_first || is_last) && after == std::next(self);
  const bool keeps_to_cell = is_row && (unit.has_names || HasOwnWords(units_[index]));
  const auto may_own = [&](const Element& name) {
    return (!keeps_to_cell || name.unit == index) &&
           MayOwn(*self, static_cast<std::size_t>(&name - elements_.data()));
  };
  for (auto at = before; at != first && is_name(*std::prev(at)); --at) {
    const Element& name = *std::prev(at);
    const bool is_beside = brackets.is_inside && name.end + brackets.before >= self->begin;
    const bool is_own = (names_first || is_beside) && !is_widened;
    const bool is_bound = self->run != SIZE_MAX && name.run == self->run;
    if (!AddName(name, *self, (is_own || is_bound) && may_own(name), claim)) break;
  }
  for (auto at = after; at != last_name; ++at) {
    const bool is_beside = brackets.is_inside && at->begin <= self->end + brackets.after;
    const bool is_bound = self->run != SIZE_MAX && at->run == self->run;
    const bool is_own = is_bound || (brackets.is_inside ? is_beside : takes_after);
    const bool leads_on = std::next(at) != end && std::next(at)->unit == index &&
                          LeadsToNext(statement.text, self->begin - span.begin, &*self, &*at);
    if (!AddName(*at, *self, is_own && !leads_on && !is_widened && may_own(*at), claim)) break;
  }
  SortNames(claim);
  return claim;
}

bool ClaimScope::LeadsToNext(std::string_view text, std::size_t offset, const Element* self,
                             const Element* name) {
  constexpr std::size_t kMostBetween = 3;
  const Element* const next = name + 1;
  if (next->name != nullptr || name->unit != self->unit) return false;
  // `parse_header:30`
  if (name->end == next->begin) return true;
  const std::string_view before = Between(text, self->end - offset, name->begin - offset);
  const std::string_view after = Between(text, name->end - offset, next->begin - offset);
  return before.find_first_of(",;/+") != std::string_view::npos && after.size() <= kMostBetween &&
         IsMarks(after) && after.find_first_of(",;)") == std::string_view::npos;
}

bool ClaimScope::AddName(const Element& element, const Element& self, bool is_own, Claim& claim) {
  if (claim.names.size() >= kMaxClaimed) return false;
  ClaimedName name = element.name->name;
  name.is_own = name.is_own && is_own;
  name.distance = element.end <= self.begin   ? self.begin - element.end
                  : element.begin >= self.end ? element.begin - self.end
                                              : 0;
  claim.names.push_back(std::move(name));
  return true;
}

}  // namespace sibyl::references
