// SPDX-License-Identifier: Apache-2.0
// The numbers and expanded abbreviations of any bytes are inside the text, in order;
// a quantity equals itself.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "audit/acronym.h"
#include "statement/number.h"

namespace {

using namespace sibyl::statement;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t at = 0;
  for (const Number& number : ReadNumbers(text)) {
    Require(number.offset >= at && number.offset < number.end && number.end <= text.size());
    Require(!std::isnan(number.value) && !std::isnan(number.upper) && !std::isnan(number.digits));
    Require(!std::isfinite(number.upper) || SameQuantity(number, number));
    Require(SameMeasure(number, number));
    at = number.offset;
  }
  for (const sibyl::audit::SpelledOut& claim : sibyl::audit::FindSpelledOut(text)) {
    Require(claim.offset < claim.end && claim.end <= text.size());
    Require(!claim.acronym.empty() && !claim.words.empty());
  }
  return 0;
}
