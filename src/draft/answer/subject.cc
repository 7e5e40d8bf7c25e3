// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/subject.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/answer/home.h"
#include "draft/extract/prose.h"
#include "index/rank/query_terms.h"

namespace sibyl::draft {
namespace {

constexpr double kCommonTopic = 0.5;  // of the words of a topic that has no rare one
constexpr std::size_t kManyTerms = 4;
constexpr double kMostOfMany = 0.75;
constexpr double kNearPairs = 0.5;
constexpr double kHeadingPart = 0.4;
constexpr double kOwnHeading = 0.5;
constexpr double kOnlyHeading = 0.8;  // of one word
constexpr double kAllWords = 0.99;
constexpr double kTellingWeight = 6;  // of a term
constexpr std::size_t kManyDetails = 3;

// "load_matrix_sync", "cudaGraph": not a word that other names end with.
bool IsNameAlone(std::string_view part) {
  for (std::size_t i = 1; i < part.size(); ++i) {
    const bool is_hump = IsUpper(part[i]) && IsLower(part[i - 1]);
    if (part[i] == '_' || is_hump) return true;
  }
  return false;
}

// "requirements.txt": names of packages with remarks.
bool IsListFile(std::string_view path) {
  const std::string stem = LowerCase(FileStem(path));
  return stem.starts_with("requirements") || stem == "codeowners" || stem == "authors" ||
         stem == "citation" || stem == "license";
}

// "See the manual for more", or what a documentation generator puts in its place.
bool IsReference(std::string_view text) {
  if (text.starts_with("```{") || text.starts_with(".. auto") || text.starts_with(".. currentm")) {
    return true;
  }
  constexpr std::size_t kShort = 160;
  return text.starts_with("See ") && text.size() <= kShort && !Contains(text, "\n");
}

// "For a more in depth explanation, see …": says nothing itself.
bool IsPointer(std::string_view sentence) {
  constexpr std::array<std::string_view, 9> kOpenings = {
      "for more",    "for a more",   "for details", "for further", "see ",
      "please see ", "please refer", "refer to ",   "check out "};
  const std::string lower = LowerCase(sentence);
  const bool sends_on =
      Contains(lower, " see ") && (Contains(lower, "for more ") || Contains(lower, "for a more "));
  return sends_on || std::any_of(kOpenings.begin(), kOpenings.end(), [&](std::string_view opening) {
           return lower.starts_with(opening);
         });
}

std::string WithoutPointers(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::string_view sentence = OpeningSentence(text);
    if (!IsPointer(Trim(sentence))) rest += std::string(sentence) + ' ';
    text.remove_prefix(std::min(text.size(), std::max<std::size_t>(sentence.size(), 1)));
    while (!text.empty() && (text[0] == ' ' || text[0] == '\n')) text.remove_prefix(1);
  }
  return rest;
}

// Lines with a statement, a declaration or a call.
std::size_t CountStatements(std::string_view code) {
  std::size_t count = 0;
  for (const std::string_view line : SplitLines(code)) {
    const std::string_view words = Trim(line);
    const bool is_comment = words.starts_with("//") || words.starts_with("/*") ||
                            words.starts_with("*") || words.starts_with("#") ||
                            words.starts_with("\"\"\"");
    const bool has_word = std::any_of(words.begin(), words.end(), IsLetter);
    if (has_word && !is_comment) ++count;
  }
  return count;
}

// "How the scripts above work": not "all of the above interfaces".
bool IsAboutWhatIsAbove(std::string_view sentence) {
  const std::size_t at = sentence.find(" above");
  if (at == std::string_view::npos) return false;
  const std::string before = LowerCase(sentence.substr(0, at));
  const std::size_t blank = before.rfind(' ');
  return blank != std::string::npos && std::string_view(before).substr(0, blank).ends_with("the");
}

// "Locally disabling gradient computation" is not about how gradients are computed.
bool IsTurnedRound(std::string_view heading, std::string_view point) {
  constexpr std::array<std::string_view, 8> kWords = {"disabling", "disable",    "disabled",
                                                      "without",   "avoiding",   "removing",
                                                      "removal",   "unsupported"};
  const std::size_t last = heading.rfind(" > ");
  const std::string title =
      LowerCase(last == std::string_view::npos ? heading : heading.substr(last + 3));
  const std::string asked = LowerCase(point);
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return FindWholeWord(title, word) && !FindWholeWord(asked, word);
  });
}

