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

/// All members of a file, one behind the other; bytes that are not compressed come
/// back as they are. kCorrupt when a member is broken, cut off, or all together are
/// longer than `max_bytes`.
Result<std::string> GunzipMembers(std::string_view bytes, std::size_t max_bytes);

/// What HTTP calls "deflate": a zlib stream, or, from servers that misread the standard,
/// the same without its frame. kCorrupt for anything else, and for what is longer.
Result<std::string> InflateBody(std::string_view bytes, std::size_t max_bytes);

}  // namespace sibyl::evidence
