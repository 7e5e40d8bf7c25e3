// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "gate/claims/claim_words.h"
#include "support/numbers/quantity.h"

namespace sibyl::gate {
namespace {

using support::Ground;
using support::Token;
using support::TokenKind;
using support::WordWeight;

std::vector<Token> TokensOf(const statement::Statement& text, support::Tokenizer& tokenizer) {
  std::vector<bool> is_code(text.text.size());
  for (const statement::TextRun& run : text.runs) {
    if (!run.is_code) continue;
    std::fill(is_code.begin() + static_cast<std::ptrdiff_t>(run.begin),
              is_code.begin() + static_cast<std::ptrdiff_t>(run.end), true);
  }
  return tokenizer.OfStatement(text.text, is_code);
}

// "1.2 " of a heading.
std::size_t SectionNumberEnd(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
  const bool is_number = end > 0 && end < text.size() && text[end] == ' ' && IsDigit(text[0]);
  // "1 Overview", but not "16 workers by default"
  const bool is_count = text.substr(0, end).find('.') == std::string_view::npos &&
                        end + 1 < text.size() && IsLower(text[end + 1]);
  return is_number && !is_count ? end : 0;
}

// "Table 2." of a caption: its number is the writer's.
std::size_t CaptionNumberEnd(std::string_view text) {
  for (const std::string_view start : {"table ", "figure ", "listing "}) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    if (!StartsWithIgnoringCase(text.substr(begin), start)) continue;
    std::size_t end = begin + start.size();
    while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
    return end;
  }
  return 0;
}

// A letter of a script other than Latin and Greek.
bool IsForeign(char32_t c) {
  return (c >= 0x400 && c <= 0x1CFF) || (c >= 0x3041 && c <= 0x30FF) ||
         (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

bool IsAsking(std::string_view lower) {
  constexpr std::array<std::string_view, 10> kWords = {"how",   "what", "why",     "which", "when",
                                                       "where", "who",  "whether", "whose", "that"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

// "how entries are stored", "what the loader assumes": names a subject.
bool IsAsked(const std::vector<Token>& tokens, std::size_t i) {
  constexpr std::size_t kReach = 12;
  for (std::size_t j = i; j-- > 0 && i - j < kReach && tokens[j].clause == tokens[i].clause;) {
    if (!tokens[j].in_code && IsAsking(tokens[j].lower)) return true;
  }
  return false;
}

// A finite verb: after its subject, or at the start without one ("Works on …").
bool AssertsAt(const std::vector<Token>& tokens, std::size_t i) {
  const Token& token = tokens[i];
  if (token.in_code) return false;
  const bool is_last = i + 1 == tokens.size();
  if (i == 0) {
    // "Rebuilds every queue", but not "Builds of the library"
    constexpr std::array<std::string_view, 9> kObjects = {"the", "a",   "an",   "every", "all",
                                                          "any", "its", "each", "no"};
    if (is_last || tokens[1].lower == "of") return false;
    const bool is_verb = token.lower.ends_with('s') && IsVerbForm(token.lower);
    return IsBareVerb(token.lower) || (is_verb && IsOneOf(tokens[1].lower, kObjects));
  }
  if (IsAsked(tokens, i)) return false;
  if (IsAuxiliary(token.lower)) return true;
  if (is_last) return false;
  const std::string_view before = tokens[i - 1].lower;
  // "entries expire": a plural and its verb.
  const bool is_plural = before.size() > 3 && before.ends_with('s') && !before.ends_with("ss");
  if (is_plural && IsVerb(token.lower)) return true;
  if (!IsVerbForm(token.lower) || !token.lower.ends_with('s')) return false;
  constexpr std::array<std::string_view, 24> kBeforeNouns = {
      "the",  "a",    "an",      "of",     "its",    "their",   "these", "for",
      "with", "to",   "by",      "no",     "and",    "or",      "in",    "on",
      "at",   "from", "between", "across", "during", "through", "over",  "per"};
  return std::find(kBeforeNouns.begin(), kBeforeNouns.end(), before) == kBeforeNouns.end();
}

bool AsksFirst(const std::vector<Token>& tokens) {
  return !tokens.empty() &&
         (tokens[0].lower == "how" || tokens[0].lower == "why" || OpensQuestion(tokens[0].lower));
}

class ClaimReader {
 public:
  ClaimReader(const statement::Statement& text, const ClaimGround& ground, ClaimRule rule,
              support::Tokenizer& tokenizer)
      : text_(text), ground_(ground), rule_(rule), tokens_(TokensOf(text, tokenizer)) {}

  std::string Take() {
    ReadNumbers();
    if (text_.kind == statement::StatementKind::kColumn && !ground_.empty()) ReadUnits();
    if (text_.kind == statement::StatementKind::kCodeComment && !ground_.empty()) {
      ReadComparisons();
    }
    if (!ground_.empty() && rule_ != ClaimRule::kLink) ReadForeign();
    bool is_assertion = rule_ == ClaimRule::kAssertion;
    for (std::size_t i = 0; i < tokens_.size() && reason_.empty(); ++i) {
      is_assertion = is_assertion || (!AsksFirst(tokens_) && AssertsAt(tokens_, i));
      ReadToken(tokens_[i]);
    }
    if (!reason_.empty()) return reason_;
    // What an introduction leads to must be cited itself.
    if (ground_.empty() && is_assertion && tokens_.size() > 2 &&
        rule_ != ClaimRule::kIntroduction) {
      return "nothing is cited there";
    }
    if (ground_.empty() || (rule_ == ClaimRule::kLink && !is_assertion)) return {};
    // A denial adds little, and two words are too few to tell.
    constexpr double kTelling = 3;
    if (IsPart() && HasNewClause()) Refuse(first_new_);
    if (IsPart() && (words_ < kTelling || IsDenial())) return reason_;
    const Allowance allowed = AllowanceOf(is_assertion);
    if (new_ > allowed.words && new_ > allowed.share * words_) Refuse(first_new_);
    return reason_;
  }

 private:
  // New words that are accepted: so many, or this share.
  struct Allowance {
    double words = 0;
    double share = 0;
  };

  Allowance AllowanceOf(bool is_assertion) const {
    if (IsPart()) return {.words = 1, .share = 0.5};
    const bool is_short = words_ <= 3;
    const bool is_existence = rule_ == ClaimRule::kIntroduction && tokens_[0].lower == "there";
    if (is_existence) return {.words = 1, .share = 0.34};
    if (is_assertion && (rule_ != ClaimRule::kIntroduction || is_short))
      return {.words = 0, .share = 0.2};
    if (rule_ == ClaimRule::kTopic) return {.words = 1, .share = 0.67};
    return {.words = 1, .share = 0.34};
  }

  void Refuse(std::string_view word) {
    if (reason_.empty()) reason_ = fmt::format("'{}' is not in the cited lines", word);
  }

  void ReadNumbers() {
    const bool is_heading = text_.kind == statement::StatementKind::kHeading;
    const std::size_t skip =
        is_heading ? SectionNumberEnd(text_.text) : CaptionNumberEnd(text_.text);
    for (const support::Quantity& number : support::ReadQuantities(text_.text, false)) {
      number_words_.insert(number.begin);
      if (number.begin < skip || number.in_name) continue;
      if (ground_.empty() && number.dimension == statement::Dimension::kNone) continue;
      if (number.is_word && number.value < 2) continue;  // "one of them", "half"
      // "There are three modes:"
      constexpr double kFew = 10;
      const bool is_count = number.is_word && number.value <= kFew;
      if (rule_ == ClaimRule::kIntroduction && is_count) continue;
      if (IsPart() && is_count && CountsOwn(number)) continue;
      if (rule_ == ClaimRule::kLink && number.noun.empty()) continue;
      if (ground_.HasNumber(number) || CountsKinds(number)) continue;
      Refuse(std::string_view(text_.text).substr(number.begin, number.end - number.begin));
    }
  }

  // "contiguous ones for the last two": counts what the sentence lists itself.
  bool CountsOwn(const support::Quantity& number) const {
    constexpr std::array<std::string_view, 6> kBefore = {"last",  "first", "other",
                                                         "these", "those", "latter"};
    const auto token = std::find_if(tokens_.begin(), tokens_.end(),
                                    [&](const Token& one) { return one.begin == number.begin; });
    return token != tokens_.end() && token != tokens_.begin() &&
           IsOneOf((token - 1)->lower, kBefore);
  }

  // "Time (ms)" of a header where the lines measure in us.
  void ReadUnits() {
    for (const Token& token : tokens_) {
      const std::string_view word =
          std::string_view(text_.text).substr(token.begin, token.end - token.begin);
      const std::optional<statement::Unit> unit = statement::UnitAt(word, 0);
      const bool is_measure = unit && unit->name.size() == word.size() && word.size() > 1 &&
                              (unit->dimension == statement::Dimension::kSeconds ||
                               unit->dimension == statement::Dimension::kBytes);
      if (is_measure && ground_.Find(token) == Ground::kNone && !ground_.Measures(*unit)) {
        return Refuse(word);
      }
    }
  }

  // "n == 0" of a comment where the lines have "n != 0".
  void ReadComparisons() {
    for (const std::string_view sign : {"==", "!=", "<=", ">="}) {
      for (std::size_t at = text_.text.find(sign); at != std::string::npos;
           at = text_.text.find(sign, at + 1)) {
        const std::string_view text = text_.text;
        std::size_t begin = text.find_last_not_of(' ', at == 0 ? 0 : at - 1);
        std::size_t end = text.find_first_not_of(' ', at + sign.size());
        if (begin == std::string_view::npos || end == std::string_view::npos) continue;
        ++begin;
        const std::size_t last = begin;
        while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
        const std::size_t first = end;
        while (end < text.size() && IsNameByte(text[end])) ++end;
        if (begin == last || first == end) continue;
        const std::string said = fmt::format("{}{}{}", text.substr(begin, last - begin), sign,
                                             text.substr(first, end - first));
        if (!ground_.HasCompact(said)) return Refuse(text.substr(begin, end - begin));
      }
    }
  }

  void ReadToken(const Token& token) {
    if (token.kind == TokenKind::kNumber) return;
    const bool is_number_word = number_words_.contains(token.begin) && !token.in_code;
    if (token.lower == "with" && !token.in_code && HasOnlyWithout(token)) {
      return Refuse(token.lower);
    }
    // "(the fastest setting)" in a cited sentence
    if (IsPart() && !token.in_code && token.lower.ends_with("est") && IsComparison(token.lower) &&
        ground_.Find(token) < Ground::kSynonym) {
      return Refuse(token.lower);
    }
    if (!token.in_code && !IsPart()) {
      if (IsSweeping(token.lower) && !ground_.HasWord(token.lower) && !HasSameSweep(token.lower)) {
        return Refuse(token.lower);
      }
      if (IsComparison(token.lower) && !AsksOnly() && ground_.Find(token) < Ground::kSynonym &&
          !ground_.HasWord(token.lower) && !IsOrNewer(token)) {
        return Refuse(token.lower);
      }
      const bool is_denied =
          token.is_negation && !ground_.empty() && rule_ != ClaimRule::kLink && !AsksOnly();
      if (is_denied && !ground_.HasNegation()) return Refuse(token.lower);
    }
    if (ground_.empty() || is_number_word) return;
    if (token.weight == WordWeight::kNone) return;
    // "k" of k-means
    const bool is_letter = token.lower.size() == 1 && token.in_compound;
    const bool is_telling = (token.weight == WordWeight::kFull && !is_letter) || token.in_code;
    const bool is_quality = !token.in_code && IsQuality(token.lower);
    if (!is_telling && !is_quality) return;
    words_ += 1;
    clauses_[token.clause].words += 1;
    const Ground found = ground_.Find(token);
    // The parts of a name are not the name.
    const bool is_spelled = token.in_code || token.lower.find('_') != std::string::npos;
    const bool is_other_name = is_spelled && token.kind == TokenKind::kName &&
                               found != Ground::kWord && !ground_.HasContext(token.lower);
    if (found != Ground::kNone && !is_other_name) return;
    const bool is_name = is_spelled && token.weight != WordWeight::kNone;
    if (is_name && rule_ != ClaimRule::kLink && !IsPart()) return Refuse(token.lower);
    if (rule_ == ClaimRule::kTail && is_quality && IsPredicate(token)) return Refuse(token.lower);
    // "launched from C++" where the lines have Python.
    if (rule_ == ClaimRule::kCaption && IsProperName(token)) return Refuse(token.lower);
    if (IsPart()) return AddNew(token);
    const bool is_topic = rule_ == ClaimRule::kTopic || rule_ == ClaimRule::kLink;
    if (IsAboutText(token.lower) || IsOfText(token) || IsCopula(token.lower)) return;
    if (LeadsToList(token) || IsGerundTitle()) return;
    if (!is_topic && ground_.HasOnlyOpposite(token)) return Refuse(token.lower);
    if (rule_ == ClaimRule::kIntroduction && IsVerb(token.lower)) return;
    const bool is_gerund = token.lower.ends_with("ing");
    // "Mixed types" names a subject; "reusable" and "silently" describe it.
    const bool is_strict = rule_ != ClaimRule::kLink && !AsksOnly() && !LeadsToList(token) &&
                           (!is_topic || !token.lower.ends_with("ed") || IsState(token.lower));
    const auto index = static_cast<std::size_t>(&token - tokens_.data());
    const bool is_verb = IsVerbForm(token.lower) && !is_gerund && index > 0 &&
                         !(token.lower.ends_with('s') && IsAsked(tokens_, index));
    if (is_strict && (is_quality || is_verb)) return Refuse(token.lower);
    AddNew(token);
  }

  // Begins with a capital, and is not the first word; cells are full of them.
  bool IsProperName(const Token& token) const {
    if (text_.kind == statement::StatementKind::kCell) return false;
    const auto i = static_cast<std::size_t>(&token - tokens_.data());
    if (i == 0 || token.in_code || !IsUpper(text_.text[token.begin])) return false;
    const std::string_view before = std::string_view(text_.text).substr(0, token.begin);
    const std::size_t last = before.find_last_not_of(" \"'(*");
    return last != std::string_view::npos && (IsAlphanumeric(before[last]) || before[last] == ',');
  }

  // "stays off": what it says is in the word that follows.
  static bool IsCopula(std::string_view lower) {
    return lower == "stay" || lower == "stays" || lower == "remain" || lower == "remains";
  }

  // "The following table matches …": what the text itself does.
  bool IsOfText(const Token& token) const {
    constexpr std::array<std::string_view, 9> kSubjects = {
        "table", "list", "section", "figure", "diagram", "tables", "lists", "overview", "page"};
    constexpr std::size_t kBeginning = 3;
    const auto i = static_cast<std::size_t>(&token - tokens_.data());
    return i > 0 && i <= kBeginning && IsOneOf(tokens_[i - 1].lower, kSubjects) &&
           IsVerbForm(token.lower);
  }

  // "with shared embeddings" where the lines have it only without them.
  bool HasOnlyWithout(const Token& with) const {
    const auto i = static_cast<std::size_t>(&with - tokens_.data());
    if (ground_.empty() || i + 2 >= tokens_.size()) return false;
    const std::string words =
        text_.text.substr(tokens_[i + 1].begin, tokens_[i + 2].end - tokens_[i + 1].begin);
    return ground_.LinesHave("without " + words) && !ground_.LinesHave("with " + words);
  }

  // "1.24 or newer" where the lines have ">= 1.24".
  bool IsOrNewer(const Token& token) const {
    const auto i = static_cast<std::size_t>(&token - tokens_.data());
    const bool is_later =
        token.lower == "newer" || token.lower == "later" || token.lower == "higher";
    return is_later && i > 1 && tokens_[i - 1].lower == "or" &&
           tokens_[i - 2].kind == TokenKind::kNumber && ground_.HasText(">=");
  }

  // "When is memory too full?", "What happens when …", "Choosing among the best
  // nodes": names what the section is about, and says nothing of it.
  bool AsksOnly() const {
    if (tokens_.empty() || rule_ == ClaimRule::kAssertion || IsPart()) return false;
    if (AsksFirst(tokens_)) return tokens_[0].lower != "why";
    return rule_ == ClaimRule::kTopic && tokens_[0].lower.ends_with("ing") && !tokens_[0].in_code &&
           tokens_.size() > 1;
  }

  // "Catching up with the clock": a title.
  bool IsGerundTitle() const {
    return rule_ == ClaimRule::kTopic && !tokens_[0].in_code && tokens_[0].lower.ends_with("ing") &&
           tokens_.size() > 1 && !ground_.empty();
  }

  // "accepts these values:", "reads two variables:"
  bool LeadsToList(const Token& token) const {
    constexpr std::array<std::string_view, 8> kNext = {"these", "two",     "three",   "four",
                                                       "five",  "several", "various", "some"};
    const auto i = static_cast<std::size_t>(&token - tokens_.data());
    return rule_ == ClaimRule::kIntroduction && i + 1 < tokens_.size() &&
           token.lower.ends_with('s') && IsVerbForm(token.lower) &&
           IsOneOf(tokens_[i + 1].lower, kNext);
  }

  // "Two kinds of read": the count of what the section names.
  bool CountsKinds(const support::Quantity& number) const {
    constexpr double kFew = 10;
    if (rule_ != ClaimRule::kTopic || !number.is_word || number.value > kFew) return false;
    return tokens_.size() > 1 && number.begin == tokens_[0].begin &&
           IsAboutText(tokens_[1].lower) && number.dimension == statement::Dimension::kNone;
  }

  void AddNew(const Token& token) {
    new_ += 1;
    clauses_[token.clause].words_new += 1;
    if (first_new_.empty()) first_new_ = token.lower;
  }

  // "… and is then rescheduled on another node": nothing of it is cited.
  bool HasNewClause() const {
    return std::any_of(clauses_.begin(), clauses_.end(), [](const auto& clause) {
      return clause.second.words > 2 && clause.second.words == clause.second.words_new;
    });
  }

  static bool IsState(std::string_view lower) {
    return lower == "enabled" || lower == "disabled" || lower == "deprecated" ||
           lower == "shared" || lower == "guaranteed" || lower == "required" ||
           lower == "supported" || lower == "unsupported" || lower == "encrypted" ||
           lower == "unlimited" || lower == "preferred" || lower == "recommended" ||
           lower == "switched" || lower == "turned";
  }

  bool IsPart() const { return rule_ == ClaimRule::kClause || rule_ == ClaimRule::kTail; }

  // "is encrypted"; "is turned on" says little by itself.
  bool IsPredicate(const Token& token) const {
    constexpr std::array<std::string_view, 12> kGeneric = {"turned", "used",   "called", "needed",
                                                           "given",  "taken",  "made",   "based",
                                                           "placed", "passed", "added",  "named"};
    const auto i = static_cast<std::size_t>(&token - tokens_.data());
    const auto is_auxiliary = [&](std::size_t at) { return IsAuxiliary(tokens_[at].lower); };
    return std::find(kGeneric.begin(), kGeneric.end(), token.lower) == kGeneric.end() &&
           ((i > 0 && is_auxiliary(i - 1)) || (i > 1 && is_auxiliary(i - 2)));
  }

  // Words of other scripts are compared as they are written.
  void ReadForeign() {
    const std::string word = ForeignWord(text_, ground_);
    if (!word.empty()) Refuse(word);
  }

  bool IsDenial() const {
    return std::any_of(tokens_.begin(), tokens_.end(),
                       [](const Token& token) { return token.is_negation; });
  }

  // "every" where the lines have "all".
  bool HasSameSweep(const std::string& lower) const {
    static const std::array<std::string, 6> every = {"all", "every", "each",
                                                     "any", "both",  "always"};
    const bool is_all = lower == "all" || lower == "every" || lower == "everything";
    const bool is_no = lower == "none" || lower == "nothing" || lower == "zero";
    if (is_no) return ground_.HasNegation() || ground_.HasWord("0");
    return is_all && std::any_of(every.begin(), every.end(),
                                 [&](const std::string& word) { return ground_.HasWord(word); });
  }

  const statement::Statement& text_;
  const ClaimGround& ground_;
  ClaimRule rule_;
  std::vector<Token> tokens_;
  std::string reason_;
  std::string first_new_;
  std::set<std::size_t> number_words_;  // where they begin
  struct ClauseWords {
    double words = 0;
    double words_new = 0;
  };
  std::map<std::uint32_t, ClauseWords> clauses_;
  double words_ = 0;
  double new_ = 0;
};

}  // namespace

ClaimGround::ClaimGround(ClaimTexts texts, support::Tokenizer& tokenizer)
    : texts_(std::make_unique<const ClaimTexts>(std::move(texts))),
      lines_(texts_->lines, texts_->context, tokenizer),
      statements_(texts_->statements, {}, tokenizer),
      context_numbers_(support::ReadQuantities(texts_->context, true)) {
  for (Token& token : tokenizer.OfSource(texts_->context)) {
    context_words_.insert(std::move(token.lower));
  }
  for (const support::EvidenceText* text : {&lines_, &statements_}) {
    for (const Token& token : text->tokens()) words_.insert(token.lower);
  }
}

Ground ClaimGround::Find(const Token& token) const {
  return std::max(lines_.Find(token).ground, statements_.Find(token).ground);
}

bool ClaimGround::HasText(std::string_view text) const {
  return texts_->lines.find(text) != std::string::npos ||
         texts_->context.find(text) != std::string::npos ||
         texts_->statements.find(text) != std::string::npos;
}

bool ClaimGround::LinesHave(std::string_view text) const {
  return texts_->lines.find(text) != std::string::npos;
}

bool ClaimGround::HasCompact(std::string_view text) const {
  std::string compact;
  for (const std::string* all : {&texts_->lines, &texts_->statements}) {
    compact.clear();
    std::copy_if(all->begin(), all->end(), std::back_inserter(compact),
                 [](char c) { return !IsBlank(c) && c != '\n'; });
    if (compact.find(text) != std::string::npos) return true;
  }
  return false;
}

bool ClaimGround::HasLetters(std::string_view text) const {
  const auto letters_of = [](std::string_view all) {
    std::string letters;
    for (const char c : all) {
      const bool is_sign = std::string_view("=!<>").find(c) != std::string_view::npos;
      if (IsAlphanumeric(c) || is_sign || static_cast<unsigned char>(c) >= 0x80) letters += c;
    }
    return letters;
  };
  if (letters_.empty()) letters_ = letters_of(texts_->lines);
  return letters_.find(letters_of(text)) != std::string::npos;
}

bool ClaimGround::Measures(const statement::Unit& unit) const {
  const support::UnitHints& hints = lines_.hints();
  struct Hint {
    bool is_there;
    statement::Dimension dimension;
    double factor;
  };
  constexpr auto kTime = statement::Dimension::kSeconds;
  constexpr auto kSize = statement::Dimension::kBytes;
  const std::array<Hint, 8> all = {{{hints.seconds, kTime, 1},
                                    {hints.milli, kTime, 1e-3},
                                    {hints.micro, kTime, 1e-6},
                                    {hints.nano, kTime, 1e-9},
                                    {hints.bytes || HasWord("b"), kSize, 1},
                                    {hints.kilo, kSize, 1e3},
                                    {hints.mega, kSize, 1e6},
                                    {hints.giga, kSize, 1e9}}};
  constexpr double kMostOff = 0.1;  // 1000 or 1024
  const auto is_unit = [&](double factor) { return std::abs(factor / unit.factor - 1) < kMostOff; };
  const auto is_measured = [&](const support::EvidenceText& text) {
    return std::any_of(text.quantities().begin(), text.quantities().end(),
                       [&](const support::Quantity& quantity) {
                         return quantity.dimension == unit.dimension && quantity.digits > 0 &&
                                is_unit(quantity.value / quantity.digits);
                       });
  };
  return std::any_of(all.begin(), all.end(),
                     [&](const Hint& hint) {
                       return hint.is_there && hint.dimension == unit.dimension &&
                              is_unit(hint.factor);
                     }) ||
         is_measured(lines_) || is_measured(statements_);
}

bool ClaimGround::HasNumber(const support::Quantity& number) const {
  // "34 seconds" is not the 34 of "34 times"; "30 ms" may be a bare 30 where the
  // lines count in milliseconds.
  const bool is_measured =
      number.digits > 0 &&
      Measures({.name = {}, .dimension = number.dimension, .factor = number.value / number.digits});
  const auto has = [&](const std::vector<support::Quantity>& numbers,
                       const support::UnitHints& hints) {
    return std::any_of(numbers.begin(), numbers.end(), [&](const support::Quantity& other) {
      return support::Compare(number, other, hints) == support::QuantityFit::kSame &&
             (number.dimension == statement::Dimension::kNone ||
              number.dimension == other.dimension ||
              // "16-bit": fp16, uint16_t
              (number.dimension == statement::Dimension::kBits && other.in_name) ||
              (is_measured && other.dimension == statement::Dimension::kNone &&
               other.noun.empty()));
    });
  };
  return has(lines_.quantities(), lines_.hints()) ||
         has(statements_.quantities(), statements_.hints()) ||
         has(context_numbers_, lines_.hints());
}

bool ClaimGround::HasOnlyOpposite(const Token& token) const {
  for (const support::Pole pole : support::Lexicon::Ours().PolesOf(token.lower, token.stem)) {
    const support::Pole other = {.axis = pole.axis, .is_left = !pole.is_left};
    if (!lines_.PositionsOf(pole).empty() || !statements_.PositionsOf(pole).empty()) continue;
    if (!lines_.PositionsOf(other).empty()) return true;
  }
  return false;
}

std::string ForeignWord(const statement::Statement& text, const ClaimGround& ground) {
  constexpr std::size_t kFewest = 2;
  std::string run;
  std::size_t letters = 0;
  for (std::string_view rest = text.text;;) {
    const Utf8Character character = rest.empty() ? Utf8Character{} : DecodeUtf8(rest);
    if (!rest.empty() && IsForeign(character.code_point)) {
      run += rest.substr(0, character.bytes);
      ++letters;
    } else {
      if (letters >= kFewest && !ground.HasText(run)) return run;
      run.clear();
      letters = 0;
    }
    if (rest.empty()) return {};
    rest.remove_prefix(character.bytes);
  }
}

bool IsAssertion(const statement::Statement& text, support::Tokenizer& tokenizer) {
  const std::vector<Token> tokens = TokensOf(text, tokenizer);
  if (AsksFirst(tokens)) return false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (AssertsAt(tokens, i)) return true;
  }
  return false;
}

std::size_t CountContent(const statement::Statement& text, support::Tokenizer& tokenizer) {
  const std::vector<Token> tokens = TokensOf(text, tokenizer);
  return static_cast<std::size_t>(
      std::count_if(tokens.begin(), tokens.end(), [](const Token& token) {
        return token.in_code || (token.weight == WordWeight::kFull && !IsFrame(token.lower));
      }));
}

bool Repeats(const statement::Statement& text, const statement::Statement& said,
             support::Tokenizer& tokenizer) {
  const auto is_limit = [](const Token& token) {
    const support::Strength strength = support::Lexicon::Ours().StrengthOf(token.lower);
    return !token.in_code && (token.is_negation || strength != support::Strength::kPlain);
  };
  const auto is_content = [&](const Token& token) {
    return token.weight != WordWeight::kNone || token.in_code || token.kind == TokenKind::kNumber ||
           is_limit(token);
  };
  const std::vector<Token> source = TokensOf(said, tokenizer);
  std::size_t at = 0;
  bool has_begun = false;
  for (const Token& token : TokensOf(text, tokenizer)) {
    if (!is_content(token)) continue;
    const std::size_t from = at;
    while (at < source.size() && source[at].stem != token.stem) ++at;
    if (at == source.size()) return false;
    for (std::size_t i = from; has_begun && i < at; ++i) {
      if (is_limit(source[i])) return false;
    }
    has_begun = true;
    ++at;
  }
  // "…, unless told otherwise" limits what comes before it.
  return std::none_of(source.begin() + static_cast<std::ptrdiff_t>(at), source.end(), is_limit);
}

bool IsTransition(const statement::Statement& text, const ClaimGround& ground,
                  support::Tokenizer& tokenizer) {
  constexpr std::size_t kLongest = 14;  // words
  constexpr std::array<std::string_view, 6> kLeading = {"much", "next",    "second",
                                                        "last", "several", "many"};
  const std::vector<Token> tokens = TokensOf(text, tokenizer);
  if (tokens.empty() || tokens.size() > kLongest) return false;
  if (!support::ReadQuantities(text.text, false).empty()) return false;
  std::set<std::string> subjects;
  // "So much for requests; let us turn to responses."
  const bool turns = text.text.find("let us turn to") != std::string::npos ||
                     text.text.find("we turn to") != std::string::npos;
  for (const Token& token : tokens) {
    if (turns && (token.lower == "let" || token.lower == "turn")) continue;
    if (token.in_code || token.kind != TokenKind::kWord || token.is_negation) return false;
    if (IsSweeping(token.lower) || IsComparison(token.lower)) return false;
    if (IsAboutText(token.lower) || token.weight == WordWeight::kNone) continue;
    if (IsQuality(token.lower) || IsVerbForm(token.lower)) return false;
    // "It is long." says something, "So much for that." does not.
    if (token.weight == WordWeight::kLight && IsOneOf(token.lower, kLeading)) continue;
    if (token.weight == WordWeight::kLight) return false;
    if (ground.Find(token) < Ground::kForm) return false;
    subjects.insert(token.stem);
  }
  return subjects.size() <= (turns ? 2 : 1);
}

bool OnlyLeadsOn(std::string_view text) {
  constexpr std::array<std::string_view, 8> kLeading = {"further", "other", "more",  "additional",
                                                        "main",    "these", "first", "second"};
  if (text.find('`') != std::string_view::npos) return false;
  support::Tokenizer tokenizer;
  statement::Statement plain;
  plain.text = text;
  const std::vector<Token> tokens = TokensOf(plain, tokenizer);
  return std::all_of(tokens.begin(), tokens.end(), [&](const Token& token) {
    if (token.kind != TokenKind::kWord || token.is_negation || IsSweeping(token.lower)) {
      return false;
    }
    return token.weight == WordWeight::kNone || IsAboutText(token.lower) ||
           IsOneOf(token.lower, kLeading);
  });
}

std::string AllNew(const statement::Statement& text, const ClaimGround& ground, std::size_t fewest,
                   support::Tokenizer& tokenizer) {
  std::size_t words = 0;
  std::string first;
  for (const Token& token : TokensOf(text, tokenizer)) {
    const bool is_telling = token.weight == WordWeight::kFull || token.in_code;
    if (!is_telling || token.kind == TokenKind::kNumber) continue;
    if (ground.Find(token) != Ground::kNone || ground.HasContext(token.lower)) return {};
    if (IsAboutText(token.lower)) return {};
    if (first.empty()) first = token.lower;
    ++words;
  }
  return words < fewest ? std::string() : fmt::format("'{}' is not in the cited lines", first);
}

std::string LabelBeyond(const statement::Statement& text, const ClaimGround& ground,
                        support::Tokenizer& tokenizer) {
  constexpr std::size_t kFewest = 3;
  constexpr std::size_t kLongest = 5;
  const std::vector<Token> tokens = TokensOf(text, tokenizer);
  // "On large hosts a share is a lot: …" is a sentence.
  if (tokens.size() > kLongest || IsAssertion(text, tokenizer)) return {};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.in_code || token.kind == TokenKind::kNumber) continue;
    if (ground.Find(token) != Ground::kNone || ground.HasContext(token.lower)) continue;
    const bool is_superlative = token.lower.ends_with("est") && IsComparison(token.lower);
    const bool is_proper = i > 0 && IsUpper(text.text[token.begin]);
    const bool is_claim = is_superlative || is_proper || IsSweeping(token.lower) ||
                          (IsQuality(token.lower) && !IsAboutText(token.lower));
    const bool is_preposition = token.lower == "on" || token.lower == "off";
    if (is_claim && !is_preposition)
      return fmt::format("'{}' is not in the cited lines", token.lower);
  }
  return AllNew(text, ground, kFewest, tokenizer);
}

std::string ClaimBeyond(const statement::Statement& text, const ClaimGround& ground, ClaimRule rule,
                        support::Tokenizer& tokenizer) {
  return ClaimReader(text, ground, rule, tokenizer).Take();
}

}  // namespace sibyl::gate
