// SPDX-License-Identifier: Apache-2.0
#include "oracle/commit_documents.h"

#include <algorithm>
#include <utility>

#include "evidence/history/message.h"

namespace sibyl::oracle {

CommitDocuments::CommitDocuments(const evidence::History& history) : history_(history) {
  keys_.reserve(history.file.commit_count());
  for (std::size_t i = 0; i < history.file.commit_count(); ++i) {
    // A path has words, and a commit has none.
    keys_.push_back({.path = "-", .blob = history.file.commit(i).Id()});
  }
}

std::unique_ptr<git::ObjectReader> CommitDocuments::TakeReader() {
  const MutexLock lock(mutex_);
  if (idle_.empty()) return std::make_unique<git::ObjectReader>(*history_.objects);
  std::unique_ptr<git::ObjectReader> reader = std::move(idle_.back());
  idle_.pop_back();
  return reader;
}

void CommitDocuments::GiveBack(std::unique_ptr<git::ObjectReader> reader) {
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(reader));
}

// Every commit is a document, so that passages and commits have the same numbers.
Result<index::Loaded> CommitDocuments::Load(std::size_t item, index::Document& document) {
  std::unique_ptr<git::ObjectReader> reader = TakeReader();
  const Result<evidence::CommitText> commit = evidence::ReadCommitText(*reader, keys_[item].blob);
  GiveBack(std::move(reader));
  if (!commit.ok()) return commit.error();
  document.text = evidence::WordsOfMessage(commit->message);
  if (document.text.empty()) document.text = "-";
  document.language.clear();
  document.cards.clear();
  document.passages.clear();
  const auto lines =
      static_cast<std::uint32_t>(1 + std::count(document.text.begin(), document.text.end(), '\n'));
  document.passages.push_back({.first_line = 1,
                               .last_line = lines,
                               .begin = 0,
                               .end = static_cast<std::uint32_t>(document.text.size()),
                               .heading = evidence::SubjectOf(commit->message),
                               .kind = index::PassageKind::kProse});
  return index::Loaded::kText;
}

}  // namespace sibyl::oracle
