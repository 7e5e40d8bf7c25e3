// SPDX-License-Identifier: Apache-2.0
// Fetches a declared source into the store and returns its pin. Changes neither
// sibyl.toml nor sibyl.lock.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/finding.h"
#include "base/network.h"
#include "base/result.h"
#include "evidence/pages/page_fetcher.h"
#include "evidence/pages/page_outcome.h"
#include "evidence/source.h"
#include "evidence/store.h"

namespace sibyl::evidence {

class SharedStore;

/// How a source that may be used is reached.
struct Admission {
  std::string url;                        ///< For git; empty: the origin as it is.
  std::vector<std::string> git_settings;  ///< As FetchOptions::git_settings.
};

/// Called before a source is read or fetched; checks whether the user agreed to
/// it. An error refuses the source.
using Admitter = std::function<Result<Admission>(const SourceSpec&)>;

/// The environment of this room.
struct Surroundings {
  std::filesystem::path oracle;  ///< Relative origins start here.
  Store store;
  const Clock& clock;
  std::size_t threads = 0;
  std::function<void(std::string_view)> progress = {};
  std::function<bool()> cancelled = {};
  /// How pages are had; without it none is fetched.
  PageFetcher fetch_page = {};
  /// For git; pages obey it in `fetch_page`.
  Network network = Network::kAllowed;
  Admitter admit = {};  ///< Empty: every source is used.
  /// Where the user keeps a copy of a git origin: a path or a URL, empty for none.
  std::function<Result<std::string>(const std::string& origin)> mirror_of = {};
  /// Where a git server at this URL redirects to, judged as `admit` does. Empty:
  /// redirects are not followed after an admission.
  std::function<Result<Admission>(const std::string& url)> follow_redirect = {};
  /// What several machines share (shared/shared_store.h); null: nothing.
  std::shared_ptr<const SharedStore> shared = {};
  std::optional<Error> shared_trouble = {};  ///< Why one that was asked for is not used.
};

struct Fetched {
  Pin pin;
  std::vector<Finding> findings;
  std::vector<PageOutcome> pages;  ///< Of a source of pages.
};

/// `before` is the previous pin, if any: pages are then downloaded only if they
/// changed, and one that no longer exists keeps its snapshot.
Result<Fetched> FetchSource(const SourceSpec& spec, const Surroundings& around,
                            const Pin* before = nullptr);

/// 2026-11-15T10:02:11Z
std::string FormatUtc(Time time);

}  // namespace sibyl::evidence
