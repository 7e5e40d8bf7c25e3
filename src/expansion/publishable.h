// SPDX-License-Identifier: Apache-2.0
// Which of several submitted pages can be published together: each must pass
// the gate, and no link of a published page may be broken. A page that links to
// one that is not there yet waits for it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/files/root.h"
#include "base/finding.h"
#include "base/result.h"
#include "draft/draft.h"
#include "library/library.h"
#include "oracle/citation_sources.h"
#include "plan/plan.h"

namespace sibyl::expansion {

struct SubmittedPage {
  std::size_t part = 0;  ///< Its place in Plan::parts.
  draft::Draft draft;
  library::ExistingFile existing = library::ExistingFile::kRefuse;
};

struct PublishableInputs {
  const oracle::CitationSources& citations;
  const Root& oracle;
  const plan::Plan& plan;
  std::string plan_name;  ///< As findings call it.
};

struct Publishable {
  std::vector<library::DeliveredPart> delivered;
  /// part/refused: no longer passes the gate. part/links: waits for another page.
  std::vector<Finding> findings;
};

Result<Publishable> ChoosePublishable(const std::vector<SubmittedPage>& pages,
                                      const PublishableInputs& inputs);

/// Whether a page links to one that the oracle does not have and that is not
/// among the others, or to a heading that another does not have: then not all
/// of them can be published.
bool AnyHasToWait(const std::vector<SubmittedPage>& pages, const Root& oracle);

}  // namespace sibyl::expansion
