// SPDX-License-Identifier: Apache-2.0
// The footnotes of an agent's page: the labels of each section become numbers
// for the whole page, one for each cited place.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "draft/draft.h"
#include "evidence/citation.h"
#include "evidence/cited_words.h"
#include "evidence/lock.h"

namespace sibyl::draft {

/// Where a line of the page comes from.
struct LineOrigin {
  std::size_t section = 0;  ///< Its index; unused if `line` is zero.
  std::size_t line = 0;     ///< In the given text, from one; zero: generated.
};

/// A footnote of a published page.
struct KeptLabel {
  std::string id;  ///< "p3-7"
  evidence::Citation citation;
};

class AgentReceipts {
 public:
  /// What is looked up in the pinned files. Without `place` only whole citations
  /// are understood.
  struct Finders {
    evidence::WordsFinder words = {};
    evidence::PlaceFinder place = {};
  };

  /// "p3" of "[^p3-7]". `lock` is borrowed.
  AgentReceipts(std::string prefix, const evidence::Lock& lock, Finders finders)
      : prefix_(std::move(prefix)), lock_(lock), finders_(std::move(finders)) {}

  /// A place that the page cited before keeps its label; new ones get the numbers after them.
  void KeepLabels(const std::vector<KeptLabel>& kept);

  /// Labels of the section before are forgotten.
  void BeginSection() { labels_.clear(); }

  /// "[^a]: CITATION", the citation bare, in backquotes or in a comment, or in
  /// its short form, `NAME:PATH:10-20`. After it, in quotation marks, the words of
  /// its lines that carry the statement.
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
  struct Used {
    Defined defined;
    std::string id;
    std::size_t order = 0;  // on the page
  };

  std::string prefix_;
  const evidence::Lock& lock_;
  Finders finders_;
  std::map<std::string, Defined, std::less<>> labels_;
  std::map<std::string, std::string> ids_;  // by citation
  std::vector<Used> used_;                  // in the order of their first use
  std::map<std::string, std::pair<std::string, std::size_t>> kept_;  // id and order, by citation
  std::size_t next_number_ = 1;
  std::size_t next_order_ = 0;
};

}  // namespace sibyl::draft
