// SPDX-License-Identifier: Apache-2.0
// Writes a segment file front to back. The file gets its name only when it is complete and
// synced to disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "base/result.h"
#include "index/segment/segment_format.h"

namespace sibyl::index {

class SegmentWriter {
 public:
  /// `folder` must exist.
  static Result<SegmentWriter> Create(const std::filesystem::path& folder);

  SegmentWriter(SegmentWriter&& other) noexcept;
  SegmentWriter& operator=(SegmentWriter&&) = delete;
  ~SegmentWriter();  // removes an unfinished file

  /// Sections are written in the order of their numbers, each in any number of pieces; skipped
  /// sections are empty.
  Status Append(Section section, std::string_view bytes);

  struct Totals {
    std::uint64_t term_count = 0;
    std::uint64_t text_bytes = 0;
  };

  /// Names the file "<id>.segment" and returns the id: 32 hexadecimal digits, a hash of the
  /// content.
  Result<std::string> Finish(const Totals& totals);

 private:
  SegmentWriter(std::filesystem::path folder, std::filesystem::path temporary, FileDescriptor file);
  void EnterSection(Section section);
  Status Write(std::string_view bytes);

  std::filesystem::path folder_;
  std::filesystem::path temporary_;  // empty if there is nothing to remove
  FileDescriptor file_;
  SegmentHeader header_;
  std::size_t entered_ = 0;  // sections begun
  std::uint64_t at_ = kHeaderBytes;
  std::uint64_t started_writeback_ = 0;
  std::string checksums_;
  std::uint32_t chunk_crc_ = 0;
  std::size_t chunk_bytes_ = 0;
};

/// The path of the segment with this id in `folder`.
std::filesystem::path SegmentPath(const std::filesystem::path& folder, std::string_view id);

}  // namespace sibyl::index