// Whether the unit can begin an answer: not "Here's a sanity check …", "Our results …", an
// item of a long list, or a branch of something.
bool Begins(const Unit& unit) {
  constexpr std::array<std::string_view, 28> kInTheMiddle = {
      "here's ",      "here is ", "here are ", "let's ",      "now ",         "now, ",
      "in this ",     "in our ",  "our ",      "for example", "for instance", "as shown",
      "as discussed", "if ",      "so ",       "finally",     "next,",        "then ",
      "afterwards",   "to run ",  "this ",     "these ",      "it ",          "currently",
      "we ",          "you are ", "before ",   "to check "};
  if (unit.kind == UnitKind::kCode) return true;
  if (IsReference(unit.text) || IsPointer(unit.text)) return false;
  if (IsAboutWhatIsAbove(OpeningSentence(unit.text))) return false;
  if (unit.kind == UnitKind::kSample && unit.text.starts_with("- ")) return false;
  if (!unit.lead.empty() && unit.kind == UnitKind::kText) return unit.text.starts_with(".. ");
  return std::none_of(kInTheMiddle.begin(), kInTheMiddle.end(), [&](std::string_view opening) {
    return StartsWithIgnoringCase(unit.text, opening);
  });
}

// A sentence, or an item; not a list of key words.
bool IsSaid(const Unit& unit) {
  if (unit.kind != UnitKind::kText || unit.text.starts_with(".. ")) return true;
  const std::string_view opening = Trim(OpeningSentence(unit.text));
  const bool is_item = opening.starts_with("- ") || opening.starts_with("* ");
  return is_item || opening.find_last_of(".:!") + 1 == opening.size() || Contains(unit.text, "\n");
}

// "torch.utils.cpp_extension.load" of a function's file and heading.
std::string QualifiedName(const index::Hit& hit) {
  std::string name(hit.path_view.substr(0, hit.path_view.rfind('.')));
  std::replace(name.begin(), name.end(), '/', '.');
  return name + "." + std::string(hit.heading_view);
}

}  // namespace

bool HasName(std::string_view text, std::string_view name) {
  if (FindWholeWord(text, name)) return true;
  const std::size_t end = name.find_last_of(".:");
  if (end == std::string_view::npos) return false;
  const std::string_view last = name.substr(end + 1);
  return IsNameAlone(last) && FindWholeWord(text, last).has_value();
}

std::string_view OpeningSentence(std::string_view text) {
  for (std::size_t at = text.find_first_of(".\n"); at != std::string_view::npos;
       at = text.find_first_of(".\n", at + 1)) {
    if (text[at] == '\n') {
      const bool is_paragraph = at + 1 < text.size() && text[at + 1] == '\n';
      const bool is_list =
          text.substr(at + 1).starts_with("- ") || text.substr(at + 1).starts_with("* ");
      if (is_paragraph || is_list) return text.substr(0, at);
      continue;
    }
    const bool ends = at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n';
    const bool opens = at + 2 >= text.size() || !IsLower(text[at + 2]);
    // "e.g. ", "i.e. "
    const bool is_short = at >= 2 && text[at - 2] == '.';
    if (ends && opens && !is_short) return text.substr(0, at + 1);
  }
  return text;
}

std::string_view DefinedSubject(std::string_view sentence) {
  constexpr std::array<std::string_view, 13> kVerbs = {
      " is a ",       " is an ",   " is the ", " are ",  " provides ",  " refers to ",  " means ",
      " stands for ", " enables ", " allows ", " lets ", " serves as ", " accelerates "};
  constexpr std::size_t kMostSubject = 8;
  std::size_t first = std::string_view::npos;
  for (const std::string_view verb : kVerbs) first = std::min(first, sentence.find(verb));
  if (first == std::string_view::npos) return {};
  const std::string_view subject = sentence.substr(0, first);
  const auto words = 1 + std::count(subject.begin(), subject.end(), ' ');
  const bool is_clause = subject.find_first_of(",;:") != std::string_view::npos;
  return is_clause || words > static_cast<std::ptrdiff_t>(kMostSubject) || !StandsAlone(sentence)
             ? std::string_view()
             : subject;
}

