// SPDX-License-Identifier: Apache-2.0
// Parses a Dockerfile like BuildKit: directives, continuations, comments inside them,
// here-documents, stages, variables in FROM.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::inspect {

struct DockerLine {
  std::size_t number = 0;  ///< From 1.
  std::string text;
};

struct DockerInstruction {
  std::string keyword;  ///< Upper case; of what an ONBUILD triggers, that of the trigger.
  std::vector<std::string> flags;      ///< "--from=build", "--mount=type=cache,target=/x"
  std::string arguments;               ///< The rest, continuations joined by a blank.
  std::vector<std::string> here;       ///< Bodies of here-documents.
  std::size_t line = 0;                ///< Its first line.
  std::string text;                    ///< That line as written.
  std::vector<std::string> lines;      ///< All of its lines as written, without here-documents.
  std::vector<DockerLine> here_lines;  ///< Those of here-documents, without their ends.
  bool is_trigger = false;  ///< Of an ONBUILD: done in images that are built on this one.

  /// The value of a flag such as "from"; nullopt if it is not given.
  std::optional<std::string> Flag(std::string_view name) const;
  /// Arguments and here-documents together, as a shell sees them.
  std::string Script() const;
  /// Its lines and those of its here-documents.
  std::vector<DockerLine> AllLines() const;
};

struct DockerStage {
  std::string name;                             ///< From AS; may be empty.
  std::string image;                            ///< Of this stage, with variables expanded.
  std::optional<std::size_t> base_stage;        ///< If the image is an earlier stage.
  bool is_resolved = true;                      ///< False if a variable has no value here.
  std::vector<DockerInstruction> instructions;  ///< The first is the FROM.
};

struct Dockerfile {
  std::map<std::string, std::string> arguments;  ///< Defaults of ARGs before the first FROM.
  std::set<std::string, std::less<>> declared;   ///< Names of the ARGs before the first FROM.
  std::vector<DockerInstruction> before;         ///< Above the first FROM, except ARG.
  std::vector<DockerStage> stages;
  std::size_t instructions = 0;
  bool is_cut = false;  ///< The instruction limit was reached.

  /// A stage by name or number; nullopt if the name is that of an image.
  std::optional<std::size_t> FindStage(std::string_view name) const;
  /// The base image of a stage, through the stages it is built on.
  const DockerStage& Root(std::size_t stage) const;
};

/// Never fails: unknown instructions are kept under their keyword. Stops after
/// kMostInstructions.
Dockerfile ParseDockerfile(std::string_view text);

/// Expands "${v:-default}" and similar with the given values; a variable without a value is
/// kept, and `is_resolved` becomes false.
std::string ExpandVariables(std::string_view text, const std::map<std::string, std::string>& values,
                            bool& is_resolved);

/// Words as a shell would split them, without quotes.
std::vector<std::string> ShellWords(std::string_view text);

}  // namespace sibyl::inspect
