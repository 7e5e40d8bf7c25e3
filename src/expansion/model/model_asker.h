// SPDX-License-Identifier: Apache-2.0
// Sends the requests of one part and counts what they cost.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "expansion/model/kept_answers.h"
#include "expansion/model/model_access.h"
#include "expansion/model/model_rates.h"
#include "model/model.h"
#include "runner/runner.h"

namespace sibyl::expansion {

/// Used by one thread.
class ModelAsker : private model::Requester {
 public:
  /// Borrows both.
  ModelAsker(ModelAccess& models, runner::JobContext& context)
      : models_(models), context_(context), kept_(context) {}

  /// The writer. An answer that was remembered costs nothing.
  Result<model::Answer> Ask(Stage stage, const model::Question& question);

  /// The judge, many questions in parallel up to the server's limit; none after a
  /// failure. Answers in the order of the questions.
  Result<std::vector<model::Answer>> AskJudge(const std::vector<model::Question>& questions);

  /// For the journal: tokens, and millionths of the currency.
  std::vector<runner::Figure> Spent() const;
  /// By kind of request, remembered answers too.
  const std::array<StageUse, kStages>& stages() const { return stages_; }

  void Report(std::string step);

 private:
  std::optional<model::Answer> FindAnswer(const std::string& key) override {
    return kept_.Find(key);
  }
  void TakeAnswer(const std::string& key, const model::Answer& answer) override {
    kept_.Add(key, answer);
  }
  void WaitFor(const std::string& what) override;
  void Add(Stage stage, const model::Answer& answer);

  ModelAccess& models_;
  runner::JobContext& context_;
  KeptAnswers kept_;
  std::string step_;  // set while no request is under way
  model::Usage usage_;
  std::array<StageUse, kStages> stages_ = {};
};

}  // namespace sibyl::expansion
