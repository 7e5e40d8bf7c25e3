// SPDX-License-Identifier: Apache-2.0
// Finds the code citations of a Markdown document, with what each of them claims.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "references/find/file_mention.h"
#include "references/reference.h"

namespace sibyl::references {

struct FindOptions {
  /// Names that the repository has; helps with modules and names without extension.
  IsKnownFile is_known = {};
};

struct FoundReferences {
  std::vector<Reference> all;  ///< In the order of the text; at most 20,000.
  /// Which limit left citations out: "more than 20,000 …"; empty if there are none.
  std::string left_out;
  /// The commit in the front matter that the document was written for; may be empty.
  std::string commit;
};

/// Fails only if the document exceeds the limits of the Markdown parser. Takes
/// time in proportion to the length of the document.
Result<FoundReferences> FindReferences(std::string_view document, const FindOptions& options = {});

}  // namespace sibyl::references
