// SPDX-License-Identifier: Apache-2.0
// The subject of the text around a statement: which pinned sources are named in
// the title, in the headings above, or in the statement, and which one the names of
// its section are from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/family.h"
#include "audit/section_home.h"
#include "audit/witness.h"
#include "statement/statement.h"

namespace sibyl::audit {

class TopicReader {
 public:
  /// Both must outlive it; `file` counts as part of the title.
  TopicReader(const Witness& witness, const statement::Statements& statements,
              std::string_view file);

  Topic Of(std::size_t statement) const;

 private:
  struct Words {
    std::vector<bool> names_source;
    bool is_cmake = false;
    bool is_cuda = false;
  };
  Words Read(std::string_view text) const;
  static void Merge(const Words& words, Topic& topic);

  const Witness& witness_;
  const statement::Statements& statements_;
  std::vector<Words> headings_;    // with the headings above them
  std::vector<Words> groups_;      // of each paragraph
  std::vector<bool> names_cmake_;  // each heading in so many words
  Words title_;
  std::vector<bool> anywhere_;  // named in the text
  SectionHomes homes_;
};

}  // namespace sibyl::audit
