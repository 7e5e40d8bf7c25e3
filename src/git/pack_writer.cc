// SPDX-License-Identifier: Apache-2.0
#include "git/pack_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/files/write_all.h"
#include "base/mutex.h"
#include "base/os_error.h"
#include "base/sha1.h"

namespace sibyl::git {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kFlushBytes = std::size_t{4} << 20;

void AppendNumber(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

std::string EntryHeader(ObjectType type, std::uint64_t size) {
  std::string header;
  auto byte = static_cast<unsigned>(static_cast<unsigned>(type) << 4 | (size & 15));
  size >>= 4;
  while (size > 0) {
    header += static_cast<char>(byte | 0x80);
    byte = static_cast<unsigned>(size & 0x7f);
    size >>= 7;
  }
  return header += static_cast<char>(byte);
}

std::string_view View(const std::array<std::uint8_t, 20>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

struct IndexEntry {
  ObjectId id;
  std::uint32_t checksum = 0;
  std::uint64_t offset = 0;
};

std::string FormatIndex(std::vector<IndexEntry>& entries, std::string_view pack_digest) {
  std::sort(entries.begin(), entries.end(),
            [](const IndexEntry& a, const IndexEntry& b) { return a.id < b.id; });
  std::string bytes("\377tOc\0\0\0\2", 8);
  std::array<std::uint32_t, 256> counts{};
  for (const IndexEntry& entry : entries) ++counts[entry.id.bytes[0]];
  std::uint32_t sum = 0;
  for (const std::uint32_t count : counts) AppendNumber(bytes, sum += count);
  for (const IndexEntry& entry : entries) {
    bytes.append(reinterpret_cast<const char*>(entry.id.bytes.data()), ObjectId::kBytes);
  }
  for (const IndexEntry& entry : entries) AppendNumber(bytes, entry.checksum);
  constexpr std::uint64_t kNarrowEnd = std::uint64_t{1} << 31;
  std::string wide;
  for (const IndexEntry& entry : entries) {
    if (entry.offset < kNarrowEnd) {
      AppendNumber(bytes, static_cast<std::uint32_t>(entry.offset));
      continue;
    }
    AppendNumber(bytes, static_cast<std::uint32_t>(kNarrowEnd | wide.size() / 8));
    AppendNumber(wide, static_cast<std::uint32_t>(entry.offset >> 32));
    AppendNumber(wide, static_cast<std::uint32_t>(entry.offset));
  }
  bytes += wide;
  bytes += pack_digest;
  Sha1Stream digest;
  digest.Add(bytes);
  bytes += View(digest.Finish());
  return bytes;
}

Status Append(const FileDescriptor& file, std::string_view bytes, const fs::path& path) {
  const int failure = WriteAll(file.number(), bytes);
  if (failure != 0) return OsError("writing " + path.string(), failure);
  return {};
}

}  // namespace

PackedObject PackObject(ObjectType type, std::string_view content, Deflater& deflater) {
  return PackCompressed(HashObject(type, content), type, content.size(),
                        deflater.Compress(content));
}

PackedObject PackCompressed(const ObjectId& id, ObjectType type, std::uint64_t size,
                            std::string_view compressed) {
  PackedObject object{.id = id, .bytes = EntryHeader(type, size)};
  object.bytes += compressed;
  return object;
}

struct PackWriter::State {
  mutable Mutex mutex;
  fs::path folder;
  fs::path path;
  FileDescriptor file;
  std::string pending SIBYL_GUARDED_BY(mutex);
  std::uint64_t offset SIBYL_GUARDED_BY(mutex) = kHeaderBytes;
  std::vector<IndexEntry> entries SIBYL_GUARDED_BY(mutex);
  std::unordered_set<ObjectId> known SIBYL_GUARDED_BY(mutex);

  ~State() {
    if (!path.empty()) ::unlink(path.c_str());
  }

  Status Flush() SIBYL_REQUIRES(mutex) {
    SIBYL_TRY(Append(file, pending, path));
    pending.clear();
    return {};
  }

  // The header holds the count, which is known last; the digest covers it. So
  // the file is read once more: it is in memory still.
  Result<std::array<std::uint8_t, 20>> Digest() const {
    Sha1Stream digest;
    std::string buffer(kFlushBytes, '\0');
    for (off_t at = 0;;) {
      const ssize_t got = ::pread(file.number(), buffer.data(), buffer.size(), at);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return OsError("reading " + path.string(), errno);
      if (got == 0) return digest.Finish();
      digest.Add({buffer.data(), static_cast<std::size_t>(got)});
      at += got;
    }
  }
};

PackWriter::PackWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
PackWriter::PackWriter(PackWriter&&) noexcept = default;
PackWriter& PackWriter::operator=(PackWriter&&) noexcept = default;
PackWriter::~PackWriter() = default;

Result<PackWriter> PackWriter::Create(const fs::path& objects) {
  auto state = std::make_unique<State>();
  state->folder = objects / "pack";
  std::string name = (state->folder / "tmp_sibyl_XXXXXX").string();
  state->file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!state->file.is_open()) return OsError("writing below " + state->folder.string(), errno);
  state->path = name;
  SIBYL_TRY(Append(state->file, std::string(kHeaderBytes, '\0'), state->path));
  return PackWriter(std::move(state));
}

Status PackWriter::Add(const PackedObject& object) {
  const std::uint32_t checksum = Crc32(object.bytes);
  MutexLock lock(state_->mutex);
  if (!state_->known.insert(object.id).second) return {};
  state_->entries.push_back({object.id, checksum, state_->offset});
  state_->offset += object.bytes.size();
  state_->pending += object.bytes;
  return state_->pending.size() < kFlushBytes ? Status() : state_->Flush();
}

std::size_t PackWriter::count() const {
  MutexLock lock(state_->mutex);
  return state_->entries.size();
}

Status PackWriter::Finish() {
  MutexLock lock(state_->mutex);
  if (state_->entries.empty()) return {};
  SIBYL_TRY(state_->Flush());
  std::string header = "PACK";
  AppendNumber(header, 2);
  AppendNumber(header, static_cast<std::uint32_t>(state_->entries.size()));
  if (const int failure = WriteAllAt(state_->file.number(), header, 0)) {
    return OsError("writing " + state_->path.string(), failure);
  }
  const std::array<std::uint8_t, 20> digest = SIBYL_TRY(state_->Digest());
  SIBYL_TRY(Append(state_->file, View(digest), state_->path));
  if (::fchmod(state_->file.number(), 0444) != 0 || ::fsync(state_->file.number()) != 0) {
    return OsError("writing " + state_->path.string(), errno);
  }
  const std::string stem = "pack-" + ObjectId{digest}.Hex();
  const fs::path target = state_->folder / (stem + ".pack");
  if (::rename(state_->path.c_str(), target.c_str()) != 0) {
    return OsError("writing " + target.string(), errno);
  }
  state_->path.clear();
  return WriteFileAtomically(state_->folder / (stem + ".idx"),
                             FormatIndex(state_->entries, View(digest)));
}

}  // namespace sibyl::git
