// SPDX-License-Identifier: Apache-2.0
// The offline writer: quotes the gathered passages, and drops what the gate
// refuses.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "draft/extract/gather.h"
#include "expansion/part_job.h"
#include "expansion/writer.h"

namespace sibyl::expansion {

/// Whether the writer failed with this reason because no pinned source covers a
/// point of the part: another run with the same pins would fail too.
bool IsNotCovered(std::string_view reason);

/// Borrows all arguments.
class ExtractWriter : public Writer {
 public:
  ExtractWriter(const plan::Part& part, const PartInputs& inputs, const draft::Gathered& gathered)
      : part_(part), inputs_(inputs), gathered_(gathered) {}

  Result<draft::WrittenPage> Write() override;
  Result<bool> Revise(const draft::WrittenPage& page,
                      const std::vector<statement::Judgement>& failures) override;

 private:
  const plan::Part& part_;
  const PartInputs& inputs_;
  const draft::Gathered& gathered_;
  std::set<std::string> left_out_;  // keys of blocks
};

}  // namespace sibyl::expansion
