// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"

namespace sibyl::inspect {
namespace {

constexpr std::string_view kCudaImage = "nvidia/cuda";

struct CudaTag {
  std::string version;  ///< "12.8.1"
  std::string cudnn;    ///< "cudnn8"
  std::string flavour;  ///< "devel"
  std::string system;   ///< "ubuntu24.04"

  std::string Text() const {
    std::string text = version;
    for (const std::string& part : {cudnn, flavour, system}) {
      if (!part.empty()) text += "-" + part;
    }
    return text;
  }
};

const field::TagPart* FindPart(std::string_view part) {
  for (const field::TagPart& each : field::TagParts()) {
    if (each.image == kCudaImage && each.part == part) return &each;
  }
  return nullptr;
}

bool IsFlavour(std::string_view part) {
  return part == "base" || part == "runtime" || part == "devel";
}

// Parts in any order; what is neither a flavour nor cuDNN is the system.
CudaTag ReadTag(std::string_view text) {
  CudaTag tag;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('-'), text.size());
    const std::string part(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (tag.version.empty()) {
      tag.version = part;
    } else if (IsFlavour(part) && tag.flavour.empty()) {
      tag.flavour = part;
    } else if (part.starts_with("cudnn") && tag.cudnn.empty()) {
      tag.cudnn = part;
    } else {
      tag.system += (tag.system.empty() ? "" : "-") + part;
    }
  }
  return tag;
}

// False if the releases of the part are known, and this is none of them.
bool HasPart(const field::TagPart& part, std::string_view version) {
  if (!part.first.empty() && field::CompareVersions(version, part.first) < 0) return false;
  return part.last.empty() || field::CompareVersions(version, part.last) <= 0;
}

std::string Systems(std::string_view version) {
  std::vector<std::string> names;
  for (const field::TagPart& part : field::TagParts()) {
    const bool is_system = part.image == kCudaImage && !part.part.starts_with("cudnn");
    if (is_system && part.part.starts_with("ubuntu") && !part.first.empty() &&
        HasPart(part, version)) {
      names.emplace_back(part.part);
    }
  }
  return Join(names, ", ");
}

class Tags {
 public:
  Tags(const Dockerfile& file, Artifact& artifact) : file_(file), artifact_(artifact) {}

  void Check() {
    for (const DockerStage& stage : file_.stages) {
      if (stage.base_stage || !stage.is_resolved || Contains(stage.image, "@sha256:")) continue;
      std::string_view image = stage.image;
      for (const std::string_view registry : {"docker.io/", "nvcr.io/"}) {
        if (image.starts_with(registry)) image.remove_prefix(registry.size());
      }
      if (!image.starts_with(kCudaImage)) continue;
      image.remove_prefix(kCudaImage.size());
      if (!image.empty() && image[0] != ':') continue;
      CheckTag(stage.instructions[0], image.empty() ? image : image.substr(1));
    }
  }

 private:
  void Say(const DockerInstruction& from, std::string_view tag, std::string why,
           const std::string& better) {
    const bool has_tag = !tag.empty();
    // A release that is newer than the table may have tags that are not in it.
    const std::optional<field::CudaVersion> cuda = field::ParseCudaVersion(ReadTag(tag).version);
    const bool is_known = !cuda || cuda->major < 11 || field::FindToolkit(*cuda) != nullptr;
    AddDockerFinding(artifact_, from, is_known ? Severity::kError : Severity::kWarning,
                     "docker/unknown-tag",
                     has_tag ? fmt::format("nvidia/cuda has no tag '{}': {}", tag, why) : why);
    std::string line = from.text;
    const std::size_t at = has_tag && !better.empty() ? line.find(tag) : std::string::npos;
    if (at != std::string::npos) {
      CorrectDockerLine(artifact_, from, {line.replace(at, tag.size(), better)});
    } else {
      artifact_.findings.back().hint =
          better.empty()
              ? "tags are like 13.0.1-devel-ubuntu24.04 or 13.0.1-cudnn-runtime-ubuntu24.04"
              : fmt::format("write {}", better);
    }
  }

