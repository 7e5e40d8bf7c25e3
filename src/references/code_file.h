// SPDX-License-Identifier: Apache-2.0
// One version of a source file: where names occur in it, where they are defined,
// and how far a definition goes. By the form of lines, whatever the language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_span.h"
#include "base/mutex.h"
#include "passages/line_table.h"

namespace sibyl::references {

struct DefinitionPlace {
  enum class Kind : std::uint8_t {
    kFunction,  ///< Its body is what a citation of it may name.
    kType,      ///< A type, a module, a macro, a constant.
    kMember,    ///< A field, an enumerator, a key: known by its place in a line.
  };
  LineRange lines;          ///< With the body.
  std::size_t comment = 0;  ///< The first line of the comment and the attributes above it.
  Kind kind = Kind::kFunction;
};

struct NameUses {
  std::vector<std::size_t> lines;  ///< Sorted, from one; at most 10,000.
  std::vector<DefinitionPlace> definitions;
};

struct NamedDefinition {
  std::string name;
  DefinitionPlace place;
};

/// The only function or type of that name, or, if there is none, the only member;
/// null if there are several or none.
const DefinitionPlace* OnlyDefinition(const NameUses& uses);

/// By its first characters: "//", "*", "#".
bool IsCommentLine(std::string_view line);

/// Safe to use from several threads.
class CodeFile {
 public:
  explicit CodeFile(std::string text);

  std::size_t line_count() const { return table_.count(); }
  std::string_view text() const { return text_; }
  /// From one; without its end.
  std::string_view Line(std::size_t line) const { return table_.text(line - 1); }

  /// Whole words only. The result lives as long as the file.
  const NameUses& UsesOf(std::string_view name) const SIBYL_EXCLUDES(mutex_);

  /// Lines on which a text starts that is compared without regard to blanks; at
  /// most 100.
  const std::vector<std::size_t>& LinesWith(std::string_view squeezed) const SIBYL_EXCLUDES(mutex_);

  /// Functions and types, in the order of their lines; no local variables. For
  /// people to choose from: a line may be misread.
  std::vector<NamedDefinition> Definitions(std::size_t most) const;

 private:
  enum class Words : std::uint8_t { kWhole, kParts };
  NameUses FindUses(std::string_view name, Words words) const;
  void AddDefinition(std::size_t line, std::size_t column, std::string_view name,
                     NameUses& uses) const;
  std::size_t BodyEnd(std::size_t line) const;
  std::size_t CommentAbove(std::size_t line) const;

  std::string text_;
  passages::LineTable table_;
  mutable Mutex mutex_;
  mutable std::map<std::string, NameUses, std::less<>> uses_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, std::vector<std::size_t>, std::less<>> texts_
      SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::references
