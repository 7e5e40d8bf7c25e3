// SPDX-License-Identifier: Apache-2.0
// An unverified draft cannot be published.
// expect: no matching (member )?function for call to .*push_back
#include "library/library.h"

sibyl::Result<sibyl::library::Published> Smuggle(const sibyl::draft::Draft& draft,
                                                 const sibyl::library::PublishOptions& options) {
  sibyl::library::Publication publication;
  publication.delivered.push_back({.part = 0, .file = draft});
  return sibyl::library::Publish(publication, options);
}
