// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/shell/shell_script.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/strings.h"

namespace sibyl::inspect {
namespace {

class Tokens {
 public:
  explicit Tokens(std::string_view script) : script_(script) {}

  std::vector<ShellToken> Read() {
    while (at_ < script_.size()) {
      const char c = script_[at_];
      if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        at_ = std::min(script_.find('\n', at_), script_.size());
      } else if (const std::size_t length = OperatorLength(); length > 0) {
        tokens_.push_back({.raw = script_.substr(at_, length), .is_operator = true});
        at_ += length;
      } else {
        ReadWord();
      }
    }
    return std::move(tokens_);
  }

 private:
  char Peek(std::size_t ahead) const {
    return at_ + ahead < script_.size() ? script_[at_ + ahead] : '\0';
  }

  // 0 if no operator begins here. "2>&1" and "&>x" are redirections.
  std::size_t OperatorLength() const {
    const char c = script_[at_];
    if (c == '\n' || c == '(' || c == ')') return 1;
    if (c == ';' || c == '|') return Peek(1) == c ? 2 : 1;
    if (c != '&' || Peek(1) == '>') return 0;
    return Peek(1) == '&' ? 2 : 1;
  }

  void ReadWord() {
    const std::size_t begin = at_;
    std::string text;
    while (at_ < script_.size()) {
      const char c = script_[at_];
      const bool redirects = at_ > begin && (script_[at_ - 1] == '>' || script_[at_ - 1] == '<');
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ')') break;
      if (c == '(' && at_ > begin) {
        TakeParentheses(text);
      } else if (c != '(' && OperatorLength() > 0 && !(c == '&' && redirects)) {
        break;
      } else if (c == '"' || c == '\'') {
        TakeQuoted(text);
      } else {
        if (c == '\\' && at_ + 1 < script_.size()) text += script_[at_++];
        text += script_[at_++];
      }
    }
    tokens_.push_back({.raw = script_.substr(begin, at_ - begin), .text = std::move(text)});
  }

  void TakeQuoted(std::string& text) {
    const char quote = script_[at_++];
    while (at_ < script_.size() && script_[at_] != quote) {
      const bool is_escape = script_[at_] == '\\' && quote == '"' && at_ + 1 < script_.size();
      const char next = is_escape ? script_[at_ + 1] : '\0';
      if (is_escape && (next == '"' || next == '\\' || next == '$' || next == '`')) ++at_;
      text += script_[at_++];
    }
    at_ = std::min(at_ + 1, script_.size());
  }

  // To the one that closes; to the end of the script if none does.
  void TakeParentheses(std::string& text) {
    std::size_t depth = 0;
    while (at_ < script_.size()) {
      const char c = script_[at_];
      if (c == '"' || c == '\'') {
        TakeQuoted(text);
        continue;
      }
      if (c == '(') ++depth;
      if (c == ')') --depth;
      text += c;
      ++at_;
      if (depth == 0) return;
    }
  }

  std::string_view script_;
  std::size_t at_ = 0;
  std::vector<ShellToken> tokens_;
};

struct Command {
  std::vector<ShellToken> words;
  std::string_view end;  ///< The operator after it.
};

std::vector<Command> Split(std::string_view script) {
  std::vector<Command> commands(1);
  for (ShellToken& token : ShellTokens(script)) {
    if (token.is_operator) {
      commands.back().end = token.raw;
      commands.emplace_back();
    } else {
      commands.back().words.push_back(std::move(token));
    }
  }
  return commands;
}

bool IsRedirection(std::string_view raw) {
  const std::size_t at = raw.find_first_not_of("0123456789&");
  return at != raw.npos && (raw[at] == '<' || raw[at] == '>');
}

// Where the program is; the number of words if there is none.
std::size_t ProgramAt(const Command& command) {
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& word = command.words[i].text;
    if (IsRedirection(command.words[i].raw)) continue;
    if (word == "sudo" || word == "env" || word == "exec" || word == "then" || word == "do" ||
        word == "else" || word == "{" || word == "!") {
      continue;
    }
    if (word.find('=') == std::string::npos || word.starts_with('-')) return i;
  }
  return command.words.size();
}

std::string ProgramName(const Command& command) {
  const std::size_t at = ProgramAt(command);
  if (at == command.words.size()) return {};
  const std::string& word = command.words[at].text;
  return word.substr(word.rfind('/') + 1);
}

bool IsShell(std::string_view program) {
  return program == "sh" || program == "bash" || program == "dash" || program == "zsh" ||
         program == "ash";
}

