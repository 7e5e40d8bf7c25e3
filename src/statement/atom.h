// SPDX-License-Identifier: Apache-2.0
// The smallest pieces of a statement that a source can have or not have: names,
// settings, flags, paths, packages. Numbers have their own reader (number.h),
// and so have spelled-out abbreviations (acronym.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "statement/statement.h"

namespace sibyl::statement {

enum class AtomKind : std::uint8_t {
  kIdentifier,  ///< cudaMalloc, TORCH_CUDA_ARCH_LIST
  kQualified,   ///< at::Tensor, torch.cuda.Stream, CUDA::cupti
  kFlag,        ///< --use_fast_math, -gencode
  kPath,        ///< torch/csrc/Module.cpp, cupti.h
  kPackage,     ///< What an installer was asked for: cuda-cupti-12-4
};

/// "identifier", "qualified name", "flag", "path", "package"
std::string_view AtomKindName(AtomKind kind);

/// How the text uses a name; the same name may be decidable in one use and not
/// in another.
enum class AtomUse : std::uint8_t {
  kMention,
  kCall,         ///< Followed by parentheses.
  kSetting,      ///< Given a value: -DX=ON, X=1.
  kEnvironment,  ///< Set in or read from the environment.
  kDefinition,   ///< Defined by the text itself: #define X, set(X …), def x.
};

/// The language of a code block, as far as relevant here.
enum class CodeLanguage : std::uint8_t {
  kNone,
  kShell,
  kCMake,
  kPython,
  kCpp,
  kDockerfile,
  kOther
};

struct Atom {
  AtomKind kind = AtomKind::kIdentifier;
  AtomUse use = AtomUse::kMention;
  std::string text;
  std::size_t offset = 0;   ///< In the statement's text.
  std::string tool;         ///< Of a flag or setting: the program that gets it; may be empty.
  bool in_code = false;     ///< In code font or a code block.
  bool is_comment = false;  ///< In a comment of a code block.
};

std::vector<Atom> ExtractAtoms(const Statement& statement);

CodeLanguage LanguageOf(const Statement& statement);

/// Names that the code blocks of a text define themselves. They are not looked
/// up in the sources.
struct OwnNames {
  std::set<std::string, std::less<>> names;
  /// "te" -> "transformer_engine.pytorch", "F" -> "torch.nn.functional",
  /// "cg" -> "cooperative_groups".
  std::map<std::string, std::string, std::less<>> aliases;
};
OwnNames CollectOwnNames(const Statements& statements);

}  // namespace sibyl::statement
