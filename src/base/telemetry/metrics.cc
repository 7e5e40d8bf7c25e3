// SPDX-License-Identifier: Apache-2.0
#include "base/telemetry/metrics.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace sibyl {
namespace {

std::string_view KindName(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter:
      return "counter";
    case MetricKind::kGauge:
      return "gauge";
    case MetricKind::kHistogram:
      return "histogram";
  }
  return "untyped";
}

// Backslashes and line ends; quotation marks too in a label.
std::string Escaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : ReplaceInvalidUtf8(text)) {
    if (c == '\n') {
      escaped += "\\n";
      continue;
    }
    if (special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// "{route=\"api\",le=\"0.5\"}"; nothing if there are none.
std::string LabelText(const MetricFamily& family, const Metrics::Labels& values,
                      std::string_view bound = {}) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, Escaped(value, "\\\""));
  };
  for (std::size_t i = 0; i < family.labels.size() && i < values.size(); ++i) {
    if (!family.labels.at(i).empty()) add(family.labels.at(i), values[i]);
  }
  if (!bound.empty()) add("le", bound);
  return text.empty() ? text : text + '}';
}

}  // namespace

Metrics& Metrics::OfProcess() {
  static Metrics& all = *new Metrics;  // threads may count until the process has ended
  return all;
}

Metrics::Sample& Metrics::Find(const MetricFamily& family, const Labels& labels) {
  constexpr std::size_t kMostSeries = 500;
  Series& series = series_[family.name];
  series.family = &family;
  const auto known = series.samples.find(labels);
  if (known != series.samples.end()) return known->second;
  if (series.samples.size() < kMostSeries) return series.samples[labels];
  return series.samples[Labels(labels.size(), "other")];
}

void Metrics::Add(const MetricFamily& family, const Labels& labels, double amount) {
  const MutexLock lock(mutex_);
  Find(family, labels).value += amount;
}

void Metrics::Set(const MetricFamily& family, const Labels& labels, double value) {
  const MutexLock lock(mutex_);
  Find(family, labels).value = value;
}

void Metrics::Observe(const MetricFamily& family, const Labels& labels,
                      std::chrono::nanoseconds took) {
  const double seconds = std::chrono::duration<double>(took).count();
  const MutexLock lock(mutex_);
  Sample& sample = Find(family, labels);
  sample.value += seconds;
  ++sample.count;
  for (std::size_t i = 0; i < kSecondsBounds.size(); ++i) {
    if (seconds <= kSecondsBounds.at(i)) ++sample.within.at(i);
  }
}

std::string Metrics::FormatSample(const MetricFamily& family, const Labels& labels,
                                  const Sample& sample) {
  const std::string own = LabelText(family, labels);
  if (family.kind != MetricKind::kHistogram) {
    return fmt::format("{}{} {}\n", family.name, own, sample.value);
  }
  std::string text;
  for (std::size_t i = 0; i < kSecondsBounds.size(); ++i) {
    const std::string bound = fmt::format("{}", kSecondsBounds.at(i));
    text += fmt::format("{}_bucket{} {}\n", family.name, LabelText(family, labels, bound),
                        sample.within.at(i));
  }
  text +=
      fmt::format("{}_bucket{} {}\n", family.name, LabelText(family, labels, "+Inf"), sample.count);
  text += fmt::format("{}_sum{} {}\n", family.name, own, sample.value);
  return text + fmt::format("{}_count{} {}\n", family.name, own, sample.count);
}

std::string Metrics::Format() const {
  const MutexLock lock(mutex_);
  std::string text;
  for (const auto& [name, series] : series_) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, Escaped(series.family->help, "\\"),
                        name, KindName(series.family->kind));
    for (const auto& [labels, sample] : series.samples) {
      text += FormatSample(*series.family, labels, sample);
    }
  }
  return text;
}

}  // namespace sibyl
