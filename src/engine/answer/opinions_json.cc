// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/opinions_json.h"

#include <utility>

#include "evidence/history/message.h"
#include "git/object_reader.h"
#include "index/history/history_field.h"
#include "index/rank/second_look.h"

namespace sibyl::engine {

Json OpinionsAsJson(const index::Searcher& searcher, const index::Hit& hit,
                    const index::Query& query) {
  constexpr std::size_t kMostReasons = 3;
  Json json = {{"words", Json::object()}, {"history", nullptr}};
  if (hit.rank_by_words == 0) return json;
  json["words"] = {{"rank", hit.rank_by_words}};
  if (hit.nearness > 0) {
    json["vectors"] = {{"nearness", hit.nearness}, {"factor", index::NearnessFactor(hit.nearness)}};
  }
  json["history"] = {{"share", hit.history}, {"factor", index::HistoryFactor(hit.history)}};
  const index::HistoryField* field = searcher.parts()[hit.passage.part].index->history();
  if (field == nullptr) return json;
  git::ObjectReader reader(*field->history().objects);
  Json commits = Json::array();
  for (const index::Searcher::Reason& reason : searcher.Reasons(hit, query, kMostReasons)) {
    const git::ObjectId id = field->history().file.commit(reason.commit).Id();
    const Result<evidence::CommitText> text = evidence::ReadCommitText(reader, id);
    if (!text.ok()) continue;
    commits.push_back({{"commit", id.Hex()},
                       {"subject", evidence::SubjectOf(text->message)},
                       {"share", reason.share}});
  }
  json["history"]["commits"] = std::move(commits);
  return json;
}

}  // namespace sibyl::engine
