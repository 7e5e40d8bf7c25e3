// SPDX-License-Identifier: Apache-2.0
// Words that a pinned source does not have, as citations: made for writers, and
// looked up again when a page is checked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "evidence/citation.h"
#include "evidence/evidence.h"
#include "evidence/lock.h"
#include "gate/other_answer.h"

namespace sibyl::oracle {

/// `absent:NAME:WORD`; nothing if the text is something else.
struct AbsentTarget {
  std::string_view source;
  std::string_view word;
};
std::optional<AbsentTarget> ParseAbsentTarget(std::string_view text);

/// One thread at a time.
class AbsentWords {
 public:
  AbsentWords(evidence::Lock lock, evidence::Surroundings around);
  AbsentWords(AbsentWords&&) noexcept;
  ~AbsentWords();

  /// kNotFound without such a source, kUsage if the word cannot be cited. Whether
  /// the source has it is for Resolve to say.
  Result<evidence::AbsentCitation> Cite(const AbsentTarget& target) const;

  /// Searches the text of the source that `sibyl search` sees. Contradicted, with
  /// the place, if the word occurs; undecidable if the source is not at hand. If
  /// it is pinned at another commit by now, that one is searched.
  gate::OtherAnswer Resolve(const evidence::AbsentCitation& citation);

 private:
  struct Opened;
  Result<Opened*> Open(const evidence::Pin& pin);

  evidence::Lock lock_;
  evidence::Surroundings around_;
  std::map<std::string, std::unique_ptr<Opened>, std::less<>> opened_;  // by name
};

}  // namespace sibyl::oracle
