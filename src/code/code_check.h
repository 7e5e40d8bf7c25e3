// SPDX-License-Identifier: Apache-2.0
// Blocks of code: do they parse, do they compile (code/broken)?
//
// Two depths. Reading (syntax.h) costs nothing and is always done: CMake,
// Dockerfiles, JSON, the brackets and literals of C-like code. Asking a tool
// (nvcc, g++, python3, bash) takes up to seconds for a block, so it is done
// when it is asked for, in the sandbox of base/process/sandbox.h; the block is never
// run. Without a sandbox no tool is asked.
//
// Precision first. A fragment is broken only by what no surroundings could
// mend; an undeclared name in it proves nothing. A whole program (it has a
// main() and its includes, or its fence says "check") is held to compile.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::code {

enum class BlockLanguage : std::uint8_t {
  kUnknown,
  kC,
  kCpp,
  kCuda,
  kCMake,
  kPython,
  kShell,
  kDockerfile,
  kJson,
  kToml,
};

/// From the info string alone: "cuda", "c++ check", "python title=x".
BlockLanguage BlockLanguageOf(std::string_view info);

/// How a block is to be taken.
enum class Completeness : std::uint8_t {
  kFragment,
  kWhole,    ///< Evidently, or its fence says "check".
  kSkipped,  ///< Its fence says "nocheck".
};
Completeness CompletenessOf(std::string_view info, std::string_view code);

struct CodeResult {
  statement::Verdict verdict = statement::Verdict::kUndecidable;
  std::size_t line = 0;  ///< In the block, from one; zero: as a whole.
  std::string message;
  std::string reason;  ///< Which tool said so, and how it was asked.
};

/// By reading alone.
CodeResult ReadCode(BlockLanguage language, Completeness completeness, std::string_view code);

struct ToolQuestion;  // code/code_tools.h

enum class CodeDepth : std::uint8_t { kReading, kTools };

/// Blocks that a tool should have checked, and why none could.
struct UncheckedCode {
  std::size_t blocks = 0;
  Error reason;
};

/// Remembers what it was asked before, by content. May be used by many threads.
class CodeChecker {
 public:
  struct Options {
    CodeDepth depth = CodeDepth::kReading;
    /// Blocks given to tools; what comes after them is read only.
    std::size_t max_blocks = 500;
    std::chrono::milliseconds tool_time{20'000};  ///< Of one block; nvcc gets twice that.
    std::string bubblewrap = "bwrap";             ///< See base/sandbox.h.
  };

  explicit CodeChecker(const Options& options) : options_(options) {}

  CodeResult Check(std::string_view info, std::string_view code) const SIBYL_EXCLUDES(mutex_);

  /// Nothing for a block in a language that we do not know.
  std::optional<statement::Judgement> JudgeBlock(std::string_view file,
                                                 const statement::Statement& block) const
      SIBYL_EXCLUDES(mutex_);

  /// JudgeBlock for all, two at a time.
  std::vector<statement::Judgement> Judge(std::string_view file,
                                          const statement::Statements& statements) const
      SIBYL_EXCLUDES(mutex_);

  /// Nothing unless a tool was to be asked and there was no sandbox for it.
  std::optional<UncheckedCode> Unchecked() const SIBYL_EXCLUDES(mutex_);

 private:
  CodeResult AskWithinLimits(const ToolQuestion& question) const SIBYL_EXCLUDES(mutex_);

  Options options_;
  // Compilers at a time, whoever asks: they are large.
  mutable std::counting_semaphore<2> slots_{2};
  mutable Mutex mutex_;
  mutable std::map<std::string, CodeResult> known_ SIBYL_GUARDED_BY(mutex_);
  mutable std::size_t given_to_tools_ SIBYL_GUARDED_BY(mutex_) = 0;
  mutable std::optional<UncheckedCode> unchecked_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::code
