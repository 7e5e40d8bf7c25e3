// SPDX-License-Identifier: Apache-2.0
// Parses a provider's JSON into a list of results. Never fails: entries without
// a usable address are skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "research/search.h"

namespace sibyl::research {

/// How a provider calls things.
struct AnswerShape {
  std::string_view list;  ///< "web/results": members from the root, by slashes.
  std::string_view url = "url";
  std::string_view title = "title";
  std::string_view snippet = "snippet";
  std::string_view published = "";
};

/// At most `limit` results, of the first 200. None if there is no list:
/// providers omit it if nothing was found.
std::vector<Found> ReadAnswer(const Json& answer, const AnswerShape& shape, std::size_t limit);

/// One result; false when it has no usable address.
bool ReadFound(const Json& item, const AnswerShape& shape, Found& found);

/// The text of a field: without tags and entities, white space collapsed, at
/// most `max_bytes`.
std::string TextWithoutMarkup(std::string_view text, std::size_t max_bytes);

}  // namespace sibyl::research
