// SPDX-License-Identifier: Apache-2.0
// Names of products as people write them, "3090", "H100 PCIe", "NVIDIA A100-SXM4-80GB", and the
// rows of the table that they can mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "field/field.h"

namespace sibyl::field {

/// A name without what does not tell architectures apart: brands, memory sizes, sockets.
struct GpuName {
  std::vector<std::string> words;  ///< "rtx", "6000"
  std::string plain;               ///< The words as one: "rtx6000".
  std::string generation;          ///< "ada", if the name says it.
};

/// "NVIDIA GeForce RTX 4090", "rtx4090" and "RTX 4090 Laptop GPU" are equal.
GpuName ParseGpuName(std::string_view text);

/// One product if it has exactly this name, otherwise all whose name this can be short for:
/// "6000" may be a Quadro, one of the Ada generation or one of Blackwell.
std::vector<const Product*> ProductsNamed(const GpuName& name);

/// The product that a misspelt name probably means. "RTX 4090 Ti", which does not exist, is near to
/// the RTX 4090, not to the RTX 4070 Ti.
std::optional<std::string> NearestProduct(std::string_view text);

}  // namespace sibyl::field
