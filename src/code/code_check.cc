// SPDX-License-Identifier: Apache-2.0
#include "code/code_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "code/code_tools.h"
#include "code/syntax.h"
#include "statement/folded_text.h"

namespace sibyl::code {
namespace {

constexpr std::size_t kMaxCodeBytes = std::size_t{256} << 10;

// Whether one of the words is exactly this: not "title=check.cc".
bool InfoSays(std::string_view info, std::string_view word) {
  constexpr std::string_view kBetween = " \t,{}:";
  for (std::size_t at = 0; at < info.size();) {
    const std::size_t end = std::min(info.find_first_of(kBetween, at), info.size());
    if (info.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

bool HasInclude(std::string_view code) { return code.find("#include") != std::string_view::npos; }

// "int main", then a bracket.
bool HasMain(std::string_view code) {
  constexpr std::string_view kMain = "int main";
  for (std::size_t at = code.find(kMain); at != std::string_view::npos;
       at = code.find(kMain, at + 1)) {
    const bool begins = at == 0 || !statement::IsWordByte(code[at - 1]);
    const std::size_t next = code.find_first_not_of(" \t\n", at + kMain.size());
    if (begins && next != std::string_view::npos && code[next] == '(') return true;
  }
  return false;
}

constexpr std::string_view kNotCompiled = "not compiled here: 'verify --code' does that";

CodeResult FromMistake(const std::optional<SyntaxMistake>& mistake, std::string_view holds) {
  if (mistake) {
    return {.verdict = statement::Verdict::kContradicted,
            .line = mistake->line,
            .message = mistake->message,
            .reason = "it was parsed by sibyl"};
  }
  if (holds.empty()) return {.message = "not checked: a fragment, without syntax errors"};
  return {.verdict = statement::Verdict::kSupported, .message = std::string(holds)};
}

}  // namespace

BlockLanguage BlockLanguageOf(std::string_view info) {
  const std::size_t end = std::min(info.find_first_of(" \t,{:"), info.size());
  const std::string name = LowerCase(info.substr(0, end));
  constexpr std::array<std::pair<std::string_view, BlockLanguage>, 22> kNames = {
      {{"c", BlockLanguage::kC},
       {"cpp", BlockLanguage::kCpp},
       {"c++", BlockLanguage::kCpp},
       {"cxx", BlockLanguage::kCpp},
       {"cc", BlockLanguage::kCpp},
       {"hpp", BlockLanguage::kCpp},
       {"h", BlockLanguage::kCpp},
       {"cuda", BlockLanguage::kCuda},
       {"cu", BlockLanguage::kCuda},
       {"cuda-cpp", BlockLanguage::kCuda},
       {"cmake", BlockLanguage::kCMake},
       {"python", BlockLanguage::kPython},
       {"py", BlockLanguage::kPython},
       {"python3", BlockLanguage::kPython},
       {"sh", BlockLanguage::kShell},
       {"bash", BlockLanguage::kShell},
       {"shell", BlockLanguage::kShell},
       {"dockerfile", BlockLanguage::kDockerfile},
       {"docker", BlockLanguage::kDockerfile},
       {"json", BlockLanguage::kJson},
       {"toml", BlockLanguage::kToml},
       {"containerfile", BlockLanguage::kDockerfile}}};
  for (const auto& [known, language] : kNames) {
    if (known == name) return language;
  }
  return BlockLanguage::kUnknown;
}

Completeness CompletenessOf(std::string_view info, std::string_view code) {
  if (InfoSays(info, "nocheck")) return Completeness::kSkipped;
  if (InfoSays(info, "check")) return Completeness::kWhole;
  switch (BlockLanguageOf(info)) {
    case BlockLanguage::kC:
    case BlockLanguage::kCpp:
    case BlockLanguage::kCuda:
      return HasMain(code) && HasInclude(code) && !HasPlaceholderLine(code)
                 ? Completeness::kWhole
                 : Completeness::kFragment;
    case BlockLanguage::kShell:
    case BlockLanguage::kPython:
      return code.starts_with("#!") ? Completeness::kWhole : Completeness::kFragment;
    default:
      return Completeness::kFragment;
  }
}

CodeResult ReadCode(BlockLanguage language, Completeness completeness, std::string_view code) {
  const bool is_whole = completeness == Completeness::kWhole;
  const Extent extent = is_whole ? Extent::kWhole : Extent::kUnknown;
  switch (language) {
    case BlockLanguage::kC:
    case BlockLanguage::kCpp:
    case BlockLanguage::kCuda:
      if (const std::optional<SyntaxMistake> mistake = FindCMistake(code); mistake || !is_whole) {
        return FromMistake(mistake, "");
      }
      return {.message = std::string(kNotCompiled)};
    case BlockLanguage::kCMake:
      return FromMistake(FindCMakeMistake(code, extent), "it parses");
    case BlockLanguage::kDockerfile:
      return FromMistake(FindDockerfileMistake(code, extent), "it parses");
    case BlockLanguage::kJson:
      return FromMistake(FindJsonMistake(code), IsJsonText(code) ? "it parses" : "");
    default:
      return {.message = is_whole ? "not checked here: 'verify --code' does that"
                                  : "not checked: a fragment, which needs --code"};
  }
}

CodeResult CodeChecker::Check(std::string_view info, std::string_view code) const {
  const BlockLanguage language = BlockLanguageOf(info);
  const Completeness completeness = CompletenessOf(info, code);
  if (completeness == Completeness::kSkipped)
    return {.message = "not checked: its fence says nocheck"};
  if (code.size() > kMaxCodeBytes) return {.message = "not checked: it is too long"};
  CodeResult read = ReadCode(language, completeness, code);
  const bool decided = read.verdict != statement::Verdict::kUndecidable;
  if (decided || options_.depth == CodeDepth::kReading || !HasTool(language)) return read;
  return AskWithinLimits({.language = language,
                          .completeness = completeness,
                          .code = code,
                          .time = options_.tool_time,
                          .bubblewrap = options_.bubblewrap});
}

CodeResult CodeChecker::AskWithinLimits(const ToolQuestion& question) const {
  const std::string key =
      Sha256(fmt::format("{} {} {}", static_cast<int>(question.language),
                         static_cast<int>(question.completeness), question.code));
  {
    const MutexLock lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    if (++given_to_tools_ > options_.max_blocks) {
      return {.message = "not checked: too many blocks to compile"};
    }
  }
  slots_.acquire();
  Result<CodeResult> result = AskTool(question);
  slots_.release();
  const MutexLock lock(mutex_);
  if (result.ok()) return known_.insert_or_assign(key, *std::move(result)).first->second;
  --given_to_tools_;  // no tool had it
  if (!unchecked_) unchecked_ = UncheckedCode{.blocks = 0, .reason = result.error()};
  ++unchecked_->blocks;
  return {.message = "not checked: " + result.error().message, .reason = result.error().hint};
}

std::optional<UncheckedCode> CodeChecker::Unchecked() const {
  const MutexLock lock(mutex_);
  return unchecked_;
}

std::optional<statement::Judgement> CodeChecker::JudgeBlock(
    std::string_view file, const statement::Statement& block) const {
  if (BlockLanguageOf(block.info) == BlockLanguage::kUnknown) return std::nullopt;
  CodeResult result = Check(block.info, block.text);
  // The first line of a block is the one after its fence.
  return statement::Judgement{
      .verdict = result.verdict,
      .code = "code/broken",
      .kind = "code block",
      .text = statement::Excerpt(block.text),
      .message = std::move(result.message),
      .reason = std::move(result.reason),
      .place = {
          .file = std::string(file), .line = block.span.first_line + result.line, .column = 1}};
}

std::vector<statement::Judgement> CodeChecker::Judge(
    std::string_view file, const statement::Statements& statements) const {
  std::vector<const statement::Statement*> blocks;
  for (const statement::Statement& statement : statements.all) {
    if (statement.kind == statement::StatementKind::kCode) blocks.push_back(&statement);
  }
  std::vector<std::optional<statement::Judgement>> results(blocks.size());
  ForEachInParallel(blocks.size(), {.threads = options_.depth == CodeDepth::kTools ? 2U : 1U},
                    [&](std::size_t i) { results[i] = JudgeBlock(file, *blocks[i]); });
  std::vector<statement::Judgement> judgements;
  for (std::optional<statement::Judgement>& result : results) {
    if (result) judgements.push_back(*std::move(result));
  }
  return judgements;
}

}  // namespace sibyl::code
