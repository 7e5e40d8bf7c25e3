// SPDX-License-Identifier: Apache-2.0
#include "oracle/snapshot_documents.h"

#include <limits>
#include <utility>

#include "cards/spot.h"
#include "passages/language.h"
#include "passages/passage.h"

namespace sibyl::oracle {
namespace {

index::PassageKind KindOf(passages::PassageShape shape) {
  switch (shape) {
    case passages::PassageShape::kWindow:
      return index::PassageKind::kWindow;
    case passages::PassageShape::kSection:
      return index::PassageKind::kProse;
    case passages::PassageShape::kDefinition:
      return index::PassageKind::kDefinition;
    case passages::PassageShape::kCommand:
      return index::PassageKind::kCommand;
    case passages::PassageShape::kStage:
      return index::PassageKind::kStage;
  }
  return index::PassageKind::kWindow;
}

}  // namespace

void SplitDocument(std::string_view path, index::Document& document) {
  document.language = passages::Classify(path, document.text).language;
  document.passages.clear();
  document.cards.clear();
  if (document.text.size() > std::numeric_limits<std::uint32_t>::max()) return;
  const passages::LineTable lines(document.text);
  passages::OutlineNotes notes;
  for (passages::Passage& passage : passages::SplitPassages(document.language, lines, notes)) {
    document.passages.push_back({.first_line = passage.first_line,
                                 .last_line = passage.last_line,
                                 .begin = passage.begin,
                                 .end = passage.end,
                                 .heading = std::move(passage.label),
                                 .kind = KindOf(passage.shape)});
  }
  document.cards = cards::SpotCards(
      {.path = path, .language = document.language, .lines = lines, .notes = notes});
}

SnapshotDocuments::SnapshotDocuments(const evidence::Snapshot& snapshot) : snapshot_(snapshot) {
  keys_.reserve(snapshot.files().size());
  for (const evidence::SnapshotFile& file : snapshot.files()) {
    if (file.skip != evidence::SkipReason::kNone) continue;
    keys_.push_back({.path = file.path, .blob = file.blob});
  }
}

std::unique_ptr<git::ObjectReader> SnapshotDocuments::TakeReader() {
  const MutexLock lock(mutex_);
  if (idle_.empty()) return std::make_unique<git::ObjectReader>(snapshot_.database());
  std::unique_ptr<git::ObjectReader> reader = std::move(idle_.back());
  idle_.pop_back();
  return reader;
}

void SnapshotDocuments::GiveBack(std::unique_ptr<git::ObjectReader> reader) {
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(reader));
}

Result<index::Loaded> SnapshotDocuments::Load(std::size_t item, index::Document& document) {
  std::unique_ptr<git::ObjectReader> reader = TakeReader();
  const index::DocumentKey& key = keys_[item];
  const git::ObjectView view = reader->ReadText(key.blob, snapshot_.filter().max_file_bytes);
  const bool text = view.ok() && view.type == git::ObjectType::kBlob &&
                    evidence::InspectText(view.bytes) == evidence::SkipReason::kNone;
  if (text) document.text.assign(view.bytes);
  GiveBack(std::move(reader));
  if (!text) return index::Loaded::kSkipped;
  SplitDocument(key.path, document);
  return index::Loaded::kText;
}

}  // namespace sibyl::oracle
