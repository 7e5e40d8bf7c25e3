// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/hash.h"

namespace sibyl::expansion {
namespace {

constexpr std::array<std::string_view, kStages> kNames = {"search", "reading", "writing", "repair",
                                                          "judging"};

std::string NameOf(std::string_view stage, std::string_view what) {
  return fmt::format("{}{}_{}", kUsePrefix, stage, what);
}

runner::Figure FigureOf(std::string name, std::uint64_t value) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return {.name = std::move(name), .value = static_cast<std::int64_t>(std::min(value, kMost))};
}

class FigureReader {
 public:
  explicit FigureReader(const runner::Progress& progress) : progress_(progress) {}

  std::optional<std::int64_t> Find(std::string_view name) const {
    for (const runner::Figure& figure : progress_.figures) {
      if (figure.name == name) return figure.value;
    }
    return std::nullopt;
  }
  std::uint64_t Count(std::string_view name) const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(Find(name).value_or(0), 0));
  }

 private:
  const runner::Progress& progress_;
};

double Ratio(std::uint64_t part, std::uint64_t whole, double otherwise) {
  return whole == 0 ? otherwise : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string_view StageName(Stage stage) { return kNames[static_cast<std::size_t>(stage)]; }

std::vector<runner::Figure> FiguresOf(const PartUse& use) {
  std::vector<runner::Figure> figures = {
      {.name = fmt::format("{}number", kUsePrefix), .value = use.model},
      FigureOf(fmt::format("{}points", kUsePrefix), use.points),
      FigureOf(fmt::format("{}passages", kUsePrefix), use.passages)};
  for (std::size_t i = 0; i < kStages; ++i) {
    figures.push_back(FigureOf(NameOf(kNames[i], "requests"), use.stages[i].requests));
    figures.push_back(FigureOf(NameOf(kNames[i], "input"), use.stages[i].usage.input));
    figures.push_back(FigureOf(NameOf(kNames[i], "output"), use.stages[i].usage.output));
  }
  return figures;
}

std::optional<PartUse> UseOf(const runner::Progress& progress) {
  const FigureReader figures(progress);
  const auto number = figures.Find(fmt::format("{}number", kUsePrefix));
  if (!number) return std::nullopt;
  PartUse use{.model = *number,
              .points = figures.Count(fmt::format("{}points", kUsePrefix)),
              .passages = figures.Count(fmt::format("{}passages", kUsePrefix))};
  for (std::size_t i = 0; i < kStages; ++i) {
    use.stages[i] = {.requests = figures.Count(NameOf(kNames[i], "requests")),
                     .usage = {.input = figures.Count(NameOf(kNames[i], "input")),
                               .output = figures.Count(NameOf(kNames[i], "output"))}};
  }
  return use;
}

std::int64_t ModelNumber(std::string_view fingerprint) {
  constexpr std::size_t kDigits = 13;  // exact in any reader of JSON
  std::int64_t number = 0;
  for (const char digit : Sha256(fingerprint).substr(0, kDigits)) {
    number = number * 16 + (digit <= '9' ? digit - '0' : digit - 'a' + 10);
  }
  return number;
}

Rates RatesOf(const std::vector<PartUse>& parts) {
  PartUse sum;
  for (const PartUse& part : parts) {
    sum.points += part.points;
    sum.passages += part.passages;
    for (std::size_t i = 0; i < kStages; ++i) {
      sum.stages[i].requests += part.stages[i].requests;
      sum.stages[i].usage.input += part.stages[i].usage.input;
      sum.stages[i].usage.output += part.stages[i].usage.output;
    }
  }
  const Rates usual;
  const model::Usage& writing = sum.of(Stage::kWriting).usage;
  const model::Usage& repair = sum.of(Stage::kRepair).usage;
  const model::Usage& judging = sum.of(Stage::kJudging).usage;
  Rates rates;
  rates.search_answer = Ratio(sum.of(Stage::kSearch).usage.output, sum.points, usual.search_answer);
  rates.reading_answer =
      Ratio(sum.of(Stage::kReading).usage.output, sum.points, usual.reading_answer);
  rates.passages = Ratio(sum.passages, sum.points, usual.passages);
  rates.written = Ratio(writing.output, sum.points, usual.written);
  rates.repair_input = Ratio(repair.input, writing.input, usual.repair_input);
  rates.repair_output = Ratio(repair.output, writing.output, usual.repair_output);
  // Without a judge nothing was counted.
  if (judging.input > 0) {
    rates.judged_input = Ratio(judging.input, writing.output, usual.judged_input);
    rates.judged_output = Ratio(judging.output, writing.output, usual.judged_output);
    rates.judge_requests =
        Ratio(sum.of(Stage::kJudging).requests, writing.output, usual.judge_requests);
  }
  rates.parts = parts.size();
  return rates;
}

Rates LowRates() {
  Rates rates;
  rates.passages = 2.6;
  rates.written = 240;
  rates.judged_input = 5;
  return rates;
}

Rates HighRates() {
  Rates rates;
  rates.passages = 5;
  rates.written = 800;
  return rates;
}

}  // namespace sibyl::expansion
