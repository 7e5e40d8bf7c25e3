// SPDX-License-Identifier: Apache-2.0
#include "engine/field/known_gpus.h"

#include <fmt/format.h>

#include "engine/json_values.h"
#include "field/field.h"

namespace sibyl::engine {
namespace {

Json IdsOf(const field::ReceiptList& receipts) {
  Json ids = Json::array();
  for (const field::Receipt* receipt : receipts.all) ids.push_back(receipt->id);
  return ids;
}

Json VersionOrNull(const field::CudaVersion& version) {
  return version == field::CudaVersion{} ? Json(nullptr) : Json(Format(version));
}

// The first driver that knows an architecture is that of its first toolkit.
Json FirstDriver(const field::ArchitectureLife& life) {
  const field::Toolkit* toolkit = field::FindToolkit(life.first);
  return toolkit == nullptr ? Json(nullptr) : Json(toolkit->driver);
}

Json ProductsAsJson() {
  Json gpus = Json::array();
  for (const field::Product& gpu : field::Products()) {
    const field::ArchitectureLife* life = field::LifeOf(gpu.number);
    gpus.push_back(
        {{"name", gpu.name},
         {"arch", fmt::format("sm_{}", gpu.number)},
         {"generation", TextOrNull(std::string(life == nullptr ? "" : life->generation))},
         {"host", TextOrNull(std::string(gpu.host))},
         {"is_confirmed", gpu.receipts.is_confirmed},
         {"receipts", IdsOf(gpu.receipts)}});
  }
  return gpus;
}

Json ArchitecturesAsJson() {
  Json architectures = Json::array();
  for (const field::ArchitectureLife& life : field::Architectures()) {
    architectures.push_back(
        {{"arch", Format(life.architecture)},
         {"generation", life.generation},
         {"first_cuda", Format(life.first)},
         {"last_cuda", VersionOrNull(life.last)},
         {"first_driver", FirstDriver(life)},
         {"last_driver_branch",
          life.last_driver_branch == 0 ? Json(nullptr) : Json(life.last_driver_branch)},
         {"is_confirmed", life.receipts.is_confirmed},
         {"receipts", IdsOf(life.receipts)}});
  }
  return architectures;
}

Json ToolkitsAsJson() {
  Json toolkits = Json::array();
  for (const field::Toolkit& toolkit : field::Toolkits()) {
    toolkits.push_back({{"cuda", Format(toolkit.version)},
                        {"ptx", Format(toolkit.ptx)},
                        {"driver", toolkit.driver},
                        {"oldest_driver", TextOrNull(std::string(toolkit.floor))},
                        {"is_confirmed", toolkit.receipts.is_confirmed},
                        {"receipts", IdsOf(toolkit.receipts)}});
  }
  return toolkits;
}

Json ImagesAsJson() {
  Json images = Json::array();
  for (const field::ImageRelease& release : field::ImageReleases()) {
    images.push_back({{"image", release.image},
                      {"tag", release.tag},
                      {"cuda", Format(release.cuda)},
                      {"is_confirmed", release.receipts.is_confirmed},
                      {"receipts", IdsOf(release.receipts)}});
  }
  return images;
}

Json NamesOf(const std::vector<field::Architecture>& architectures, std::string_view prefix) {
  Json names = Json::array();
  for (const field::Architecture& each : architectures) names.push_back(Format(each, prefix));
  return names;
}

Json TorchBuildsAsJson() {
  Json builds = Json::array();
  for (const field::TorchBuild& build : field::TorchBuilds()) {
    builds.push_back({{"index", build.index},
                      {"first_torch", build.first},
                      {"last_torch", build.last},
                      {"cubins", NamesOf(build.cubins, "sm_")},
                      {"ptx", NamesOf(build.ptx, "compute_")},
                      {"is_confirmed", build.receipts.is_confirmed},
                      {"receipts", IdsOf(build.receipts)}});
  }
  return builds;
}

Json HostCompilersAsJson() {
  Json hosts = Json::array();
  for (const field::HostCompiler& host : field::HostCompilers()) {
    hosts.push_back({{"first_cuda", Format(host.first)},
                     {"last_cuda", Format(host.last)},
                     {"newest_gcc", host.gcc},
                     {"is_confirmed", host.receipts.is_confirmed},
                     {"receipts", IdsOf(host.receipts)}});
  }
  return hosts;
}

}  // namespace

Json KnownGpusAsJson() {
  Json data = {{"gpus", ProductsAsJson()},     {"architectures", ArchitecturesAsJson()},
               {"toolkits", ToolkitsAsJson()}, {"images", ImagesAsJson()},
               {"torch", TorchBuildsAsJson()}, {"host_compilers", HostCompilersAsJson()}};
  Json receipts = Json::object();
  for (const char* table :
       {"gpus", "architectures", "toolkits", "images", "torch", "host_compilers"}) {
    for (const Json& row : data[table]) {
      for (const Json& id : row["receipts"]) receipts[id.get<std::string>()] = nullptr;
    }
  }
  for (const field::Receipt& receipt : field::Receipts()) {
    if (!receipts.contains(receipt.id)) continue;
    receipts[std::string(receipt.id)] = {
        {"document", receipt.document == "-" ? Json(nullptr) : Json(receipt.document)},
        {"says", receipt.says},
        {"read", receipt.read}};
  }
  data["receipts"] = std::move(receipts);
  return data;
}

}  // namespace sibyl::engine
