// SPDX-License-Identifier: Apache-2.0
// The tables as they are embedded: lines of columns, separated by " | ". Lines that begin with #
// and empty lines are ignored.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "field/field.h"

namespace sibyl::field {

struct TableFile {
  std::string_view path;  ///< Relative to the root of the repository.
  std::string_view text;
  std::size_t columns = 0;
};

/// All tables, for checks that report file and line.
std::span<const TableFile> TableFiles();

struct Tables {
  std::vector<Receipt> receipts;
  std::vector<ArchitectureLife> architectures;
  std::vector<Toolkit> toolkits;
  std::vector<Product> products;
  std::vector<Abbreviation> abbreviations;
  std::vector<Program> programs;
  std::vector<NumberFormat> formats;
  std::vector<Image> images;
  std::vector<ImageRelease> releases;
  std::vector<TagPart> tag_parts;
  std::vector<WheelIndex> indexes;
  std::vector<TorchBuild> torch_builds;
  std::vector<HostCompiler> hosts;
  std::vector<ImagePatch> patches;
  std::vector<SystemToolkit> system_toolkits;
  std::vector<System> systems;
  std::vector<TorchCompanions> companions;
  std::vector<Framework> frameworks;
  std::vector<ImageRequirement> requirements;
  std::vector<std::string> errors;  ///< "src/field/tables/products.txt:7: …"; none in a release.
};

/// Read on first use. A malformed line is an error and no row.
const Tables& ReadTables();

}  // namespace sibyl::field
