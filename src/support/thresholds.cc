// SPDX-License-Identifier: Apache-2.0
#include "support/thresholds.h"

namespace sibyl::support {
namespace {

constexpr double kTooLittle = 0.30;  // of the content
constexpr double kSeveralWords = 6;
constexpr double kEnoughOfClause = 0.25;

}  // namespace

bool IsTooLittle(const Measures& measures) {
  const bool has_hardly_one = measures.strong < 2 && measures.content >= kSeveralWords;
  return measures.coverage < kTooLittle || (has_hardly_one && measures.coverage < kLittle);
}

bool IsEnough(const Measures& measures) {
  return measures.coverage >= kEnough && measures.least_clause >= kEnoughOfClause;
}

bool IsElsewhere(const Measures& measures) {
  constexpr double kMostHere = 0.52;
  constexpr double kLittleHere = 0.4;
  constexpr double kLeastThere = 0.6;
  constexpr double kMore = 0.3;
  const OtherLines& other = measures.elsewhere;
  const bool has_names = measures.has_all_names && other.here >= kLittleHere;
  return measures.coverage < kEnough && !has_names && other.here < kMostHere &&
         other.there >= kLeastThere && other.there - other.here >= kMore && !other.is_other_kind;
}

}  // namespace sibyl::support
