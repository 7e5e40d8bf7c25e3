// SPDX-License-Identifier: Apache-2.0
// A source: its declaration (a SourceSpec, from sibyl.toml) and the pin that
// makes it reproducible (a Pin, in sibyl.lock).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object_id.h"

namespace sibyl::evidence {

enum class SourceKind { kGit, kFolder, kFile, kPage };

/// "git", "folder", "file", "page": the key in sibyl.toml, the kind in sibyl.lock.
std::string_view SourceKindName(SourceKind kind);
std::optional<SourceKind> ParseSourceKind(std::string_view name);

/// Which files of a source are read. Part of the pin: the same lock must give
/// the same passages whatever sibyl.toml says.
struct SourceFilter {
  std::vector<std::string> include;  ///< Globs; empty includes everything.
  std::vector<std::string> exclude;  ///< Globs; they win over `include`.
  /// Larger ones are data more often than text; the CUDA driver's header, which
  /// is neither small nor data, has 1.1 MiB.
  std::uint64_t max_file_bytes = std::uint64_t{2} << 20;

  bool operator==(const SourceFilter&) const = default;
};

/// One page of a source, as fetched. The store keeps the response and the text
/// under the text's hash; both are immutable.
struct PageRecord {
  std::string url;          ///< As requested, without a fragment.
  std::string final_url;    ///< Where redirects led; empty when nowhere else.
  std::string path;         ///< Of its text in the pin's tree: "docs.example.org/a.md".
  std::string title;        ///< One line; may be empty.
  std::string sha256;       ///< Of the bytes, without any content encoding.
  std::string text_sha256;  ///< Of the text; used in citations.
  std::string fetched;      ///< UTC.
  std::string etag;
  std::string last_modified;

  bool operator==(const PageRecord&) const = default;
};

struct SourceSpec {
  std::string name;
  SourceKind kind = SourceKind::kGit;
  std::string origin;  ///< URL or path; a relative path starts at the oracle.
  std::string ref;     ///< Branch, tag or commit; empty means the origin's HEAD. Git only.
  /// For pages. None: the source collects pages, which are listed in the lock.
  std::vector<std::string> urls = {};
  SourceFilter filter;
  bool has_history = false;  ///< Its commits are fetched too. Git only.
  /// Other names by which texts refer to it; `sibyl audit` uses them.
  std::vector<std::string> known_as = {};
  std::size_t line = 0;  ///< Of its table in sibyl.toml.
  /// The file has a user name or password in the origin. It is not in `origin`,
  /// and the source is not fetched.
  bool has_credentials = false;
  /// What is wrong with its address; empty if it is valid. An invalid source is
  /// listed but not fetched; the others are still used.
  std::string mistake = {};
};

struct Pin {
  std::string name;
  SourceKind kind = SourceKind::kGit;
  std::string origin;  ///< Without credentials.
  std::string ref;
  std::optional<git::ObjectId> commit;  ///< Git only.
  std::optional<git::ObjectId> tree;    ///< Of the commit, of the snapshot, of the pages' texts.
  std::string date;                     ///< UTC: of the commit, or of the snapshot.
  SourceFilter filter;
  /// How many commits lead to `commit`, itself included; zero if its history was not
  /// asked for. Git only.
  std::uint64_t history = 0;
  std::vector<PageRecord> pages = {};  ///< Pages only; sorted by path.

  bool operator==(const Pin&) const = default;
};

/// "4f2a91c" of the commit, or of the tree if there is no commit.
std::string ShortPin(const Pin& pin);

/// The origin of a page source: its single address, or "pages:NAME".
std::string PagesOrigin(std::string_view name, const std::vector<std::string>& urls);

/// The finding about an origin that contains a user name or password.
Error SourceCredentialsRefused(std::string_view origin, SourceKind kind);

/// Letters, digits, '.', '_' and '-', at most 64, not starting with a mark: a
/// name must be safe in a file name, a query and a stamp.
bool IsSourceName(std::string_view name);

}  // namespace sibyl::evidence
