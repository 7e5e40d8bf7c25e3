// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/device_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "field/field.h"
#include "inspect/cuda/ar.h"
#include "inspect/cuda/code_content.h"
#include "inspect/cuda/code_scan.h"
#include "inspect/cuda/cubin.h"
#include "inspect/cuda/elf.h"
#include "inspect/cuda/ptx.h"
#include "inspect/pages.h"

namespace sibyl::inspect {
namespace {

constexpr std::string_view kNvvmMagic = "\xed\x43\x4e\x7f";

class Reader {
 public:
  Reader(std::string_view file, const DeviceCodeOptions& options, Budget& budget)
      : file_view_(file),
        options_(options),
        budget_(budget),
        scan_left_(MostScanned(file.size())) {}

  DeviceCode Read();

 private:
  void ReadElf(const Elf& elf, std::string_view bytes, const std::string& member);
  void ReadArchive();
  void ReadWhole();
  void WalkContainers(std::string_view section, std::uint32_t region);
  void Scan(std::string_view bytes, std::uint32_t region);
  std::uint64_t TakeHit(std::string_view bytes, const ScanHit& hit, std::uint32_t region);
  std::uint64_t AddHiddenFatbin(std::string_view bytes, std::uint32_t region);
  bool AddContainer(std::string_view bytes, const FatbinHeader& header, std::uint32_t region);
  void AddSingle(CodeImage image, std::uint32_t region, std::string_view bytes);
  std::uint32_t AddRegion(CodeRegion region);
  void Damage(std::string_view at, std::string what);

  std::uint64_t OffsetOf(std::string_view part) const {
    return static_cast<std::uint64_t>(part.data() - file_view_.data());
  }
  void Release(std::string_view part) const {
    if (options_.is_mapped) ReleasePages(part);
  }
  void EndAt(std::string limit) {
    if (code_.is_complete) code_.limit = std::move(limit);
    code_.is_complete = false;
  }
  bool IsFull() {
    if (!code_.is_complete) return true;
    if (const auto what = budget_.WhatIsExceeded()) {
      EndAt(*what);
    } else if (code_.images.size() >= options_.max_images) {
      EndAt(fmt::format("the limit is {} images", options_.max_images));
    }
    return !code_.is_complete;
  }
  /// False if the tables of the file were read so often that they must overlap.
  bool Scanned(std::uint64_t bytes) {
    if (bytes <= scan_left_) {
      scan_left_ -= bytes;
      return true;
    }
    scan_left_ = 0;
    EndAt(
        fmt::format("its sections or containers overlap, and reading them takes more than {} "
                    "bytes of work",
                    MostScanned(file_view_.size())));
    return false;
  }

