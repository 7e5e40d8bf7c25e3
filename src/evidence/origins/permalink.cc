// SPDX-License-Identifier: Apache-2.0
#include "evidence/origins/permalink.h"

#include <array>
#include <cstddef>

#include "base/markdown/markdown_name.h"
#include "base/percent.h"
#include "git/origin.h"

namespace sibyl::evidence {
namespace {

/// How a forge spells "this file, this commit, these lines".
struct Forge {
  std::string_view host;           // matched against the host's own name or a label of it
  std::string_view before_commit;  // between the repository and the commit
  std::string_view lines_mark;     // before the first line
  std::string_view range_mark;     // before the last line
  std::string_view plain_query;    // asks for Markdown as text, where lines exist
};

constexpr Forge kGitHub = {"github", "/blob/", "#L", "-L", "?plain=1"};
constexpr std::array<Forge, 5> kForges = {{
    kGitHub,
    {"gitlab", "/-/blob/", "#L", "-", "?plain=1"},
    {"codeberg", "/src/commit/", "#L", "-L", "?display=source"},
    {"bitbucket", "/src/", "#lines-", ":", ""},
    {"sr", "/tree/", "#L", "-", ""},
}};

std::string_view HostOf(std::string_view url) {
  const std::size_t begin = url.find("://");
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = url.substr(begin + 3);
  return rest.substr(0, rest.find_first_of("/:"));
}

// "gitlab" is a label of "gitlab.example.org" and of "code.gitlab.io":
// self-hosted forges are often named so.
bool HasLabel(std::string_view host, std::string_view label) {
  std::size_t begin = 0;
  while (begin <= host.size()) {
    std::size_t end = host.find('.', begin);
    if (end == std::string_view::npos) end = host.size();
    if (host.substr(begin, end - begin) == label) return true;
    begin = end + 1;
  }
  return false;
}

const Forge& ForgeOf(std::string_view url) {
  const std::string_view host = HostOf(url);
  for (const Forge& forge : kForges) {
    if (HasLabel(host, forge.host)) return forge;
  }
  if (HasLabel(host, "gitea") || HasLabel(host, "forgejo")) return kForges[2];
  return kGitHub;
}

// Forges render these instead of showing their lines.
bool IsRendered(std::string_view path) { return HasMarkdownName(path) || path.ends_with(".rst"); }

LineRange LinesOfFragment(std::string_view fragment) {
  if (!fragment.starts_with('L')) return {};
  // Columns ("L10C3-L12C8") are finer than a citation; the lines remain.
  std::string lines;
  bool in_column = false;
  for (const char letter : fragment) {
    if (letter == 'C') in_column = true;
    if (letter == '-') in_column = false;
    if (!in_column) lines += letter;
  }
  return ParseLineRange(lines).value_or(LineRange{});
}

}  // namespace

std::string CommitLink(std::string_view origin, const git::ObjectId& commit) {
  std::string link = git::BrowseUrl(std::string(origin));
  if (link.empty()) return {};
  const std::string_view host = ForgeOf(link).host;
  link += host == "gitlab" ? "/-/commit/" : host == "bitbucket" ? "/commits/" : "/commit/";
  return link + commit.Hex();
}

std::string Permalink(const SourceCitation& citation) {
  if (citation.anchor != SourceCitation::Anchor::kCommit || citation.path.empty()) return {};
  std::string link = git::BrowseUrl(citation.origin);
  if (link.empty()) return {};
  const Forge& forge = ForgeOf(link);
  link += forge.before_commit;
  link += citation.anchor_id.Hex();
  link += (forge.host == "sr" ? "/item/" : "/") + EncodeUrlPath(citation.path);
  if (citation.lines.IsWhole()) return link;
  if (IsRendered(citation.path)) link += forge.plain_query;
  link += forge.lines_mark;
  link += std::to_string(citation.lines.first);
  if (citation.lines.last != citation.lines.first) {
    link += forge.range_mark;
    link += std::to_string(citation.lines.last);
  }
  return link;
}

std::optional<PermalinkParts> ParsePermalink(std::string_view url) {
  if (!url.starts_with("https://") && !url.starts_with("http://")) return std::nullopt;
  PermalinkParts parts;
  if (const std::size_t hash = url.find('#'); hash != std::string_view::npos) {
    parts.lines = LinesOfFragment(url.substr(hash + 1));
    url = url.substr(0, hash);
  }
  url = url.substr(0, url.find('?'));
  std::string_view mark = "/-/blob/";
  std::size_t cut = url.find(mark);
  if (cut == std::string_view::npos) {
    mark = "/blob/";
    cut = url.find(mark);
  }
  if (cut == std::string_view::npos) return std::nullopt;
  parts.origin = url.substr(0, cut);
  const std::string_view rest = url.substr(cut + mark.size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == rest.size()) {
    return std::nullopt;
  }
  std::optional<std::string> path = DecodePercent(rest.substr(slash + 1));
  if (!path) return std::nullopt;
  parts.revision = rest.substr(0, slash);
  parts.path = *std::move(path);
  return parts;
}

}  // namespace sibyl::evidence
