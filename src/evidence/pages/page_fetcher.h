// SPDX-License-Identifier: Apache-2.0
// The interface for fetching a page that this room needs.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sibyl::evidence {

struct PageRequest {
  std::string url;  ///< http or https, without a fragment.
  /// The ETag of the stored snapshot, or empty. A server whose page is unchanged answers 304.
  std::string etag;
  std::string last_modified;
};

struct PageResponse {
  int status = 0;   ///< 304 has no body.
  std::string url;  ///< The final address, after redirects.
  /// As received, without cookies and connection headers.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;  ///< Whole, and without any content encoding.
  /// The server sent no length, so the body may be truncated.
  bool may_be_cut = false;

  /// The value of the first header of that name, whatever its case; empty for none.
  std::string_view Header(std::string_view name) const;
};

/// An answer of any status, or an error when none came: kUsage for what must not be
/// asked (robots.txt, with its cause; a private address; a type or size that is not welcome),
/// kNotFound for a host that does not exist, kUnavailable, kCancelled. Called from
/// several threads at once.
using PageFetcher = std::function<Result<PageResponse>(const PageRequest&)>;

}  // namespace sibyl::evidence
