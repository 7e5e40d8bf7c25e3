// SPDX-License-Identifier: Apache-2.0
#include "tests/terminal_screen.h"

#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "base/numbers.h"
#include "base/utf8.h"

namespace sibyl {
namespace {

constexpr unsigned short kRows = 40;

winsize SizeOf(std::size_t columns) {
  winsize size{};
  size.ws_row = kRows;
  size.ws_col = static_cast<unsigned short>(columns);
  return size;
}

std::string TextOf(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += cell;
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

[[noreturn]] void Exec(const TerminalRun& run) {
  std::vector<std::string> words = run.words;
  std::vector<std::string> variables;
  variables.reserve(run.environment.size());
  for (const auto& [name, value] : run.environment) {
    variables.push_back(fmt::format("{}={}", name, value));
  }
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  environment.reserve(variables.size() + 1);
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  if (::chdir(run.folder.c_str()) == 0) {
    ::execve(arguments[0], arguments.data(), environment.data());
  }
  ::_exit(127);
}

}  // namespace

Screen::Row& Screen::Here() {
  if (row_ >= rows_.size()) rows_.resize(row_ + 1);
  return rows_[row_];
}

void Screen::Put(std::string character) {
  if (column_ == columns_) {
    ++wraps_;
    ++row_;
    column_ = 0;
    Here() = {.continues = true};
  }
  Row& row = Here();
  if (row.cells.size() <= column_) row.cells.resize(column_ + 1, " ");
  row.cells[column_++] = std::move(character);
}

void Screen::Command(std::string_view parameters, char what) {
  if (what == 'A') {
    const std::size_t up = ParseNumber<std::size_t>(parameters).value_or(1);
    row_ -= std::min(up, row_);
  } else if (what == 'J') {
    rows_.resize(std::min(row_ + 1, rows_.size()));
    if (row_ < rows_.size()) rows_[row_].cells.resize(std::min(column_, rows_[row_].cells.size()));
  } else if (what == 'K') {
    Here().cells.resize(std::min(column_, Here().cells.size()));
  }
}

// The length of the sequence at the beginning; 0 if its end is missing.
std::size_t Screen::TakeEscape(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  if (bytes[1] == ']') {
    const std::size_t end = bytes.find("\x1b\\", 2);
    return end == std::string_view::npos ? 0 : end + 2;
  }
  if (bytes[1] != '[') return 2;
  const std::size_t end = bytes.find_first_not_of("0123456789;?", 2);
  if (end == std::string_view::npos) return 0;
  Command(bytes.substr(2, end - 2), bytes[end]);
  return end + 1;
}

void Screen::Write(std::string_view bytes) {
  const std::string all = kept_ + std::string(bytes);
  std::string_view left = all;
  while (!left.empty()) {
    std::size_t taken = 1;
    if (left[0] == '\n') {
      ++row_;
    } else if (left[0] == '\r') {
      column_ = 0;
    } else if (left[0] == '\x1b') {
      taken = TakeEscape(left);
    } else {
      const Utf8Character next = DecodeUtf8(left);
      taken = next.is_valid || left.size() >= 4 ? next.bytes : 0;
      if (taken > 0) Put(std::string(left.substr(0, taken)));
    }
    if (taken == 0) break;
    left.remove_prefix(taken);
  }
  kept_ = left;
}

void Screen::Resize(std::size_t columns) {
  std::vector<std::vector<std::string>> lines;
  for (const Row& row : rows_) {
    if (!row.continues || lines.empty()) lines.emplace_back();
    lines.back().insert(lines.back().end(), row.cells.begin(), row.cells.end());
  }
  const bool is_below = row_ >= rows_.size();  // after a line end
  columns_ = columns;
  rows_.clear();
  for (const std::vector<std::string>& line : lines) {
    for (std::size_t at = 0; at == 0 || at < line.size(); at += columns) {
      const std::size_t end = std::min(at + columns, line.size());
      rows_.push_back({.cells = {line.begin() + static_cast<std::ptrdiff_t>(at),
                                 line.begin() + static_cast<std::ptrdiff_t>(end)},
                       .continues = at > 0});
    }
  }
  row_ = rows_.size() - (is_below || rows_.empty() ? 0 : 1);
  if (!is_below && !rows_.empty()) column_ = rows_.back().cells.size();
}

std::vector<std::string> Screen::Rows() const {
  std::vector<std::string> rows;
  for (const Row& row : rows_) rows.push_back(TextOf(row.cells));
  while (!rows.empty() && rows.back().empty()) rows.pop_back();
  return rows;
}

std::vector<std::string> Screen::WrappedRows() const {
  std::vector<std::string> rows;
  for (const Row& row : rows_) {
    if (row.continues) rows.push_back(TextOf(row.cells));
  }
  return rows;
}

TerminalOutcome RunOnTerminal(const TerminalRun& run) {
  TerminalOutcome outcome{.screen = Screen(run.columns)};
  winsize size = SizeOf(run.columns);
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) Exec(run);
  if (child < 0) return outcome;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  std::array<char, 4096> buffer{};
  while (std::chrono::steady_clock::now() < end) {
    pollfd waiting{.fd = terminal, .events = POLLIN};
    if (::poll(&waiting, 1, 1000) == 0) continue;
    const ssize_t count = ::read(terminal, buffer.data(), buffer.size());
    if (count <= 0) break;  // EIO: the program has closed its side
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    outcome.bytes += bytes;
    outcome.screen.Write(bytes);
    const std::size_t columns = run.resize ? run.resize(outcome.screen) : 0;
    if (columns == 0) continue;
    size = SizeOf(columns);
    ::ioctl(terminal, TIOCSWINSZ, &size);
    outcome.screen.Resize(columns);
  }
  ::kill(child, SIGKILL);  // has ended, unless it took too long
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace sibyl
