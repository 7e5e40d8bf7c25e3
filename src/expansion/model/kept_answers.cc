// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/kept_answers.h"

#include <utility>

#include "base/json.h"
#include "expansion/draft_payload.h"
#include "model/answer_cache.h"

namespace sibyl::expansion {
namespace {

constexpr int kVersion = 1;
// All are written again with each new one; a part of a hundred long answers stays below it.
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

}  // namespace

KeptAnswers::KeptAnswers(runner::JobContext& job)
    : job_(job), saved_(std::chrono::steady_clock::now()) {
  const std::string_view kept = job.kept_before();
  const Result<Json> json = ParseJson(kept);
  if (!json.ok() || !json->is_object() || json->value("sibyl-answers", Json()) != Json(kVersion)) {
    // What an attempt left that failed is in the report of the newest one.
    is_used_ = kept.empty() || ParseDraft(kept).ok();
    return;
  }
  const auto answers = json->find("answers");
  if (answers == json->end() || !answers->is_object()) return;
  const MutexLock lock(mutex_);
  for (const auto& [key, value] : answers->items()) {
    std::optional<model::Answer> answer = model::ReadAnswer(value);
    if (!answer) continue;
    bytes_ += answer->text.size();
    answers_.emplace(key, *std::move(answer));
  }
}

std::optional<model::Answer> KeptAnswers::Find(const std::string& key) {
  const MutexLock lock(mutex_);
  const auto found = answers_.find(key);
  if (found == answers_.end()) return std::nullopt;
  return found->second;
}

void KeptAnswers::Add(const std::string& key, const model::Answer& answer) {
  const MutexLock lock(mutex_);
  if (answer.end == model::End::kRefused || bytes_ + answer.text.size() > kMostBytes) return;
  if (!answers_.emplace(key, answer).second) return;
  bytes_ += answer.text.size();
  has_news_ = true;
}

void KeptAnswers::Save() {
  constexpr std::chrono::seconds kBetween{1};
  const MutexLock lock(mutex_);
  if (std::chrono::steady_clock::now() - saved_ >= kBetween) Write();
}

void KeptAnswers::SaveNow() {
  const MutexLock lock(mutex_);
  Write();
}

void KeptAnswers::Write() {
  if (!is_used_ || !std::exchange(has_news_, false)) return;
  saved_ = std::chrono::steady_clock::now();
  Json json = {{"sibyl-answers", kVersion}, {"answers", Json::object()}};
  for (const auto& [key, answer] : answers_) json["answers"][key] = model::AnswerAsJson(answer);
  job_.Keep(FormatJson(json, JsonLayout::kCompact));
}

}  // namespace sibyl::expansion
