// SPDX-License-Identifier: Apache-2.0
// Page sources for the operations: how an address is distinguished from a
// repository, web access, and the outcome of each page as JSON.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "evidence/pages/pages.h"
#include "expansion/web.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// True for an address that is treated as a page: http and https, unless it is
/// a repository (".git" at its end, or OWNER/NAME on a known forge).
bool IsPageAddress(std::string_view origin);

/// Lets `around` fetch pages, politely and as the [web] table allows. The result is
/// what it fetches with and must outlive it.
Result<std::unique_ptr<expansion::Web>> ReachWeb(const oracle::Context& context,
                                                 evidence::Surroundings& around,
                                                 const expansion::WebOptions& options = {});

/// [{"url", "fate", "title", "path", "words", "left_out_bytes", "code", "reason",
/// "changes"}]
Json PagesAsJson(const std::vector<evidence::PageOutcome>& pages);

}  // namespace sibyl::engine
