// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "injection/instruction_decode.h"
#include "injection/instruction_fold.h"
#include "injection/instruction_tokens.h"

namespace sibyl::injection {
namespace {

enum Kind : std::uint32_t {
  kWord = 1,
  kTwoWords,
  kStem,
  kRole,
  kPlaced,
  kNear,
  kFar,
  kWordRole,
  kRoleWord,
  kBeforeIt,
  kAfterIt,
  kDisguise,
  kQuotation,
  kLength,
};

constexpr unsigned kKindBits = 4;

Feature Mix(Kind kind, std::uint64_t a, std::uint64_t b = 0) {
  std::uint64_t x = kind * 0x9E3779B97F4A7C15ULL + a;
  x = (x ^ (x >> 31U)) * 0xBF58476D1CE4E5B9ULL + b;
  x = (x ^ (x >> 29U)) * 0x94D049BB133111EBULL;
  return static_cast<Feature>(x >> 32U) << kKindBits | kind;
}

constexpr Roles kPlaces = kStart | kVocative | kMarkup | kQuoted | kCommand;
constexpr Roles kMeanings = ~(kStart | kVocative | kMarkup | kQuoted | kFunction);

// A sentence without any of these is skipped.
constexpr Roles kTelling = kMeanings & ~(kIn | kThat | kThis | kIf | kAre | kAll);

template <typename Function>
void ForEachRole(Roles roles, const Function& function) {
  for (; roles != 0; roles &= roles - 1) function(static_cast<unsigned>(std::countr_zero(roles)));
}

class SentenceReader {
 public:
  SentenceReader(std::span<const Token> tokens, const FeatureFilter* filter)
      : tokens_(tokens), filter_(filter) {}

  void ReadWords() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      AddWord(i);
      Pair(i);
    }
    for (unsigned role = 0; role < near_.size(); ++role) {
      ForEachRole(near_[role], [&](unsigned other) { Add(kNear, role, other); });
      ForEachRole(far_[role], [&](unsigned other) { Add(kFar, role, other); });
    }
    Add(kLength, std::bit_width(tokens_.size()));
  }

  void AddRoles(Kind kind, Roles roles) {
    ForEachRole(roles, [&](unsigned role) { Add(kind, role); });
  }

  // A text about attacks quotes them.
  void AddQuotation(bool is_about_attacks) {
    const auto quoted = static_cast<std::size_t>(
        std::count_if(tokens_.begin(), tokens_.end(),
                      [](const Token& token) { return (token.roles & kQuoted) != 0; }));
    const std::size_t share = 4 * quoted / tokens_.size();
    Add(kQuotation, share);
    Add(kQuotation, share, is_about_attacks ? 2 : 1);
  }

  void Add(Kind kind, std::uint64_t a, std::uint64_t b = 0) {
    const Feature feature = Mix(kind, a, b);
    if (filter_ == nullptr || filter_->MayContain(feature)) features_.push_back(feature);
  }

  std::vector<Feature> Take() {
    std::sort(features_.begin(), features_.end());
    features_.erase(std::unique(features_.begin(), features_.end()), features_.end());
    return std::move(features_);
  }

 private:
  void AddWord(std::size_t i) {
    const Token& token = tokens_[i];
    const Roles roles = token.roles & kMeanings;
    Add(kWord, token.word);
    if (token.stem != 0) Add(kStem, token.stem);
    ForEachRole(token.roles & kPlaces, [&](unsigned place) {
      ForEachRole(roles, [&](unsigned role) { Add(kPlaced, place, role); });
    });
    if (i + 1 >= tokens_.size()) return;
    const Token& next = tokens_[i + 1];
    Add(kTwoWords, token.word, next.word);
    ForEachRole(next.roles & kMeanings, [&](unsigned role) { Add(kWordRole, token.word, role); });
    ForEachRole(roles, [&](unsigned role) { Add(kRoleWord, role, next.word); });
  }

  // Roles that follow in the sentence, close by and farther away.
  void Pair(std::size_t i) {
    constexpr std::uint32_t kClose = 4;
    constexpr std::uint32_t kDistant = 14;
    const Roles roles = tokens_[i].roles & kMeanings;
    if (roles == 0) return;
    Roles close = 0;
    Roles distant = 0;
    for (std::size_t j = i + 1; j < tokens_.size(); ++j) {
      const std::uint32_t distance = tokens_[j].position - tokens_[i].position;
      if (distance > kDistant) break;
      distant |= tokens_[j].roles & kMeanings;
      if (distance <= kClose) close = distant;
    }
    ForEachRole(roles, [&](unsigned role) {
      near_[role] |= close;
      far_[role] |= distant;
    });
  }

