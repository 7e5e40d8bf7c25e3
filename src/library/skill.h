// SPDX-License-Identifier: Apache-2.0
// SKILL.md: the page by which an agent finds and uses the oracle, in the Agent
// Skills format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"

namespace sibyl::library {

constexpr std::string_view kSkillFile = "SKILL.md";
constexpr std::string_view kSkillBlock = "topics";

/// One topic folder, as the page shows it.
struct Topic {
  std::string folder;  ///< "cuda", "karpathy/training": relative to the oracle.
  bool has_index = false;
  std::size_t files = 0;
  std::size_t lines = 0;
  std::size_t citations = 0;
  std::vector<std::string> titles;
};

/// The table of topics and how to use them; short for any oracle, since agents
/// load all of it.
std::string SkillBlock(const std::vector<Topic>& topics);

/// The name that a folder may have as a skill: lower case, digits, hyphens.
std::string SkillName(std::string_view folder);

/// By which an agent decides whether to open the oracle: the titles of the
/// pages, up to the limit of the Agent Skills format.
std::string SkillDescription(const std::vector<Topic>& topics);

/// A whole page for an oracle that has none.
std::string StarterSkill(std::string_view name, std::string_view block,
                         std::string_view description);

/// The page with this description, if it has none of a person's: the first one
/// of an oracle, or one that SkillDescription made. Otherwise the page as it is.
std::string WithDescription(std::string_view text, std::string_view description);

/// Violations of the Agent Skills format; empty if it is valid. Codes skill/….
std::vector<Finding> CheckSkill(std::string_view text, std::string_view folder);

}  // namespace sibyl::library
