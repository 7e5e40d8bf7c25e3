// SPDX-License-Identifier: Apache-2.0
// What all pages of the reading room have around their content.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interface/room/links.h"
#include "interface/room/text/html.h"

namespace sibyl::interface {

struct PageFrame {
  LinkStyle links = LinkStyle::Server();
  std::string title;       ///< Of the page.
  std::string oracle;      ///< The name of the oracle.
  std::string_view kind;   ///< "home", "page", "search"…: a class of the body.
  std::string query = {};  ///< What the search box shows.
  /// What a search from it keeps: names and values, of which some may be empty.
  std::vector<std::pair<std::string_view, std::string>> filters = {};
};

/// The whole document.
std::string FramedPage(const PageFrame& frame, const Html& content);

}  // namespace sibyl::interface
