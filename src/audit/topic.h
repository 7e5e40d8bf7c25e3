// SPDX-License-Identifier: Apache-2.0
// What the text around a statement is about: which pinned sources it names, in
// the title, in the headings above, or in its own words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/family.h"
#include "audit/witness.h"
#include "statement/statement.h"

namespace sibyl::audit {

class TopicReader {
 public:
  /// Both must outlive it; `file` is part of what the text says of itself.
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

  const statement::Statements& statements_;
  std::vector<std::vector<std::string>> names_;  // of each source, folded
  std::vector<Words> headings_;                  // with what stands above them
  std::vector<Words> groups_;                    // of each paragraph
  std::vector<bool> names_cmake_;                // each heading in so many words
  Words title_;
};

}  // namespace sibyl::audit
