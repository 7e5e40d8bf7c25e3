// SPDX-License-Identifier: Apache-2.0
// The file that a line number without a path belongs to: the one named in the
// same sentence, paragraph, item, row, in an enclosing item, in the paragraph
// above a list, or in a heading; otherwise the only one of which the section cites
// lines, in two places or more. Part of find.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "references/find/file_mention.h"
#include "references/find/scan.h"
#include "statement/statement.h"

namespace sibyl::references {

class FileContext {
 public:
  /// `of_numbers` is the file that the document says all numbers are of; may be
  /// empty.
  FileContext(const std::vector<statement::SectionHeading>& headings, std::string of_numbers);

  /// To be called for each statement in order, before its hits are resolved.
  /// `column` is where the text of its block starts.
  void Enter(const statement::Statement& statement, std::size_t column);

  /// Lines of this file are cited; to be called before Leave.
  void Cite(const std::string& path);

  /// After its hits are resolved. `files` are its mentions.
  void Leave(const statement::Statement& statement, const std::vector<FileMention>& files);

  /// The file named before the current statement in its paragraph, in an
  /// enclosing item or above the list; empty if there is none, or if several are
  /// possible.
  std::string Before() const;

  /// The same, otherwise that of a heading or of the section.
  std::string Outside() const;

  /// The only file of which the section has cited lines so far; empty if there are
  /// none or several.
  std::string OnlyCited() const { return cites_several_ ? std::string() : cited_; }

  /// The last file of which the section has cited lines so far, or that a paragraph or item
  /// alone named ("Modify: `src/a.rs`"); may be empty.
  const std::string& LastMeant() const { return meant_; }

  /// A section such as "Files touched" names exactly this file for its siblings.
  void NoteListed(const statement::Statement& statement, std::string_view heading,
                  const std::vector<FileMention>& files);

  /// The heading names exactly this file.
  void SetHeading(std::uint32_t heading, const std::vector<FileMention>& files);

 private:
  struct Scope {
    std::size_t column = 0;
    std::uint32_t group = 0;
    std::string path;       ///< The last one named.
    bool is_single = true;  ///< No other was named.
    bool is_place = false;  ///< "Location: `a.rs:12`": it says where its siblings are.
    std::string of_items;   ///< What the last of its items says so about.
  };

  /// The file of an item beside the current one, in the same item or section; empty
  /// if there is none.
  std::string Beside() const;

  /// The innermost one that names a file; null if none does.
  const Scope* NearestScope() const;

  std::vector<std::uint32_t> parents_;
  std::vector<std::string> heading_paths_;
  struct Listed {
    std::string path;
    bool is_single = true;
  };
  std::map<std::uint32_t, Listed> listed_;  // by the parent heading
  std::vector<Scope> scopes_;
  std::string of_numbers_;
  std::string meant_;
  std::string of_section_;  // the last "File: `a.rs`" of the section
  std::string cited_;       // of the section
  bool cites_several_ = false;
  std::size_t citing_groups_ = 0;
  std::uint32_t citing_group_ = 0;
  std::uint32_t heading_ = 0;
  std::uint32_t group_ = 0;
  std::size_t column_ = 0;
};

/// The mention that a hit without a path belongs to: "line 12 of a.rs" the one
/// after it, otherwise the nearest before it. Null if there is none.
const FileMention* FileInStatement(std::string_view text, const Hit& hit,
                                   const std::vector<FileMention>& files);

}  // namespace sibyl::references
