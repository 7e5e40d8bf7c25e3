// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// "HF_TOKEN", "API_KEY"; not "TOKENIZERS_PARALLELISM" or "KEYRING".
bool NamesASecret(std::string_view name) {
  if (Contains(name, "_NO_")) return false;  // SCCACHE_S3_NO_CREDENTIALS=1
  for (const std::string_view end : {"TOKEN", "PASSWORD", "PASSWD", "SECRET", "API_KEY",
                                     "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIALS"}) {
    if (!name.ends_with(end)) continue;
    const std::size_t before = name.size() - end.size();
    if (before == 0 || name[before - 1] == '_') return true;
  }
  return false;
}

struct KnownToken {
  std::string_view begins;
  std::size_t length = 0;  ///< Of the letters and digits that follow, at least.
};

// How the tokens of services begin.
constexpr std::array<KnownToken, 8> kTokens = {{{"hf_", 20},
                                                {"ghp_", 30},
                                                {"gho_", 30},
                                                {"github_pat_", 20},
                                                {"glpat-", 18},
                                                {"nvapi-", 30},
                                                {"AKIA", 16},
                                                {"xoxb-", 20}}};

// Shown up to its form: the finding must not repeat it.
std::string TokenIn(std::string_view text) {
  for (const KnownToken& token : kTokens) {
    for (std::size_t at = text.find(token.begins); at != text.npos;
         at = text.find(token.begins, at + 1)) {
      if (at > 0 && IsNameByte(text[at - 1])) continue;
      std::size_t end = at + token.begins.size();
      while (end < text.size() && (IsNameByte(text[end]) || text[end] == '-')) ++end;
      if (end - at - token.begins.size() >= token.length) return fmt::format("{}...", token.begins);
    }
  }
  return {};
}

// "https://user:token@host": not a variable, and not the placeholder of a port.
bool HasPasswordInAddress(std::string_view text) {
  const std::size_t begin = text.find("://");
  if (begin == text.npos) return false;
  const std::string_view rest =
      text.substr(begin + 3, text.find_first_of("/ ", begin + 3) - begin - 3);
  const std::size_t at = rest.rfind('@');
  if (at == rest.npos) return false;
  const std::string_view user = rest.substr(0, at);
  const std::size_t colon = user.find(':');
  const std::string_view password = colon == user.npos ? user : user.substr(colon + 1);
  return !password.empty() && password[0] != '$' && password[0] != '<' && user != "git" &&
         (colon != user.npos || password.size() > 15);
}

// Files that people keep keys in.
bool IsKeyFile(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view key :
       {"id_rsa", "id_ed25519", "id_ecdsa", ".netrc", ".env", ".pypirc", ".git-credentials",
        "kaggle.json", "credentials.json", "service-account.json"}) {
    if (name == key) return true;
  }
  return path == ".ssh" || path.ends_with("/.ssh") || path.ends_with(".ssh/") ||
         path.ends_with(".aws/credentials") || path == ".aws" || path.ends_with("/.aws");
}

class Secrets {
 public:
  Secrets(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (const DockerStage& stage : file_.stages) {
      for (const DockerInstruction& at : stage.instructions) {
        const std::string script = at.Script();
        if (!budget_.Spend(4 * script.size())) return;
        if (at.keyword == "ENV" || at.keyword == "ARG") {
          CheckVariable(at);
        } else if ((at.keyword == "COPY" || at.keyword == "ADD") && !at.Flag("from")) {
          CheckFiles(at);
        } else if (at.keyword == "RUN") {
          CheckScript(at, script);
        }
      }
    }
  }

 private:
  void Add(const DockerInstruction& at, Severity severity, std::string message, std::string hint) {
    AddDockerFinding(artifact_, at, severity, "docker/secret", std::move(message)).hint =
        std::move(hint);
  }

  void CheckVariable(const DockerInstruction& at) {
    for (const std::string& word : ShellWords(at.arguments)) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const bool has_value = equals != std::string::npos && equals + 1 < word.size();
      const bool is_legacy = at.keyword == "ENV" && equals == std::string::npos;  // ENV TOKEN x
      if (!NamesASecret(name) || (at.keyword == "ENV" && !has_value && !is_legacy)) continue;
      Add(at, Severity::kWarning, fmt::format("{} stays readable in the image's history", name),
          fmt::format("pass it as RUN --mount=type=secret,id={} where it is needed",
                      LowerCase(name)));
      return;
    }
    const std::string token = TokenIn(at.arguments);
    if (!token.empty()) SayToken(at, token);
  }

  void SayToken(const DockerInstruction& at, std::string_view token) {
    Add(at, Severity::kError,
        fmt::format("a token ({}) is written into the file and the image", token),
        "revoke it, and pass the new one as RUN --mount=type=secret,id=token");
  }

  void CheckFiles(const DockerInstruction& copy) {
    std::vector<std::string> words = ShellWords(copy.arguments);
    if (words.size() < 2 || !copy.here.empty()) return;
    words.pop_back();
    const auto key = std::ranges::find_if(words, IsKeyFile);
    if (key == words.end()) return;
    Add(copy, Severity::kWarning,
        fmt::format("{} stays in a layer of the image, even if a later one removes it", *key),
        "mount it where it is needed: RUN --mount=type=secret,id=key,target=PATH");
  }

  void CheckScript(const DockerInstruction& run, std::string_view script) {
    if (const std::string token = TokenIn(script); !token.empty()) {
      SayToken(run, token);
      return;
    }
    const std::vector<ShellCommand> commands = CommandsOf(ExecutedScript(run));
    for (const ShellCommand& command : commands) CheckCopied(run, command, commands);
    for (const ShellCommand& command : commands) {
      for (const std::string& word : command) {
        if (!HasPasswordInAddress(word)) continue;
        Add(run, Severity::kError, "an address with a password stays in the image's history",
            "pass it as RUN --mount=type=secret,id=token, and read it from the file");
        return;
      }
    }
  }

  // "cp /run/secrets/netrc /root/.netrc": what is not removed in the same RUN stays in its layer.
  void CheckCopied(const DockerInstruction& run, const ShellCommand& command,
                   const std::vector<ShellCommand>& all) {
    const std::string program = ProgramOf(command);
    const bool copies = program == "cp" || program == "install" || HasWord(command, ">");
    const bool is_secret = std::ranges::any_of(
        command, [](const std::string& word) { return word.starts_with("/run/secrets/"); });
    if (!copies || !is_secret || command.back().starts_with("/run/secrets/")) return;
    const std::string& target = command.back();
    const bool is_removed = std::ranges::any_of(all, [&](const ShellCommand& other) {
      return ProgramOf(other) == "rm" && HasWord(other, target);
    });
    if (is_removed) return;
    Add(run, Severity::kError,
        fmt::format("the secret is copied to {}, which stays in this layer, even if a later one "
                    "removes it",
                    target),
        fmt::format("mount it there: --mount=type=secret,id=...,target={}", target));
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckSecrets(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Secrets(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