  std::string_view file_view_;
  const DeviceCodeOptions& options_;
  Budget& budget_;
  std::uint64_t scan_left_;
  DeviceCode code_;
};

std::uint32_t Reader::AddRegion(CodeRegion region) {
  code_.regions.push_back(std::move(region));
  return static_cast<std::uint32_t>(code_.regions.size() - 1);
}

void Reader::Damage(std::string_view at, std::string what) {
  if (code_.damages.size() >= kMostDamages) return;
  code_.damages.push_back({.offset = OffsetOf(at), .what = std::move(what)});
}

// Adds all entries of a container that starts at `bytes`; false, and nothing is changed, if its
// entries do not end where its header says.
bool Reader::AddContainer(std::string_view bytes, const FatbinHeader& header,
                          std::uint32_t region) {
  const std::size_t images_before = code_.images.size();
  const auto number = static_cast<std::uint32_t>(code_.containers.size());
  constexpr std::uint64_t kEntryBytes = 64;  // of its header
  FatbinEntries entries(bytes, header);
  FatbinEntry entry;
  while (!IsFull() && entries.Next(entry)) {
    if (!budget_.Spend(Total::kEntries, 1) || !Scanned(kEntryBytes)) continue;
    code_.images.push_back({.kind = entry.kind,
                            .compression = entry.compression,
                            .is_debug = entry.is_debug,
                            .is_obfuscated = entry.is_obfuscated,
                            .raw_kind = entry.raw_kind,
                            .major = entry.major,
                            .minor = entry.minor,
                            .architecture = entry.architecture,
                            .region = region,
                            .container = number,
                            .payload_offset = OffsetOf(bytes) + entry.payload_offset,
                            .payload_bytes = entry.payload_bytes,
                            .stored_bytes = entry.stored_bytes,
                            .unpacked_bytes = entry.unpacked_bytes});
  }
  const bool is_whole = entries.is_whole();
  const std::size_t added = code_.images.size() - images_before;
  if (!is_whole && code_.is_complete && code_.regions[region].role == CodeRole::kHidden) {
    code_.images.resize(images_before);
    return false;
  }
  if (!is_whole && code_.is_complete) {
    Damage(bytes.substr(static_cast<std::size_t>(entries.offset())),
           "a fatbin whose entries do not match the size in its header");
  }
  (void)budget_.Spend(Total::kKeptBytes, sizeof(CodeContainer) + added * sizeof(CodeImage));
  code_.containers.push_back({.region = region,
                              .offset = OffsetOf(bytes),
                              .first_image = static_cast<std::uint32_t>(images_before),
                              .image_count = static_cast<std::uint32_t>(added)});
  return is_whole;
}

void Reader::AddSingle(CodeImage image, std::uint32_t region, std::string_view bytes) {
  (void)budget_.Spend(Total::kEntries, 1);
  (void)budget_.Spend(Total::kKeptBytes, sizeof(CodeContainer) + sizeof(CodeImage));
  image.region = region;
  image.container = static_cast<std::uint32_t>(code_.containers.size());
  image.payload_offset = OffsetOf(bytes);
  image.payload_bytes = image.stored_bytes = image.unpacked_bytes = bytes.size();
  code_.containers.push_back({.region = region,
                              .offset = image.payload_offset,
                              .first_image = static_cast<std::uint32_t>(code_.images.size()),
                              .image_count = 1});
  code_.images.push_back(image);
}

// The containers of a section are consecutive, possibly with zeros between them. At anything
// else, searches for the next container.
void Reader::WalkContainers(std::string_view section, std::uint32_t region) {
  if (!Scanned(section.size())) return;
  constexpr std::size_t kReleaseEvery = std::size_t{32} << 20;
  std::size_t released = 0;
  std::size_t at = 0;
  while (at < section.size() && !IsFull()) {
    if (at - released >= kReleaseEvery) {
      Release(section.substr(released, at - released));
      released = at;
    }
    const std::string_view rest = section.substr(at);
    FatbinHeader header;
    if (ReadFatbinHeader(rest, header) && AddContainer(rest, header, region)) {
      at += static_cast<std::size_t>(header.total());
      continue;
    }
    const std::size_t pad = rest.find_first_not_of('\0');
    if (pad == std::string_view::npos) break;
    if (pad > 0) {
      at += pad;
      continue;
    }
    Damage(rest, "data that is not a fatbin");
    const std::size_t next = rest.find(kFatbinMagic, 1);
    if (next == std::string_view::npos) break;
    at += next;
  }
  Release(section.substr(released));
}

std::uint64_t Reader::AddHiddenFatbin(std::string_view bytes, std::uint32_t region) {
  FatbinHeader header;
  if (!ReadFatbinHeader(bytes, header)) return 0;
  if (header.content_bytes == 0 || header.total() > bytes.size()) return 0;
  return AddContainer(bytes, header, region) ? header.total() : 0;
}

// How many bytes the hit covers; zero if it was a false match.
std::uint64_t Reader::TakeHit(std::string_view bytes, const ScanHit& hit, std::uint32_t region) {
  const std::string_view rest = bytes.substr(static_cast<std::size_t>(hit.offset));
  if (hit.needle == Needle::kFatbin) return AddHiddenFatbin(rest, region);
  CodeImage image;
  if (hit.needle == Needle::kPtx) {
    constexpr std::size_t kPreamble = 4096;  // the target follows shortly after ".version"
    if (!ReadPtx(rest.substr(0, kPreamble), image)) return 0;
    const std::string_view text = rest.substr(0, rest.find('\0'));
    AddSingle(image, region, text);
    return text.size();
  }
  if (!LooksLikeCubin(rest)) return 0;
  const std::optional<Elf> elf = Elf::Read(rest);
  if (!elf || !Scanned(elf->work())) return 0;
  const Cubin cubin = DescribeCubin(*elf);
  if (cubin.is_cut || cubin.architecture.number == 0) return 0;
  image.kind = ImageKind::kCubin;
  image.architecture = cubin.architecture;
  AddSingle(image, region, rest.substr(0, static_cast<std::size_t>(cubin.extent)));
  return cubin.extent;
}

void Reader::Scan(std::string_view bytes, std::uint32_t region) {
  if (!Scanned(bytes.size())) return;
  // In windows, so that scanned pages can be dropped.
  constexpr std::uint64_t kWindow = std::uint64_t{16} << 20;
  constexpr std::uint64_t kOverlap = 64;
  std::uint64_t at = 0;
  for (std::uint64_t start = 0; start < bytes.size() && !IsFull(); start += kWindow) {
    const std::uint64_t end = std::min<std::uint64_t>(start + kWindow, bytes.size());
    const std::string_view seen = bytes.substr(
        0, static_cast<std::size_t>(std::min<std::uint64_t>(end + kOverlap, bytes.size())));
    at = std::max(at, start);
    ScanHit hit;
    while (at < end && !IsFull() && FindNext(seen, at, hit) && hit.offset < end) {
      at = hit.offset + std::max<std::uint64_t>(TakeHit(bytes, hit, region), 4);
    }
    Release(bytes.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)));
  }
}

