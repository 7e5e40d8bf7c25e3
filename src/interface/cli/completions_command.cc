// SPDX-License-Identifier: Apache-2.0
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/completions.h"
#include "interface/cli/own_commands.h"

namespace sibyl::interface {
namespace {

using engine::ParameterKind;

Result<engine::Outcome> RunCompletions(const oracle::Context&, const engine::Arguments& arguments) {
  const std::string_view shell = arguments.Text("shell");
  engine::Outcome outcome;
  outcome.data["text"] = shell == "bash"  ? BashCompletions()
                         : shell == "zsh" ? ZshCompletions()
                                          : FishCompletions();
  return outcome;
}

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

constexpr engine::Parameter kCompletionsParameters[] = {
    {.name = "shell",
     .value_name = "SHELL",
     .help = "the shell",
     .kind = ParameterKind::kPositional,
     .type = engine::ValueType::kChoice,
     .required = true,
     .choices = kShells},
};

}  // namespace

constexpr engine::Operation kCompletions = {
    .name = "completions",
    .summary = "print shell completions",
    .description =
        R"(Prints a script that completes operations, options, choices and file names. The Debian package
installs all three; otherwise:

  sibyl completions bash > ~/.local/share/bash-completion/completions/sibyl
  sibyl completions zsh > ~/.zfunc/_sibyl
  sibyl completions fish > ~/.config/fish/completions/sibyl.fish)",
    .parameters = kCompletionsParameters,
    .run = RunCompletions,
    .render = engine::RenderText,
};

}  // namespace sibyl::interface
