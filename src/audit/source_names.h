// SPDX-License-Identifier: Apache-2.0
// The names by which a text may refer to a pinned source, whatever its local
// name is: those of its project, its packages, its origin, and `known_as` in
// sibyl.toml. They are read from a few files of the snapshot.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::audit {

class Witness;

struct SourceName {
  std::string folded;  ///< See FoldSourceName.
  /// Of the project itself. Names of packages and folders count only as whole
  /// words: "torch" is not meant by "torchrun".
  bool is_project = false;

  bool operator==(const SourceName&) const = default;
};

/// Letters and digits only, in lower case: "PyTorch" and "pytorch",
/// "Transformer Engine" and "transformer-engine" are one name.
std::string FoldSourceName(std::string_view text);

/// The local name is the first; sorted otherwise. Reads at most the first
/// 64 KiB of a dozen files; Witness::NamesOf remembers the result.
std::vector<SourceName> ReadSourceNames(const Witness& witness, std::size_t source);

/// Names that the files of a project give it; each function reads one kind.
std::vector<std::string> NamesInReadme(std::string_view text);
std::vector<std::string> NamesInCMake(std::string_view text);
std::vector<std::string> NamesInSetup(std::string_view text);
/// pyproject.toml and Cargo.toml: `name` in [project], [package] or [tool.poetry].
std::vector<std::string> NamesInToml(std::string_view text);
std::vector<std::string> NamesInPackageJson(std::string_view text);
/// Of a URL or a path: the repository, without the organisation.
std::vector<std::string> NamesInOrigin(std::string_view origin);

/// A text whose names are looked for, folded once.
class FoldedText {
 public:
  explicit FoldedText(std::string_view text);

  /// Whether the text has the name.
  bool Names(const SourceName& name) const;
  const std::string& folded() const { return folded_; }

 private:
  std::string folded_;
  std::vector<bool> starts_;  // whether a word starts at the byte
};

}  // namespace sibyl::audit
