// SPDX-License-Identifier: Apache-2.0
// Start here for anybody's Markdown: judges what a text says by the pinned
// sources alone, without a model. Absent is said only where the sources cover
// what a thing belongs to; everything else is not decidable here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "verify/code_check.h"
#include "verify/name_judge.h"
#include "verify/number_judge.h"
#include "verify/statement.h"
#include "verify/verdict.h"
#include "verify/witness.h"

namespace sibyl::verify {

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
  explicit Auditor(const Witness& witness, const CodeChecker* code = nullptr)
      : witness_(witness), names_(witness), numbers_(witness), code_(code) {}

  /// Everything that was judged, in the order of the text. Fails on a text
  /// that is larger than the limits.
  Result<std::vector<Judgement>> Audit(const AuditedText& text) const;

 private:
  class Run;

  const Witness& witness_;
  NameJudge names_;
  NumberJudge numbers_;
  CodeChecker reading_{CodeChecker::Options{}};
  const CodeChecker* code_;
};

}  // namespace sibyl::verify
