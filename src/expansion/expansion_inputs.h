// SPDX-License-Identifier: Apache-2.0
// The inputs of an expansion: the plan, the pins and their indexes, and the
// existing pages. Opened once, then only read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/known.h"
#include "expansion/part_job.h"
#include "expansion/planned_work.h"
#include "expansion/run_writer.h"
#include "index/rank/searcher.h"
#include "oracle/citation_sources.h"
#include "oracle/context.h"
#include "oracle/source_index.h"
#include "plan/plan.h"
#include "runner/job_queue.h"
#include "runner/runner.h"

namespace sibyl::expansion {

/// kNo before web research, which may pin the first source.
enum class RequirePins { kYes, kNo };

/// Not moved once it is made: its parts borrow each other.
class ExpansionInputs {
 public:
  /// Borrows `models`, which is set if a model writes. kUsage if pins are required
  /// and there are none.
  static Result<std::unique_ptr<ExpansionInputs>> Open(
      const oracle::Context& context, const PlannedWork& work, ModelAccess* models = nullptr,
      RequirePins require_pins = RequirePins::kYes);

  const PartInputs& parts() const { return *parts_; }
  const std::vector<Finding>& findings() const { return indexes_.findings; }

  /// The writer (expansion/run_writer.h) and hashes of everything that a part's page depends on.
  std::string Fingerprint(const plan::Part& part) const;

 private:
  ExpansionInputs(oracle::SourceIndexes indexes, evidence::Lock lock,
                  std::unique_ptr<oracle::CitationSources> citations);

  oracle::SourceIndexes indexes_;
  index::Searcher searcher_;
  evidence::Lock lock_;
  std::vector<draft::KnowledgeFile> knowledge_;
  std::vector<draft::Record> records_;
  std::unique_ptr<oracle::CitationSources> citations_;
  std::vector<std::string_view> plan_lines_;  // of the work it was opened for
  std::optional<PartInputs> parts_;
  std::string_view writer_ = kExtractWriter;
  std::string common_fingerprint_;     // without the oracle's own pages
  std::string knowledge_fingerprint_;  // of these
};

/// The parts that are jobs of the run with these rows: those that run, and those that it has
/// delivered and that were published before the others. Only the former if the rows are those of
/// other jobs, or if there are none.
std::vector<const ChosenPart*> PartsOfRun(const PlannedWork& work,
                                          const std::vector<runner::JobRow>& rows);

/// Whether the rows are the jobs of these parts, in this order.
bool AreJobsOf(const PlannedWork& work, const std::vector<const ChosenPart*>& parts,
               const std::vector<runner::JobRow>& rows);

/// The run of this work in the journal: one job for each of these parts, and
/// the last one, which publishes. Their functions are set by the caller. `rows` are those of
/// the open run: if it could not be published, what it has written is still what is asked for,
/// though a pull has brought other pages since.
runner::RunSpec NameJobs(const PlannedWork& work, const std::vector<const ChosenPart*>& parts,
                         const ExpansionInputs& inputs,
                         const std::vector<runner::JobRow>& rows = {});

/// Knowledge pages: no indexes, no front page.
std::vector<draft::KnowledgeFile> ReadKnowledge(const oracle::Context& context);

/// "sibyl 0.1.0"
std::string ProgramName();

}  // namespace sibyl::expansion
