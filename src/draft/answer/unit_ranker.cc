// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/unit_ranker.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/answer/home.h"
#include "draft/answer/shape.h"
#include "draft/answer/telling_shape.h"
#include "index/document_traits.h"

namespace sibyl::draft {
namespace {

constexpr double kLeastSureness = 0.25;  // by the words alone
constexpr double kTellingSentence = 0.8;
constexpr double kLeastNamesMet = 0.5;
constexpr double kLeastScore = 0.02;
constexpr double kLeastMet = 0.05;
constexpr double kWorthALook = 0.25;  // of the best by words, home and shape

bool WantsValue(Want want) {
  return want == Want::kDefault || want == Want::kAmount || want == Want::kSince ||
         want == Want::kValues;
}

bool AsksForFuture(const Question& question) {
  const std::string lower = LowerCase(question.text);
  return (question.want == Want::kSince || question.want == Want::kWhen) &&
         (FindWholeWord(lower, "will") || FindWholeWord(lower, "plan"));
}

bool AsksWhatIs(const Question& question) {
  const std::string lower = LowerCase(question.text);
  return question.asker == Asker::kPerson &&
         (lower.starts_with("what is ") || lower.starts_with("what are ") ||
          lower.starts_with("what's ") || lower.starts_with("meaning of ") ||
          lower.starts_with("define "));
}

// "Options" of "Build > Options".
std::string_view LastTitle(std::string_view heading) {
  const std::size_t at = heading.rfind(" > ");
  return at == std::string_view::npos ? heading : heading.substr(at + 3);
}

}  // namespace

Question WithoutSources(Question question, const evidence::Lock& lock) {
  const auto is_content = [](const QuestionWord& word) {
    return !word.is_frame && !word.is_everyday;
  };
  for (QuestionWord& word : question.words) {
    const bool is_source = std::any_of(
        lock.pins.begin(), lock.pins.end(),
        [&](const evidence::Pin& pin) { return EqualsIgnoringCase(pin.name, word.written); });
    const auto content = std::count_if(question.words.begin(), question.words.end(), is_content);
    if (is_source && content > 1) {
      word.is_everyday = true;
      word.is_name = false;
    }
  }
  return question;
}

UnitRanker::UnitRanker(const Question& question, const AnswerInputs& inputs,
                       const std::vector<CandidatePassage>& candidates, UnitScorer& scorer)
    : question_(&question), inputs_(&inputs), candidates_(&candidates), scorer_(&scorer) {}

UnitFeatures UnitRanker::PlaceFeatures(const CandidatePassage& candidate) {
  UnitFeatures f = {};
  Matcher& matcher = scorer_->matcher();
  const std::set<std::string>& named = scorer_->named();
  const index::Hit& hit = candidate.hit;
  const index::Segment& segment = inputs_->searcher.parts()[hit.passage.part].part->segment;
  const index::DocumentRecord* document = segment.document_of(hit.passage.passage);
  if (document != nullptr) {
    const auto traits = index::DocumentTraits::FromBits(document->traits);
    f[kFeatureProse] = traits.is_prose ? 1 : 0;
  }
  f[kFeatureUse] = IsUse(hit.path_view) ? 1 : 0;
  // A collection of examples has folders for what they use.
  const bool is_named = std::any_of(named.begin(), named.end(), [&](const std::string& name) {
    return name == hit.source_view ||
           FindWholeWord(LowerCase(hit.path_view), LowerCase(name)).has_value();
  });
  f[kFeatureNamedSource] = is_named ? 1 : 0;
  f[kFeatureForeign] = !named.empty() && !is_named ? 1 : 0;
  f[kFeatureCard] = candidate.is_card ? 1 : 0;
  const std::string_view title = LastTitle(hit.heading_view);
  const std::string_view stem = FileStem(hit.path_view);
  const std::string_view folders =
      hit.path_view.substr(0, std::min(hit.path_view.rfind('/'), hit.path_view.size()));
  f[kFeatureHeadingCovered] = matcher.Coverage(title);
  f[kFeatureHeadingMet] = matcher.Share(matcher.MaskOf(title));
  f[kFeatureStemCovered] = matcher.Coverage(stem);
  f[kFeatureFolderMet] = matcher.Share(matcher.MaskOf(folders) | matcher.MaskOf(hit.source_view));
  f[kFeatureDepth] =
      static_cast<double>(std::count(hit.path_view.begin(), hit.path_view.end(), '/'));
  return f;
}

UnitFeatures UnitRanker::FeaturesOf(const ScoredUnit& one, const UnitFeatures& place) {
  constexpr double kEarlyLines = 50;
  const CandidatePassage& candidate = (*candidates_)[one.passage];
  Matcher& matcher = scorer_->matcher();
  UnitFeatures f = place;
  f[kFeatureMet] = std::log(std::max(one.met, kLeastMet));
  f[kFeatureOwn] = matcher.Share(one.terms);
  f[kFeatureSimilar] = matcher.Share(one.similar);
  f[kFeaturePairs] = one.pairs;
  f[kFeatureRank] = candidate.rank;
  f[kFeatureRareMissing] = 1 - matcher.RareShare(one.terms | one.similar | one.place);
  f[kFeatureElsewhere] = one.elsewhere;
  const std::string_view title = LastPart(candidate.hit.heading_view);
  for (const std::string& name : question_->names) {
    f[kFeaturePage] =
        std::max(f[kFeaturePage], std::log(HomeOf(candidate.hit, one.unit, name).page));
    const std::string_view last = LastPart(name);
    if (title != last && EqualsIgnoringCase(title, last)) f[kFeatureWrongCase] = 1;
  }
  if (const std::string_view subject = OpeningSubject(one.unit.text); !subject.empty()) {
    f[kFeatureDefines] = matcher.Share(matcher.MaskOf(subject)) * matcher.Coverage(subject);
  }
  f[kFeatureDefinesAsked] = AsksWhatIs(*question_) ? f[kFeatureDefines] : 0;
  f[kFeatureBothSides] = HasBothSides(one) ? 1 : 0;
  // Five words in a row are neighbours too.
  f[kFeatureQuoted] = one.pairs > 0 ? QuotedShare(question_->text, one.unit.text) : 0;
  f[kFeatureOpens] = one.opens ? 1 : 0;
  f[kFeatureShape] = std::log(ShapeFit(question_->want, one.unit));
  f[kFeatureTells] = TellingShape(*question_, one.unit);
  f[kFeatureTellsValue] = WantsValue(question_->want) ? f[kFeatureTells] : 0;
  f[kFeatureBare] = one.telling < kTellingSentence && !WantsValue(question_->want) ? 1 : 0;
  f[kFeatureFirst] = one.unit.is_first ? 1 : 0;
  f[kFeatureCode] = one.unit.kind == UnitKind::kCode ? 1 : 0;
  const auto line = static_cast<double>(candidate.hit.first_line + one.unit.first_line);
  f[kFeatureEarly] = 1 / (1 + line / kEarlyLines);
  f[kFeatureExact] = ExactShare(candidate, one.unit);
  f[kFeatureKnown] = std::log(std::max(one.score, kLeastScore));
  return f;
}

// A comparison is answered by what speaks of both.
bool UnitRanker::HasBothSides(const ScoredUnit& one) {
  if (question_->sides.size() != 2 || question_->asker != Asker::kPerson) return false;
  const TermMask first = scorer_->matcher().MaskOf(question_->sides[0]);
  const TermMask second = scorer_->matcher().MaskOf(question_->sides[1]);
  if (first == 0 || second == 0 || first == second) return false;
  return (first & ~one.terms) == 0 && (second & ~one.terms) == 0;
}

double UnitRanker::ExactShare(const CandidatePassage& candidate, const Unit& unit) const {
  if (question_->names.empty()) return 1;
  const index::Hit& hit = candidate.hit;
  const auto found =
      std::count_if(question_->names.begin(), question_->names.end(), [&](const std::string& name) {
        const std::string_view last = LastPart(name);
        return FindWholeWord(unit.text, last) || FindWholeWord(unit.lead, last) ||
               FindWholeWord(hit.heading_view, last) || FindWholeWord(hit.path_view, last);
      });
  return static_cast<double>(found) / static_cast<double>(question_->names.size());
}

void UnitRanker::Rank(std::vector<ScoredUnit>& scored) {
  double best = 0;
  for (const ScoredUnit& one : scored) best = std::max(best, one.score);
  std::erase_if(scored, [&](const ScoredUnit& one) { return one.score < kWorthALook * best; });
  std::map<std::size_t, UnitFeatures> places;
  for (ScoredUnit& one : scored) {
    const auto [place, is_new] = places.try_emplace(one.passage);
    if (is_new) place->second = PlaceFeatures((*candidates_)[one.passage]);
    one.features = FeaturesOf(one, place->second);
    one.score = std::exp(UnitScore(one.features));
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const ScoredUnit& a, const ScoredUnit& b) { return a.score > b.score; });
}

