// SPDX-License-Identifier: Apache-2.0
// The indexes of an oracle's pinned sources: opened if they exist, built if
// they do not, rebuilt if they are damaged.
//
// They are in index/ of the object store, are named by what they were built
// from, and can be deleted at any time.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/evidence.h"
#include "index/manifest.h"

namespace sibyl::oracle {

struct SourceIndex {
  evidence::Pin pin;
  std::unique_ptr<index::Index> index;  ///< At a fixed address: a Searcher borrows it.
};

struct SourceIndexes {
  std::vector<SourceIndex> sources;  ///< In the order of the lock.
  std::vector<Finding> findings;     ///< Sources that cannot be searched, rebuilt indexes.
  std::size_t pinned = 0;            ///< How many were asked for.
  std::size_t absent = 0;            ///< How many of them are not on this machine.
  std::map<std::string, std::size_t, std::less<>> places;  ///< Of `sources`, by name.

  std::vector<const index::Index*> Borrow() const;
  const evidence::Pin* FindPin(std::string_view name) const;
};

/// For all pins, or those with the given names. An unavailable source is a
/// finding; kUsage if nothing is pinned.
Result<SourceIndexes> OpenSourceIndexes(const evidence::Lock& lock,
                                        const evidence::Surroundings& around,
                                        const std::vector<std::string>& names = {});

/// The codes of its findings.
std::vector<Rule> SourceIndexRules();

}  // namespace sibyl::oracle
