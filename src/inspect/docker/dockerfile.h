// SPDX-License-Identifier: Apache-2.0
// A Dockerfile as BuildKit reads it: directives, continuations, comments inside
// them, here-documents, stages, variables in FROM.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::inspect {

struct DockerInstruction {
  std::string keyword;             ///< Upper case.
  std::vector<std::string> flags;  ///< "--from=build", "--mount=type=cache,target=/x"
  std::string arguments;           ///< The rest, continuations joined by a blank.
  std::vector<std::string> here;   ///< Bodies of here-documents.
  std::size_t line = 0;            ///< Its first line.
  std::string text;                ///< That line as it stands.

  /// The value of a flag such as "from"; nothing when it is not given.
  std::optional<std::string> Flag(std::string_view name) const;
  /// Arguments and here-documents together: what a shell would see.
  std::string Script() const;
};

struct DockerStage {
  std::string name;                             ///< As given by AS; may be empty.
  std::string image;                            ///< After variables; of the stage itself.
  std::optional<std::size_t> base_stage;        ///< When the image is an earlier stage.
  bool is_resolved = true;                      ///< False when a variable has no value here.
  std::vector<DockerInstruction> instructions;  ///< The first is the FROM.
};

struct Dockerfile {
  std::map<std::string, std::string> arguments;  ///< Defaults of ARGs before the first FROM.
  std::vector<DockerStage> stages;
  std::size_t instructions = 0;
  bool is_cut = false;  ///< There are more instructions than are read.

  /// A stage by name or number; nothing when it must be an image.
  std::optional<std::size_t> FindStage(std::string_view name) const;
  /// The image at the bottom of a stage, through the stages it is built on.
  const DockerStage& Root(std::size_t stage) const;
};

/// Never fails: what is not understood is kept as an instruction of its word.
/// Ends after kMostInstructions.
Dockerfile ParseDockerfile(std::string_view text);

/// "${v:-default}" and its kin with the values given; what has none is kept,
/// and `is_resolved` becomes false.
std::string ExpandVariables(std::string_view text, const std::map<std::string, std::string>& values,
                            bool& is_resolved);

/// Words as a shell would split them, quotes taken off.
std::vector<std::string> ShellWords(std::string_view text);

}  // namespace sibyl::inspect