// "How do I bake a cake" is not answered by what has only "bake".
bool UnitRanker::LacksOneOfFew(const ScoredUnit& one) const {
  constexpr std::size_t kFew = 2;
  const TermMask met = one.terms | one.similar | one.place;
  std::size_t asked = 0;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < scorer_->matcher().terms().size(); ++i) {
    const AskedTerm& term = scorer_->matcher().terms()[i];
    if (term.is_frame || term.is_everyday) continue;
    ++asked;
    if ((met >> i & 1U) == 0) ++missing;
  }
  return asked <= kFew && missing > 0;
}

bool UnitRanker::IsPossible(const std::vector<ScoredUnit>& ranked, const SureLimits& limits) const {
  if (ranked.empty()) return false;
  const ScoredUnit& best = ranked.front();
  if (limits.needs_all_of_few && LacksOneOfFew(best)) return false;
  return best.sureness >= kLeastSureness && best.names_met >= kLeastNamesMet &&
         best.features[kFeatureRareMissing] <= limits.rare_missing;
}

bool UnitRanker::IsSure(const std::vector<ScoredUnit>& ranked, const SureLimits& limits) const {
  return IsPossible(ranked, limits) && ChanceOf(ChanceFeaturesOf(ranked)) >= limits.chance;
}

std::vector<const ScoredUnit*> UnitRanker::Apart(const std::vector<ScoredUnit>& ranked,
                                                 std::size_t most) const {
  std::vector<const ScoredUnit*> apart;
  for (const ScoredUnit& one : ranked) {
    const index::Hit& hit = (*candidates_)[one.passage].hit;
    const bool overlaps = std::any_of(apart.begin(), apart.end(), [&](const ScoredUnit* other) {
      const index::Hit& there = (*candidates_)[other->passage].hit;
      return hit.blob == there.blob && hit.path_view == there.path_view &&
             one.unit.first_line + hit.first_line <= other->unit.last_line + there.first_line &&
             other->unit.first_line + there.first_line <= one.unit.last_line + hit.first_line;
    });
    if (!overlaps) apart.push_back(&one);
    if (apart.size() == most) break;
  }
  return apart;
}

