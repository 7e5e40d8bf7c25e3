// SPDX-License-Identifier: Apache-2.0
// How outcomes are shown to people: one function per operation, each in the
// file of its name. What scripts should read is in --json; this text may change
// between releases.
#pragma once

#include <string>
#include <string_view>

#include "base/terminal.h"
#include "engine/arguments.h"
#include "engine/outcome.h"

namespace sibyl::engine {

struct RenderOptions {
  Terminal terminal;
  const Arguments& arguments;  ///< What was asked, for flags such as --verbose.

  /// Room on a line. A pipe has no edge: what is cut off there is lost to grep.
  std::size_t columns() const { return terminal.is_terminal ? terminal.columns : kUnlimited; }
  static constexpr std::size_t kUnlimited = 100'000;

  /// What -C was given, for commands that are suggested; empty without it.
  std::string_view oracle = {};

  /// "sibyl", or "sibyl -C @cuda".
  std::string Sibyl() const;
};

struct Rendered {
  std::string results;  ///< For stdout.
  std::string talk;     ///< For stderr, one "sibyl: " line each; --quiet drops it.
  /// For stdout, after the results: bytes of a source as they are. All other text is
  /// made harmless before it is printed.
  std::string quoted = {};
};

Rendered RenderPlanShow(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanCheck(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanNew(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanSources(const Outcome& outcome, const RenderOptions& options);
Rendered RenderInit(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceAdd(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceList(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceSync(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceExport(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceImport(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceRemove(const Outcome& outcome, const RenderOptions& options);
Rendered RenderStoreInit(const Outcome& outcome, const RenderOptions& options);
Rendered RenderStoreCheck(const Outcome& outcome, const RenderOptions& options);
Rendered RenderStoreGc(const Outcome& outcome, const RenderOptions& options);
Rendered RenderTrust(const Outcome& outcome, const RenderOptions& options);
Rendered RenderExpand(const Outcome& outcome, const RenderOptions& options);
Rendered RenderStatus(const Outcome& outcome, const RenderOptions& options);
Rendered RenderWorker(const Outcome& outcome, const RenderOptions& options);
Rendered RenderLaunch(const Outcome& outcome, const RenderOptions& options);
Rendered RenderAsk(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSearch(const Outcome& outcome, const RenderOptions& options);
Rendered RenderCardOperation(const Outcome& outcome, const RenderOptions& options);
Rendered RenderWebSearch(const Outcome& outcome, const RenderOptions& options);
Rendered RenderCite(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPageList(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceFiles(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPageShow(const Outcome& outcome, const RenderOptions& options);
Rendered RenderAudit(const Outcome& outcome, const RenderOptions& options);
Rendered RenderDump(const Outcome& outcome, const RenderOptions& options);
Rendered RenderVerify(const Outcome& outcome, const RenderOptions& options);
Rendered RenderRefresh(const Outcome& outcome, const RenderOptions& options);
Rendered RenderInspect(const Outcome& outcome, const RenderOptions& options);
/// Of `inspect --gpus`.
Rendered RenderKnownGpus(const Outcome& outcome, const RenderOptions& options);
Rendered RenderDoctor(const Outcome& outcome, const RenderOptions& options);
Rendered RenderLabList(const Outcome& outcome, const RenderOptions& options);
Rendered RenderLabRun(const Outcome& outcome, const RenderOptions& options);
Rendered RenderLabCompare(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanStatus(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPartClaim(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPartDraft(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPartSubmit(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPartRelease(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanFinalize(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPageCorrect(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceRead(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceOutline(const Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceSymbols(const Outcome& outcome, const RenderOptions& options);
Rendered RenderPartShow(const Outcome& outcome, const RenderOptions& options);
Rendered RenderLabResults(const Outcome& outcome, const RenderOptions& options);

/// Shows data["text"] as it is: help, completions, version.
Rendered RenderText(const Outcome& outcome, const RenderOptions& options);

}  // namespace sibyl::engine
