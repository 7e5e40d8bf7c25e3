// SPDX-License-Identifier: Apache-2.0
// The pages of an oracle for servers: names first, content on request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::engine {

struct ListedPage {
  std::string path;   ///< From the root of the oracle: "cuda/16-cupti.md".
  std::string title;  ///< Its first heading; the path when it has none.
  std::uint64_t bytes = 0;
};

/// Sorted by path. Without plans, hidden folders and links. A missing oracle
/// has no pages.
std::vector<ListedPage> ListPages(const oracle::Context& context);

/// Whether ListPages would list it.
bool IsPage(const oracle::Context& context, std::string_view path);

/// kNotFound for everything that ListPages would not list.
Result<std::string> ReadPage(const oracle::Context& context, std::string_view path);

/// What an oracle is as an Agent Skill.
struct ServedSkill {
  std::string name;
  std::string title;  ///< The first heading of SKILL.md; may be empty.
  Json front_matter;  ///< As SKILL.md has it.
};

/// kNotFound if there is no SKILL.md, or its front matter has no name.
Result<ServedSkill> ReadSkill(const oracle::Context& context);

}  // namespace sibyl::engine
