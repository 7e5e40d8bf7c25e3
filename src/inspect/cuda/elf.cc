// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/elf.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/totals.h"

namespace sibyl::inspect {
namespace {

constexpr std::uint64_t kHeaderBytes32 = 52;
constexpr std::uint64_t kHeaderBytes64 = 64;
constexpr std::uint32_t kSegmentLoad = 1;
constexpr std::uint32_t kSegmentDynamic = 2;
constexpr std::uint16_t kExtendedIndex = 0xffff;

// More entries than any linker writes; a forged table must not cost memory.
constexpr std::uint64_t kMostSections = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostSymbols = std::uint64_t{1} << 22;
constexpr std::uint64_t kMostDynamic = 1 << 16;

// Names from a string table. Together they may be a few times as long as the table, because
// tails are shared; without this limit, a table without NULs would be searched and shown again
// for every name.
class NameTable {
 public:
  explicit NameTable(std::string_view bytes) : bytes_(bytes), left_(MostScanned(bytes.size())) {}

  std::string_view Text(std::uint64_t offset) {
    if (left_ == 0) return {};
    const std::string_view text = bytes_.Text(offset);
    const std::uint64_t cost = text.size() + 1;
    left_ = cost > left_ ? 0 : left_ - cost;
    return left_ == 0 ? std::string_view() : text;
  }
  bool is_exhausted() const { return left_ == 0; }
  std::uint64_t work() const { return MostScanned(bytes_.size()) - left_; }

 private:
  Bytes bytes_;
  std::uint64_t left_;
};

}  // namespace

std::optional<Elf> Elf::Read(std::string_view bytes) {
  if (!bytes.starts_with("\x7f"
                         "ELF")) {
    return std::nullopt;
  }
  if (bytes.size() < kHeaderBytes32) return std::nullopt;
  const auto bits = static_cast<unsigned char>(bytes[4]);
  const auto order = static_cast<unsigned char>(bytes[5]);
  if ((bits != 1 && bits != 2) || (order != 1 && order != 2)) return std::nullopt;
  if (bits == 2 && bytes.size() < kHeaderBytes64) return std::nullopt;
  Elf elf(Bytes(bytes, order == 1 ? ByteOrder::kLittle : ByteOrder::kBig));
  elf.is_64_ = bits == 2;
  elf.order_ = order == 1 ? ByteOrder::kLittle : ByteOrder::kBig;
  elf.ReadHeader();
  elf.ReadSections();
  return elf;
}

void Elf::ReadHeader() {
  os_abi_ = bytes_.Get<std::uint8_t>(7);
  abi_version_ = bytes_.Get<std::uint8_t>(8);
  type_ = bytes_.Get<std::uint16_t>(16);
  machine_ = bytes_.Get<std::uint16_t>(18);
  version_ = bytes_.Get<std::uint32_t>(20);
  flags_ = bytes_.Get<std::uint32_t>(is_64_ ? 48 : 36);
  Covers(0, is_64_ ? kHeaderBytes64 : kHeaderBytes32);
}

std::uint64_t Elf::Word(std::uint64_t at) const {
  return is_64_ ? bytes_.Get<std::uint64_t>(at) : bytes_.Get<std::uint32_t>(at);
}

void Elf::Covers(std::uint64_t offset, std::uint64_t length) {
  if (!bytes_.Holds(offset, length)) {
    is_cut_ = true;
    extent_ = bytes_.size();
    return;
  }
  extent_ = std::max(extent_, offset + length);
}

ElfSection Elf::ReadSection(std::uint64_t at) const {
  ElfSection section;
  section.type = bytes_.Get<std::uint32_t>(at + 4);
  section.flags = Word(at + 8);
  if (is_64_) {
    section.offset = Word(at + 24);
    section.size = Word(at + 32);
    section.link = bytes_.Get<std::uint32_t>(at + 40);
    section.info = bytes_.Get<std::uint32_t>(at + 44);
    section.entry_size = Word(at + 56);
  } else {
    section.offset = Word(at + 16);
    section.size = Word(at + 20);
    section.link = bytes_.Get<std::uint32_t>(at + 24);
    section.info = bytes_.Get<std::uint32_t>(at + 28);
    section.entry_size = Word(at + 36);
  }
  return section;
}

void Elf::ReadSections() {
  const std::uint64_t table = Word(is_64_ ? 40 : 32);
  const std::uint64_t base = is_64_ ? 52 : 40;  // e_ehsize; the counts follow
  const std::uint64_t segment_bytes = bytes_.Get<std::uint16_t>(base + 2);
  const std::uint64_t segments = bytes_.Get<std::uint16_t>(base + 4);
  const std::uint64_t entry_bytes = bytes_.Get<std::uint16_t>(base + 6);
  std::uint64_t count = bytes_.Get<std::uint16_t>(base + 8);
  std::uint64_t names_index = bytes_.Get<std::uint16_t>(base + 10);
  if (segments > 0) Covers(Word(is_64_ ? 32 : 28), segments * segment_bytes);
  if (table == 0 || table >= bytes_.size() || entry_bytes < (is_64_ ? 64U : 40U)) {
    is_cut_ = is_cut_ || (table != 0 && table >= bytes_.size());
    return;
  }
  // If 16 bits are not enough, section 0 has the real numbers.
  const ElfSection first = ReadSection(table);
  if (count == 0) count = first.size;
  if (names_index == kExtendedIndex) names_index = first.link;
  const std::uint64_t room = (bytes_.size() - table) / entry_bytes;
  if (count > room) is_cut_ = true;
  count = std::min({count, room, kMostSections});
  Covers(table, count * entry_bytes);
  work_ += count * entry_bytes;

  sections_.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    sections_.push_back(ReadSection(table + i * entry_bytes));
    const ElfSection& section = sections_.back();
    if (section.type != kSectionNoBits && section.type != 0) Covers(section.offset, section.size);
  }
  if (names_index >= sections_.size()) return;
  NameTable names(Content(sections_[static_cast<std::size_t>(names_index)]));
  for (std::uint64_t i = 0; i < count; ++i) {
    sections_[static_cast<std::size_t>(i)].name =
        names.Text(bytes_.Get<std::uint32_t>(table + i * entry_bytes));
  }
  work_ += names.work();
  if (names.is_exhausted()) is_cut_ = true;
}

