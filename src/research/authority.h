// SPDX-License-Identifier: Apache-2.0
// The authority of a page: published by the makers of a product, or by someone
// who writes about it. Decided by the address, with a table of known makers and
// a few general rules; an unknown page is neutral.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/url.h"

namespace sibyl::research {

/// Best first.
enum class Authority : std::uint8_t {
  kOfficial,       ///< Documentation or repository by its makers.
  kRepository,     ///< Source code by others.
  kDocumentation,  ///< Documentation, judging by the address.
  kPaper,          ///< A publication.
  kUnknown,
  kForum,  ///< Questions and answers.
  kBlog,   ///< Writing about it.
};

/// "official", "repository", ...
std::string_view AuthorityName(Authority authority);

struct Standing {
  Authority authority = Authority::kUnknown;
  std::string_view maker;      ///< "nvidia", "pytorch", ...; of kOfficial alone.
  bool is_repository = false;  ///< Of a forge, also where it is official.
};

Standing Judge(const net::Url& url);

/// The maker's name in the table for a word in a text ("NVIDIA's"); empty if
/// there is none.
std::string_view MakerNamed(std::string_view word);

/// "OWNER/NAME" when the page belongs to a repository of a forge.
std::string RepositoryOf(const net::Url& url);

}  // namespace sibyl::research
