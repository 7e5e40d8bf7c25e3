// SPDX-License-Identifier: Apache-2.0
// Formats outcomes for people: one function per operation, each in its own
// file. Scripts should use --json; this text may change between releases.
#pragma once

#include <string>

#include "base/terminal.h"
#include "engine/arguments.h"
#include "engine/outcome.h"

namespace sibyl::interface {

struct RenderOptions {
  Terminal terminal;
  const engine::Arguments& arguments;  ///< For flags such as --verbose.

  /// The width of a line. Unlimited in a pipe, so that grep sees everything.
  std::size_t columns() const { return terminal.is_terminal ? terminal.columns : kUnlimited; }
  static constexpr std::size_t kUnlimited = 100'000;
};

struct Rendered {
  std::string results;  ///< For stdout.
  std::string talk;     ///< For stderr, one "sibyl: " line each; --quiet drops it.
  /// For stdout, after the results: bytes of a source as they are. All other text is
  /// made harmless before it is printed.
  std::string quoted = {};
};

Rendered RenderPlanShow(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanCheck(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanNew(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanSources(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderInit(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceAdd(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceList(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceSync(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceExport(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceImport(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceRemove(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderTrust(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderExpand(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderStatus(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderAsk(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSearch(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderWebSearch(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderCite(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderAudit(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderDump(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderVerify(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderRefresh(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderInspect(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderDoctor(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderLabList(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderLabRun(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderLabCompare(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanStatus(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPartClaim(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPartDraft(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPartSubmit(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPartRelease(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderPlanFinalize(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderSourceRead(const engine::Outcome& outcome, const RenderOptions& options);
Rendered RenderLabResults(const engine::Outcome& outcome, const RenderOptions& options);

/// Shows data["text"] as it is: help, completions, version.
Rendered RenderText(const engine::Outcome& outcome, const RenderOptions& options);

}  // namespace sibyl::interface
