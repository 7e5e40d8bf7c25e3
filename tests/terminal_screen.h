// SPDX-License-Identifier: Apache-2.0
// A terminal for tests: a program runs on a real pseudo-terminal, and a screen
// that understands what sibyl writes shows what a person would see.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl {

/// Rows of text without an upper edge. Lines that are too long are wrapped, and
/// wrapped anew when the width changes, as most terminals do.
class Screen {
 public:
  explicit Screen(std::size_t columns) : columns_(columns) {}

  void Write(std::string_view bytes);
  void Resize(std::size_t columns);

  /// The rows down to the last one with text, without blanks at their end.
  std::vector<std::string> Rows() const;
  /// Rows that continue the one above them: lines that were too long.
  std::vector<std::string> WrappedRows() const;
  /// How often a line was wrapped, also of text that is gone again.
  std::size_t wraps() const { return wraps_; }

 private:
  struct Row {
    std::vector<std::string> cells;  ///< One character each.
    bool continues = false;          ///< The row above was too long.
  };

  Row& Here();
  void Put(std::string character);
  void Command(std::string_view parameters, char what);
  std::size_t TakeEscape(std::string_view bytes);

  std::size_t columns_;
  std::vector<Row> rows_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::size_t wraps_ = 0;
  std::string kept_;  ///< The beginning of a sequence whose end was not read yet.
};

struct TerminalRun {
  std::vector<std::string> words;  ///< The program and its arguments.
  std::filesystem::path folder;
  std::map<std::string, std::string> environment;
  std::size_t columns = 80;
  /// Called after each piece of output; returns the new width of the window, or
  /// 0 to leave it.
  std::function<std::size_t(const Screen&)> resize = {};
};

struct TerminalOutcome {
  std::string bytes;  ///< Everything that was written, stdout and stderr.
  Screen screen;
  int exit_code = -1;
};

/// Runs a program on a pseudo-terminal until it ends, at most a minute.
TerminalOutcome RunOnTerminal(const TerminalRun& run);

}  // namespace sibyl
