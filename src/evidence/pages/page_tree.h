// SPDX-License-Identifier: Apache-2.0
// The texts of a source's pages as a git tree in the mirror of pages, so that the
// rest of the program reads them like any folder.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "evidence/source.h"
#include "evidence/sync.h"
#include "git/object_database.h"

namespace sibyl::evidence {

class PageTree {
 public:
  /// Starts with the pages of the pin. All page sources of a user share one
  /// mirror.
  static Result<PageTree> Open(const Pin& pin, const Surroundings& around);

  /// Whether the mirror has the text of this page of the pin.
  bool Holds(const PageRecord& page) const;

  /// Adds a page, or replaces the one with its address, which keeps its path. A
  /// new one keeps its path, or gets another if that is in use.
  void Put(PageRecord page, std::string text);

  /// The page of that address as it will be pinned.
  std::optional<PageRecord> RecordOf(std::string_view url) const;

  /// Writes new texts to the store, holding the mirror's lock, and returns the
  /// pin with its tree, pages and date. The unchanged pin if nothing was added.
  /// Without a tree if there is no page.
  Result<Pin> Write(Pin pin) const;

 private:
  struct Entry {
    PageRecord record;
    std::optional<git::ObjectId> blob;  // in the mirror
    std::optional<std::string> text;
  };

  explicit PageTree(const Surroundings& around) : around_(&around) {}

  const Surroundings* around_;
  std::map<std::string, Entry> pages_;  // by address
};

}  // namespace sibyl::evidence
