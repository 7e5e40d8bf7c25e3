// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/example_code.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "statement/folded_text.h"

namespace sibyl::gate {
namespace {

using support::Token;

// Words of languages and shells, which no source has to define.
bool IsOfLanguage(std::string_view lower) {
  static const std::unordered_set<std::string_view> words = {
      "if",      "for",      "while",  "switch",  "return",   "sizeof",   "print",   "printf",
      "range",   "int",      "float",  "double",  "str",      "len",      "list",    "dict",
      "tuple",   "main",     "assert", "catch",   "echo",     "cmake",    "make",    "git",
      "python",  "python3",  "pip",    "import",  "from",     "as",       "with",    "in",
      "def",     "class",    "const",  "auto",    "void",     "char",     "bool",    "true",
      "false",   "none",     "null",   "nullptr", "new",      "struct",   "using",   "namespace",
      "include", "define",   "export", "cd",      "docker",   "bash",     "sudo",    "source",
      "mkdir",   "rm",       "cp",     "mv",      "ls",       "std",      "else",    "elif",
      "try",     "except",   "lambda", "not",     "and",      "or",       "is",      "do",
      "then",    "fi",       "done",   "break",   "continue", "case",     "default", "static",
      "enum",    "unsigned", "long",   "short",   "size_t",   "uint32_t", "int32_t", "uint64_t",
      "int64_t"};
  return words.contains(lower);
}

// Where the comment of each line begins is left to the judge of comments.
std::string WithoutComments(std::string_view code) {
  std::string rest;
  for (const std::string_view line : SplitLines(code)) {
    std::size_t end = line.size();
    for (const std::string_view mark : {"//", "# ", "/*"}) end = std::min(end, line.find(mark));
    rest.append(line.substr(0, end)).append("\n");
  }
  return rest;
}

enum class Role { kPlain, kCalled };

// `f(`, `--flag`, `-DNAME`, `NAME=`, `key=`
Role RoleOf(std::string_view code, const Token& token) {
  std::size_t next = token.end;
  while (next < code.size() && code[next] == ' ') ++next;
  const bool is_called = next < code.size() && code[next] == '(';
  const bool is_flag = token.begin > 1 && code[token.begin - 1] == '-' &&
                       (code[token.begin - 2] == '-' || code[token.begin - 2] == ' ');
  const bool is_key =
      next < code.size() && code[next] == '=' && next + 1 < code.size() && code[next + 1] != '=' &&
      token.begin > 0 &&
      std::string_view("(,").find(code[code.find_last_not_of(' ', token.begin - 1)]) !=
          std::string_view::npos;
  const std::string_view word = code.substr(token.begin, token.end - token.begin);
  const bool is_constant = word.size() > 3 && std::none_of(word.begin(), word.end(), IsLower) &&
                           word.find('_') != std::string_view::npos;
  return is_called || is_flag || is_key || is_constant ? Role::kCalled : Role::kPlain;
}

}  // namespace

bool IsMarkedExample(const statement::Statement& code) {
  const std::string info = LowerCase(code.info);
  const std::size_t at = info.find("example");
  return at != std::string::npos && (at == 0 || !statement::IsWordByte(info[at - 1]));
}

bool IsExampleOf(const statement::Statement& code, const ClaimGround& ground,
                 support::Tokenizer& tokenizer) {
  constexpr double kMost = 0.6;
  constexpr std::size_t kShortest = 2;
  const std::string text = WithoutComments(code.text);
  std::size_t called = 0;
  double all = 0;
  double found = 0;
  for (const Token& token : tokenizer.OfSource(text)) {
    const bool is_name = !IsDigit(token.lower[0]) && token.lower.size() > kShortest;
    if (!is_name || IsOfLanguage(token.lower)) continue;
    // "-DNAME=ON" is NAME.
    std::string lower = token.lower;
    const bool is_define = token.begin > 0 && text[token.begin - 1] == '-' && lower[0] == 'd';
    bool is_there = ground.HasWord(lower) || ground.HasContext(lower);
    if (!is_there && is_define) is_there = ground.HasWord(lower.substr(1));
    if (RoleOf(text, token) == Role::kCalled) {
      if (!is_there) return false;
      ++called;
    }
    all += 1;
    found += is_there ? 1 : 0;
  }
  return called > 0 && (IsMarkedExample(code) || found >= kMost * all);
}

}  // namespace sibyl::gate
