// SPDX-License-Identifier: Apache-2.0
#include "git/broken_pack.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>

#include "base/files/file_descriptor.h"
#include "base/files/mapped_file.h"
#include "base/files/write_all.h"
#include "base/os_error.h"
#include "base/sha1.h"
#include "git/inflate.h"
#include "git/pack.h"

namespace sibyl::git {
namespace {

constexpr std::size_t kPackHeaderBytes = 12;
constexpr std::size_t kCountAt = 8;
// Finding the end of an entry requires inflating it in one piece. Recovery
// stops at a longer one: it is fetched again, with everything after it.
constexpr std::uint64_t kLongestEntry = std::uint64_t{512} << 20;

std::uint32_t CountOf(std::string_view pack) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    count = count << 8 | static_cast<unsigned char>(pack[kCountAt + i]);
  }
  return count;
}

std::string Header(std::uint32_t count) {
  std::string header("PACK\0\0\0\2", kCountAt);
  for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>(count >> shift & 0xff);
  return header;
}

Status WriteAt(int file, std::string_view bytes, std::uint64_t at,
               const std::filesystem::path& path) {
  const int failure = WriteAllAt(file, bytes, at);
  if (failure != 0) return OsError("writing " + path.string(), failure);
  return {};
}

}  // namespace

WholeEntries FindWholeEntries(std::string_view pack) {
  const Result<PackData> data = PackData::Parse(pack);
  if (!data.ok()) return {};
  const std::uint32_t count = CountOf(pack);
  Inflater inflater;
  ByteBuffer buffer;
  WholeEntries whole;
  std::uint64_t at = kPackHeaderBytes;
  while (whole.count < count) {
    const std::optional<PackEntry> entry = data->Entry(at);
    if (!entry || entry->size > kLongestEntry) break;
    const auto size = static_cast<std::size_t>(entry->size);
    const std::optional<std::size_t> used =
        inflater.FillCounting(entry->compressed, buffer.Prepare(size), size);
    if (!used) break;
    const char* end = entry->compressed.data() + *used;
    at = static_cast<std::uint64_t>(end - pack.data());
    ++whole.count;
    whole.end = at;
  }
  return whole;
}

Result<std::uint32_t> CloseBrokenPack(const std::filesystem::path& path) {
  WholeEntries whole;
  std::array<std::uint8_t, 20> digest{};
  {
    const MappedFile file = SIBYL_TRY(MappedFile::Open(path));
    whole = FindWholeEntries(file.bytes());
    if (whole.count == 0) return whole.count;
    Sha1Stream stream;
    stream.Add(Header(whole.count));
    stream.Add(file.bytes().substr(kPackHeaderBytes, whole.end - kPackHeaderBytes));
    digest = stream.Finish();
  }
  // git leaves its files read-only once they are whole; a whole one may lack its
  // index alone.
  std::error_code ignored;
  std::filesystem::permissions(path, std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add, ignored);
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return OsError("opening " + path.string(), errno);
  const std::string_view trailer(reinterpret_cast<const char*>(digest.data()), digest.size());
  // In this order a kill in between leaves entries that can be found again.
  SIBYL_TRY(WriteAt(file.number(), Header(whole.count), 0, path));
  SIBYL_TRY(WriteAt(file.number(), trailer, whole.end, path));
  if (::ftruncate(file.number(), static_cast<off_t>(whole.end + trailer.size())) != 0) {
    return OsError("cutting " + path.string(), errno);
  }
  return whole.count;
}

}  // namespace sibyl::git
