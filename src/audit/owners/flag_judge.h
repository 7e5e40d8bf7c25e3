// SPDX-License-Identifier: Apache-2.0
// Judges options of command lines against what their program accepts: its
// manual, its help text, a document that lists its options, or the script.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/family.h"
#include "audit/witness.h"
#include "base/mutex.h"
#include "statement/atom.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// The programs that the text around a flag names, nearest first.
struct ToolsNear {
  std::vector<std::string> in_statement;
  std::vector<std::string> around;    ///< In its paragraph, or earlier under its heading.
  std::vector<std::string> headings;  ///< Words of the headings above.
  std::vector<std::string> flags;     ///< Flags of the statement; at most 16.
  std::vector<std::string> section;   ///< Flags near it under its heading; at most 16.
};

/// Of one text.
class ToolReader {
 public:
  explicit ToolReader(const statement::Statements& statements);

  ToolsNear Of(std::size_t number) const;

 private:
  const statement::Statements& statements_;
  std::vector<std::vector<std::string>> tools_;  // of each statement
  std::vector<std::vector<std::string>> flags_;
  std::vector<std::size_t> before_;  // the last statement before it with a tool, or its own number
};

/// Thread-safe; tables of options are read once.
class FlagJudge {
 public:
  explicit FlagJudge(const Witness& witness) : witness_(witness) {}

  /// The judgement without its place, code, kind and text.
  statement::Judgement Judge(const statement::Atom& atom, const ToolsNear& near,
                             const Topic& topic) const;

 private:
  struct OptionTable {
    std::size_t source = 0;
    std::string path;
    std::vector<std::string> options;
    std::set<std::string> normal = {};  ///< The options as Normal() spells them.
    bool is_closed = false;             ///< A parser that takes no other options.
    std::string receipt = {};           ///< Of the table of the field, if it has the program.

    bool Has(std::string_view flag) const;
  };

  std::string Show(const OptionTable& table) const;
  const OptionTable& OptionsOf(const std::string& tool) const;
  OptionTable ReadOptions(const std::string& tool) const;
  std::vector<Witness::File> FilesFor(const std::string& tool) const;
  std::vector<Witness::File> DocumentsOf(const std::string& tool) const;
  /// The program that the flag is said to be of, and how sure that is.
  struct Home {
    std::string tool;
    bool is_explicit = false;  ///< It is on the program's command line.
  };
  static bool HasMost(const OptionTable& table, std::string_view flag,
                      const std::vector<std::string>& section);
  Home HomeOf(const statement::Atom& atom, const ToolsNear& near) const;
  std::optional<statement::Judgement> AmongOthers(const statement::Atom& atom,
                                                  const ToolsNear& near, const Topic& topic) const;
  std::optional<statement::Judgement> BesideOthers(const statement::Atom& atom,
                                                   const ToolsNear& near, const Topic& topic) const;
  bool IsElsewhere(std::string_view flag, std::string_view tool, const OptionTable& table) const;
  statement::Judgement Absent(const statement::Atom& atom, const std::string& tool,
                              const OptionTable& table) const;

  const Witness& witness_;
  mutable Mutex mutex_;
  mutable std::map<std::string, OptionTable> options_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::audit
