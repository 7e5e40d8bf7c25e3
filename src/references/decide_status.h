// SPDX-License-Identifier: Apache-2.0
// Decides the status of a citation from what was seen in its lines now and then.
#pragma once

#include <string_view>

#include "references/citation_status.h"
#include "references/code_file.h"
#include "references/past/past_lines.h"
#include "references/reference.h"
#include "references/sighting.h"
#include "references/word_sighting.h"

namespace sibyl::references {

/// A sighting and the file it was made in.
struct SeenIn {
  const Sighting& sighting;
  const CodeFile& file;
};

/// What became of the cited lines.
struct Followed {
  Movement movement = Movement::kUnknown;
  bool is_exact = false;  ///< Every line was found again.
  bool is_found = false;  ///< Most of them were.
  bool is_off = false;    ///< All were, and the cited range has the wrong part of them.
  bool is_near = false;   ///< They are a few lines away.
  bool is_line = false;   ///< One line is cited, and not approximately.
};

/// `then` is null if there is no history.
CitationStatus StatusOf(const Claim& claim, const SeenIn& now, const SeenIn* then,
                        const Followed& followed);

/// What the names of a claim say.
struct NamesSaid {
  CitationStatus status;
  Fit fit;                         ///< Now.
  std::string_view deciding = {};  ///< The name that decided; may be empty.
};

/// For a citation that names do not decide, or that they call wrong. `then` may be
/// null.
CitationStatus StatusByWords(const NamesSaid& names, const WordSighting& now,
                             const WordSighting* then);

}  // namespace sibyl::references
