// SPDX-License-Identifier: Apache-2.0
#include "base/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <string>

#include "base/files/file_descriptor.h"

namespace sibyl {
namespace {

const TerminalEnvironment kPlainEnvironment = {.term = "xterm"};

// Both ends of a pseudo-terminal: what is written to one is read at the other.
struct PseudoTerminal {
  FileDescriptor screen{::posix_openpt(O_RDWR | O_NOCTTY)};
  FileDescriptor program;

  PseudoTerminal() {
    std::array<char, 64> name{};
    if (::grantpt(screen.number()) == 0 && ::unlockpt(screen.number()) == 0 &&
        ::ptsname_r(screen.number(), name.data(), name.size()) == 0) {
      program = FileDescriptor(::open(name.data(), O_RDWR | O_NOCTTY));
    }
  }

  std::string Read() const {
    std::array<char, 1024> bytes{};
    const ssize_t got = ::read(screen.number(), bytes.data(), bytes.size());
    return got > 0 ? std::string(bytes.data(), static_cast<std::size_t>(got)) : std::string();
  }
};

TEST(Terminal, AFileIsNoneWhateverTheEnvironmentSays) {
  const FileDescriptor null(::open("/dev/null", O_WRONLY));
  const Terminal terminal = ProbeTerminal(null.number(), {.term = "xterm", .columns = "120"});
  EXPECT_FALSE(terminal.is_terminal);
  EXPECT_FALSE(terminal.has_colour);
  EXPECT_EQ(terminal.columns, 120U);
}

TEST(Terminal, IgnoresAWidthThatIsNone) {
  const FileDescriptor null(::open("/dev/null", O_WRONLY));
  for (const char* bad : {"", "0", "-3", "wide", "99999999999999999999999"}) {
    EXPECT_EQ(ProbeTerminal(null.number(), {.columns = bad}).columns, 80U) << bad;
  }
}

TEST(Terminal, HasColourUnlessSomebodyObjects) {
  const PseudoTerminal pty;
  if (!pty.program.is_open()) GTEST_SKIP() << "no pseudo-terminal here";
  const int program = pty.program.number();
  EXPECT_TRUE(ProbeTerminal(program, kPlainEnvironment).has_colour);
  EXPECT_TRUE(ProbeTerminal(program, {.no_color = "", .term = "xterm"}).has_colour);
  EXPECT_FALSE(ProbeTerminal(program, {.no_color = "1", .term = "xterm"}).has_colour);
  EXPECT_FALSE(ProbeTerminal(program, {.term = "dumb"}).has_colour);
  EXPECT_FALSE(ProbeTerminal(program, {}).has_colour);
}

TEST(Terminal, BelievesTheDeviceBeforeTheVariable) {
  const PseudoTerminal pty;
  if (!pty.program.is_open()) GTEST_SKIP() << "no pseudo-terminal here";
  struct winsize size {};
  size.ws_row = 24;
  size.ws_col = 133;
  ASSERT_EQ(::ioctl(pty.program.number(), TIOCSWINSZ, &size), 0);
  EXPECT_EQ(ProbeTerminal(pty.program.number(), {.columns = "40"}).columns, 133U);
}

TEST(Styled, MarksTextOnlyWhereThereIsColour) {
  EXPECT_EQ(Styled("no", Style::kRed, {.has_colour = false}), "no");
  EXPECT_EQ(Styled("no", Style::kRed, {.has_colour = true}), "\x1b[31mno\x1b[0m");
  EXPECT_EQ(Styled("", Style::kRed, {.has_colour = true}), "");
}

TEST(Harmless, ShowsEscapeSequencesInsteadOfSendingThem) {
  EXPECT_EQ(Harmless("a\tb \x1b[2Jc"), "a\tb \\u{1B}[2Jc");
  EXPECT_EQ(Harmless("x\u202Ey\xff"), "x\\u{202E}y\uFFFD");
  EXPECT_EQ(Harmless("Grüße"), "Grüße");
}

TEST(ProgressLine, IsElidedToTheWidthAndGoneAtTheEnd) {
  const PseudoTerminal pty;
  if (!pty.program.is_open()) GTEST_SKIP() << "no pseudo-terminal here";
  {
    ProgressLine line(pty.program.number(), {.is_terminal = true, .columns = 8});
    line.Show("0123456789");
    EXPECT_EQ(pty.Read(), "\r\x1b[K012…789");
    line.Show("too soon to be drawn");
  }
  EXPECT_EQ(pty.Read(), "\r\x1b[K");
}

TEST(ProgressLine, IsSilentInAPipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  {
    ProgressLine line(writer.number(), {.is_terminal = false});
    line.Show("working");
  }
  writer.Close();
  char byte = 0;
  EXPECT_EQ(::read(reader.number(), &byte, 1), 0);
}

}  // namespace
}  // namespace sibyl
