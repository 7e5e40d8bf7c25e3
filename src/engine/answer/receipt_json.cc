// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/receipt_json.h"

#include <string>
#include <variant>

#include "evidence/citation.h"
#include "evidence/origins/permalink.h"
#include "evidence/pages/page_citation.h"

namespace sibyl::engine {

void AddReceipt(const draft::Excerpt& excerpt, std::uint32_t first, std::uint32_t last,
                Json& json) {
  const std::string link = excerpt.Link(first, last);
  json["source"] = excerpt.pin->name;
  json["path"] = excerpt.path;
  json["lines"] = {first, last};
  json["citation"] = evidence::FormatCitation(excerpt.Cite(first, last));
  json["link"] = link.empty() ? Json(nullptr) : Json(link);
}

void AddReceipt(const gate::Receipt& receipt, Json& json) {
  const evidence::SourceCitation* source = receipt.source();
  const auto* web = std::get_if<evidence::WebCitation>(&*receipt.citation);
  std::string link = source != nullptr ? evidence::Permalink(*source) : std::string();
  if (web != nullptr) link = web->url + evidence::TextFragment(receipt.Span().value_or(""));
  const evidence::Pin* pin = receipt.resolution.pin;
  json["source"] = source != nullptr && pin != nullptr ? Json(pin->name) : Json(nullptr);
  json["path"] = source != nullptr ? Json(source->path) : Json(nullptr);
  json["lines"] = source != nullptr ? Json{source->lines.first, source->lines.last} : Json(nullptr);
  json["citation"] = evidence::FormatCitation(*receipt.citation);
  json["link"] = link.empty() ? Json(nullptr) : Json(link);
}

}  // namespace sibyl::engine
