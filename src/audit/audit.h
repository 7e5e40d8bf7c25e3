// SPDX-License-Identifier: Apache-2.0
// Start here: checks any Markdown against the pinned sources, without a model.
// A name is absent only if the sources cover what it belongs to; everything
// else is undecidable.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/name_judge.h"
#include "audit/number_judge.h"
#include "audit/owners/flag_judge.h"
#include "audit/values/default_judge.h"
#include "audit/values/version_judge.h"
#include "audit/witness.h"
#include "code/code_check.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// A text to be judged; views that must outlive the call.
struct AuditedText {
  std::string_view file;  ///< As findings name it.
  std::string_view text;
  /// Asked before each statement: if true, the rest is not judged, and one judgement
  /// (audit/unfinished) says from which line. May be empty.
  std::function<bool()> is_over = {};
};

/// Thread-safe; lookups are cached for all texts.
class Auditor {
 public:
  /// Both must outlive it. Without `code`, code blocks are parsed and no tool
  /// is run.
  explicit Auditor(const Witness& witness, const code::CodeChecker* code = nullptr)
      : witness_(witness),
        names_(witness),
        flags_(witness),
        numbers_(witness),
        defaults_(witness, names_.members().owners()),
        versions_(witness),
        code_(code) {}

  /// Everything that was judged, in the order of the text. Fails on a text
  /// that is larger than the limits.
  Result<std::vector<statement::Judgement>> Audit(const AuditedText& text) const;

 private:
  class Run;

  const Witness& witness_;
  NameJudge names_;
  FlagJudge flags_;
  NumberJudge numbers_;
  DefaultJudge defaults_;
  VersionJudge versions_;
  code::CodeChecker reading_{code::CodeChecker::Options{}};
  const code::CodeChecker* code_;
};

}  // namespace sibyl::audit
