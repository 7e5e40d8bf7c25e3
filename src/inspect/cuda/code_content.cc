// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/code_content.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

#include "base/mutex.h"
#include "base/parallel.h"
#include "field/field.h"
#include "inspect/cuda/unpack.h"
#include "inspect/pages.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kGrain = 16;
constexpr std::size_t kBeginning = 16 << 10;
constexpr std::size_t kLongBeginning = 256 << 10;

HasCode CodeIn(const std::optional<Cubin>& cubin) {
  if (!cubin) return HasCode::kUnknown;
  return cubin->code_sections > 0 ? HasCode::kYes : HasCode::kNo;
}

// Finds the note without the section table.
std::string OriginInBeginning(std::string_view beginning) {
  constexpr std::string_view kRelease = "Cuda compilation tools, release ";
  const std::size_t at = beginning.find(kRelease);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = beginning.substr(at, 256);
  const std::string_view line = rest.substr(0, rest.find('\0'));
  const std::size_t version = line.rfind(", V");
  return version == std::string_view::npos ? std::string() : std::string(line.substr(version + 3));
}

struct CubinContent {
  HasCode has_code = HasCode::kUnknown;
  bool is_damaged = false;
  std::string origin;
};

CubinContent ReadWholeCubin(std::string_view bytes) {
  std::optional<Cubin> cubin = ReadCubin(bytes);
  if (!cubin) return {.is_damaged = true};
  return {.has_code = CodeIn(cubin),
          .is_damaged = cubin->is_cut,
          .origin = std::move(cubin->origin.version)};
}

CubinContent ReadCubinContent(std::string_view payload, Unpacker& unpacker, const CodeImage& image,
                              Budget& budget) {
  if (image.compression == Compression::kNone) return ReadWholeCubin(payload);
  const std::size_t whole = MostUnpacked(image);
  if (whole < image.unpacked_bytes) return {.is_damaged = true};
  CubinContent content;
  for (const std::size_t most : {kBeginning, kLongBeginning}) {
    if (most >= whole) break;
    const Unpacker::Unpacked unpacked = unpacker.Unpack(payload, image.compression, most);
    if (!budget.Spend(Total::kUnpackedBytes, unpacked.bytes.size())) return {};
    if (!unpacked.is_sound || unpacked.bytes.size() < most) return {.is_damaged = true};
    // The first ABI has the tool's version in the header, the second in a note.
    const std::optional<Cubin> cubin = ReadCubin(unpacked.bytes);
    if (!cubin) return {.is_damaged = true};
    content.origin =
        cubin->origin.version.empty() ? OriginInBeginning(unpacked.bytes) : cubin->origin.version;
    if (BeginningShowsCode(unpacked.bytes)) content.has_code = HasCode::kYes;
    if (content.has_code == HasCode::kYes && !content.origin.empty()) return content;
  }
  if (content.has_code == HasCode::kYes) return content;
  // Charged before unpacking: this is up to 256 MB.
  if (!budget.Spend(Total::kUnpackedBytes, whole)) return {};
  const Unpacker::Unpacked unpacked = unpacker.Unpack(payload, image.compression, whole);
  content = ReadWholeCubin(unpacked.bytes);
  content.is_damaged = content.is_damaged || !unpacked.is_sound || unpacked.bytes.size() < whole;
  return content;
}

// Numbers the few distinct strings that many images share.
class Origins {
 public:
  explicit Origins(std::vector<std::string>& texts) : texts_(texts) {}

  std::uint16_t NumberOf(const std::string& text) {
    if (text.empty()) return 0;
    const MutexLock lock(mutex_);
    const auto [place, is_new] = numbers_.emplace(text, texts_.size());
    if (!is_new) return static_cast<std::uint16_t>(place->second);
    if (texts_.size() >= kMostOrigins) return 0;
    texts_.push_back(text);
    return static_cast<std::uint16_t>(texts_.size() - 1);
  }

 private:
  Mutex mutex_;
  std::vector<std::string>& texts_ SIBYL_GUARDED_BY(mutex_);
  std::map<std::string, std::size_t> numbers_ SIBYL_GUARDED_BY(mutex_);
};

// Drops mapped pages after enough were accessed.
class PageMeter {
 public:
  PageMeter(std::string_view file, const DeviceCode& code)
      : file_view_(file), is_mapped_(code.is_mapped) {}
  ~PageMeter() { Drop(); }
  PageMeter(const PageMeter&) = delete;
  PageMeter& operator=(const PageMeter&) = delete;

