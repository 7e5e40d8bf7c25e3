// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_copies.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"

namespace sibyl::inspect {
namespace {

// Files that people copy between stages, and the images that contain them.
struct Part {
  std::string_view what;
  std::string_view needle;
  bool in_base;
  bool in_runtime;
  bool in_devel;
  bool needs_cudnn_image;
  std::string_view package;
};

constexpr Part kParts[] = {
    {"CUPTI", "cupti", false, false, true, false, "cuda-cupti"},
    {"cuDNN", "libcudnn", false, false, false, true, "libcudnn9-cuda"},
    {"NCCL", "libnccl", false, true, true, false, "libnccl2"},
    {"cuBLAS", "libcublas", false, true, true, false, "libcublas"},
    {"cuFFT", "libcufft", false, true, true, false, "libcufft"},
    {"cuSPARSE", "libcusparse", false, true, true, false, "libcusparse"},
    {"cuSOLVER", "libcusolver", false, true, true, false, "libcusolver"},
    {"the CUDA compiler", "bin/nvcc", false, false, true, false, "cuda-nvcc"},
    {"Nsight Compute", "nsight-compute", false, false, true, false, "cuda-nsight-compute"},
};

bool Holds(const CudaImage& image, const Part& part) {
  if (part.needs_cudnn_image) return image.has_cudnn;
  switch (image.variant) {
    case CudaVariant::kNone:
      return false;
    case CudaVariant::kBase:
      return part.in_base;
    case CudaVariant::kRuntime:
      return part.in_runtime;
    case CudaVariant::kDevel:
      return part.in_devel;
  }
  return false;
}

class Copies {
 public:
  Copies(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      for (const DockerInstruction& instruction : file_.stages[i].instructions) {
        if (instruction.keyword == "COPY") CheckCopy(i, instruction);
      }
    }
  }

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }
  void Correct(const DockerInstruction& at, const std::vector<std::string>& lines) {
    CorrectDockerLine(artifact_, at, lines);
  }
  bool MayInstall(std::size_t stage, const Part& part);
  void CheckCopy(std::size_t stage, const DockerInstruction& copy);
  void CheckSiblings(const DockerInstruction& copy, const std::string& source,
                     const std::string& all);
  void CorrectSiblings(const DockerInstruction& copy, const std::string& source,
                       const std::string& pattern);

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

// A package manager in this stage, or in one it is built on, may have installed anything that
// it names.
bool Copies::MayInstall(std::size_t stage, const Part& part) {
  std::optional<std::size_t> at = stage;
  while (at) {
    for (const DockerInstruction& instruction : file_.stages[*at].instructions) {
      const std::string script = LowerCase(instruction.Script());
      if (!budget_.Spend(script.size())) return true;  // reports nothing then
      if (instruction.keyword == "RUN" &&
          (Contains(script, "cuda") || Contains(script, "nvidia") || Contains(script, "torch") ||
           Contains(script, part.needle) || Contains(script, ".sh") || Contains(script, ".deb") ||
           Contains(script, "requirements") || Contains(script, "conda"))) {
        return true;
      }
      const bool is_copy = instruction.keyword == "COPY" || instruction.keyword == "ADD";
      if (is_copy && Contains(script, part.needle)) return true;
    }
    at = file_.stages[*at].base_stage;
  }
  return false;
}

// The pattern in the place of one library, and a folder as the destination.
void Copies::CorrectSiblings(const DockerInstruction& copy, const std::string& source,
                             const std::string& pattern) {
  const std::vector<std::string> words = ShellWords(copy.arguments);
  const std::string& destination = words.back();
  const bool is_folder = destination.ends_with('/') || destination.ends_with('.');
  const std::string folder =
      is_folder ? destination : destination.substr(0, destination.rfind('/') + 1);
  if (copy.lines.size() != 1 || copy.arguments.starts_with('[') || folder.empty() ||
      folder.find('$') != std::string::npos) {
    artifact_.findings.back().hint = fmt::format("copy {} to a folder", pattern);
    return;
  }
  std::string line = copy.lines[0];
  const std::size_t end = line.rfind(destination);
  const std::size_t begin = line.find(source);
  if (end == line.npos || begin == line.npos || begin + source.size() > end) return;
  line.replace(end, destination.size(), folder);
  Correct(copy, {line.replace(begin, source.size(), pattern)});
}

void Copies::CheckSiblings(const DockerInstruction& copy, const std::string& source,
                           const std::string& all) {
  const std::string folder = source.substr(0, source.rfind('/') + 1);
  const std::string name = source.substr(folder.size());
  if (name.starts_with("libcudnn.so") && !Contains(all, "libcudnn_") &&
      !Contains(all, "libcudnn*")) {
    const bool is_8 = name.starts_with("libcudnn.so.8");
    Add(copy, Severity::kError, "docker/missing-siblings",
        fmt::format("libcudnn.so only loads its sub-libraries: without {} beside it, every call "
                    "fails",
                    is_8 ? "libcudnn_ops_infer, _ops_train, _cnn_infer, _cnn_train, _adv_infer and "
                           "_adv_train"
                         : "libcudnn_graph, _ops, _cnn, _adv, _engines_* and _heuristic"));
    CorrectSiblings(copy, source, folder + "libcudnn*.so.*");
  }
  if (name.starts_with("libcublas.so") && !Contains(all, "libcublasLt") &&
      !Contains(all, "libcublas*")) {
    Add(copy, Severity::kError, "docker/missing-siblings", "libcublas.so needs libcublasLt.so");
    CorrectSiblings(copy, source, folder + "libcublas*.so.*");
  }
}

void Copies::CheckCopy(std::size_t stage, const DockerInstruction& copy) {
  const std::optional<std::string> from = copy.Flag("from");
  if (!from) return;
  std::vector<std::string> words = ShellWords(copy.arguments);
  if (words.size() < 2) return;
  words.pop_back();  // the destination
  const std::optional<std::size_t> source_stage = file_.FindStage(*from);
  if (source_stage && *source_stage >= stage) return;
  const CudaImage image =
      source_stage ? DescribeImage(file_.Root(*source_stage).image) : DescribeImage(*from);
  const CudaImage own = DescribeImage(file_.Root(stage).image);
  bool takes_cuda = false;
  const std::string all = copy.Script();
  for (const std::string& source : words) {
    if (!budget_.Spend(all.size())) return;
    bool is_there = true;
    for (const Part& part : kParts) {
      if (!Contains(LowerCase(source), part.needle)) continue;
      takes_cuda = true;
      if (!image.is_known || Holds(image, part)) continue;
      if (source_stage && MayInstall(*source_stage, part)) continue;
      is_there = false;
      const std::string where = source_stage ? file_.Root(*source_stage).image : *from;
      Add(copy, Severity::kError, "docker/copy-not-in-base",
          fmt::format("{} has no {}, and nothing in the stage installs it: this line fails", where,
                      part.what));
      const std::string devel = WithVariant(where, "devel");
      if (image.variant != CudaVariant::kNone && !part.needs_cudnn_image && !devel.empty()) {
        const DockerStage* root = source_stage ? &file_.Root(*source_stage) : nullptr;
        Correct(root != nullptr ? root->instructions[0] : copy,
                {fmt::format("FROM {}{}", devel,
                             root != nullptr && !root->name.empty() ? " AS " + root->name : "")});
      } else {
        const bool is_8 = part.needs_cudnn_image && Contains(source, "libcudnn.so.8");
        const std::string major = part.needs_cudnn_image && !is_8 && image.major != 0
                                      ? fmt::format("-{}", image.major)
                                      : std::string();
        artifact_.findings.back().hint =
            fmt::format("install {}{} there, or copy from an image that has it",
                        is_8 ? "libcudnn8" : part.package, major);
      }
      break;
    }
    // What is for another CUDA is not to be copied at all.
    const bool fits = image.major == 0 || own.major == 0 || image.major == own.major;
    if (is_there && fits) CheckSiblings(copy, source, all);
    // Before CUDA 13, packages put it in another folder than the other libraries.
    if (Contains(source, "/lib64/libcupti") && !Contains(source, "CUPTI") && image.major == 12) {
      Add(copy, Severity::kWarning, "docker/cupti-path",
          "in CUDA 12 images CUPTI is in /usr/local/cuda/extras/CUPTI/lib64");
      Correct(copy, {fmt::format("COPY --from={} /usr/local/cuda/extras/CUPTI/lib64/libcupti.so* "
                                 "/usr/local/cuda/lib64/",
                                 *from)});
    }
  }
  if (takes_cuda && image.major != 0 && own.major != 0 && image.major != own.major) {
    Add(copy, Severity::kError, "docker/cuda-mismatch",
        fmt::format("a CUDA {} library is copied into a CUDA {} image", image.major, own.major))
        .hint = fmt::format("copy it from an image of CUDA {}", own.major);
  }
}

}  // namespace

void CheckCopies(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Copies(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
