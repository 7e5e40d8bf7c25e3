// SPDX-License-Identifier: Apache-2.0
// The word tables: the files src/index/words/*.txt, which the build embeds. The first lines of
// each file describe its format. Lines that begin with # and empty lines are ignored.
#pragma once

#include <span>
#include <string_view>

namespace sibyl::index {

/// In priority order: if two entries explain a question equally well, the earlier one wins.
std::span<const std::string_view> GlossaryTables();
std::string_view SynonymTable();
std::string_view ThesaurusTable();
std::string_view NicknameTable();

enum class WordFileKind { kGlossary, kSynonyms, kThesaurus, kNicknames };

struct WordFile {
  std::string_view path;  ///< Relative to the root of the repository.
  std::string_view text;
  WordFileKind kind = WordFileKind::kGlossary;
};

/// All tables, for checks that report file and line.
std::span<const WordFile> WordFiles();

}  // namespace sibyl::index
