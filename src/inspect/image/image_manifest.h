// SPDX-License-Identifier: Apache-2.0
// Reads the metadata of an image: its layers in order, the instruction that made each, its
// environment. Reads both descriptions that archives contain and reports differences; some
// Docker releases wrote wrong ones.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// Returns the bytes of a file in the image, by its path in the layout; nullopt if it is
/// missing.
using BlobReader = std::function<std::optional<std::string_view>(const std::string& path)>;

struct ImageLayer {
  std::string blob;         ///< Its path in the layout.
  std::string diff_id;      ///< sha256 of the plain tar, from the configuration.
  std::string instruction;  ///< "RUN apt-get ..."; may be empty.
};

struct ImageManifest {
  std::vector<ImageLayer> layers;  ///< The lowest first; empty if there are too many.
  std::size_t listed_layers = 0;   ///< How many the manifest lists.
  std::vector<std::pair<std::string, std::string>> environment;
  std::string architecture;  ///< "amd64"; empty if the configuration does not say it.
  std::vector<std::string> complaints;
};

/// Stops at the limits of the budget; the caller checks whether they were reached.
Result<ImageManifest> ReadImageManifest(const BlobReader& blobs, Budget& budget);

}  // namespace sibyl::inspect
