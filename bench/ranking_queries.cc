// SPDX-License-Identifier: Apache-2.0
#include "ranking_queries.h"

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <utility>

#include "base/files/files.h"
#include "base/json.h"

namespace sibyl::bench {
namespace {

constexpr std::size_t kHeldOutEvery = 3;

Error Malformed(const std::filesystem::path& file, std::size_t line, std::string_view what) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("reading {}:{}: {}", file.string(), line, what)};
}

std::string TextOf(const Json& object, const char* name) {
  const auto member = object.find(name);
  return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
}

// Nothing if a member is missing or makes no sense.
Result<Label> LabelOf(const Json& json) {
  const Error nonsense{.kind = ErrorKind::kUsage,
                       .message = "a relevant place wants source, path, lines and grade"};
  if (!json.is_object()) return nonsense;
  const auto lines = json.find("lines");
  const auto grade = json.find("grade");
  if (lines == json.end() || !lines->is_array() || lines->size() != 2 || grade == json.end() ||
      !(*lines)[0].is_number_unsigned() || !(*lines)[1].is_number_unsigned() ||
      !grade->is_number_integer()) {
    return nonsense;
  }
  Label label{.place = {.source = TextOf(json, "source"),
                        .blob = {},
                        .path = TextOf(json, "path"),
                        .first_line = (*lines)[0].get<std::uint32_t>(),
                        .last_line = (*lines)[1].get<std::uint32_t>()},
              .grade = grade->get<int>()};
  const bool makes_sense = !label.place.source.empty() && !label.place.path.empty() &&
                           label.place.first_line <= label.place.last_line && label.grade >= 1 &&
                           label.grade <= 3;
  if (!makes_sense) return nonsense;
  return label;
}

Result<LabelledQuery> QueryOf(const std::string& line) {
  const Json json = SIBYL_TRY(ParseJson(line));
  LabelledQuery query{.id = TextOf(json, "id"),
                      .kind = TextOf(json, "kind"),
                      .text = TextOf(json, "query"),
                      .context = TextOf(json, "context"),
                      .labels = {}};
  const auto relevant = json.find("relevant");
  if (query.id.empty() || query.kind.empty() || query.text.empty() || relevant == json.end() ||
      !relevant->is_array() || relevant->empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "a query wants id, kind, query and relevant places"};
  }
  for (const Json& place : *relevant) query.labels.push_back(SIBYL_TRY(LabelOf(place)));
  return query;
}

}  // namespace

Result<std::vector<LabelledQuery>> ReadLabelledQueries(const std::filesystem::path& file) {
  std::istringstream lines(SIBYL_TRY(ReadFile(file)));
  std::vector<LabelledQuery> queries;
  std::set<std::string> ids;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    Result<LabelledQuery> query = QueryOf(line);
    if (!query.ok()) return Malformed(file, number, query.error().message);
    if (!ids.insert(query->id).second) return Malformed(file, number, "an id that was used before");
    query->is_held_out = queries.size() % kHeldOutEvery == kHeldOutEvery - 1;
    queries.push_back(std::move(*query));
  }
  if (queries.empty()) return Malformed(file, number, "no queries");
  return queries;
}

}  // namespace sibyl::bench
