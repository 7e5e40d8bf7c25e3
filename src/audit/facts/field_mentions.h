// SPDX-License-Identifier: Apache-2.0
// Names of the field in prose: products, generations, architectures, toolkits, drivers, PTX
// versions, and lists of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "field/field.h"

namespace sibyl::audit {

enum class MentionKind : std::uint8_t {
  kProduct,       ///< H100
  kGeneration,    ///< Hopper
  kArchitecture,  ///< sm_90a, compute_90, compute capability 9.0
  kToolkit,       ///< CUDA 12.4, CUDA 12
  kDriver,        ///< driver 550.54.14, R550
  kPtx,           ///< PTX ISA 8.4
  kBare,          ///< 9.0: an architecture or a version, by what is around it
};

struct Mention {
  MentionKind kind = MentionKind::kBare;
  std::size_t begin = 0;  ///< Of the whole mention: of "CUDA" in "CUDA 12.4".
  std::size_t end = 0;
  std::size_t value = 0;                    ///< Where its number or name begins.
  const field::Product* product = nullptr;  ///< Of a product.
  std::string_view generation = {};         ///< Of a generation, as the table writes it.
  field::Architecture architecture = {};
  field::CudaVersion version = {};  ///< Of a toolkit, a PTX ISA, or a bare number.
  bool is_major = false;            ///< Of a toolkit: "CUDA 12", "12.x".
  field::DriverVersion driver = {};
  bool is_range = false;  ///< "8.0 to 9.0", "8.0+", ">= 8.0", "8.0 or newer"
};

/// One mention, or several of a kind that a comma, "and", "or" or a slash separates.
struct MentionGroup {
  MentionKind kind = MentionKind::kBare;
  std::vector<Mention> all;

  std::size_t begin() const { return all.front().begin; }
  std::size_t end() const { return all.back().end; }
};

/// In the order of the text; at most 200 mentions. Bare numbers after an architecture are
/// architectures.
std::vector<MentionGroup> FindMentions(std::string_view text);

/// The words and marks of a text, in lower case: "is", "(", ">=".
std::vector<std::string> PlainTokens(std::string_view text);

}  // namespace sibyl::audit
