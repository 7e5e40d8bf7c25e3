// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.h"

namespace sibyl {

std::string Grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace sibyl
