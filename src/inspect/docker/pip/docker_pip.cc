// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/pip/docker_pip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Well-known packages that PyTorch's indexes do not have; those have torch and what it requires.
constexpr std::array<std::string_view, 44> kOnlyOnPyPI = {"accelerate",
                                                          "bitsandbytes",
                                                          "boto3",
                                                          "datasets",
                                                          "deepspeed",
                                                          "diffusers",
                                                          "einops",
                                                          "fastapi",
                                                          "faster-whisper",
                                                          "flask",
                                                          "gradio",
                                                          "gunicorn",
                                                          "httpx",
                                                          "hydra-core",
                                                          "jupyter",
                                                          "jupyterlab",
                                                          "kornia",
                                                          "librosa",
                                                          "lightning",
                                                          "matplotlib",
                                                          "onnx",
                                                          "onnxruntime",
                                                          "onnxruntime-gpu",
                                                          "openai-whisper",
                                                          "opencv-python",
                                                          "opencv-python-headless",
                                                          "pandas",
                                                          "peft",
                                                          "pydantic",
                                                          "pytest",
                                                          "pytorch-lightning",
                                                          "runpod",
                                                          "scikit-image",
                                                          "scikit-learn",
                                                          "sentence-transformers",
                                                          "sentencepiece",
                                                          "soundfile",
                                                          "tensorboard",
                                                          "timm",
                                                          "tokenizers",
                                                          "transformers",
                                                          "ultralytics",
                                                          "uvicorn",
                                                          "wandb"};

// They have wheels for glibc only, and load the driver's libraries, which need glibc too.
constexpr std::array<std::string_view, 12> kOnlyForGlibc = {
    "torch",           "torchvision", "torchaudio",     "tensorflow", "tensorflow-gpu", "jaxlib",
    "onnxruntime-gpu", "onnxruntime", "faster-whisper", "vllm",       "xformers",       "triton"};

// Mirrors that answer https too.
constexpr std::array<std::string_view, 8> kWithHttps = {"pypi.org",
                                                        "files.pythonhosted.org",
                                                        "pypi.python.org",
                                                        "mirrors.aliyun.com",
                                                        "pypi.tuna.tsinghua.edu.cn",
                                                        "mirrors.cloud.tencent.com",
                                                        "repo.huaweicloud.com",
                                                        "download.pytorch.org"};

bool IsInstall(const ShellCommand& command) {
  return IsPipInstall(command) || HasPhrase(command, "uv pip install") ||
         HasPhrase(command, "conda install") || HasPhrase(command, "mamba install");
}

// Where the shell sees a redirection in "x>=1.0", "x[a]>=1,<2"; npos if nowhere.
std::size_t RedirectionIn(std::string_view raw) {
  if (raw.empty() || !IsLetter(raw[0])) return raw.npos;
  const std::size_t at = raw.find_first_of("<>\"'\\$`");
  if (at == raw.npos || (raw[at] != '<' && raw[at] != '>')) return raw.npos;
  if (at + 1 >= raw.size() || (raw[at + 1] != '=' && !IsDigit(raw[at + 1]))) return raw.npos;
  const bool is_requirement = std::ranges::all_of(raw.substr(0, at), [](char c) {
    return IsNameByte(c) || Contains("-.[],=~!*", std::string_view(&c, 1));
  });
  return is_requirement ? at : raw.npos;
}

// "mirrors.aliyun.com" of "http://mirrors.aliyun.com:80/pypi/simple"
std::string_view HostOf(std::string_view url) {
  const std::size_t begin = url.find("://");
  if (begin != url.npos) url.remove_prefix(begin + 3);
  url = url.substr(0, url.find('/'));
  url.remove_prefix(url.find('@') == url.npos ? 0 : url.find('@') + 1);
  return url.substr(0, url.find(':'));
}

// In a network of one's own, http may be all there is.
bool IsPublic(std::string_view host) {
  if (!Contains(host, ".") || Contains(host, "$")) return false;
  for (const std::string_view end :
       {".local", ".lan", ".internal", ".intranet", ".corp", ".home", ".svc"}) {
    if (host.ends_with(end)) return false;
  }
  return !std::ranges::all_of(host, [](char c) { return IsDigit(c) || c == '.'; });
}

