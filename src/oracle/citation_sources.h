// SPDX-License-Identifier: Apache-2.0
// Everything that a citation in an oracle may refer to, opened: pinned lines
// and pages, facts about artifacts, lab runs. All checks use this, so that a
// draft, a published page and a verified page are checked in the same way.
#pragma once

#include <filesystem>
#include <memory>

#include "base/mutex.h"
#include "base/result.h"
#include "evidence/evidence.h"
#include "gate/gate.h"
#include "gate/gate_config.h"
#include "gate/resolver.h"
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

  /// Puts a draft through the gate.
  Result<gate::GateResult> Check(draft::Draft draft) const;

 private:
  CitationSources(const Context& context, const evidence::Lock& lock,
                  const evidence::Surroundings& around, CitedFacts facts,
                  const gate::GateConfig& config);

  std::filesystem::path oracle_;
  gate::CitationResolver resolver_;
  mutable Mutex mutex_;
  mutable CitedFacts facts_ SIBYL_GUARDED_BY(mutex_);
  gate::GateConfig config_;
  gate::OtherResolver labs_;  // for everything but facts
};

}  // namespace sibyl::oracle
