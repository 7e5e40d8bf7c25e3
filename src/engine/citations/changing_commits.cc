// SPDX-License-Identifier: Apache-2.0
#include "engine/citations/changing_commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "base/clock.h"
#include "evidence/history/message.h"
#include "evidence/history/pinned_history.h"
#include "git/object_reader.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMostCommits = 3;
constexpr std::size_t kShortDigits = 10;

Json CommitAsJson(const evidence::History& history, std::uint32_t number) {
  const evidence::HistoryRow& row = history.file.commit(number);
  git::ObjectReader reader(*history.objects);
  const Result<evidence::CommitText> text = evidence::ReadCommitText(reader, row.Id());
  return {{"commit", row.Id().Hex()},
          {"date", FormatDate(Time(std::chrono::seconds(row.time)))},
          {"subject", text.ok() ? evidence::SubjectOf(text->message) : std::string()}};
}

}  // namespace

const evidence::History* ChangingCommits::HistoryOf(const std::string& origin) {
  if (const auto known = histories_.find(origin); known != histories_.end()) {
    return known->second.get();
  }
  std::unique_ptr<evidence::History>& history = histories_[origin];
  for (const evidence::Pin& pin : lock_.pins) {
    if (pin.origin != origin || pin.history == 0) continue;
    Result<evidence::History> opened = evidence::OpenHistoryOf(pin, around_);
    if (!opened.ok()) continue;
    history = std::make_unique<evidence::History>(std::move(*opened));
    break;
  }
  return history.get();
}

Json ChangingCommits::Since(const evidence::SourceCitation& citation) {
  Json commits = Json::array();
  const evidence::History* history = HistoryOf(citation.origin);
  if (history == nullptr) return commits;
  const std::optional<std::uint32_t> path = history->file.FindPath(citation.path);
  const std::optional<std::uint32_t> since = history->file.FindCommit(citation.anchor_id);
  if (!path || !since) return commits;
  for (std::uint32_t number = 0; number < *since && commits.size() < kMostCommits; ++number) {
    const std::span<const std::uint32_t> changes = history->file.ChangesOf(number);
    if (std::find(changes.begin(), changes.end(), *path) == changes.end()) continue;
    commits.push_back(CommitAsJson(*history, number));
  }
  return commits;
}

std::string CommitsText(const Json& commits) {
  std::string text;
  for (const Json& commit : commits) {
    text += fmt::format("{}{} ({}) {}", text.empty() ? "" : "; ",
                        commit.value("commit", "").substr(0, kShortDigits),
                        commit.value("date", ""), commit.value("subject", ""));
  }
  return text;
}

}  // namespace sibyl::engine
