// SPDX-License-Identifier: Apache-2.0
// Start here for anybody's Markdown: judges what a text says by the pinned
// sources alone, without a model. Absent is said only where the sources cover
// what a thing belongs to; everything else is not decidable here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "audit/name_judge.h"
#include "audit/number_judge.h"
#include "audit/witness.h"
#include "code/code_check.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// A text to be judged; views that must outlive the call.
struct AuditedText {
  std::string_view file;  ///< As findings name it.
  std::string_view text;
};

/// May be used by many threads at once: what one text made it look up, the
/// others need not.
class Auditor {
 public:
  /// Both must outlive it. Without `code`, blocks of code are read and no tool
  /// is asked.
  explicit Auditor(const Witness& witness, const code::CodeChecker* code = nullptr)
      : witness_(witness), names_(witness), numbers_(witness), code_(code) {}

  /// Everything that was judged, in the order of the text. Fails on a text
  /// that is larger than the limits.
  Result<std::vector<statement::Judgement>> Audit(const AuditedText& text) const;

 private:
  class Run;

  const Witness& witness_;
  NameJudge names_;
  NumberJudge numbers_;
  code::CodeChecker reading_{code::CodeChecker::Options{}};
  const code::CodeChecker* code_;
};

}  // namespace sibyl::audit
