// SPDX-License-Identifier: Apache-2.0
// Values as texts and sources write them, compared by what they mean: ON and True, 1 MiB and
// 1048576, 'max' and "max", 0x02 and 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::audit {

struct Literal {
  enum class Kind : std::uint8_t { kNumber, kSwitch, kNothing, kText };

  Kind kind = Kind::kText;
  double digits = 0;  ///< As it is written.
  double value = 0;   ///< With its unit: 1 MiB is 1048576.
  bool is_on = false;
  std::string text;  ///< In lower case; of an enumerator its last part.
};

/// What a sentence gives as a value: "25", "25 MiB", "ON", "disabled", "None", "c10d".
Literal ReadSaid(std::string_view text);

/// The value of a definition; nothing if it is an expression that cannot be compared.
std::optional<Literal> ReadDefined(std::string_view text, bool is_text);

/// Nothing: they cannot be compared.
std::optional<bool> AreEqual(const Literal& said, const Literal& defined);

}  // namespace sibyl::audit
