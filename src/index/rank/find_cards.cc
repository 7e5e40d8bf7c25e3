// SPDX-License-Identifier: Apache-2.0
#include "index/rank/find_cards.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "cards/file_cards.h"
#include "cards/fold.h"
#include "index/document_traits.h"
#include "index/rank/card_words.h"
#include "index/segment/card_keys.h"

namespace sibyl::index {
namespace {

using cards::CardKind;

constexpr std::size_t kMostWords = 24;      // of a query
constexpr std::size_t kJoined = 4;          // words that may be one name: "cuda memcpy async"
constexpr std::size_t kMostOfValue = 1000;  // cards of one value that are looked at
constexpr std::size_t kMostOfFile = 2;      // cards of one name in one file
constexpr std::size_t kSearched = 24;       // passages that are searched for words

float KindFactor(CardKind kind) {
  switch (kind) {
    case CardKind::kFunction:
    case CardKind::kType:
    case CardKind::kErrorCode:
    case CardKind::kCMakeVariable:
    case CardKind::kCMakeProperty:
    case CardKind::kCMakeCommand:
    case CardKind::kCMakePolicy:
    case CardKind::kOption:
    case CardKind::kEnvironment:
      return 1.0F;
    case CardKind::kMethod:
    case CardKind::kMacro:
    case CardKind::kEnumerator:
    case CardKind::kCMakeOption:
    case CardKind::kMetric:
    case CardKind::kInstruction:
      return 0.95F;
    case CardKind::kTerm:
    case CardKind::kTableRow:
    case CardKind::kErrorText:
    case CardKind::kDocumentation:
    case CardKind::kDockerArgument:
    case CardKind::kDockerStage:
      return 0.9F;
    case CardKind::kAssignment:
      return 0.85F;
    case CardKind::kEntry:
      return 0.7F;
  }
  return 0.7F;
}

// In lower case; nothing is copied, since it runs for every card of a name.
bool HoldsWord(std::string_view text, std::string_view lower) {
  const auto same = [](char a, char b) { return (IsUpper(a) ? a - 'A' + 'a' : a) == b; };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), same) != text.end();
}

bool IsHeader(std::string_view path) {
  constexpr std::array<std::string_view, 6> kEnds = {".h", ".hpp", ".cuh", ".hh", ".hxx", ".pyi"};
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&](std::string_view end) { return path.ends_with(end); });
}

// The word that a name begins with often names its project: TORCH of TORCH_CUDA_ARCH_LIST, cuda of
// cudaMalloc.
std::string FirstWord(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const bool is_hump = !word.empty() && IsUpper(c) && IsLower(name[word.size() - 1]);
    if (!IsLetter(c) || is_hump) break;
    word += c;
  }
  return LowerCase(word);
}

bool IsAtHome(const CardHit& hit) {
  const std::string word = FirstWord(hit.name_view);
  if (word.size() < 3 || word.size() == hit.name_view.size()) return false;
  return HoldsWord(hit.source_view, word) || HoldsWord(hit.path_view, word);
}

// How good the place is, whatever was asked.
float PlaceFactor(const CardHit& hit, std::uint32_t traits_bits) {
  const DocumentTraits traits = DocumentTraits::FromBits(traits_bits);
  float factor = KindFactor(hit.kind);
  if (traits.is_test) factor *= 0.55F;
  if (traits.is_generated) factor *= 0.8F;
  if (traits.is_vendored) factor *= 0.75F;
  if (traits.is_changelog) factor *= 0.7F;
  const bool is_of_examples =
      HoldsWord(hit.source_view, "example") || HoldsWord(hit.source_view, "sample");
  if (traits.is_example || is_of_examples) factor *= 0.7F;
  if (hit.path_view.starts_with('.')) factor *= 0.8F;  // .github, .ci
  if (IsAtHome(hit)) factor *= 1.08F;
  // What documentation says of a variable or an option is more than that it is read somewhere.
  const bool is_setting = hit.kind == CardKind::kEnvironment || hit.kind == CardKind::kOption;
  if (is_setting && traits.is_prose) factor *= 1.12F;
  // Modules that users see are near the top.
  constexpr float kPerFolder = 0.985F;
  for (const char c : hit.path_view) factor *= c == '/' ? kPerFolder : 1;
  const bool is_c =
      hit.language_view == "c" || hit.language_view == "c++" || hit.language_view == "cuda";
  if (is_c && !IsHeader(hit.path_view)) factor *= 0.85F;
  if (hit.name_view.starts_with('_')) factor *= 0.85F;
  // A definition with its documentation is longer than a bare one.
  const std::uint32_t most = hit.kind == CardKind::kType ? 5U : 12U;  // its body is quoted too
  const std::uint32_t lines = std::min(hit.last_line - hit.first_line + 1, most);
  return factor * (0.88F + 0.01F * static_cast<float>(lines));
}

