// SPDX-License-Identifier: Apache-2.0
#include "model/request_record.h"

#include "base/telemetry/activity.h"
#include "base/telemetry/families.h"
#include "base/telemetry/log.h"
#include "base/telemetry/metrics.h"

namespace sibyl::model {

std::string ModelLabel(std::string_view model) {
  constexpr std::size_t kMostBytes = 100;
  const bool is_path = model.starts_with('/') || model.starts_with('~') || model.starts_with('.') ||
                       model.find('\\') != std::string_view::npos;
  if (is_path) model.remove_prefix(model.find_last_of("/\\") + 1);
  return std::string(model.substr(0, kMostBytes));
}

void CountModelRequest(std::string_view model, std::string_view status) {
  Metrics::OfProcess().Add(kModelRequests, {ModelLabel(model), std::string(status)});
}

void CountModelUsage(std::string_view model, const Usage& usage, double cost) {
  Metrics& metrics = Metrics::OfProcess();
  const std::string label = ModelLabel(model);
  metrics.Add(kModelTokens, {label, "input"}, static_cast<double>(usage.input));
  metrics.Add(kModelTokens, {label, "output"}, static_cast<double>(usage.output));
  metrics.Add(kModelCost, {label}, cost);
}

ModelRequestRecord::ModelRequestRecord(std::string_view model)
    : label_(ModelLabel(model)), span_(NewSpan()), began_(std::chrono::steady_clock::now()) {}

std::optional<std::string> ModelRequestRecord::traceparent() const {
  const std::optional<Trace>& trace = CurrentActivity().trace;
  if (!trace || !trace->is_handed_on) return std::nullopt;
  return FormatTraceparent(*trace, span_);
}

std::chrono::milliseconds ModelRequestRecord::Elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               began_);
}

void ModelRequestRecord::Count(std::string_view status) const {
  CountModelRequest(label_, status);
  Metrics::OfProcess().Observe(kModelSeconds, {label_}, std::chrono::steady_clock::now() - began_);
}

void ModelRequestRecord::End(int status, const Usage& usage) {
  Count(std::to_string(status));
  const bool succeeded = status >= 200 && status < 300;
  WriteLog(succeeded ? LogLevel::kInfo : LogLevel::kWarning, "model request",
           {{"model", label_},
            {"status", status},
            {"milliseconds", Elapsed().count()},
            {"input_tokens", usage.input},
            {"output_tokens", usage.output},
            {"span", span_}});
}

void ModelRequestRecord::Fail(std::string_view how, ErrorKind kind) {
  const std::string_view status = kind == ErrorKind::kCancelled ? "cancelled" : how;
  Count(status);
  WriteLog(LogLevel::kWarning, "model request",
           {{"model", label_},
            {"status", status},
            {"milliseconds", Elapsed().count()},
            {"span", span_}});
}

}  // namespace sibyl::model