SubjectCheck::SubjectCheck(const Subject& subject, TermReader& reader)
    : subject_(&subject),
      core_(subject.core, reader),
      topic_(subject.topic, reader),
      details_(subject.details, reader) {}

void SubjectCheck::Begin(const CandidatePassage& candidate) {
  candidate_ = &candidate;
  const index::Hit& hit = candidate.hit;
  qualified_ = QualifiedName(hit);
  heading_core_ = core_.MaskOf(hit.heading_view) | core_.MaskOf(FileStem(hit.path_view));
  near_topic_ = topic_.MaskOf(hit.heading_view) | topic_.MaskOf(hit.path_view) |
                topic_.MaskOf(hit.source_view);
  passage_topic_ = topic_.MaskOf(candidate.text);
}

bool SubjectCheck::IsOfTopic() const {
  const index::Hit& hit = candidate_->hit;
  return !subject_->foreign.contains(std::string(hit.source_view)) && !IsListFile(hit.path_view) &&
         !candidate_->is_test && !IsTurnedRound(hit.heading_view, subject_->core.text);
}

bool SubjectCheck::IsAbout(const Unit& unit) {
  return IsOfTopic() && HasNames(unit) && HasCore(unit) && HasTopic(unit) && Compares(unit) &&
         Begins(unit) && IsSaid(unit);
}

bool SubjectCheck::AddsEnough(const Unit& unit) {
  constexpr std::size_t kFewest = 8;  // words
  constexpr std::size_t kFewestOfWhole = 3;
  constexpr std::size_t kFewestIfExplained = 2;
  constexpr std::size_t kPart = 4;  // a unit of its passage
  constexpr std::size_t kFewestStatements = 4;
  if (unit.kind == UnitKind::kCode) {
    return CountStatements(unit.text) >= kFewestStatements ||
           std::any_of(
               subject_->names.begin(), subject_->names.end(),
               [&](const std::string& name) { return Declares(unit.text, LastPart(name)); });
  }
  if (unit.kind == UnitKind::kTable) return true;
  const std::string text = WithoutPointers(unit.text);
  std::set<std::string> added;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    const std::string word = LowerCase(std::string_view(text).substr(at, end - at));
    at = std::max(end, at + 1);
    if (word.empty() || word.size() > index::kMaxWordBytes || index::IsStopWord(word)) continue;
    if (word.size() < 2 && !IsDigit(word[0])) continue;
    if ((core_.MaskOf(word) | details_.MaskOf(word)) == 0) added.insert(word);
  }
  // What defines the point, begins its own section, or is all that is said there may be short.
  const bool is_part = candidate_ == nullptr || candidate_->text.size() > kPart * unit.text.size();
  if (Explains(unit)) return added.size() >= kFewestIfExplained;
  return added.size() >= (is_part ? kFewest : kFewestOfWhole);
}

// A name is answered where it is described or declared, not where it is used.
bool SubjectCheck::HasHome(const Unit& unit) const {
  if (!subject_->needs_home) return true;
  return std::any_of(subject_->names.begin(), subject_->names.end(), [&](const std::string& name) {
    const Home home = HomeOf(candidate_->hit, unit, name);
    return home.page > 1 || home.unit > 1;
  });
}

std::size_t SubjectCheck::RarestOfCore() const {
  std::size_t rarest = 0;
  for (std::size_t i = 1; i < core_.terms().size(); ++i) {
    if (core_.terms()[i].weight > core_.terms()[rarest].weight) rarest = i;
  }
  return rarest;
}

bool SubjectCheck::IsToldBy(const Unit& unit) {
  if (core_.terms().empty() || (core_.terms().size() == 1 && !core_.HasRare())) return false;
  if (subject_->needs_definition || unit.kind == UnitKind::kCode) return false;
  if (!IsOfTopic() || !HasNames(unit) || !HasHome(unit)) return false;
  if (!Begins(unit) || !IsSaid(unit) || !Compares(unit)) return false;
  // The question had the title of the page.
  if (!topic_.terms().empty() && (near_topic_ | passage_topic_) == 0) return false;
  const TermMask first =
      core_.MaskOf(OpeningSentence(unit.text)) | core_.MaskOf(unit.lead) | heading_core_;
  const TermMask all = first | core_.MaskOf(unit.text);
  const std::size_t rarest = RarestOfCore();
  if ((first >> rarest & 1U) == 0) return false;
  const TermMask details = details_.MaskOf(unit.text) | details_.MaskOf(unit.lead) |
                           details_.MaskOf(candidate_->hit.heading_view);
  if (details_.terms().size() >= kManyDetails && details_.Share(details) >= kAllWords) return true;
  // Words that occur in many places may be met by chance.
  const bool is_telling =
      !subject_->names.empty() || core_.terms()[rarest].weight >= kTellingWeight;
  return is_telling && core_.Share(all) >= kAllWords;
}

