// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/file_stream.h"

#include <algorithm>

#include "base/hash.h"
#include "inspect/cuda/code_scan.h"
#include "inspect/cuda/cubin.h"
#include "inspect/cuda/elf.h"
#include "inspect/cuda/unpack.h"

namespace sibyl::inspect {
namespace {

constexpr std::uint64_t kHeldWhole = std::uint64_t{32} << 20;
constexpr std::size_t kHead = std::size_t{4} << 20;  // contains the dynamic strings
constexpr std::size_t kTail = std::size_t{1} << 20;  // contains the section table
constexpr std::size_t kPayloadBeginning = 16 << 10;
constexpr std::string_view kNeedle = "\x50\xed\x55\xba";

// Finds containers in streamed bytes: searches for the magic number, then skips from entry to
// entry. A container counts only if its entries end where it says.
class ContainerStream {
 public:
  explicit ContainerStream(Budget& budget) : budget_(budget) {}
  void Feed(std::string_view piece);
  DeviceCode Take() { return std::move(code_); }
  const std::vector<std::uint64_t>& offsets() const { return offsets_; }

 private:
  enum class Step { kSearch, kContainer, kEntry, kOptions, kPayload };
  bool Collect(std::string_view& piece, std::size_t wanted);
  void Search(std::string_view& piece);
  void BeginContainer();
  void BeginEntry();
  void EndPayload();
  void GiveUp();
  void Skip(std::string_view& piece);

  Step step_ = Step::kSearch;
  std::string held_;        // what is being collected, or the tail while searching
  std::uint64_t at_ = 0;    // bytes streamed
  std::uint64_t left_ = 0;  // of the container
  std::uint64_t skip_ = 0;  // of options or payload
  FatbinEntry entry_;
  std::string beginning_;  // of the payload
  std::uint64_t payload_at_ = 0;
  std::uint64_t container_at_ = 0;
  std::vector<CodeImage> images_;
  std::vector<std::uint64_t> offsets_;  // of the accepted containers
  DeviceCode code_;
  Unpacker unpacker_;
  Budget& budget_;
};

bool ContainerStream::Collect(std::string_view& piece, std::size_t wanted) {
  const std::size_t more = std::min(wanted - held_.size(), piece.size());
  held_ += piece.substr(0, more);
  piece.remove_prefix(more);
  at_ += more;
  return held_.size() == wanted;
}

void ContainerStream::Search(std::string_view& piece) {
  // First across the boundary of two pieces: up to three bytes are held.
  const std::size_t old = held_.size();
  held_ += piece.substr(0, kNeedle.size() - 1);
  std::size_t found = held_.find(kNeedle);
  if (found < old) {
    const std::size_t used = found + kNeedle.size() - old;
    held_ = kNeedle;
    piece.remove_prefix(used);
    at_ += used;
    step_ = Step::kContainer;
    return;
  }
  ScanHit hit;
  std::uint64_t from = 0;
  while (FindNext(piece, from, hit) && hit.needle != Needle::kFatbin) from = hit.offset + 1;
  if (hit.needle == Needle::kFatbin && hit.offset >= from && !piece.empty() &&
      piece.substr(static_cast<std::size_t>(hit.offset)).starts_with(kNeedle)) {
    const auto used = static_cast<std::size_t>(hit.offset) + kNeedle.size();
    held_ = kNeedle;
    piece.remove_prefix(used);
    at_ += used;
    step_ = Step::kContainer;
    return;
  }
  std::string tail = old > 0 && piece.size() < kNeedle.size() ? held_.substr(0, old) : "";
  tail += piece;
  held_ = tail.size() > kNeedle.size() - 1 ? tail.substr(tail.size() - (kNeedle.size() - 1)) : tail;
  at_ += piece.size();
  piece = {};
}

void ContainerStream::GiveUp() {
  images_.clear();
  held_.clear();
  step_ = Step::kSearch;
}

void ContainerStream::BeginContainer() {
  FatbinHeader header;
  const bool is_header = ReadFatbinHeader(held_, header) && header.header_bytes == held_.size() &&
                         header.content_bytes > 0;
  container_at_ = at_ - held_.size();
  if (!is_header) {
    GiveUp();
    return;
  }
  held_.clear();
  left_ = header.content_bytes;
  step_ = Step::kEntry;
}

void ContainerStream::BeginEntry() {
  entry_ = {};
  if (!ReadFatbinEntry(held_, left_, entry_)) {
    GiveUp();
    return;
  }
  left_ -= entry_.payload_offset + entry_.stored_bytes;
  skip_ = entry_.payload_offset - held_.size();
  payload_at_ = at_ + skip_;
  held_.clear();
  beginning_.clear();
  step_ = Step::kOptions;
}

void ContainerStream::EndPayload() {
  if (!budget_.Spend(Total::kEntries, 1) ||
      !budget_.Spend(Total::kKeptBytes, 2 * sizeof(CodeImage))) {
    GiveUp();
    return;
  }
  CodeImage image{.kind = entry_.kind,
                  .compression = entry_.compression,
                  .raw_kind = entry_.raw_kind,
                  .major = entry_.major,
                  .minor = entry_.minor,
                  .architecture = entry_.architecture,
                  .payload_offset = payload_at_,
                  .payload_bytes = entry_.payload_bytes,
                  .stored_bytes = entry_.stored_bytes,
                  .unpacked_bytes = entry_.unpacked_bytes};
  if (entry_.kind == ImageKind::kCubin) {
    const std::string_view seen = std::string_view(beginning_)
                                      .substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(
                                                     entry_.payload_bytes, kPayloadBeginning)));
    const std::string_view bytes =
        unpacker_.Unpack(seen, entry_.compression, 4 * kPayloadBeginning).bytes;
    (void)budget_.Spend(Total::kUnpackedBytes, bytes.size());
    if (BeginningShowsCode(bytes)) {
      image.has_code = HasCode::kYes;
    } else if (bytes.size() >= entry_.unpacked_bytes) {
      const std::optional<Cubin> cubin = ReadCubin(bytes);
      if (cubin) image.has_code = cubin->code_sections > 0 ? HasCode::kYes : HasCode::kNo;
    }
  } else if (entry_.kind != ImageKind::kOther) {
    image.has_code = HasCode::kYes;
  }
  images_.push_back(image);
  if (left_ > 0) {
    step_ = Step::kEntry;
    return;
  }
  const auto number = static_cast<std::uint32_t>(code_.containers.size());
  code_.containers.push_back({.offset = container_at_,
                              .first_image = static_cast<std::uint32_t>(code_.images.size()),
                              .image_count = static_cast<std::uint32_t>(images_.size())});
  for (CodeImage& done : images_) {
    done.container = number;
    code_.images.push_back(done);
  }
  offsets_.push_back(container_at_);
  GiveUp();  // keeps this one; continues with the next
}

