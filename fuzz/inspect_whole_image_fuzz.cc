// SPDX-License-Identifier: Apache-2.0
// A whole image: the input decides which layers there are, what is in them, how
// they are packed and damaged, and what manifests and indexes list. For any
// input, the totals of the artifact hold, an exceeded total is reported once, and
// the same bytes give the same facts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "inspect/cuda/test_code.h"
#include "inspect/image/image.h"
#include "inspect/image/test_image.h"

namespace {

using namespace sibyl::inspect;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

// Takes decisions from the front of the input; zero when it is used up.
class Choices {
 public:
  explicit Choices(std::string_view input) : input_view_(input) {}
  unsigned Below(unsigned limit) {
    if (input_view_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(input_view_[0]);
    input_view_.remove_prefix(1);
    return byte % limit;
  }
  std::string Bytes(std::size_t most) {
    const std::string bytes(input_view_.substr(0, most));
    input_view_.remove_prefix(bytes.size());
    return bytes;
  }
  bool is_empty() const { return input_view_.empty(); }

 private:
  std::string_view input_view_;
};

std::string Name(Choices& choices) {
  constexpr std::string_view kParts[] = {"a",       "b",           "lib/",         "..",
                                         "/",       ".wh.",        ".wh..wh..opq", "libcudnn.so.9",
                                         "nsight/", "libcupti.so", "./",           "x"};
  std::string name;
  const unsigned parts = 1 + choices.Below(4);
  for (unsigned i = 0; i < parts; ++i) name += kParts[choices.Below(12)];
  if (choices.Below(32) == 31) name += std::string(200, 'n');
  return name;
}

std::string Content(Choices& choices) {
  switch (choices.Below(5)) {
    case 0:
      return {};
    case 1:
      return choices.Bytes(choices.Below(64));
    case 2:
      return std::string(std::size_t{1} << choices.Below(19), 'z');
    case 3: {
      const std::uint32_t number = 70 + choices.Below(40);
      return MakeElf(
          {.sections = {
               {.name = ".nv_fatbin",
                .content = MakeFatbin(
                    {{.number = number, .payload = MakeCubin(number, SampleCode::kKernel)}})},
               {.name = ".data", .content = std::string(300'000, 'd')}}});
    }
    default:
      return MakeElf({.sections = {{.name = ".nv_fatbin", .content = choices.Bytes(200)},
                                   {.name = ".data", .content = std::string(300'000, 'e')}}});
  }
}

std::string Damaged(std::string bytes, Choices& choices) {
  if (bytes.empty()) return bytes;
  switch (choices.Below(8)) {
    case 6:
      bytes[choices.Below(256) % bytes.size()] ^= 0x41;
      return bytes;
    case 7:
      bytes.resize(bytes.size() * choices.Below(256) / 256);
      return bytes;
    default:
      return bytes;
  }
}

struct Layer {
  std::string plain;
  std::string stored;
};

Layer MakeLayer(Choices& choices) {
  constexpr char kTypes[] = {'0', '0', '0', '1', '2', '5', 'S', 'x', 'g', 'L', 'K', '7'};
  Layer layer;
  const unsigned entries = choices.Below(12);
  for (unsigned i = 0; i < entries && layer.plain.size() < (1U << 21); ++i) {
    const std::string name = Name(choices);
    const char type = kTypes[choices.Below(12)];
    layer.plain += TarMember(name, type == '5' ? "" : Content(choices), type);
  }
  layer.plain += TarEnd();
  switch (choices.Below(4)) {
    case 0:
      layer.stored = layer.plain;
      break;
    case 1:
      layer.stored = Gzipped(layer.plain);
      break;
    case 2:
      layer.stored = Zstandard(layer.plain);
      break;
    default:
      layer.stored = choices.Bytes(100);
      break;
  }
  layer.stored = Damaged(std::move(layer.stored), choices);
  return layer;
}

std::string Quoted(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ",") + item;
  return "[" + text + "]";
}

std::string MakeArchive(Choices& choices) {
  std::vector<Layer> layers;
  for (unsigned i = 0; i <= choices.Below(5); ++i) layers.push_back(MakeLayer(choices));
  std::vector<std::string> names;
  std::vector<std::string> digests;
  std::vector<std::string> ids;
  for (unsigned i = 0, listed = choices.Below(24); i < listed; ++i) {
    const std::size_t which = choices.Below(static_cast<unsigned>(layers.size()) + 1);
    names.push_back("\"blobs/sha256/" + std::to_string(which) + "\"");
    digests.push_back("{\"digest\":\"sha256:" + std::to_string(which) + "\"}");
    const bool is_there = which < layers.size() && choices.Below(8) != 7;
    ids.push_back("\"sha256:" + (is_there ? sibyl::Sha256(layers[which].plain) : "0") + "\"");
  }
  std::string archive;
  const std::string config =
      "{\"config\":{\"Env\":[\"CUDA_VERSION=13\"]},\"rootfs\":{\"diff_ids\":" + Quoted(ids) + "}}";
  const std::string manifest =
      "{\"config\":{\"digest\":\"sha256:config\"},\"layers\":" + Quoted(digests) + "}";
  std::vector<std::string> descriptors;
  for (unsigned i = 0, count = choices.Below(12); i < count; ++i) {
    constexpr const char* kTargets[] = {"index", "manifest", "other", "none"};
    descriptors.push_back(std::string("{\"digest\":\"sha256:") + kTargets[choices.Below(4)] +
                          "\"}");
  }
  const std::string index = "{\"manifests\":" + Quoted(descriptors) + "}";
  const unsigned parts = choices.Below(64);
  const auto put = [&](unsigned bit, const std::string& name, const std::string& bytes) {
    if ((parts >> bit & 1U) == 0) archive += TarMember(name, Damaged(bytes, choices));
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    archive += TarMember("blobs/sha256/" + std::to_string(i), layers[i].stored);
  }
  put(0, "blobs/sha256/config", config);
  put(1, "blobs/sha256/manifest", manifest);
  put(2, "index.json", index);
  put(3, "blobs/sha256/index", index);
  put(4, "blobs/sha256/other", choices.Below(2) == 0 ? index : choices.Bytes(80));
  put(5, "manifest.json",
      "[{\"Config\":\"blobs/sha256/config\",\"Layers\":" + Quoted(names) + "}]");
  return archive + TarEnd();
}

struct Limits {
  std::uint64_t unpacked = 0;
  std::uint64_t entries = 0;
  std::uint64_t kept = 0;
};

Artifact Look(const std::string& archive, const Limits& limits, Budget& budget) {
  budget.SetLimit(Total::kUnpackedBytes, limits.unpacked);
  budget.SetLimit(Total::kEntries, limits.entries);
  budget.SetLimit(Total::kKeptBytes, limits.kept);
  budget.SetLimit(Total::kLayers, 16);
  budget.SetLimit(Total::kDocuments, 6);
  Artifact artifact{.path = "image.tar"};
  InspectImageArchive(archive, Memory::kOwned, budget, artifact);
  return artifact;
}

void CheckTotals(const Artifact& artifact, const Budget& budget) {
  // Readers of three layers may each be a piece of a megabyte ahead.
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  Require(budget.spent(Total::kUnpackedBytes) <= budget.limit(Total::kUnpackedBytes) + 4 * kPiece);
  Require(budget.spent(Total::kEntries) <= budget.limit(Total::kEntries) + 4 * kPiece / 512);
  Require(budget.spent(Total::kDocuments) <= budget.limit(Total::kDocuments) + 1);
  std::size_t limits_said = 0;
  for (const sibyl::Finding& finding : artifact.findings) {
    Require(!finding.message.empty() && finding.place.file == artifact.path);
    limits_said += finding.code == "inspect/limit" ? 1 : 0;
  }
  Require(limits_said == (budget.is_exceeded() ? 1U : 0U));
  const bool has_sums = FindFact(artifact, "image", "files") != nullptr;
  Require(!budget.is_exceeded() || (!has_sums && artifact.code.empty()));
  if (!has_sums) return;
  std::size_t added = 0;
  for (const sibyl::Json& layer : artifact.detail["layers"]) {
    added += layer["files"].get<std::size_t>();
  }
  Require(FindFact(artifact, "image", "files")->value.get<std::size_t>() <= added);
  Require(artifact.detail["layers"].size() <= 16);
  for (const CodeImage& image : artifact.code.images) {
    Require(image.region < artifact.code.regions.size());
    Require(image.container < artifact.code.containers.size());
    Require(image.origin < artifact.code.origins.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices({reinterpret_cast<const char*>(data), size});
  const Limits limits{.unpacked = std::uint64_t{4096} << choices.Below(11),
                      .entries = std::uint64_t{4} << choices.Below(8),
                      .kept = std::uint64_t{1024} << choices.Below(9)};
  const std::string archive = MakeArchive(choices);
  if (!IsImageArchive(archive)) return 0;
  Budget budget(archive.size());
  const Artifact artifact = Look(archive, limits, budget);
  CheckTotals(artifact, budget);
  Budget again(archive.size());
  const Artifact second = Look(archive, limits, again);
  Require(budget.is_exceeded() == again.is_exceeded());
  Require(artifact.facts.size() == second.facts.size());
  for (std::size_t i = 0; i < artifact.facts.size(); ++i) {
    Require(artifact.facts[i].key == second.facts[i].key);
    Require(artifact.facts[i].value == second.facts[i].value);
  }
  return 0;
}
