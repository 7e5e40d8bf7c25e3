// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/image_manifest.h"

#include <fmt/format.h>

#include <set>

#include "base/json.h"

namespace sibyl::inspect {
namespace {

// The JSON documents of an image. Each is charged to the budget.
class Documents {
 public:
  Documents(const BlobReader& blobs, Budget& budget) : blobs_(blobs), budget_(budget) {}

  std::optional<Json> Read(const std::string& path) {
    const std::optional<std::string_view> bytes = blobs_(path);
    if (!bytes || !budget_.Spend(Total::kDocuments, 1) ||
        !budget_.Spend(Total::kDocumentBytes, bytes->size())) {
      return std::nullopt;
    }
    Result<Json> json = ParseJson(*bytes, {.max_bytes = kMostDocumentBytes});
    if (!json.ok()) return std::nullopt;
    return *std::move(json);
  }

  /// False for an index or manifest that was visited before: one that refers to itself, or many
  /// descriptors of the same one.
  bool IsNew(const std::string& path) { return followed_.insert(path).second; }

 private:
  const BlobReader& blobs_;
  Budget& budget_;
  std::set<std::string> followed_;
};

std::string Text(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_string()
             ? json[name].get<std::string>()
             : std::string();
}

std::string BlobPath(const std::string& digest) {
  const std::size_t colon = digest.find(':');
  if (colon == std::string::npos) return {};
  return "blobs/" + digest.substr(0, colon) + "/" + digest.substr(colon + 1);
}

bool IsAttestation(const Json& descriptor) {
  if (descriptor.contains("annotations") &&
      Text(descriptor["annotations"], "vnd.docker.reference.type") == "attestation-manifest") {
    return true;
  }
  return descriptor.contains("platform") && Text(descriptor["platform"], "os") == "unknown";
}

// Follows nested indexes to the first manifest of an image.
std::optional<Json> FindManifest(Documents& documents, const Json& index, int depth) {
  if (depth > kDeepestIndex || !index.is_object() || !index.contains("manifests") ||
      !index["manifests"].is_array()) {
    return std::nullopt;
  }
  for (const Json& descriptor : index["manifests"]) {
    if (!descriptor.is_object() || IsAttestation(descriptor)) continue;
    const std::string path = BlobPath(Text(descriptor, "digest"));
    if (!documents.IsNew(path)) continue;
    std::optional<Json> next = documents.Read(path);
    if (!next || !next->is_object()) continue;
    if (next->contains("manifests")) {
      if (auto found = FindManifest(documents, *next, depth + 1)) return found;
    } else if (next->contains("config")) {
      return next;
    }
  }
  return std::nullopt;
}

struct Described {
  std::string config;
  std::vector<std::string> layers;
};

std::optional<Described> FromDocker(Documents& documents) {
  const std::optional<Json> json = documents.Read("manifest.json");
  if (!json || !json->is_array() || json->empty() || !(*json)[0].is_object()) return std::nullopt;
  const Json& first = (*json)[0];
  Described described{.config = Text(first, "Config")};
  if (!first.contains("Layers") || !first["Layers"].is_array()) return std::nullopt;
  for (const Json& layer : first["Layers"]) {
    if (layer.is_string()) described.layers.push_back(layer.get<std::string>());
  }
  return described;
}

std::optional<Described> FromOci(Documents& documents) {
  const std::optional<Json> index = documents.Read("index.json");
  if (!index) return std::nullopt;
  const std::optional<Json> manifest = FindManifest(documents, *index, 0);
  if (!manifest) return std::nullopt;
  Described described{.config = BlobPath(Text((*manifest)["config"], "digest"))};
  if (manifest->contains("layers") && (*manifest)["layers"].is_array()) {
    for (const Json& layer : (*manifest)["layers"]) {
      described.layers.push_back(BlobPath(Text(layer, "digest")));
    }
  }
  return described;
}

void ReadConfig(const Json& config, ImageManifest& manifest) {
  if (!config.is_object()) return;
  manifest.architecture = Text(config, "architecture");
  if (config.contains("config") && config["config"].is_object() &&
      config["config"].contains("Env") && config["config"]["Env"].is_array()) {
    for (const Json& variable : config["config"]["Env"]) {
      if (!variable.is_string()) continue;
      const std::string text = variable.get<std::string>();
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) continue;
      manifest.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  // History lines that made a layer are in the order of the layers.
  std::size_t at = 0;
  if (config.contains("history") && config["history"].is_array()) {
    for (const Json& line : config["history"]) {
      if (!line.is_object()) continue;
      if (line.contains("empty_layer") && line["empty_layer"] == true) continue;
      if (at < manifest.layers.size()) manifest.layers[at++].instruction = Text(line, "created_by");
    }
  }
  if (!config.contains("rootfs") || !config["rootfs"].is_object() ||
      !config["rootfs"].contains("diff_ids") || !config["rootfs"]["diff_ids"].is_array()) {
    return;
  }
  const Json& ids = config["rootfs"]["diff_ids"];
  if (ids.size() != manifest.layers.size()) {
    manifest.complaints.push_back(fmt::format("the configuration names {} layers, the manifest {}",
                                              ids.size(), manifest.layers.size()));
    return;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string id = ids[i].is_string() ? ids[i].get<std::string>() : std::string();
    if (id.starts_with("sha256:")) manifest.layers[i].diff_id = id.substr(7);
  }
}

}  // namespace

Result<ImageManifest> ReadImageManifest(const BlobReader& blobs, Budget& budget) {
  Documents documents(blobs, budget);
  // manifest.json first: Docker 25.0 wrote OCI manifests without layers, or with the layers in
  // a wrong order, next to a correct manifest.json.
  std::optional<Described> described = FromDocker(documents);
  const std::optional<Described> oci = FromOci(documents);
  ImageManifest manifest;
  if (described && oci && oci->layers != described->layers) {
    manifest.complaints.emplace_back(
        "index.json and manifest.json list different layers; those of manifest.json are used");
  }
  if (!described) described = oci;
  if (!described) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = "neither manifest.json nor index.json leads to an image"};
  }
  manifest.listed_layers = described->layers.size();
  if (!budget.Spend(Total::kLayers, manifest.listed_layers)) return manifest;
  for (const std::string& layer : described->layers) manifest.layers.push_back({.blob = layer});
  if (const std::optional<Json> config = documents.Read(described->config)) {
    ReadConfig(*config, manifest);
  } else {
    manifest.complaints.emplace_back("the image's configuration is missing");
  }
  return manifest;
}

}  // namespace sibyl::inspect
