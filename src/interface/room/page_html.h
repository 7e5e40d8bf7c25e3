// SPDX-License-Identifier: Apache-2.0
// Start here: the pages of the reading room, from the answers of operations. No
// server is needed; `sibyl site` writes the same pages with relative links.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "interface/room/links.h"
#include "interface/room/text/html.h"

namespace sibyl::interface {

struct RoomStyle {
  LinkStyle links = LinkStyle::Server();
  std::string oracle;  ///< The name that is shown for it.
  /// Whether it is a page that can be linked to; empty: every path is one.
  std::function<bool(std::string_view)> has_page = {};

  /// The address of a page, or nothing if there is none.
  std::string PageIfThere(std::string_view page, std::string_view anchor = {}) const {
    return has_page && !has_page(page) ? std::string() : links.Page(page, anchor);
  }
};

/// What the oracle says about itself in SKILL.md; empty where it does not.
struct OracleDescription {
  std::string title;
  std::string about;
};

/// The first page, from `page list`, `source list` and `status`; the last two
/// may be null.
struct HomeAnswers {
  const Json& pages;  ///< With "unchecked": only files and titles.
  const Json& sources;
  const Json& status;
  OracleDescription oracle = {};
};
std::string HomePage(const RoomStyle& style, const HomeAnswers& answers);

/// A page of the oracle, from `page show`, or with "unchecked" of its text alone. With `receipts`,
/// they are part of the page as templates, for readers without a server.
enum class Receipts { kLinked, kIncluded };
Result<std::string> KnowledgePage(const RoomStyle& style, const Json& answer,
                                  Receipts receipts = Receipts::kLinked);

/// The receipts of one statement, from `page show --statement`: a whole page,
/// and the part of it that is shown beside the text. `context` is the number of
/// lines around the cited ones that the answer has.
std::string ReceiptPage(const RoomStyle& style, const Json& answer, std::size_t context);
Html ReceiptPart(const RoomStyle& style, const Json& answer, std::size_t context);

/// What `page show --statement` answers for each statement, of an answer with all.
std::vector<Json> AnswersByStatement(const Json& answer);
/// The one of a statement; nothing if there is none of that number.
std::optional<Json> AnswerOfStatement(const Json& answer, std::size_t statement);

/// An error as a part of a page, and as a whole page with a way back to the others.
Html ErrorPart(const Error& error);
std::string ErrorPage(const RoomStyle& style, int status, const Error& error);

}  // namespace sibyl::interface
