// SPDX-License-Identifier: Apache-2.0
#include "references/kept/verdict_json.h"

#include <utility>

namespace sibyl::references {
namespace {

constexpr std::size_t kMembers = 22;

Json AsJson(const Target& target) {
  return Json::array({target.path, target.lines.first, target.lines.last});
}

Target TargetFrom(const Json& json) {
  return {.path = json.at(0).get<std::string>(),
          .lines = {json.at(1).get<std::size_t>(), json.at(2).get<std::size_t>()}};
}

Reference ReferenceFrom(const Json& json) {
  std::size_t at = 0;
  const auto text = [&] { return json.at(at++).get<std::string>(); };
  const auto number = [&] { return json.at(at++).get<std::size_t>(); };
  Reference reference;
  reference.form = static_cast<Form>(number());
  reference.line = number();
  reference.begin = number();
  reference.end = number();
  reference.text = text();
  reference.path = text();
  reference.mentioned = text();
  reference.base = text();
  reference.commit = text();
  reference.repository = text();
  reference.lines.first = number();
  reference.lines.last = number();
  reference.is_approximate = json.at(at++).get<bool>();
  reference.path_begin = number();
  reference.path_end = number();
  for (const Json& place : json.at(at++)) {
    reference.numbers.push_back({.begin = place.at(0).get<std::size_t>(),
                                 .end = place.at(1).get<std::size_t>(),
                                 .is_last = place.at(2).get<bool>()});
  }
  return reference;
}

Judged JudgedFrom(const Json& json) {
  std::size_t at = 16;
  Judged judged;
  judged.status = static_cast<CitationStatus>(json.at(at++).get<unsigned>());
  judged.target = TargetFrom(json.at(at++));
  const Json& suggestion = json.at(at++);
  if (!suggestion.is_null()) {
    judged.suggestion = TargetFrom(suggestion);
    judged.is_certain = suggestion.at(3).get<bool>();
  }
  judged.symbol = json.at(at++).get<std::string>();
  judged.commit = json.at(at++).get<std::string>();
  judged.reason = json.at(at++).get<std::string>();
  return judged;
}

}  // namespace

Json AsJson(const CheckedReference& checked) {
  const Reference& reference = checked.reference;
  const Judged& judged = checked.judged;
  Json numbers = Json::array();
  for (const NumberPlace& place : reference.numbers) {
    numbers.push_back(Json::array({place.begin, place.end, place.is_last}));
  }
  Json suggestion;
  if (judged.suggestion) {
    suggestion = AsJson(*judged.suggestion);
    suggestion.push_back(judged.is_certain);
  }
  return Json::array({static_cast<unsigned>(reference.form),
                      reference.line,
                      reference.begin,
                      reference.end,
                      reference.text,
                      reference.path,
                      reference.mentioned,
                      reference.base,
                      reference.commit,
                      reference.repository,
                      reference.lines.first,
                      reference.lines.last,
                      reference.is_approximate,
                      reference.path_begin,
                      reference.path_end,
                      std::move(numbers),
                      static_cast<unsigned>(judged.status),
                      AsJson(judged.target),
                      std::move(suggestion),
                      judged.symbol,
                      judged.commit,
                      judged.reason});
}

std::optional<CheckedReference> CheckedFromJson(const Json& json) {
  if (!json.is_array() || json.size() != kMembers) return std::nullopt;
  try {
    CheckedReference checked{.reference = ReferenceFrom(json), .judged = JudgedFrom(json)};
    const bool is_known = checked.reference.form <= Form::kBracket &&
                          checked.judged.status <= CitationStatus::kUndecided;
    return is_known ? std::optional(std::move(checked)) : std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace sibyl::references
