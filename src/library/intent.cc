// SPDX-License-Identifier: Apache-2.0
#include "library/intent.h"

#include <fmt/format.h>

#include <array>

#include "base/hex.h"
#include "library/oracle_paths.h"

namespace sibyl::library {
namespace {

constexpr int kFormat = 1;
constexpr std::array<std::string_view, 4> kKinds = {"file", "block", "move-folder", "move-file"};

Error NotAnIntent(std::string_view why) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("reading a publication: {}", why)};
}

// Members by name, remembering whether all were there and of their type.
class Members {
 public:
  explicit Members(const Json& json) : json_(json), are_good_(json.is_object()) {}

  std::string Text(const char* name) {
    const Json* value = Find(name);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    are_good_ = false;
    return {};
  }
  std::int64_t Number(const char* name) {
    const Json* value = Find(name);
    if (value != nullptr && value->is_number_integer()) return value->get<std::int64_t>();
    are_good_ = false;
    return 0;
  }
  std::size_t Size(const char* name) {
    const std::int64_t number = Number(name);
    if (number >= 0) return static_cast<std::size_t>(number);
    are_good_ = false;
    return 0;
  }
  int Small(const char* name) {
    const std::int64_t number = Number(name);
    if (number >= 0 && number <= 1'000'000'000) return static_cast<int>(number);
    are_good_ = false;
    return 0;
  }
  // False if it is missing.
  bool Flag(const char* name) const {
    const Json* value = Find(name);
    return value != nullptr && value->is_boolean() && value->get<bool>();
  }
  const Json& List(const char* name) {
    static const Json none = Json::array();
    const Json* value = Find(name);
    if (value != nullptr && value->is_array()) return *value;
    are_good_ = false;
    return none;
  }
  bool are_good() const { return are_good_; }

 private:
  const Json* Find(const char* name) const {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
  }

  const Json& json_;
  bool are_good_;
};

Result<Step> ReadStep(const Json& json) {
  Members members(json);
  Step step;
  const std::string kind = members.Text("kind");
  std::size_t number = 0;
  while (number < kKinds.size() && kKinds.at(number) != kind) ++number;
  step.kind = static_cast<StepKind>(number);
  step.path = members.Text("path");
  step.before = members.Text("before");
  step.after = members.Text("after");
  step.staged = members.Text("staged");
  step.block = members.Text("block");
  step.from = members.Text("from");
  const bool is_move = IsMove(step.kind);
  const bool is_named =
      is_move ||
      (!step.staged.empty() && step.staged.find_first_not_of("0123456789") == std::string::npos);
  if (!members.are_good() || number == kKinds.size() || !IsPlainPath(step.path) || !is_named ||
      (is_move && !IsPlainPath(step.from))) {
    return NotAnIntent(fmt::format("'{}' is not a valid step", step.path));
  }
  return step;
}

Result<Published> ReadPublished(const Json& json) {
  Members members(json);
  Published published{.id = members.Text("id"),
                      .plan = members.Text("plan"),
                      .plan_now = members.Text("plan_now"),
                      .commit = members.Text("commit"),
                      .is_partial = members.Flag("partial")};
  bool are_good = true;
  for (const Json& entry : members.List("files")) {
    Members file(entry);
    published.files.push_back({.part = file.Small("part"),
                               .path = file.Text("path"),
                               .drop = file.Text("drop"),
                               .lines = file.Size("lines"),
                               .citations = file.Size("citations"),
                               .points = file.Size("points"),
                               .covered = file.Size("covered")});
    are_good = are_good && file.are_good();
  }
  for (const Json& entry : members.List("failed")) {
    Members failed(entry);
    published.failed.push_back({.part = failed.Small("part"), .reason = failed.Text("reason")});
    are_good = are_good && failed.are_good();
  }
  for (const Json& entry : members.List("findings")) {
    Members finding(entry);
    const int severity = finding.Small("severity");
    published.findings.push_back(
        {.severity = static_cast<Severity>(severity),
         .code = finding.Text("code"),
         .message = finding.Text("message"),
         .hint = finding.Text("hint"),
         .place = {.file = finding.Text("file"), .line = finding.Size("line")}});
    are_good = are_good && finding.are_good() && severity <= static_cast<int>(Severity::kError);
  }
  if (!are_good || !members.are_good())
    return NotAnIntent("its list of published files is invalid");
  const bool is_id = !published.id.empty() && IsLowerHex(published.id);
  if (!is_id) return NotAnIntent("it has no id");
  return published;
}

}  // namespace

Json PublishedAsJson(const Published& published) {
  Json json = {
      {"id", published.id},         {"plan", published.plan}, {"plan_now", published.plan_now},
      {"commit", published.commit}, {"files", Json::array()}, {"failed", Json::array()},
      {"findings", Json::array()}};
  if (published.is_partial) json["partial"] = true;
  for (const PublishedFile& file : published.files) {
    json["files"].push_back({{"part", file.part},
                             {"path", file.path},
                             {"drop", file.drop},
                             {"lines", file.lines},
                             {"citations", file.citations},
                             {"points", file.points},
                             {"covered", file.covered}});
  }
  for (const FailedNote& failed : published.failed) {
    json["failed"].push_back({{"part", failed.part}, {"reason", failed.reason}});
  }
  for (const Finding& finding : published.findings) {
    json["findings"].push_back({{"severity", static_cast<int>(finding.severity)},
                                {"code", finding.code},
                                {"message", finding.message},
                                {"hint", finding.hint},
                                {"file", finding.place.file},
                                {"line", finding.place.line}});
  }
  return json;
}

std::string FormatPublished(const Published& published) {
  return FormatJson(PublishedAsJson(published)) + "\n";
}

Result<Published> ParsePublished(std::string_view text) {
  const Json json = SIBYL_TRY(ParseJson(text));
  return ReadPublished(json);
}

std::string FormatIntent(const Intent& intent) {
  Json json = {{"sibyl-publication", kFormat}, {"time", intent.time},
               {"message", intent.message},    {"paths", intent.paths},
               {"steps", Json::array()},       {"published", PublishedAsJson(intent.published)}};
  for (const Step& step : intent.steps) {
    json["steps"].push_back({{"kind", kKinds.at(static_cast<std::size_t>(step.kind))},
                             {"path", step.path},
                             {"before", step.before},
                             {"after", step.after},
                             {"staged", step.staged},
                             {"block", step.block},
                             {"from", step.from}});
  }
  return FormatJson(json) + "\n";
}

Result<Intent> ParseIntent(std::string_view text) {
  const Json json = SIBYL_TRY(ParseJson(text));
  Members members(json);
  if (members.Number("sibyl-publication") != kFormat) return NotAnIntent("unknown format");
  Intent intent{.time = members.Number("time"), .message = members.Text("message")};
  for (const Json& path : members.List("paths")) {
    if (!path.is_string() || !IsPlainPath(path.get<std::string>())) {
      return NotAnIntent("a path leads out of the oracle");
    }
    intent.paths.push_back(path.get<std::string>());
  }
  for (const Json& entry : members.List("steps")) {
    intent.steps.push_back(SIBYL_TRY(ReadStep(entry)));
  }
  if (!members.are_good() || !json.contains("published")) return NotAnIntent("it is incomplete");
  intent.published = SIBYL_TRY(ReadPublished(json.at("published")));
  return intent;
}

}  // namespace sibyl::library
