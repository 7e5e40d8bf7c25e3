// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/image_layer.h"

#include <memory>
#include <utility>

#include "inspect/image/digest_stream.h"
#include "inspect/image/file_stream.h"
#include "inspect/image/layer.h"
#include "inspect/image/tar.h"

namespace sibyl::inspect {
namespace {

constexpr std::uint64_t kWorthHashing = 256 << 10;

// The memory that a file needs besides its name: a map node and its row.
constexpr std::uint64_t kFileBytes = sizeof(std::string) + sizeof(ImageFile) + 48;

class LayerVisitor : public TarVisitor {
 public:
  LayerVisitor(LayerContent& layer, Budget& budget) : layer_(layer), budget_(budget) {}

  void Begin(const TarEntry& entry) override {
    path_ = CleanPath(entry.path);
    stream_.reset();
    if (!budget_.Spend(Total::kEntries, 1) ||
        !budget_.Spend(Total::kKeptBytes, kFileBytes + path_.size())) {
      path_.clear();
      return;
    }
    if (path_.empty()) {
      if (CleanPath("x/" + entry.path).empty()) ++layer_.escapes;
      return;
    }
    if (entry.type == '5') {
      path_.clear();
      return;
    }
    const std::size_t slash = path_.rfind('/');
    const std::string name = slash == std::string::npos ? path_ : path_.substr(slash + 1);
    const std::string folder = slash == std::string::npos ? std::string() : path_.substr(0, slash);
    constexpr std::string_view kWhiteout = ".wh.";
    if (name == ".wh..wh..opq") {
      layer_.opaque.push_back(folder);
      path_.clear();
    } else if (name.starts_with(kWhiteout)) {
      layer_.deleted.push_back((folder.empty() ? folder : folder + '/') +
                               name.substr(kWhiteout.size()));
      path_.clear();
    } else if (entry.IsFile() && entry.bytes >= kWorthHashing) {
      stream_ = std::make_unique<FileStream>(entry.bytes, budget_);
    }
    file_ = {.bytes = entry.bytes};
  }
  void Content(std::string_view piece) override {
    if (stream_) stream_->Feed(piece);
  }
  void End() override {
    if (path_.empty()) return;
    if (stream_) {
      PassedFile passed = stream_->Finish();
      file_.sha256 = std::move(passed.sha256);
      file_.soname = std::move(passed.soname);
      file_.is_elf = passed.is_elf;
      if (!passed.code.empty()) layer_.code[path_] = std::move(passed.code);
      stream_.reset();
    }
    layer_.files[path_] = std::move(file_);
  }

 private:
  LayerContent& layer_;
  Budget& budget_;
  std::string path_;
  ImageFile file_;
  std::unique_ptr<FileStream> stream_;
};

}  // namespace

LayerContent ReadLayer(std::string_view stored, Memory memory, Budget& budget) {
  LayerContent layer;
  LayerVisitor visitor(layer, budget);
  TarStream tar(visitor);
  DigestStream hash;
  const bool is_sound = UnpackLayer(stored, memory, budget, [&](std::string_view piece) {
    hash.Add(piece);
    layer.bytes += piece.size();
    return tar.Feed(piece) && !budget.is_exceeded();
  });
  layer.digest = hash.Finish();
  layer.is_whole = is_sound && tar.is_complete();
  return layer;
}

}  // namespace sibyl::inspect
