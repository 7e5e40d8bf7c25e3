// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "base/files/root.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/artifact_file.h"
#include "inspect/image/archive_index.h"
#include "inspect/image/image_components.h"
#include "inspect/image/image_layer.h"
#include "inspect/image/image_manifest.h"
#include "inspect/image/tar.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLeastReported = std::uint64_t{1} << 20;

// Each reader may buffer a library of 32 MB and uses two hashing threads, so more readers would
// need too much memory.
constexpr unsigned kMostReaders = 3;

struct StackedLayer {
  /// Null: the blob is missing. Shared by layers with the same blob.
  std::shared_ptr<LayerContent> content;
  std::string blob;
  std::uint64_t stored_bytes = 0;
};

class ImageInspector {
 public:
  ImageInspector(const BlobReader& blobs, Memory memory, Budget& budget, Artifact& artifact)
      : blobs_(blobs), memory_(memory), budget_(budget), artifact_(artifact) {}
  void Inspect();

 private:
  void Add(Severity severity, std::string code, std::string message) {
    artifact_.findings.push_back({.severity = severity,
                                  .code = std::move(code),
                                  .message = std::move(message),
                                  .place = {.file = artifact_.path}});
  }
  bool SayIfExceeded();
  void AddEnvironment(const ImageManifest& manifest);
  std::vector<StackedLayer> ReadLayers(const ImageManifest& manifest) const;
  void PutInOrder(const ImageManifest& manifest, std::vector<StackedLayer>& layers);
  void SayWhatIsWrong(const StackedLayer& layer, std::size_t number, std::string_view diff_id);
  void Stack(const ImageManifest& manifest, std::vector<StackedLayer>& layers);
  void StackLayer(LayerContent layer, std::size_t number);
  void AddSums(std::size_t layers);
  void Remove(const std::string& path);
  void RemoveBelow(const std::string& folder);
  void Kill(std::map<std::string, ImageFile>::iterator file) {
    dead_ += file->second.bytes;
    code_.erase(file->first);
    files_.erase(file);
  }
  void SeeRuntime(std::string_view soname);
  void SayComponents();
  void SayDuplicates();

  const BlobReader& blobs_;
  Memory memory_;
  Budget& budget_;
  Artifact& artifact_;
  std::map<std::string, ImageFile> files_;  // visible files
  std::map<std::string, DeviceCode> code_;
  std::uint64_t dead_ = 0;
  Json layers_ = Json::array();
};

void ImageInspector::RemoveBelow(const std::string& folder) {
  const std::string prefix = folder.empty() ? folder : folder + '/';
  for (auto at = files_.lower_bound(prefix); at != files_.end();) {
    if (!at->first.starts_with(prefix)) break;
    Kill(at++);
  }
}

void ImageInspector::Remove(const std::string& path) {
  if (const auto found = files_.find(path); found != files_.end()) Kill(found);
  RemoveBelow(path);
}

// Deletions affect only the layers below, wherever they are in this one.
void ImageInspector::StackLayer(LayerContent layer, std::size_t number) {
  for (const std::string& folder : layer.opaque) RemoveBelow(folder);
  for (const std::string& path : layer.deleted) Remove(path);
  for (auto& [path, file] : layer.files) {
    Remove(path);  // a file also replaces a folder of its name
    file.layer = number;
    files_[path] = std::move(file);
  }
  code_.merge(std::move(layer.code));
}

// A manifest may list a blob several times (often the empty layer): it is read once, and its
// content is shared.
std::vector<StackedLayer> ImageInspector::ReadLayers(const ImageManifest& manifest) const {
  struct Blob {
    std::string_view stored;
    std::shared_ptr<LayerContent> content = std::make_shared<LayerContent>();
  };
  std::vector<StackedLayer> layers(manifest.layers.size());
  std::vector<Blob> blobs;
  std::map<std::pair<const char*, std::size_t>, std::size_t> known;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].blob = manifest.layers[i].blob;
    const std::optional<std::string_view> stored = blobs_(layers[i].blob);
    if (!stored) continue;
    layers[i].stored_bytes = stored->size();
    const auto [place, is_new] =
        known.emplace(std::pair(stored->data(), stored->size()), blobs.size());
    if (is_new) blobs.push_back({.stored = *stored});
    layers[i].content = blobs[place->second].content;
  }
  const unsigned readers = std::min(kMostReaders, std::thread::hardware_concurrency());
  ForEachWithWorkers(blobs.size(), {.threads = readers}, [&](std::size_t) {
    return [&](std::size_t i) {
      if (budget_.is_exceeded()) return;
      *blobs[i].content = ReadLayer(blobs[i].stored, memory_, budget_);
    };
  });
  return layers;
}

