// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/candidates.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/line_span.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/answer/long_forms.h"
#include "index/document_traits.h"
#include "index/rank/find_cards.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kHits = 40;
constexpr std::size_t kHitsOfName = 16;
constexpr std::size_t kSearchedForName = 160;
constexpr std::size_t kPlacesOfName = 48;
constexpr std::size_t kMostNames = 4;
constexpr double kFusionOffset = 12;
constexpr double kNameWeight = 0.8;
constexpr double kOtherFormWeight = 0.4;
constexpr std::size_t kCardsOfName = 10;
constexpr std::size_t kCardsOfWords = 16;
constexpr std::size_t kCardsOfHead = 4;
constexpr double kPlaceWeight = 0.3;
constexpr double kProseWeight = 0.6;
constexpr double kNamedSourceWeight = 0.8;
constexpr std::size_t kDefinitions = 2;         // of a name
constexpr std::size_t kMostOfDefinition = 12;   // passages
constexpr std::uint32_t kLongestComment = 150;  // lines above a declaration
constexpr std::uint32_t kLongestDefinition = 700;
constexpr double kDefinitionWeight = 0.35;
constexpr std::size_t kReadForLongForms = 10;

class Fusion {
 public:
  void Add(const std::vector<index::Hit>& hits, double weight) {
    double rank = kFusionOffset;
    for (const index::Hit& hit : hits) {
      CandidatePassage& candidate = found_[{hit.passage.part, hit.passage.passage}];
      candidate.hit = hit;
      candidate.rank += weight * kFusionOffset / rank;
      ++rank;
    }
  }

  std::vector<CandidatePassage> Take() {
    std::vector<CandidatePassage> ranked;
    ranked.reserve(found_.size());
    for (auto& [key, candidate] : found_) ranked.push_back(candidate);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.rank > b.rank; });
    const double best = ranked.empty() ? 1 : ranked.front().rank;
    for (CandidatePassage& candidate : ranked) candidate.rank /= best;
    return ranked;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, CandidatePassage> found_;
};

bool IsTest(const index::Searcher& searcher, const index::Hit& hit) {
  const index::Segment& segment = searcher.parts()[hit.passage.part].part->segment;
  const index::DocumentRecord* document = segment.document_of(hit.passage.passage);
  return document != nullptr && index::DocumentTraits::FromBits(document->traits).is_test;
}

// Where a name occurs; in tests only if it occurs nowhere else.
std::vector<index::Hit> PlacesOf(const std::string& name, const index::Searcher& searcher) {
  std::vector<index::Hit> hits = searcher.Search({.text = name, .limit = kSearchedForName});
  std::stable_partition(hits.begin(), hits.end(),
                        [&](const index::Hit& hit) { return !IsTest(searcher, hit); });
  if (hits.size() > kPlacesOfName) hits.resize(kPlacesOfName);
  return hits;
}

std::string Content(const Question& question) {
  std::string text;
  for (const QuestionWord& word : question.words) {
    if (word.is_frame) continue;
    if (!text.empty()) text += ' ';
    text += word.written;
  }
  return text;
}

// The lines of cards, with the text of each document read once.
class CardLines {
 public:
  explicit CardLines(const index::Searcher& searcher) : searcher_(searcher) {}

  void Add(const std::vector<index::CardHit>& found, std::vector<CandidatePassage>& candidates) {
    for (const index::CardHit& card : found) {
      if (!seen_.emplace(card.part, card.card).second) continue;
      candidates.push_back(Read(card, found.front().rank));
    }
  }

