// SPDX-License-Identifier: Apache-2.0
// Links that people can click: a file at a commit, opened at the cited lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evidence/citation.h"
#include "git/object_id.h"

namespace sibyl::evidence {

/// The commit permalink of a citation, in the form of its forge (GitHub,
/// GitLab, Gitea and Forgejo, Bitbucket, sourcehut; others use GitHub's). Empty
/// if there is no commit or the origin is not on the web.
std::string Permalink(const SourceCitation& citation);

/// The page of a commit on its forge, likewise.
std::string CommitLink(std::string_view origin, const git::ObjectId& commit);

struct PermalinkParts {
  std::string origin;
  std::string revision;  ///< As written: a commit, a branch or a tag.
  std::string path;
  LineRange lines;  ///< {0, 0} when the link names none.
};

/// Parses a link in the GitHub or GitLab form. Nothing if the URL has another
/// form. A revision that contains a slash is ambiguous; its first segment is
/// used.
std::optional<PermalinkParts> ParsePermalink(std::string_view url);

}  // namespace sibyl::evidence
