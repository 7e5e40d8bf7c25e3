// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/page_order.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/whole_word.h"

namespace sibyl::draft {
namespace {

constexpr double kAskedInHeading = 0.5;  // of a question
constexpr double kAskedInAll = 0.8;
constexpr double kAskedByHeading = 6;
constexpr double kAskedByRow = 20;

bool HasNumberOf(const Question& question, std::string_view text) {
  return std::any_of(question.words.begin(), question.words.end(), [&](const QuestionWord& word) {
    return std::all_of(word.written.begin(), word.written.end(), IsDigit) &&
           FindWholeWord(text, word.written);
  });
}

}  // namespace

bool PageOrder::Apply(std::vector<ScoredUnit>& scored) {
  WidenRows(scored);
  PreferRows(scored);
  return PreferHeadings(scored);
}

// A row of a short table says more with the others: "double, in the header for sm_60" is one of
// several rows of the same name.
void PageOrder::WidenRows(std::vector<ScoredUnit>& scored) {
  constexpr std::size_t kMostWidened = 24;
  constexpr std::size_t kLongestTable = 14;  // lines
  std::size_t widened = 0;
  for (ScoredUnit& one : scored) {
    if (widened == kMostWidened) break;
    if (one.unit.first_line != one.unit.last_line || !one.unit.text.starts_with('|')) continue;
    // "Error 904" asks for one row.
    if (HasNumberOf(*question_, one.unit.text)) continue;
    ++widened;
    const std::size_t line = (*candidates_)[one.passage].hit.first_line + one.unit.first_line - 1;
    const std::size_t passage = WholePassage(one.passage);
    const std::size_t first = (*candidates_)[passage].hit.first_line;
    for (Unit& unit : ReadUnits("markdown", true, (*candidates_)[passage].text)) {
      const bool has_line =
          first + unit.first_line - 1 <= line && line <= first + unit.last_line - 1;
      if (!has_line || unit.last_line - unit.first_line >= kLongestTable) continue;
      one.passage = passage;
      one.unit = std::move(unit);
      break;
    }
  }
}

// The candidate that has the whole passage of another, which may be a card.
std::size_t PageOrder::WholePassage(std::size_t of) {
  const index::PassageRef passage = (*candidates_)[of].hit.passage;
  for (std::size_t i = 0; i < candidates_->size(); ++i) {
    const index::PassageRef& other = (*candidates_)[i].hit.passage;
    const bool is_same = other.part == passage.part && other.passage == passage.passage;
    if (is_same && !(*candidates_)[i].is_card) return i;
  }
  const index::Segment& segment = searcher_->parts()[passage.part].part->segment;
  if (passage.passage >= segment.passage_count()) return of;
  const index::PassageRecord& record = segment.passage(passage.passage);
  CandidatePassage whole = (*candidates_)[of];
  whole.is_card = false;
  whole.text = searcher_->Text(passage);
  whole.hit.first_line = record.first_line;
  whole.hit.last_line = record.last_line;
  whole.hit.heading_view = segment.heading(record);
  candidates_->push_back(std::move(whole));
  return candidates_->size() - 1;
}

// A row whose first cell is what is asked for has the answer beside it. Its other words may be
// everyday ones, so passages are read that are not among the best.
void PageOrder::PreferRows(std::vector<ScoredUnit>& scored) {
  constexpr std::size_t kPassagesWithRows = 200;
  const double best = scored.front().score;
  for (ScoredUnit& one : scored) {
    std::optional<AskedRow> asked = RowIn(one.passage, one.unit);
    if (!asked) continue;
    one.score = best * kAskedByRow * asked->fit * asked->fit;
    one.unit = std::move(asked->row);
    one.is_asked_row = true;
  }
  for (const index::Hit& hit :
       searcher_->Search({.text = question_->text, .limit = kPassagesWithRows})) {
    const bool is_known =
        std::any_of(candidates_->begin(), candidates_->end(), [&hit](const CandidatePassage& one) {
          return one.hit.passage.part == hit.passage.part &&
                 one.hit.passage.passage == hit.passage.passage;
        });
    if (is_known) continue;
    candidates_->push_back({.hit = hit});
    ReadText(*searcher_, candidates_->back());
    for (const Unit& unit : ReadUnits("markdown", true, candidates_->back().text)) {
      std::optional<AskedRow> asked = RowIn(candidates_->size() - 1, unit);
      if (!asked) continue;
      scored.push_back({.passage = candidates_->size() - 1,
                        .unit = std::move(asked->row),
                        .score = best * kAskedByRow * asked->fit * asked->fit,
                        .is_asked_row = true});
    }
  }
}

std::optional<AskedRow> PageOrder::RowIn(std::size_t passage, const Unit& unit) {
  return FindAskedRow(unit, (*candidates_)[passage].hit.heading_view, *question_, *matcher_);
}

// A heading that asks the question is followed by its answer. Words of the page's title
// are not repeated in it.
bool PageOrder::PreferHeadings(std::vector<ScoredUnit>& scored) {
  const auto share_of = [this](std::string_view text) {
    return matcher_->Share(matcher_->MaskOf(text));
  };
  for (ScoredUnit& one : scored) {
    const std::string_view heading = (*candidates_)[one.passage].hit.heading_view;
    const double own = share_of(heading.substr(std::min(heading.find(" > "), heading.size())));
    if (own >= kAskedInHeading && share_of(heading) >= kAskedInAll)
      one.score *= kAskedByHeading * own;
  }
  const double before = scored.front().score;
  const bool was_row = scored.front().is_asked_row;
  std::stable_sort(scored.begin(), scored.end(),
                   [](const ScoredUnit& a, const ScoredUnit& b) { return a.score > b.score; });
  return scored.front().score > before || was_row || scored.front().is_asked_row;
}

}  // namespace sibyl::draft
