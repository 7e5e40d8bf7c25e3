// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/answer.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/line_span.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/answer/candidates.h"
#include "draft/answer/known_pages.h"
#include "draft/answer/page_order.h"
#include "draft/answer/question/unknowable.h"
#include "draft/answer/stretch.h"
#include "draft/answer/telling_shape.h"
#include "draft/answer/unit_ranker.h"
#include "draft/answer/unit_scorer.h"
#include "evidence/pages/page_citation.h"
#include "injection/instruction.h"

namespace sibyl::draft {
namespace {

constexpr double kLeastOfBest = 0.3;
constexpr double kLeastOfNearest = 0.45;  // for a point of a plan
constexpr double kSure = 0.8;             // for a point of a plan
constexpr double kSureIfExplained = 0.6;  // where it is defined, or its own section begins
constexpr double kSureAsAsked = 0.5;      // the chance, for a point asked as a question
constexpr double kLeastOfFirst = 0.8;
constexpr double kSentences = 0.9;
constexpr double kExplainsPoint = 1.3;
constexpr double kRelated = 0.5;
constexpr double kMetOfRelated = 0.7;
constexpr double kSameText = 0.7;

constexpr std::size_t kMostNearest = 3;  // of a question
constexpr std::size_t kMostStretched = 48;
constexpr std::size_t kMostRelatedPlaces = 2;

// The share of the words of the shorter text that the other has too.
double ShareOfWords(std::string_view one, std::string_view other) {
  const auto words_of = [](std::string_view text) {
    std::set<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && IsWordByte(text[end])) ++end;
      if (end > at + 1) words.insert(text.substr(at, end - at));
      at = std::max(end, at + 1);
    }
    return words;
  };
  const std::set<std::string_view> a = words_of(one);
  const std::set<std::string_view> b = words_of(other);
  const auto common = static_cast<double>(
      std::count_if(a.begin(), a.end(), [&](std::string_view word) { return b.contains(word); }));
  const auto most = static_cast<double>(std::max(a.size(), b.size()));
  return most > 0 ? common / most : 1;
}

// Whether one says what the other says: the same lines, or nearly the same words.
bool Repeats(const AnswerUnit& a, const AnswerUnit& b) {
  return ShareOfWords(a.unit.text, b.unit.text) >= kSameText ||
         (a.excerpt.pin == b.excerpt.pin && a.excerpt.path == b.excerpt.path &&
          a.unit.first_line <= b.unit.last_line && b.unit.first_line <= a.unit.last_line);
}

class Answerer {
 public:
  Answerer(const Question& question, const AnswerInputs& inputs, TermReader& reader,
           const Subject* subject = nullptr)
      : question_(question),
        inputs_(inputs),
        subject_(subject),
        judgement_(ReadJudgement(question.text)),
        scorer_(question, inputs, reader, subject) {}

  void Run(std::string_view context, std::size_t most, Answer& answer) {
    const UnitRanker ranker = Rank(context, answer);
    if (scored_.empty()) return;
    const bool can_be_known = answer.absent.empty() && HasMeant(scored_.front());
    const bool pages_do_not = inputs_.pages != nullptr && answer.known.empty();
    if (can_be_known && ranker.IsSure(scored_, pages_do_not ? kSureAfterPages : SureLimits())) {
      Choose(
          most, kLeastOfBest, [](const ScoredUnit&) { return true; }, answer.units);
    } else {
      NameNearest(answer);
    }
  }

  // The same of pages that were written to answer questions.
  void RunOnPages(std::string_view context, std::size_t most, Answer& answer) {
    const UnitRanker ranker = Rank(context, answer);
    if (scored_.empty()) return;
    const bool is_sure = ranker.IsSure(scored_, kSureOfPages);
    const bool is_asked = OrderPages();
    if ((is_asked || is_sure) && HasNumbers(scored_.front()) && HasMeant(scored_.front())) {
      Choose(
          most, kLeastOfBest, [](const ScoredUnit&) { return true; }, answer.units);
    }
  }

