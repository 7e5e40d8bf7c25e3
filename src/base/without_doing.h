// SPDX-License-Identifier: Apache-2.0
// The inverse of While() in base/result.h.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl {

/// Takes off what While(doing, …) added, for a caller that names the thing in its own words.
inline Error WithoutDoing(std::string_view doing, Error error) {
  const std::string start = std::string(doing) + ": ";
  if (error.message.starts_with(start)) error.message.erase(0, start.size());
  return error;
}

}  // namespace sibyl
