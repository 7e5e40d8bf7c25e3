// SPDX-License-Identifier: Apache-2.0
#include "base/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/files/write_all.h"
#include "base/hyperlink.h"
#include "base/numbers.h"
#include "base/process/environment.h"
#include "base/utf8.h"

namespace sibyl {
namespace {

constexpr auto kDrawInterval = std::chrono::milliseconds(50);
constexpr std::string_view kBackToStartAndErase = "\r\x1b[K";

std::size_t FindColumns(int descriptor, const std::optional<std::string>& variable) {
  constexpr std::size_t kDefault = 80;
  constexpr std::size_t kWidest = 10'000;
  struct winsize size {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::optional<std::size_t> columns = ParseNumber<std::size_t>(variable.value_or(""));
  return columns && *columns > 0 && *columns <= kWidest ? *columns : kDefault;
}

std::size_t FindRows(int descriptor) {
  struct winsize size {};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

std::string_view EscapeFor(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kRed:
      return "\x1b[31m";
    case Style::kGreen:
      return "\x1b[32m";
    case Style::kYellow:
      return "\x1b[33m";
    case Style::kBlue:
      return "\x1b[34m";
  }
  return "";
}

// C0, DEL, C1 and the marks that reorder text so that it reads as another.
bool IsHarmful(char32_t c) {
  return (c < 0x20 && c != U'\t') || (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

TerminalEnvironment ReadTerminalEnvironment() {
  return {.no_color = EnvironmentVariable("NO_COLOR"),
          .term = EnvironmentVariable("TERM"),
          .columns = EnvironmentVariable("COLUMNS"),
          .shows_links = ShowsLinks(ReadLinkEnvironment())};
}

Terminal ProbeTerminal(int descriptor, const TerminalEnvironment& environment) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) == 1;
  const std::string term = environment.term.value_or("");
  const bool is_refused = !environment.no_color.value_or("").empty();
  terminal.has_colour = terminal.is_terminal && !is_refused && !term.empty() && term != "dumb";
  terminal.has_links = terminal.has_colour && environment.shows_links;
  terminal.columns = FindColumns(descriptor, environment.columns);
  terminal.rows = FindRows(descriptor);
  return terminal;
}

std::string Styled(std::string_view text, Style style, const Terminal& terminal) {
  if (!terminal.has_colour || style == Style::kPlain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", EscapeFor(style), text);
}

std::string Harmless(std::string_view text) {
  std::string harmless;
  harmless.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character next = DecodeUtf8(text);
    if (!next.is_valid) {
      harmless += "\uFFFD";
    } else if (IsHarmful(next.code_point)) {
      harmless += fmt::format("\\u{{{:X}}}", static_cast<unsigned>(next.code_point));
    } else {
      harmless += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return harmless;
}

ProgressLine::ProgressLine(int descriptor, const Terminal& terminal)
    : descriptor_(descriptor), terminal_(terminal) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Show(std::string_view text) {
  if (!terminal_.is_terminal) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + kDrawInterval;
  // One column is left free: a full line makes some terminals wrap.
  const std::size_t columns = terminal_.columns > 1 ? terminal_.columns - 1 : 1;
  Write(std::string(kBackToStartAndErase) + ElideMiddle(Harmless(text), columns));
  is_shown_ = true;
}

void ProgressLine::Clear() {
  if (!is_shown_) return;
  Write(kBackToStartAndErase);
  is_shown_ = false;
  next_draw_ = {};
}

// A progress line that cannot be written is not worth an error.
void ProgressLine::Write(std::string_view bytes) const { WriteAll(descriptor_, bytes); }

}  // namespace sibyl
