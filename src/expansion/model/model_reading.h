// SPDX-License-Identifier: Apache-2.0
// Finds what a model writes a part from: asks it what to search for, searches the
// pinned sources, and asks which hits answer which point.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "base/result.h"
#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/reading_prompt.h"
#include "draft/model/whole_lines.h"
#include "expansion/model/model_asker.h"
#include "expansion/part_job.h"

namespace sibyl::expansion {

/// Not movable: passages are borrowed from it. Used by one thread.
class ModelReading {
 public:
  /// Borrows all arguments.
  ModelReading(const plan::Part& part, const PartInputs& inputs, runner::JobContext& context);
  ModelReading(const ModelReading&) = delete;
  ModelReading& operator=(const ModelReading&) = delete;

  /// `found` are the points by the plan's words alone. Once.
  Status Search(const draft::Gathered& found, ModelAsker& asker);

  /// Searches for these instead of asking.
  void SearchFor(draft::PageSearches searches);

  /// The requests that Search sends.
  std::vector<model::Question> SearchQuestions(const draft::Gathered& found) const;

  /// After Search: the hits.
  const draft::Gathered& gathered() const { return gathered_; }
  draft::PassageKeys& keys() { return keys_; }
  const std::string& title() const { return title_; }

  /// The request about the hits of a section; without turns if there are none.
  model::Question ReadingQuestion(std::size_t section);
  /// Whether a section has hits at all, before it is read.
  bool HasHits(std::size_t section) const;
  Status Read(std::size_t section, ModelAsker& asker);
  /// Without asking.
  void ReadBest(std::size_t section);

  /// After Read: what each point is written from.
  const std::vector<draft::PointPassages>& passages(std::size_t section) const {
    return passages_[section];
  }

  /// More lines for a point that was written: "kbcdfghjk:40-120". Null when the
  /// key is unknown or too many lines were asked for.
  const draft::Excerpt* More(std::size_t section, const std::string& mark);

 private:
  draft::ReadingRequest RequestOf(std::size_t section) const;

  const plan::Part& part_;
  const PartInputs& inputs_;
  runner::JobContext& context_;
  std::string title_;
  draft::PassageKeys keys_;
  draft::TermReader reader_;
  draft::WholeLines files_;
  draft::Gathered gathered_;
  draft::PageSearches searches_;
  std::deque<draft::Excerpt> shown_;
  draft::PagePassages passages_;
  std::vector<std::size_t> lines_left_;  // by section
};

}  // namespace sibyl::expansion
