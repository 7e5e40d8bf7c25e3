// SPDX-License-Identifier: Apache-2.0
#include "base/hyperlink.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "base/numbers.h"
#include "base/process/environment.h"
#include "base/secret.h"
#include "base/strings.h"

namespace sibyl {
namespace {

constexpr std::string_view kStart = "\x1b]8;";
constexpr std::string_view kStop = "\x1b\\";
constexpr std::string_view kEnd = "\x1b]8;;\x1b\\";
constexpr std::size_t kLongestAddress = 2'000;  // VTE ignores links from 2,084 bytes on

bool IsAtLeast(const std::optional<std::string>& version, std::size_t least) {
  return ParseNumber<std::size_t>(version.value_or("")).value_or(0) >= least;
}

// Empty if the kernel gives no random bytes; then there are no links.
const std::string& OwnMark() {
  static const std::string mark = [] {
    constexpr std::size_t kBytes = 8;
    const Result<std::string> random = RandomHex(kBytes);
    return random.ok() ? *random : std::string();
  }();
  return mark;
}

std::string Prefix() { return fmt::format("{}id={};", kStart, OwnMark()); }

// Everything but printable ASCII is encoded: ESC, BEL and C1 end the sequence.
std::string Encoded(std::string_view address) {
  std::string encoded;
  for (const char c : address) {
    const bool is_plain = c > ' ' && c < '\x7f';
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::string HostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data())
                                                          : std::string();
}

// A path in a URI; '%', '?' and '#' would be read as something else.
std::string EncodedPath(std::string_view path) {
  std::string encoded;
  for (const char c : path) {
    const bool is_reserved = c == '%' || c == '?' || c == '#';
    encoded +=
        is_reserved ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return encoded;
}

}  // namespace

LinkEnvironment ReadLinkEnvironment() {
  LinkEnvironment environment{.force = EnvironmentVariable("FORCE_HYPERLINK"),
                              .term = EnvironmentVariable("TERM"),
                              .program = EnvironmentVariable("TERM_PROGRAM"),
                              .vte_version = EnvironmentVariable("VTE_VERSION"),
                              .konsole_version = EnvironmentVariable("KONSOLE_VERSION")};
  for (const char* name :
       {"KITTY_WINDOW_ID", "ALACRITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR", "WT_SESSION"}) {
    environment.names_itself |= !EnvironmentVariable(name).value_or("").empty();
  }
  return environment;
}

bool ShowsLinks(const LinkEnvironment& environment) {
  const std::string term = environment.term.value_or("");
  if (term.empty() || term == "dumb") return false;
  if (const std::string force = environment.force.value_or(""); !force.empty()) {
    return force != "0";
  }
  // Inside of tmux and screen the variables are those of the terminal around them.
  if (term.starts_with("screen") || term.starts_with("tmux")) return false;
  constexpr std::size_t kFirstVte = 5'001;        // 0.50.0 crashed on links
  constexpr std::size_t kFirstKonsole = 201'200;  // 20.12
  if (IsAtLeast(environment.vte_version, kFirstVte)) return true;
  if (IsAtLeast(environment.konsole_version, kFirstKonsole)) return true;
  for (const std::string_view known :
       {"foot", "xterm-kitty", "alacritty", "xterm-ghostty", "wezterm"}) {
    if (term.starts_with(known)) return true;
  }
  for (const std::string_view known :
       {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "mintty"}) {
    if (environment.program == known) return true;
  }
  return environment.names_itself;
}

std::string Linked(std::string_view text, std::string_view address, const Terminal& terminal) {
  const bool is_known = address.starts_with("https://") || address.starts_with("http://") ||
                        address.starts_with("file://");
  if (!terminal.has_links || !is_known || text.empty() || OwnMark().empty()) {
    return std::string(text);
  }
  const std::string encoded = Encoded(address);
  if (encoded.size() > kLongestAddress) return std::string(text);
  return fmt::format("{}{}{}{}{}", Prefix(), encoded, kStop, text, kEnd);
}

std::string LinkedFile(std::string_view text, const std::filesystem::path& path, std::size_t line,
                       const Terminal& terminal) {
  if (!terminal.has_links || terminal.folder_view.empty()) return std::string(text);
  const std::filesystem::path whole =
      (std::filesystem::path(terminal.folder_view) / path).lexically_normal();
  std::string address = fmt::format("file://{}{}", HostName(), EncodedPath(whole.string()));
  if (line > 0) address += fmt::format("#{}", line);
  return Linked(text, address, terminal);
}

std::size_t LinkLength(std::string_view text) {
  if (text.starts_with(kEnd)) return kEnd.size();
  if (!text.starts_with(kStart) || OwnMark().empty()) return 0;
  const std::string prefix = Prefix();
  if (!text.starts_with(prefix)) return 0;
  const std::size_t end = text.find('\x1b', prefix.size());
  return end != std::string_view::npos && text.substr(end).starts_with(kStop) ? end + kStop.size()
                                                                              : 0;
}

}  // namespace sibyl
