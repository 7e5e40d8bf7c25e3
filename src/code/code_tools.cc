// SPDX-License-Identifier: Apache-2.0
#include "code/code_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/process/sandbox.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "code/syntax.h"
#include "statement/folded_text.h"

namespace sibyl::code {
namespace {

namespace fs = std::filesystem;

CodeResult NotChecked(std::string message, std::string reason = {}) {
  return {.message = std::move(message), .reason = std::move(reason)};
}

CodeResult Broken(std::size_t line, std::string_view message, std::string reason) {
  constexpr std::size_t kMost = 200;
  std::string shown = ReplaceInvalidUtf8(Trim(message));
  if (shown.size() > kMost) shown = shown.substr(0, shown.find(' ', kMost)) + " …";
  return {.verdict = statement::Verdict::kContradicted,
          .line = line,
          .message = std::move(shown),
          .reason = std::move(reason)};
}

// The CUDA toolkit, as a folder that can be bound into a sandbox: the one in
// its usual place, or the one of the nvcc in PATH if it is installed for the
// whole system.
std::optional<fs::path> FindToolkit() {
  std::vector<fs::path> places = {"/usr/local/cuda", "/opt/cuda"};
  std::error_code error;
  if (const auto nvcc = FindProgram("nvcc")) {
    places.push_back(fs::canonical(*nvcc, error).parent_path().parent_path());
  }
  for (const fs::path& place : places) {
    const bool is_toolkit = fs::exists(place / "bin" / "nvcc", error) &&
                            fs::exists(place / "nvvm", error) && IsSystemPath(place);
    if (is_toolkit) return fs::canonical(place, error);
  }
  return std::nullopt;
}

// CUDA's headers serve C++ too: they need neither nvcc nor a GPU.
std::optional<fs::path> CudaHeaders(const std::optional<fs::path>& toolkit) {
  if (!toolkit || !IsSystemPath(*toolkit / "include")) return std::nullopt;
  std::error_code error;
  return fs::canonical(*toolkit / "include", error);
}

struct Diagnostic {
  std::size_t line = 0;
  std::string message;
};

std::optional<std::size_t> ReadNumber(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

// "code.cu:3:5: error: …" of g++ and "code.cu(3): error: …" of nvcc, for the
// block's own file and for no other.
std::vector<Diagnostic> OwnErrors(std::string_view output, std::string_view file) {
  std::vector<Diagnostic> errors;
  for (const std::string_view line : SplitLines(output)) {
    if (!line.starts_with(file) || line.size() <= file.size() + 1) continue;
    const char mark = line[file.size()];
    if (mark != ':' && mark != '(') continue;
    const auto number = ReadNumber(line.substr(file.size() + 1));
    const std::size_t error = line.find("error: ");
    if (number && error != std::string_view::npos) {
      errors.push_back({*number, std::string(line.substr(error + 7))});
    }
  }
  return errors;
}

// What depends on this machine's headers, compilers and targets, and not on the
// block.
bool IsOurFault(std::string_view message) {
  constexpr std::array<std::string_view, 12> kSigns = {"No such file or directory",
                                                       "could not open source file",
                                                       "cannot open source file",
                                                       "#error",
                                                       "requires .target",
                                                       "not supported on .target",
                                                       "requires PTX ISA",
                                                       "architecture",
                                                       "is not supported in this configuration",
                                                       "only available with",
                                                       "-std=",
                                                       "compile with"};
  return std::any_of(kSigns.begin(), kSigns.end(), [message](std::string_view sign) {
    return message.find(sign) != std::string_view::npos;
  });
}

CodeResult DescribeEnd(const Result<Outcome>& outcome, std::string_view tool) {
  if (!outcome.ok()) {
    return NotChecked(fmt::format("{} could not be run", tool), outcome.error().message);
  }
  return NotChecked(fmt::format("{} did not finish: {}", tool, Describe(*outcome)));
}

CodeResult JudgeCompiled(const Result<Outcome>& outcome, std::string_view tool,
                         std::string_view file) {
  if (!outcome.ok() || !outcome->exit_code || outcome->limit != Limit::kNone) {
    return DescribeEnd(outcome, tool);
  }
  if (outcome->succeeded()) {
    return {.verdict = statement::Verdict::kSupported,
            .message = fmt::format("{} compiles it", tool)};
  }
  const std::vector<Diagnostic> errors = OwnErrors(outcome->errors + outcome->output, file);
  const bool ours = std::any_of(errors.begin(), errors.end(),
                                [](const Diagnostic& error) { return IsOurFault(error.message); });
  // A missing header causes all later errors.
  if (errors.empty() || ours || IsOurFault(outcome->errors)) {
    return NotChecked(fmt::format("{} is missing a header, library or option", tool));
  }
  return Broken(errors[0].line, errors[0].message, fmt::format("compiled with {}", tool));
}

Result<CodeResult> Compile(const ToolQuestion& question) {
  if (question.completeness != Completeness::kWhole) {
    return NotChecked("a fragment, which cannot be compiled alone");
  }
  const bool is_cuda = question.language == BlockLanguage::kCuda;
  const std::string tool = is_cuda ? "nvcc" : "g++";
  const std::optional<fs::path> toolkit = FindToolkit();
  std::optional<fs::path> program = FindSystemProgram(tool);
  if (is_cuda && toolkit) program = *toolkit / "bin" / "nvcc";
  if (!program) return NotChecked(fmt::format("{} is not installed", tool));
  const std::string file = is_cuda                                  ? "block.cu"
                           : question.language == BlockLanguage::kC ? "block.c"
                                                                    : "block.cc";
  SandboxedCommand command{.program = program->string(),
                           .input = std::string(question.code),
                           .input_name = file,
                           .readable = {"/usr/include", "/usr/local/include"},
                           .time = question.time * (is_cuda ? 2 : 1)};
  if (is_cuda) {
    if (toolkit) command.readable.push_back(*toolkit);
    command.arguments = {"-std=c++17", "-arch=sm_90a", "-fatbin", "-w", "-o", "block.fatbin", file};
  } else {
    command.arguments = {"-fsyntax-only", "-w", "-fmax-errors=8", "-fdiagnostics-plain-output"};
    if (const auto headers = CudaHeaders(toolkit)) {
      command.readable.push_back(*headers);
      command.arguments.insert(command.arguments.end(), {"-isystem", headers->string()});
    }
    // g++ takes a file for C++ whatever its name ends with.
    const bool is_c = question.language == BlockLanguage::kC;
    command.arguments.emplace_back(is_c ? "-xc" : "-std=gnu++20");
    command.arguments.push_back(file);
  }
  const Sandbox sandbox = SIBYL_TRY(Sandbox::Open({.bubblewrap = question.bubblewrap}));
  return JudgeCompiled(sandbox.Run(command), tool, file);
}

// Only the parser, from stdin; -I isolates it from the user's files.
constexpr std::string_view kPythonScript =
    "import ast,json,sys,textwrap\n"
    "text=textwrap.dedent(sys.stdin.buffer.read().decode('utf-8','replace'))\n"
    "try: ast.parse(text); print('{}')\n"
    "except SyntaxError as e: print(json.dumps({'line':e.lineno or 0,'last':len(text.splitlines()),"
    "'message':e.msg}))\n";

constexpr std::string_view kTomlScript =
    "import json,re,sys\n"
    "try: import tomllib\n"
    "except ImportError: sys.exit(9)\n"
    "try: tomllib.loads(sys.stdin.buffer.read().decode('utf-8','replace')); print('{}')\n"
    "except tomllib.TOMLDecodeError as e:\n"
    "  m=re.search(r'line (\\d+)',str(e))\n"
    "  print(json.dumps({'line':int(m.group(1)) if m else 0,'last':0,'message':str(e)}))\n";

// Prompts, magics and Python 2 are not errors of the block.
bool IsPlainPython(std::string_view code) {
  for (const std::string_view raw : SplitLines(code)) {
    const std::string_view line = Trim(raw);
    if (line.starts_with(">>>") || line.starts_with("%") || line.starts_with("!") ||
        line.starts_with("$ ") || line.starts_with("In [")) {
      return false;
    }
  }
  return true;
}

bool MayBeMended(std::string_view message, std::size_t line, std::size_t last) {
  constexpr std::array<std::string_view, 9> kSigns = {
      "was never closed", "EOF",       "expected an indented block",
      "indent",           "unmatched", "Missing parentheses in call to",
      "too many nested",  "f-string",  "expected 'except'"};
  if (line >= last && last > 0) return true;
  return std::any_of(kSigns.begin(), kSigns.end(), [message](std::string_view sign) {
    return message.find(sign) != std::string_view::npos;
  });
}

Result<CodeResult> AskPython(std::string_view script, std::string_view name,
                             const ToolQuestion& question) {
  const auto program = FindSystemProgram("python3");
  if (!program) return NotChecked("python3 is not installed");
  const Sandbox sandbox = SIBYL_TRY(Sandbox::Open({.bubblewrap = question.bubblewrap}));
  const Result<Outcome> outcome = sandbox.Run({.program = program->string(),
                                               .arguments = {"-I", "-S", "-c", std::string(script)},
                                               .input = std::string(question.code),
                                               .time = question.time,
                                               .memory_bytes = std::size_t{1} << 30});
  if (!outcome.ok() || !outcome->succeeded()) return DescribeEnd(outcome, "python3");
  const Result<Json> answer = ParseJson(outcome->output);
  if (!answer.ok() || !answer->is_object()) return NotChecked("python3 gave no answer");
  if (answer->empty())
    return CodeResult{.verdict = statement::Verdict::kSupported, .message = "it parses"};
  const std::string message = answer->value("message", "");
  const std::size_t line = answer->value("line", std::size_t{0});
  const bool is_fragment = question.completeness != Completeness::kWhole;
  if (is_fragment && MayBeMended(message, line, answer->value("last", std::size_t{0}))) {
    return NotChecked("a fragment, which may be incomplete", message);
  }
  return Broken(line, message, fmt::format("parsed with {}", name));
}

Result<CodeResult> AskShell(const ToolQuestion& question) {
  const auto program = FindSystemProgram("bash");
  if (!program) return NotChecked("bash is not installed");
  // A session has prompts and output.
  for (const std::string_view line : SplitLines(question.code)) {
    if (line.starts_with("$ ") || line.starts_with("> ") || line.starts_with("PS ")) {
      return NotChecked("an interactive session, not a script");
    }
  }
  const Sandbox sandbox = SIBYL_TRY(Sandbox::Open({.bubblewrap = question.bubblewrap}));
  const Result<Outcome> outcome = sandbox.Run({.program = program->string(),
                                               .arguments = {"--norc", "--noprofile", "-n"},
                                               .input = std::string(question.code),
                                               .time = question.time,
                                               .memory_bytes = std::size_t{1} << 30});
  if (!outcome.ok() || !outcome->exit_code || outcome->limit != Limit::kNone) {
    return DescribeEnd(outcome, "bash");
  }
  if (outcome->succeeded()) {
    return CodeResult{.verdict = statement::Verdict::kSupported, .message = "it parses"};
  }
  // "bash: line 3: syntax error near unexpected token `fi'"
  const std::size_t at = outcome->errors.find("line ");
  const std::size_t colon = outcome->errors.find(": ", at);
  if (at == std::string::npos || colon == std::string::npos) {
    return NotChecked("bash gave no answer");
  }
  const std::string message =
      outcome->errors.substr(colon + 2, outcome->errors.find('\n', colon) - colon - 2);
  constexpr std::array<std::string_view, 12> kOutside = {
      "end of file", "EOF",    "`fi'", "`done'", "`esac'", "`then'",
      "`else'",      "`elif'", "`do'", "`;;'",   "`)'",    "`}'"};
  const bool may_be_mended = std::any_of(kOutside.begin(), kOutside.end(), [&](auto sign) {
    return message.find(sign) != std::string::npos;
  });
  if (question.completeness != Completeness::kWhole && may_be_mended) {
    return NotChecked("a fragment, which may be incomplete", message);
  }
  return Broken(ReadNumber(std::string_view(outcome->errors).substr(at + 5)).value_or(0), message,
                "parsed with bash -n");
}

}  // namespace

bool HasTool(BlockLanguage language) {
  switch (language) {
    case BlockLanguage::kC:
    case BlockLanguage::kCpp:
    case BlockLanguage::kCuda:
    case BlockLanguage::kPython:
    case BlockLanguage::kShell:
    case BlockLanguage::kToml:
      return true;
    default:
      return false;
  }
}

bool HasPlaceholderLine(std::string_view code) {
  for (const std::string_view line : SplitLines(code)) {
    if (statement::IsEllipsisLine(line)) return true;
  }
  return false;
}

Result<CodeResult> AskTool(const ToolQuestion& question) {
  const std::string_view code = question.code;
  switch (question.language) {
    case BlockLanguage::kC:
    case BlockLanguage::kCpp:
    case BlockLanguage::kCuda:
      return Compile(question);
    case BlockLanguage::kPython:
      if (!IsPlainPython(code) || HasPlaceholder(code)) {
        return NotChecked("an interactive session, or code with placeholders");
      }
      return AskPython(kPythonScript, "python3", question);
    case BlockLanguage::kToml:
      if (HasPlaceholder(code)) return NotChecked("code with placeholders");
      return AskPython(kTomlScript, "tomllib", question);
    case BlockLanguage::kShell:
      if (HasPlaceholder(code)) return NotChecked("code with placeholders");
      return AskShell(question);
    default:
      return NotChecked("no tool checks this language");
  }
}

}  // namespace sibyl::code
