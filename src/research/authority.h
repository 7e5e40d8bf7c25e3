// SPDX-License-Identifier: Apache-2.0
// Who speaks on a page: the people who make the thing, or somebody who writes
// about it. Judged by the address alone, from a table of known makers and a few
// general rules; a page that is not known is neither good nor bad.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/url.h"

namespace sibyl::research {

/// Best first.
enum class Authority : std::uint8_t {
  kOfficial,       ///< Documentation or repository of those who make it.
  kRepository,     ///< Source code of somebody else.
  kDocumentation,  ///< Documentation, so far as the address tells.
  kPaper,          ///< A publication.
  kUnknown,
  kForum,  ///< Questions and answers.
  kBlog,   ///< What people write about it.
};

/// "official", "repository", ...
std::string_view AuthorityName(Authority authority);

struct Standing {
  Authority authority = Authority::kUnknown;
  std::string_view maker;      ///< "nvidia", "pytorch", ...; of kOfficial alone.
  bool is_repository = false;  ///< Of a forge, also where it is official.
};

Standing Judge(const net::Url& url);

/// The name by which the table knows a maker whom a text calls so ("NVIDIA's");
/// empty when it is none.
std::string_view MakerNamed(std::string_view word);

/// "OWNER/NAME" when the page belongs to a repository of a forge.
std::string RepositoryOf(const net::Url& url);

}  // namespace sibyl::research
