// SPDX-License-Identifier: Apache-2.0
// The labelled queries that ranking is judged by, and the places in pinned
// sources that answer them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object_id.h"

namespace sibyl::bench {

/// Lines of one text. Texts are compared by blob, so that a copy at another
/// path is as good as the place that was labelled.
struct SourceLines {
  std::string source;
  git::ObjectId blob;
  std::string path;  ///< For people; not compared.
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;

  bool Overlaps(const SourceLines& other) const {
    return source == other.source && blob == other.blob && first_line <= other.last_line &&
           other.first_line <= last_line;
  }
};

struct Label {
  SourceLines place;
  int grade = 1;  ///< 3: this is it; 2: a good answer; 1: to the point.
};

struct LabelledQuery {
  std::string id;
  std::string kind;
  std::string text;
  std::string context;
  std::vector<Label> labels;  ///< Blobs are not filled in: the file names paths.
  /// Every third query is kept out of sight when ranking is tuned.
  bool is_held_out = false;
};

/// JSON lines: id, kind, query, context, relevant[source, path, lines, grade].
Result<std::vector<LabelledQuery>> ReadLabelledQueries(const std::filesystem::path& file);

}  // namespace sibyl::bench
