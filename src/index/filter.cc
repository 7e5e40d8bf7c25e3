// SPDX-License-Identifier: Apache-2.0
#include "index/filter.h"

#include <algorithm>

#include "evidence/glob.h"

namespace sibyl::index {
bool PathIsAllowed(const std::vector<std::string>& globs, std::string_view path) {
  bool has_positive = false;
  bool is_named = false;
  for (const std::string_view glob : globs) {
    if (!glob.empty() && glob[0] == '!') {
      if (evidence::MatchesGlob(glob.substr(1), path)) return false;
    } else {
      has_positive = true;
      is_named = is_named || evidence::MatchesGlob(glob, path);
    }
  }
  return is_named || !has_positive;
}

std::vector<std::uint64_t> AllowedPassages(const Segment& segment, const Filter& filter,
                                           const std::vector<std::uint64_t>& dead_documents) {
  const bool filters_documents = !filter.path_globs.empty() || !filter.languages.empty();
  if (dead_documents.empty() && !filters_documents && filter.kinds.empty()) return {};
  const auto document_is_allowed = [&](std::size_t number) {
    if (number / 64 < dead_documents.size() &&
        (dead_documents[number / 64] >> number % 64 & 1) != 0) {
      return false;
    }
    if (!filters_documents) return true;
    const DocumentRecord& document = segment.document(number);
    if (!filter.languages.empty() &&
        std::find(filter.languages.begin(), filter.languages.end(), segment.language(document)) ==
            filter.languages.end()) {
      return false;
    }
    const std::vector<std::string_view> paths = segment.paths(document);
    return std::any_of(paths.begin(), paths.end(), [&](std::string_view path) {
      return PathIsAllowed(filter.path_globs, path);
    });
  };
  std::vector<std::uint64_t> allowed((segment.passage_count() + 63) / 64 + 1);
  std::size_t document = segment.document_count();  // none yet
  bool is_allowed = false;
  for (std::size_t passage = 0; passage < segment.passage_count(); ++passage) {
    const PassageRecord& record = segment.passage(passage);
    if (record.document >= segment.document_count()) continue;
    if (record.document != document) {
      document = record.document;
      is_allowed = document_is_allowed(document);
    }
    if (!is_allowed) continue;
    if (!filter.kinds.empty() &&
        std::find(filter.kinds.begin(), filter.kinds.end(),
                  static_cast<PassageKind>(record.kind)) == filter.kinds.end()) {
      continue;
    }
    allowed[passage / 64] |= std::uint64_t{1} << passage % 64;
  }
  return allowed;
}

}  // namespace sibyl::index
