// SPDX-License-Identifier: Apache-2.0
#include "draft/draft.h"

#include <array>
#include <cstddef>

namespace sibyl::draft {

std::string_view MakingName(Making making) {
  switch (making) {
    case Making::kExtracted:
      return "extracted";
    case Making::kModelWritten:
      return "model-written";
    case Making::kAgentWritten:
      return "agent-written";
    case Making::kMeasured:
      return "measured";
    case Making::kInspected:
      return "inspected";
  }
  return "extracted";
}

namespace {

constexpr std::array<std::string_view, 8> kLossNames = {"form",  "key",   "words", "gate",
                                                        "judge", "lines", "part",  "corrected"};

}  // namespace

std::string_view LossName(LossKind kind) { return kLossNames[static_cast<std::size_t>(kind)]; }

std::optional<LossKind> ParseLoss(std::string_view name) {
  for (std::size_t i = 0; i < kLossNames.size(); ++i) {
    if (kLossNames[i] == name) return static_cast<LossKind>(i);
  }
  return std::nullopt;
}

std::string WriterOf(const Draft& draft) {
  for (const DraftSection& section : draft.sections) {
    if (section.making == Making::kAgentWritten) return "agent";
    if (section.making == Making::kModelWritten) return "llm";
  }
  return "extract";
}

std::size_t PointCount(const Draft& draft) {
  std::size_t count = 0;
  for (const DraftSection& section : draft.sections) count += section.points.size();
  return count;
}

std::size_t CoveredCount(const Draft& draft) {
  std::size_t count = 0;
  for (const DraftSection& section : draft.sections) {
    for (const Coverage& point : section.points) count += point.where ? 1 : 0;
  }
  return count;
}

}  // namespace sibyl::draft
