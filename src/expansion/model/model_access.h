// SPDX-License-Identifier: Apache-2.0
// The model that a run may use: its server and limits from sibyl.toml, its key
// and, optionally, its address from the environment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/model.h"
#include "net/client.h"
#include "oracle/context.h"
#include "runner/ledger.h"

namespace sibyl::expansion {

/// Options of a request in addition to the file; the lower of two limits
/// applies.
struct ModelRequest {
  std::optional<std::uint64_t> max_tokens;
  std::optional<double> max_cost;
  bool is_judged = true;    ///< A model confirms every statement.
  bool asks_server = true;  ///< False: only cached answers are used.
};

/// The relevant environment variables.
struct ModelEnvironment {
  std::optional<std::string> url;        ///< SIBYL_MODEL_URL, instead of the file's.
  std::optional<std::string> name;       ///< SIBYL_MODEL, instead of the file's.
  std::optional<std::string> key;        ///< SIBYL_MODEL_KEY
  std::optional<std::string> openai;     ///< OPENAI_API_KEY, for api.openai.com alone.
  std::optional<std::string> anthropic;  ///< ANTHROPIC_API_KEY, for api.anthropic.com alone.

  static ModelEnvironment Read();
};

/// Not movable: the models borrow the client and the budget.
class ModelAccess {
 public:
  /// kUsage if no server is configured. A server that is named only in the file
  /// is used, and gets a key, only if the user agreed to it: an oracle may come
  /// from someone else. Without the network only cached answers are used.
  static Result<std::unique_ptr<ModelAccess>> Open(const oracle::Context& context,
                                                   const ModelRequest& request,
                                                   const ModelEnvironment& environment);

  model::Model& writer() { return writer_; }
  /// Null with --no-judge.
  model::Model* judge() { return judge_ ? &*judge_ : nullptr; }
  const model::ModelBudget& budget() const { return budget_; }
  /// Limits that all workers of a run hold together.
  const runner::RunLimits& limits() const { return limits_; }
  /// Before the first question.
  void ShareBudget(std::unique_ptr<model::SharedBudget> shared);
  const model::Price& price() const { return price_; }

  /// A hash of everything besides the question that an answer depends on.
  std::string Fingerprint() const;
  /// The models and prompts alone, wherever their server is.
  std::string Names() const;

 private:
  struct Settings;
  ModelAccess(const oracle::Context& context, const Settings& settings);

  model::Price price_;
  runner::RunLimits limits_;
  std::unique_ptr<model::SharedBudget> shared_;
  model::ModelBudget budget_;
  net::Client client_;
  model::Model writer_;
  std::optional<model::Model> judge_;
};

}  // namespace sibyl::expansion
