// SPDX-License-Identifier: Apache-2.0
#include "engine/inspect_json.h"

#include <algorithm>

#include "engine/json_values.h"
#include "inspect/cuda/code_summary.h"

namespace sibyl::engine {
namespace {

using inspect::Artifact;

Json FactsAsJson(const Artifact& artifact) {
  Json facts = Json::array();
  for (const inspect::Fact& fact : artifact.facts) {
    facts.push_back({{"inspector", fact.inspector},
                     {"key", fact.key},
                     {"value", fact.value},
                     {"citation", TextOrNull(inspect::CitationOf(artifact, fact))}});
  }
  return facts;
}

Json FindingsAsJson(const Artifact& artifact) {
  Json findings = Json::array();
  for (const Finding& finding : artifact.findings) {
    findings.push_back({{"severity", SeverityName(finding.severity)},
                        {"code", finding.code},
                        {"message", finding.message},
                        {"hint", TextOrNull(finding.hint)},
                        {"line", finding.place.line > 0 ? Json(finding.place.line) : nullptr}});
  }
  return findings;
}

Json GroupAsJson(const inspect::ImageGroup& group) {
  Json json = {{"kind", inspect::KindName(group.kind)},
               {"arch", field::Format(group.architecture)},
               {"label", inspect::GroupLabel(group)},
               {"section", TextOrNull(group.section)},
               {"role", inspect::RoleName(group.role)},
               {"count", group.count},
               {"with_code", group.unknown_code > 0 ? Json(nullptr) : Json(group.with_code)},
               {"stored_bytes", group.stored_bytes},
               {"unpacked_bytes", group.unpacked_bytes},
               {"compression", group.compressions}};
  if (group.kind == inspect::ImageKind::kOther) json["raw_kind"] = group.raw_kind;
  if (group.kind == inspect::ImageKind::kPtx) {
    Json versions = Json::array();
    for (const field::CudaVersion& version : group.ptx_versions) {
      versions.push_back(field::Format(version));
    }
    json["ptx_isa"] = std::move(versions);
  }
  if (group.damaged > 0) json["damaged"] = group.damaged;
  return json;
}

Json VerdictAsJson(const inspect::GpuVerdict& verdict) {
  return {{"gpu", verdict.gpu.name},
          {"arch", "sm_" + std::to_string(verdict.gpu.number)},
          {"runs", inspect::RunsName(verdict.runs)},
          {"error", ValueOrNull(verdict.error)},
          {"why", verdict.why},
          {"containers", verdict.containers},
          {"native", verdict.native},
          {"jit", verdict.jit},
          {"none", verdict.none},
          {"empty", verdict.empty},
          {"taken", verdict.taken},
          {"hidden", verdict.hidden},
          {"hidden_fitting", verdict.hidden_fitting}};
}

Json KernelsAsJson(const Artifact& artifact) {
  Json kernels = Json::array();
  for (const inspect::ImageKernels& image : artifact.kernels) {
    const std::string arch = field::Format(artifact.code.images[image.image].architecture);
    for (const inspect::Kernel& kernel : image.kernels) {
      kernels.push_back({{"name", kernel.name},
                         {"symbol", kernel.symbol},
                         {"arch", arch},
                         {"registers", ValueOrNull(kernel.registers)},
                         {"shared_bytes", kernel.shared_bytes},
                         {"stack_bytes", ValueOrNull(kernel.stack_bytes)},
                         {"marked_spills", kernel.marked_spills},
                         {"max_threads", ValueOrNull(kernel.max_threads)},
                         {"barriers", ValueOrNull(kernel.barriers)},
                         {"parameter_bytes", ValueOrNull(kernel.parameter_bytes)},
                         {"code_bytes", kernel.code_bytes}});
    }
  }
  return kernels;
}

}  // namespace

Json ArtifactAsJson(const Artifact& artifact) {
  Json json = {{"path", artifact.path},          {"kind", artifact.kind},
               {"bytes", artifact.bytes},        {"sha256", TextOrNull(artifact.sha256)},
               {"facts", FactsAsJson(artifact)}, {"findings", FindingsAsJson(artifact)}};
  if (!artifact.code.empty()) {
    Json images = Json::array();
    for (const inspect::ImageGroup& group : inspect::GroupImages(artifact.code)) {
      images.push_back(GroupAsJson(group));
    }
    json["images"] = std::move(images);
  }
  if (!artifact.verdicts.empty()) {
    Json verdicts = Json::array();
    for (const inspect::GpuVerdict& verdict : artifact.verdicts) {
      verdicts.push_back(VerdictAsJson(verdict));
    }
    json["verdicts"] = std::move(verdicts);
  }
  if (!artifact.kernels.empty()) json["kernels"] = KernelsAsJson(artifact);
  for (const auto& [name, value] : artifact.detail.items()) {
    if (name != "fixes") json[name] = value;  // with those of all artifacts
  }
  return json;
}

Json PruneAsJson(const Artifact& artifact, std::span<const field::GpuTarget> gpus) {
  Json groups = Json::array();
  std::uint64_t kept = 0;
  std::uint64_t unneeded = 0;
  for (const inspect::PruneGroup& group : inspect::PruneReport(artifact.code, gpus)) {
    kept += group.kept_bytes;
    unneeded += group.unneeded_bytes;
    if (group.unneeded == 0) continue;
    groups.push_back({{"label", group.label},
                      {"section", TextOrNull(group.section)},
                      {"unneeded", group.unneeded},
                      {"unneeded_bytes", group.unneeded_bytes},
                      {"kept", group.kept}});
  }
  return {{"kept_bytes", kept}, {"unneeded_bytes", unneeded}, {"unneeded", std::move(groups)}};
}

Json ComparisonAsJson(const Artifact& before, const Artifact& after) {
  Json images = Json::array();
  for (const inspect::ImageChange& change : inspect::CompareCode(before.code, after.code)) {
    images.push_back({{"label", change.label},
                      {"section", TextOrNull(change.section)},
                      {"count", {change.count_before, change.count_after}},
                      {"stored_bytes", {change.bytes_before, change.bytes_after}}});
  }
  Json facts = Json::array();
  const auto add = [&](const inspect::Fact& fact, const Json& old_value, const Json& new_value) {
    facts.push_back({{"inspector", fact.inspector},
                     {"key", fact.key},
                     {"before", old_value},
                     {"after", new_value}});
  };
  for (const inspect::Fact& fact : before.facts) {
    const inspect::Fact* other = inspect::FindFact(after, fact.inspector, fact.key);
    if (other == nullptr || other->value != fact.value) {
      add(fact, fact.value, other == nullptr ? Json(nullptr) : other->value);
    }
  }
  for (const inspect::Fact& fact : after.facts) {
    if (inspect::FindFact(before, fact.inspector, fact.key) == nullptr) {
      add(fact, nullptr, fact.value);
    }
  }
  return {{"before", before.path},
          {"after", after.path},
          {"bytes", {before.bytes, after.bytes}},
          {"images", std::move(images)},
          {"facts", std::move(facts)}};
}

}  // namespace sibyl::engine