  std::vector<RankedUnit> RankAll(std::size_t most, bool are_pages) {
    Score({}, {.question = question_});
    UnitRanker ranker(question_, inputs_, candidates_, scorer_);
    ranker.Rank(scored_);
    std::vector<RankedUnit> ranked;
    if (scored_.empty()) return ranked;
    const ChanceFeatures chance = ranker.ChanceFeaturesOf(scored_);
    const bool is_possible = ranker.IsPossible(scored_, are_pages ? kSureOfPages : SureLimits());
    const bool is_asked = are_pages && OrderPages();
    UnitStretcher stretcher(question_, scorer_.matcher());
    for (const ScoredUnit& one : scored_) {
      if (ranked.size() == most) break;
      const index::Hit& hit = candidates_[one.passage].hit;
      ranked.push_back({.source = std::string(hit.source_view),
                        .path = std::string(hit.path_view),
                        .unit = stretcher.Stretch(candidates_[one.passage], one.unit),
                        .features = one.features});
      ranked.back().unit.first_line += hit.first_line - 1;
      ranked.back().unit.last_line += hit.first_line - 1;
    }
    ranked.front().chance = chance;
    ranked.front().is_possible = is_possible;
    ranked.front().is_asked = is_asked;
    return ranked;
  }

  // Every unit must be sure and about the subject: a page counts it as an answer.
  void RunStrictly(std::string_view context, std::size_t most, Answer& answer) {
    Score(context, answer);
    for (ScoredUnit& one : scored_) one.score *= one.explains ? kExplainsPoint : 1;
    std::stable_sort(scored_.begin(), scored_.end(),
                     [](const ScoredUnit& a, const ScoredUnit& b) { return a.score > b.score; });
    DropInstructions();
    for (std::size_t i = 0; i < std::min(kMostStretched, scored_.size()); ++i) Complete(scored_[i]);
    const bool is_explained =
        std::any_of(scored_.begin(), scored_.end(),
                    [this](const ScoredUnit& one) { return one.explains && IsSure(one); });
    // What only mentions a subject adds little to what says what it is.
    Choose(
        most, kLeastOfFirst,
        [&](const ScoredUnit& one) { return IsSure(one) && (one.explains || !is_explained); },
        answer.units);
    const auto is_related = [this](const ScoredUnit& one) {
      return one.sureness >= kRelated &&
             (one.is_about || (!IsForeign(one) && (one.home > 1 || one.met >= kMetOfRelated)));
    };
    Choose(kMostRelatedPlaces, kLeastOfNearest, is_related, answer.nearest);
    NameMissing(answer);
  }

  // A point asked as a question: what is shown must still be about its subject.
  void RunAsAsked(const Subject& subject, std::size_t most, TermReader& reader, Answer& answer) {
    const UnitRanker ranker = Rank({}, {.question = question_});
    if (scored_.empty() || !ranker.IsSure(scored_, {.chance = kSureAsAsked})) return;
    constexpr std::size_t kBest = 3;
    SubjectCheck check(subject, reader);
    std::vector<ScoredUnit> told;
    for (std::size_t i = 0; i < std::min(kBest, scored_.size()); ++i) {
      check.Begin(candidates_[scored_[i].passage]);
      if (check.IsToldBy(scored_[i].unit) && check.AddsEnough(scored_[i].unit)) {
        told.push_back(scored_[i]);
      }
    }
    scored_ = std::move(told);
    Choose(
        most, kLeastOfBest, [](const ScoredUnit&) { return true; }, answer.units);
  }

 private:
  UnitRanker Rank(std::string_view context, const Answer& answer) {
    Score(context, answer);
    UnitRanker ranker(question_, inputs_, candidates_, scorer_);
    ranker.Rank(scored_);
    DropInstructions();
    return ranker;
  }

  bool OrderPages() {
    return PageOrder(question_, inputs_.searcher, candidates_, scorer_.matcher()).Apply(scored_);
  }

  std::string Shown(const ScoredUnit& one) const {
    return LowerCase(one.unit.text + "\n" + one.unit.lead + "\n" +
                     std::string(candidates_[one.passage].hit.heading_view));
  }

