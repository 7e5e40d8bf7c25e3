// SPDX-License-Identifier: Apache-2.0
// Sends the failed statements and heads of tables of one section back to the model, and
// the lines that it asked for, and puts what it answers in their place.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "draft/model/manuscript.h"
#include "draft/model/model_prompt.h"
#include "expansion/model/failures.h"
#include "expansion/model/model_asker.h"
#include "expansion/model/model_reading.h"

namespace sibyl::expansion {

/// Borrows all of it.
struct SectionRepairInputs {
  draft::Manuscript& manuscript;
  ModelReading& reading;
  ModelAsker& asker;
  const Failures& failures;  ///< Of the whole page.
  std::size_t section = 0;
  std::size_t lines = 0;  ///< The most that points written once more may have.
};

class SectionRepair {
 public:
  explicit SectionRepair(const SectionRepairInputs& inputs);

  /// One request, and one more if the answer ends at its limit, about what it did not
  /// come to; none if nothing failed.
  Status Run();

 private:
  std::vector<draft::PointPassages> TakeAsks();
  model::Question Question() const;
  void Take(const model::Answer& answer, bool is_last);
  void TakeHeads(draft::ModelRepairs& repairs, bool is_last);
  void Cut(draft::ModelRepairs& repairs);
  void TakeMore(draft::ModelText text);

  SectionRepairInputs in_;
  std::vector<draft::PointPassages> more_;  // lines that were asked for, by point
  // What the next request is about: statements, and then heads of tables.
  std::vector<draft::UnitPlace> places_;
  std::vector<draft::HeadPlace> heads_;
};

}  // namespace sibyl::expansion
