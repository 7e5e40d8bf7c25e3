// SPDX-License-Identifier: Apache-2.0
// gzip files in one piece: one member for each record, as WARC files have them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::evidence {

/// One member; the same bytes give the same member, with no name and no time.
std::string GzipMember(std::string_view bytes);

/// All members of a file, concatenated; uncompressed bytes are returned
/// unchanged. kCorrupt if a member is damaged or truncated, or the total
/// exceeds `max_bytes`.
Result<std::string> GunzipMembers(std::string_view bytes, std::size_t max_bytes);

/// What HTTP calls "deflate": a zlib stream or, from servers that misread the
/// standard, raw deflate. kCorrupt for anything else, or if it is too long.
Result<std::string> InflateBody(std::string_view bytes, std::size_t max_bytes);

}  // namespace sibyl::evidence
