// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_inspector.h"

#include "base/strings.h"
#include "inspect/docker/docker_check.h"
#include "inspect/docker/docker_diff.h"

namespace sibyl::inspect {
namespace {

constexpr Rule kDockerRules[] = {
    {"docker/copy-not-in-base", "COPY --from copies a library that its source cannot contain"},
    {"docker/missing-siblings", "a library is copied without the libraries it loads"},
    {"docker/cupti-path", "CUPTI is looked for where the packages do not put it"},
    {"docker/cuda-mismatch", "libraries or packages of one CUDA are put into an image of another"},
    {"docker/devel-last", "the final image contains compilers and headers"},
    {"docker/cuda-twice", "CUDA is in the base image and again in Python wheels"},
    {"docker/stub-on-path", "the stub of libcuda is where the driver should be found"},
    {"docker/compat-on-path", "the compat libcuda is always used, whatever the driver"},
    {"docker/cupti-in-runtime", "CUPTI is expected in an image that does not have it"},
    {"docker/no-cache-mount", "an expensive step has no cache mount"},
    {"docker/cache-defeated", "a cache mount is not used"},
    {"docker/arg-spoils-cache",
     "an ARG that changes often comes before layers that do not need it"},
    {"docker/arch-unset", "device code is compiled without naming a GPU architecture"},
    {"docker/arch-no-ptx", "newer GPUs find neither machine code nor PTX"},
    {"docker/arch-unsupported", "the toolkit of the image does not compile for an architecture"},
    {"docker/arch-not-gpu", "nothing is compiled for the GPU of --gpu"},
    {"docker/arch-unquoted", "a shell ends a list of architectures at its first ';'"},
    {"docker/nvcc-in-runtime", "the CUDA compiler is used in an image that does not have it"},
    {"docker/host-compiler", "nvcc refuses the host compiler"},
    {"docker/wheel-needs-nvcc", "a package is compiled in an image that has no compiler"},
    {"docker/driver-too-old", "the image needs a newer driver than that of --driver"},
    {"docker/driver-refused", "the image does not start with the driver of --driver"},
    {"docker/platform-not-gpu", "the image is for another processor than the GPU's machine has"},
    {"docker/driver-not-gpu", "the driver of --driver does not support the GPU of --gpu"},
    {"docker/cuda-not-gpu", "the CUDA of an image or a wheel has nothing for a GPU of --gpu"},
    {"docker/gpu-not-compared", "unknown which CUDA an image or a wheel has"},
    {"docker/driver-not-compared", "unknown which CUDA an image or a wheel has"},
    {"docker/apt-update-alone", "a package list is downloaded in a layer that is cached"},
    {"docker/apt-asks", "apt-get, dnf or yum waits for an answer"},
    {"docker/apt-lists", "the image keeps the package lists of apt"},
    {"docker/apt-no-lists", "apt-get installs after the package lists were removed"},
    {"docker/apt-recommends", "recommended packages are installed too"},
    {"docker/pip-cache", "the image keeps the downloads of pip"},
    {"docker/copy-before-install", "every change of the sources installs the dependencies again"},
    {"docker/unpinned-image", "a base image without a version"},
    {"docker/add-for-copy", "ADD where COPY does"},
    {"docker/shell-form", "signals do not reach the program"},
    {"docker/sudo", "sudo in a build, which runs as root"},
    {"docker/apt-for-people", "apt where scripts use apt-get"},
    {"docker/pipefail", "a download that fails in a pipe is not noticed"},
    {"docker/workdir-relative", "a relative WORKDIR depends on the base image"},
    {"docker/unknown-stage", "a stage that does not exist, or not yet"},
    {"docker/unknown-tag", "a tag that nvidia/cuda does not have"},
    {"docker/stage-twice", "two stages have one name"},
    {"docker/before-from", "an instruction before the first FROM"},
    {"docker/user-root", "the container runs as root"},
    {"docker/copy-destination", "several files are copied to a place that is not a folder"},
    {"docker/copy-relative", "a copy to a relative path without a WORKDIR"},
    {"docker/no-effect", "a later CMD, ENTRYPOINT or HEALTHCHECK replaces this one"},
    {"docker/add-unchecked", "a download without a checksum"},
    {"docker/download-unchecked", "a download that is used without being compared with anything"},
    {"docker/unpinned-wheel", "a CUDA wheel without a version"},
    {"docker/secret", "a secret stays in the image's history"},
    {"docker/arg-undeclared", "a FROM uses a variable that no ARG before it declares"},
    {"docker/arg-not-in-stage", "an ARG above the first FROM is used in a stage without its own"},
    {"docker/stage-reserved", "a stage has a name that means something else"},
    {"docker/platform-redundant", "FROM names the platform that it takes anyway"},
    {"docker/copy-all", "the whole file system of another stage is copied"},
    {"docker/onbuild", "an ONBUILD triggers what it cannot"},
    {"docker/path-lost", "PATH or LD_LIBRARY_PATH loses what it had"},
    {"docker/gpu-hidden", "a variable hides GPUs, or the driver, from the program"},
    {"docker/require-disabled", "the check of the driver is switched off"},
    {"docker/pip-managed", "pip refuses to install into a Python that apt manages"},
    {"docker/program-missing", "a program is used that nothing installs"},
    {"docker/cuda-key", "a withdrawn key of NVIDIA's repositories"},
    {"docker/stored-twice", "chown or chmod stores copied files again"},
    {"docker/conda-cache", "the image keeps the downloads of conda"},
    {"docker/script-errors", "a script goes on after a command that failed"},
    {"docker/conda-activate", "conda activate in a RUN, which has no initialised shell"},
    {"docker/older-system", "what is built on one system is run on an older one"},
    {"docker/wheel-index", "an index of PyTorch's wheels does not exist or lacks the release"},
    {"docker/index-replaced", "--index-url replaces PyPI by an index that lacks a package"},
    {"docker/wheel-python", "a package has no wheels for the Python of the image"},
    {"docker/python-differs", "packages of one Python are copied to an image with another"},
    {"docker/torch-companion", "torchvision, torchaudio or a wheel for another release of torch"},
    {"docker/musl", "a package that needs glibc is installed in Alpine"},
    {"docker/shell-redirect", "the shell takes a version for a redirection"},
    {"docker/not-root", "system packages are installed by a user without rights"},
    {"docker/set-too-late", "a variable of a build is set after the build"},
    {"docker/unpinned-source", "sources that are not pinned to a commit"},
    {"docker/json-quotes", "a list in single quotes, which is not JSON"},
    {"docker/port", "a port beyond 65535"},
    {"docker/lost-after-run", "a folder or a variable that ends with its RUN"},
    {"docker/driver-in-image", "a part of the driver is installed in the image"},
    {"docker/gpu-at-build", "a GPU is used while the image is built"},
    {"docker/torch-replaced", "the PyTorch of an image is replaced"},
    {"docker/cuda-replaced", "CUDA, cuDNN or NCCL of an image are replaced"},
    {"docker/torch-toolkit", "a package is compiled with another CUDA than PyTorch's"},
    {"docker/library-missing", "a package loads libraries of CUDA that the image does not have"},
    {"docker/removed-too-late", "files of earlier layers are removed, which frees nothing"},
    {"docker/cpu-wheel", "a package without CUDA in an image with CUDA"},
    {"docker/cuda-home", "the folder of another toolkit than that of the image"},
    {"docker/env-same-line", "a variable is used in the ENV that sets it"},
    {"docker/apt-upgrade", "all packages are upgraded, CUDA's too"},
    {"docker/unpinned-package", "a package of CUDA without a version"},
    {"docker/dnf-cache", "the image keeps the downloads of dnf or yum"},
    {"docker/curl-no-fail", "a download that fails saves an error page"},
    {"docker/certificate-unchecked", "a download from a server that is not verified"},
    {"docker/large-user", "a user number that makes a large log file"},
    {"docker/shell-link", "/bin/sh is replaced"},
    {"docker/maintainer", "a deprecated instruction"},
};

}  // namespace

// The first instruction of a Dockerfile is FROM or an ARG for it. Many texts begin so; the name
// must match too, or a BuildKit directive must be present.
bool IsDockerfile(const UnknownFile& file) {
  if (!file.is_text) return false;
  const std::string lower = LowerCase(file.name);
  const bool is_named = lower == "dockerfile" || lower == "containerfile" ||
                        lower.starts_with("dockerfile.") || lower.ends_with(".dockerfile") ||
                        lower.starts_with("containerfile.") || lower.starts_with("dockerfile-");
  for (const std::string_view raw : SplitLines(file.beginning)) {
    const std::string_view line = Trim(raw);
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      if (LowerCase(line).find("syntax=docker/dockerfile") != std::string::npos) return true;
      continue;
    }
    return is_named &&
           (StartsWithIgnoringCase(line, "FROM ") || StartsWithIgnoringCase(line, "ARG "));
  }
  return false;
}

void InspectDockerfile(const DetectedFile& file, Artifact& artifact) {
  CheckDockerfile(ParseDockerfile(file.bytes), file.options, artifact);
  std::string diff = DiffOfDockerfile(artifact.path, file.bytes, artifact.detail["corrections"]);
  if (!diff.empty()) artifact.detail["diff"] = std::move(diff);
  Json fixes = FixesOfDockerfile(file.bytes, artifact.detail["corrections"]);
  if (!fixes.empty()) artifact.detail["fixes"] = std::move(fixes);
}

std::span<const Rule> DockerRules() { return kDockerRules; }

}  // namespace sibyl::inspect
