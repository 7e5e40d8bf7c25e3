// SPDX-License-Identifier: Apache-2.0
#include "oracle/inspected_files.h"

#include <utility>

namespace sibyl::oracle {

std::shared_ptr<const inspect::Artifact> InspectedFiles::Find(const std::filesystem::path& file,
                                                              const FileIdentity& identity) const {
  const MutexLock lock(mutex_);
  const auto found = kept_.find(file);
  const bool is_same = found != kept_.end() && found->second.identity == identity;
  return is_same ? found->second.artifact : nullptr;
}

void InspectedFiles::Keep(const std::filesystem::path& file, const FileIdentity& identity,
                          std::shared_ptr<const inspect::Artifact> artifact) {
  const MutexLock lock(mutex_);
  if (kept_.size() >= kMost) kept_.clear();
  kept_[file] = {.identity = identity, .artifact = std::move(artifact)};
}

}  // namespace sibyl::oracle
