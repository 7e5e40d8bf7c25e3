// SPDX-License-Identifier: Apache-2.0
// Terminal output: width, colour, one progress line.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl {

/// Properties of an output. For a pipe: no colour, no progress, unlimited
/// width.
struct Terminal {
  bool is_terminal = false;
  bool has_colour = false;
  std::size_t columns = 80;
  std::size_t rows = 0;    ///< 0: unknown.
  bool has_links = false;  ///< Shows hyperlinks (base/hyperlink.h); only ever on a terminal.
  /// Where relative paths in links start; of the caller. Empty: files are not linked.
  std::string_view folder_view = {};
};

/// The relevant environment variables.
struct TerminalEnvironment {
  std::optional<std::string> no_color;  ///< Set and not empty: neither colour nor links.
  std::optional<std::string> term;      ///< "dumb", empty or unset: no colour.
  std::optional<std::string> columns;   ///< Used if the terminal does not report it.
  bool shows_links = false;             ///< See ShowsLinks() in base/hyperlink.h.
};

TerminalEnvironment ReadTerminalEnvironment();

/// For an open descriptor, such as STDOUT_FILENO.
Terminal ProbeTerminal(int descriptor, const TerminalEnvironment& environment);

enum class Style { kPlain, kBold, kDim, kRed, kGreen, kYellow, kBlue };

/// `text` in a style; unchanged without colour.
std::string Styled(std::string_view text, Style style, const Terminal& terminal);

/// `text` with its control characters (except tab) made visible: a source is
/// hostile, and its escape sequences must not reach the terminal.
std::string Harmless(std::string_view text);

/// A progress line that is overwritten while work continues, and erased at the
/// end. Prints nothing if the output is not a terminal. Not thread-safe: owned
/// by the thread that prints results.
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

  /// Erases the line, so that something else can be printed.
  void Clear();

 private:
  void Write(std::string_view bytes) const;

  int descriptor_;
  Terminal terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point next_draw_{};
};

}  // namespace sibyl
