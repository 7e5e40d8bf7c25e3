// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/cuda/docker_final_cuda.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/rules/linux_system.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

struct LinkedLibrary {
  std::string_view option;
  std::string_view name;
};

// Libraries that base images do not have; a program loads them when it starts.
constexpr std::array<LinkedLibrary, 7> kLinked = {{{"-lcublas", "cuBLAS"},
                                                   {"-lcublasLt", "cuBLAS"},
                                                   {"-lcudnn", "cuDNN"},
                                                   {"-lcufft", "cuFFT"},
                                                   {"-lcusparse", "cuSPARSE"},
                                                   {"-lcusolver", "cuSOLVER"},
                                                   {"-lnccl", "NCCL"}}};

// What a stage makes, as far as its lines say it.
struct Made {
  bool compiles = false;
  std::vector<std::string> libraries;  ///< "cuBLAS"
  field::CudaVersion torch;  ///< Of the index that torch was installed from; {0, 0}: none.
};

class HandedOver {
 public:
  HandedOver(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    if (file_.stages.size() < 2) return;
    const std::size_t last = file_.stages.size() - 1;
    const Made own = MadeBy(last);
    for (const DockerInstruction& copy : file_.stages[last].instructions) {
      const std::optional<std::string> from = copy.Flag("from");
      if (copy.keyword != "COPY" || !from || !budget_.Spend(file_.stages.size())) continue;
      const std::optional<std::size_t> source = file_.FindStage(*from);
      if (!source || *source >= last) continue;
      const Made made = MadeBy(*source);
      if (!made.compiles) continue;
      CheckLibraries(last, copy, made);
      CheckSystem(last, copy, *source);
      CheckTorch(last, own, made);
      return;  // said once
    }
  }

 private:
  Made MadeBy(std::size_t stage) {
    Made made;
    for (const DockerInstruction& run : file_.stages[stage].instructions) {
      const std::string script = ExecutedScript(run);
      if (run.keyword != "RUN" || !budget_.Spend(4 * script.size())) continue;
      for (const ShellCommand& command : CommandsOf(script)) TakeCommand(command, made);
    }
    return made;
  }

  static void TakeCommand(const ShellCommand& command, Made& made) {
    const std::string program = ProgramOf(command);
    for (const std::string_view compiler :
         {"nvcc", "make", "ninja", "cmake", "gcc", "g++", "clang", "clang++"}) {
      made.compiles = made.compiles || program == compiler;
    }
    made.compiles = made.compiles || HasPhrase(command, "pip wheel") ||
                    HasWord(command, "setup.py") || HasPhrase(command, "-m build");
    // llama.cpp and whisper.cpp link cuBLAS when they are built so.
    const bool has_cublas =
        HasWord(command, "-DGGML_CUDA=ON") || HasWord(command, "-DGGML_CUDA=1") ||
        HasWord(command, "-DLLAMA_CUDA=ON") || HasWord(command, "-DLLAMA_CUBLAS=ON");
    const bool is_static = HasWord(command, "-DGGML_STATIC=ON");
    if (has_cublas && !is_static &&
        std::ranges::find(made.libraries, "cuBLAS") == made.libraries.end()) {
      made.libraries.emplace_back("cuBLAS");
    }
    if (HasWord(command, "-cudart=shared") || HasWord(command, "--cudart=shared") ||
        HasPhrase(command, "-cudart shared") || HasPhrase(command, "--cudart shared")) {
      made.libraries.emplace_back("libcudart");
    }
    for (const LinkedLibrary& library : kLinked) {
      const bool is_new = std::ranges::find(made.libraries, library.name) == made.libraries.end();
      if (is_new && HasWord(command, library.option)) made.libraries.emplace_back(library.name);
    }
    const field::CudaVersion cuda = CudaOfIndex(Join(command, " "));
    for (const std::string& package : PythonPackagesIn(command)) {
      if (PackageName(package) == "torch" && cuda.major != 0) made.torch = cuda;
    }
  }

