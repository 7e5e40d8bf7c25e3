// SPDX-License-Identifier: Apache-2.0
// Estimates how useful a document is, from its path and first lines: documentation before code,
// code before its tests, both before copies of other projects and generated files.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl::index {

struct DocumentTraits {
  bool is_prose = false;
  bool is_test = false;
  bool is_generated = false;
  bool is_vendored = false;
  bool is_changelog = false;
  bool is_example = false;  ///< Examples, samples, benchmarks, scripts.

  std::uint32_t Bits() const {
    return static_cast<std::uint32_t>(is_prose) | static_cast<std::uint32_t>(is_test) << 1 |
           static_cast<std::uint32_t>(is_generated) << 2 |
           static_cast<std::uint32_t>(is_vendored) << 3 |
           static_cast<std::uint32_t>(is_changelog) << 4 |
           static_cast<std::uint32_t>(is_example) << 5;
  }

  static DocumentTraits FromBits(std::uint32_t bits) {
    return {.is_prose = (bits & 1U) != 0,
            .is_test = (bits >> 1 & 1U) != 0,
            .is_generated = (bits >> 2 & 1U) != 0,
            .is_vendored = (bits >> 3 & 1U) != 0,
            .is_changelog = (bits >> 4 & 1U) != 0,
            .is_example = (bits >> 5 & 1U) != 0};
  }

  /// The factor for all impacts of the document's passages.
  float Prior() const;
};

DocumentTraits TraitsOf(std::string_view path, std::string_view language, std::string_view text);

}  // namespace sibyl::index
