// SPDX-License-Identifier: Apache-2.0
// Where a source comes from: a URL of some forge, or a path on this machine.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::git {

/// A path or a file:// URL; everything else is fetched over the network.
bool IsLocalOrigin(std::string_view origin);

/// The path a local origin names: "file:///a/b" and "/a/b" are the same.
std::string LocalPath(std::string_view origin);

/// The same origin without user name and password. Pins and citations are
/// committed, so a token in sibyl.toml must not be copied into them.
/// "git@host:path" keeps its user, which is not a secret.
std::string WithoutCredentials(std::string_view origin);

/// True for a user name or password over http(s), where tokens are written as
/// either, and for a password anywhere. "ssh://git@host/path" has none.
bool HasCredentials(std::string_view origin);

/// Whether git could log in instead. Pages are fetched without logging in.
enum class LogIn { kGit, kNever };

/// The message about such an origin, without the secret.
Error CredentialsRefused(std::string_view origin, LogIn log_in = LogIn::kGit);

/// The web page of the repository: "git@github.com:o/r.git" and
/// "ssh://git@github.com/o/r" become "https://github.com/o/r". Empty if there
/// is none.
std::string BrowseUrl(std::string_view origin);

/// True when two spellings mean one repository (".git", scheme, user and a
/// trailing slash aside).
bool SameOrigin(std::string_view a, std::string_view b);

/// The last segment without ".git": the name we suggest for a source.
std::string OriginName(std::string_view origin);

}  // namespace sibyl::git
