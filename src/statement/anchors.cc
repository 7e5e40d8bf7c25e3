// SPDX-License-Identifier: Apache-2.0
#include "statement/anchors.h"

#include <optional>
#include <utility>

#include "base/markdown/heading_anchor.h"
#include "base/nearest_name.h"
#include "base/strings.h"

namespace sibyl::statement {
namespace {

std::string WithoutOtherScripts(std::string_view text) {
  std::string ascii;
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) < 0x80) ascii += letter;
  }
  return ascii;
}

// The values of id="…" and name="…" in tags. Code that shows HTML counts too:
// a page with one anchor too many hides a broken link, which is the lesser evil.
void AddHtmlNames(std::string_view source, std::vector<std::string>& names) {
  constexpr std::size_t kLongestName = 200;
  for (const std::string_view key : {" id=", " name="}) {
    for (std::size_t at = source.find(key); at != std::string_view::npos;
         at = source.find(key, at + key.size())) {
      std::string_view value = source.substr(at + key.size(), kLongestName);
      if (value.empty() || (value[0] != '"' && value[0] != '\'')) continue;
      const std::size_t end = value.find(value[0], 1);
      if (end != std::string_view::npos && end > 1) names.emplace_back(value.substr(1, end - 1));
    }
  }
}

}  // namespace

Anchors::Anchors(const std::vector<SectionHeading>& headings, std::string_view source) {
  HeadingAnchors anchors;
  for (std::size_t i = 1; i < headings.size(); ++i) {  // the first means none
    Add(anchors.Next(headings[i].text));
  }
  std::vector<std::string> names;
  AddHtmlNames(source, names);
  for (std::string& name : names) Add(std::move(name));
}

void Anchors::Add(std::string name) {
  ascii_names_.insert(WithoutOtherScripts(name));
  names_.insert(std::move(name));
}

bool Anchors::Has(std::string_view anchor) const {
  if (anchor.empty() || anchor == "top" || names_.contains(anchor)) return true;
  // Letters beyond ASCII on either side: compare what is left. Browsers tell letter
  // case apart, GitHub does not.
  const std::string ascii = WithoutOtherScripts(anchor);
  return ascii_names_.contains(ascii) || names_.contains(LowerCase(anchor));
}

std::string Anchors::Nearest(std::string_view anchor) const {
  constexpr std::size_t kMost = 2000;
  std::vector<std::string> names;
  for (const std::string& name : names_) {
    if (names.size() < kMost) names.push_back(name);
  }
  if (const auto near = NearestName(anchor, names)) return *near;
  // "#profiler" for "2-the-profiler": the words match, the number is missing.
  for (const std::string& name : names) {
    if (anchor.size() > 4 && name.find(anchor) != std::string::npos) return name;
  }
  return {};
}

}  // namespace sibyl::statement
