// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/commit_search.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "evidence/history/message.h"
#include "evidence/origins/permalink.h"
#include "git/object_reader.h"
#include "index/history/history_field.h"
#include "index/rank/searcher.h"
#include "index/vectors/word_bag.h"
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

// How many of the question's words there are, and how many of them a text has.
class AskedWords {
 public:
  explicit AskedWords(std::string_view question) {
    index::BagWords words([this](std::string_view word) {
      return numbers_.emplace(word, static_cast<std::uint32_t>(numbers_.size())).first->second;
    });
    std::vector<std::uint32_t> found;
    words.Append(question, found);
    // What asks is not what is asked for.
    for (const std::string_view word : {"why", "reason"}) numbers_.erase(std::string(word));
  }

  bool AreNearlyAllIn(std::string_view text) const {
    constexpr std::size_t kFewest = 2;
    std::set<std::string, std::less<>> found;
    index::BagWords words([&](std::string_view word) {
      if (numbers_.contains(word)) found.emplace(word);
      return index::BagWords::kNone;
    });
    std::vector<std::uint32_t> none;
    words.Append(text, none);
    return found.size() >= kFewest && 4 * found.size() >= 3 * numbers_.size();
  }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

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

bool AsksWhy(std::string_view question) {
  const std::string lower = LowerCase(question);
  return lower.starts_with("why ") || Contains(lower, " why ") || Contains(lower, "reason for") ||
         Contains(lower, "reason why") || lower.starts_with("since when ");
}

void AddReasons(const oracle::SourceIndexes& indexes, const std::string& question,
                Json& statements) {
  constexpr std::size_t kLookedAt = 10;
  constexpr std::size_t kMost = 2;
  const AskedWords asked(question);
  std::size_t added = 0;
  for (const Json& commit : FindCommits(indexes, question, kLookedAt)) {
    const std::string message = commit["message"].get<std::string>();
    // Nothing that gives orders is quoted.
    if (commit.contains("injection") || !asked.AreNearlyAllIn(message)) continue;
    statements.push_back({{"kind", "commit"},
                          {"text", message},
                          {"heading", commit["subject"]},
                          {"lead", ""},
                          {"source", commit["source"]},
                          {"commit", commit["commit"]},
                          {"date", commit["date"]},
                          {"path", nullptr},
                          {"lines", nullptr},
                          {"citation", commit["swhid"]},
                          {"link", commit["link"]}});
    if (++added == kMost) return;
  }
}

}  // namespace sibyl::engine
