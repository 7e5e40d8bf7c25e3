// SPDX-License-Identifier: Apache-2.0
#include "interface/mcp/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/percent.h"
#include "engine/oracle_pages_list.h"
#include "interface/web/http_message.h"

namespace sibyl::interface {
namespace {

constexpr std::string_view kPages = "sibyl://oracle/";
constexpr std::string_view kSkill = "skill://";
constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::size_t kPageLength = 100;
// What the skills extension allows one skill to list.
constexpr std::size_t kMostSkillFiles = 512;
constexpr std::uint64_t kMostSkillBytes = std::uint64_t{16} << 20;

std::string SkillRoot(const engine::ServedSkill& skill) {
  return fmt::format("{}{}/", kSkill, EncodeUriPath(skill.name));
}

// The path in the oracle of either form; nothing when it is neither.
std::optional<std::string> PathOf(const oracle::Context& context, std::string_view uri) {
  if (uri.starts_with(kPages)) return DecodePercentLeniently(uri.substr(kPages.size()));
  if (!uri.starts_with(kSkill)) return std::nullopt;
  const Result<engine::ServedSkill> skill = engine::ReadSkill(context);
  if (!skill.ok()) return std::nullopt;
  const std::string root = SkillRoot(*skill);
  if (!uri.starts_with(root)) return std::nullopt;
  return DecodePercentLeniently(uri.substr(root.size()));
}

RpcError NotFound(const std::string& uri, Era era) {
  return {.code = era == Era::kHandshake ? RpcCode::kResourceNotFound : RpcCode::kInvalidParams,
          .message = "resource not found",
          .data = {{"uri", uri}}};
}

std::variant<std::string, RpcError> UriIn(const Json& params) {
  const auto uri = params.find("uri");
  if (uri != params.end() && uri->is_string()) return uri->get<std::string>();
  return RpcError{.code = RpcCode::kInvalidParams, .message = "params.uri is not a string"};
}

std::optional<Json> SkillAsJson(const oracle::Context& context) {
  const Result<engine::ServedSkill> skill = engine::ReadSkill(context);
  if (!skill.ok()) return std::nullopt;
  const std::string root = SkillRoot(*skill);
  Json json = {{"uri", root + "SKILL.md"}, {"frontmatter", skill->front_matter}};
  const std::vector<engine::ListedPage> pages = engine::ListPages(context);
  std::uint64_t bytes = 0;
  for (const engine::ListedPage& page : pages) bytes += page.bytes;
  if (pages.size() > kMostSkillFiles || bytes > kMostSkillBytes) {
    json["resources"] = "dynamic";
    return json;
  }
  Json files = Json::array();
  for (const engine::ListedPage& page : pages) {
    const Result<std::string> text = engine::ReadPage(context, page.path);
    if (!text.ok()) continue;  // removed in the meantime
    files.push_back({{"uri", root + EncodeUriPath(page.path)},
                     {"digest", "sha256:" + Sha256(*text)},
                     {"size", text->size()}});
  }
  json["resources"] = std::move(files);
  return json;
}

}  // namespace

RpcOutcome ListResources(const oracle::Context& context, const Json& params) {
  // A cursor is the last path that was shown: pages that are added or removed
  // between two calls do not shift the list.
  std::string after;
  if (const auto cursor = params.find("cursor"); cursor != params.end() && !cursor->is_null()) {
    if (!cursor->is_string()) {
      return RpcError{.code = RpcCode::kInvalidParams, .message = "the cursor is not a string"};
    }
    after = cursor->get<std::string>();
  }
  const std::vector<engine::ListedPage> pages = engine::ListPages(context);
  auto page = std::upper_bound(
      pages.begin(), pages.end(), after,
      [](const std::string& path, const engine::ListedPage& each) { return path < each.path; });
  if (!after.empty() && (page == pages.end() || page == pages.begin())) {
    return RpcError{.code = RpcCode::kInvalidParams, .message = "unknown cursor"};
  }
  Json resources = Json::array();
  for (; page != pages.end() && resources.size() < kPageLength; ++page) {
    resources.push_back({{"uri", std::string(kPages) + EncodeUriPath(page->path)},
                         {"name", page->path},
                         {"title", page->title},
                         {"mimeType", kMarkdown},
                         {"size", page->bytes}});
  }
  Json result = {{"resources", std::move(resources)}};
  if (page != pages.end()) result["nextCursor"] = std::prev(page)->path;
  return result;
}

RpcOutcome ListResourceTemplates() {
  return Json{{"resourceTemplates",
               Json::array({{{"uriTemplate", std::string(kPages) + "{+path}"},
                             {"name", "page"},
                             {"title", "A page of the oracle"},
                             {"description", "a knowledge file, INDEX.md or SKILL.md by its path"},
                             {"mimeType", kMarkdown}}})}};
}

RpcOutcome ReadResource(const oracle::Context& context, const Json& params, Era era) {
  const auto asked = UriIn(params);
  if (const auto* error = std::get_if<RpcError>(&asked)) return *error;
  const std::string& uri = std::get<std::string>(asked);
  const std::optional<std::string> path = PathOf(context, uri);
  if (!path) return NotFound(uri, era);
  Result<std::string> text = engine::ReadPage(context, *path);
  if (!text.ok() && text.error().kind == ErrorKind::kNotFound) return NotFound(uri, era);
  if (!text.ok()) {
    return RpcError{.code = RpcCode::kInternalError, .message = text.error().message};
  }
  return Json{{"contents",
               Json::array({{{"uri", uri}, {"mimeType", kMarkdown}, {"text", *std::move(text)}}})}};
}

RpcOutcome ListSkills(const oracle::Context& context) {
  Json skills = Json::array();
  if (auto skill = SkillAsJson(context)) skills.push_back(*std::move(skill));
  return Json{{"skills", std::move(skills)}};
}

RpcOutcome GetSkill(const oracle::Context& context, const Json& params) {
  const auto asked = UriIn(params);
  if (const auto* error = std::get_if<RpcError>(&asked)) return *error;
  std::optional<Json> skill = SkillAsJson(context);
  if (!skill || (*skill)["uri"] != std::get<std::string>(asked)) {
    return NotFound(std::get<std::string>(asked), Era::kStateless);
  }
  return Json{{"skill", *std::move(skill)}};
}

}  // namespace sibyl::interface
