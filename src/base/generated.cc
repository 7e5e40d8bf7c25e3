// SPDX-License-Identifier: Apache-2.0
#include "base/generated.h"

#include <cstddef>
#include <string>

#include "base/strings.h"

namespace sibyl {

bool SaysGenerated(std::string_view text) {
  constexpr std::size_t kLookedAt = 2048;
  const std::string head = LowerCase(text.substr(0, kLookedAt));
  if (head.find("do not edit") != std::string::npos ||
      head.find("do not modify this file") != std::string::npos) {
    return true;
  }
  // "generated" alone is a common word; only these combinations count.
  for (std::size_t at = head.find("generated"); at != std::string::npos;
       at = head.find("generated", at + 1)) {
    const std::string_view before = std::string_view(head).substr(0, at);
    if (before.ends_with('@') || before.ends_with("auto") || before.ends_with("auto-") ||
        before.ends_with("automatically ") || before.ends_with("code ")) {
      return true;
    }
  }
  return false;
}

}  // namespace sibyl
