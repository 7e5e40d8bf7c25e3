// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/commit_search.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/utf8.h"
#include "evidence/history/message.h"
#include "evidence/origins/permalink.h"
#include "git/object_reader.h"
#include "index/history/history_field.h"
#include "index/rank/searcher.h"
#include "injection/instruction.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMostFiles = 10;

std::vector<const oracle::SourceIndex*> WithHistory(const oracle::SourceIndexes& indexes) {
  std::vector<const oracle::SourceIndex*> with;
  for (const oracle::SourceIndex& source : indexes.sources) {
    if (source.index->history() != nullptr) with.push_back(&source);
  }
  return with;
}

// Null if it cannot be read: its bytes are compared with the id.
Json CommitAsJson(const oracle::SourceIndex& source, std::size_t number, float score) {
  const evidence::History& history = source.index->history()->history();
  const evidence::HistoryRow& row = history.file.commit(number);
  git::ObjectReader reader(*history.objects);
  const Result<evidence::CommitText> text = evidence::ReadCommitText(reader, row.Id());
  if (!text.ok()) return nullptr;
  const std::string link = evidence::CommitLink(source.pin.origin, row.Id());
  const std::string words = evidence::WordsOfMessage(text->message);
  Json files = Json::array();
  for (const std::uint32_t change : history.file.ChangesOf(number)) {
    if (change < history.file.path_count() && files.size() < kMostFiles) {
      files.push_back(history.file.path(change));
    }
  }
  Json json = {{"source", source.pin.name},
               {"commit", row.Id().Hex()},
               {"swhid", "swh:1:rev:" + row.Id().Hex() + ";origin=" + source.pin.origin},
               {"link", link.empty() ? Json(nullptr) : Json(link)},
               {"date", FormatDate(Time(std::chrono::seconds(row.time)))},
               {"author", ReplaceInvalidUtf8(text->author.substr(0, text->author.find(" <")))},
               {"subject", evidence::SubjectOf(text->message)},
               {"message", words},
               {"file_count", row.change_count},
               {"files", std::move(files)},
               {"score", score}};
  // A search shows prompt injections too, and marks them.
  if (!injection::FindInstructions(words).empty()) json["injection"] = true;
  return json;
}

}  // namespace

bool HasHistories(const oracle::SourceIndexes& indexes) { return !WithHistory(indexes).empty(); }

Json FindCommits(const oracle::SourceIndexes& indexes, const std::string& query, std::size_t most) {
  const std::vector<const oracle::SourceIndex*> sources = WithHistory(indexes);
  std::vector<const index::Index*> messages;
  messages.reserve(sources.size());
  for (const oracle::SourceIndex* source : sources) {
    messages.push_back(&source->index->history()->messages());
  }
  const index::Searcher searcher(messages);
  Json commits = Json::array();
  // Every index of messages has one part, in which passages are commits.
  for (const index::Hit& hit : searcher.Search({.text = query, .limit = most})) {
    Json commit = CommitAsJson(*sources[hit.passage.part], hit.passage.passage, hit.score);
    if (!commit.is_null()) commits.push_back(std::move(commit));
  }
  return commits;
}

}  // namespace sibyl::engine
