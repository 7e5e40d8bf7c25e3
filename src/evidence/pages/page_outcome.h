// SPDX-License-Identifier: Apache-2.0
// The outcome of fetching a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/source.h"

namespace sibyl::evidence {

enum class PageFate : std::uint8_t {
  kNew,        ///< It was not there before.
  kChanged,    ///< Its text is another now.
  kUnchanged,  ///< The same text; the old snapshot is kept.
  kKept,       ///< No longer available; the old snapshot is kept.
  kRefused,    ///< Not usable as evidence or not available, and there is no snapshot.
};

/// "new", "changed", "unchanged", "kept", "refused"
std::string_view PageFateName(PageFate fate);

struct PageOutcome {
  std::string url;  ///< As requested, without its fragment.
  PageFate fate = PageFate::kRefused;
  std::optional<PageRecord> record;  ///< The current pin; nothing if refused.
  std::size_t words = 0;             ///< Of the text, when one was made.
  std::size_t left_out_bytes = 0;    ///< Of text dropped as boilerplate.
  /// "not-found", "login", "consent", "shell", "robots", "unreachable", …; empty
  /// when all is well.
  std::string code;
  std::string reason;  ///< For people; for kKept and kRefused.
  std::string hint;
  /// For kChanged: "~ heading", "+ heading", "- heading", at most twenty.
  std::vector<std::string> changes;

  bool IsPinned() const { return record.has_value(); }
};

}  // namespace sibyl::evidence
