// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/question/question.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/extract/queries.h"
#include "draft/extract/terms.h"
#include "index/rank/query_terms.h"
#include "index/words/nicknames.h"

namespace sibyl::draft {
namespace {

constexpr std::string_view kWordTable =
#include "draft/words/question.txt.inc"
    ;

enum class WordClass : std::uint8_t { kSkipped, kFrame, kEveryday, kSpoken, kMeant, kContent };

struct KnownWord {
  WordClass kind = WordClass::kContent;
  std::string_view line_view;  // of the table
};

// Read once: a question has few words, but a server is asked many.
const std::unordered_map<std::string_view, KnownWord>& KnownWords() {
  static const auto classes = [] {
    std::unordered_map<std::string_view, KnownWord> read;
    for (std::string_view line : SplitLines(kWordTable)) {
      if (line.empty() || line.starts_with('#')) continue;
      const std::size_t colon = line.find(':');
      const std::string_view name = line.substr(0, colon);
      const WordClass kind = name == "none"     ? WordClass::kSkipped
                             : name == "frame"  ? WordClass::kFrame
                             : name == "spoken" ? WordClass::kSpoken
                             : name == "meant"  ? WordClass::kMeant
                                                : WordClass::kEveryday;
      for (std::size_t at = colon + 2; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        read.try_emplace(line.substr(at, end - at),
                         KnownWord{.kind = kind, .line_view = line.substr(colon + 2)});
        at = end + 1;
      }
    }
    return read;
  }();
  return classes;
}

WordClass ClassOf(std::string_view lower) {
  const auto found = KnownWords().find(lower);
  if (found != KnownWords().end()) return found->second.kind;
  // "correctly", "safely"
  constexpr std::size_t kShortestAdverb = 6;
  const bool is_adverb = lower.size() >= kShortestAdverb && lower.ends_with("ly") &&
                         !lower.ends_with("bly") && !lower.ends_with("only");
  return is_adverb ? WordClass::kSpoken : WordClass::kContent;
}

std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Where a sign must stand to say what is wanted.
enum class SignPlace : std::uint8_t {
  kAnywhere,
  kOpening,  ///< In the first few words.
  kLeading,  ///< Before everything that the question is about, or after a mark.
};

struct WantSign {
  Want want = Want::kMeaning;
  std::string_view words;
  SignPlace place = SignPlace::kAnywhere;
};

// The first that a question has. "limit how many jobs run" does not want a number.
constexpr WantSign kWantSigns[] = {
    {Want::kDifference, "difference"},
    {Want::kDifference, "differences"},
    {Want::kDifference, "differ"},
    {Want::kDifference, "differs"},
    {Want::kDifference, "vs"},
    {Want::kDifference, "versus"},
    {Want::kDifference, "compared to"},
    {Want::kDifference, "compare"},
    {Want::kDifference, "rather than"},
    {Want::kDifference, "different from"},
    {Want::kDifference, "apart from"},
    {Want::kAmount, "how many", SignPlace::kLeading},
    {Want::kAmount, "how much", SignPlace::kLeading},
    {Want::kAmount, "how long", SignPlace::kLeading},
    {Want::kAmount, "how large", SignPlace::kLeading},
    {Want::kAmount, "how big", SignPlace::kLeading},
    {Want::kAmount, "how far", SignPlace::kLeading},
    {Want::kAmount, "how often", SignPlace::kLeading},
    {Want::kAmount, "how fast", SignPlace::kLeading},
    {Want::kAmount, "how wide", SignPlace::kLeading},
    {Want::kAmount, "how deep", SignPlace::kLeading},
    {Want::kAmount, "how high", SignPlace::kLeading},
    {Want::kAmount, "which numbers", SignPlace::kOpening},
    {Want::kAmount, "number of", SignPlace::kOpening},
    {Want::kAmount, "size in", SignPlace::kOpening},
    {Want::kAmount, "size of", SignPlace::kOpening},
    {Want::kAmount, "capacity", SignPlace::kOpening},
    {Want::kAmount, "biggest", SignPlace::kOpening},
    {Want::kAmount, "largest", SignPlace::kOpening},
    {Want::kAmount, "highest", SignPlace::kOpening},
    {Want::kAmount, "maximum", SignPlace::kOpening},
    {Want::kAmount, "max value", SignPlace::kOpening},
    {Want::kAmount, "max size", SignPlace::kOpening},
    {Want::kAmount, "max number", SignPlace::kOpening},
    {Want::kAmount, "minimum", SignPlace::kLeading},
    {Want::kAmount, "range of", SignPlace::kOpening},
    {Want::kAmount, "numeric value", SignPlace::kOpening},
    {Want::kDefault, "default"},
    {Want::kDefault, "defaults"},
    {Want::kDefault, "initial value"},
    {Want::kDefault, "unset"},
    {Want::kDefault, "not set"},
    {Want::kDefault, "unless told"},
    {Want::kDefault, "not specified"},
    {Want::kDefault, "omitted"},
    {Want::kDefault, "not given"},
    {Want::kDefault, "not give"},
    {Want::kDefault, "don't give"},
    {Want::kDefault, "no value"},
    {Want::kDefault, "has none"},
    {Want::kDefault, "out of the box"},
    {Want::kDefault, "to begin with"},
    {Want::kDefault, "initially"},
    {Want::kSince, "since", SignPlace::kOpening},
    {Want::kSince, "version", SignPlace::kOpening},
    {Want::kSince, "versions", SignPlace::kOpening},
    {Want::kSince, "release", SignPlace::kOpening},
    {Want::kSince, "since which"},
    {Want::kSince, "since when"},
    {Want::kSince, "which version"},
    {Want::kSince, "what version"},
    {Want::kSince, "which release"},
    {Want::kSince, "version introduced"},
    {Want::kSince, "when did", SignPlace::kOpening},
    {Want::kSince, "oldest", SignPlace::kOpening},
    {Want::kSince, "earliest", SignPlace::kOpening},
    {Want::kSince, "first", SignPlace::kLeading},
    {Want::kSince, "minimum version"},
    {Want::kSince, "minimum required"},
    {Want::kSince, "smallest", SignPlace::kOpening},
    {Want::kSince, "introduced"},
    {Want::kValues, "allowed"},
    {Want::kValues, "values"},
    {Want::kValues, "choices"},
    {Want::kValues, "accepts"},
    {Want::kValues, "accept"},
    {Want::kValues, "accepted"},
    {Want::kValues, "which options"},
    {Want::kValues, "what options"},
    {Want::kValues, "which types"},
    {Want::kValues, "what types"},
    {Want::kValues, "which modes"},
    {Want::kValues, "which flags"},
    {Want::kValues, "can be listed"},
    {Want::kValues, "may be put"},
    {Want::kValues, "supported", SignPlace::kOpening},
    {Want::kValues, "legal"},
    {Want::kWhy, "why"},
    {Want::kWhy, "reason"},
    {Want::kWhy, "what happens"},
    {Want::kWhy, "what breaks"},
    {Want::kWhy, "what goes wrong"},
    {Want::kWhy, "how come"},
    {Want::kWhen, "when", SignPlace::kOpening},
    {Want::kWhen, "when is"},
    {Want::kWhen, "when should"},
    {Want::kWhen, "under which"},
    {Want::kWhen, "under what"},
    {Want::kWhen, "in which case"},
    {Want::kWhen, "in which cases"},
    {Want::kWhen, "worth"},
    {Want::kHow, "how"},
    {Want::kHow, "which command"},
    {Want::kHow, "what command"},
    {Want::kHow, "which flag"},
    {Want::kHow, "which function"},
    {Want::kHow, "which option"},
    {Want::kHow, "which variable"},
    {Want::kHow, "which environment variable"},
    {Want::kError, "error"},
    {Want::kError, "exception"},
    {Want::kError, "message"},
    {Want::kError, "warning"},
};

// "RuntimeError: …": the text of an error, not a question.
bool IsErrorText(std::string_view lower) {
  const std::size_t colon = lower.find("error: ");
  constexpr std::size_t kOpening = 40;
  return colon < kOpening;
}

// "After how many tries"; not "limit how many jobs run".
bool Leads(std::string_view lower, std::size_t at) {
  const std::string_view before = Trim(lower.substr(0, at));
  if (before.empty() || before.find_last_of(".,:;?") + 1 == before.size()) return true;
  for (const std::string_view word : SplitWords(before)) {
    if (!index::IsStopWord(word) && ClassOf(word) != WordClass::kSkipped) return false;
  }
  return true;
}

bool IsInPlace(SignPlace place, std::string_view lower, std::size_t at) {
  constexpr std::size_t kOpening = 28;
  return place == SignPlace::kAnywhere || (place == SignPlace::kOpening && at <= kOpening) ||
         (place == SignPlace::kLeading && Leads(lower, at));
}

// "Which modes": several are asked for. Not "which options turn X off", which wants one.
bool AsksForSeveral(std::string_view lower) {
  for (const std::string_view opening : {"which ", "what ", "possible ", "supported "}) {
    if (!lower.starts_with(opening)) continue;
    std::vector<std::string_view> words = SplitWords(lower.substr(opening.size()));
    if (words.size() > 3) words.resize(3);
    const bool is_which = opening != "what ";
    for (std::size_t i = 0; i < words.size(); ++i) {
      // A verb ends what is asked for: "which port does", "what happens".
      if (index::IsStopWord(words[i]) || ClassOf(words[i]) == WordClass::kSkipped) break;
      if (i == 0 && !is_which) continue;
      const std::string_view word = words[i];
      if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us"))
        return true;
    }
  }
  return false;
}

Want WantOf(std::string_view lower) {
  if (IsErrorText(lower)) return Want::kError;
  for (const WantSign& sign : kWantSigns) {
    const std::optional<std::size_t> at = FindWholeWord(lower, sign.words);
    if (at && IsInPlace(sign.place, lower, *at)) return sign.want;
  }
  return AsksForSeveral(lower) ? Want::kValues : Want::kMeaning;
}

// "between A and B", "A vs B", "A or B".
std::vector<std::string> SidesOf(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t kLongestSide = 60;
  if (names.size() == 2) return names;
  const std::string lower = LowerCase(text);
  const auto side = [&](std::string_view words) {
    words = Trim(words);
    for (const std::string_view article : {"the ", "a ", "an ", "using ", "is "}) {
      if (StartsWithIgnoringCase(words, article)) words.remove_prefix(article.size());
    }
    const std::size_t end = words.find_first_of(",;?:");
    return std::string(Trim(words.substr(0, end)));
  };
  std::size_t from = lower.find("between ");
  from = from == std::string::npos ? 0 : from + 8;
  for (const std::string_view middle :
       {" vs. ", " vs ", " versus ", " differ from ", " different from ", " differs from ",
        " compared to ", " rather than ", " instead of ", " and "}) {
    const std::size_t at = lower.find(middle, from);
    if (at == std::string::npos) continue;
    std::string one = side(text.substr(from, at - from));
    std::string other = side(text.substr(at + middle.size()));
    if (one.empty() || other.empty() || one.size() > kLongestSide) continue;
    return {std::move(one), std::move(other)};
  }
  return {};
}

bool IsNamePart(const std::vector<std::string>& names, std::string_view word) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return FindWholeWord(name, word).has_value();
  });
}

