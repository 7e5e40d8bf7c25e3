// SPDX-License-Identifier: Apache-2.0
// Caches the web queries of an oracle: the lists of results and the refused
// pages. A repeated run sends no request twice; usable pages are pinned and not
// stored here.
//
// .sibyl/web.json, for this working copy only. It can be deleted at any time.
// It decides which addresses are fetched, so it is signed; a file that does not
// verify or cannot be read is ignored and replaced.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files/own_folder.h"
#include "base/result.h"
#include "research/search.h"

namespace sibyl::expansion {

/// The key of a query: its text, providers and hosts.
std::string QuestionKey(const research::Query& query, const std::vector<std::string>& providers);

class WebMemory {
 public:
  /// Drops entries older than a month. Without a folder it is empty, and
  /// nothing can be saved.
  static WebMemory Load(std::optional<OwnFolder> own, Time now);

  /// One list of each provider that answered; null if it is not cached.
  const std::vector<std::vector<research::Found>>* Find(const std::string& key) const;
  void Remember(const std::string& key, std::string_view query,
                std::vector<std::vector<research::Found>> lists);

  /// Why the page was refused; empty when it was not.
  std::string_view WhyRefused(const std::string& url) const;
  void Refuse(const std::string& url, std::string_view reason);

  /// Writes the file if there is something new.
  Status Save();

 private:
  struct Question {
    std::string query;
    std::string date;
    std::vector<std::vector<research::Found>> lists;
  };
  struct Refusal {
    std::string reason;
    std::string date;
  };

  void Read(std::string_view text, Time now);

  std::optional<OwnFolder> own_;
  std::string today_;
  std::map<std::string, Question> questions_;
  std::map<std::string, Refusal> refusals_;
  bool has_news_ = false;
};

}  // namespace sibyl::expansion
