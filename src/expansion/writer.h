// SPDX-License-Identifier: Apache-2.0
// Writers of pages, and the loop for every page: write, check with the gate,
// repair or drop what it refuses, and repeat.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "draft/draft.h"
#include "draft/page_frame.h"
#include "gate/verified.h"
#include "oracle/citation_sources.h"
#include "runner/runner.h"
#include "statement/verdict.h"

namespace sibyl::expansion {

/// Writes one part. Used by one thread.
class Writer {
 public:
  virtual ~Writer() = default;

  /// The page as it is by now. kNotFound when there is nothing to write.
  virtual Result<draft::WrittenPage> Write() = 0;

  /// Whether the writer itself refuses something of what it wrote last.
  virtual bool HasObjections() const { return false; }

  /// The failures of the last page. Repairs or drops them in the next one.
  /// False: nothing can be done.
  virtual Result<bool> Revise(const draft::WrittenPage& page,
                              const std::vector<statement::Judgement>& failures) = 0;

  /// The page passed the gate. True: a final check has changed it since.
  virtual Result<bool> ReviewOnce() { return false; }

  /// Everything that it wrote, when no page came of it for this reason.
  virtual std::vector<draft::Omission> Losses(std::string_view /*why*/) const { return {}; }

  /// What it has cost so far, for the journal: tokens, and millionths of the
  /// currency.
  virtual std::vector<runner::Figure> Spent() const { return {}; }

  /// What a finished page took, for later previews.
  virtual std::vector<runner::Figure> Used() const { return {}; }
};

struct CheckedPage {
  /// nullopt if the writer could not repair `failures`.
  std::optional<gate::Verified> verified;
  std::vector<statement::Judgement> failures;
};

struct CheckOptions {
  /// Called before each check by the gate, and once after the last.
  std::function<void(std::string_view step, const draft::Draft& draft)> progress = {};
  /// Called with what the gate refused.
  std::function<void(const std::vector<statement::Judgement>& failures)> refused = {};
  std::function<bool()> cancelled = {};
  /// Pages that the page may link to before they are there.
  std::set<std::string, std::less<>> planned = {};
};

/// kCorrupt when the gate refused every version; kCancelled.
Result<CheckedPage> WriteUntilItHolds(Writer& writer, const oracle::CitationSources& citations,
                                      const CheckOptions& options = {});

/// The newest of them in a line each, for who watches: "line 12: … [cite/missing]"
std::vector<std::string> NewestFindings(const std::vector<statement::Judgement>& failures);
inline constexpr std::size_t kMostFindings = 5;

/// "the gate refused line 12: … [cite/missing]"
Error RefusedByGate(const std::vector<statement::Judgement>& failures);

}  // namespace sibyl::expansion
