// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/gzip.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/free.h"

namespace sibyl::evidence {
namespace {

constexpr std::string_view kMagic = "\x1f\x8b";

Error BadGzip(std::string what) {
  return Error{.kind = ErrorKind::kCorrupt, .message = "unpacking gzip: " + std::move(what)};
}

}  // namespace

std::string GzipMember(std::string_view bytes) {
  constexpr int kLevel = 6;
  const std::unique_ptr<libdeflate_compressor, Free<libdeflate_free_compressor>> stream{
      libdeflate_alloc_compressor(kLevel)};
  if (stream == nullptr) std::abort();
  std::string out(libdeflate_gzip_compress_bound(stream.get(), bytes.size()), '\0');
  out.resize(
      libdeflate_gzip_compress(stream.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

Result<std::string> GunzipMembers(std::string_view bytes, std::size_t max_bytes) {
  if (!bytes.starts_with(kMagic)) return std::string(bytes.substr(0, max_bytes));
  const std::unique_ptr<libdeflate_decompressor, Free<libdeflate_free_decompressor>> stream{
      libdeflate_alloc_decompressor()};
  if (stream == nullptr) std::abort();
  std::string out;
  // Not in place: each member would have to clear all the space it might need.
  std::size_t room = std::min(max_bytes, std::max<std::size_t>(bytes.size() * 4, 4096));
  auto buffer = std::make_unique_for_overwrite<char[]>(room);
  while (!bytes.empty()) {
    if (!bytes.starts_with(kMagic)) return BadGzip("unexpected data after a member");
    std::size_t used = 0;
    std::size_t made = 0;
    const libdeflate_result result = libdeflate_gzip_decompress_ex(
        stream.get(), bytes.data(), bytes.size(), buffer.get(), room, &used, &made);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE && room < max_bytes) {
      room = std::min(room * 2, max_bytes);
      buffer = std::make_unique_for_overwrite<char[]>(room);
      continue;
    }
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE || made > max_bytes - out.size()) {
      return BadGzip(fmt::format("more than {} bytes", max_bytes));
    }
    if (result != LIBDEFLATE_SUCCESS) return BadGzip("a member is damaged or truncated");
    out.append(buffer.get(), made);
    bytes.remove_prefix(used);
  }
  return out;
}

Result<std::string> InflateBody(std::string_view bytes, std::size_t max_bytes) {
  const std::unique_ptr<libdeflate_decompressor, Free<libdeflate_free_decompressor>> stream{
      libdeflate_alloc_decompressor()};
  if (stream == nullptr) std::abort();
  std::size_t room = std::min(max_bytes, std::max<std::size_t>(bytes.size() * 4, 4096));
  while (true) {
    std::string out(room, '\0');
    std::size_t made = 0;
    libdeflate_result result = libdeflate_zlib_decompress(stream.get(), bytes.data(), bytes.size(),
                                                          out.data(), room, &made);
    if (result == LIBDEFLATE_BAD_DATA) {
      result = libdeflate_deflate_decompress(stream.get(), bytes.data(), bytes.size(), out.data(),
                                             room, &made);
    }
    if (result == LIBDEFLATE_SUCCESS) {
      out.resize(made);
      return out;
    }
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE) return BadGzip("a body is damaged or truncated");
    if (room >= max_bytes) return BadGzip(fmt::format("more than {} bytes", max_bytes));
    room = std::min(room * 2, max_bytes);
  }
}

}  // namespace sibyl::evidence