 private:
  CandidatePassage Read(const index::CardHit& card, float best) {
    CandidatePassage candidate{.rank = card.rank / best, .is_card = true};
    index::Hit& hit = candidate.hit;
    hit.passage = index::PassageOf(searcher_, card);
    hit.source_view = card.source_view;
    hit.path_view = card.path_view;
    hit.heading_view = card.name_view;
    hit.language_view = card.language_view;
    hit.blob = card.blob;
    hit.first_line = card.first_line;
    hit.last_line = card.last_line;
    const index::Segment& segment = searcher_.parts()[card.part].part->segment;
    hit.kind = hit.passage.passage < segment.passage_count()
                   ? static_cast<index::PassageKind>(segment.passage(hit.passage.passage).kind)
                   : index::PassageKind::kWindow;
    const std::size_t document = segment.document_of_card(card.card);
    std::string& text = texts_[{card.part, document}];
    if (text.empty()) text = searcher_.DocumentText(card.part, document);
    if (const auto lines = TextOfLines(text, {card.first_line, card.last_line})) {
      candidate.text = std::string(*lines);
    }
    return candidate;
  }

  const index::Searcher& searcher_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::string> texts_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;
};

bool HasParameters(cards::CardKind kind) {
  return kind == cards::CardKind::kFunction || kind == cards::CardKind::kMethod ||
         kind == cards::CardKind::kType;
}

index::Hit HitOf(const index::Searcher& searcher, const index::CardHit& card,
                 std::uint32_t number) {
  const index::Segment& segment = searcher.parts()[card.part].part->segment;
  const index::PassageRecord& passage = segment.passage(number);
  index::Hit hit;
  hit.passage = {.part = card.part, .passage = number};
  hit.source_view = card.source_view;
  hit.path_view = card.path_view;
  hit.heading_view = segment.heading(passage);
  hit.language_view = card.language_view;
  hit.blob = card.blob;
  hit.first_line = passage.first_line;
  hit.last_line = passage.last_line;
  hit.kind = static_cast<index::PassageKind>(passage.kind);
  return hit;
}

// The passages of a definition: its comment or docstring may be long, and say what is asked
// for far from the name.
std::vector<index::Hit> DefinitionOf(const index::Searcher& searcher, const index::CardHit& card) {
  std::vector<index::Hit> hits;
  const index::Segment& segment = searcher.parts()[card.part].part->segment;
  const std::size_t number = segment.document_of_card(card.card);
  if (number >= segment.document_count()) return hits;
  const index::DocumentRecord& document = segment.document(number);
  const auto count = static_cast<std::uint32_t>(segment.passage_count());
  const std::uint32_t begin = std::min(document.first_passage, count);
  const std::uint32_t end = std::min(count, begin + std::min(document.passage_count, count));
  const bool is_python = card.language_view == "python";
  for (std::uint32_t i = begin; i < end && hits.size() < kMostOfDefinition; ++i) {
    const index::PassageRecord& passage = segment.passage(i);
    const std::uint32_t reach = is_python ? kLongestDefinition : 0;
    const std::uint32_t before = is_python ? 0 : kLongestComment;
    if (passage.last_line + before < card.first_line) continue;
    if (passage.first_line > card.last_line + reach) break;
    const bool is_own = FindWholeWord(segment.heading(passage), card.name_view).has_value();
    const bool is_here =
        passage.first_line <= card.last_line && card.first_line <= passage.last_line;
    if (is_own || is_here) hits.push_back(HitOf(searcher, card, i));
  }
  return hits;
}

// "the Linear layer": what is asked for may be in the definition of a type that is named by
// an ordinary word.
void AddOwners(const Question& question, const CandidateScope& scope,
               const index::Searcher& searcher, Fusion& fusion) {
  for (std::size_t i = 0; i < std::min(question.proper.size(), kMostNames); ++i) {
    const std::string& name = question.proper[i];
    const bool is_source =
        std::any_of(scope.sources.begin(), scope.sources.end(),
                    [&](const std::string& source) { return EqualsIgnoringCase(source, name); });
    if (is_source || std::all_of(name.begin(), name.end(), IsUpper)) continue;
    for (const index::CardHit& card :
         index::FindCards(searcher, {.text = name,
                                    .limit = kDefinitions,
                                    .sources = {scope.sources.begin(), scope.sources.end()},
                                    .kinds = {cards::CardKind::kType, cards::CardKind::kFunction},
                                    .finds_by_words = false})) {
      if (card.match != index::CardMatch::kName) continue;
      fusion.Add(DefinitionOf(searcher, card), kDefinitionWeight);
    }
  }
}

