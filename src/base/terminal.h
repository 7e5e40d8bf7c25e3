// SPDX-License-Identifier: Apache-2.0
// What a person looks at: how wide, in colour or not, one progress line.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl {

/// What is known about an output. A pipe is no terminal: no colour, no
/// progress, and tables as wide as they like.
struct Terminal {
  bool is_terminal = false;
  bool has_colour = false;
  std::size_t columns = 80;
};

/// The variables that have a say.
struct TerminalEnvironment {
  std::optional<std::string> no_color;  ///< Set and not empty: never colour.
  std::optional<std::string> term;      ///< "dumb", empty or unset: no colour.
  std::optional<std::string> columns;   ///< Asked when the terminal does not say.
};

TerminalEnvironment ReadTerminalEnvironment();

/// Looks at an open descriptor, such as STDOUT_FILENO.
Terminal ProbeTerminal(int descriptor, const TerminalEnvironment& environment);

enum class Style { kPlain, kBold, kDim, kRed, kGreen, kYellow, kBlue };

/// `text` in a style; unchanged where there is no colour.
std::string Styled(std::string_view text, Style style, const Terminal& terminal);

/// `text` with its control characters (except tab) made visible: a source is
/// hostile, and its escape sequences must not reach the terminal.
std::string Harmless(std::string_view text);

/// One line that is overprinted while work goes on, and gone when it ends.
/// Prints nothing when the output is no terminal. Not thread-safe: the thread
/// that prints results owns it.
class ProgressLine {
 public:
  /// `descriptor` is borrowed; normally that of stderr.
  ProgressLine(int descriptor, const Terminal& terminal);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows `text`, shortened in the middle to the width. Called as often as
  /// one likes: it draws at most every 50 ms, the first time at once.
  void Show(std::string_view text);

  /// Takes the line away, so that something else can be printed.
  void Clear();

 private:
  void Write(std::string_view bytes) const;

  int descriptor_;
  Terminal terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point next_draw_{};
};

}  // namespace sibyl
