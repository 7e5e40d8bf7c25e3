// SPDX-License-Identifier: Apache-2.0
#include "inspect/fact_book.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace sibyl::inspect {
namespace {

constexpr std::string_view kFirstLine = "sibyl facts 1";

Error Bad(std::size_t line, std::string what) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("reading {}: {}", kFactsFile, what),
               .hint =
                   "'sibyl cite' writes this file; restore it from git, or remove the line and "
                   "cite the fact again",
               .place = Place{.file = std::string(kFactsFile), .line = line}};
}

std::optional<std::string> TextMember(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return std::string();
  if (!found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<RecordedFact> ReadFact(const Json& json) {
  if (!json.is_object() || !json.contains("value")) return std::nullopt;
  std::optional<std::string> kind = TextMember(json, "kind");
  std::optional<std::string> source = TextMember(json, "source");
  std::optional<std::string> path = TextMember(json, "path");
  const auto bytes = json.find("bytes");
  if (!kind || !source || !path || bytes == json.end() || !bytes->is_number_unsigned()) {
    return std::nullopt;
  }
  return RecordedFact{.value = json["value"],
                      .kind = *std::move(kind),
                      .bytes = bytes->get<std::uint64_t>(),
                      .source = *std::move(source),
                      .path = *std::move(path)};
}

// The unit of a number under this key, so that "1,376 cubins" in a text matches.
std::string UnitOf(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  const std::string_view last = key.substr(dot == std::string_view::npos ? 0 : dot + 1);
  if (last == "bits") return "bits";
  if (last.ends_with("bytes")) return "bytes";
  if (last != "count" && last != "with_code") return std::string(last);
  const std::string_view kind = key.substr(0, key.find('.'));
  std::string unit = kind == "cubin" ? "cubins" : fmt::format("{} images", kind);
  if (last == "with_code") unit += " with code";
  return unit;
}

std::string ValueInWords(std::string_view key, const Json& value) {
  if (value.is_number()) {
    return fmt::format("{} {}", FormatJson(value, JsonLayout::kCompact), UnitOf(key));
  }
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return FormatJson(value, JsonLayout::kCompact);
  std::string list;
  for (const Json& one : value) {
    if (!list.empty()) list += ", ";
    list += one.is_string() ? one.get<std::string>() : FormatJson(one, JsonLayout::kCompact);
  }
  return list;
}

}  // namespace

Result<FactBook> FactBook::Parse(std::string_view text) {
  FactBook book;
  if (text.empty()) return book;
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(text)) {
    ++number;
    if (number == 1) {
      if (line != kFirstLine) {
        return Bad(1, fmt::format("the first line is not '{}'", kFirstLine));
      }
      continue;
    }
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return Bad(number, "expected a citation and a fact");
    const Result<evidence::Citation> citation = evidence::ParseCitation(line.substr(0, space));
    if (!citation.ok()) return Bad(number, citation.error().message);
    const auto* of_fact = std::get_if<evidence::FactCitation>(&*citation);
    if (of_fact == nullptr) return Bad(number, "the citation does not cite a fact");
    const Result<Json> json = ParseJson(line.substr(space + 1), {.max_depth = 20});
    std::optional<RecordedFact> fact = json.ok() ? ReadFact(*json) : std::nullopt;
    if (!fact) return Bad(number, "the fact is not in the form that 'sibyl cite' writes");
    if (book.Find(*of_fact) != nullptr) return Bad(number, "the citation is listed twice");
    book.Put(*of_fact, *std::move(fact));
  }
  return book;
}

std::string FactBook::Format() const {
  std::string text = std::string(kFirstLine) + "\n";
  for (const auto& [citation, fact] : facts_) {
    Json json = {{"value", fact.value}, {"kind", fact.kind}, {"bytes", fact.bytes}};
    if (!fact.source.empty()) json["source"] = fact.source;
    json["path"] = fact.path;
    text += citation + " " + FormatJson(json, JsonLayout::kCompact) + "\n";
  }
  return text;
}

void FactBook::Put(const evidence::FactCitation& citation, RecordedFact fact) {
  facts_.insert_or_assign(evidence::FormatCitation(citation), std::move(fact));
}

const RecordedFact* FactBook::Find(const evidence::FactCitation& citation) const {
  const auto found = facts_.find(evidence::FormatCitation(citation));
  return found == facts_.end() ? nullptr : &found->second;
}

std::vector<std::pair<evidence::FactCitation, const RecordedFact*>> FactBook::All() const {
  std::vector<std::pair<evidence::FactCitation, const RecordedFact*>> all;
  for (const auto& [text, fact] : facts_) {
    const Result<evidence::Citation> citation = evidence::ParseCitation(text);
    const auto* key = citation.ok() ? std::get_if<evidence::FactCitation>(&*citation) : nullptr;
    if (key != nullptr) all.emplace_back(*key, &fact);
  }
  return all;
}

const RecordedFact* FactBook::FindArtifact(std::string_view sha256) const {
  const std::string prefix = fmt::format("fact:sha256:{};", sha256);
  const auto found = facts_.lower_bound(prefix);
  return found != facts_.end() && found->first.starts_with(prefix) ? &found->second : nullptr;
}

std::string FactInWords(const evidence::FactCitation& citation, const RecordedFact& fact) {
  return fmt::format("{}: {}, {} bytes\n{} {}: {}\n",
                     std::filesystem::path(fact.path).filename().string(), fact.kind, fact.bytes,
                     citation.inspector, citation.key, ValueInWords(citation.key, fact.value));
}

}  // namespace sibyl::inspect