void Reader::ReadElf(const Elf& elf, std::string_view bytes, const std::string& member) {
  if (elf.machine() == kMachineCuda) {
    const Cubin cubin = DescribeCubin(elf);
    const std::uint32_t region = AddRegion({.member = member, .role = CodeRole::kWhole});
    AddSingle({.kind = ImageKind::kCubin, .architecture = cubin.architecture}, region, bytes);
    if (cubin.is_cut) Damage(bytes, "a truncated cubin");
    return;
  }
  bool has_sections = false;
  for (const ElfSection& section : elf.sections()) {
    const std::string_view content = elf.Content(section);
    if (content.empty()) continue;
    if (IsFull() || !budget_.Spend(Total::kEntries, 1)) return;
    has_sections = has_sections || (section.flags & kSectionIsLoaded) != 0;
    const bool is_executable = section.name == ".nv_fatbin";
    if (is_executable || section.name == "__nv_relfatbin") {
      WalkContainers(content, AddRegion({.member = member,
                                         .section = std::string(section.name),
                                         .role = is_executable ? CodeRole::kExecutable
                                                               : CodeRole::kRelocatable}));
    } else if (options_.depth != CodeDepth::kSections && section.type == 1 &&
               (section.flags & kSectionIsLoaded) != 0) {
      const std::uint32_t region = AddRegion({.member = member,
                                              .section = std::string(section.name.substr(0, 256)),
                                              .role = CodeRole::kHidden});
      const std::size_t before = code_.images.size();
      Scan(content, region);
      if (code_.images.size() == before) code_.regions.pop_back();
    }
  }
  if (!has_sections && options_.depth != CodeDepth::kSections) {
    Scan(bytes, AddRegion({.member = member, .role = CodeRole::kHidden}));
  }
}

void Reader::ReadArchive() {
  const ArArchive archive = ReadArArchive(file_view_, budget_);
  for (const ArMember& member : archive.members) {
    if (IsFull()) return;
    if (const std::optional<Elf> elf = Elf::Read(member.bytes)) {
      ReadElf(*elf, member.bytes, member.name);
    }
    Release(member.bytes);
  }
  if (archive.is_cut) Damage(file_view_, "an archive that ends inside a member");
}

