// SPDX-License-Identifier: Apache-2.0
// Why a file of a source is skipped. Never an error for the whole source: it is
// counted, and shown on request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "git/object_id.h"

namespace sibyl::evidence {

enum class SkipReason : std::uint8_t {
  kNone,        ///< It is read.
  kExcluded,    ///< By the source's globs.
  kMissing,     ///< Its bytes are not in the store: a partial clone.
  kTooLarge,    ///< Past max_file_bytes.
  kBinary,      ///< A NUL byte.
  kLfsPointer,  ///< The bytes are elsewhere, at a Git LFS server.
  kSymlink,
  kSubmodule,
  kCorrupt,     ///< The bytes are broken.
  kOddPath,     ///< A name that no checkout could have, or a path past the limits.
  kUnreadable,  ///< The system would not let us read it.
  kSpecial,     ///< A device, a pipe, a socket.
  kGenerated,   ///< Not written by people: minified, packed, data.
};
inline constexpr std::size_t kSkipReasons = 13;

/// "too large", "binary", ...: for people.
std::string_view SkipReasonText(SkipReason reason);

/// "too-large", "binary", ...: for machines.
std::string_view SkipReasonName(SkipReason reason);
std::optional<SkipReason> ParseSkipReason(std::string_view name);

/// Why blobs are not in a store, by their ids.
using SkipNotes = std::map<git::ObjectId, SkipReason>;

/// Of the file in a mirror; a line that means nothing costs a reason, not the source.
SkipNotes ParseSkipNotes(std::string_view text);

}  // namespace sibyl::evidence
