// SPDX-License-Identifier: Apache-2.0
// Definitions in source lines: functions with their parameters and what they
// call, types and enumerations with their bases and members.
//
// ReadDefinitions reads a few lines by their form, whatever the language; they
// may be cut off. ReadDefinitionsOf lists everything that the definitions of one
// name have, in a whole file of C, C++, CUDA or Python, for the question
// whether an owner has a member; docs/decisions/0111 says why they are two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::cards {

enum class DefinitionKind : std::uint8_t {
  kFunction,
  kType,  ///< struct, class, union, interface, trait.
  kEnumeration,
  kNamespace,
  kAlias,  ///< typedef, using: `bases` has the name that it stands for.
};

enum class MemberKind : std::uint8_t { kField, kMethod, kEnumerator, kParameter };

/// "field", "method", "enumerator", "parameter"
std::string_view MemberKindName(MemberKind kind);

struct Member {
  MemberKind kind = MemberKind::kField;
  std::string name;
  std::string value = {};  ///< A parameter's default; empty if it has none.

  bool operator==(const Member&) const = default;
};

struct Definition {
  DefinitionKind kind = DefinitionKind::kType;
  std::string name;
  std::string owner;  ///< The definition around it; empty if the text has none.
  /// In order: parameters, fields, functions and enumerators. Of a Python class,
  /// ReadDefinitionsOf also gives the parameters of its constructor.
  std::vector<Member> members;
  std::vector<std::string> bases;  ///< Without template arguments.
  std::vector<std::string> calls;  ///< What its body calls, in order, every time.
  std::size_t line = 0;            ///< Of its name, from one; only of ReadDefinitionsOf.
  std::size_t begin = 0;           ///< Of its first word.
  std::size_t end = 0;
  bool has_body = false;
  bool has_open_members = false;     ///< Made by macros or at run time.
  bool has_open_parameters = false;  ///< **kwargs, "...".

  bool Has(std::string_view member) const;
};

/// In the order of the text; at most 500, with at most 200 parameters, members
/// and calls each. A body that is cut off ends with the text. Never fails.
/// Takes linear time.
std::vector<Definition> ReadDefinitions(std::string_view text);

inline constexpr std::size_t kMaxNamedDefinitions = 64;
inline constexpr std::size_t kMaxDefinitionBytes = std::size_t{256} << 10;

/// All definitions and declarations of `name` in the text of a file, within the
/// limits; where it cannot be sure that it saw all members, the definition is
/// open. The language is that of passages/language.h; nothing for others.
std::vector<Definition> ReadDefinitionsOf(std::string_view name, std::string_view language,
                                          std::string_view text);

}  // namespace sibyl::cards
