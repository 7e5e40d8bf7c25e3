// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/linux_system.h"

#include <array>
#include <utility>

#include "base/strings.h"
#include "field/field.h"

namespace sibyl::inspect {
namespace {

using Codename = std::pair<std::string_view, std::string_view>;
constexpr std::array<Codename, 5> kUbuntu = {{{"focal", "20.04"},
                                              {"jammy", "22.04"},
                                              {"noble", "24.04"},
                                              {"plucky", "25.04"},
                                              {"resolute", "26.04"}}};
constexpr std::array<Codename, 4> kDebian = {
    {{"buster", "10"}, {"bullseye", "11"}, {"bookworm", "12"}, {"trixie", "13"}}};

// "24.04" of "24.04", "noble" or "noble-20240605".
template <std::size_t N>
std::string VersionOf(std::string_view tag, const std::array<Codename, N>& names) {
  for (const auto& [name, version] : names) {
    if (Contains(tag, name)) return std::string(version);
  }
  const std::size_t end = tag.find_first_not_of("0123456789.");
  return std::string(tag.substr(0, end));
}

}  // namespace

LinuxSystem SystemOf(std::string_view image) {
  std::string_view name = image.substr(0, image.find('@'));
  for (const std::string_view registry : {"docker.io/", "nvcr.io/", "library/"}) {
    if (name.starts_with(registry)) name.remove_prefix(registry.size());
  }
  const std::size_t colon = name.find(':');
  const std::string_view tag = colon == name.npos ? "" : name.substr(colon + 1);
  name = name.substr(0, colon);
  if (name == "ubuntu") return {.name = "ubuntu", .version = VersionOf(tag, kUbuntu)};
  if (name == "debian") return {.name = "debian", .version = VersionOf(tag, kDebian)};
  // The other images of Python have compilers, git and more.
  if (name == "python" && Contains(tag, "slim")) return {.name = "debian", .has_python = true};
  if (name != "nvidia/cuda") return {};
  constexpr std::string_view kUbuntuTag = "ubuntu";
  const std::size_t at = tag.rfind(kUbuntuTag);
  if (at == tag.npos) return {};
  return {.name = "ubuntu",
          .version = VersionOf(tag.substr(at + kUbuntuTag.size()), kUbuntu),
          .has_cuda = true};
}

const field::System* DistributionOf(std::string_view image) {
  const LinuxSystem system = SystemOf(image);
  const bool is_python = image.starts_with("python:") || image.starts_with("docker.io/python:") ||
                         image.starts_with("docker.io/library/python:");
  if (!is_python) return field::FindSystem(system.name, system.version);
  for (const auto& [name, version] : kDebian) {
    if (Contains(image, name)) return field::FindSystem("debian", version);
  }
  return nullptr;
}

bool ManagesPython(const LinuxSystem& system) {
  if (system.version.empty() || system.has_python) return false;
  return field::CompareVersions(system.version, system.name == "ubuntu" ? "23.04" : "12.0") >= 0;
}

}  // namespace sibyl::inspect
