// SPDX-License-Identifier: Apache-2.0
#include "index/grep/regex_literals.h"

#include <re2/filtered_re2.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "index/words/term_forms.h"

namespace sibyl::index {
namespace {

using Clause = LiteralRequirement::Clause;

// With more strings, looking all of them up costs more than reading the text.
constexpr std::size_t kMaxAtoms = 64;

// Shorter strings are never looked up (candidate_passages.cc).
constexpr int kShortestAtom = 3;

// RE2's time grows with the square of the longest string here. A larger program requires
// nothing, so that no expression takes more than about 50 ms.
constexpr std::int64_t kMaxMemory = std::int64_t{1} << 20;

/// The strings that RE2 searches for before it runs an expression (its atoms), and whether a
/// line with some of them and without the others may match.
class Atoms {
 public:
  explicit Atoms(std::string_view pattern) : filter_(kShortestAtom) {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_nl(true);
    options.set_max_mem(kMaxMemory);
    int id = 0;
    if (filter_.Add("(?m:" + std::string(pattern) + ")", options, &id) != RE2::NoError) return;
    filter_.Compile(&atoms_);
  }

  /// Disjoint sets of atoms; a matching line contains at least one atom of each.
  std::vector<std::vector<std::size_t>> RequiredSets() const {
    std::vector<std::vector<std::size_t>> sets;
    if (atoms_.empty() || atoms_.size() > kMaxAtoms) return sets;
    if (!MayMatchWith(std::vector<bool>(atoms_.size(), true))) return sets;
    const std::vector<std::size_t> by_length = ByLength();
    std::vector<bool> in_sets(atoms_.size());
    while (!MayMatchWith(in_sets)) {
      // As many atoms as a line can contain without matching: a matching line contains one of
      // the others. Short ones are added first, so that the others are long.
      std::vector<bool> present = in_sets;
      for (const std::size_t atom : by_length) {
        if (present[atom]) continue;
        present[atom] = true;
        if (MayMatchWith(present)) present[atom] = false;
      }
      std::vector<std::size_t>& set = sets.emplace_back();
      for (std::size_t atom = 0; atom < present.size(); ++atom) {
        if (present[atom]) continue;
        set.push_back(atom);
        in_sets[atom] = true;
      }
    }
    return sets;
  }

  const std::string& operator[](std::size_t atom) const { return atoms_[atom]; }

 private:
  std::vector<std::size_t> ByLength() const {
    std::vector<std::size_t> order(atoms_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return atoms_[a].size() < atoms_[b].size();
    });
    return order;
  }

  bool MayMatchWith(const std::vector<bool>& present) const {
    std::vector<int> found;
    for (std::size_t atom = 0; atom < present.size(); ++atom) {
      if (present[atom]) found.push_back(static_cast<int>(atom));
    }
    std::vector<int> passed;
    filter_.AllPotentials(found, &passed);
    return !passed.empty();
  }

  re2::FilteredRE2 filter_;
  std::vector<std::string> atoms_;
};

/// RE2 lower-cases all letters of an atom, the index only ASCII letters and the two that fold
/// to one. So only the longest part without other letters can be looked up.
std::string AsciiPart(std::string_view atom) {
  std::string lower;
  AppendLower(atom, lower);
  std::string_view longest;
  for (std::size_t begin = 0; begin < lower.size();) {
    std::size_t end = begin;
    while (end < lower.size() && static_cast<unsigned char>(lower[end]) < 0x80) ++end;
    if (end - begin > longest.size()) longest = std::string_view(lower).substr(begin, end - begin);
    begin = end + 1;
  }
  return std::string(longest);
}

}  // namespace

LiteralRequirement RequiredLiterals(std::string_view pattern) {
  // Plain text is looked up as it is, including non-ASCII letters.
  if (pattern.find_first_of("\\.+*?()|[]{}^$") == std::string_view::npos) {
    return RequiredLiteral(pattern);
  }
  const Atoms atoms(pattern);
  LiteralRequirement requirement;
  for (const std::vector<std::size_t>& set : atoms.RequiredSets()) {
    Clause clause;
    for (const std::size_t atom : set) {
      std::string literal = AsciiPart(atoms[atom]);
      if (std::find(clause.begin(), clause.end(), literal) == clause.end()) {
        clause.push_back(std::move(literal));
      }
    }
    if (std::find(clause.begin(), clause.end(), "") == clause.end()) {
      requirement.clauses.push_back(std::move(clause));
    }
  }
  return requirement;
}

LiteralRequirement RequiredLiteral(std::string_view literal) {
  if (literal.empty()) return {};
  LiteralRequirement requirement;
  AppendLower(literal, requirement.clauses.emplace_back().emplace_back());
  return requirement;
}

}  // namespace sibyl::index
