// SPDX-License-Identifier: Apache-2.0
// The input of an index: documents with their passages, from a source that many threads may
// call at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cards/spot.h"
#include "git/object_id.h"

namespace sibyl::index {

enum class PassageKind : std::uint8_t {
  kWindow,      ///< A fixed number of lines, for text without structure.
  kProse,       ///< A section of documentation.
  kDefinition,  ///< A function, class, macro or the like.
  kCommand,     ///< A CMake command with its comment.
  kStage,       ///< A stage of a Dockerfile.
};

/// Lines count from 1 and are inclusive; [begin, end) are byte offsets in the document's text
/// and cover exactly those lines.
struct PassageSpan {
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string heading;  ///< "Build > Options" or "at::native::add": symbol or heading path.
  PassageKind kind = PassageKind::kWindow;
};

/// The properties of a document that are known before it is read. Reuse and duplicate detection
/// depend on the blob id; all zero means unknown, and the document is then read at every build.
struct DocumentKey {
  std::string path;
  git::ObjectId blob;
};

struct Document {
  std::string text;
  std::string language;  ///< "c++", "python", "markdown"…; empty if unknown.
  /// In order. Where passages overlap, the earlier one keeps the bytes; uncovered text is split
  /// into windows. Every line is in exactly one passage.
  std::vector<PassageSpan> passages;
  std::vector<cards::CardSpot> cards;  ///< Offsets are in `text`.
};

enum class Loaded {
  kText,     ///< The document was filled.
  kSkipped,  ///< Not text, missing or too long: not indexed, not an error.
};

/// Documents in a fixed order (by path, for reproducible results). Size and Key are called from
/// one thread, Load from many.
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  virtual std::size_t size() const = 0;
  virtual const DocumentKey& key(std::size_t item) const = 0;

  /// Fills `document`, whose strings and vectors may be reused from an earlier call. An error
  /// ends the whole build; return kSkipped if only this document is affected.
  virtual Result<Loaded> Load(std::size_t item, Document& document) = 0;
};

}  // namespace sibyl::index