void Reader::ReadWhole() {
  FatbinHeader header;
  CodeImage image;
  if (ReadFatbinHeader(file_view_, header)) {
    WalkContainers(file_view_, AddRegion({.role = CodeRole::kWhole}));
  } else if (file_view_.starts_with(kNvvmMagic)) {
    AddSingle({.kind = ImageKind::kLtoIr}, AddRegion({.role = CodeRole::kWhole}), file_view_);
  } else if (ReadPtx(file_view_, image)) {
    AddSingle(image, AddRegion({.role = CodeRole::kWhole}), file_view_);
  }
}

DeviceCode Reader::Read() {
  if (const std::optional<Elf> elf = Elf::Read(file_view_)) {
    ReadElf(*elf, file_view_, {});
  } else if (IsArArchive(file_view_)) {
    ReadArchive();
  } else {
    ReadWhole();
  }
  (void)IsFull();  // also reports a limit that the last container exceeded
  return std::move(code_);
}

}  // namespace

std::string_view RoleName(CodeRole role) {
  switch (role) {
    case CodeRole::kExecutable:
      return "executable";
    case CodeRole::kRelocatable:
      return "relocatable";
    case CodeRole::kHidden:
      return "hidden";
    case CodeRole::kWhole:
      return "whole";
  }
  return "whole";
}

DeviceCode ReadDeviceCode(std::string_view bytes, const DeviceCodeOptions& options) {
  std::optional<Budget> own;
  if (options.budget == nullptr) own.emplace(bytes.size());
  Budget& budget = own ? *own : *options.budget;
  DeviceCode code = Reader(bytes, options, budget).Read();
  code.is_mapped = options.is_mapped;
  if (options.depth == CodeDepth::kContent) {
    ReadContent(bytes, code, options.threads, budget);
  } else {
    code.sampled_origin = SampleOrigin(bytes, code, budget);
  }
  return code;
}

void AppendCode(DeviceCode part, const std::string& member, DeviceCode& whole) {
  const auto regions = static_cast<std::uint32_t>(whole.regions.size());
  const auto containers = static_cast<std::uint32_t>(whole.containers.size());
  const auto images = static_cast<std::uint32_t>(whole.images.size());
  if (field::ParseCudaVersion(part.sampled_origin) >
      field::ParseCudaVersion(whole.sampled_origin)) {
    whole.sampled_origin = part.sampled_origin;
  }
  std::vector<std::uint16_t> origins;
  for (const std::string& origin : part.origins) {
    auto found = std::ranges::find(whole.origins, origin);
    if (found == whole.origins.end() && whole.origins.size() < kMostOrigins) {
      whole.origins.push_back(origin);
      found = whole.origins.end() - 1;
    }
    origins.push_back(found == whole.origins.end()
                          ? std::uint16_t{0}
                          : static_cast<std::uint16_t>(found - whole.origins.begin()));
  }
  for (CodeRegion& region : part.regions) {
    region.member = region.member.empty() ? member : member + ":" + region.member;
    whole.regions.push_back(std::move(region));
  }
  for (CodeContainer container : part.containers) {
    container.region += regions;
    container.first_image += images;
    whole.containers.push_back(container);
  }
  for (CodeImage image : part.images) {
    image.region += regions;
    image.container += containers;
    image.origin = origins[image.origin];
    whole.images.push_back(image);
  }
  if (whole.is_complete && !part.is_complete) whole.limit = member + ": " + part.limit;
  whole.is_complete = whole.is_complete && part.is_complete;
  for (CodeDamage& damage : part.damages) {
    if (whole.damages.size() >= kMostDamages) break;
    whole.damages.push_back({damage.offset, member + ": " + damage.what});
  }
}

}  // namespace sibyl::inspect
