// SPDX-License-Identifier: Apache-2.0
// Start here. Every statement is based on passages of pinned sources; this room
// manages the sources and pins, and makes and checks citations.
//
//   sibyl.toml  the sources people want           config.h, source.h
//   sibyl.lock  where each is pinned              lock.h
//   pages       judged and pinned                 pages/pages.h, pages/page_snapshot.h
//   the store   their bytes                       store.h, snapshot.h
//   citations   text, links, footnotes            citation.h, permalink.h, footnote.h
//   re-finding  where cited lines went            refind.h
//
// The operations call the functions below. They take their environment as an
// argument, and use nothing else.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/citation.h"
#include "evidence/config.h"
#include "evidence/history/pinned_history.h"
#include "evidence/lock.h"
#include "evidence/pages/page_citation.h"
#include "evidence/snapshot.h"
#include "evidence/source.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

inline constexpr std::string_view kConfigFile = "sibyl.toml";
inline constexpr std::string_view kLockFile = "sibyl.lock";

/// The differences between two trees, by path.
struct TreeChanges {
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t changed = 0;
  std::vector<std::string> examples;  ///< The first few, as "+ path", "- path", "~ path".

  bool Any() const { return added + removed + changed > 0; }
};

struct SourceChange {
  Pin pin;
  std::optional<Pin> before;           ///< Nothing for a new source.
  std::optional<TreeChanges> changes;  ///< Nothing when the old tree is not in the store.
  std::vector<Finding> findings;
  std::vector<PageOutcome> pages;  ///< Of a source of pages: what became of each.

  bool Moved() const { return !before || before->tree != pin.tree || before->commit != pin.commit; }
};

struct SourceState {
  SourceSpec spec;
  std::optional<Pin> pin;
  bool agrees = false;   ///< The pin is of this origin, ref and filter.
  bool present = false;  ///< The store has the pinned tree.
};

struct SourceList {
  std::vector<SourceState> sources;  ///< In the order of sibyl.toml.
  std::vector<Pin> orphans;          ///< Pinned, but no longer declared.
  std::vector<Finding> findings;
};

/// Fetches the source, pins it and writes both files; a failure leaves both as
/// they were.
Result<SourceChange> AddSource(const SourceSpec& spec, const Surroundings& around);

Result<SourceList> ListSources(const Surroundings& around);

/// The declared sources of these names; without names, all but collectors that
/// have no page yet. kNotFound for an unknown name.
Result<std::vector<SourceSpec>> SourcesToSync(const std::vector<std::string>& names,
                                              const Surroundings& around);

/// Fetches a declared source again and moves its pin to where its ref is now.
Result<SourceChange> SyncSource(const SourceSpec& spec, const Surroundings& around);

/// Restores a pin's bytes that are missing from the store; the pin does not
/// move. kNotFound if the origin no longer has them, NotInCache if fetching is
/// not allowed.
Status RestoreSource(const Pin& pin, const Surroundings& around);

/// The error of RestoreSource when it may not use the network.
Error NotInCache();

/// Out of sibyl.toml and sibyl.lock. The mirror stays: others may use it.
Status ForgetSource(std::string_view name, const Surroundings& around);

/// The pins of the oracle; none if there is no sibyl.lock yet.
Result<Lock> ReadLock(const Surroundings& around);

/// All files of a pinned source. kNotFound when the store has it not.
Result<Snapshot> OpenSnapshot(const Pin& pin, const Surroundings& around);

struct CitedText {
  std::string source;  ///< The name of the pin whose mirror has it.
  SourceCitation citation;
  std::string text;        ///< The exact lines, their ends included.
  std::string words = {};  ///< The cited words, on one line; empty: none are cited.
  /// For a page: the citation to write; `citation` locates its text.
  std::optional<PageCitation> page = {};
};

/// The citation for "PATH:10-20", "PATH:10", "PATH#L10-L20" or "PATH" of the
/// pinned sources; "NAME:PATH:10-20" names the source, and words in quotation
/// marks after it are cited with the lines (evidence/cited_words.h). kUsage if several
/// sources have the path, kNotFound if none has it or it has fewer lines.
Result<CitedText> MakeCitation(std::string_view text, const Surroundings& around);

/// The bytes a citation names, found by their hash. If the store has the
/// anchor, the path must lead to the same blob there: otherwise kCorrupt. For a
/// page, the characters of the text with that hash, which may be older than the
/// pinned one. kNotFound if the store does not have the bytes, kUsage for facts
/// and measurements, which other rooms resolve.
Result<CitedText> ResolveCitation(const Citation& citation, const Surroundings& around);

}  // namespace sibyl::evidence
