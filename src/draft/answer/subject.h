// SPDX-License-Identifier: Apache-2.0
// What an answer to a point of a plan must be about, besides having its words: the
// names as they are written, the words of the point where a text says what it is
// about, the topic of the page. A place that only shares words is not about it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/candidates.h"
#include "draft/answer/matcher.h"
#include "draft/answer/question/question.h"
#include "draft/answer/units.h"

namespace sibyl::draft {

struct Subject {
  std::vector<std::string> names;      ///< In the unit or its place, as they are written.
  Question core;                       ///< What the point is about, without its brackets.
  Question topic;                      ///< Of the section and the page.
  Question details = {};               ///< What is in the brackets of the point.
  std::set<std::string> foreign = {};  ///< Sources that are not about the topic.
  bool needs_home = false;             ///< It asks for a name: where that is described.
  bool needs_definition = false;       ///< "What is …".
  bool allows_code = false;            ///< It asks for code.
};

/// Whether the text has the name: whole, or at least its last part if that is
/// itself a name ("load_matrix_sync" of "wmma::load_matrix_sync").
bool HasName(std::string_view text, std::string_view name);

/// The first sentence of a text.
std::string_view OpeningSentence(std::string_view text);

/// What a sentence that defines something defines: "CUPTI" of "CUPTI is a library
/// that …". Empty if it does not define anything.
std::string_view DefinedSubject(std::string_view sentence);

/// The check of one point, passage by passage.
class SubjectCheck {
 public:
  /// Borrows its arguments.
  SubjectCheck(const Subject& subject, TermReader& reader);

  void Begin(const CandidatePassage& candidate);
  bool IsAbout(const Unit& unit);
  /// The same of a unit that was found by asking the point as a question: it has the
  /// rarest word of the core where it says what it is about, and all others that are telling, or
  /// all of several details.
  bool IsToldBy(const Unit& unit);
  /// Whether the unit says more than the point does: "Inline PTX assembly code into the current
  /// kernel." is no answer to "PTX inline assembly". Code must have more than a line or two.
  bool AddsEnough(const Unit& unit);
  /// Whether the unit says first what the core of the point is, or its heading is the core.
  bool Explains(const Unit& unit);

 private:
  bool IsOfTopic() const;
  bool HasCore(const Unit& unit);
  bool IsOwnHeading();
  bool IsHeadInHeading() const;
  bool HasNames(const Unit& unit) const;
  bool HasTopic(const Unit& unit);
  bool Compares(const Unit& unit) const;
  bool IsAllOfCore(TermMask mask) const;
  bool HasHome(const Unit& unit) const;
  std::size_t RarestOfCore() const;

  const Subject* subject_;
  Matcher core_;
  Matcher topic_;
  Matcher details_;
  const CandidatePassage* candidate_ = nullptr;
  std::string qualified_;       // "torch.utils.cpp_extension.load"
  TermMask heading_core_ = 0;   // in the heading and the file's name
  TermMask near_topic_ = 0;     // in heading, path and source
  TermMask passage_topic_ = 0;  // in the whole passage
};

}  // namespace sibyl::draft
