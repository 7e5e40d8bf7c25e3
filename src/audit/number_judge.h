// SPDX-License-Identifier: Apache-2.0
// Checks numbers: one line of a source must have value, unit and subject.
// Another value with the same subject and unit contradicts; a number whose
// subject is not in the sources is undecidable.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/witness.h"
#include "base/mutex.h"
#include "statement/number.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

struct JudgedNumber {
  statement::Judgement judgement;  ///< Without its place.
  std::size_t offset = 0;          ///< In the statement's text.
};

/// The subjects of a number: "A100", "TF32", "HBM3", names in code. In lower
/// case, sorted, unique.
std::vector<std::string> SubjectsIn(std::string_view text);

/// Thread-safe; found lines are cached.
class NumberJudge {
 public:
  explicit NumberJudge(const Witness& witness) : witness_(witness) {}

  /// Numbers with a unit of a prose statement.
  std::vector<JudgedNumber> Judge(const statement::Statement& statement) const;

 private:
  struct Line {
    Sighting sighting;
    std::vector<std::string> subjects;
    std::vector<statement::Number> numbers;
  };
  const std::vector<Line>& LinesWith(const std::vector<std::string>& subjects) const;
  /// What a statement is about, and the lines of the sources about the same.
  struct About {
    std::vector<std::string> subjects;
    std::string words;  ///< Its column and row included, in lower case.
    const std::vector<Line>* lines = nullptr;
    std::vector<std::optional<bool>> says_the_same;  ///< For each line, once computed.
  };
  About ReadAbout(const statement::Statement& statement) const;
  statement::Judgement JudgeNumber(const statement::Number& number, About& about) const;

  const Witness& witness_;
  mutable Mutex mutex_;
  mutable std::map<std::string, std::vector<Line>> lines_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::audit