// The comment of a definition is above its name; documentation starts with the name.
bool IsBelowComment(const CardHit& hit) {
  return hit.language_view == "c" || hit.language_view == "c++" || hit.language_view == "cuda" ||
         hit.language_view == "cmake";
}

struct Word {
  std::string_view text;
  std::string folded;
  bool is_code = false;  // has a form that ordinary words do not have
};

bool HasCodeForm(std::string_view word) {
  const bool has_sign = word.find_first_of("_:./<-") != word.npos || IsDigit(word.back());
  // "cudaMalloc", not "CUDA"
  const bool has_inner_upper = word.size() > 2 &&
                               std::any_of(word.begin() + 1, word.end(), IsUpper) &&
                               std::any_of(word.begin(), word.end(), IsLower);
  return has_sign || has_inner_upper;
}

bool IsNumber(std::string_view word) {
  if (word.size() > 1 && word.front() == '-') word.remove_prefix(1);
  return IsDigit(word.front());
}

std::vector<Word> WordsOf(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size() && words.size() < kMostWords;) {
    const std::size_t begin = text.find_first_not_of(" \t\n\"'`?!,;()[]{}", at);
    if (begin == text.npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t\n\"'`?!,;()[]{}", begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    while (!word.empty() && (word.back() == '.' || word.back() == ':')) word.remove_suffix(1);
    if (!word.empty()) {
      words.push_back(
          {.text = word, .folded = cards::FoldWhole(word), .is_code = HasCodeForm(word)});
    }
    at = end;
  }
  return words;
}

class CardFinder {
 public:
  CardFinder(const Searcher& searcher, const CardQuery& query)
      : searcher_(searcher), query_(query), words_(WordsOf(query.text)) {
    has_code_ = std::any_of(words_.begin(), words_.end(),
                            [](const Word& word) { return word.is_code && !IsNumber(word.text); });
  }

  std::vector<CardHit> Run() {
    FindNames();
    FindValues();
    const bool has_name = std::any_of(found_.begin(), found_.end(), [](const CardHit& hit) {
      return hit.match == CardMatch::kName || hit.match == CardMatch::kFolded;
    });
    // A name that was found answers; words would only add its users.
    const bool is_one_name = words_.size() == 1 && has_name;
    if (query_.finds_by_words && !is_one_name) FindWords();
    return Best();
  }

 private:
  bool IsSearched(std::size_t part) const {
    const std::string& name = searcher_.parts()[part].index->name();
    return query_.sources.empty() ||
           std::find(query_.sources.begin(), query_.sources.end(), name) != query_.sources.end();
  }

  bool IsWanted(CardKind kind) const {
    return query_.kinds.empty() ||
           std::find(query_.kinds.begin(), query_.kinds.end(), kind) != query_.kinds.end();
  }

  // Nothing if the card is damaged, dead or not wanted.
  bool MakeCardHit(std::size_t part, std::uint32_t card, CardHit& hit,
                   std::uint32_t& traits) const {
    const Index::Part& place = *searcher_.parts()[part].part;
    const Segment& segment = place.segment;
    if (card >= segment.card_count()) return false;
    const CardRecord& record = segment.card(card);
    if (record.kind >= cards::kCardKinds) return false;
    hit.kind = static_cast<CardKind>(record.kind);
    if (!IsWanted(hit.kind)) return false;
    const std::size_t number = segment.document_of_card(card);
    if (number >= segment.document_count()) return false;
    const std::vector<std::uint64_t>& dead = place.dead_documents;
    if (!dead.empty() && (dead[number / 64] >> number % 64 & 1) != 0) return false;
    const DocumentRecord& document = segment.document(number);
    hit.part = static_cast<std::uint32_t>(part);
    hit.card = card;
    hit.name_view = segment.card_name(record);
    hit.value_view = segment.card_value(record);
    hit.source_view = searcher_.parts()[part].index->name();
    hit.path_view = segment.path(document);
    hit.language_view = segment.language(document);
    hit.blob.bytes = document.blob;
    hit.first_line = record.first_line;
    hit.last_line = record.first_line + record.more_lines;
    traits = document.traits;
    return !hit.name_view.empty();
  }

