// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/archive_index.h"

#include "inspect/image/tar.h"

namespace sibyl::inspect {
namespace {

std::string ResolveLink(std::string folder, std::string_view link) {
  while (link.starts_with("../")) {
    link.remove_prefix(3);
    if (!folder.empty()) folder.pop_back();
    folder = folder.substr(0, folder.rfind('/') + 1);
  }
  return CleanPath(folder + std::string(link));
}

}  // namespace

class ArchiveIndex::Visitor : public TarVisitor {
 public:
  Visitor(std::string_view bytes, Budget& budget, ArchiveIndex& index)
      : bytes_view_(bytes), budget_(budget), index_(index) {}
  void Begin(const TarEntry& entry) override {
    constexpr std::uint64_t kMemberBytes = 160;  // nodes and rows of both maps
    path_ = CleanPath(entry.path);
    bytes_ = entry.bytes;
    start_ = nullptr;
    if (!budget_.Spend(Total::kEntries, 1) ||
        !budget_.Spend(Total::kKeptBytes, kMemberBytes + path_.size() + entry.link.size())) {
      path_.clear();
      return;
    }
    if (entry.type == '2' || entry.type == '1') {
      // podman links layer.tar to the member with the bytes.
      const std::string folder = path_.substr(0, path_.rfind('/') + 1);
      index_.links_[path_] =
          entry.type == '1' ? CleanPath(entry.link) : ResolveLink(folder, entry.link);
    }
  }
  void Content(std::string_view piece) override {
    if (start_ == nullptr) start_ = piece.data();
  }
  void End() override {
    if (start_ == nullptr || path_.empty()) return;
    const auto offset = static_cast<std::size_t>(start_ - bytes_view_.data());
    index_.members_[path_] = bytes_view_.substr(offset, static_cast<std::size_t>(bytes_));
  }

 private:
  std::string_view bytes_view_;
  Budget& budget_;
  ArchiveIndex& index_;
  std::string path_;
  std::uint64_t bytes_ = 0;
  const char* start_ = nullptr;
};

// In pieces, so that reading stops when the budget is exceeded.
ArchiveIndex::ArchiveIndex(std::string_view bytes, Budget& budget) {
  constexpr std::size_t kTarPiece = std::size_t{1} << 20;
  Visitor visitor(bytes, budget, *this);
  TarStream tar(visitor);
  for (std::size_t at = 0; at < bytes.size() && !budget.is_exceeded(); at += kTarPiece) {
    is_sound_ = tar.Feed(bytes.substr(at, kTarPiece));
    if (!is_sound_) return;
  }
}

std::optional<std::string_view> ArchiveIndex::Find(std::string path) const {
  constexpr int kMostHops = 8;
  for (int hops = 0; hops < kMostHops; ++hops) {
    if (const auto found = members_.find(path); found != members_.end()) return found->second;
    const auto link = links_.find(path);
    if (link == links_.end()) return std::nullopt;
    path = link->second;
  }
  return std::nullopt;
}

}  // namespace sibyl::inspect