  // Pinned sources rarely have a price, or know what the latest version is.
  bool HasMeant(const ScoredUnit& one) const {
    const std::string shown = Shown(one);
    if (!Decides(judgement_, shown)) return false;
    return std::all_of(
        question_.words.begin(), question_.words.end(), [&](const QuestionWord& word) {
          return word.meant.empty() ||
                 std::any_of(word.meant.begin(), word.meant.end(), [&](std::string_view other) {
                   return FindWholeWord(shown, other).has_value();
                 });
        });
  }

  // "the size of libcufft.so.12", "toolkit 12.4": another number is another question.
  bool HasNumbers(const ScoredUnit& one) const {
    const std::string shown = Shown(one);
    return std::all_of(
        question_.words.begin(), question_.words.end(), [&](const QuestionWord& word) {
          const bool has_digit = std::any_of(word.written.begin(), word.written.end(), IsDigit);
          return !has_digit || Contains(shown, LowerCase(word.written));
        });
  }

  // The first line of a docstring says little without the paragraph after it.
  void Complete(ScoredUnit& one) {
    if (!one.is_about || one.unit.kind == UnitKind::kTable) return;
    const CandidatePassage& candidate = candidates_[one.passage];
    scorer_.topic()->Begin(candidate);
    if (scorer_.topic()->AddsEnough(one.unit)) return;
    const Unit whole = UnitStretcher(question_, scorer_.matcher()).WithNext(candidate, one.unit);
    if (scorer_.topic()->AddsEnough(whole)) {
      one.unit = whole;
    } else {
      one.is_about = false;
    }
  }

  bool IsSure(const ScoredUnit& one) const {
    const double least = one.explains ? kSureIfExplained : kSure;
    if (!one.is_about || one.sureness < least || one.names_met < 1) return false;
    // Why needs a reason.
    const bool wants_reason = question_.want == Want::kWhy && !one.explains;
    if (wants_reason && TellingShape(question_, one.unit) < 1) return false;
    // A name is answered where it is described, not where it is used.
    if (subject_->needs_home && !one.is_at_home) return false;
    const bool is_docstring = candidates_[one.passage].hit.kind != index::PassageKind::kProse &&
                              one.unit.kind != UnitKind::kCode;
    // Of a docstring its beginning, not one of its remarks.
    if (subject_->needs_home && is_docstring) return one.unit.is_first;
    if (one.unit.kind != UnitKind::kCode) {
      return one.telling >= kSentences && !IsEntryOfDoxygen(one.unit.text);
    }
    // A name in code says little without a comment.
    return one.is_at_home || (subject_->allows_code && one.unit.has_comment);
  }

  // "\\retval X if …": of a function, not of a subject.
  static bool IsEntryOfDoxygen(std::string_view text) {
    return text.starts_with('\\') && !text.starts_with("\\brief") && !text.starts_with("\\note");
  }