// Words that a question wants to have explained: "fragment" of "what is a fragment".
std::string_view ExplainedWords(std::string_view lower) {
  for (const std::string_view opening :
       {"what is a ", "what is an ", "what is the ", "what are ", "what is "}) {
    const std::size_t at = lower.find(opening);
    if (at == std::string_view::npos) continue;
    std::string_view rest = lower.substr(at + opening.size());
    // "what is local memory and why is it slow"
    rest = rest.substr(0, rest.find(" and "));
    const std::string_view words = Trim(rest.substr(0, rest.find_first_of(",;?:(")));
    if (std::count(words.begin(), words.end(), ' ') < 3) return words;
  }
  return {};
}

// What a question for a meaning is about: words that pages define.
std::string HeadOf(const Question& question) {
  const std::size_t most = question.asker == Asker::kPerson ? 3 : 1;
  // "What is X and why is it slow" wants a reason, too.
  const bool asks_what =
      question.asker == Asker::kPerson && StartsWithIgnoringCase(question.text, "what is ");
  if (question.want != Want::kMeaning && !asks_what) return {};
  if (question.asker == Asker::kPerson) {
    const std::string lower = LowerCase(question.text);
    if (const std::string_view words = ExplainedWords(lower); !words.empty()) {
      return std::string(words);
    }
  }
  std::string head;
  std::size_t count = 0;
  for (const QuestionWord& word : question.words) {
    if (word.is_frame || word.is_everyday) {
      if (count > 0) break;
      continue;
    }
    if (word.is_name || ++count > most) break;
    head += head.empty() ? word.written : " " + word.written;
  }
  return head;
}

// Passages by the question and by what it is about. Returns those of the question.
std::vector<index::Hit> SearchWords(const Question& question, const CandidateScope& scope,
                                    const index::Searcher& searcher, Fusion& fusion) {
  const std::string about(scope.context);
  const bool is_person = question.asker == Asker::kPerson;
  std::vector<index::Hit> first =
      searcher.Search({.text = question.text, .context = about, .limit = kHits});
  fusion.Add(first, 1);
  if (const std::string content = Content(question); !content.empty()) {
    fusion.Add(searcher.Search({.text = content, .context = about, .limit = kHits}), 1);
    // Code that uses the words may leave no room for the page that explains them.
    fusion.Add(searcher.Search({.text = content,
                                .context = about,
                                .limit = kHitsOfName,
                                .filter = {.kinds = {index::PassageKind::kProse}}}),
               kProseWeight);
    if (is_person && !scope.sources.empty()) {
      fusion.Add(
          searcher.Search({.text = content,
                           .context = about,
                           .limit = kHitsOfName,
                           .filter = {.sources = {scope.sources.begin(), scope.sources.end()}}}),
          kNamedSourceWeight);
    }
  }
  if (const std::string head = HeadOf(question); !head.empty()) {
    index::Filter filter = {.kinds = {index::PassageKind::kProse}};
    if (is_person) filter.sources.assign(scope.sources.begin(), scope.sources.end());
    fusion.Add(searcher.Search({.text = head,
                                .context = question.text,
                                .limit = kHitsOfName,
                                .filter = std::move(filter)}),
               kPlaceWeight);
  }
  return first;
}

// What pages call by another name.
void AddOtherForms(const Question& question, const index::Searcher& searcher, Fusion& fusion) {
  constexpr std::size_t kMostForms = 6;
  if (question.other_forms.empty()) return;
  // The question as a page would put it: "nsight compute vs nsight systems".
  std::string rewritten = " " + LowerCase(question.text) + " ";
  std::set<std::string> replaced;
  for (const OtherForm& form : question.other_forms) {
    const std::string said = Join(form.said, " ");
    const std::optional<std::size_t> at = FindWholeWord(rewritten, said);
    if (!at || !replaced.insert(said).second) continue;
    rewritten.replace(*at, said.size(), Join(form.words, " "));
  }
  fusion.Add(searcher.Search({.text = rewritten, .limit = kHits}), kNameWeight);
  for (std::size_t i = 0; i < std::min(question.other_forms.size(), kMostForms); ++i) {
    const std::string form = Join(question.other_forms[i].words, " ");
    fusion.Add(searcher.Search({.text = form, .context = question.text, .limit = kHitsOfName}),
               kOtherFormWeight);
  }
}

