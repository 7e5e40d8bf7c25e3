// SPDX-License-Identifier: Apache-2.0
// Tar archives as a stream: ustar, GNU long names, PAX, sizes beyond eight
// gigabytes. Bytes are pushed in as they come; nothing is kept.
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

  /// False when what comes is no tar any more; the rest is then refused.
  bool Feed(std::string_view bytes);
  /// Ended between two entries.
  bool is_complete() const { return !is_damaged_ && left_ == 0 && block_.empty(); }

 private:
  bool TakeHeader();
  void FinishContent();
  void TakePax();

  TarVisitor& visitor_;
  std::string block_;  // a header that is not complete yet
  TarEntry entry_;
  std::uint64_t left_ = 0;     // of the content
  std::uint64_t padding_ = 0;  // behind it
  std::string special_;        // content of a long name or a PAX header
  bool is_special_ = false;
  bool is_damaged_ = false;
  std::string long_path_;
  std::string long_link_;
  std::uint64_t pax_bytes_ = UINT64_MAX;
};

/// Without "./", doubled slashes and a slash at the end; empty when it leads
/// outside.
std::string CleanPath(std::string_view path);

}  // namespace sibyl::inspect
