// SPDX-License-Identifier: Apache-2.0
// Asks whether the cited lines of statements support them: many in one request,
// each with its surroundings, and among them control statements whose answer is
// known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/passage_keys.h"
#include "model/question.h"

namespace sibyl::draft {

/// A statement and all that a reader would see around it.
struct JudgedStatement {
  std::string text;
  std::string place;   ///< Of the lines: source, path, heading.
  std::string lines;   ///< That it cites: LinesForJudge.
  std::string point;   ///< Section and point of the page.
  std::string before;  ///< The statement before it, or the head of its table; may be empty.
};

/// Cited lines under their numbers, with a bar, and two lines before and after
/// them, with a dot; as many as fit into kMostJudgedBytes, and which ones do not.
inline constexpr std::size_t kMostJudgedBytes = 8'000;
std::string LinesForJudge(const CitedLines& cited);

/// One request. Controls are numbered like the others.
struct JudgeBatch {
  model::Question question;
  /// What each number is: a statement, or a control.
  struct Entry {
    std::optional<std::size_t> statement;  ///< Of those that were passed.
    bool is_true = false;                  ///< For a control: the answer it must have.
  };
  std::vector<Entry> entries;
};

/// Batches of up to sixteen statements in their order, each with two controls: one that
/// the lines say literally, and one of another place that they do not have. Where they
/// are follows from a hash of the batch: a judge cannot know it, and a repeated run has
/// the same requests.
std::vector<JudgeBatch> JudgeBatches(const std::vector<JudgedStatement>& statements);

enum class Entailment : std::uint8_t { kSupported, kContradicted, kNotEnough };

/// By number; nothing for those without a clear answer.
std::vector<std::optional<Entailment>> ReadVerdicts(std::string_view answer, std::size_t entries);

/// How a judge did on the controls.
struct ControlCount {
  std::size_t true_ones = 0;
  std::size_t true_accepted = 0;
  std::size_t false_ones = 0;
  std::size_t false_accepted = 0;

  void Add(const JudgeBatch& batch, const std::vector<std::optional<Entailment>>& verdicts);
  /// Accepts most of the false ones, or rejects most of the true ones: its answers
  /// are the same whatever it is asked.
  bool IsUseless() const {
    return 2 * false_accepted > false_ones || 2 * true_accepted < true_ones;
  }
};

/// "it confirmed 3 of 3 false control statements"; of a useless judge.
std::string WhyUseless(const ControlCount& controls);

}  // namespace sibyl::draft
