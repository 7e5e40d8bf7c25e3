// SPDX-License-Identifier: Apache-2.0
// The frame of every knowledge file: title, stamp, the table of planned points,
// numbered sections and points, open points, sources. A writer fills in the
// points.
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
#include "evidence/cited_words.h"

namespace sibyl::draft {

/// The place of a block that could be dropped.
struct WrittenBlock {
  std::string key;
  std::size_t first_line = 0;
  std::size_t last_line = 0;
};

struct WrittenPage {
  Draft draft;
  std::vector<WrittenBlock> blocks;
};

/// For the reading order: explanations come before code; reference material is
/// not part of it.
enum class Reading : std::uint8_t { kExplains, kShowsCode, kLists };

struct FrameOptions {
  std::string program;  ///< The program in the stamp.
  Time time;            ///< The date in the stamp.
  /// Added to the kind of a section in the stamp: "by small-1, prompt 1".
  std::string making_note = {};
  evidence::WordsFinder find_words = {};
};

class PageFrame {
 public:
  PageFrame(const plan::Plan& plan, const plan::Part& part, FrameOptions options);

  const std::string& title() const { return page_.draft.title; }
  Receipts& receipts() { return receipts_; }

  /// How many lines a section may have on the page: its budget without the
  /// lines for title, table and the end of the page.
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
  /// After BeginPoint: the text says that the point is wrong.
  void Contradict();

  void Line(std::string line) { body_.push_back(std::move(line)); }
  void BeginBlock(std::string key);
  void EndBlock() { page_.blocks.back().last_line = body_.size(); }

  /// A line that could open the page; the best few do.
  void Summarise(double score, std::string line);
  /// A name that the page is about, for the index pages.
  void CountName(const std::string& name) { ++names_[name]; }

  std::string KnownLink(const KnownPlace& known) const;

  /// Sources that are foreign to the page; it says so.
  void LeaveOut(const std::vector<std::string>& sources) { foreign_ = sources; }

  /// For the report, not for the page.
  void Omit(Omission omission) { page_.draft.omissions.push_back(std::move(omission)); }

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
  std::vector<std::string> related_;
  std::vector<Summary> summary_;
  std::map<std::string, std::size_t> names_;
  std::vector<std::string> foreign_;
  bool needs_not_found_ = false;
};

/// "pytorch `setup.py`, Build > Options"
std::string ShownPlace(const Excerpt& excerpt);

/// "12" or "12-15"
std::string ShownLineRange(std::size_t first, std::size_t last);

}  // namespace sibyl::draft
