// SPDX-License-Identifier: Apache-2.0
// Everything that a citation in an oracle may refer to, opened: pinned lines
// and pages, facts about artifacts, lab runs. All checks use this, so that a
// draft, a published page and a verified page are checked in the same way.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "evidence/cited_words.h"
#include "evidence/evidence.h"
#include "gate/gate.h"
#include "gate/gate_config.h"
#include "gate/resolver.h"
#include "oracle/absent_words.h"
#include "oracle/cited_facts.h"
#include "oracle/context.h"

namespace sibyl::oracle {

/// Thread-safe. Not moved: the checks borrow it.
class CitationSources {
 public:
  static Result<std::unique_ptr<CitationSources>> Open(const Context& context,
                                                       const evidence::Lock& lock,
                                                       const evidence::Surroundings& around);
  CitationSources(const CitationSources&) = delete;
  CitationSources& operator=(const CitationSources&) = delete;

  const gate::CitationResolver& resolver() const { return resolver_; }

  /// For gate::PageChecks and gate::GateInputs. Borrows this object.
  gate::OtherResolver other() const;

  /// Finds words in cited lines. Borrows this object.
  evidence::WordsFinder words() const;

  /// Finds `NAME:PATH:10-20` in the pinned sources, and makes the citation of
  /// `absent:NAME:WORD`. Borrows this object.
  evidence::PlaceFinder places() const;

  /// What sibyl.facts has about an artifact; a record alone supports nothing.
  std::vector<std::pair<evidence::FactCitation, inspect::RecordedFact>> FactsOf(
      std::string_view sha256) const;

  /// Pages that a draft may link to although the oracle does not have them.
  struct Linkable {
    /// To be written: for a draft that is not published yet.
    std::set<std::string, std::less<>> planned = {};
    /// Published together with it. Borrowed.
    std::vector<const draft::Draft*> together = {};
  };

  /// Puts a draft through the gate.
  Result<gate::GateResult> Check(draft::Draft draft) const { return Check(std::move(draft), {}); }
  Result<gate::GateResult> Check(draft::Draft draft, const Linkable& linkable) const;

 private:
  CitationSources(const Context& context, const evidence::Lock& lock,
                  const evidence::Surroundings& around, CitedFacts facts,
                  const gate::GateConfig& config);

  evidence::Surroundings around_;
  gate::CitationResolver resolver_;
  mutable Mutex mutex_;
  mutable CitedFacts facts_ SIBYL_GUARDED_BY(mutex_);
  mutable AbsentWords absent_ SIBYL_GUARDED_BY(mutex_);
  gate::GateConfig config_;
  gate::OtherResolver labs_;  // for everything but facts
};

}  // namespace sibyl::oracle
