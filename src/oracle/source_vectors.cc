// SPDX-License-Identifier: Apache-2.0
#include "oracle/source_vectors.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/files/file_lock.h"
#include "base/files/root.h"
#include "base/strings.h"
#include "index/vectors/learn_vectors.h"
#include "index/vectors/learned_texts.h"
#include "index/vectors/vector_file.h"
#include "index/vectors/vector_query.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

// As long as it takes another process to learn them.
constexpr std::chrono::minutes kPatience(20);

fs::path PathOf(const VectorPlaces& places) { return places.root / "vectors" / places.key; }

Status Learn(const VectorPlaces& places, const evidence::Surroundings& around,
             const SourceIndexes& indexes) {
  if (around.progress) {
    around.progress(
        fmt::format("learning the words of {}", Count(indexes.sources.size(), "source")));
  }
  const index::LearnedTexts texts = index::ReadLearnedTexts(indexes.Borrow(), {}, around.cancelled);
  const std::vector<index::Vector> vectors =
      index::LearnVectors(texts, {.cancelled = around.cancelled});
  if (around.cancelled && around.cancelled()) {
    return Error{.kind = ErrorKind::kCancelled, .message = "learning words: interrupted"};
  }
  std::vector<index::VectorSource> sources;
  for (const index::Index* index : indexes.Borrow()) {
    std::uint64_t rows = 0;
    for (const index::Index::Part& part : index->parts()) rows += part.segment.passage_count();
    sources.push_back({.layout = index::LayoutOf(*index), .rows = rows});
  }
  const Root root = SIBYL_TRY(Root::Open(places.root));
  return root.Write(PathOf(places).lexically_relative(places.root).string(),
                    index::FormatVectors(texts, vectors, sources));
}

enum class Found { kVectors, kNothingLearned, kOther };

// Gives the file to the indexes, if it is theirs: not of indexes with other segments.
Found OpenAndAttach(const VectorPlaces& places, SourceIndexes& indexes) {
  Result<index::VectorFile> opened = index::VectorFile::Open(PathOf(places));
  if (!opened.ok()) return Found::kOther;
  if (opened->word_count() == 0) return Found::kNothingLearned;
  const auto file = std::make_shared<const index::VectorFile>(std::move(*opened));
  std::vector<std::uint64_t> first_rows;
  for (const SourceIndex& source : indexes.sources) {
    const std::optional<std::uint64_t> row = file->FirstRow(*source.index);
    if (!row) return Found::kOther;
    first_rows.push_back(*row);
  }
  for (std::size_t i = 0; i < first_rows.size(); ++i) {
    indexes.sources[i].index->set_vectors(std::make_shared<const index::VectorRows>(
        index::VectorRows{.file = file, .first = first_rows[i]}));
  }
  return Found::kVectors;
}

}  // namespace

Status AttachVectors(const VectorPlaces& places, const evidence::Surroundings& around,
                     bool is_complete, const std::function<Result<SourceIndexes>()>& open_all,
                     SourceIndexes& indexes) {
  if (OpenAndAttach(places, indexes) != Found::kOther) return {};
  if (is_complete) {
    const Root root = SIBYL_TRY(Root::Create(places.root));
    for (const char* folder : {"latest", "vectors"}) SIBYL_TRY(root.MakeFolders(folder));
    const fs::path lock_file = places.root / "latest" / "vectors.lock";
    const FileLock lock = SIBYL_TRY(FileLock::Take(lock_file, kPatience));
    // Another process may have learned them.
    if (OpenAndAttach(places, indexes) != Found::kOther) return {};
    SIBYL_TRY(Learn(places, around, indexes));
  } else {
    SIBYL_TRY(open_all());
  }
  if (OpenAndAttach(places, indexes) != Found::kOther) return {};
  return Error{.kind = ErrorKind::kNotFound,
               .message = "not all sources that words are learned from are on this machine"};
}

}  // namespace sibyl::oracle
