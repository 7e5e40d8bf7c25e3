// SPDX-License-Identifier: Apache-2.0
// The names under which a model sees passages. They are issued here and mean
// nothing outside; a model can cite what it was shown and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "draft/extract/gather.h"

namespace sibyl::draft {

/// Lines of a passage that a model cited.
struct CitedLines {
  const Excerpt* excerpt = nullptr;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  std::string words = {};  ///< That carry the statement; as the model gave them.
};

class PassageKeys {
 public:
  /// The same purpose gives the same keys: a repeated run sends the same
  /// requests. A text cannot contain its own key, which is derived from its
  /// hash.
  explicit PassageKeys(std::string purpose) : purpose_(std::move(purpose)) {}

  /// The key of the passage; issues one if need be. The excerpt is borrowed.
  std::string Issue(const Excerpt& excerpt);

  /// What "kabcdefgh" or "kabcdefgh:12-15" means; the range is clipped to the
  /// passage. Nothing for an unknown key.
  std::optional<CitedLines> Find(std::string_view text) const;

  /// Whether it is written like a key, issued or not.
  static bool LooksLikeKey(std::string_view text);

 private:
  std::string purpose_;
  std::map<std::string, const Excerpt*, std::less<>> issued_;
};

}  // namespace sibyl::draft