  std::span<const Token> tokens_;
  const FeatureFilter* filter_;
  std::vector<Feature> features_;
  std::array<Roles, 64> near_{};
  std::array<Roles, 64> far_{};
};

struct Sentence {
  std::span<const Token> tokens;
  Roles roles = 0;
};

// One without end is cut: a list, or code.
std::vector<Sentence> SentencesOf(std::span<const Token> tokens) {
  constexpr std::uint32_t kLongest = 40;  // words
  std::vector<Sentence> sentences;
  for (std::size_t i = 0; i < tokens.size();) {
    Sentence sentence;
    std::size_t end = i;
    while (end < tokens.size() && tokens[end].sentence == tokens[i].sentence &&
           tokens[end].position - tokens[i].position <= kLongest) {
      sentence.roles |= tokens[end++].roles;
    }
    sentence.tokens = tokens.subspan(i, end - i);
    sentences.push_back(sentence);
    i = end;
  }
  return sentences;
}

class ParagraphReader {
 public:
  ParagraphReader(const Tokens& tokens, const FoldedText& folded, bool was_encoded,
                  const FeatureFilter* filter)
      : tokens_(tokens), folded_(folded), was_encoded_(was_encoded), filter_(filter) {}

  void Read(std::vector<SentenceFeatures>& all) const {
    const std::vector<Sentence> sentences = SentencesOf(tokens_.all);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const Sentence& sentence = sentences[i];
      SentenceFeatures& read = all.emplace_back();
      // The lines of what was encoded are not those of the paragraph.
      if (!was_encoded_) {
        read.first_line = sentence.tokens.front().line;
        read.last_line = sentence.tokens.back().line;
      }
      read.roles = sentence.roles;
      if ((sentence.roles & kTelling) == 0) continue;  // no relevant role
      SentenceReader reader(sentence.tokens, filter_);
      reader.ReadWords();
      reader.AddRoles(kRole, sentence.roles & kMeanings);
      reader.AddQuotation((tokens_.roles & kAttack) != 0);
      if (i > 0) reader.AddRoles(kBeforeIt, sentences[i - 1].roles & kAround);
      if (i + 1 < sentences.size()) reader.AddRoles(kAfterIt, sentences[i + 1].roles & kAround);
      AddDisguises(sentence.roles, reader);
      read.features = reader.Take();
    }
  }

 private:
  // Roles of which the neighbours of a sentence are asked.
  static constexpr Roles kAround =
      kYou | kYour | kAi | kBot | kReply | kUser | kAttack | kPrompt | kOrders | kDecode | kRead;

  void AddDisguises(Roles roles, SentenceReader& reader) const {
    // A list of thousands of lines has a bit of everything.
    constexpr std::size_t kLongest = 8192;
    if (folded_.text.size() > kLongest) return;
    const std::array<bool, 7> disguises = {
        folded_.hidden > 2, folded_.mixed > 0, folded_.styled > 8, folded_.entities > 8,
        folded_.spaced > 0, tokens_.leet > 2,  was_encoded_};
    constexpr Roles kAddressed = kAi | kBot | kYou | kYour | kOrders | kUser;
    for (std::size_t i = 0; i < disguises.size(); ++i) {
      if (!disguises[i]) continue;
      reader.Add(kDisguise, i);
      if ((roles & kAddressed) != 0) reader.Add(kDisguise, disguises.size());
    }
  }

  const Tokens& tokens_;
  const FoldedText& folded_;
  bool was_encoded_;
  const FeatureFilter* filter_;
};

void ReadInto(std::string_view paragraph, bool was_encoded, const FeatureFilter* filter,
              ParagraphFeatures& all) {
  FoldedText folded;
  std::string_view text = paragraph;
  if (NeedsFolding(paragraph)) {
    folded = FoldText(paragraph);
    text = folded.text;
  }
  if (!was_encoded) all.hidden_lines = folded.hidden_lines;
  const Tokens tokens = ReadTokens(text);
  ParagraphReader(tokens, folded, was_encoded, filter).Read(all.sentences);
  if (was_encoded || (tokens.roles & kDecode) == 0) return;
  for (const std::string& decoded : DecodedTexts(text)) ReadInto(decoded, true, filter, all);
}

}  // namespace

FeatureFilter::FeatureFilter(std::span<const Feature> features) : bits_(1U << 12U) {
  for (const Feature feature : features) {
    bits_[feature >> 20U] |= std::uint64_t{1} << (feature >> 14U & 63U);
  }
}

bool IsWord(Feature feature) {
  const Feature kind = feature % (1U << kKindBits);
  return kind == kWord || kind == kStem;
}

ParagraphFeatures ReadFeatures(std::string_view paragraph, const FeatureFilter* filter) {
  ParagraphFeatures all;
  ReadInto(paragraph, false, filter, all);
  return all;
}

}  // namespace sibyl::injection
