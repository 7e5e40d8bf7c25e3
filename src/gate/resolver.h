// SPDX-License-Identifier: Apache-2.0
// Resolves many citations at once from the object store. Does what
// evidence::ResolveCitation does for one, in batches: every blob is read and
// hashed once, every tree is parsed once, in parallel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/citation.h"
#include "evidence/lock.h"
#include "evidence/sync.h"
#include "gate/other_answer.h"
#include "git/object_database.h"

namespace sibyl::gate {

struct Resolution {
  enum class State : std::uint8_t {
    kResolved,    ///< The bytes are there and their hash is right.
    kUnpinned,    ///< Nothing is pinned from that origin, and no pin has the blob.
    kNoStore,     ///< The pinned content is missing from the store.
    kNoBlob,      ///< The origin is pinned and has no such blob.
    kBadLines,    ///< The file has fewer lines.
    kBadWords,    ///< The cited words are not in the cited lines.
    kOtherBytes,  ///< The path has other content in the cited commit.
    kNoPath,      ///< The cited commit has no such path.
    kTooLarge,
  };

  State state = State::kUnpinned;
  const evidence::Pin* pin = nullptr;  ///< Whose mirror has it; owned by the resolver.
  /// The whole file. Shared by all citations of one blob.
  std::shared_ptr<const std::string> file;
  std::string_view span_view;   ///< The cited lines, in `file`.
  std::string_view words_view;  ///< The cited words, in the lines; may be empty.
  std::size_t file_lines = 0;
  /// The pin has moved since, and the path has other bytes now, or is gone.
  bool is_stale = false;

  bool ok() const { return state == State::kResolved; }
};

class CitedPages;

class CitationResolver {
 public:
  struct Options {
    std::size_t threads = 0;  ///< Zero: as many as the machine has, at most eight.
    std::uint64_t max_file_bytes = std::uint64_t{64} << 20;
  };

  /// Opens the mirrors of all pins. A missing mirror is not a failure: its
  /// content is kNoStore.
  static CitationResolver Open(evidence::Lock lock, const evidence::Surroundings& around,
                               const Options& options);
  static CitationResolver Open(evidence::Lock lock, const evidence::Surroundings& around) {
    return Open(std::move(lock), around, Options{});
  }

  CitationResolver(CitationResolver&&) noexcept;
  CitationResolver& operator=(CitationResolver&&) noexcept;
  ~CitationResolver();

  /// One answer for each, in their order. The pointers of the answers last as
  /// long as the resolver.
  std::vector<Resolution> Resolve(const std::vector<evidence::SourceCitation>& citations) const;

  /// Of characters of a page.
  OtherAnswer ResolvePage(const evidence::WebCitation& citation) const;

  const evidence::Lock& lock() const { return *lock_; }

  /// The pin of a citation's origin; null when there is none.
  const evidence::Pin* PinOf(std::string_view origin) const;

  /// The objects of a pin of lock(); null when the store has lost them.
  std::shared_ptr<const git::ObjectDatabase> ObjectsOf(const evidence::Pin& pin) const;

 private:
  CitationResolver(evidence::Lock lock, const evidence::Store& store, const Options& options);

  std::unique_ptr<const evidence::Lock> lock_;  // at one address: pins are pointed to
  std::vector<std::shared_ptr<const git::ObjectDatabase>> objects_;  // as the lock's pins
  std::unique_ptr<CitedPages> pages_;
  Options options_;
};

}  // namespace sibyl::gate
