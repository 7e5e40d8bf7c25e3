// SPDX-License-Identifier: Apache-2.0
#include "page/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/strings.h"

namespace sibyl::page {
namespace {

// Walls are short. Documentation about the same things is longer than this, or
// has code or sections.
constexpr std::size_t kEmptyWords = 8;
constexpr std::size_t kShellWords = 60;
constexpr std::size_t kWallWords = 140;
constexpr std::size_t kConsentWords = 350;
constexpr std::size_t kManySections = 3;

constexpr std::array<std::string_view, 16> kErrorTitles = {
    "404",           "page not found",      "not found", "error 404",    "file not found",
    "403 forbidden", "access denied",       "410 gone",  "500 internal", "502 bad gateway",
    "503 service",   "service unavailable", "error 403", "oops",         "page does not exist",
    "page missing"};

// Typical phrases of such a page.
constexpr std::array<std::string_view, 18> kErrorWords = {
    "page you requested",      "page you are looking for", "page you're looking for",
    "page could not be found", "page can't be found",      "page cannot be found",
    "page was not found",      "could not find the page",  "couldn't find the page",
    "couldn't find that page", "page doesn't exist",       "page does not exist",
    "no longer available",     "may have been moved",      "requested url was not found",
    "can't find that page",    "has been removed",         "not the web page you are looking for"};

constexpr std::array<std::string_view, 9> kLoginTitles = {"sign in",
                                                          "log in",
                                                          "login",
                                                          "sign-in",
                                                          "log on",
                                                          "sign on",
                                                          "authentication required",
                                                          "single sign-on",
                                                          "please sign in"};

constexpr std::array<std::string_view, 14> kChallengeWords = {
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "checking your browser",
    "are you a robot",
    "are you a human",
    "not a robot",
    "unusual traffic",
    "complete the captcha",
    "complete the security check",
    "needs to review the security of your connection",
    "enable javascript and cookies to continue",
    "press & hold",
    "automated access"};

constexpr std::array<std::string_view, 8> kShellSentences = {
    "enable javascript",      "javascript is required",     "requires javascript",
    "javascript is disabled", "javascript to run this app", "javascript enabled",
    "turn on javascript",     "javascript must be enabled"};

constexpr std::array<std::string_view, 12> kConsentSentences = {"before you continue",
                                                                "we value your privacy",
                                                                "accept all cookies",
                                                                "we and our partners",
                                                                "manage your privacy",
                                                                "cookie preferences",
                                                                "consent to the use of",
                                                                "we use cookies to",
                                                                "accept all",
                                                                "reject all",
                                                                "privacy choices",
                                                                "legitimate interest"};

struct Lowered {
  std::string title;
  std::string text;
};

std::size_t CountOf(std::string_view text, std::span<const std::string_view> phrases) {
  return static_cast<std::size_t>(std::count_if(
      phrases.begin(), phrases.end(),
      [text](std::string_view phrase) { return text.find(phrase) != std::string_view::npos; }));
}

std::string_view FirstOf(std::string_view text, std::span<const std::string_view> phrases) {
  for (const std::string_view phrase : phrases) {
    if (text.find(phrase) != std::string_view::npos) return phrase;
  }
  return {};
}

// A title that is the phrase, or begins with it: "404 | Example", not "Handling
// 404 in nginx". The site's name may come first: "Example - Page not found".
bool TitleSays(std::string_view title, std::span<const std::string_view> phrases) {
  for (const std::string_view phrase : phrases) {
    std::size_t at = title.find(phrase);
    if (at == std::string_view::npos) continue;
    const std::size_t end = at + phrase.size();
    while (at > 0 && title[at - 1] == ' ') --at;
    const bool starts =
        at == 0 || std::string_view("-|:>!.").find(title[at - 1]) != std::string_view::npos;
    constexpr std::size_t kShortRest = 40;
    if (starts && title.size() - end <= kShortRest) return true;
  }
  return false;
}

bool IsDocumentation(const ExtractedPage& document) {
  return document.code_blocks > 0 || document.headings.size() >= kManySections;
}

PageVerdict Refuse(Refusal refusal, std::string reason) {
  return {.refusal = refusal, .reason = std::move(reason)};
}

PageVerdict JudgeChallenge(const ExtractedPage& document, const Lowered& lowered) {
  if (document.words >= kWallWords) return {};
  if (document.signals.has_challenge && !IsDocumentation(document)) {
    return Refuse(Refusal::kChallenge, "it contains a captcha and little else");
  }
  const std::string_view said = FirstOf(lowered.text, kChallengeWords);
  if (!said.empty() && !IsDocumentation(document)) {
    return Refuse(Refusal::kChallenge, fmt::format("it says \"{}\" and little else", said));
  }
  if (lowered.title.starts_with("just a moment") ||
      lowered.title.starts_with("attention required")) {
    return Refuse(Refusal::kChallenge, fmt::format("its title is \"{}\"", document.title));
  }
  return {};
}

PageVerdict JudgeShell(const ExtractedPage& document, const Lowered& lowered) {
  const Signals& signals = document.signals;
  const bool asks = !FirstOf(lowered.text, kShellSentences).empty() ||
                    !FirstOf(LowerCase(signals.noscript), kShellSentences).empty();
  if (document.words < kShellWords && asks) {
    return Refuse(Refusal::kShell, "without JavaScript it shows only a request for JavaScript");
  }
  constexpr std::size_t kMuchScript = 2000;
  const bool is_hollow =
      signals.has_app_root && (signals.scripts > 1 || signals.script_bytes > kMuchScript);
  if (document.words < kShellWords / 2 && is_hollow) {
    return Refuse(Refusal::kShell, "its content is filled in by a script");
  }
  if (document.words < kEmptyWords) {
    if (signals.has_refresh) return Refuse(Refusal::kEmpty, "it only redirects");
    return Refuse(signals.scripts > 0 ? Refusal::kShell : Refusal::kEmpty,
                  fmt::format("it has {}", Count(document.words, "word")));
  }
  return {};
}

PageVerdict JudgeError(const ExtractedPage& document, const Lowered& lowered) {
  if (document.words >= kWallWords || document.code_blocks > 0) return {};
  const bool title_says = TitleSays(lowered.title, kErrorTitles);
  std::string_view heading;
  for (const PageHeading& one : document.headings) {
    if (one.level <= 2 && TitleSays(LowerCase(one.title), kErrorTitles)) heading = one.title;
  }
  const std::string_view said = FirstOf(lowered.text, kErrorWords);
  if (!said.empty() && (title_says || !heading.empty() || document.words < kShellWords)) {
    return Refuse(Refusal::kErrorPage, fmt::format("it says \"{}\"", said));
  }
  if ((title_says || !heading.empty()) && document.words < kShellWords &&
      document.headings.size() < kManySections) {
    return Refuse(Refusal::kErrorPage,
                  fmt::format("its title is \"{}\", with little else on it",
                              title_says ? std::string_view(document.title) : heading));
  }
  return {};
}

PageVerdict JudgeLogin(const ExtractedPage& document, const Lowered& lowered) {
  if (document.words >= kWallWords || document.code_blocks > 0) return {};
  const bool title_says = TitleSays(lowered.title, kLoginTitles);
  if (document.signals.has_password_field && (title_says || document.words < kShellWords)) {
    return Refuse(Refusal::kLogin, "it asks for a password and contains little else");
  }
  if (title_says && document.words < kShellWords && document.headings.size() < kManySections) {
    return Refuse(Refusal::kLogin, fmt::format("its title is \"{}\"", document.title));
  }
  return {};
}

PageVerdict JudgeConsent(const ExtractedPage& document, const Lowered& lowered) {
  if (document.words >= kConsentWords || document.code_blocks > 0) return {};
  const std::size_t phrases = CountOf(lowered.text, kConsentSentences);
  const bool is_about = lowered.text.find("cookie") != std::string::npos ||
                        lowered.text.find("privacy") != std::string::npos ||
                        lowered.text.find("consent") != std::string::npos;
  constexpr std::size_t kSure = 3;
  const bool is_wall = phrases >= kSure || (phrases >= 2 && document.words < kWallWords);
  if (!is_about || !is_wall || document.headings.size() > kManySections) return {};
  return Refuse(Refusal::kConsent, fmt::format("it says \"{}\" and asks for consent",
                                               FirstOf(lowered.text, kConsentSentences)));
}

}  // namespace

std::string_view RefusalName(Refusal refusal) {
  constexpr std::array<std::string_view, 7> kNames = {"",      "empty",   "shell",    "error-page",
                                                      "login", "consent", "challenge"};
  return kNames[static_cast<std::size_t>(refusal)];
}

PageVerdict Judge(const ExtractedPage& document) {
  if (document.form != Form::kHtml) {
    if (document.words >= 1) return {};
    return Refuse(Refusal::kEmpty, "it contains no words");
  }
  // Only the beginning: a longer page is not a wall.
  constexpr std::size_t kLookAt = 8192;
  const Lowered lowered{.title = LowerCase(document.title),
                        .text = LowerCase(std::string_view(document.text).substr(0, kLookAt))};
  for (const auto& judge : {JudgeChallenge, JudgeError, JudgeLogin, JudgeConsent, JudgeShell}) {
    PageVerdict verdict = judge(document, lowered);
    if (!verdict.ok()) return verdict;
  }
  return {};
}

bool IsClosed(std::string_view html) {
  // Servers add comments and scripts after the last tag.
  constexpr std::size_t kLookAt = std::size_t{16} << 10;
  std::string tail = LowerCase(html.substr(html.size() - std::min(html.size(), kLookAt)));
  std::erase(tail, '\0');  // of UTF-16
  return tail.find("</html") != std::string::npos || tail.find("</body") != std::string::npos;
}

}  // namespace sibyl::page