// Docker 25.0.0 wrote layers in a wrong order. The configuration names each layer by its
// content, so if all are present, its order is used.
void ImageInspector::PutInOrder(const ImageManifest& manifest, std::vector<StackedLayer>& layers) {
  std::vector<std::size_t> order;
  std::vector<bool> is_taken(layers.size());
  for (const ImageLayer& wanted : manifest.layers) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const bool fits = layers[i].content && layers[i].content->is_whole &&
                        layers[i].content->digest == wanted.diff_id;
      if (is_taken[i] || !fits) continue;
      is_taken[i] = true;
      order.push_back(i);
      break;
    }
  }
  if (order.size() != layers.size() || std::is_sorted(order.begin(), order.end())) return;
  std::vector<StackedLayer> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(std::move(layers[i]));
  layers = std::move(sorted);
  Add(Severity::kWarning, "image/layer-order",
      "the manifest lists the layers in a different order than the configuration, which names them "
      "by content; the configuration's order is used");
}

void ImageInspector::SayWhatIsWrong(const StackedLayer& layer, std::size_t number,
                                    std::string_view diff_id) {
  if (!layer.content) {
    Add(Severity::kError, "image/damaged",
        fmt::format("layer {} is missing: {}", number, layer.blob));
    return;
  }
  if (!layer.content->is_whole) {
    Add(Severity::kError, "image/damaged",
        fmt::format("layer {} cannot be unpacked completely", number));
  } else if (!diff_id.empty() && diff_id != layer.content->digest) {
    Add(Severity::kError, "image/diff-id",
        fmt::format("layer {} is not the one named by the configuration", number));
  }
  if (layer.content->escapes > 0) {
    Add(Severity::kError, "image/path-escape",
        fmt::format("layer {} has {} that lead outside the image", number,
                    Count(layer.content->escapes, "path")));
  }
}

// "libcudart.so.13": an image without CUDA_VERSION may still have a runtime.
void ImageInspector::SeeRuntime(std::string_view soname) {
  constexpr std::string_view kRuntime = "libcudart.so.";
  if (!soname.starts_with(kRuntime)) return;
  const auto cuda = field::ParseCudaVersion(std::string(soname.substr(kRuntime.size())) + ".0");
  if (!cuda || cuda->major <= artifact_.cuda_major) return;
  artifact_.cuda_major = cuda->major;
  artifact_.cuda_of = fmt::format("it has {}", soname);
}

void ImageInspector::SayComponents() {
  struct Sum {
    std::uint64_t bytes = 0;
    std::vector<std::string> paths;
  };
  std::map<std::string, Sum> components;
  std::map<std::string, std::vector<std::string>> by_soname;
  for (const auto& [path, file] : files_) {
    const std::string component = ComponentOf(path, file);
    if (component.empty()) continue;
    SeeRuntime(file.soname);
    components[component].bytes += file.bytes;
    components[component].paths.push_back(path);
    const bool is_private = component.find("private") != std::string::npos;
    if (!file.soname.empty() && !is_private) by_soname[file.soname].push_back(path);
  }
  Json list = Json::array();
  for (const auto& [name, sum] : components) {
    list.push_back({{"name", name}, {"bytes", sum.bytes}, {"files", sum.paths}});
    artifact_.facts.push_back({"image", "component." + name + ".bytes", sum.bytes});
  }
  artifact_.detail["components"] = std::move(list);
  for (const auto& [soname, paths] : by_soname) {
    if (paths.size() < 2) continue;
    Add(Severity::kWarning, "image/cuda-twice",
        fmt::format("{} is included {} times: {}", soname, paths.size(), Join(paths, ", ")));
  }
}

