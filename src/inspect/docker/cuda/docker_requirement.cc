// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/cuda/docker_requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/strings.h"

namespace sibyl::inspect {
namespace {

bool IsNvidiaCuda(std::string_view image) {
  for (const std::string_view registry : {"docker.io/", "nvcr.io/"}) {
    if (image.starts_with(registry)) image.remove_prefix(registry.size());
  }
  return image.starts_with("nvidia/cuda:");
}

// By an ENV of the final stage, or of one that it is built on.
bool ChangesRequirement(const Dockerfile& file, ScriptBudget& budget) {
  std::optional<std::size_t> stage = file.stages.size() - 1;
  while (stage) {
    for (const DockerInstruction& at : file.stages[*stage].instructions) {
      if (at.keyword != "ENV") continue;
      if (!budget.Spend(at.arguments.size())) return true;
      if (Contains(at.arguments, "NVIDIA_REQUIRE_CUDA") ||
          Contains(at.arguments, "NVIDIA_DISABLE_REQUIRE")) {
        return true;
      }
    }
    stage = file.stages[*stage].base_stage;
  }
  return false;
}

// "470, 535 or 550"
std::string AnyOf(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i + 1 == numbers.size() ? " or " : ", ";
    text += std::to_string(numbers[i]);
  }
  return text;
}

}  // namespace

std::string UnmetRequirement(const Dockerfile& file, const FinalCuda& cuda,
                             const field::DriverVersion& driver, ScriptBudget& budget) {
  const DockerStage& root = file.Root(file.stages.size() - 1);
  if (!IsNvidiaCuda(root.image) || driver.parts.empty()) return {};
  // Those for other processors have other requirements.
  if (Contains(root.instructions[0].Flag("platform").value_or(""), "arm64")) return {};
  const auto known = field::CudaOfDriver(driver);
  for (const field::ImageRequirement& row : field::ImageRequirements()) {
    if (row.cuda != cuda.cuda) continue;
    const bool is_met = (known && *known >= row.cuda) ||
                        std::ranges::find(row.branches, driver.parts[0]) != row.branches.end();
    if (is_met || ChangesRequirement(file, budget)) return {};
    return fmt::format("CUDA {} of the driver, or a driver of branch {}", Format(row.cuda),
                       AnyOf(row.branches));
  }
  return {};
}

}  // namespace sibyl::inspect
