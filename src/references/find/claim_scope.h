// SPDX-License-Identifier: Apache-2.0
// Which of the names around a citation are its claim. Part of find.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "references/find/unit.h"
#include "references/reference.h"

namespace sibyl::references {

/// The names and citations of one group of statements (a paragraph, an item, a
/// row) in the order of the text. Borrows the units.
class ClaimScope {
 public:
  explicit ClaimScope(const std::vector<Unit>& units);

  /// Names between the previous citation and this one belong to it where the
  /// text puts names first, those after it where the text puts citations first;
  /// citations with no name between them share theirs.
  Claim Of(std::size_t index, std::size_t hit) const;

 private:
  struct Element {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t unit = 0;
    const NamedPlace* name = nullptr;  ///< Null for a citation.
    std::size_t hit = 0;
    /// Of a name that can only belong to one run of citations, or of a citation:
    /// the first element of the run.
    std::size_t run = SIZE_MAX;
    /// Of a name that belongs to one citation of several in a row, and of that
    /// citation.
    std::size_t partner = SIZE_MAX;
  };
  struct OfUnit {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool has_names = false;
    std::vector<std::size_t> places = {};  ///< Of each hit, in `elements_`.
  };

  /// Citations in a row, with nothing but marks between them: elements [begin, end).
  struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t aside_end = 0;  ///< After the last name of the parentheses after it.
    bool has_names_before = false;
  };
  std::vector<Run> RunsOf(const OfUnit& unit, std::string_view text, std::size_t offset) const;
  /// "`:213-228` (infer), `:246` (extract)": parentheses right after a citation.
  void BindAsides(const std::vector<Run>& runs);
  /// "`get`/`put` (`:18`, `:92`)": as many names as citations.
  void PairNames(const OfUnit& unit, const Run& run, std::string_view text, std::size_t offset);
  /// "(`a.rs:260`, Head `:14`)": the name leads to the citation after it.
  static bool LeadsToNext(std::string_view text, std::size_t offset, const Element* self,
                          const Element* name);
  /// Whether the name can belong to the citation.
  bool MayOwn(const Element& self, std::size_t name) const;

  static bool AddName(const Element& element, const Element& self, bool is_own, Claim& claim);

  const std::vector<Unit>& units_;
  std::vector<Element> elements_;
  std::vector<OfUnit> of_units_;
};

}  // namespace sibyl::references
