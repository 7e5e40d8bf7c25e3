// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/last_question.h"

#include <filesystem>

#include "base/files/root.h"
#include "base/files/user_state.h"
#include "base/hash.h"
#include "base/json.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;

// A server answers many callers, none of which has a last question.
bool IsCommandLine(const oracle::Context& context) {
  return context.roots.empty() && context.inspected == nullptr && context.lease_monitor == nullptr;
}

std::optional<std::filesystem::path> FileOf(const oracle::Context& context) {
  const Result<Root> oracle = oracle::OpenOracle(context);
  if (!oracle.ok()) return std::nullopt;
  return std::filesystem::path("asked") / (Sha256(oracle->path().string()) + ".json");
}

std::optional<std::string> TextMember(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name) || !json[name].is_string()) return std::nullopt;
  return json[name].get<std::string>();
}

}  // namespace

std::optional<AskedQuestion> LastQuestion(const oracle::Context& context) {
  const auto file = FileOf(context);
  if (!file || !IsCommandLine(context)) return std::nullopt;
  const Result<UserState> state = oracle::OpenState(context);
  if (!state.ok()) return std::nullopt;
  const Result<std::string> text = state->root().Read(*file, {.max_bytes = kMostBytes});
  if (!text.ok()) return std::nullopt;
  const Result<Json> json = ParseJson(*text);
  if (!json.ok()) return std::nullopt;
  std::optional<std::string> question = TextMember(*json, "question");
  if (!question || question->empty()) return std::nullopt;
  return AskedQuestion{.text = *std::move(question),
                       .context = TextMember(*json, "context").value_or("")};
}

void RememberQuestion(const oracle::Context& context, const AskedQuestion& question) {
  const auto file = FileOf(context);
  if (!file || !IsCommandLine(context)) return;
  const Result<UserState> state = oracle::OpenState(context);
  if (!state.ok() || !state->root().MakeFolders(file->parent_path()).ok()) return;
  const Json json = {{"question", question.text}, {"context", question.context}};
  static_cast<void>(state->root().Write(*file, FormatJson(json, JsonLayout::kCompact)));
}

}  // namespace sibyl::engine