  void Score(std::string_view context, const Answer& answer) {
    candidates_ = CandidatesOf(answer.question, {.context = context, .sources = scorer_.named()},
                               inputs_.searcher);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      ReadText(inputs_.searcher, candidates_[i]);
      scorer_.Score(candidates_[i], i, scored_);
    }
  }

  std::string TextOfDocument(const CandidatePassage& candidate) const {
    const index::PassageRef& passage = candidate.hit.passage;
    const index::Segment& segment = inputs_.searcher.parts()[passage.part].part->segment;
    if (passage.passage >= segment.passage_count()) return {};
    return inputs_.searcher.DocumentText(passage.part, segment.passage(passage.passage).document);
  }

  // Citations of pages count characters.
  std::size_t CharactersBefore(const CandidatePassage& candidate) const {
    const index::Hit& hit = candidate.hit;
    const std::string text = TextOfDocument(candidate);
    const auto lines = TextOfLines(text, {hit.first_line, hit.last_line});
    if (!lines) return 0;
    return evidence::CountCharacters(
        std::string_view(text).substr(0, static_cast<std::size_t>(lines->data() - text.data())));
  }

  AnswerUnit Take(const CandidatePassage& candidate, const ScoredUnit& scored) const {
    const index::Hit& hit = candidate.hit;
    const evidence::Pin* pin = inputs_.lock.Find(hit.source_view);
    AnswerUnit taken{.excerpt = {.pin = pin,
                                 .path = std::string(hit.path_view),
                                 .heading = std::string(hit.heading_view),
                                 .language = std::string(hit.language_view),
                                 .blob = hit.blob,
                                 .first_line = hit.first_line,
                                 .last_line = hit.last_line,
                                 .kind = hit.kind,
                                 .text = candidate.text},
                     .unit = scored.unit,
                     .score = scored.score,
                     .sureness = scored.sureness,
                     .met = scored.met};
    taken.unit.first_line += hit.first_line - 1;
    taken.unit.last_line += hit.first_line - 1;
    if (pin != nullptr && !pin->pages.empty()) {
      taken.excerpt.characters_before = CharactersBefore(candidate);
    }
    return taken;
  }

  // Prompt injections are not shown.
  static bool IsSafe(const AnswerUnit& unit) {
    std::string path = unit.excerpt.path;
    std::replace_if(
        path.begin(), path.end(), [](char c) { return !IsAlphanumeric(c) && c > ' '; }, ' ');
    for (const std::string_view text :
         {std::string_view(unit.unit.text), std::string_view(unit.unit.lead),
          std::string_view(unit.excerpt.heading), std::string_view(path)}) {
      if (!injection::FindInstructions(text).empty()) return false;
    }
    return true;
  }

  // Nor may they keep an answer from being shown, by being better than it.
  void DropInstructions() {
    constexpr std::size_t kMostChecked = 32;
    const auto end =
        scored_.begin() + static_cast<std::ptrdiff_t>(std::min(kMostChecked, scored_.size()));
    const auto rest = std::stable_partition(scored_.begin(), end, [this](const ScoredUnit& one) {
      return IsSafe(Take(candidates_[one.passage], one));
    });
    scored_.erase(rest, end);
  }

  // A page may include what it announces from another file.
  std::optional<AnswerUnit> Included(const AnswerUnit& unit) const {
    constexpr std::string_view kDirective = ".. include:: ";
    const std::size_t at = unit.unit.text.find(kDirective);
    // Other inclusions are the same on many pages.
    if (at == std::string::npos || unit.excerpt.pin == nullptr ||
        !Trim(std::string_view(unit.unit.text).substr(0, at)).ends_with(':')) {
      return std::nullopt;
    }
    const std::string_view rest = std::string_view(unit.unit.text).substr(at + kDirective.size());
    const std::string_view named = Trim(rest.substr(0, rest.find_first_of(" \n")));
    const std::filesystem::path path =
        (std::filesystem::path(unit.excerpt.path).parent_path() / named).lexically_normal();
    const std::vector<index::Hit> hits = inputs_.searcher.Search(
        {.text = question_.text + " " + path.stem().string(),
         .limit = 1,
         .filter = {.sources = {unit.excerpt.pin->name}, .path_globs = {path.string()}}});
    if (hits.empty()) return std::nullopt;
    std::vector<Unit> units = ReadUnits(hits[0].language_view, true,
                                        inputs_.searcher.Text(hits[0].passage), question_.asker);
    if (units.empty()) return std::nullopt;
    return Take({.hit = hits[0], .text = inputs_.searcher.Text(hits[0].passage)},
                {.unit = std::move(units[0]), .score = unit.score, .met = unit.met});
  }

  // For a person, with the neighbours that it needs.
  ScoredUnit Whole(const ScoredUnit& one) {
    ScoredUnit whole = one;
    if (question_.asker != Asker::kPerson || one.is_asked_row) return whole;
    UnitStretcher stretcher(question_, scorer_.matcher());
    whole.unit = stretcher.Stretch(candidates_[one.passage], one.unit);
    return whole;
  }

  template <typename Accepts>
  void Choose(std::size_t most, double least_of_best, const Accepts& accepts,
              std::vector<AnswerUnit>& taken) {
    double best = 0;
    for (const ScoredUnit& one : scored_) {
      if (taken.size() > most || one.score < least_of_best * best) break;
      if (!accepts(one)) continue;
      AnswerUnit unit = Take(candidates_[one.passage], Whole(one));
      const bool is_new = std::none_of(taken.begin(), taken.end(), [&](const AnswerUnit& other) {
        return Repeats(unit, other);
      });
      if (!IsSafe(unit)) continue;
      best = std::max(best, one.score);
      if (!is_new) continue;
      if (Joins(candidates_[one.passage], unit, taken)) continue;
      if (taken.size() >= most) break;
      std::optional<AnswerUnit> included = Included(unit);
      taken.push_back(std::move(unit));
      if (included && IsSafe(*included)) taken.push_back(std::move(*included));
    }
    if (taken.size() > most) taken.resize(most);
  }

  // For a person, what is next to a better answer is shown with it, not beside it.
  bool Joins(const CandidatePassage& candidate, const AnswerUnit& unit,
             std::vector<AnswerUnit>& taken) const {
    const evidence::Pin* pin = unit.excerpt.pin;
    if (question_.asker != Asker::kPerson || pin == nullptr || !pin->pages.empty()) return false;
    for (AnswerUnit& better : taken) {
      if (better.excerpt.pin != pin || better.excerpt.path != unit.excerpt.path) continue;
      if (!AreNeighbours(better.unit, unit.unit)) continue;
      AnswerUnit whole = better;
      whole.unit = JoinNeighbours(better.unit, unit.unit, TextOfDocument(candidate));
      if (!IsSafe(whole)) continue;
      better = std::move(whole);
      return true;
    }
    return false;
  }

  void NameNearest(Answer& answer) {
    Choose(
        kMostNearest, kLeastOfBest, [](const ScoredUnit&) { return true; }, answer.nearest);
    NameMissing(answer);
  }

  bool IsForeign(const ScoredUnit& one) const {
    return subject_->foreign.contains(std::string(candidates_[one.passage].hit.source_view));
  }

  // What the nearest place, which is shown whole, does not have.
  void NameMissing(Answer& answer) const {
    answer.missing = answer.absent;
    if (scored_.empty()) return;
    const TermMask met = scored_.front().terms | scored_.front().place;
    const std::string shown =
        answer.nearest.empty() ? "" : LowerCase(answer.nearest.front().excerpt.text);
    for (std::size_t i = 0; i < scorer_.matcher().terms().size(); ++i) {
      const AskedTerm& term = scorer_.matcher().terms()[i];
      const bool is_met = term.is_frame || (met >> i & 1U) != 0;
      const bool is_named =
          std::any_of(answer.absent.begin(), answer.absent.end(),
                      [&](const std::string& name) { return Contains(name, term.written); });
      if (!is_met && !is_named && !Contains(shown, LowerCase(term.written)))
        answer.missing.push_back(term.written);
    }
  }

  const Question& question_;
  const AnswerInputs& inputs_;
  const Subject* subject_;  // of a point; may be null
  const AskedJudgement judgement_;
  UnitScorer scorer_;
  std::vector<CandidatePassage> candidates_;
  std::vector<ScoredUnit> scored_;  // best first
};