// Names, phrases, and what abbreviations stand for in the passages that were found.
std::vector<std::string> NamesOf(const Question& question, const std::vector<index::Hit>& first,
                                 const index::Searcher& searcher) {
  std::vector<std::string> names = question.names;
  names.insert(names.end(), question.phrases.begin(), question.phrases.end());
  if (question.asker == Asker::kPerson) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(first.size(), kReadForLongForms); ++i) {
      texts.push_back(searcher.Text(first[i].passage));
    }
    for (std::string& name : LongForms(question, texts)) names.push_back(std::move(name));
  }
  return names;
}

// Cards by name, by what is to be explained and by words; with the definitions of names.
std::vector<std::vector<index::CardHit>> CardsOf(const Question& question,
                                                 const std::vector<std::string>& names,
                                                 const CandidateScope& scope,
                                                 const index::Searcher& searcher, Fusion& fusion) {
  const bool is_person = question.asker == Asker::kPerson;
  std::vector<std::vector<index::CardHit>> cards;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    if (Contains(names[i], " ")) continue;
    cards.push_back(index::FindCards(
        searcher, {.text = names[i], .limit = kCardsOfName, .finds_by_words = false}));
    if (!is_person) continue;
    std::size_t definitions = 0;
    for (const index::CardHit& card : cards.back()) {
      if (!HasParameters(card.kind) || card.match != index::CardMatch::kName) continue;
      if (++definitions > kDefinitions) break;
      fusion.Add(DefinitionOf(searcher, card), kDefinitionWeight);
    }
  }
  if (is_person) AddOwners(question, scope, searcher, fusion);
  if (const std::string head = is_person ? HeadOf(question) : std::string(); !head.empty()) {
    cards.push_back(
        index::FindCards(searcher, {.text = head,
                                    .limit = kCardsOfHead,
                                    .sources = {scope.sources.begin(), scope.sources.end()},
                                    .finds_by_words = false}));
  }
  cards.push_back(index::FindCards(searcher, {.text = question.text, .limit = kCardsOfWords}));
  return cards;
}

}  // namespace

std::vector<CandidatePassage> CandidatesOf(const Question& question, const CandidateScope& scope,
                                           const index::Searcher& searcher) {
  Fusion fusion;
  const std::vector<index::Hit> first = SearchWords(question, scope, searcher, fusion);
  const std::vector<std::string> names = NamesOf(question, first, searcher);
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    fusion.Add(searcher.Search({.text = names[i], .context = question.text, .limit = kHitsOfName}),
               kNameWeight);
    fusion.Add(PlacesOf(names[i], searcher), kPlaceWeight);
  }
  for (const std::string& side : question.sides) {
    fusion.Add(searcher.Search({.text = side, .context = question.text, .limit = kHitsOfName}),
               kNameWeight);
  }
  AddOtherForms(question, searcher, fusion);
  const std::vector<std::vector<index::CardHit>> cards =
      CardsOf(question, names, scope, searcher, fusion);
  std::vector<CandidatePassage> candidates = fusion.Take();
  CardLines lines(searcher);
  for (const std::vector<index::CardHit>& found : cards) lines.Add(found, candidates);
  return candidates;
}

void ReadText(const index::Searcher& searcher, CandidatePassage& candidate) {
  candidate.is_test = IsTest(searcher, candidate.hit);
  if (candidate.text.empty()) candidate.text = searcher.Text(candidate.hit.passage);
}

}  // namespace sibyl::draft
