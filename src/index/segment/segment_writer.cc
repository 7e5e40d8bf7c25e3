// SPDX-License-Identifier: Apache-2.0
#include "index/segment/segment_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/files/write_all.h"
#include "base/hash.h"
#include "base/os_error.h"
#include "index/segment/checksum.h"

namespace sibyl::index {
namespace {

// Starts writeback during the build; otherwise the sync at the end would wait for all of it.
constexpr std::uint64_t kWritebackBytes = std::uint64_t{8} << 20;

Status WriteAt(int file, std::string_view bytes, std::uint64_t offset,
               const std::filesystem::path& path) {
  const int failure = WriteAllAt(file, bytes, offset);
  if (failure != 0) return OsError("writing the index segment " + path.string(), failure);
  return {};
}

Status SyncSegmentFolder(const std::filesystem::path& folder) {
  const FileDescriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.is_open() || ::fsync(handle.number()) != 0) {
    return OsError("syncing the folder " + folder.string(), errno);
  }
  return {};
}

}  // namespace

std::filesystem::path SegmentPath(const std::filesystem::path& folder, std::string_view id) {
  return folder / (std::string(id) + ".segment");
}

Result<SegmentWriter> SegmentWriter::Create(const std::filesystem::path& folder) {
  std::string name = (folder / "building-XXXXXX").string();
  FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) return OsError("creating an index segment in " + folder.string(), errno);
  return SegmentWriter(folder, name, std::move(file));
}

SegmentWriter::SegmentWriter(std::filesystem::path folder, std::filesystem::path temporary,
                             FileDescriptor file)
    : folder_(std::move(folder)), temporary_(std::move(temporary)), file_(std::move(file)) {}

SegmentWriter::SegmentWriter(SegmentWriter&& other) noexcept
    : folder_(std::move(other.folder_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)),
      header_(other.header_),
      entered_(other.entered_),
      at_(other.at_),
      started_writeback_(other.started_writeback_),
      checksums_(std::move(other.checksums_)),
      chunk_crc_(other.chunk_crc_),
      chunk_bytes_(other.chunk_bytes_) {}

SegmentWriter::~SegmentWriter() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void SegmentWriter::EnterSection(Section section) {
  const auto wanted = static_cast<std::size_t>(section);
  for (; entered_ <= wanted; ++entered_) header_.sections[entered_] = {.offset = at_, .bytes = 0};
}

Status SegmentWriter::Append(Section section, std::string_view bytes) {
  // Records are read in place and must be aligned in memory.
  if (entered_ <= static_cast<std::size_t>(section)) {
    const std::string padding((8 - at_ % 8) % 8, '\0');
    SIBYL_TRY(Write(padding));
    EnterSection(section);
  }
  header_.sections[static_cast<std::size_t>(section)].bytes += bytes.size();
  return Write(bytes);
}

Status SegmentWriter::Write(std::string_view bytes) {
  SIBYL_TRY(WriteAt(file_.number(), bytes, at_, temporary_));
  at_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t now = std::min(bytes.size(), kChecksumChunk - chunk_bytes_);
    chunk_crc_ = Crc32c(bytes.substr(0, now), chunk_crc_);
    chunk_bytes_ += now;
    bytes.remove_prefix(now);
    if (chunk_bytes_ == kChecksumChunk) {
      checksums_.append(reinterpret_cast<const char*>(&chunk_crc_), sizeof(chunk_crc_));
      chunk_crc_ = 0;
      chunk_bytes_ = 0;
    }
  }
  if (at_ - started_writeback_ >= kWritebackBytes) {
    ::sync_file_range(file_.number(), static_cast<off_t>(started_writeback_),
                      static_cast<off_t>(at_ - started_writeback_), SYNC_FILE_RANGE_WRITE);
    started_writeback_ = at_;
  }
  return {};
}

Result<std::string> SegmentWriter::Finish(const Totals& totals) {
  if (chunk_bytes_ > 0) {
    checksums_.append(reinterpret_cast<const char*>(&chunk_crc_), sizeof(chunk_crc_));
  }
  const std::string checksums = std::exchange(checksums_, {});
  header_.checksums_crc = Crc32c(checksums);
  EnterSection(Section::kChecksums);
  header_.sections[static_cast<std::size_t>(Section::kChecksums)].bytes = checksums.size();
  SIBYL_TRY(WriteAt(file_.number(), checksums, at_, temporary_));
  at_ += checksums.size();
  header_.file_bytes = at_;
  header_.term_count = totals.term_count;
  header_.text_bytes = totals.text_bytes;
  std::string header(kHeaderBytes, '\0');
  std::memcpy(header.data(), &header_, sizeof(header_));
  header_.header_crc =
      Crc32c(std::string_view(header).substr(0, offsetof(SegmentHeader, header_crc)));
  std::memcpy(header.data(), &header_, sizeof(header_));
  SIBYL_TRY(WriteAt(file_.number(), header, 0, temporary_));
  if (::fdatasync(file_.number()) != 0) {
    return OsError("syncing the index segment " + temporary_.string(), errno);
  }
  // Header and checksums together identify the content as well as all bytes would.
  const std::string id = Sha256(header + checksums).substr(0, 32);
  const std::filesystem::path path = SegmentPath(folder_, id);
  if (::fchmod(file_.number(), 0644) != 0 || ::rename(temporary_.c_str(), path.c_str()) != 0) {
    return OsError("naming the index segment " + path.string(), errno);
  }
  temporary_.clear();
  SIBYL_TRY(SyncSegmentFolder(folder_));
  return id;
}

}  // namespace sibyl::index
