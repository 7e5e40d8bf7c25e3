// SPDX-License-Identifier: Apache-2.0
#include "oracle/page_index.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "base/files/file_lock.h"
#include "base/files/root.h"
#include "base/files/user_cache.h"
#include "base/hash.h"
#include "base/markdown/fence.h"
#include "base/strings.h"
#include "git/object.h"
#include "index/builder/index_builder.h"
#include "oracle/snapshot_documents.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

// Changed when the same pages would be indexed differently.
constexpr std::string_view kPageRules = "pages-1";

class OwnDocuments : public index::DocumentSource {
 public:
  explicit OwnDocuments(const std::vector<OwnPage>& pages) {
    for (const OwnPage& page : pages) {
      texts_.push_back(TextToIndex(page.text));
      keys_.push_back(
          {.path = page.path, .blob = git::HashObject(git::ObjectType::kBlob, texts_.back())});
    }
  }

  std::size_t size() const override { return keys_.size(); }
  const index::DocumentKey& key(std::size_t item) const override { return keys_[item]; }

  Result<index::Loaded> Load(std::size_t item, index::Document& document) override {
    document.text = texts_[item];
    SplitDocument(keys_[item].path, document);
    return index::Loaded::kText;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<index::DocumentKey> keys_;
};

// "## 3. Title" -> "title"; empty if it is no heading.
std::string TitleOf(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  if (level == 0 || level == line.npos || line[level] != ' ') return {};
  line.remove_prefix(level);
  return LowerCase(Trim(line));
}

bool OnlyLeadsElsewhere(std::string_view line) {
  return line.starts_with("See [") || line.starts_with("See also") || line.starts_with("> sibyl ");
}

std::string WithoutMarks(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const std::size_t end = line.starts_with("[^") ? line.find(']') : line.npos;
    if (end != line.npos) {
      line.remove_prefix(end + 1);
      continue;
    }
    // USE\_CUPTI is a name.
    if (line.starts_with("\\_")) line.remove_prefix(1);
    plain += line.front();
    line.remove_prefix(1);
  }
  return plain;
}

class PageCleaner {
 public:
  std::string Clean(std::string_view line) {
    if (fences_.Take(line) != FencePart::kOutside) {
      return is_apparatus_ ? std::string() : std::string(line);
    }
    if (const std::string title = TitleOf(line); !title.empty()) {
      is_apparatus_ = title == "sources" || title == "not found" || title == "references";
    }
    const std::string_view text = Trim(line);
    is_in_points_ = text.starts_with("| planned |") || (is_in_points_ && text.starts_with('|'));
    // What follows a definition and is indented belongs to it.
    is_in_definition_ =
        IsDefinition(line) || (is_in_definition_ && line.starts_with("    ") && !text.empty());
    if (is_apparatus_ || is_in_points_ || is_in_definition_ || OnlyLeadsElsewhere(text)) return {};
    return WithoutMarks(line);
  }

 private:
  static bool IsDefinition(std::string_view line) {
    const std::size_t end = line.starts_with("[^") ? line.find(']') : line.npos;
    return end != line.npos && line.substr(end).starts_with("]:");
  }

  FenceTracker fences_;
  bool is_apparatus_ = false;
  bool is_in_points_ = false;
  bool is_in_definition_ = false;
};

std::string KeyOf(const std::vector<OwnPage>& pages) {
  std::string key = std::string(kPageRules) + "\n" + std::string(kPassageRules);
  for (const OwnPage& page : pages) key += "\n" + page.path + "\n" + Sha256(page.text);
  return Sha256(key).substr(0, 40);
}

}  // namespace

std::string TextToIndex(std::string_view page) {
  PageCleaner cleaner;
  std::string text;
  for (const std::string_view line : SplitLines(page)) text += cleaner.Clean(line) + '\n';
  return text;
}

Result<index::Index> OpenPageIndex(const std::vector<OwnPage>& pages,
                                   const evidence::Surroundings& around) {
  fs::path folder = around.store.folder() / "index";
  const std::string key = KeyOf(pages);
  const std::string name(kOwnPages);
  Result<index::Index> index =
      index::Index::Open(folder / "manifests" / key, folder / "segments", name);
  if (index.ok()) return index;
  folder = WritableCache(around.store.folder()) / "index";
  const fs::path segments = folder / "segments";
  const fs::path manifest = folder / "manifests" / key;
  index = index::Index::Open(manifest, segments, name);
  if (index.ok()) return index;
  const Root root = SIBYL_TRY(Root::Create(folder));
  SIBYL_TRY(root.MakeFolders("segments"));
  SIBYL_TRY(root.MakeFolders("manifests"));
  const FileLock lock =
      SIBYL_TRY(FileLock::Take(fs::path(manifest) += ".lock", std::chrono::minutes(1)));
  OwnDocuments documents(pages);
  SIBYL_TRY(index::BuildIndex(
      documents,
      {.segment_folder = segments, .manifest = manifest, .fingerprint = std::string(kPageRules)}));
  return index::Index::Open(manifest, segments, name);
}

}  // namespace sibyl::oracle