const ElfSection* Elf::Find(std::string_view name) const {
  for (const ElfSection& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::string_view Elf::Content(const ElfSection& section) const {
  if (section.type == kSectionNoBits) return {};
  return bytes_.Clip(section.offset, section.size);
}

std::vector<ElfSymbol> Elf::Symbols() const {
  std::vector<ElfSymbol> symbols;
  for (const ElfSection& section : sections_) {
    if (section.type != kSectionSymbols || section.link >= sections_.size()) continue;
    const Bytes table(Content(section), order_);
    NameTable names(Content(sections_[section.link]));
    const std::uint64_t entry = is_64_ ? 24 : 16;
    const std::uint64_t count = std::min(table.size() / entry, kMostSymbols);
    symbols.reserve(symbols.size() + static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = i * entry;
      const auto kind = table.Get<std::uint8_t>(at + (is_64_ ? 4 : 12));
      symbols.push_back(
          {.name = names.Text(table.Get<std::uint32_t>(at)),
           .type = static_cast<std::uint8_t>(kind & 0xf),
           .other = table.Get<std::uint8_t>(at + (is_64_ ? 5 : 13)),
           .section = table.Get<std::uint16_t>(at + (is_64_ ? 6 : 14)),
           .size = is_64_ ? table.Get<std::uint64_t>(at + 16) : table.Get<std::uint32_t>(at + 8)});
    }
    break;  // one table is enough: the others repeat it
  }
  return symbols;
}

std::vector<Elf::Segment> Elf::Segments() const {
  std::vector<Segment> segments;
  const std::uint64_t table = Word(is_64_ ? 32 : 28);
  const std::uint64_t entry = bytes_.Get<std::uint16_t>(is_64_ ? 54 : 42);
  const std::uint64_t count = bytes_.Get<std::uint16_t>(is_64_ ? 56 : 44);
  if (table == 0 || entry < (is_64_ ? 56U : 32U)) return segments;
  for (std::uint64_t i = 0; i < count && bytes_.Holds(table, (i + 1) * entry); ++i) {
    const std::uint64_t at = table + i * entry;
    segments.push_back({.type = bytes_.Get<std::uint32_t>(at),
                        .offset = Word(at + (is_64_ ? 8 : 4)),
                        .address = Word(at + (is_64_ ? 16 : 8)),
                        .size = Word(at + (is_64_ ? 32 : 16))});
  }
  return segments;
}

// Uses the section if there is one. In a file without section headers, uses the segments, where
// the strings are known only by address.
Elf::DynamicTable Elf::FindDynamic() const {
  for (const ElfSection& section : sections_) {
    if (section.type != kSectionDynamic || section.link >= sections_.size()) continue;
    return {.entries = Content(section), .strings = Content(sections_[section.link])};
  }
  const std::vector<Segment> segments = Segments();
  for (const Segment& segment : segments) {
    if (segment.type != kSegmentDynamic) continue;
    DynamicTable table{.entries = bytes_.Clip(segment.offset, segment.size)};
    const Bytes entries(table.entries, order_);
    const std::uint64_t word = is_64_ ? 8 : 4;
    for (std::uint64_t at = 0; at + 2 * word <= entries.size(); at += 2 * word) {
      const std::uint64_t tag =
          is_64_ ? entries.Get<std::uint64_t>(at) : entries.Get<std::uint32_t>(at);
      const std::uint64_t value =
          is_64_ ? entries.Get<std::uint64_t>(at + word) : entries.Get<std::uint32_t>(at + word);
      if (tag != 5) continue;  // DT_STRTAB
      for (const Segment& load : segments) {
        if (load.type != kSegmentLoad || value < load.address) continue;
        if (value - load.address >= load.size) continue;
        const std::uint64_t inside = value - load.address;
        const std::string_view loaded = bytes_.Clip(load.offset, load.size);
        if (inside < loaded.size()) {
          table.strings = loaded.substr(static_cast<std::size_t>(inside));
        }
      }
    }
    return table;
  }
  return {};
}

ElfDynamic Elf::Dynamic() const {
  ElfDynamic dynamic;
  const DynamicTable table = FindDynamic();
  const Bytes entries(table.entries, order_);
  const Bytes strings(table.strings);
  const std::uint64_t word = is_64_ ? 8 : 4;
  for (std::uint64_t i = 0; i < kMostDynamic; ++i) {
    const std::uint64_t at = i * 2 * word;
    if (!entries.Holds(at, 2 * word)) break;
    const std::uint64_t tag =
        is_64_ ? entries.Get<std::uint64_t>(at) : entries.Get<std::uint32_t>(at);
    const std::uint64_t value =
        is_64_ ? entries.Get<std::uint64_t>(at + word) : entries.Get<std::uint32_t>(at + word);
    if (tag == 0) break;
    const std::string_view text = strings.Text(value).substr(0, 4096);
    if (tag == 1) dynamic.needed.emplace_back(text);
    if (tag == 14) dynamic.soname = text;
    if (tag != 15 && tag != 29) continue;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find(':', start), text.size());
      if (end > start) dynamic.run_paths.emplace_back(text.substr(start, end - start));
      start = end + 1;
    }
  }
  return dynamic;
}

std::string MachineName(std::uint16_t machine) {
  switch (machine) {
    case 3:
      return "i386";
    case 20:
      return "ppc";
    case 21:
      return "ppc64";
    case 40:
      return "arm";
    case 62:
      return "x86_64";
    case 183:
      return "aarch64";
    case kMachineCuda:
      return "cuda";
    case 224:
      return "amdgpu";
    case 243:
      return "riscv";
    case 258:
      return "loongarch";
    default:
      return fmt::format("machine {}", machine);
  }
}

}  // namespace sibyl::inspect
