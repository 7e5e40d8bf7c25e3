// SPDX-License-Identifier: Apache-2.0
// What operators see of a request to a model: a count, a time, a span of the run's
// trace and a line of the log. Never what was asked or answered.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/question.h"

namespace sibyl::model {

/// The name of a model as a label: local servers name models by the path of a file,
/// of which only the last part is shown.
std::string ModelLabel(std::string_view model);

/// `status` is an HTTP status or a word of docs/operate.md.
void CountModelRequest(std::string_view model, std::string_view status);
void CountModelUsage(std::string_view model, const Usage& usage, double cost);

/// One request that is sent; lives from just before it until its answer.
class ModelRequestRecord {
 public:
  explicit ModelRequestRecord(std::string_view model);

  /// The header of the request; nothing unless the trace is handed on.
  std::optional<std::string> traceparent() const;

  /// The server answered.
  void End(int status, const Usage& usage);
  /// It did not, or not completely: "failed", "incomplete".
  void Fail(std::string_view how, ErrorKind kind);

 private:
  std::chrono::milliseconds Elapsed() const;
  void Count(std::string_view status) const;

  std::string label_;
  std::string span_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace sibyl::model
