// SPDX-License-Identifier: Apache-2.0
// What failed on a page by a model, and why: every reason once. The kind of a failure is
// that of its first reason.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "draft/model/manuscript.h"

namespace sibyl::expansion {

struct Failures {
  std::map<std::size_t, std::vector<draft::Refusal>> statements;  ///< By their identities.
  std::map<draft::HeadPlace, std::vector<draft::Refusal>> heads;  ///< Of tables.

  bool empty() const { return statements.empty() && heads.empty(); }
  void Add(std::size_t id, draft::Refusal why);
  void AddHead(const draft::HeadPlace& place, draft::Refusal why);
};

std::vector<std::string> ReasonsOf(const std::vector<draft::Refusal>& refusals);
draft::Refusal Merged(const std::vector<draft::Refusal>& refusals);

/// Where the failed statements of a section are, in the order of the page.
std::vector<draft::UnitPlace> PlacesOf(const Failures& failures,
                                       const draft::Manuscript& manuscript, std::size_t section);

/// Why a statement is lost in which an answer ended.
inline constexpr std::string_view kCutOff =
    "the answer of the model ended in it, at its limit of length";

}  // namespace sibyl::expansion
