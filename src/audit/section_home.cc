// SPDX-License-Identifier: Apache-2.0
#include "audit/section_home.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "statement/atom.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostTelling = 24;
constexpr std::size_t kLeastKnown = 4;

// "mesh_dim_names", "FusedAdam", "cute/layout.hpp": what projects hardly share by chance.
bool IsTellingName(std::string_view name) {
  constexpr std::size_t kShortest = 8;
  if (name.size() < kShortest) return false;
  if (name.find('_', 1) != name.npos || name.find('/', 1) != name.npos) return true;
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (IsUpper(name[i]) && IsLower(name[i - 1])) return true;
  }
  return false;
}

std::string_view WithoutScope(std::string_view name) {
  const std::size_t mark = name.find_last_of(".:");
  return mark == name.npos ? name : name.substr(mark + 1);
}

}  // namespace

std::optional<std::size_t> SectionHomes::Of(std::uint32_t heading) const {
  const auto known = known_.find(heading);
  if (known != known_.end()) return known->second;
  return known_.emplace(heading, Find(heading)).first->second;
}

std::optional<std::size_t> SectionHomes::Find(std::uint32_t heading) const {
  std::set<std::string, std::less<>> names;
  std::set<std::string, std::less<>> paths;
  for (const statement::Statement& statement : statements_.all) {
    if (statement.heading != heading || !statement.IsProse()) continue;
    for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
      if (!atom.in_code || names.size() + paths.size() >= kMostTelling) continue;
      if (atom.kind == statement::AtomKind::kPath && IsTellingName(atom.text)) {
        paths.insert(atom.text);
      } else if (atom.kind == statement::AtomKind::kIdentifier ||
                 atom.kind == statement::AtomKind::kQualified) {
        const std::string_view last = WithoutScope(atom.text);
        if (IsTellingName(last)) names.emplace(last);
      }
    }
  }
  std::vector<std::size_t> counts(witness_.sources().size());
  std::size_t known = 0;
  const auto count = [&](const std::vector<bool>& has) {
    for (std::size_t source = 0; source < has.size(); ++source) counts[source] += has[source];
    known += std::ranges::find(has, true) == has.end() ? 0 : 1;
  };
  for (const std::string& name : names) {
    std::vector<bool> has(counts.size());
    for (std::size_t source = 0; source < has.size(); ++source) {
      has[source] = witness_.FindWord(name, source).has_value();
    }
    count(has);
  }
  for (const std::string& path : paths) {
    std::vector<bool> has(counts.size());
    for (const Witness::File& file : witness_.FindFiles(path)) has[file.source] = true;
    count(has);
  }
  const std::size_t unknown = names.size() + paths.size() - known;
  if (known < kLeastKnown || (unknown > 1 && unknown * 6 > known)) return std::nullopt;
  const auto most = std::ranges::max_element(counts);
  // Nearly all of them, and at least twice as many as any other source.
  if (*most * 5 < known * 4) return std::nullopt;
  const bool is_alone =
      std::ranges::count_if(counts, [&](std::size_t other) { return other * 2 > *most; }) == 1;
  if (!is_alone) return std::nullopt;
  return static_cast<std::size_t>(most - counts.begin());
}

}  // namespace sibyl::audit
