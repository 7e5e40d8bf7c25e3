// SPDX-License-Identifier: Apache-2.0
// What every knowledge file has, whoever writes it: title, stamp, the table of
// what was planned, numbered sections and points, what was not found, sources. A
// writer fills in the points.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "draft/draft.h"
#include "draft/extract/gather.h"
#include "draft/page_parts.h"
#include "draft/receipts.h"

namespace sibyl::draft {

/// Where something that could be left out stands in the text.
struct WrittenBlock {
  std::string key;
  std::size_t first_line = 0;
  std::size_t last_line = 0;
};

struct WrittenPage {
  Draft draft;
  std::vector<WrittenBlock> blocks;
};

/// For the reading order: what explains comes before what has to be read as
/// code, and what is looked up needs no place in it.
enum class Reading : std::uint8_t { kExplains, kShowsCode, kLists };

struct FrameOptions {
  std::string program;  ///< Who made it, as the stamp says.
  Time time;            ///< What the stamp is dated.
  /// Behind the making of a section in the stamp: "by small-1, prompt 1".
  std::string making_note = {};
};

class PageFrame {
 public:
  PageFrame(const plan::Plan& plan, const plan::Part& part, FrameOptions options);

  const std::string& title() const { return page_.draft.title; }
  Receipts& receipts() { return receipts_; }

  /// How many lines a section may have on the page: what the plan gave it, less
  /// what title, table and the end of the page need.
  std::size_t Budget(const Gathered& gathered, const GatheredSection& section) const;

  void BeginSection(const GatheredSection& section, Making making);
  /// Lines since the beginning of the section.
  std::size_t SectionLines() const { return body_.size() - section_start_; }
  void EndSection();

  /// Exactly one of these three for each point, in order.
  void LinkKnown(const GatheredPoint& point);
  void Miss(const GatheredPoint& point, std::string_view why = {});
  /// Writes the heading; the lines of the point follow.
  void BeginPoint(const GatheredPoint& point, Reading reading);

  void Line(std::string line) { body_.push_back(std::move(line)); }
  void BeginBlock(std::string key);
  void EndBlock() { page_.blocks.back().last_line = body_.size(); }

  /// A line that could open the page; the best few do.
  void Summarise(double score, std::string line);
  /// A name that the page is about, for the index pages.
  void CountName(const std::string& name) { ++names_[name]; }

  std::string KnownLink(const KnownPlace& known) const;

  WrittenPage Finish();

 private:
  struct Summary {
    double score = 0;
    std::string line;
  };

  std::vector<std::string> Head();
  std::string ReadingOrder() const;
  std::string Stamp() const;
  DraftSection& section() { return page_.draft.sections.back(); }

  const plan::Part& part_;
  FrameOptions options_;
  Receipts receipts_;
  WrittenPage page_;
  std::vector<std::string> body_;
  std::size_t section_start_ = 0;
  std::size_t written_points_ = 0;  // of the section
  std::vector<PlannedRow> rows_;
  std::map<Reading, std::vector<std::string>> readings_;  // links
  std::vector<std::string> misses_;
  std::vector<Summary> summary_;
  std::map<std::string, std::size_t> names_;
  bool needs_not_found_ = false;
};

/// "12" or "12-15"
std::string LineRange(std::size_t first, std::size_t last);

}  // namespace sibyl::draft
