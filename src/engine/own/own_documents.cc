// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_documents.h"

#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/markdown/markdown_name.h"
#include "base/parallel.h"
#include "evidence/snapshot.h"
#include "oracle/snapshot_documents.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMaxIndexedBytes = std::size_t{2} << 20;

}  // namespace

Result<std::string> OwnDocuments::Read(const std::string& path) const {
  if (repository_->is_work_tree()) return root_.Read(path, {.max_bytes = kMaxIndexedBytes});
  return repository_->Read(path);
}

Result<OwnDocuments> OwnDocuments::List(const references::Repository& repository) {
  OwnDocuments documents(repository, SIBYL_TRY(Root::Open(repository.location().work_tree)));
  std::vector<std::string> paths;
  for (const std::string& path : repository.paths().all()) {
    if (!HasMarkdownName(path)) paths.push_back(path);
  }
  if (paths.size() > evidence::kMaxSourcePaths) {
    return evidence::TooManyPaths(evidence::kMaxSourcePaths);
  }
  std::vector<std::optional<git::ObjectId>> blobs(paths.size());
  ForEachInParallel(paths.size(), {}, [&](std::size_t i) {
    if (!repository.is_work_tree()) {
      blobs[i] = repository.BlobIdAt(*repository.head(), paths[i]);
      return;
    }
    const Result<std::string> text = documents.Read(paths[i]);
    const bool is_text = text.ok() && evidence::InspectText(*text) == evidence::SkipReason::kNone;
    if (is_text) blobs[i] = git::ObjectId::FromHex(GitBlobId(*text));
  });
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (blobs[i]) documents.keys_.push_back({.path = std::move(paths[i]), .blob = *blobs[i]});
  }
  return documents;
}

Result<index::Loaded> OwnDocuments::Load(std::size_t item, index::Document& document) {
  const index::DocumentKey& key = keys_[item];
  Result<std::string> text = Read(key.path);
  if (!text.ok() || text->size() > kMaxIndexedBytes) return index::Loaded::kSkipped;
  if (evidence::InspectText(*text) != evidence::SkipReason::kNone) return index::Loaded::kSkipped;
  // Somebody may have saved the file since it was listed; the next run sees that.
  if (git::ObjectId::FromHex(GitBlobId(*text)) != key.blob) return index::Loaded::kSkipped;
  document.text = *std::move(text);
  oracle::SplitDocument(key.path, document);
  return index::Loaded::kText;
}

}  // namespace sibyl::engine