  void CheckTag(const DockerInstruction& from, std::string_view tag) {
    if (tag.empty() || tag == "latest") {
      Say(from, {}, "nvidia/cuda has no tag 'latest': the build fails", {});
      return;
    }
    CudaTag read = ReadTag(tag);
    const std::optional<field::CudaVersion> cuda = field::ParseCudaVersion(read.version);
    if (!cuda) {
      // "ARG CUDA=notset": to be given with --build-arg.
      if (Contains(from.arguments, "$")) return;
      Say(from, tag, "a tag begins with the version of CUDA", {});
      return;
    }
    if (cuda->major < 11) {
      Say(from, tag, "the images of CUDA 10 and older were deleted", {});
      return;
    }
    if (std::ranges::count(read.version, '.') < 2) {
      Say(from, tag, fmt::format("the version has three numbers, {} has not", read.version), {});
      return;
    }
    if (!MayBeRelease(read.version)) {
      SayRelease(from, read.version, *cuda);
      return;
    }
    CheckParts(from, tag, std::move(read));
  }

  // No line is suggested: whether a system has another release is not in the table.
  void SayRelease(const DockerInstruction& from, std::string_view version,
                  const field::CudaVersion& cuda) {
    const auto all = field::ImagePatches();
    const auto patch = std::ranges::find(all, cuda, &field::ImagePatch::cuda);
    AddDockerFinding(
        artifact_, from, Severity::kWarning, "docker/unknown-tag",
        patch == all.end()
            ? fmt::format("no release of nvidia/cuda with CUDA {} is known", Format(cuda))
            : fmt::format("nvidia/cuda {} is not a known release: the newest of CUDA {} is {}",
                          version, Format(cuda), patch->newest))
        .hint = "hub.docker.com/r/nvidia/cuda/tags lists the tags that exist";
  }

  void CheckParts(const DockerInstruction& from, std::string_view tag, CudaTag read) {
    std::vector<std::string> why;
    if (read.flavour.empty()) {
      Say(from, tag, "base, runtime or devel is missing", {});
      return;
    }
    if (!read.cudnn.empty() && read.flavour == "base") {
      why.emplace_back("images with cuDNN are runtime or devel");
      read.flavour = "runtime";
    }
    CorrectCudnn(read, why);
    if (!CorrectSystem(read, why)) {
      Say(from, tag, fmt::format("'{}' is not a system of these images", read.system), {});
      return;
    }
    const std::string better = read.Text();
    if (better == tag) return;
    if (why.empty()) why.emplace_back("its parts are in another order");
    Say(from, tag, Join(why, ", and "), better);
  }

  static void CorrectCudnn(CudaTag& read, std::vector<std::string>& why) {
    if (read.cudnn.empty()) return;
    const field::TagPart* part = FindPart(read.cudnn);
    if (part != nullptr && HasPart(*part, read.version)) return;
    for (const std::string_view name : {"cudnn", "cudnn9", "cudnn8", "cudnn7"}) {
      const field::TagPart* other = FindPart(name);
      if (other == nullptr || !HasPart(*other, read.version)) continue;
      why.push_back(fmt::format("images of CUDA {} with cuDNN are named {}", read.version, name));
      read.cudnn = name;
      return;
    }
  }

  // False if nothing like it exists.
  static bool CorrectSystem(CudaTag& read, std::vector<std::string>& why) {
    if (read.system.empty()) {
      why.push_back(fmt::format("the system is missing ({})", Systems(read.version)));
      const std::string systems = Systems(read.version);
      read.system = systems.substr(systems.rfind(' ') + 1);
      return !read.system.empty();
    }
    if (const field::TagPart* part = FindPart(read.system)) {
      if (HasPart(*part, read.version)) return true;
      const bool is_early =
          !part->first.empty() && field::CompareVersions(read.version, part->first) < 0;
      why.push_back(fmt::format("{} {} with CUDA {}", read.system, is_early ? "begins" : "ends",
                                is_early ? part->first : part->last));
      const std::string systems = Systems(read.version);
      read.system = systems.substr(systems.rfind(' ') + 1);
      return !read.system.empty();
    }
    std::vector<std::string> names;
    for (const field::TagPart& part : field::TagParts()) {
      if (!part.part.starts_with("cudnn")) names.emplace_back(part.part);
    }
    const auto nearest = NearestName(read.system, names);
    if (!nearest) return false;
    why.push_back(fmt::format("'{}' is not a system of these images", read.system));
    read.system = *nearest;
    return true;
  }

  const Dockerfile& file_;
  Artifact& artifact_;
};

}  // namespace

void CheckTags(const Dockerfile& file, Artifact& artifact) { Tags(file, artifact).Check(); }

}  // namespace sibyl::inspect