bool IsAcronymOrNumber(std::string_view word) {
  const auto is_high = [](char c) { return IsUpper(c) || IsDigit(c); };
  return word.size() >= 2 && std::all_of(word.begin(), word.end(), is_high);
}

// "all" of "all-major" is a word of a name.
bool IsJoined(std::string_view text, std::size_t begin, std::size_t end) {
  const auto joins = [&](std::size_t mark, std::size_t next) {
    return mark < text.size() && text[mark] == '-' && next < text.size() && IsWordByte(text[next]);
  };
  return joins(end, end + 1) || (begin >= 2 && joins(begin - 1, begin - 2));
}

bool IsOfASide(const std::vector<std::string>& sides, std::string_view word) {
  constexpr std::size_t kShortSide = 24;
  return std::any_of(sides.begin(), sides.end(), [&](const std::string& side) {
    return side.size() <= kShortSide && FindWholeWord(side, word).has_value();
  });
}

std::vector<QuestionWord> WordsOf(const Question& question) {
  const std::string_view text = question.text;
  std::vector<QuestionWord> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    const std::size_t begin = at;
    const std::string_view word = text.substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.empty() || word.size() > index::kMaxWordBytes) continue;
    const std::string lower = LowerCase(word);
    const bool is_name = IsNamePart(question.names, word) || IsAcronymOrNumber(word);
    const bool counts = is_name || IsJoined(text, begin, end) || IsOfASide(question.sides, word);
    const WordClass kind = counts ? WordClass::kContent : ClassOf(lower);
    if (!counts && (index::IsStopWord(lower) || kind == WordClass::kSkipped)) continue;
    if (word.size() < 2 && !counts && !IsDigit(word[0])) continue;
    const bool is_known = std::any_of(words.begin(), words.end(), [&](const QuestionWord& other) {
      return EqualsIgnoringCase(other.written, word);
    });
    if (is_known) continue;
    const bool is_meant = kind == WordClass::kMeant;
    const bool is_spoken =
        (kind == WordClass::kSpoken || is_meant) && question.asker == Asker::kPerson;
    words.push_back({.written = std::string(word),
                     .is_name = is_name,
                     .is_frame = kind == WordClass::kFrame,
                     .is_everyday = kind == WordClass::kEveryday || is_spoken});
    if (is_meant) words.back().meant = SplitWords(KnownWords().at(lower).line_view);
  }
  return words;
}