void ImageInspector::SayDuplicates() {
  std::map<std::string, std::vector<std::string>> by_content;
  for (const auto& [path, file] : files_) {
    if (!file.sha256.empty() && file.bytes >= kLeastReported) {
      by_content[file.sha256].push_back(path);
    }
  }
  Json list = Json::array();
  std::uint64_t wasted = 0;
  for (const auto& [digest, paths] : by_content) {
    if (paths.size() < 2) continue;
    const std::uint64_t bytes = files_[paths[0]].bytes;
    wasted += bytes * (paths.size() - 1);
    list.push_back({{"sha256", digest}, {"bytes", bytes}, {"files", paths}});
  }
  artifact_.facts.push_back({"image", "duplicate_bytes", wasted});
  if (wasted >= kLeastReported) {
    Add(Severity::kWarning, "image/duplicates",
        fmt::format("{:.1f} MB are duplicates of other files", static_cast<double>(wasted) / 1e6));
  }
  artifact_.detail["duplicates"] = std::move(list);
}

void ImageInspector::AddEnvironment(const ImageManifest& manifest) {
  for (const auto& [name, value] : manifest.environment) {
    const bool matters = name.find("CUDA") != std::string::npos || name.starts_with("NV_") ||
                         name.starts_with("NVIDIA_") || name.starts_with("NCCL") ||
                         name == "LD_LIBRARY_PATH" || name == "PATH";
    if (matters) artifact_.facts.push_back({"image", "env." + name, value});
    const auto cuda = name == "CUDA_VERSION" ? field::ParseCudaVersion(value) : std::nullopt;
    if (cuda) {
      artifact_.cuda_major = cuda->major;
      artifact_.cuda_of = fmt::format("its CUDA_VERSION is {}", value);
    }
  }
  if (manifest.architecture == "amd64") artifact_.machine = "x86_64";
  if (manifest.architecture == "arm64") artifact_.machine = "aarch64";
}

// Stacks the layers, the lowest first.
void ImageInspector::Stack(const ImageManifest& manifest, std::vector<StackedLayer>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const ImageLayer& about = manifest.layers[i];
    SayWhatIsWrong(layers[i], i, about.diff_id);
    if (!layers[i].content) continue;
    const std::uint64_t bytes_here = layers[i].content->bytes;
    const std::size_t files = layers[i].content->files.size();
    const std::uint64_t dead_before = dead_;
    const std::shared_ptr<LayerContent> content = std::move(layers[i].content);
    if (content.use_count() == 1) {
      StackLayer(std::move(*content), i);
    } else {  // the same blob again
      const std::size_t entries = files + content->opaque.size() + content->deleted.size();
      if (!budget_.Spend(Total::kEntries, entries)) return;
      StackLayer(*content, i);
    }
    layers_.push_back({{"number", i},
                       {"instruction", about.instruction},
                       {"stored_bytes", layers[i].stored_bytes},
                       {"bytes", bytes_here},
                       {"files", files},
                       {"kills_bytes", dead_ - dead_before}});
  }
}

void ImageInspector::AddSums(std::size_t layers) {
  std::uint64_t bytes = 0;
  for (const auto& [path, file] : files_) bytes += file.bytes;
  artifact_.facts.push_back({"image", "layers", layers});
  artifact_.facts.push_back({"image", "files", files_.size()});
  artifact_.facts.push_back({"image", "visible_bytes", bytes});
  artifact_.facts.push_back({"image", "dead_bytes", dead_});
  if (dead_ >= 10 * kLeastReported) {
    Add(Severity::kWarning, "image/dead-bytes",
        fmt::format("{:.1f} MB were added by one layer and deleted or replaced by a later one, but "
                    "are still downloaded",
                    static_cast<double>(dead_) / 1e6));
  }
}

// Sums over some of the layers would be wrong and differ from run to run, so they are omitted.
// The list of layers, and what was read of them, stays.
bool ImageInspector::SayIfExceeded() {
  const std::optional<std::string> what = budget_.WhatIsExceeded();
  if (!what) return false;
  artifact_.findings.push_back(LimitFinding(artifact_.path, *what));
  artifact_.detail["layers"] = std::move(layers_);
  return true;
}

