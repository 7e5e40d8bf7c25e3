// SPDX-License-Identifier: Apache-2.0
// The one record of a publication: everything that is to be done, decided
// beforehand, in steps that can be repeated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "library/library.h"

namespace sibyl::library {

enum class StepKind : std::uint8_t {
  kFile,        ///< The staged file replaces the one with the hash `before`.
  kBlock,       ///< The staged text becomes the content of a managed block.
  kMoveFolder,  ///< `from` becomes `path`.
  kMoveFile,    ///< The same for one file.
};

inline bool IsMove(StepKind kind) {
  return kind == StepKind::kMoveFolder || kind == StepKind::kMoveFile;
}

struct Step {
  StepKind kind = StepKind::kFile;
  std::string path;    ///< In the oracle.
  std::string before;  ///< sha256; empty: the file must not be there.
  std::string after;   ///< sha256 of the staged file.
  std::string staged;  ///< Its name in the stage.
  std::string block;
  std::string from;
};

struct Intent {
  std::int64_t time = 0;  ///< What everything is dated, in seconds since 1970.
  std::vector<Step> steps;
  std::vector<std::string> paths;  ///< Final paths of the committed files.
  std::string message;
  Published published;  ///< Without the commit.
};

std::string FormatIntent(const Intent& intent);
/// Refuses other formats, and paths that lead out of the oracle: the file may
/// come from someone else's oracle.
Result<Intent> ParseIntent(std::string_view text);

Json PublishedAsJson(const Published& published);

}  // namespace sibyl::library