ChanceFeatures UnitRanker::ChanceFeaturesOf(const std::vector<ScoredUnit>& ranked) const {
  constexpr std::size_t kThree = 3;
  constexpr std::size_t kSix = 6;
  constexpr double kLeadOfFew = 0.5;
  ChanceFeatures f = {};
  if (ranked.empty()) return f;
  const std::vector<const ScoredUnit*> apart = Apart(ranked, kSix);
  const UnitFeatures& best = ranked.front().features;
  const index::Hit& first = (*candidates_)[ranked.front().passage].hit;
  std::size_t of_file = 0;
  f[kChanceMet] = best[kFeatureMet];
  for (std::size_t i = 0; i < apart.size(); ++i) {
    const UnitFeatures& unit = apart[i]->features;
    const bool is_of_file = (*candidates_)[apart[i]->passage].hit.blob == first.blob;
    of_file += is_of_file ? 1 : 0;
    if (i >= kThree) continue;
    f[kChanceSamePage] += i > 0 && is_of_file ? 0.5 : 0;
    f[kChanceTitle] = std::max(f[kChanceTitle], unit[kFeatureHeadingCovered]);
    f[kChanceTells] = std::max(f[kChanceTells], unit[kFeatureTells]);
    f[kChanceMet] = std::max(f[kChanceMet], unit[kFeatureMet]);
    f[kChanceRank] = std::max(f[kChanceRank], unit[kFeatureRank]);
  }
  f[kChanceScore] = UnitScore(best);
  // Where there is little to choose from, the best stands out less.
  f[kChanceLead] = apart.size() < kThree
                       ? kLeadOfFew
                       : std::min(1.0, f[kChanceScore] - UnitScore(apart[kThree - 1]->features));
  f[kChanceSameFile] = static_cast<double>(of_file) / static_cast<double>(kSix);
  f[kChanceBare] = best[kFeatureBare];
  f[kChancePage] = best[kFeaturePage];
  f[kChanceCard] = best[kFeatureCard];
  f[kChanceFuture] = AsksForFuture(*question_) ? 1 : 0;
  return f;
}

}  // namespace sibyl::draft
