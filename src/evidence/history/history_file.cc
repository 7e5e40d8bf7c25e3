// SPDX-License-Identifier: Apache-2.0
#include "evidence/history/history_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "base/sha1.h"

namespace sibyl::evidence {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kHistoryMagic = "SIBYLHST";
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

enum class Part : std::uint8_t {
  kCommits,
  kById,
  kChanges,
  kMoves,
  kPathEnds,
  kPathBytes,
  kListEnds,
  kLists,
};
constexpr std::size_t kParts = 8;

struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct Header {
  char magic[8] = {};
  std::uint32_t version = kHistoryVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t length = 0;
  std::uint8_t tip[git::ObjectId::kBytes] = {};
  std::uint8_t sha1[git::ObjectId::kBytes] = {};  // of everything after the header
  Extent parts[kParts];
};
static_assert(sizeof(Header) == 192);

Error HistoryDamaged(std::string what) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = "reading a history file: " + std::move(what)};
}

template <typename Record>
std::string_view BytesOf(const std::vector<Record>& records) {
  return {reinterpret_cast<const char*>(records.data()), records.size() * sizeof(Record)};
}

std::vector<std::uint32_t> OrderById(const std::vector<HistoryRow>& commits) {
  std::vector<std::uint32_t> order(commits.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&commits](std::uint32_t a, std::uint32_t b) {
    return std::memcmp(commits[a].id, commits[b].id, sizeof(commits[a].id)) < 0;
  });
  return order;
}

// The commits of each path that the tip has, followed back through its moves: at a
// commit that moved a file, the older name takes over what the newer one was.
std::vector<std::vector<std::uint32_t>> ListsOf(const HistoryTables& tables) {
  std::vector<std::vector<std::uint32_t>> lists(tables.paths.size());
  std::vector<std::uint32_t> is_now(tables.paths.size(), kNobody);
  for (std::uint32_t i = 0; i < is_now.size(); ++i) {
    if (tables.is_present[i]) is_now[i] = i;
  }
  auto move = tables.moves.begin();
  for (std::uint32_t number = 0; number < tables.commits.size(); ++number) {
    const HistoryRow& commit = tables.commits[number];
    for (std::uint32_t i = 0; i < commit.change_count; ++i) {
      const std::uint32_t path = is_now[tables.changes[commit.first_change + i]];
      if (path == kNobody) continue;
      if (lists[path].empty() || lists[path].back() != number) lists[path].push_back(number);
    }
    for (; move != tables.moves.end() && move->commit == number; ++move) {
      is_now[move->from] = is_now[move->to];
      is_now[move->to] = kNobody;
    }
  }
  return lists;
}

void Append(std::string_view bytes, Extent& extent, std::string& file) {
  file.append((8 - file.size() % 8) % 8, '\0');
  extent = {.offset = file.size(), .bytes = bytes.size()};
  file += bytes;
}

std::array<std::uint8_t, git::ObjectId::kBytes> Sha1Of(std::string_view bytes) {
  Sha1Stream stream;
  stream.Add(bytes);
  return stream.Finish();
}

template <typename Record>
bool View(std::string_view bytes, const Extent& extent, std::span<const Record>& records) {
  if (extent.offset % 8 != 0 || extent.offset > bytes.size() ||
      extent.bytes > bytes.size() - extent.offset || extent.bytes % sizeof(Record) != 0) {
    return false;
  }
  records = {reinterpret_cast<const Record*>(bytes.data() + extent.offset),
             extent.bytes / sizeof(Record)};
  return true;
}

// What lies between two ends, if they are within `size`.
std::pair<std::size_t, std::size_t> Between(std::span<const std::uint32_t> ends, std::size_t number,
                                            std::size_t size) {
  const std::size_t begin = number == 0 ? 0 : ends[number - 1];
  const std::size_t end = ends[number];
  if (begin > end || end > size) return {0, 0};
  return {begin, end};
}

}  // namespace

git::ObjectId HistoryRow::Id() const {
  git::ObjectId object;
  std::memcpy(object.bytes.data(), id, sizeof(id));
  return object;
}

std::string FormatHistory(const HistoryTables& tables) {
  std::vector<std::uint32_t> path_ends;
  std::string path_bytes;
  for (const std::string& path : tables.paths) {
    path_bytes += path;
    path_ends.push_back(static_cast<std::uint32_t>(path_bytes.size()));
  }
  std::vector<std::uint32_t> list_ends;
  std::vector<std::uint32_t> lists;
  for (const std::vector<std::uint32_t>& list : ListsOf(tables)) {
    lists.insert(lists.end(), list.begin(), list.end());
    list_ends.push_back(static_cast<std::uint32_t>(lists.size()));
  }
  Header header;
  std::memcpy(header.magic, kHistoryMagic.data(), sizeof(header.magic));
  std::memcpy(header.tip, tables.tip.bytes.data(), sizeof(header.tip));
  std::string file(sizeof(Header), '\0');
  const auto put = [&](Part part, std::string_view bytes) {
    Append(bytes, header.parts[static_cast<std::size_t>(part)], file);
  };
  put(Part::kCommits, BytesOf(tables.commits));
  put(Part::kById, BytesOf(OrderById(tables.commits)));
  put(Part::kChanges, BytesOf(tables.changes));
  put(Part::kMoves, BytesOf(tables.moves));
  put(Part::kPathEnds, BytesOf(path_ends));
  put(Part::kPathBytes, path_bytes);
  put(Part::kListEnds, BytesOf(list_ends));
  put(Part::kLists, BytesOf(lists));
  header.length = file.size();
  const auto sha1 = Sha1Of(std::string_view(file).substr(sizeof(Header)));
  std::memcpy(header.sha1, sha1.data(), sizeof(header.sha1));
  std::memcpy(file.data(), &header, sizeof(Header));
  return file;
}

