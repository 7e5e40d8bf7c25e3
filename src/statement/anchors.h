// SPDX-License-Identifier: Apache-2.0
// The places in a Markdown page that a link can name: its headings, as GitHub
// makes anchors of them, and what HTML names.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "statement/statement.h"

namespace sibyl::statement {

/// "3.1 What this machine has" is "31-what-this-machine-has". Lower case, no
/// punctuation but hyphens and underscores, blanks to hyphens; letters of other
/// scripts stay.
std::string AnchorOf(std::string_view heading);

class Anchors {
 public:
  Anchors() = default;

  /// Of the headings in their order: a second "notes" is "notes-1".
  Anchors(const std::vector<SectionHeading>& headings, std::string_view source);

  /// `anchor` is decoded and without its '#'. Which characters beyond ASCII an
  /// anchor keeps is a matter of Unicode versions: they are not compared.
  bool Has(std::string_view anchor) const;

  /// The one that was probably meant; may be empty.
  std::string Nearest(std::string_view anchor) const;

  std::size_t size() const { return names_.size(); }

 private:
  void Add(std::string name);

  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> ascii_names_;
};

}  // namespace sibyl::statement
