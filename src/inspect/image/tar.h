// SPDX-License-Identifier: Apache-2.0
// Parses tar archives as a stream: ustar, GNU long names, PAX, sizes over eight gigabytes.
// Bytes are pushed in; nothing is kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sibyl::inspect {

struct TarEntry {
  std::string path;  ///< As written; see CleanPath.
  char type = '0';   ///< '0' file, '1' hard link, '2' symbolic link, '5' folder.
  std::uint64_t bytes = 0;
  std::string link;

  bool IsFile() const { return type == '0' || type == '\0' || type == '7'; }
};

class TarVisitor {
 public:
  virtual ~TarVisitor() = default;
  virtual void Begin(const TarEntry& entry) = 0;
  virtual void Content(std::string_view piece) = 0;
  virtual void End() = 0;
};

class TarStream {
 public:
  explicit TarStream(TarVisitor& visitor) : visitor_(visitor) {}

  /// False if the bytes are not tar; all further bytes are then rejected.
  bool Feed(std::string_view bytes);
  /// Ended between two entries.
  bool is_complete() const { return !is_damaged_ && left_ == 0 && block_.empty(); }

 private:
  bool TakeHeader();
  void FinishContent();
  void TakePax();

  TarVisitor& visitor_;
  std::string block_;  // an incomplete header
  TarEntry entry_;
  std::uint64_t left_ = 0;     // of the content
  std::uint64_t padding_ = 0;  // after the content
  std::string special_;        // content of a long name or a PAX header
  bool is_special_ = false;
  bool is_damaged_ = false;
  std::string long_path_;
  std::string long_link_;
  std::uint64_t pax_bytes_ = UINT64_MAX;
};

/// Without "./", double slashes and trailing slashes; empty if it leads outside.
std::string CleanPath(std::string_view path);

}  // namespace sibyl::inspect
