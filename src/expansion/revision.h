// SPDX-License-Identifier: Apache-2.0
// A published page that is written again: claimed like a part of a plan, with
// drafts made from the page, and put in its place by finalize.
// docs/decisions/0132 has the design.
//
// Each page under revision has its own run in the journal, with one job,
// whose fingerprint is the hash of the page that the revision is based on.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/own_folder.h"
#include "base/result.h"
#include "draft/agent/agent_page.h"
#include "expansion/expansion.h"
#include "library/disk.h"
#include "oracle/context.h"
#include "plan/plan.h"
#include "runner/job_queue.h"
#include "runner/journal.h"

namespace sibyl::expansion {

/// The name of the run that revises a page, and back: nothing for other runs.
std::string RevisionName(std::string_view page);
std::optional<std::string> RevisedBy(std::string_view run);

/// A page of the oracle and the part of the plan that it was written for.
struct PublishedPage {
  std::string path;
  std::string text;
  std::string plan_path;
  std::string plan_text;
  plan::Plan plan;
  std::size_t place = 0;  ///< Of the part in the plan.

  const plan::Part& part() const { return plan.parts[place]; }
  std::string hash() const;
};

/// The page that an argument names; nothing if it is not the path of a page
/// (then it may be a plan). A page is a Markdown file outside _ingest-auto/
/// that has no PART.
Result<std::optional<std::string>> PageNamed(const oracle::Context& context,
                                             std::string_view argument);

/// Finds the plan of a page. Of several with that target, the one whose sections
/// and points the page has, or the last of equal ones. kNotFound without the page, kUsage without a
/// plan.
Result<PublishedPage> FindPublished(const oracle::Context& context, std::string_view page);

/// The sections of the page as an agent would have drafted them.
Result<std::vector<draft::AgentSection>> SectionsOfPage(const oracle::Context& context,
                                                        const PublishedPage& page);

/// The revision of one page. Not moved: the queue borrows the ledger.
class Revision {
 public:
  /// Joins the revision, or starts it. One that was based on another text of
  /// the page and that nobody holds is started again.
  static Result<std::unique_ptr<Revision>> Begin(const oracle::Context& context,
                                                 std::string_view page);

  const PublishedPage& page() const { return page_; }
  runner::JobQueue& queue() { return *queue_; }
  runner::Ledger& ledger() { return *ledger_; }
  const OwnFolder& own() const { return own_; }
  /// The one job, in a list.
  Result<std::vector<runner::JobRow>> Rows();

 private:
  Revision(OwnFolder own, std::unique_ptr<runner::Ledger> ledger, PublishedPage page)
      : own_(std::move(own)), ledger_(std::move(ledger)), page_(std::move(page)) {}
  Status Join(const oracle::Context& context);

  OwnFolder own_;
  std::unique_ptr<runner::Ledger> ledger_;
  PublishedPage page_;
  std::optional<runner::JobQueue> queue_;
};

struct RevisionState {
  std::string page;
  runner::JobRow row;
};

/// The open revisions of the pages of a plan; reads only.
Result<std::vector<RevisionState>> OpenRevisions(const oracle::Context& context,
                                                 const plan::Plan& plan);

struct RevisionRequest {
  std::string plan;               ///< As it was named: a plan or a page.
  std::string message = {};       ///< The first line of the commit; empty: the usual one.
  library::Disk* disk = nullptr;  ///< Null is the real one. Borrowed.
};

/// Replaces the pages of the plan, or the one page, whose revisions are submitted, in one commit.
/// Nothing if there is none. A revision whose page was changed after it was claimed
/// (part/changed), or that no longer passes the gate (part/refused), is reported and left.
Result<std::optional<ExpansionResult>> PublishRevisions(const oracle::Context& context,
                                                        const RevisionRequest& request);

}  // namespace sibyl::expansion
