// SPDX-License-Identifier: Apache-2.0
#include "interface/room/checking/room_check.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/files/root.h"
#include "base/files/temporary_folder.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "interface/json_answer.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

constexpr std::string_view kUnnamed = "artifact";

// Longer than a reader waits; `sibyl audit` has no limit.
constexpr std::chrono::seconds kLongestCheck{20};

// The first instruction of a Dockerfile is FROM, or the ARG of one.
bool BeginsAsDockerfile(std::string_view text) {
  for (const std::string_view raw : SplitLines(text)) {
    const std::string_view line = Trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    return StartsWithIgnoringCase(line, "FROM ") || StartsWithIgnoringCase(line, "ARG ");
  }
  return false;
}

// "CMAKE_BUILD_TYPE:STRING=Release"
bool HasCacheEntry(std::string_view text) {
  for (const std::string_view line : SplitLines(text)) {
    const std::size_t colon = line.find(':');
    const std::size_t equals = line.find('=', std::min(colon, line.size()));
    if (equals == std::string_view::npos || colon == 0 || line.starts_with("//")) continue;
    const std::string_view type = line.substr(colon + 1, equals - colon - 1);
    if (IsOneOf(type, std::array<std::string_view, 7>{"STRING", "FILEPATH", "PATH", "BOOL",
                                                      "INTERNAL", "STATIC", "UNINITIALIZED"})) {
      return true;
    }
  }
  return false;
}

std::string WithoutCarriageReturns(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends_line = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!ends_line) plain += text[i];
  }
  return plain;
}

// As it was sent; of what was pasted, what it was taken for.
std::string ShownName(std::string_view sent, const std::string& name) {
  if (!sent.empty()) return ReplaceInvalidUtf8(sent.substr(sent.find_last_of("/\\") + 1));
  return name == kUnnamed ? std::string() : name;
}

// Nothing of what is binary, or too long to be read.
std::string TextOfArtifact(std::string_view text) {
  constexpr std::size_t kLongest = std::size_t{1} << 20;
  if (text.size() > kLongest || text.find('\0') != std::string_view::npos) return {};
  return ReplaceInvalidUtf8(WithoutCarriageReturns(text));
}

}  // namespace

std::string NameOfSent(std::string_view name, std::string_view text) {
  constexpr std::size_t kLongest = 100;
  std::string safe;
  for (const char c : name.substr(0, kLongest)) {
    const bool is_plain = IsLetter(c) || IsDigit(c) || c == '.' || c == '_' || c == '-' || c == '+';
    safe += is_plain ? c : '_';
  }
  if (safe.empty() || safe.front() == '.') safe = kUnnamed;
  const std::string lower = LowerCase(safe);
  const bool says_what = Contains(lower, "dockerfile") || Contains(lower, "containerfile") ||
                         lower == "cmakecache.txt";
  if (says_what || text.find('\0') != std::string_view::npos) return safe;
  if (BeginsAsDockerfile(text)) return "Dockerfile";
  return HasCacheEntry(text) ? "CMakeCache.txt" : safe;
}

// What was pasted or dropped is checked in a private folder, which is then
// removed.
RoomPage MakeCheck(const RoomRequest& request) {
  const Json none;
  CheckAnswers shown{.audit = none, .inspection = none, .sources = none};
  if (request.http.method != "POST") return {.body = CheckPage(request.style, shown)};
  const bool is_form =
      request.http.Header("content-type").starts_with("application/x-www-form-urlencoded");
  const RoomQuery form(is_form ? std::string_view(request.http.body)
                               : std::string_view(request.http.query));
  const bool is_markdown = form.Text("kind") == "markdown";
  const bool is_file =
      !is_form && request.http.Header("content-type") == "application/octet-stream";
  if (form.Text("kind") != (is_markdown ? "markdown" : "artifact") || (!is_form && !is_file)) {
    return FailedPage(request.style, request.query,
                      {.kind = ErrorKind::kUsage,
                       .message = "This is not a form of this page.",
                       .hint = "send a form, or a file as application/octet-stream"});
  }
  std::string text(is_form ? form.Text("text") : std::string_view(request.http.body));
  // Forms end their lines with CR LF.
  if (is_form) text = WithoutCarriageReturns(text);
  constexpr std::size_t kLongestText = std::size_t{1} << 20;
  if (is_form && text.size() > kLongestText) {
    return FailedPage(request.style, request.query,
                      {.kind = ErrorKind::kUsage,
                       .message = "The text is longer than 1 MiB.",
                       .hint = "'sibyl audit' and 'sibyl inspect' read files of any size"});
  }
  const std::string name = is_markdown ? "notes.md" : NameOfSent(form.Text("name"), text);
  const TemporaryFolder folder;
  const Result<Root> root = Root::Open(folder.path());
  if (!root.ok()) return FailedPage(request.style, request.query, root.error());
  if (const Status written = root->Write(name, text); !written.ok()) {
    return FailedPage(request.style, request.query, written.error());
  }
  const std::string path = (folder.path() / name).string();
  shown.kind = is_markdown ? "markdown" : "artifact";
  shown.gpu = std::string(Trim(form.Text("gpu")));
  shown.driver = std::string(Trim(form.Text("driver")));
  if (is_form) shown.text = text;
  std::vector<engine::GivenValue> given{{"path", path}};
  if (is_markdown) given.push_back({"all", ""});
  if (!is_markdown && !shown.gpu.empty()) given.push_back({"gpu", shown.gpu});
  if (!is_markdown && !shown.driver.empty()) given.push_back({"driver", shown.driver});
  const RoomAnswers answers = request.answers.WithFolder(folder.path()).Within(kLongestCheck);
  const std::string_view operation = is_markdown ? "audit" : "inspect";
  const Result<Json> answer = answers.Run(operation, std::move(given));
  const Json json = answer.ok() ? *answer : ErrorAsJson(operation, answer.error());
  const Result<Json> sources = request.answers.Run("source list", {});
  const CheckAnswers done{.text = shown.text,
                          .audit = is_markdown ? json : none,
                          .inspection = is_markdown ? none : json,
                          .sources = sources.ok() ? *sources : none,
                          .kind = shown.kind,
                          .gpu = shown.gpu,
                          .driver = shown.driver,
                          .name = ShownName(form.Text("name"), name),
                          .lines = is_markdown ? std::string() : TextOfArtifact(text)};
  return {.body = CheckPage(request.style, done)};
}

}  // namespace sibyl::interface
