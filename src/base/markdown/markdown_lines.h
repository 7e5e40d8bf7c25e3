// SPDX-License-Identifier: Apache-2.0
// Where the lines of a Markdown source start. Part of base/markdown.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/markdown/markdown.h"

namespace sibyl {

/// The source must outlive this.
class MarkdownLines {
 public:
  explicit MarkdownLines(std::string_view source);

  std::string_view source() const { return source_view_; }
  std::size_t count() const { return starts_.size() - 1; }

  /// Offset of the first byte of a line, counted from one; of the end for
  /// the line after the last.
  std::size_t Start(std::size_t line) const;

  /// Offset of the end of a line, without its line end.
  std::size_t End(std::size_t line) const;

  /// The line that contains a byte.
  std::size_t LineOf(std::size_t offset) const;

  /// Fills lines and columns in from the bytes.
  MarkdownSpan SpanOf(std::size_t begin, std::size_t end) const;

 private:
  std::string_view source_view_;
  std::vector<std::size_t> starts_;  // of every line, and the end
};

}  // namespace sibyl
