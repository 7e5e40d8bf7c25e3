// SPDX-License-Identifier: Apache-2.0
#include "index/history/history_field.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sibyl::index {
namespace {

Error OtherHistory() {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = "opening the index of a history: it is that of another one"};
}

}  // namespace

Result<HistoryField> HistoryField::Make(Index messages, evidence::History history) {
  const evidence::HistoryFile& file = history.file;
  if (messages.parts().size() != 1) return OtherHistory();
  const Segment& segment = messages.parts().front().segment;
  const std::size_t count = file.commit_count();
  if (count == 0 || segment.passage_count() != count || segment.document_count() != count) {
    return OtherHistory();
  }
  for (const std::size_t number : {std::size_t{0}, count / 2, count - 1}) {
    git::ObjectId id;
    id.bytes = segment.document(number).blob;
    if (id != file.commit(number).Id()) return OtherHistory();
  }
  return HistoryField(std::move(messages), std::move(history));
}

std::vector<std::uint32_t> HistoryField::CommitsOf(const std::vector<std::string_view>& paths,
                                                   std::size_t most) const {
  std::vector<std::uint32_t> commits;
  for (const std::string_view path : paths) {
    const std::optional<std::uint32_t> number = history_.file.FindPath(path);
    if (!number) continue;
    const std::span<const std::uint32_t> list = history_.file.CommitsOf(*number);
    commits.insert(commits.end(), list.begin(),
                   list.begin() + static_cast<std::ptrdiff_t>(std::min(most, list.size())));
  }
  std::sort(commits.begin(), commits.end());
  commits.erase(std::unique(commits.begin(), commits.end()), commits.end());
  while (!commits.empty() && commits.back() >= history_.file.commit_count()) commits.pop_back();
  if (commits.size() > most) commits.resize(most);
  return commits;
}

}  // namespace sibyl::index
