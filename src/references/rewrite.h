// SPDX-License-Identifier: Apache-2.0
// Corrects citations in a document: only the bytes of their numbers change.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "references/check.h"

namespace sibyl::references {

/// Bytes [begin, end) of a document are replaced by `text`.
struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;

  bool operator==(const Edit&) const = default;
};

/// The new numbers of every citation whose suggestion is certain and in the same
/// file; sorted, without overlap. None for records.
std::vector<Edit> CorrectNumbers(const CheckedDocument& document);

struct DurableOptions {
  /// The address of the repository on a forge; may be empty.
  std::string origin;
  std::string commit;  ///< For permalinks.
};

/// Citations without line numbers: where the sentence names a symbol that the
/// file defines once, the path alone; otherwise a link gets a permalink. Only
/// citations that hold, or whose correction is certain.
std::vector<Edit> MakeDurable(const CheckedDocument& document, const Repository& repository,
                              const DurableOptions& options);

/// The document with the edits, which must be sorted and apart.
std::string ApplyEdits(std::string_view document, const std::vector<Edit>& edits);

/// A unified diff with three lines of context; empty if nothing changed. The edits
/// stay within their lines.
std::string UnifiedDiff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace sibyl::references