  // The final image has none of these libraries, and no line of it brings them.
  void CheckLibraries(std::size_t last, const DockerInstruction& copy, const Made& made) {
    const DockerStage& root = file_.Root(last);
    const CudaImage image = DescribeImage(root.image);
    if (!image.is_known || !root.is_resolved) return;
    const bool is_plain = image.major == 0;  // without CUDA
    if (is_plain && (image.variant != CudaVariant::kNone || BringsCuda(last))) return;
    std::vector<std::string> lacking;
    for (const std::string& library : made.libraries) {
      const bool is_there = library == "cuDNN"       ? image.has_cudnn
                            : library == "libcudart" ? !is_plain
                                                     : image.variant != CudaVariant::kBase;
      if (is_plain || !is_there) lacking.push_back(library);
    }
    for (const DockerInstruction& at : file_.stages[last].instructions) {
      const std::string script = LowerCase(at.Script());
      std::erase_if(lacking, [&](const std::string& library) {
        return at.keyword != "FROM" && Contains(script, LowerCase(library));
      });
    }
    if (lacking.empty()) return;
    const bool needs_cudnn = std::ranges::find(lacking, "cuDNN") != lacking.end();
    AddDockerFinding(artifact_, copy, Severity::kError, "docker/library-missing",
                     fmt::format("what is copied is linked with {}, which {} does not have",
                                 Join(lacking, " and "), root.image))
        .hint =
        fmt::format("build the last stage on the {} image{}",
                    needs_cudnn ? "cudnn-runtime" : "runtime", is_plain ? " of nvidia/cuda" : "");
  }

  // Copies or installs libraries of CUDA, with packages or wheels.
  bool BringsCuda(std::size_t stage) {
    for (const DockerInstruction& at : file_.stages[stage].instructions) {
      if (at.keyword != "RUN" && at.keyword != "COPY" && at.keyword != "ADD") continue;
      const std::string script = at.Script();
      if (!budget_.Spend(6 * script.size())) return true;
      for (const std::string_view sign : {"/usr/local/cuda", "libcu", "cuda-", "nvidia", "conda",
                                          "torch", "pip install", "requirements"}) {
        if (Contains(script, sign)) return true;
      }
    }
    return false;
  }

  // Programs need at least the glibc that they were linked with.
  void CheckSystem(std::size_t last, const DockerInstruction& copy, std::size_t source) {
    const DockerStage& there = file_.Root(source);
    const DockerStage& here = file_.Root(last);
    if (!there.is_resolved || !here.is_resolved) return;
    const field::System* const built = DistributionOf(there.image);
    const field::System* const run = DistributionOf(here.image);
    if (built == nullptr || run == nullptr ||
        field::CompareVersions(built->glibc, run->glibc) <= 0) {
      return;
    }
    const auto show = [](const field::System& system) {
      return fmt::format("{} {}", system.name == "ubuntu" ? "Ubuntu" : "Debian", system.release);
    };
    AddDockerFinding(artifact_, here.instructions[0], Severity::kError, "docker/older-system",
                     fmt::format("line {} copies what was built on {} with glibc {}, and {} has "
                                 "glibc {}",
                                 copy.line, show(*built), built->glibc, show(*run), run->glibc));
    if (built->name != run->name) {
      artifact_.findings.back().hint = "build and run on one system";
      return;
    }
    const std::string from = fmt::format("{}{}", built->name, run->release);
    CorrectDockerText(artifact_, here.instructions[0], from,
                      fmt::format("{}{}", built->name, built->release));
  }

  // An extension is compiled against one PyTorch, and loaded by another.
  void CheckTorch(std::size_t last, const Made& own, const Made& made) {
    if (own.torch.major == 0 || made.torch.major == 0 || own.torch == made.torch) return;
    for (const DockerInstruction& run : file_.stages[last].instructions) {
      if (run.keyword != "RUN" || CudaOfIndex(ExecutedScript(run)) != own.torch) continue;
      const auto index = [](const field::CudaVersion& cuda) {
        return fmt::format("cu{}{}", cuda.major, cuda.minor);
      };
      AddDockerFinding(artifact_, run, Severity::kError, "docker/torch-toolkit",
                       fmt::format("what is copied was compiled with the torch of {}, and that of "
                                   "{} is installed here",
                                   index(made.torch), index(own.torch)));
      CorrectDockerText(artifact_, run, "/whl/" + index(own.torch), "/whl/" + index(made.torch));
      return;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckHandedOver(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  HandedOver(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