void ImageInspector::Inspect() {
  const Result<ImageManifest> manifest = ReadImageManifest(blobs_, budget_);
  if (!manifest.ok()) {
    if (!SayIfExceeded()) Add(Severity::kError, "image/damaged", manifest.error().message);
    return;
  }
  for (const std::string& complaint : manifest->complaints) {
    Add(Severity::kWarning, "image/manifest", complaint);
  }
  AddEnvironment(*manifest);
  std::vector<StackedLayer> layers;
  if (!budget_.is_exceeded()) layers = ReadLayers(*manifest);
  if (budget_.is_exceeded()) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (!layers[i].content || !layers[i].content->is_whole) continue;
      layers_.push_back({{"number", i},
                         {"instruction", manifest->layers[i].instruction},
                         {"stored_bytes", layers[i].stored_bytes},
                         {"bytes", layers[i].content->bytes},
                         {"files", layers[i].content->files.size()}});
    }
    artifact_.facts.push_back({"image", "layers", manifest->listed_layers});
    SayIfExceeded();
    return;
  }
  PutInOrder(*manifest, layers);
  Stack(*manifest, layers);
  if (budget_.is_exceeded()) {
    artifact_.facts.push_back({"image", "layers", manifest->listed_layers});
    SayIfExceeded();
    return;
  }
  AddSums(manifest->layers.size());
  SayComponents();
  SayDuplicates();
  artifact_.detail["layers"] = std::move(layers_);
  for (auto& [path, code] : code_) AppendCode(std::move(code), path, artifact_.code);
}

}  // namespace

bool IsImageArchive(std::string_view bytes) {
  if (bytes.size() < 1024 || bytes.substr(257, 5) != "ustar") return false;
  Budget budget(bytes.size());
  const ArchiveIndex index(bytes, budget);
  return index.Has("manifest.json") || index.Has("index.json");
}

bool IsOciLayout(const fs::path& folder) {
  const Result<Root> root = Root::Open(folder);
  return root.ok() && root->IsFile("oci-layout") && root->IsFile("index.json");
}

void InspectImageArchive(std::string_view bytes, Memory memory, Budget& budget,
                         Artifact& artifact) {
  const ArchiveIndex index(bytes, budget);
  if (!index.is_sound()) {
    artifact.findings.push_back({.severity = Severity::kError,
                                 .code = "image/damaged",
                                 .message = "the archive ends with data that is not tar",
                                 .place = {.file = artifact.path}});
  }
  const BlobReader blobs = [&](const std::string& path) { return index.Find(CleanPath(path)); };
  ImageInspector(blobs, memory, budget, artifact).Inspect();
}

void InspectOciLayout(const fs::path& folder, Budget& budget, Artifact& artifact) {
  const Result<Root> root = Root::Open(folder);
  if (!root.ok()) {
    artifact.findings.push_back({.severity = Severity::kError,
                                 .code = "inspect/unreadable",
                                 .message = root.error().message,
                                 .place = {.file = artifact.path}});
    return;
  }
  std::map<std::string, ArtifactFile> open;
  const BlobReader blobs = [&](const std::string& path) -> std::optional<std::string_view> {
    const std::string clean = CleanPath(path);
    if (clean.empty()) return std::nullopt;
    const auto found = open.find(clean);
    if (found != open.end()) return found->second.bytes();
    Result<ArtifactFile> file = ArtifactFile::Open(*root, clean);
    if (!file.ok()) return std::nullopt;
    budget.AddStored(file->bytes().size());
    return open.emplace(clean, std::move(file).value()).first->second.bytes();
  };
  ImageInspector(blobs, Memory::kMapped, budget, artifact).Inspect();
  for (const auto& [name, file] : open) {
    const auto change = file.WhatChanged();
    if (!change) continue;
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "inspect/changed",
         .message = fmt::format("{} changed while it was read: {}", name, *change),
         .hint = "inspect it again when nothing writes to it",
         .place = {.file = artifact.path}});
  }
}

}  // namespace sibyl::inspect
