// SPDX-License-Identifier: Apache-2.0
// Whether cited lines are still there in the newest commit of a source that is on
// this machine, which may be newer than the pin: oracles share their mirrors, and
// another one may have fetched since.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/json.h"
#include "evidence/evidence.h"
#include "gate/receipt.h"
#include "git/repository.h"

namespace sibyl::engine {

/// Fetches nothing. Not thread-safe; what it opened is kept.
class NewestCommits {
 public:
  explicit NewestCommits(const evidence::Surroundings& around) : around_(around) {}

  /// {"state": …} with one of: "holds", "moved" (with "first_line"), "changed",
  /// "gone"; or "pin" (the pin is the newest commit here), "fixed" (the source is
  /// pinned to a commit by name, so that none is newer), "unknown". With "commit"
  /// and "date" of a newer one. Null for what is not from git.
  Json Look(const gate::Receipt& receipt);

 private:
  struct Newest {
    std::string state;  ///< Empty: there is a newer one.
    std::shared_ptr<const git::ObjectDatabase> objects;
    git::ObjectId commit;
    git::ObjectId tree;
    std::string date;
  };
  const Newest& Of(const evidence::Pin& pin);
  Newest Find(const evidence::Pin& pin) const;
  /// The mirror, or the origin if it is on this machine.
  std::optional<git::Repository> Open(const evidence::Pin& pin) const;

  const evidence::Surroundings& around_;
  std::map<std::string, Newest> found_;
};

}  // namespace sibyl::engine
