// SPDX-License-Identifier: Apache-2.0
// The footnotes of an agent's page: the labels of each section become numbers
// for the whole page, one for each cited place.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "draft/draft.h"
#include "evidence/citation.h"
#include "evidence/lock.h"

namespace sibyl::draft {

/// Where a line of the page comes from.
struct LineOrigin {
  std::size_t section = 0;  ///< Its index; unused if `line` is zero.
  std::size_t line = 0;     ///< In the given text, from one; zero: generated.
};

class AgentReceipts {
 public:
  /// "p3" of "[^p3-7]". `lock` is borrowed.
  AgentReceipts(std::string prefix, const evidence::Lock& lock)
      : prefix_(std::move(prefix)), lock_(lock) {}

  /// Labels of the section before are forgotten.
  void BeginSection() { labels_.clear(); }

  /// "[^a]: CITATION", the citation bare, in backquotes or in a comment.
  static bool IsDefinition(std::string_view line);

  /// On an error the label stays undefined.
  Status Define(std::string_view line, const LineOrigin& origin);

  struct Marked {
    std::string text;       ///< With the page's marks; an unknown one stays as it is.
    std::size_t known = 0;  ///< Marks that lead to a citation.
  };
  Marked Mark(std::string_view line);

  /// Places that are cited.
  std::size_t size() const { return used_.size(); }
  struct Definition {
    std::string text;
    LineOrigin origin;  ///< The first use of this place.
  };
  std::vector<Definition> Definitions() const;
  std::vector<UsedSource> Sources() const;
  /// "cutlass@4f2a91c", as the stamp names them; sorted.
  std::vector<std::string> Pins() const;

 private:
  const evidence::Pin* PinOf(const evidence::Citation& citation) const;
  std::string LabelOf(const evidence::Citation& citation) const;
  struct Defined {
    evidence::Citation citation;
    LineOrigin origin;
  };
  std::string Number(const Defined& defined);

  std::string prefix_;
  const evidence::Lock& lock_;
  std::map<std::string, Defined, std::less<>> labels_;
  std::map<std::string, std::size_t> numbers_;  // by citation
  std::vector<Defined> used_;
};

}  // namespace sibyl::draft