// The value of an option at `i`: of "-i x", "--index-url=x".
std::string_view ValueAt(const ShellCommand& command, std::size_t i, std::string_view option) {
  const std::string_view word = command[i];
  if (word == option) return i + 1 < command.size() ? std::string_view(command[i + 1]) : "";
  const bool has_value = option.starts_with("--") && word.starts_with(option) &&
                         word.size() > option.size() && word[option.size()] == '=';
  return has_value ? word.substr(option.size() + 1) : std::string_view();
}

// Any option that names another place to install from.
bool NamesPlace(const ShellCommand& command) {
  return std::ranges::any_of(command, [](const std::string& word) {
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    constexpr std::array<std::string_view, 11> kOptions = {"-i",
                                                           "--index-url",
                                                           "--extra-index-url",
                                                           "-f",
                                                           "--find-links",
                                                           "--index",
                                                           "-r",
                                                           "--requirement",
                                                           "--default-index",
                                                           "--torch-backend",
                                                           "--no-index"};
    return IsOneOf(name, kOptions) || (word.starts_with("-f") && word.size() > 2) ||
           (word.starts_with("-r") && word.size() > 2);
  });
}

class Pip {
 public:
  Pip(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& root = file_.Root(i);
      const CudaImage about = DescribeImage(root.image);
      is_known_ = root.is_resolved && (about.is_known || about.has_torch);
      is_musl_ = root.is_resolved && about.is_known && Contains(root.image, "alpine");
      image_view_ = root.image;
      is_musl_said_ = false;
      has_settings_ = HasSettings(i);
      may_have_all_ = file_.stages[i].base_stage.has_value() || !is_known_;
      installed_.clear();
      for (const DockerInstruction& run : file_.stages[i].instructions) {
        if (run.keyword != "RUN") continue;
        const std::string script = ExecutedScript(run);
        if (!budget_.Spend(6 * script.size())) return;
        CheckRedirections(run, script);
        for (const ShellCommand& command : CommandsOf(script)) {
          CheckIndex(run, command);
          CheckLocalVersion(run, command);
          CheckTrust(run, command);
          CheckMusl(run, command);
          TakeInstalled(command);
        }
      }
    }
  }

 private:
  // pip may be told elsewhere where it installs from.
  bool HasSettings(std::size_t stage) {
    for (std::optional<std::size_t> at = stage; at; at = file_.stages[*at].base_stage) {
      for (const DockerInstruction& each : file_.stages[*at].instructions) {
        const std::string script = each.Script();
        if (!budget_.Spend(8 * script.size())) return true;
        for (const std::string_view sign :
             {"PIP_INDEX", "PIP_EXTRA_INDEX", "PIP_FIND_LINKS", "PIP_CONFIG", "UV_INDEX",
              "UV_EXTRA_INDEX", "UV_DEFAULT_INDEX", "UV_FIND_LINKS", "UV_TORCH_BACKEND",
              "pip config", "pip3 config", "pip.conf", "uv.toml"}) {
          if (Contains(script, sign)) return true;
        }
      }
    }
    return false;
  }

  void CheckRedirections(const DockerInstruction& run, std::string_view script) {
    std::vector<std::string> words;
    ShellCommand command;
    std::vector<std::string_view> raws;
    const auto take = [&] {
      if (IsInstall(command)) {
        for (const std::string_view raw : raws) {
          if (RedirectionIn(raw) != raw.npos) words.emplace_back(raw);
        }
      }
      command.clear();
      raws.clear();
    };
    for (ShellToken& token : ShellTokens(script)) {
      if (token.is_operator) {
        take();
        continue;
      }
      raws.push_back(token.raw);
      command.push_back(std::move(token.text));
    }
    take();
    if (words.empty()) return;
    const std::string& first = words[0];
    const std::size_t at = RedirectionIn(first);
    const std::string rest = first.substr(at + 1);
    AddDockerFinding(
        artifact_, run, Severity::kError, "docker/shell-redirect",
        first[at] == '>'
            ? fmt::format("the shell takes '>' in {} for a redirection: any version is installed, "
                          "and the output is written to a file '{}'",
                          first, rest)
            : fmt::format("the shell takes '<' in {} for a redirection: there is no file '{}', and "
                          "the build fails",
                          first, rest));
    artifact_.findings.back().hint = fmt::format("put it in quotes: \"{}\"", first);
    for (const DockerLine& line : run.AllLines()) QuoteWords(line, words);
  }

  // Not where other quotes surround them already.
  void QuoteWords(const DockerLine& line, const std::vector<std::string>& words) {
    if (Trim(line.text).starts_with('#')) return;
    std::string fixed;
    const char* begin = line.text.data();
    for (const ShellToken& token : ShellTokens(line.text)) {
      if (std::ranges::find(words, token.raw) == words.end()) continue;
      fixed.append(begin, token.raw.data()).append(fmt::format("\"{}\"", token.raw));
      begin = token.raw.data() + token.raw.size();
    }
    if (fixed.empty()) return;
    fixed.append(begin, line.text.data() + line.text.size());
    CorrectDockerLine(artifact_, {.line = line.number}, {fixed});
  }

  // --index-url replaces PyPI, and PyTorch's index has little more than torch.
  void CheckIndex(const DockerInstruction& run, const ShellCommand& command) {
    if (has_settings_ || may_have_all_ || HasWord(command, "--no-deps")) return;
    std::string_view url;
    for (std::size_t i = 0; i < command.size(); ++i) {
      for (const std::string_view option : {"-i", "--index-url"}) {
        const std::string_view value = ValueAt(command, i, option);
        if (Contains(value, "download.pytorch.org/whl")) url = value;
      }
      for (const std::string_view option : {"--extra-index-url", "-f", "--find-links", "--index"}) {
        if (!ValueAt(command, i, option).empty()) return;
      }
    }
    if (url.empty()) return;
    for (const std::string& package : PythonPackagesIn(command)) {
      const std::string name = PackageName(package);
      if (!IsOneOf(name, kOnlyOnPyPI) || Contains(package, "://")) continue;
      if (installed_.contains(name)) continue;
      AddDockerFinding(artifact_, run, Severity::kError, "docker/index-replaced",
                       fmt::format("--index-url replaces PyPI, and {} has no {}: the build fails",
                                   HostOf(url), name));
      artifact_.findings.back().hint =
          "write --extra-index-url, or install torch in a command of its own";
      const std::string script = run.Script();
      for (const std::string_view option : {"--index-url", "-i"}) {
        const std::string from = fmt::format(" {} {}", option, url);
        const std::size_t at = script.find(from);
        if (at == script.npos || script.find(from, at + 1) != script.npos) continue;
        CorrectDockerText(artifact_, run, from, fmt::format(" --extra-index-url {}", url));
        return;
      }
      return;
    }
  }

  // pip looks for no package that is there already.
  void TakeInstalled(const ShellCommand& command) {
    const std::string program = ProgramOf(command);
    const bool is_pip = IsPipInstall(command) || program == "uv";
    may_have_all_ =
        may_have_all_ || program == "conda" || program == "mamba" || program == "poetry" ||
        (is_pip && std::ranges::any_of(command, [](const std::string& word) {
           return word.starts_with("-r") || word.starts_with("--requirement") || word == "-e" ||
                  word == "sync" || word.starts_with('.') || word.starts_with('/');
         }));
    for (const std::string& package : PythonPackagesIn(command)) {
      installed_.insert(PackageName(package));
    }
  }

  // PyPI has no versions such as 2.1.2+cu118.
  void CheckLocalVersion(const DockerInstruction& run, const ShellCommand& command) {
    if (!is_known_ || has_settings_ || NamesPlace(command)) return;
    for (const std::string& package : PythonPackagesIn(command)) {
      const std::string name = PackageName(package);
      const std::size_t plus = package.find('+');
      const bool is_it = name == "torch" || name == "torchvision" || name == "torchaudio";
      if (!is_it || plus == package.npos || !Contains(package, "==") ||
          package.find_first_of("$@/{") != package.npos) {
        continue;
      }
      const std::string build = package.substr(plus + 1);
      if (!build.starts_with("cu") && build != "cpu") continue;
      const auto indexes = field::WheelIndexes();
      const bool is_old = !indexes.empty() && build < indexes.front().name;
      const bool exists =
          build == "cpu" ||
          std::ranges::find(indexes, build, &field::WheelIndex::name) != indexes.end();
      const bool is_unknown = !exists && !is_old;
      AddDockerFinding(
          artifact_, run, Severity::kError, "docker/wheel-index",
          is_unknown ? fmt::format("neither PyPI nor PyTorch has a {}: the build fails", package)
                     : fmt::format("PyPI has no {}: builds with +{} are in the index "
                                   "of PyTorch only, and the build fails",
                                   package, build));
      if (is_unknown) {
        artifact_.findings.back().hint =
            fmt::format("leave +{} out, or name a build that there is", build);
        return;
      }
      const std::string option =
          exists ? fmt::format("--extra-index-url https://download.pytorch.org/whl/{}", build)
                 : "-f https://download.pytorch.org/whl/torch_stable.html";
      artifact_.findings.back().hint = fmt::format("add {}", option);
      InsertBefore(run, package, option);
      return;
    }
  }

  void InsertBefore(const DockerInstruction& run, std::string_view package,
                    std::string_view option) {
    for (const DockerLine& line : run.AllLines()) {
      std::size_t at = line.text.find(package);
      if (at == std::string::npos || Trim(line.text).starts_with('#')) continue;
      if (at > 0 && (line.text[at - 1] == '"' || line.text[at - 1] == '\'')) --at;
      std::string text = line.text;
      CorrectDockerLine(artifact_, {.line = line.number},
                        {text.insert(at, fmt::format("{} ", option))});
      return;
    }
  }

  void CheckTrust(const DockerInstruction& run, const ShellCommand& command) {
    if (PythonPackagesIn(command).empty() && !IsPipInstall(command)) return;
    std::string plain;
    std::set<std::string> hosts;
    for (std::size_t i = 0; i < command.size(); ++i) {
      for (const std::string_view option :
           {"-i", "--index-url", "--extra-index-url", "-f", "--find-links"}) {
        const std::string_view value = ValueAt(command, i, option);
        if (!value.starts_with("http://") || !IsPublic(HostOf(value))) continue;
        plain = HostOf(value);
        hosts.insert(plain);
      }
      const std::string_view trusted = HostOf(ValueAt(command, i, "--trusted-host"));
      if (!trusted.empty() && IsPublic(trusted)) hosts.emplace(trusted);
    }
    if (hosts.empty()) return;
    AddDockerFinding(
        artifact_, run, Severity::kWarning, "docker/certificate-unchecked",
        plain.empty()
            ? fmt::format("--trusted-host: the certificate of {} is not verified", *hosts.begin())
            : fmt::format("packages come from {} over http: anybody on the way can replace them",
                          plain));
    artifact_.findings.back().hint = "take them over https, and leave --trusted-host out";
    const bool all_have_https = std::ranges::all_of(
        hosts, [](const std::string& host) { return IsOneOf(std::string_view(host), kWithHttps); });
    if (!all_have_https) return;
    for (const DockerLine& line : run.AllLines()) CorrectTrust(line, hosts);
  }

  void CorrectTrust(const DockerLine& line, const std::set<std::string>& hosts) {
    if (Trim(line.text).starts_with('#')) return;
    std::string text = line.text;
    for (const std::string& host : hosts) {
      for (const auto& [from, to] :
           {std::pair{fmt::format("http://{}/", host), fmt::format("https://{}/", host)},
            std::pair{fmt::format(" --trusted-host {}", host), std::string()},
            std::pair{fmt::format(" --trusted-host={}", host), std::string()}}) {
        if (std::string replaced = ReplacedText(text, from, to); !replaced.empty()) text = replaced;
      }
    }
    if (text != line.text) CorrectDockerLine(artifact_, {.line = line.number}, {text});
  }

  void CheckMusl(const DockerInstruction& run, const ShellCommand& command) {
    if (!is_musl_ || is_musl_said_) return;
    for (const std::string& package : PythonPackagesIn(command)) {
      const std::string name = PackageName(package);
      const bool is_cuda = name.starts_with("nvidia-cu") || name.starts_with("cupy-cuda");
      if (!is_cuda && !IsOneOf(name, kOnlyForGlibc)) continue;
      is_musl_said_ = true;
      AddDockerFinding(artifact_, run, Severity::kError, "docker/musl",
                       fmt::format("{} has no wheels for {}, whose C library is musl: the build "
                                   "fails",
                                   name, image_view_))
          .hint = "take an image with glibc, such as python:3.12-slim";
      return;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  // Of the stage that is checked.
  std::string_view image_view_;  ///< Of file_.
  bool is_known_ = false;        ///< Its image has no settings of pip.
  bool has_settings_ = false;    ///< A line changes where pip installs from.
  bool may_have_all_ = false;    ///< Packages were installed that cannot be seen here.
  std::set<std::string> installed_;
  bool is_musl_ = false;
  bool is_musl_said_ = false;
};

}  // namespace

void CheckPip(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Pip(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
