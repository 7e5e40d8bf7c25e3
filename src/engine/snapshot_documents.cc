// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot_documents.h"

#include <utility>

#include "evidence/language.h"
#include "evidence/passage.h"

namespace sibyl::engine {
namespace {

index::PassageKind KindOf(evidence::PassageShape shape) {
  switch (shape) {
    case evidence::PassageShape::kWindow:
      return index::PassageKind::kWindow;
    case evidence::PassageShape::kSection:
      return index::PassageKind::kProse;
    case evidence::PassageShape::kDefinition:
      return index::PassageKind::kDefinition;
    case evidence::PassageShape::kCommand:
      return index::PassageKind::kCommand;
    case evidence::PassageShape::kStage:
      return index::PassageKind::kStage;
  }
  return index::PassageKind::kWindow;
}

}  // namespace

SnapshotDocuments::SnapshotDocuments(const evidence::Snapshot& snapshot) : snapshot_(snapshot) {
  keys_.reserve(snapshot.files().size());
  for (const evidence::SnapshotFile& file : snapshot.files()) {
    if (file.skip != evidence::SkipReason::kNone) continue;
    keys_.push_back({.path = file.path, .blob = file.blob});
  }
}

std::unique_ptr<evidence::ObjectReader> SnapshotDocuments::TakeReader() {
  const MutexLock lock(mutex_);
  if (idle_.empty()) return std::make_unique<evidence::ObjectReader>(snapshot_.database());
  std::unique_ptr<evidence::ObjectReader> reader = std::move(idle_.back());
  idle_.pop_back();
  return reader;
}

void SnapshotDocuments::GiveBack(std::unique_ptr<evidence::ObjectReader> reader) {
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(reader));
}

Result<index::Loaded> SnapshotDocuments::Load(std::size_t item, index::Document& document) {
  std::unique_ptr<evidence::ObjectReader> reader = TakeReader();
  const index::DocumentKey& key = keys_[item];
  const evidence::ObjectView view = reader->ReadText(key.blob, snapshot_.filter().max_file_bytes);
  const bool text = view.ok() && view.type == evidence::ObjectType::kBlob &&
                    evidence::InspectText(view.bytes) == evidence::SkipReason::kNone;
  if (text) document.text.assign(view.bytes);
  GiveBack(std::move(reader));
  if (!text) return index::Loaded::kSkipped;
  document.language = evidence::Classify(key.path, document.text).language;
  document.passages.clear();
  for (evidence::Passage& passage : evidence::SplitPassages(document.language, document.text)) {
    document.passages.push_back({.first_line = passage.first_line,
                                 .last_line = passage.last_line,
                                 .begin = passage.begin,
                                 .end = passage.end,
                                 .heading = std::move(passage.label),
                                 .kind = KindOf(passage.shape)});
  }
  return index::Loaded::kText;
}

}  // namespace sibyl::engine
