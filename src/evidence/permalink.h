// SPDX-License-Identifier: Apache-2.0
// Links that people can click: a file at a commit, opened at the cited lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evidence/citation.h"

namespace sibyl::evidence {

/// The commit permalink of a citation, in the form its forge understands
/// (GitHub, GitLab, Gitea and Forgejo, Bitbucket, sourcehut; others get GitHub's). Empty
/// when there is no commit or the origin is not on the web.
std::string Permalink(const SourceCitation& citation);

struct PermalinkParts {
  std::string origin;
  std::string revision;  ///< As written: a commit, a branch or a tag.
  std::string path;
  LineRange lines;  ///< {0, 0} when the link names none.
};

/// Takes a link of the GitHub or GitLab form apart, whoever wrote it. Nothing
/// when the URL has another shape. A revision with a slash in it cannot be told
/// from the path; its first segment is taken.
std::optional<PermalinkParts> ParsePermalink(std::string_view url);

}  // namespace sibyl::evidence
