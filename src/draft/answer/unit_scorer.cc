// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/unit_scorer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/answer/home.h"
#include "draft/answer/shape.h"
#include "index/document_traits.h"

namespace sibyl::draft {
namespace {

// How much a word counts that is not in the unit itself.
constexpr double kInLead = 0.9;
constexpr double kInHeading = 0.85;
constexpr double kInPath = 0.6;
constexpr double kSimilar = 0.7;
constexpr double kInPassage = 0.45;

constexpr double kAgreement = 0.3;
constexpr double kIsHome = 1.2;
constexpr double kHasPhrases = 1.15;
constexpr double kOpeningOfPage = 1.15;
constexpr double kHomeOfAnother = 0.5;
constexpr std::array<std::string_view, 6> kUseFolders = {"examples/",  "example/", "benchmarks/",
                                                         "benchmark/", "scripts/", "tutorials/"};

// Folders of variants of what others define first.
constexpr std::array<std::string_view, 10> kVariantFolders = {
    "quantized", "experimental", "legacy", "contrib",   "deprecated",
    "compat",    "internal",     "mock",   "_internal", "prototype"};

// Whether a question names a source: "Transformer Engine" is transformerengine.
bool NamesSource(std::string_view lower, std::string_view source) {
  std::string name = LowerCase(source);
  if (FindWholeWord(lower, name)) return true;
  std::replace(name.begin(), name.end(), '-', ' ');
  if (FindWholeWord(lower, name)) return true;
  for (std::size_t at = lower.find(' '); at != std::string_view::npos;
       at = lower.find(' ', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && IsWordByte(lower[begin - 1])) --begin;
    std::size_t end = at + 1;
    while (end < lower.size() && IsWordByte(lower[end])) ++end;
    const std::string_view one = lower.substr(begin, at - begin);
    const std::string_view other = lower.substr(at + 1, end - at - 1);
    if (!one.empty() && !other.empty() && name.size() == one.size() + other.size() &&
        name.starts_with(one) && name.ends_with(other)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool IsUse(std::string_view path) {
  return std::any_of(kUseFolders.begin(), kUseFolders.end(), [&](std::string_view folder) {
    return path.starts_with(folder) || Contains(path, "/" + std::string(folder));
  });
}

UnitScorer::UnitScorer(const Question& question, const AnswerInputs& inputs, TermReader& reader,
                       const Subject* subject)
    : question_(&question), inputs_(&inputs), matcher_(question, reader) {
  lower_ = LowerCase(question.text);
  for (const evidence::Pin& pin : inputs.lock.pins) {
    const bool is_named = question.asker == Asker::kPerson
                              ? NamesSource(lower_, pin.name)
                              : FindWholeWord(lower_, LowerCase(pin.name)).has_value();
    if (is_named) named_.insert(pin.name);
  }
  if (subject != nullptr) topic_.emplace(*subject, reader);
}

double UnitScorer::Prior(const index::Hit& hit) const {
  const index::Segment& segment = inputs_->searcher.parts()[hit.passage.part].part->segment;
  const index::DocumentRecord* document = segment.document_of(hit.passage.passage);
  double prior = named_.contains(std::string(hit.source_view)) ? 1.25 : 1;
  // What only a project's own machines read: .github, .gitlab, .ci.
  if (hit.path_view.starts_with(".") || Contains(hit.path_view, "/.")) prior *= 0.75;
  if (document == nullptr) return prior;
  const auto traits = index::DocumentTraits::FromBits(document->traits);
  if (traits.is_prose) prior *= 1.15;
  if (IsUse(hit.path_view)) prior *= 0.85;
  if (question_->asker == Asker::kPerson && IsVariant(hit.path_view)) prior *= 0.8;
  if (traits.is_test) prior *= 0.65;
  if (traits.is_generated) prior *= 0.75;
  if (traits.is_vendored) prior *= 0.8;
  if (traits.is_changelog) prior *= question_->want == Want::kSince ? 1 : 0.65;
  return prior;
}

// Whether it is of a variant that the question does not mention.
bool UnitScorer::IsVariant(std::string_view path) const {
  return std::any_of(kVariantFolders.begin(), kVariantFolders.end(), [&](std::string_view folder) {
    const std::size_t at = path.find(folder);
    const bool is_folder = at != std::string_view::npos && (at == 0 || path[at - 1] == '/') &&
                           path.substr(at + folder.size(), 1) == "/";
    return is_folder && !Contains(lower_, folder);
  });
}

// Whether a heading is a name that is not asked for: below "NCCL_IB_AR_THRESHOLD", "the default
// is 8192" is not that of NCCL_BUFFSIZE.
bool UnitScorer::IsHomeOfAnother(const index::Hit& hit) const {
  if (question_->asker != Asker::kPerson || question_->names.empty()) return false;
  bool is_of_another = false;
  for (std::size_t begin = 0; begin <= hit.heading_view.size();) {
    constexpr std::string_view kBelow = " > ";
    const std::size_t end = std::min(hit.heading_view.find(kBelow, begin), hit.heading_view.size());
    const std::string_view title = hit.heading_view.substr(begin, end - begin);
    begin = end + kBelow.size();
    for (const std::string& name : question_->names) {
      if (FindWholeWord(title, name)) return false;
    }
    const bool is_name = title.size() > 3 && title.find(' ') == std::string_view::npos &&
                         title.find('_') != std::string_view::npos &&
                         std::none_of(title.begin(), title.end(), IsLower);
    is_of_another = is_of_another || is_name;
  }
  return is_of_another;
}

// Whether the place is the home of a name that is asked for.
double UnitScorer::HomeFactor(const index::Hit& hit, const Unit& unit, const TextMatch& own) const {
  // One name may be described here, and another be what the page is about.
  double page = 1;
  double described = 1;
  for (const std::string& name : question_->names) {
    const draft::Home here = HomeOf(hit, unit, name);
    page = std::max(page, here.page);
    described = std::max(described, here.unit);
  }
  // What a page begins with says what its name means.
  if (question_->want == Want::kMeaning && page > 1 && unit.is_first) page *= kOpeningOfPage;
  for (const std::string& name : question_->proper) {
    const bool is_page = EqualsIgnoringCase(FileStem(hit.path_view), name) ||
                         EqualsIgnoringCase(LastPart(hit.heading_view), name);
    if (is_page) page = std::max(page, 1.2);
  }
  if (page == 1 && described == 1 && IsHomeOfAnother(hit)) return kHomeOfAnother;
  const bool has_both = question_->names.size() + question_->proper.size() > 1;
  double home = has_both ? page * described : std::max(page, described);
  if (home == 1 &&
      (IsAskedFor(FileStem(hit.path_view)) || IsAskedFor(LastPart(hit.heading_view)))) {
    home = 1.2;
  }
  // An entry of a glossary.
  if (question_->want == Want::kMeaning && home == 1 && unit.kind == UnitKind::kText && own.opens) {
    home = 1.2;
  }
  return home;
}

bool UnitScorer::IsAtHome(const index::Hit& hit, const Unit& unit) const {
  return std::any_of(
      question_->names.begin(), question_->names.end(), [&](const std::string& name) {
        const std::string_view last = LastPart(name);
        if (unit.kind == UnitKind::kCode) return Declares(unit.text, last);
        return LastPart(hit.heading_view) == last || FileStem(hit.path_view) == last ||
               hit.path_view.ends_with(name) || FindWholeWord(hit.heading_view, name).has_value();
      });
}

// Whether the question has the parts of a name as words: "CUDA architectures"
// asks for CUDA_ARCHITECTURES.
bool UnitScorer::IsAskedFor(std::string_view name) const {
  std::string folded;
  bool has_parts = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_part = i > 0 && IsUpper(name[i]) && IsLower(name[i - 1]);
    const bool is_mark = name[i] == '_' || name[i] == '-' || name[i] == ' ';
    if (is_part || is_mark) folded += ' ';
    has_parts = has_parts || is_part || is_mark;
    if (!is_mark) folded += name[i];
  }
  return has_parts && FindWholeWord(lower_, LowerCase(folded)).has_value();
}

void UnitScorer::CheckSubject(bool is_prose, ScoredUnit& one) {
  one.is_about = topic_->IsAbout(one.unit);
  // The beginning of the docstring of a name that is asked for.
  const bool is_docstring =
      one.is_at_home && one.unit.is_first && !is_prose && one.unit.kind != UnitKind::kCode;
  one.explains = one.is_about && (is_docstring || topic_->Explains(one.unit));
}

void UnitScorer::Score(const CandidatePassage& candidate, std::size_t at,
                       std::vector<ScoredUnit>& scored) {
  const index::Hit& hit = candidate.hit;
  if (inputs_->lock.Find(hit.source_view) == nullptr) return;
  const std::string& text = candidate.text;
  if (topic_) topic_->Begin(candidate);
  const TermMask heading = matcher_.MaskOf(hit.heading_view);
  const TermMask path = matcher_.MaskOf(hit.path_view) | matcher_.MaskOf(hit.source_view);
  const double prior = Prior(hit);
  const std::size_t before = scored.size();
  TermMask passage = 0;
  const bool is_prose = hit.kind == index::PassageKind::kProse;
  const Asker asker = question_->asker;
  for (Unit& unit : candidate.is_card ? ReadCardUnits(hit.language_view, is_prose, text, asker)
                                      : ReadUnits(hit.language_view, is_prose, text, asker)) {
    TextMatch own = matcher_.Match(unit.text);
    passage |= own.terms;
    if (IsHollow(unit)) continue;
    const TermMask lead = matcher_.MaskOf(unit.lead);
    if ((own.terms | lead | heading) == 0) continue;
    own.terms = own.together;
    own.similar = own.similar_together;
    const TermMask here = own.terms;
    // On its own page a name need not be repeated.
    const double home = HomeFactor(hit, unit, own);
    if (home >= kIsHome) own.terms |= (heading | path) & matcher_.names();
    ScoredUnit one{.passage = at,
                   .unit = std::move(unit),
                   .terms = own.terms,
                   .similar = own.similar & ~own.terms,
                   .place = lead | heading | path,
                   .pairs = own.pairs,
                   .opens = own.opens};
    const Masks masks{own.terms, lead, heading, path, own.similar};
    one.met = Met(masks);
    one.names_met = NamesMet(here | lead | heading | path);
    const double share = matcher_.Share(own.terms);
    one.score = one.met * (0.7 + 0.3 * share) + 0.15 * own.pairs + 0.1 * candidate.rank;
    // Where searches agree, or a name is at home, the words are there for a reason.
    const double shape = ShapeFit(question_->want, one.unit);
    const double agreement = home >= kIsHome ? 1 : candidate.rank;
    one.sureness = one.met * shape * (1 - kAgreement + kAgreement * agreement);
    one.score *= (0.5 + 0.5 * one.names_met) * PhraseFit(hit, one.unit);
    one.home = home;
    one.is_at_home = IsAtHome(hit, one.unit);
    one.telling = Telling(question_->want, one.unit, CountUnitWords(one.unit));
    one.score *= prior * home * shape * one.telling;
    if (topic_) CheckSubject(is_prose, one);
    scored.push_back(std::move(one));
  }
  for (std::size_t i = before; i < scored.size(); ++i) {
    const TermMask elsewhere = passage & ~scored[i].terms & ~heading & ~path;
    scored[i].elsewhere = matcher_.Share(elsewhere);
    scored[i].score += 0.3 * kInPassage * scored[i].elsewhere;
  }
}

// Words that a hyphen joins are one name: split-K is not stream-K.
double UnitScorer::PhraseFit(const index::Hit& hit, const Unit& unit) const {
  if (question_->phrases.empty()) return 1;
  std::string text = LowerCase(unit.text) + "\n" + LowerCase(unit.lead) + "\n" +
                     LowerCase(hit.heading_view) + "\n" + LowerCase(hit.path_view);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  const auto found = std::count_if(
      question_->phrases.begin(), question_->phrases.end(),
      [&](const std::string& phrase) { return FindWholeWord(text, phrase).has_value(); });
  return found > 0 ? kHasPhrases : 1 / kHasPhrases;
}

double UnitScorer::Met(const Masks& masks) const {
  double met = matcher_.Share(masks.own);
  TermMask seen = masks.own;
  for (const auto& [mask, factor] :
       {std::pair(masks.lead, kInLead), std::pair(masks.heading, kInHeading),
        std::pair(masks.similar, kSimilar), std::pair(masks.path, kInPath)}) {
    met += factor * matcher_.Share(mask & ~seen);
    seen |= mask;
  }
  return met;
}

double UnitScorer::NamesMet(TermMask mask) const {
  const double all = matcher_.Share(matcher_.names());
  return all > 0 ? matcher_.Share(mask & matcher_.names()) / all : 1;
}

}  // namespace sibyl::draft
