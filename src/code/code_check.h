// SPDX-License-Identifier: Apache-2.0
// Checks code blocks: do they parse, do they compile (code/broken)?
//
// Two levels. Parsing (syntax.h) is cheap and always done: CMake, Dockerfiles,
// JSON, the brackets and literals of C-like code. Running a tool (nvcc, g++,
// python3, bash) takes up to seconds per block, so it is done only on request,
// in the sandbox of base/process/sandbox.h; the block itself is never run.
// Without a sandbox no tool is run.
//
// Precision first. A fragment fails only for errors that no surrounding code
// could fix; an undeclared name in it is not one. A whole program (it has a
// main() and its includes, or its fence says "check") must compile.
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

/// How a block is checked.
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
  std::string reason;  ///< Which tool was used, and how.
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

/// Caches results by content. Thread-safe.
class CodeChecker {
 public:
  struct Options {
    CodeDepth depth = CodeDepth::kReading;
    /// Blocks passed to tools; later ones are only parsed.
    std::size_t max_blocks = 500;
    std::chrono::milliseconds tool_time{20'000};  ///< Of one block; nvcc gets twice that.
    std::string bubblewrap = "bwrap";             ///< See base/process/sandbox.h.
  };

  explicit CodeChecker(const Options& options) : options_(options) {}

  CodeResult Check(std::string_view info, std::string_view code) const SIBYL_EXCLUDES(mutex_);

  /// nullopt for a block in an unknown language.
  std::optional<statement::Judgement> JudgeBlock(std::string_view file,
                                                 const statement::Statement& block) const
      SIBYL_EXCLUDES(mutex_);

  /// JudgeBlock for all, two at a time.
  std::vector<statement::Judgement> Judge(std::string_view file,
                                          const statement::Statements& statements) const
      SIBYL_EXCLUDES(mutex_);

  /// nullopt unless a tool was needed and there was no sandbox.
  std::optional<UncheckedCode> Unchecked() const SIBYL_EXCLUDES(mutex_);

 private:
  CodeResult AskWithinLimits(const ToolQuestion& question) const SIBYL_EXCLUDES(mutex_);

  Options options_;
  // Limits concurrent compilers, which are large.
  mutable std::counting_semaphore<2> slots_{2};
  mutable Mutex mutex_;
  mutable std::map<std::string, CodeResult> known_ SIBYL_GUARDED_BY(mutex_);
  mutable std::size_t given_to_tools_ SIBYL_GUARDED_BY(mutex_) = 0;
  mutable std::optional<UncheckedCode> unchecked_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::code
