// SPDX-License-Identifier: Apache-2.0
// Which names a repository must have, if its documents mention them: those that
// carry its own name. Everything else may belong to somebody else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/witness.h"
#include "statement/verdict.h"

namespace sibyl::engine {

class OwnNameRules {
 public:
  /// The witness has one source, and must outlive it.
  explicit OwnNameRules(const audit::Witness& witness);

  /// Why a name that was not found may exist all the same; empty if the
  /// repository should have it. For judgements that fail.
  std::string_view Excuse(const statement::Judgement& judgement) const;

  /// SOCHDB_PORT, sochdb_open and sochdb::open are names of "sochdb".
  bool IsOwn(std::string_view name) const;

 private:
  const audit::Witness& witness_;
  std::vector<std::string> names_;  // of the repository: letters and digits, in lower case
};

}  // namespace sibyl::engine
