// SPDX-License-Identifier: Apache-2.0
// A text whose names are nearly all in the pinned sources is about them. A name in its prose that
// no source has, in a sentence that mentions neither another project nor the writer's own things,
// does not exist.
//
// This needs no rule for the form of the sentence and no prefix. It is the text that is closed:
// documents of other projects have many names of their own, and nothing is concluded from them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "audit/topic.h"
#include "audit/witness.h"
#include "statement/atom.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// The compound names in code font of a text, by whether a source has them.
struct NamesOfText {
  std::set<std::string, std::less<>> seen;
  std::map<std::string, std::size_t, std::less<>> unseen;  ///< How often each occurs.
  std::size_t unknown = 0;      ///< Of these, what no other rule decides.
  bool has_subject = false;     ///< One of these occurs again and again.
  std::size_t unexplained = 0;  ///< In sentences that are not about other projects.
  bool is_complete = true;
};

/// Of one text; not thread-safe.
class ClosedText {
 public:
  /// How the other rules judge a name of a statement; remembers its results.
  using Verdicts = std::function<statement::Verdict(const statement::Atom&, std::size_t)>;

  /// All must outlive it.
  ClosedText(const statement::Statements& statements, const Witness& witness,
             const statement::OwnNames& own, Verdicts verdicts)
      : statements_(statements), witness_(witness), own_(own), verdicts_(std::move(verdicts)) {}

  /// For a name that no other rule decides. The judgement has no place, code, kind and text.
  std::optional<statement::Judgement> Judge(const statement::Atom& atom, std::size_t number,
                                            const Topic& topic) const;

 private:
  const NamesOfText& names() const;
  bool IsClosed() const;
  /// Whether the statement is about another project, a package, or the writer's own things, or has
  /// several names or a path that no source has. Remembers the last statement.
  bool IsAboutOthers(std::size_t number) const;
  bool MentionsOthers(std::size_t number) const;
  bool HasOtherUnknown(std::size_t number) const;
  bool IsSourceWord(std::string_view word) const;

  const statement::Statements& statements_;
  const Witness& witness_;
  const statement::OwnNames& own_;
  Verdicts verdicts_;
  mutable std::optional<NamesOfText> names_;
  mutable std::optional<std::pair<std::size_t, bool>> about_others_;
};

}  // namespace sibyl::audit