void ContainerStream::Skip(std::string_view& piece) {
  const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(skip_, piece.size()));
  if (step_ == Step::kPayload && beginning_.size() < kPayloadBeginning) {
    beginning_ += piece.substr(0, std::min(more, kPayloadBeginning - beginning_.size()));
  }
  piece.remove_prefix(more);
  at_ += more;
  skip_ -= more;
}

void ContainerStream::Feed(std::string_view piece) {
  while (!piece.empty()) {
    switch (step_) {
      case Step::kSearch:
        Search(piece);
        break;
      case Step::kContainer:
        if (Collect(piece, 16)) BeginContainer();
        break;
      case Step::kEntry:
        if (Collect(piece, 64)) BeginEntry();
        break;
      case Step::kOptions:
      case Step::kPayload:
        Skip(piece);
        break;
    }
    if (step_ == Step::kOptions && skip_ == 0) {
      step_ = Step::kPayload;
      skip_ = entry_.stored_bytes;
    }
    if (step_ == Step::kPayload && skip_ == 0) EndPayload();
  }
}

}  // namespace

struct FileStream::State {
  explicit State(Budget& of_artifact) : budget(of_artifact), containers(of_artifact) {}

  Budget& budget;
  std::uint64_t bytes = 0;
  std::uint64_t at = 0;
  bool is_held = false;
  bool is_elf = false;
  Sha256Stream hash;
  std::string head;  // the whole file if it is buffered
  std::string tail;
  ContainerStream containers;

  std::string dynamic;
  std::uint64_t dynamic_at = 0;
  std::uint64_t dynamic_bytes = 0;

  void KeepDynamic(std::string_view piece, std::uint64_t start);
  std::string Soname() const;
  std::string_view Kept(std::uint64_t offset, std::uint64_t length) const;
  void NameRegions(DeviceCode& code) const;
};

namespace {

struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

// The segments of one type, from the beginning of a 64-bit file.
std::vector<Segment> SegmentsOf(const std::string& head, std::uint32_t type) {
  const Bytes fields(head);
  const auto table = fields.Get<std::uint64_t>(32);
  const std::uint64_t entry = fields.Get<std::uint16_t>(54);
  const std::uint64_t count = fields.Get<std::uint16_t>(56);
  std::vector<Segment> segments;
  for (std::uint64_t i = 0; i < count && fields.Holds(table + i * entry, 56); ++i) {
    const std::uint64_t at = table + i * entry;
    if (fields.Get<std::uint32_t>(at) != type) continue;
    segments.push_back({.offset = fields.Get<std::uint64_t>(at + 8),
                        .address = fields.Get<std::uint64_t>(at + 16),
                        .size = fields.Get<std::uint64_t>(at + 32)});
  }
  return segments;
}

}  // namespace

void FileStream::State::KeepDynamic(std::string_view piece, std::uint64_t start) {
  if (start == 0) {
    for (const Segment& segment : SegmentsOf(head, 2)) {
      dynamic_at = segment.offset;
      dynamic_bytes = std::min<std::uint64_t>(segment.size, 65536);
    }
  }
  const std::uint64_t next = dynamic_at + dynamic.size();
  if (dynamic.size() >= dynamic_bytes || next < start || next >= start + piece.size()) return;
  dynamic += piece.substr(static_cast<std::size_t>(next - start),
                          static_cast<std::size_t>(dynamic_bytes - dynamic.size()));
}