  void FindNames() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::string joined;
      std::string_view text;
      for (std::size_t j = i; j < std::min(words_.size(), i + kJoined); ++j) {
        joined += words_[j].folded;
        text = j == i ? words_[j].text : std::string_view();
        // "to", "is": too short to mean a card, unless it is all that was asked.
        if (joined.size() < 3 && words_.size() > 1) continue;
        const float share = static_cast<float>(j - i + 1) / static_cast<float>(words_.size());
        const bool is_plain = std::none_of(words_.begin() + static_cast<std::ptrdiff_t>(i),
                                           words_.begin() + static_cast<std::ptrdiff_t>(j) + 1,
                                           [](const Word& word) { return word.is_code; });
        // An ordinary word that happens to be a name says nothing among others.
        if (j == i && is_plain && (words_.size() > 2 || has_code_)) continue;
        // So do two of many: "per block".
        if (j == i + 1 && is_plain && 2 * share < 1) continue;
        const float weight = is_plain ? 0.4F + 0.6F * share : 0.8F + 0.2F * share;
        FindFolded(joined, text, weight);
        if (j == i) {
          const std::string_view last = cards::LastPart(words_[i].text);
          if (last.size() < words_[i].text.size()) {
            FindFolded(cards::FoldWhole(last), words_[i].text, weight);
          }
        }
      }
    }
  }

  void FindFolded(const std::string& folded, std::string_view text, float weight) {
    const std::uint32_t hash = CardFoldHash(folded);
    for (std::size_t part = 0; part < searcher_.parts().size(); ++part) {
      if (!IsSearched(part)) continue;
      const auto keys = searcher_.parts()[part].part->segment.CardsNamed(hash);
      if (keys.size() > query_.most_of_name) continue;
      for (const CardKeyRecord& key : keys) {
        CardHit hit;
        std::uint32_t traits = 0;
        if (!MakeCardHit(part, key.card, hit, traits)) continue;
        if (!HasName(hit, folded)) continue;
        const std::string_view last = cards::LastPart(text);
        const bool is_exact = hit.name_view == text || hit.name_view == last ||
                              cards::LastPart(hit.name_view) == last;
        hit.match = is_exact ? CardMatch::kName : CardMatch::kFolded;
        const float base = is_exact ? 10.0F : 8.0F;
        hit.rank = base * weight * PlaceFactor(hit, traits) * QualifierFactor(hit, text);
        found_.push_back(hit);
      }
    }
  }

  // Hashes may be equal by chance; an instruction is also found by its shape.
  static bool HasName(const CardHit& hit, const std::string& folded) {
    const std::string name = cards::FoldName(hit.name_view, hit.kind);
    return name == folded || (hit.kind == CardKind::kInstruction && name.starts_with(folded));
  }

  // "torch.add" is defined below torch/, "cutlass::gemm" below cutlass/.
  static float QualifierFactor(const CardHit& hit, std::string_view text) {
    const std::string_view last = cards::LastPart(text);
    float factor = 1;
    std::string_view qualifier = text.substr(0, text.size() - std::min(last.size(), text.size()));
    while (!qualifier.empty()) {
      const std::size_t end = std::min(qualifier.find_first_of(":.->"), qualifier.size());
      const std::string part = LowerCase(qualifier.substr(0, end));
      qualifier.remove_prefix(std::min(end + 1, qualifier.size()));
      if (part.empty()) continue;
      if (!HoldsWord(hit.path_view, part) && !HoldsWord(hit.source_view, part)) factor *= 0.85F;
    }
    return factor;
  }

  // "error 719", "719"
  void FindValues() {
    constexpr std::array<std::string_view, 5> kAbout = {"error", "code", "status", "errno", "xid"};
    const bool is_about_errors = std::any_of(words_.begin(), words_.end(), [&](const Word& word) {
      return IsOneOf(word.folded, kAbout) || word.folded.find("error") != std::string::npos;
    });
    if (!is_about_errors && words_.size() > 1) return;
    for (const Word& word : words_) {
      if (!IsNumber(word.text)) continue;
      const std::uint32_t hash = CardValueHash(word.text);
      for (std::size_t part = 0; part < searcher_.parts().size(); ++part) {
        if (!IsSearched(part)) continue;
        const auto keys = searcher_.parts()[part].part->segment.CardsWithValue(hash);
        for (const CardKeyRecord& key : keys.first(std::min(keys.size(), kMostOfValue))) {
          CardHit hit;
          std::uint32_t traits = 0;
          if (!MakeCardHit(part, key.card, hit, traits)) continue;
          hit.match = CardMatch::kValue;
          hit.rank = 9.0F * PlaceFactor(hit, traits) * Overlap(hit);
          found_.push_back(hit);
        }
      }
    }
  }

  // "CUDA runtime error 719" is one of CUDA's.
  float Overlap(const CardHit& hit) const {
    const std::string name = cards::FoldWhole(hit.name_view);
    const std::string place = cards::FoldWhole(hit.path_view) + cards::FoldWhole(hit.source_view);
    float overlap = 0.7F;
    for (const Word& word : words_) {
      if (word.folded.size() < 3 || IsDigit(word.folded[0])) continue;
      if (name.find(word.folded) != std::string::npos) overlap += 0.15F;
      if (place.find(word.folded) != std::string::npos) overlap += 0.1F;
    }
    return overlap;
  }

  // The cards in the best passages for the words.
  void FindWords() {
    Query words{.text = query_.text, .context = {}, .limit = kSearched};
    words.filter.sources = query_.sources;
    const CardWords wanted(query_.text);
    if (wanted.empty()) return;
    float place = 1;
    for (const Hit& hit : searcher_.Search(words)) {
      AddCardsOf(hit, wanted, place);
      place *= 0.97F;
    }
  }

  void AddCardsOf(const Hit& passage, const CardWords& wanted, float place) {
    constexpr std::size_t kMostOfPassage = 200;
    const Segment& segment = searcher_.parts()[passage.passage.part].part->segment;
    const std::uint32_t document = segment.passage(passage.passage.passage).document;
    if (document >= segment.document_count()) return;
    const Segment::CardRange range = segment.cards_of(document);
    const std::string text = searcher_.Text(passage.passage);
    std::size_t count = 0;
    for (std::uint32_t card = range.first; card < range.end && count < kMostOfPassage; ++card) {
      const CardRecord& record = segment.card(card);
      const std::uint32_t last = record.first_line + record.more_lines;
      if (last < passage.first_line || record.first_line > passage.last_line) continue;
      ++count;
      CardHit hit;
      std::uint32_t traits = 0;
      if (!MakeCardHit(passage.passage.part, card, hit, traits)) continue;
      const float share =
          wanted.Share(hit.name_view, LinesOf(text, passage.first_line, hit.first_line, last));
      if (share < kLeastShare) continue;
      hit.match = CardMatch::kWords;
      hit.rank = 6.0F * share * place * PlaceFactor(hit, traits);
      found_.push_back(hit);
    }
  }

  // Lines [first, last] of a passage that begins with line `from`.
  static std::string_view LinesOf(std::string_view text, std::uint32_t from, std::uint32_t first,
                                  std::uint32_t last) {
    std::size_t begin = 0;
    std::uint32_t line = from;
    for (; line < first && begin < text.size(); ++line) {
      begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    }
    std::size_t end = begin;
    for (; line <= last && end < text.size(); ++line) {
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
    }
    return text.substr(begin, end - begin);
  }

  std::vector<CardHit> Best() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const CardHit& a, const CardHit& b) { return a.rank > b.rank; });
    std::vector<CardHit> best;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const CardHit& hit : found_) {
      if (best.size() >= query_.limit) break;
      if (!seen.emplace(hit.part, hit.card).second) continue;
      const auto same = std::count_if(best.begin(), best.end(), [&](const CardHit& other) {
        return other.path_view == hit.path_view && other.name_view == hit.name_view &&
               other.source_view == hit.source_view;
      });
      if (static_cast<std::size_t>(same) < kMostOfFile) best.push_back(hit);
    }
    return best;
  }

  static constexpr float kLeastShare = 0.34F;

  const Searcher& searcher_;
  const CardQuery& query_;
  std::vector<Word> words_;
  bool has_code_ = false;  // one of them has the form of a name
  std::vector<CardHit> found_;
};

}  // namespace

