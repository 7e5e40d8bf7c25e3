// SPDX-License-Identifier: Apache-2.0
// The anchor of a Markdown heading, as on GitHub, and its text without a number.
// Pages are written and checked with them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace sibyl {

/// "3.1 What this machine has" is "31-what-this-machine-has". Lower case, no
/// punctuation but hyphens and underscores, blanks to hyphens; letters of other
/// scripts stay.
std::string AnchorOf(std::string_view heading);

/// The anchors of a page's headings, in their order: a second "notes" is
/// "notes-1".
class HeadingAnchors {
 public:
  std::string Next(std::string_view heading);

 private:
  std::map<std::string, std::size_t> seen_;
};

/// "Detection order" of "1.2 Detection order" and of "Section 3: Detection
/// order"; "3D textures" has no number.
std::string_view WithoutNumber(std::string_view heading);

}  // namespace sibyl