void AnswerOne(const AnswerInputs& inputs, std::string_view context, TermReader& reader,
               std::size_t most, Answer& answer) {
  const Question question = WithoutSources(answer.question, inputs.lock);
  Answerer(question, inputs, reader).Run(context, most, answer);
}

// A stand-in for the pin that a source would have.
evidence::Lock LockOfPages(const AnswerInputs& inputs) {
  evidence::Lock lock;
  for (const auto& part : inputs.pages->parts()) lock.pins.push_back({.name = part.index->name()});
  return lock;
}

// By the same rules as from the sources.
void AnswerFromPages(const AnswerInputs& inputs, std::string_view context, Answer& answer) {
  constexpr std::size_t kMostOfPages = 2;
  const evidence::Lock lock = LockOfPages(inputs);
  Answer of_pages{.question = answer.question};
  TermReader reader(*inputs.pages);
  Answerer(of_pages.question,
           {.searcher = *inputs.pages, .lock = lock, .knowledge = inputs.knowledge}, reader)
      .RunOnPages(context, kMostOfPages, of_pages);
  answer.known = std::move(of_pages.units);
  for (AnswerUnit& unit : answer.known) unit.excerpt.pin = nullptr;
}

// A comparison is answered by what has both sides, or by what each is by itself.
void AnswerSides(const AnswerInputs& inputs, std::string_view context, TermReader& reader,
                 Answer& answer) {
  std::vector<AnswerUnit> sides;
  for (std::size_t i = 0; i < 2; ++i) {
    Answer side{.question = QuestionOfSide(answer.question, i), .known = answer.known};
    AnswerOne(inputs, context, reader, 1, side);
    if (side.units.empty()) return;
    sides.push_back(std::move(side.units.front()));
  }
  const std::size_t first = std::min<std::size_t>(1, answer.units.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const bool is_new = std::none_of(
        answer.units.begin(), answer.units.begin() + static_cast<std::ptrdiff_t>(first),
        [&](const AnswerUnit& unit) { return Repeats(unit, sides[i]); });
    if (!is_new) continue;
    answer.units.insert(answer.units.begin() +
                            static_cast<std::ptrdiff_t>(std::min(first + i, answer.units.size())),
                        std::move(sides[i]));
  }
}

}  // namespace

