// SPDX-License-Identifier: Apache-2.0
// Fetches one page, checks it, extracts its text and stores its snapshot.
#pragma once

#include <string>

#include "base/result.h"
#include "evidence/pages/page_outcome.h"
#include "evidence/pages/page_snapshot.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

struct VisitedPage {
  PageOutcome outcome;
  std::string text;  ///< Of a page that is new or changed.
};

/// Problems with the page or its server are in the outcome; an error means that
/// it was cancelled, or the snapshot could not be stored. Thread-safe. `before`
/// is the pinned page, or null. The record has no path yet.
Result<VisitedPage> VisitPage(const std::string& url, const PageRecord* before,
                              const Surroundings& around);

/// The result of reading a response that is already here, such as one from a WARC file. Nothing
/// is stored. The snapshot is filled if the page can be cited.
struct ReadPage {
  VisitedPage page;
  PageSnapshot snapshot;
};
ReadPage ReadResponse(const std::string& url, PageResponse response, std::string fetched);

}  // namespace sibyl::evidence
