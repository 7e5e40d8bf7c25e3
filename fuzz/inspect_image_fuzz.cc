// SPDX-License-Identifier: Apache-2.0
// Hostile image archives, layers and streamed files. The first byte selects how the
// rest is split into pieces.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "inspect/image/file_stream.h"
#include "inspect/image/image.h"
#include "inspect/image/layer.h"
#include "inspect/image/tar.h"

namespace {

using namespace sibyl::inspect;  // NOLINT: a fuzz target is one file

class Counter : public TarVisitor {
 public:
  void Begin(const TarEntry& entry) override {
    if (CleanPath(entry.path).find("..") == 0) std::abort();
    left_ = entry.bytes;
  }
  void Content(std::string_view piece) override {
    if (piece.size() > left_) std::abort();
    left_ -= piece.size();
  }
  void End() override {
    if (left_ != 0) std::abort();
  }

 private:
  std::uint64_t left_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t step = std::size_t{data[0]} + 1;
  Counter counter;
  TarStream tar(counter);
  Budget budget(input.size());
  FileStream file(std::uint64_t{1} << 30, budget);
  for (std::size_t at = 0; at < input.size(); at += step) {
    (void)tar.Feed(input.substr(at, step));
    file.Feed(input.substr(at, step));
  }
  const PassedFile passed = file.Finish();
  for (const CodeImage& image : passed.code.images) {
    if (image.payload_offset + image.stored_bytes > input.size()) std::abort();
    if (image.region >= passed.code.regions.size()) std::abort();
  }
  std::size_t unpacked = 0;
  (void)UnpackLayer(input, Memory::kOwned, budget, [&](std::string_view piece) {
    unpacked += piece.size();
    return unpacked < (1U << 22);
  });
  if (!IsImageArchive(input)) return 0;
  Artifact artifact{.path = "image.tar"};
  Budget whole(input.size());
  InspectImageArchive(input, Memory::kOwned, whole, artifact);
  return 0;
}
