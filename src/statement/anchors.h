// SPDX-License-Identifier: Apache-2.0
// The anchors of a Markdown page: its headings, as on GitHub, and HTML ids and
// names.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "statement/statement.h"

namespace sibyl::statement {

class Anchors {
 public:
  Anchors() = default;

  /// Of the headings in their order: a second "notes" is "notes-1".
  Anchors(const std::vector<SectionHeading>& headings, std::string_view source);

  /// `anchor` is decoded and without its '#'. Non-ASCII characters are not
  /// compared, since their treatment depends on the Unicode version.
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