// The script of `bash -lc "x"`, or nullptr.
const ShellToken* ScriptOfShell(const Command& command) {
  if (!IsShell(ProgramName(command))) return nullptr;
  for (std::size_t i = ProgramAt(command) + 1; i + 1 < command.words.size(); ++i) {
    const std::string& word = command.words[i].text;
    if (word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')) {
      return &command.words[i + 1];
    }
  }
  return nullptr;
}

bool HasSubstitution(std::string_view raw) { return Contains(raw, "$(") || Contains(raw, "`"); }

// Copies tokens of a script with the blanks before them.
class Copy {
 public:
  void Add(std::string_view raw) {
    const std::string_view blanks = BlanksBefore(raw);
    script_.append(blanks).append(raw);
    Skip(raw);
  }
  // Another text in the place of a token.
  void Replace(std::string_view raw, std::string_view text) {
    script_.append(BlanksBefore(raw)).append(text);
    Skip(raw);
  }
  void Skip(std::string_view raw) { end_ = raw.data() + raw.size(); }
  std::string Take() { return std::move(script_); }

 private:
  std::string_view BlanksBefore(std::string_view raw) const {
    return end_ == nullptr || end_ == raw.data() ? "" : " ";
  }

  std::string script_;
  const char* end_ = nullptr;  ///< Of the last token.
};

// Copies the words of a command that are executed, or say where its output goes.
void CopyWords(const Command& command, bool is_printed, Copy& copy) {
  const ShellToken* const inner = ScriptOfShell(command);
  const std::size_t program = ProgramAt(command);
  bool redirects = false;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const ShellToken& word = command.words[i];
    redirects = redirects || IsRedirection(word.raw);
    if (&word == inner) {
      copy.Replace(word.raw, word.text);
    } else if (inner != nullptr ||
               (is_printed && i > program && !redirects && !HasSubstitution(word.raw))) {
      copy.Skip(word.raw);
    } else {
      copy.Add(word.raw);
    }
  }
}

std::string Executed(const std::vector<Command>& commands) {
  Copy copy;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const Command& command = commands[i];
    const std::string program = ProgramName(command);
    const bool feeds_shell =
        command.end == "|" && i + 1 < commands.size() && IsShell(ProgramName(commands[i + 1]));
    CopyWords(command, (program == "echo" || program == "printf") && !feeds_shell, copy);
    if (!command.end.empty()) copy.Add(command.end);
  }
  return copy.Take();
}

// The here-documents that a shell reads: "RUN <<EOF", "bash <<EOF".
std::string ExecutedBodies(const std::vector<Command>& commands,
                           const std::vector<std::string>& bodies) {
  std::string script;
  std::size_t number = 0;
  for (const Command& command : commands) {
    const std::string program = ProgramName(command);
    for (const ShellToken& word : command.words) {
      if (!Contains(word.raw, "<<") || Contains(word.raw, "<<<")) continue;
      if (number == bodies.size()) return script;
      const std::string& body = bodies[number++];
      if (!program.empty() && !IsShell(program)) continue;
      const std::string_view first = std::string_view(body).substr(0, body.find('\n'));
      if (program.empty() && first.starts_with("#!") && !Contains(first, "sh")) continue;
      script += '\n' + Executed(Split(body));
    }
  }
  return script;
}

// As a shell reads it as one word.
std::string Quoted(const std::string& word) {
  if (word.find_first_of(" \t\n&|;()<>\"'#$`\\") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// ["bash", "-c", "x"] as a shell would be given it; empty if it is not such a list.
std::string ScriptOfList(std::string_view arguments) {
  const Result<Json> list = ParseJson(arguments);
  if (!list.ok() || !list->is_array()) return {};
  std::string script;
  for (const Json& word : *list) {
    if (!word.is_string()) return {};
    if (!script.empty()) script += ' ';
    script += Quoted(word.get<std::string>());
  }
  return script;
}

}  // namespace

std::vector<ShellToken> ShellTokens(std::string_view script) { return Tokens(script).Read(); }

std::string ExecutedScript(const DockerInstruction& at) {
  if (at.keyword != "RUN") return at.Script();
  if (Trim(at.arguments).starts_with('[')) {
    const std::string script = ScriptOfList(at.arguments);
    if (!script.empty()) return Executed(Split(script));
  }
  const std::vector<Command> commands = Split(at.arguments);
  return Executed(commands) + ExecutedBodies(commands, at.here);
}

}  // namespace sibyl::inspect
