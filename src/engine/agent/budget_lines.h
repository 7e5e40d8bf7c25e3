// SPDX-License-Identifier: Apache-2.0
// Lines as the budgets of a plan count them: without the sources of the page.
#pragma once

#include <cstddef>
#include <string_view>

namespace sibyl::engine {

/// The lines of a page before its sources.
std::size_t PageLines(std::string_view page);

/// The lines of a numbered section of a page, with its heading; 0 if it has none.
std::size_t SectionLines(std::string_view page, std::size_t number);

}  // namespace sibyl::engine