std::vector<CardHit> FindCards(const Searcher& searcher, const CardQuery& query) {
  return CardFinder(searcher, query).Run();
}

cards::Card ReadCard(const Searcher& searcher, const CardHit& hit) {
  const Segment& segment = searcher.parts()[hit.part].part->segment;
  const std::size_t document = segment.document_of_card(hit.card);
  const std::string text = searcher.DocumentText(hit.part, document);
  return cards::ReadFileCard({.path = hit.path_view, .language = hit.language_view, .text = text},
                             {.kind = hit.kind,
                              .name = hit.name_view,
                              .value = hit.value_view,
                              .first_line = hit.first_line,
                              .last_line = hit.last_line});
}

PassageRef PassageOf(const Searcher& searcher, const CardHit& hit) {
  const Segment& segment = searcher.parts()[hit.part].part->segment;
  const std::size_t number = segment.document_of_card(hit.card);
  PassageRef found = {.part = hit.part, .passage = 0};
  if (number >= segment.document_count()) return found;
  const DocumentRecord& document = segment.document(number);
  const auto count = static_cast<std::uint32_t>(segment.passage_count());
  std::uint32_t low = std::min(document.first_passage, count);
  std::uint32_t high = std::min(count, low + std::min(document.passage_count, count));
  found.passage = low;
  // The name is at the end of what is quoted: its comment is above it.
  const std::uint32_t line = IsBelowComment(hit) ? hit.last_line : hit.first_line;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (segment.passage(middle).first_line <= line) {
      found.passage = middle;
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return found;
}

}  // namespace sibyl::index
