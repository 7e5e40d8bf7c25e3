// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_image.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/strings.h"
#include "field/field.h"

namespace sibyl::inspect {
namespace {

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view s) { return text.starts_with(s); });
}

// "2.9.0-cuda13.0-cudnn9-runtime": the tags of many images have it.
void AddCudaOfTag(std::string_view tag, CudaImage& about) {
  constexpr std::string_view kCuda = "cuda";
  const std::size_t at = tag.find(kCuda);
  if (at == tag.npos) return;
  const std::string_view version = tag.substr(at + kCuda.size());
  if (const auto cuda = field::ParseCudaVersion(version.substr(0, version.find('-')))) {
    about.major = cuda->major;
    about.minor = cuda->minor;
  }
}

// Images of Docker Hub that have no CUDA.
bool IsPlain(std::string_view name) {
  constexpr std::string_view kPlain[] = {"node",  "golang",   "rust",   "gcc",
                                         "nginx", "ruby",     "php",    "maven",
                                         "redis", "postgres", "centos", "busybox"};
  return std::ranges::find(kPlain, name) != std::end(kPlain);
}

}  // namespace

CudaImage DescribeImage(std::string_view image) {
  CudaImage about;
  std::string_view name = image.substr(0, image.find('@'));
  const std::size_t colon = name.rfind(':');
  const std::string_view tag = colon == std::string_view::npos || Contains(name.substr(colon), "/")
                                   ? std::string_view()
                                   : name.substr(colon + 1);
  name = name.substr(0, tag.empty() ? name.size() : colon);
  for (const std::string_view registry : {"docker.io/", "nvcr.io/", "library/"}) {
    if (name.starts_with(registry)) name.remove_prefix(registry.size());
  }
  about.has_cudnn = Contains(tag, "cudnn");
  if (Contains(tag, "devel")) about.variant = CudaVariant::kDevel;
  if (Contains(tag, "runtime")) about.variant = CudaVariant::kRuntime;
  if (Contains(tag, "-base")) about.variant = CudaVariant::kBase;
  if (name == "nvidia/cuda") {
    about.is_known = about.variant != CudaVariant::kNone;
    const std::string_view version = tag.substr(0, tag.find('-'));
    if (const auto cuda = field::ParseCudaVersion(version)) {
      about.major = cuda->major;
      about.minor = cuda->minor;
    }
    return about;
  }
  if (name == "pytorch/pytorch") {
    about.has_torch = true;  // includes most of CUDA: not judged by packages
    AddCudaOfTag(tag, about);
    return about;
  }
  if (const field::ImageRelease* release = field::FindImageRelease(name, tag)) {
    return {.has_torch = name == "nvidia/pytorch",
            .major = release->cuda.major,
            .minor = release->cuda.minor,
            .has_compat = true};
  }
  about.variant = CudaVariant::kNone;
  about.has_cudnn = false;
  about.is_known = StartsWithAny(name, {"ubuntu", "debian", "python", "alpine", "busybox", "fedora",
                                        "rockylinux", "scratch", "gcr.io/distroless"}) ||
                   IsPlain(name);
  if (!about.is_known) AddCudaOfTag(tag, about);
  return about;
}

bool MayBeRelease(std::string_view version) {
  const std::optional<field::CudaVersion> cuda = field::ParseCudaVersion(version);
  const auto all = field::ImagePatches();
  const bool is_in_table =
      cuda && !all.empty() && *cuda <= all.front().cuda && *cuda >= all.back().cuda;
  if (!is_in_table) return true;
  const auto patch = std::ranges::find(all, *cuda, &field::ImagePatch::cuda);
  return patch != all.end() && field::CompareVersions(version, patch->newest) <= 0;
}

std::string WithVariant(std::string_view image, std::string_view variant) {
  constexpr std::string_view kCuda = "nvidia/cuda:";
  if (const std::size_t name = image.find(kCuda); name != image.npos) {
    const std::string_view tag = image.substr(name + kCuda.size());
    if (!MayBeRelease(tag.substr(0, tag.find('-')))) return {};
  }
  std::string text(image);
  for (const std::string_view old : {"-devel", "-runtime", "-base"}) {
    const std::size_t at = text.find(old);
    if (at == std::string::npos) continue;
    text.replace(at + 1, old.size() - 1, variant);
    if (variant == "base") {
      if (const std::size_t cudnn = text.find("-cudnn"); cudnn < at) text.erase(cudnn, at - cudnn);
    }
    return text;
  }
  return text;
}

}  // namespace sibyl::inspect
