// SPDX-License-Identifier: Apache-2.0
// Renews stale citations of a page where the cited lines were found again, and
// changes no other byte: the definition's citation, its link, and the pin in
// the stamp. Ambiguous ones are listed and not changed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/citation.h"
#include "evidence/refind.h"
#include "gate/knowledge.h"

namespace sibyl::gate {

struct Renewed {
  std::string label;
  std::size_t line = 0;
  evidence::Citation from;
  evidence::Citation to;
  evidence::Whereabouts how = evidence::Whereabouts::kUnchanged;
};

struct LeftStale {
  std::string label;
  std::size_t line = 0;
  evidence::Citation citation;
  std::string why;  ///< "gone", "ambiguous", …
  std::vector<evidence::SourceCitation> candidates;
};

struct Renewal {
  std::string text;  ///< The whole page; the same as before when nothing was renewed.
  std::vector<Renewed> renewed;
  std::vector<LeftStale> left;
};

/// `page` is resolved (ResolvePages).
Renewal RenewPage(const Page& page);

/// A definition line with another citation. The text around it stays.
std::string RenewDefinition(std::string_view line, const evidence::SourceCitation& from,
                            const evidence::SourceCitation& to);

/// The same for a page; of the visible text only the access date changes.
std::string RenewDefinition(std::string_view line, const evidence::WebCitation& from,
                            const evidence::WebCitation& to);

}  // namespace sibyl::gate