// The loader's strings are near the start of the file; the table that refers to them was kept
// while streaming.
std::string FileStream::State::Soname() const {
  if (is_held) {
    const std::optional<Elf> elf = Elf::Read(head);
    return elf ? elf->Dynamic().soname : std::string();
  }
  const Bytes entries(dynamic);
  std::uint64_t name = 0;
  std::uint64_t strings = 0;
  for (std::uint64_t next = 0; entries.Holds(next, 16); next += 16) {
    const auto tag = entries.Get<std::uint64_t>(next);
    if (tag == 14) name = entries.Get<std::uint64_t>(next + 8);
    if (tag == 5) strings = entries.Get<std::uint64_t>(next + 8);
  }
  if (name == 0 || strings == 0) return {};
  for (const Segment& load : SegmentsOf(head, 1)) {
    if (strings < load.address || strings - load.address >= load.size) continue;
    return std::string(
        Bytes(head).Text(load.offset + (strings - load.address) + name).substr(0, 256));
  }
  return {};
}

// Linkers put the tables at the end, assemblers of cubins at the start.
std::string_view FileStream::State::Kept(std::uint64_t offset, std::uint64_t length) const {
  if (Bytes(head).Holds(offset, length)) return Bytes(head).Clip(offset, length);
  const std::uint64_t start = bytes - std::min<std::uint64_t>(bytes, tail.size());
  if (offset < start) return {};
  return Bytes(tail).Clip(offset - start, length);
}

// Marks containers in CUDA's sections; the others are hidden.
void FileStream::State::NameRegions(DeviceCode& code) const {
  code.regions = {{.section = ".nv_fatbin", .role = CodeRole::kExecutable},
                  {.section = "__nv_relfatbin", .role = CodeRole::kRelocatable},
                  {.section = "", .role = CodeRole::kHidden}};
  const Bytes header(head);
  const auto table = header.Get<std::uint64_t>(40);
  const std::uint64_t count = header.Get<std::uint16_t>(60);
  const std::uint64_t names = header.Get<std::uint16_t>(62);
  const Bytes sections(Kept(table, count * 64));
  const Bytes texts(Kept(sections.Get<std::uint64_t>(names * 64 + 24),
                         sections.Get<std::uint64_t>(names * 64 + 32)));
  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t region = 0;
  };
  // A linker makes one of each; each is compared with every container.
  constexpr std::size_t kMostRanges = 16;
  std::vector<Range> ranges;
  for (std::uint64_t i = 0; i < count && ranges.size() < kMostRanges; ++i) {
    const std::string_view name =
        Bytes(texts.Clip(sections.Get<std::uint32_t>(i * 64), 16)).Text(0);
    if (name != ".nv_fatbin" && name != "__nv_relfatbin") continue;
    ranges.push_back({.offset = sections.Get<std::uint64_t>(i * 64 + 24),
                      .size = sections.Get<std::uint64_t>(i * 64 + 32),
                      .region = name == ".nv_fatbin" ? 0U : 1U});
  }
  for (CodeContainer& container : code.containers) {
    container.region = 2;
    for (const Range& range : ranges) {
      if (container.offset < range.offset || container.offset - range.offset >= range.size) {
        continue;
      }
      container.region = range.region;
    }
  }
  for (CodeImage& image : code.images) image.region = code.containers[image.container].region;
}

FileStream::FileStream(std::uint64_t bytes, Budget& budget)
    : state_(std::make_unique<State>(budget)) {
  state_->bytes = bytes;
  state_->is_held = bytes <= kHeldWhole;
}

FileStream::~FileStream() = default;

void FileStream::Feed(std::string_view piece) {
  State& state = *state_;
  state.hash.Add(piece);
  if (state.at == 0) {
    state.is_elf = piece.starts_with(
        "\x7f"
        "ELF");
  }
  const std::uint64_t start = state.at;
  state.at += piece.size();
  if (!state.is_elf) return;
  const std::size_t most = state.is_held ? static_cast<std::size_t>(kHeldWhole) : kHead;
  if (state.head.size() < most) state.head += piece.substr(0, most - state.head.size());
  if (state.is_held) return;
  state.KeepDynamic(piece, start);
  state.containers.Feed(piece);
  state.tail += piece.substr(piece.size() - std::min(piece.size(), kTail));
  if (state.tail.size() > 2 * kTail) state.tail.erase(0, state.tail.size() - kTail);
}

PassedFile FileStream::Finish() {
  State& state = *state_;
  PassedFile file{.sha256 = state.hash.Finish(), .is_elf = state.is_elf};
  if (!state.is_elf) return file;
  file.soname = state.Soname();
  if (state.is_held) {
    file.code = ReadDeviceCode(state.head, {.budget = &state.budget});
  } else {
    file.code = state.containers.Take();
    state.NameRegions(file.code);
  }
  return file;
}

}  // namespace sibyl::inspect
