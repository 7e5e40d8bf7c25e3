// SPDX-License-Identifier: Apache-2.0
// Pages that only a static site has; all others are those of the server.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "interface/room/page_html.h"

namespace sibyl::interface {

/// Where the search box leads: the results of search.js.
std::string SiteSearchPage(const RoomStyle& style);

/// The receipts of all statements of a page, from `page show`: for readers
/// without script.
std::string SiteReceiptsPage(const RoomStyle& style, const Json& answer);

/// search.js
std::string_view SiteSearchScript();

}  // namespace sibyl::interface