// Whether the heading, or the name of the file, is about little else.
bool SubjectCheck::IsOwnHeading() {
  const std::string_view heading = candidate_->hit.heading_view;
  const std::size_t last = heading.rfind(" > ");
  return core_.terms().size() > 2 ||
         std::max(
             {core_.Coverage(last == std::string_view::npos ? heading : heading.substr(last + 3)),
              core_.Coverage(LastPart(heading)),
              core_.Coverage(FileStem(candidate_->hit.path_view))}) >=
             (core_.terms().size() == 1 ? kOnlyHeading : kOwnHeading);
}

// The head of a point is its last word: "computation" of "gradient computation".
bool SubjectCheck::IsHeadInHeading() const {
  return (heading_core_ >> (core_.terms().size() - 1) & 1U) != 0;
}

bool SubjectCheck::Explains(const Unit& unit) {
  const std::string_view opening = OpeningSentence(unit.text);
  if (core_.terms().empty()) return false;
  if (IsAllOfCore(core_.MaskOf(DefinedSubject(opening)))) return true;
  return unit.is_first && IsAllOfCore(heading_core_) && IsOwnHeading();
}

bool SubjectCheck::HasNames(const Unit& unit) const {
  return std::all_of(subject_->names.begin(), subject_->names.end(), [&](const std::string& name) {
    return HasName(unit.text, name) || HasName(unit.lead, name) ||
           HasName(candidate_->hit.heading_view, name) || HasName(qualified_, name) ||
           HasName(candidate_->hit.path_view, name);
  });
}

bool SubjectCheck::IsAllOfCore(TermMask mask) const {
  return core_.Share(mask) >= (core_.terms().size() >= kManyTerms ? kMostOfMany : 0.99);
}

// What a text is about is in its heading or its first sentence. Words that occur
// everywhere must be in the heading.
bool SubjectCheck::HasCore(const Unit& unit) {
  if (core_.terms().empty()) return false;
  const std::string_view opening = OpeningSentence(unit.text);
  if (subject_->needs_definition) {
    return IsAllOfCore(core_.MaskOf(DefinedSubject(opening)));
  }
  if (IsAllOfCore(heading_core_) && IsOwnHeading()) return true;
  if (!core_.HasRare()) return false;
  const TextMatch own = core_.Match(unit.kind == UnitKind::kCode ? unit.text : opening);
  // One word is what a text is about if the text defines it.
  const bool is_one = core_.terms().size() == 1 && subject_->names.empty();
  if (is_one && !IsAllOfCore(core_.MaskOf(DefinedSubject(opening)))) return false;
  const bool is_phrase = core_.terms().size() < 2 || own.pairs >= kNearPairs ||
                         (core_.Share(heading_core_) >= kHeadingPart && IsHeadInHeading());
  return is_phrase && IsAllOfCore(own.terms | core_.MaskOf(unit.lead) | heading_core_);
}

bool SubjectCheck::HasTopic(const Unit& unit) {
  if (topic_.terms().empty()) return true;
  TermMask met = topic_.MaskOf(unit.text) | topic_.MaskOf(unit.lead) | near_topic_;
  // Two rare words tell what a point is about.
  if (core_.CountRare() > 1 || !subject_->names.empty()) met |= passage_topic_;
  return topic_.HasRare() ? topic_.RareShare(met) > 0 : topic_.Share(met) >= kCommonTopic;
}

// What is said about both sides need not compare them.
bool SubjectCheck::Compares(const Unit& unit) const {
  if (subject_->core.sides.size() != 2) return true;
  constexpr std::array<std::string_view, 14> kWords = {
      "than",   "unlike",     "whereas", "compared", "versus",  "vs",     "instead",
      "rather", "difference", "differs", "while",    "however", "faster", "alternative"};
  const std::string lower = LowerCase(unit.text);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return FindWholeWord(lower, word).has_value(); });
}

}  // namespace sibyl::draft
