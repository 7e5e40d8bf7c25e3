// SPDX-License-Identifier: Apache-2.0
// What a model takes for a part, by kind of request: as it was counted, kept in the
// ledger, and as a preview expects it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/question.h"
#include "runner/runner.h"

namespace sibyl::expansion {

enum class Stage : std::uint8_t { kSearch, kReading, kWriting, kRepair, kJudging };
inline constexpr std::size_t kStages = 5;

/// "search", "reading", "writing", "repair", "judging"
std::string_view StageName(Stage stage);

struct StageUse {
  std::uint64_t requests = 0;
  model::Usage usage;
};

/// Of a part that was written; answers that were remembered count like others.
struct PartUse {
  std::int64_t model = 0;      ///< ModelNumber.
  std::uint64_t points = 0;    ///< That were asked about.
  std::uint64_t passages = 0;  ///< That were chosen for them.
  std::array<StageUse, kStages> stages = {};

  StageUse& of(Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
  const StageUse& of(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
};

/// For the ledger, and back; nothing for the progress of another writer.
std::vector<runner::Figure> FiguresOf(const PartUse& use);
std::optional<PartUse> UseOf(const runner::Progress& progress);
/// The figures of FiguresOf are for programs: their names begin with this.
inline constexpr std::string_view kUsePrefix = "model_";

/// Tells models apart in the ledger: by server, name and prompts.
std::int64_t ModelNumber(std::string_view fingerprint);

/// How much a model reads and writes. Tokens. The constants are those of stand-ins that
/// did not know the program (docs/models.md).
struct Rates {
  double search_answer = 75;      ///< For a point.
  double reading_answer = 22;     ///< For a point.
  double passages = 4.6;          ///< Chosen for a point, if there are so many hits.
  double written = 640;           ///< For a point.
  double repair_input = 0.27;     ///< Of what writing reads.
  double repair_output = 0.3;     ///< Of what is written.
  double judged_input = 3.7;      ///< Of what is written.
  double judged_output = 0.08;    ///< Of what is written.
  double judge_requests = 0.001;  ///< For a token that is written.
  std::size_t parts = 0;          ///< That they were counted in; 0: the constants above.
};

/// Of these parts together; the constants if there are none.
Rates RatesOf(const std::vector<PartUse>& parts);
/// Of models that choose and write little, and much, among those that were measured.
Rates LowRates();
Rates HighRates();

}  // namespace sibyl::expansion