  void Touched(std::uint64_t bytes) {
    // A page fault also loads neighbouring pages.
    if (touched_.fetch_add(bytes + kAround) + bytes + kAround < kMost) return;
    touched_ = 0;
    Drop();
  }

 private:
  static constexpr std::uint64_t kAround = 64 << 10;
  static constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  void Drop() const {
    if (is_mapped_) ReleasePages(file_view_);
  }
  std::string_view file_view_;
  bool is_mapped_;
  std::atomic<std::uint64_t> touched_{0};
};

}  // namespace

std::string_view PayloadOf(std::string_view file, const CodeImage& image) {
  return Bytes(file).Clip(image.payload_offset, image.payload_bytes);
}

std::size_t MostUnpacked(const CodeImage& image) {
  constexpr std::uint64_t kMost = std::uint64_t{256} << 20;
  constexpr std::uint64_t kHarmless = std::uint64_t{16} << 20;
  constexpr std::uint64_t kMostRatio = 512;
  const std::uint64_t by_ratio =
      image.payload_bytes > kMost ? kMost : std::max(kHarmless, kMostRatio * image.payload_bytes);
  return static_cast<std::size_t>(std::min({image.unpacked_bytes, by_ratio, kMost}));
}

std::string SampleOrigin(std::string_view file, const DeviceCode& code, Budget& budget) {
  constexpr std::size_t kSamples = 8;
  std::string newest;
  std::optional<field::CudaVersion> version;
  Unpacker unpacker;
  const std::size_t step = std::max<std::size_t>(1, code.images.size() / kSamples);
  for (std::size_t i = 0; i < code.images.size() && !budget.is_exceeded(); i += step) {
    const CodeImage& image = code.images[i];
    if (image.kind != ImageKind::kCubin) continue;
    const std::string origin =
        ReadCubinContent(PayloadOf(file, image), unpacker, image, budget).origin;
    const std::optional<field::CudaVersion> found = field::ParseCudaVersion(origin);
    if (!found || (version && *found <= *version)) continue;
    version = found;
    newest = origin;
  }
  return newest;
}

void ReadContent(std::string_view file, DeviceCode& code, unsigned threads, Budget& budget) {
  Origins origins(code.origins);
  PageMeter meter(file, code);
  ForEachWithWorkers(code.images.size(), {.threads = threads, .grain = kGrain}, [&](std::size_t) {
    return [&, unpacker = std::make_shared<Unpacker>()](std::size_t i) {
      CodeImage& image = code.images[i];
      if (image.kind == ImageKind::kCubin) {
        if (budget.is_exceeded()) return;
        const CubinContent content =
            ReadCubinContent(PayloadOf(file, image), *unpacker, image, budget);
        image.has_code = content.has_code;
        image.is_damaged = content.is_damaged;
        image.origin = origins.NumberOf(content.origin);
        meter.Touched(std::min<std::uint64_t>(image.payload_bytes, kLongBeginning));
      } else if (image.kind != ImageKind::kOther) {
        image.has_code = HasCode::kYes;
      }
    };
  });
  if (const auto what = budget.WhatIsExceeded(); what && code.is_complete) {
    // How far each thread got differs from run to run.
    for (CodeImage& image : code.images) {
      if (image.kind != ImageKind::kCubin) continue;
      image.has_code = HasCode::kUnknown;
      image.is_damaged = false;
      image.origin = 0;
    }
    code.origins.resize(1);
    code.is_complete = false;
    code.limit = *what;
  }
}

std::vector<ImageKernels> ReadAllKernels(std::string_view file, const DeviceCode& code,
                                         unsigned threads, Budget& budget) {
  std::vector<ImageKernels> all(code.images.size());
  PageMeter meter(file, code);
  ForEachWithWorkers(code.images.size(), {.threads = threads, .grain = kGrain}, [&](std::size_t) {
    return [&, unpacker = std::make_shared<Unpacker>()](std::size_t i) {
      const CodeImage& image = code.images[i];
      all[i].image = static_cast<std::uint32_t>(i);
      if (image.kind != ImageKind::kCubin || image.has_code == HasCode::kNo) return;
      const std::size_t most = MostUnpacked(image);
      if (image.compression != Compression::kNone && !budget.Spend(Total::kUnpackedBytes, most)) {
        return;
      }
      all[i].kernels = ReadKernels(
          unpacker->Unpack(PayloadOf(file, image), image.compression, most).bytes, budget);
      meter.Touched(image.payload_bytes);
    };
  });
  std::erase_if(all, [](const ImageKernels& image) { return image.kernels.empty(); });
  return all;
}

}  // namespace sibyl::inspect