// Besides what has the form of a name: "CMP0077", "A100"; of "X=native" only "X".
std::vector<std::string> NamesIn(std::string_view text) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.emplace_back(name);
    }
  };
  for (const std::string& symbol : SymbolsIn(text)) {
    add(std::string_view(symbol).substr(0, symbol.find('=')));
  }
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    at = std::max(end, at + 1);
    const bool is_code = word.size() >= 4 && std::any_of(word.begin(), word.end(), IsDigit) &&
                         std::any_of(word.begin(), word.end(), IsUpper);
    if (is_code && !IsNamePart(names, word)) add(word);
  }
  return names;
}

std::vector<std::string> PhrasesOf(std::string_view text) {
  std::vector<std::string> phrases;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (IsWordByte(text[end]) || text[end] == '-')) ++end;
    const std::string_view word = text.substr(at, end - at);
    at = std::max(end, at + 1);
    const std::size_t mark = word.find('-');
    if (mark == 0 || mark == std::string_view::npos || mark + 1 == word.size()) continue;
    std::string phrase = LowerCase(word);
    std::replace(phrase.begin(), phrase.end(), '-', ' ');
    phrases.push_back(std::move(phrase));
  }
  return phrases;
}

std::vector<std::string> WordsIn(std::string_view lower) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < lower.size();) {
    std::size_t end = at;
    while (end < lower.size() && IsWordByte(lower[end])) ++end;
    if (end > at) words.emplace_back(lower.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

std::vector<OtherForm> OtherFormsOf(std::string_view text) {
  constexpr std::size_t kMost = 24;
  std::vector<OtherForm> forms;
  for (const index::Nickname& nickname : index::FindNicknames(WordsIn(LowerCase(text)))) {
    for (const std::string_view form : nickname.forms_view) {
      if (forms.size() == kMost) return forms;
      forms.push_back({.said = WordsIn(nickname.said_view), .words = WordsIn(form)});
    }
  }
  return forms;
}

}  // namespace

Question QuestionOfSide(const Question& question, std::size_t side) {
  // "Adam vs AdamW default weight decay": what follows the second side belongs to both.
  const std::size_t most = std::max<std::size_t>(1, SplitWords(question.sides[0]).size());
  const std::vector<std::string_view> second = SplitWords(question.sides[1]);
  std::string own = side == 0 ? question.sides[0] : std::string();
  std::string other = side == 0 ? std::string() : question.sides[0];
  for (std::size_t i = 0; i < std::min(most, second.size()); ++i) {
    std::string& text = side == 0 ? other : own;
    text += text.empty() ? "" : " ";
    text += second[i];
  }
  std::string text = own;
  for (const QuestionWord& word : question.words) {
    const std::string lower = LowerCase(word.written);
    const bool is_said = FindWholeWord(own, word.written) || FindWholeWord(other, word.written);
    if (is_said || WantOf(lower) == Want::kDifference) continue;
    text += " " + word.written;
  }
  return ReadQuestion(text, question.asker);
}

Question ReadQuestion(std::string_view text, Asker asker) {
  // Its words are compared with each other; what a longer text asks for is not known.
  constexpr std::size_t kMostBytes = 1'500;
  if (text.size() > kMostBytes) {
    const std::size_t blank = text.rfind(' ', kMostBytes);
    text = text.substr(0, blank == text.npos ? 0 : blank);
  }
  Question question{.text = PlainPoint(text), .asker = asker};
  while (question.text.ends_with('?') || question.text.ends_with('.') ||
         question.text.ends_with(' ')) {
    question.text.pop_back();
  }
  question.want = WantOf(LowerCase(question.text));
  question.names = NamesIn(question.text);
  if (question.want == Want::kDifference) question.sides = SidesOf(question.text, question.names);
  question.phrases = PhrasesOf(question.text);
  question.words = WordsOf(question);
  if (asker == Asker::kPerson) question.other_forms = OtherFormsOf(question.text);
  for (const QuestionWord& word : question.words) {
    const bool is_first = question.text.starts_with(word.written);
    const bool is_acronym = word.written.size() > 2 && IsAcronymOrNumber(word.written);
    const bool is_capital = !word.is_name && !is_first && IsUpper(word.written[0]);
    if ((is_acronym || is_capital) && IsLetter(word.written[0])) {
      question.proper.push_back(word.written);
    }
  }
  return question;
}

}  // namespace sibyl::draft
