// SPDX-License-Identifier: Apache-2.0
// A row of the table of inspectors (inspectors.cc): one kind of artifact, how it is detected,
// how it is read, and the codes of its findings.
//
// Everything else is derived from the row: the kind in the JSON output and in sibyl.facts, the
// list of supported files, "sibyl cite PATH#INSPECTOR:KEY", the codes in help and SARIF.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/files/root.h"
#include "inspect/artifact.h"
#include "inspect/inspect_options.h"
#include "inspect/rules.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// A file whose kind is not known yet.
struct UnknownFile {
  std::string_view bytes;      ///< The whole file.
  std::string_view beginning;  ///< The first kilobytes.
  std::string_view name;       ///< Without the folder. Used only to choose among text formats.
  bool is_text = false;        ///< No NUL byte in the beginning.
};

/// A file to read. Borrowed for the call.
struct DetectedFile {
  const std::filesystem::path& path;
  std::string_view bytes;  ///< Mapped.
  const InspectOptions& options;
  Budget& budget;
};

/// Functions that do not apply are null.
struct Inspector {
  std::string_view kind;    ///< "cmake-cache"
  std::string_view plural;  ///< "Dockerfiles", for the list of supported files.
  /// Names of the inspectors whose facts it adds and that can be cited.
  std::span<const std::string_view> fact_inspectors = {};
  /// Files: readers add facts, findings and detail to the artifact, whose path and kind are
  /// set.
  bool (*is_file)(const UnknownFile&) = nullptr;
  void (*read_file)(const DetectedFile&, Artifact&) = nullptr;
  std::uint64_t most_bytes = UINT64_MAX;  ///< Larger files get "inspect/limit".
  /// When a folder is walked, list a file only if it has device code.
  bool needs_code = false;
  /// Folders that the caller named: one artifact instead of a folder of files.
  bool (*is_folder)(const std::filesystem::path&) = nullptr;
  void (*read_folder)(const std::filesystem::path&, const InspectOptions&, Artifact&) = nullptr;
  /// Folders inside a named one, detected by a file in them: how many levels the folder is
  /// above that file, given the file's path from the named folder; 0 if the file does not mark
  /// one.
  unsigned (*levels_below)(const std::filesystem::path&) = nullptr;
  void (*read_found_folder)(const Root&, const InspectOptions&, Artifact&) = nullptr;
  /// Null if another row of the same file has them.
  std::span<const Rule> (*rules)() = nullptr;
};

}  // namespace sibyl::inspect