Result<HistoryFile> HistoryFile::Open(const std::filesystem::path& path) {
  HistoryFile history;
  history.file_ = SIBYL_TRY(MappedFile::Open(path));
  SIBYL_TRY(history.Load(history.file_->bytes()));
  return history;
}

Result<HistoryFile> HistoryFile::FromBytes(std::string_view bytes) {
  HistoryFile history;
  SIBYL_TRY(history.Load(bytes));
  return history;
}

Status HistoryFile::Load(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof(Header)) return HistoryDamaged("it is too short");
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (std::string_view(header.magic, sizeof(header.magic)) != kHistoryMagic) {
    return HistoryDamaged("it is not one");
  }
  if (header.byte_order != kByteOrder) return HistoryDamaged("it has another byte order");
  if (header.version != kHistoryVersion) {
    return HistoryDamaged(
        fmt::format("it has version {}, not {}", header.version, kHistoryVersion));
  }
  if (header.length != bytes.size()) return HistoryDamaged("it is not whole");
  const auto part = [&header](Part wanted) -> const Extent& {
    return header.parts[static_cast<std::size_t>(wanted)];
  };
  std::span<const char> path_bytes;
  const bool is_sound =
      View(bytes, part(Part::kCommits), commits_) && View(bytes, part(Part::kById), by_id_) &&
      View(bytes, part(Part::kChanges), changes_) && View(bytes, part(Part::kMoves), moves_) &&
      View(bytes, part(Part::kPathEnds), path_ends_) &&
      View(bytes, part(Part::kPathBytes), path_bytes) &&
      View(bytes, part(Part::kListEnds), list_ends_) && View(bytes, part(Part::kLists), lists_);
  if (!is_sound || by_id_.size() != commits_.size() || list_ends_.size() != path_ends_.size()) {
    return HistoryDamaged("its parts leave the file");
  }
  bytes_view_ = bytes;
  path_bytes_ = {path_bytes.data(), path_bytes.size()};
  std::memcpy(tip_.bytes.data(), header.tip, sizeof(header.tip));
  return {};
}

Status HistoryFile::Check() const {
  Header header;
  std::memcpy(&header, bytes_view_.data(), sizeof(Header));
  const auto sha1 = Sha1Of(bytes_view_.substr(sizeof(Header)));
  if (std::memcmp(header.sha1, sha1.data(), sha1.size()) != 0) {
    return HistoryDamaged("its checksum is wrong");
  }
  return {};
}

std::optional<std::uint32_t> HistoryFile::FindCommit(const git::ObjectId& id) const {
  const auto found = std::lower_bound(
      by_id_.begin(), by_id_.end(), id, [this](std::uint32_t number, const git::ObjectId& wanted) {
        return number < commits_.size() && commits_[number].Id() < wanted;
      });
  if (found == by_id_.end() || *found >= commits_.size() || commits_[*found].Id() != id) {
    return std::nullopt;
  }
  return *found;
}

std::size_t HistoryFile::path_count() const { return path_ends_.size(); }

std::string_view HistoryFile::path(std::size_t number) const {
  const auto [begin, end] = Between(path_ends_, number, path_bytes_.size());
  return path_bytes_.substr(begin, end - begin);
}

std::optional<std::uint32_t> HistoryFile::FindPath(std::string_view path) const {
  std::uint32_t begin = 0;
  auto end = static_cast<std::uint32_t>(path_ends_.size());
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (this->path(middle) < path) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == path_ends_.size() || this->path(begin) != path) return std::nullopt;
  return begin;
}

std::span<const std::uint32_t> HistoryFile::ChangesOf(std::size_t commit) const {
  const HistoryRow& row = commits_[commit];
  if (row.first_change > changes_.size() || row.change_count > changes_.size() - row.first_change) {
    return {};
  }
  return changes_.subspan(row.first_change, row.change_count);
}

std::span<const std::uint32_t> HistoryFile::CommitsOf(std::size_t path) const {
  const auto [begin, end] = Between(list_ends_, path, lists_.size());
  return lists_.subspan(begin, end - begin);
}

}  // namespace sibyl::evidence
