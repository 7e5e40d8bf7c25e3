// SPDX-License-Identifier: Apache-2.0
// Out of a provider's JSON, a list of results. Whatever stands there, something
// is returned: what has no usable address is left out.
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

/// At most `limit` results, of at most 200 that are looked at. None where there
/// is no list: providers leave it out when nothing was found.
std::vector<Found> ReadAnswer(const Json& answer, const AnswerShape& shape, std::size_t limit);

/// One result; false when it has no usable address.
bool ReadFound(const Json& item, const AnswerShape& shape, Found& found);

/// Text for people out of a field: without tags and entities, blanks made one,
/// at most `max_bytes`.
std::string TextWithoutMarkup(std::string_view text, std::size_t max_bytes);

}  // namespace sibyl::research
