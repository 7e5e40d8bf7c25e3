// SPDX-License-Identifier: Apache-2.0
#include "gate/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/percent.h"
#include "base/strings.h"
#include "base/work.h"
#include "statement/anchors.h"

namespace sibyl::gate {
namespace {

// A page with more targets is not checked to its end, and says so.
constexpr std::size_t kMaxTargets = 20'000;

// "https:", "mailto:": a letter, then letters, digits, '+', '-', '.', then ':'.
bool HasScheme(std::string_view url) {
  if (url.starts_with("//")) return true;
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon < 2) return false;
  return std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  });
}

// "javascript:", however it is written; readers skip blanks and controls.
bool IsUnsafe(std::string_view url) {
  std::string scheme;
  constexpr std::size_t kLongest = 64;
  for (const char c : DecodePercentLeniently(url.substr(0, kLongest))) {
    if (c == ':') break;
    if (static_cast<unsigned char>(c) > ' ') scheme += c;
  }
  scheme = LowerCase(scheme);
  return scheme == "javascript" || scheme == "vbscript" || scheme == "data" || scheme == "file" ||
         scheme == "livescript";
}

// So many broken links get a suggestion: each is compared with every heading.
constexpr std::size_t kMaxSuggestions = 100;

struct Target {
  std::string_view page;
  std::string_view url;
  std::string_view whole;
  bool wants_nearest = true;
};

void JudgeAnchor(std::string_view path, std::string_view anchor, const OraclePages& pages,
                 bool wants_nearest, statement::Judgement& judgement) {
  const auto anchors = pages.AnchorsOf(path);
  if (anchors == nullptr) {
    judgement.verdict = statement::Verdict::kUndecidable;
    judgement.message = fmt::format("{} exists; its headings could not be read", path);
    return;
  }
  if (anchors->Has(anchor)) return;
  judgement.verdict = statement::Verdict::kAbsent;
  judgement.message = fmt::format("{} has no heading '#{}'", path, anchor);
  if (wants_nearest) judgement.nearest = anchors->Nearest(anchor);
  if (!judgement.nearest.empty()) judgement.nearest.insert(0, "#");
}

// "a b.md" of "a%20b.md?plain=1#top".
std::string PathOf(std::string_view url) {
  std::string_view raw_path = url.substr(0, std::min(url.find('#'), url.size()));
  return DecodePercentLeniently(raw_path.substr(0, raw_path.find('?')));
}

// "top" of "a.md#top".
std::string AnchorOfUrl(std::string_view url) {
  const std::size_t hash = std::min(url.find('#'), url.size());
  return DecodePercentLeniently(url.substr(std::min(hash + 1, url.size())));
}

void JudgeTarget(const Target& link, const OraclePages& pages, statement::Judgement& judgement) {
  const std::string_view url = link.url;
  if (HasScheme(url)) {
    judgement.message = "not checked: external link";
    return;
  }
  const std::string anchor = AnchorOfUrl(url);
  const std::string path = PathOf(url);
  judgement.verdict = statement::Verdict::kSupported;
  judgement.message = "its target exists";
  if (path.empty()) {
    JudgeAnchor(link.page, anchor, pages, link.wants_nearest, judgement);
    return;
  }
  const auto target = ResolveRelative(link.page, path);
  if (!target) {
    judgement.verdict = statement::Verdict::kUndecidable;
    judgement.message = fmt::format("it leads out of the {}", link.whole);
    return;
  }
  if (!pages.Exists(*target)) {
    judgement.verdict = statement::Verdict::kAbsent;
    judgement.message = fmt::format("the {} has no {}", link.whole, *target);
    return;
  }
  if (!anchor.empty()) JudgeAnchor(*target, anchor, pages, link.wants_nearest, judgement);
}

}  // namespace

std::vector<statement::Judgement> JudgeLinks(const CitedFile& file, std::string_view path,
                                             const OraclePages& pages, std::string_view whole) {
  std::vector<statement::Judgement> judgements = JudgeUnsafeLinks(file);
  std::unordered_set<std::string_view> seen;
  std::size_t broken = 0;
  for (const statement::Statement& statement : file.statements.all) {
    for (const statement::StatementLink& link : statement.links) {
      Work::Add(1);
      if (seen.size() >= kMaxTargets && !seen.contains(link.url)) {
        judgements.push_back({.code = "link/broken",
                              .kind = "link",
                              .text = link.url,
                              .message = fmt::format("not checked: the page has more than {} "
                                                     "different targets",
                                                     kMaxTargets),
                              .place = {.file = file.name,
                                        .line = link.span.first_line,
                                        .column = link.span.first_column}});
        return judgements;
      }
      if (!seen.insert(link.url).second) continue;
      statement::Judgement judgement{
          .code = "link/broken",
          .kind = link.is_image ? "image" : "link",
          .text = link.url,
          .place = {
              .file = file.name, .line = link.span.first_line, .column = link.span.first_column}};
      JudgeTarget({.page = path,
                   .url = link.url,
                   .whole = whole,
                   .wants_nearest = broken < kMaxSuggestions},
                  pages, judgement);
      broken += judgement.Fails() ? 1 : 0;
      judgements.push_back(std::move(judgement));
    }
  }
  return judgements;
}

std::set<FileLink> LinkedFiles(const statement::Statements& statements, std::string_view path) {
  std::set<FileLink> files;
  for (const statement::Statement& statement : statements.all) {
    for (const statement::StatementLink& link : statement.links) {
      if (HasScheme(link.url) || files.size() >= kMaxTargets) continue;
      const std::string target = PathOf(link.url);
      auto file = target.empty() ? std::nullopt : ResolveRelative(path, target);
      if (file && *file != path) files.insert({*std::move(file), AnchorOfUrl(link.url)});
    }
  }
  return files;
}

std::vector<statement::Judgement> JudgeUnsafeLinks(const CitedFile& file) {
  std::vector<statement::Judgement> judgements;
  for (const statement::Statement& statement : file.statements.all) {
    for (const statement::StatementLink& link : statement.links) {
      Work::Add(1);
      if (!IsUnsafe(link.url)) continue;
      judgements.push_back(
          {.verdict = statement::Verdict::kAbsent,
           .code = "link/unsafe",
           .kind = link.is_image ? "image" : "link",
           .text = statement::Excerpt(link.url),
           .message = "the address could run a script or hide content",
           .place = {
               .file = file.name, .line = link.span.first_line, .column = link.span.first_column}});
    }
  }
  return judgements;
}

}  // namespace sibyl::gate
