// SPDX-License-Identifier: Apache-2.0
// Sources that are pages, as the operations need them: how an address is told from a
// repository, the way to the web, and what became of each page as JSON.
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

/// True for an address that is read as a page: http and https, unless it names a
/// repository (".git" at its end, or OWNER/NAME at a forge that everybody knows).
bool IsPageAddress(std::string_view origin);

/// Lets `around` fetch pages, politely and as the [web] table allows. The result is
/// what it fetches with and must outlive it.
Result<std::unique_ptr<expansion::Web>> ReachWeb(const oracle::Context& context,
                                                 evidence::Surroundings& around,
                                                 const expansion::WebWishes& wishes = {});

/// [{"url", "fate", "title", "path", "words", "left_out_bytes", "code", "reason",
/// "changes"}]
Json PagesAsJson(const std::vector<evidence::PageOutcome>& pages);

}  // namespace sibyl::engine
