// SPDX-License-Identifier: Apache-2.0
#include "model/answer_cache.h"

#include "base/files/files.h"
#include "base/hash.h"
#include "base/json.h"

namespace sibyl::model {
namespace {

constexpr int kVersion = 1;

}  // namespace

std::string AnswerCache::Key(const Wording& wording, const std::string& server,
                             const Question& question) {
  // Without the name of the limit's field: it is found by trial, and does not
  // change the answer.
  const Wording same{.protocol = wording.protocol, .model = wording.model};
  const Json all = {{"version", kVersion},
                    {"protocol", ProtocolName(wording.protocol)},
                    {"server", server},
                    {"body", RequestBody(same, question)}};
  return Sha256(FormatJson(all, JsonLayout::kCompact));
}

std::filesystem::path AnswerCache::PathOf(const std::string& key) const {
  return folder_ / key.substr(0, 2) / (key.substr(2) + ".json");
}

Json AnswerAsJson(const Answer& answer) {
  return {{"version", kVersion},
          {"model", answer.model},
          {"end", answer.end == End::kLength ? "length" : "complete"},
          {"input_tokens", answer.usage.input},
          {"output_tokens", answer.usage.output},
          {"text", answer.text}};
}

std::optional<Answer> ReadAnswer(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto text = json.find("text");
  const auto end = json.find("end");
  const bool is_ours = json.value("version", Json()) == kVersion && text != json.end() &&
                       text->is_string() && end != json.end() && end->is_string();
  if (!is_ours) return std::nullopt;
  Answer answer{.text = text->get<std::string>(),
                .end = *end == "length" ? End::kLength : End::kComplete,
                .is_remembered = true};
  const Json model = json.value("model", Json());
  if (model.is_string()) answer.model = model.get<std::string>();
  const auto count = [&](const char* name) {
    const Json value = json.value(name, Json());
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
  };
  answer.usage = {.input = count("input_tokens"), .output = count("output_tokens")};
  return answer;
}

std::optional<Answer> AnswerCache::Find(const std::string& key) const {
  const Result<std::string> bytes = ReadFile(PathOf(key));
  if (!bytes.ok()) return std::nullopt;
  const Result<Json> json = ParseJson(*bytes);
  if (!json.ok()) return std::nullopt;
  return ReadAnswer(*json);
}

Status AnswerCache::Keep(const std::string& key, const Answer& answer) const {
  if (answer.end == End::kRefused) return {};
  const std::filesystem::path path = PathOf(key);
  SIBYL_TRY(CreateFolders(path.parent_path()));
  return WriteFileAtomically(path, FormatJson(AnswerAsJson(answer), JsonLayout::kCompact));
}

}  // namespace sibyl::model
