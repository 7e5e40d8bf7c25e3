// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "evidence/look_up.h"
#include "evidence/pages/page_address.h"
#include "evidence/pages/page_snapshot.h"
#include "git/object_reader.h"
#include "git/pack_writer.h"
#include "git/tree_writer.h"

namespace sibyl::evidence {
namespace {

std::string_view SuffixOf(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot);
}

}  // namespace

Result<PageTree> PageTree::Open(const Pin& pin, const Surroundings& around) {
  PageTree tree(around);
  const Mirror mirror = around.store.MirrorOf(SourceKind::kPage, pin.origin);
  std::shared_ptr<const git::ObjectDatabase> objects;
  if (mirror.Exists()) objects = SIBYL_TRY(mirror.Open());
  std::optional<git::ObjectReader> reader;
  if (objects != nullptr) reader.emplace(*objects);
  for (const PageRecord& page : pin.pages) {
    Entry entry{.record = page};
    if (reader && pin.tree) {
      const std::optional<git::TreeEntry> found = LookUpPath(*reader, *pin.tree, page.path);
      if (found && found->IsFile() && objects->Contains(found->id)) entry.blob = found->id;
    }
    tree.pages_.emplace(page.url, std::move(entry));
  }
  return tree;
}

bool PageTree::Holds(const PageRecord& page) const {
  const auto found = pages_.find(page.url);
  return found != pages_.end() && found->second.blob.has_value();
}

void PageTree::Put(PageRecord page, std::string text) {
  const auto there = pages_.find(page.url);
  const bool is_same_form =
      there != pages_.end() && SuffixOf(there->second.record.path) == SuffixOf(page.path);
  if (is_same_form) {
    page.path = there->second.record.path;
  } else {
    std::set<std::string> taken;
    for (const auto& [url, entry] : pages_) {
      if (url != page.url) taken.insert(entry.record.path);
    }
    page.path = PagePath(page.url, SuffixOf(page.path), taken);
  }
  std::string url = page.url;
  pages_[std::move(url)] = {.record = std::move(page), .blob = {}, .text = std::move(text)};
}

std::optional<PageRecord> PageTree::RecordOf(std::string_view url) const {
  const auto found = pages_.find(std::string(url));
  if (found == pages_.end()) return std::nullopt;
  return found->second.record;
}

Result<Pin> PageTree::Write(Pin pin) const {
  if (pages_.empty()) {
    pin.tree.reset();
    pin.pages.clear();
    return pin;
  }
  const Mirror mirror = around_->store.MirrorOf(SourceKind::kPage, pin.origin);
  const FileLock lock = SIBYL_TRY(mirror.Lock());
  SIBYL_TRY(mirror.Create("pages"));
  git::PackWriter writer = SIBYL_TRY(git::PackWriter::Create(mirror.objects()));
  git::Deflater deflater;
  std::vector<git::TreeFile> files;
  std::vector<PageRecord> records;
  for (const auto& [url, entry] : pages_) {
    std::optional<git::ObjectId> blob = entry.blob;
    if (!blob) {
      // A text that the mirror has lost is still in its snapshot.
      const std::string text =
          entry.text ? *entry.text
                     : SIBYL_TRY(LoadPageSnapshot(around_->store, entry.record.text_sha256)).text;
      const git::PackedObject object = git::PackObject(git::ObjectType::kBlob, text, deflater);
      SIBYL_TRY(writer.Add(object));
      blob = object.id;
    }
    files.push_back({.path = entry.record.path, .mode = git::kModeFile | 0644u, .id = *blob});
    records.push_back(entry.record);
  }
  std::sort(records.begin(), records.end(),
            [](const PageRecord& a, const PageRecord& b) { return a.path < b.path; });
  const git::ObjectId tree = SIBYL_TRY(git::WriteTrees(files, writer));
  SIBYL_TRY(writer.Finish());
  if (pin.tree != tree) pin.date = FormatUtc(around_->clock.WrittenNow());
  pin.tree = tree;
  pin.pages = std::move(records);
  return pin;
}

}  // namespace sibyl::evidence