Answer AnswerQuestion(const AskedPoint& asked, const AnswerInputs& inputs,
                      const AnswerOptions& options) {
  Answer answer{.question = ReadQuestion(asked.text)};
  // Where no source is at hand, the pages tell which words are rare.
  const bool has_sources = !inputs.searcher.parts().empty() || inputs.pages == nullptr;
  TermReader reader(has_sources ? inputs.searcher : *inputs.pages);
  answer.pages =
      PagesAbout(reader.TermsOf(answer.question.text, {asked.context}), inputs.knowledge, reader);
  std::vector<const index::Searcher*> places = {&inputs.searcher};
  if (inputs.pages != nullptr) places.push_back(inputs.pages);
  answer.absent = NamesOfNothing(answer.question, places);
  if (inputs.pages != nullptr && answer.absent.empty()) {
    AnswerFromPages(inputs, asked.context, answer);
  }
  AnswerOne(inputs, asked.context, reader, options.most, answer);
  if (answer.question.sides.size() == 2 && answer.absent.empty()) {
    AnswerSides(inputs, asked.context, reader, answer);
    if (answer.units.size() > options.most) answer.units.resize(options.most);
    if (!answer.units.empty()) answer.nearest.clear();
  }
  return answer;
}

std::vector<RankedUnit> RankUnits(const Question& question, const AnswerInputs& inputs,
                                  std::size_t most) {
  TermReader reader(inputs.searcher);
  const Question asked = WithoutSources(question, inputs.lock);
  return Answerer(asked, inputs, reader).RankAll(most, false);
}

std::vector<RankedUnit> RankPageUnits(const Question& question, const AnswerInputs& inputs,
                                      std::size_t most) {
  const evidence::Lock lock = LockOfPages(inputs);
  TermReader reader(*inputs.pages);
  return Answerer(question,
                  {.searcher = *inputs.pages, .lock = lock, .knowledge = inputs.knowledge}, reader)
      .RankAll(most, true);
}

Answer AnswerPoint(const PlanPoint& point, const AnswerInputs& inputs, TermReader& reader,
                   const AnswerOptions& options) {
  Answer answer{.question = point.question};
  // One word that occurs everywhere, "runtime", does not tell what is asked for.
  const Matcher core(point.subject.core, reader);
  if (core.terms().empty() || (core.terms().size() == 1 && !core.HasRare())) return answer;
  Answerer(answer.question, inputs, reader, &point.subject)
      .RunStrictly(point.context, options.most, answer);
  if (answer.units.empty()) {
    const Question asked = WithoutSources(point.asked, inputs.lock);
    Answerer(asked, inputs, reader).RunAsAsked(point.subject, options.most, reader, answer);
  }
  return answer;
}

}  // namespace sibyl::draft
