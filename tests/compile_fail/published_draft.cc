// SPDX-License-Identifier: Apache-2.0
// The library publishes only a Verified, not a plain draft.
// expect: no matching|could not convert|no viable conversion|cannot convert
#include "library/library.h"

void PublishDraft(sibyl::draft::Draft draft, const sibyl::library::PublishOptions& options) {
  sibyl::library::Publication publication;
  publication.delivered.push_back({.part = 0, .file = std::move(draft)});
  (void)sibyl::library::Publish(publication, options);
}
