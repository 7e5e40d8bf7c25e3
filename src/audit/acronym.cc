// SPDX-License-Identifier: Apache-2.0
#include "audit/acronym.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"

namespace sibyl::audit {
namespace {

// Of each source; an abbreviation is spelled out in few of the places that
// have it.
constexpr std::size_t kMaxPassages = 4000;

char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsAcronym(std::string_view word) {
  return word.size() >= 3 && word.size() <= 8 && std::all_of(word.begin(), word.end(), IsUpper);
}

bool IsFiller(std::string_view word) {
  return word == "of" || word == "and" || word == "the" || word == "for" || word == "to" ||
         word == "on" || word == "in";
}

// Whether the words, in order, give the letters of the acronym: each its first,
// or its first few ("CUDA Profiling Tools Interface" is CUPTI).
bool SpellsOut(std::string_view acronym, const std::vector<std::string_view>& words,
               std::size_t word = 0) {
  // Filler words ("of the") may be between; the number is limited, since this
  // function recurses for each word.
  constexpr std::size_t kMostWords = 24;
  if (words.size() > kMostWords) return false;
  if (word == words.size()) return acronym.empty();
  constexpr std::size_t kMostLetters = 3;
  const std::string_view here = words[word];
  std::size_t letters = 0;
  while (letters < std::min({kMostLetters, here.size(), acronym.size()}) &&
         Lower(here[letters]) == Lower(acronym[letters])) {
    ++letters;
    if (SpellsOut(acronym.substr(letters), words, word + 1)) return true;
  }
  // The X of PTX is that of "Execution".
  const bool is_x =
      acronym.starts_with('X') && here.size() > 2 && Lower(here[0]) == 'e' && Lower(here[1]) == 'x';
  if (is_x && SpellsOut(acronym.substr(1), words, word + 1)) return true;
  return IsFiller(LowerCase(here)) && SpellsOut(acronym, words, word + 1);
}

std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsLetter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsLetter(text[end])) ++end;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool IsWordsOnly(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return IsLetter(c) || c == ' ' || c == '-' || c == '*' || c == '_';
  });
}

// The acronym that ends at text[end), if one does.
std::string_view AcronymBefore(std::string_view text, std::size_t end) {
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '*' || text[end - 1] == '`')) --end;
  std::size_t begin = end;
  while (begin > 0 && IsLetter(text[begin - 1])) --begin;
  const std::string_view word = text.substr(begin, end - begin);
  return IsAcronym(word) ? word : std::string_view();
}

// The words before text[open) that expand the acronym.
std::string_view WordsBefore(std::string_view text, std::size_t open, std::string_view acronym) {
  std::size_t end = open;
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '*' || text[end - 1] == '`')) --end;
  std::size_t begin = end;
  for (std::size_t words = 0; words < acronym.size() + 3 && begin > 0; ++words) {
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '-')) --begin;
    const std::size_t word_end = begin;
    while (begin > 0 && IsLetter(text[begin - 1])) --begin;
    if (begin == word_end) return {};
    const std::string_view candidate = text.substr(begin, end - begin);
    if (SpellsOut(acronym, SplitWords(candidate))) return candidate;
  }
  return {};
}

std::string Key(std::string_view words) {
  std::string key;
  for (const std::string_view word : SplitWords(words)) key += LowerCase(word) + ' ';
  return key;
}

// "accelerator" and "accelerators" are one word, and so are "multi-processor"
// and "multiprocessor".
// "fuses" and "fused", "quant" and "quantization"
bool IsFormOf(std::string_view a, std::string_view b) {
  constexpr std::size_t kShortest = 5;
  const auto stem = [](std::string_view word) {
    std::string lower = LowerCase(word);
    const bool has_ending =
        lower.ends_with('d') || (lower.ends_with('s') && !lower.ends_with("ss"));
    if (has_ending && lower.size() > 3) lower.pop_back();
    return lower;
  };
  const std::string first = stem(a);
  const std::string second = stem(b);
  if (first.size() < kShortest || second.size() < kShortest) return first == second;
  return first.starts_with(second) || second.starts_with(first);
}

bool SameWords(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> first = SplitWords(a);
  const std::vector<std::string_view> second = SplitWords(b);
  if (first.size() == second.size() &&
      std::equal(first.begin(), first.end(), second.begin(), IsFormOf)) {
    return true;
  }
  const auto fold = [](std::string_view text) {
    std::string folded;
    for (const std::string_view word : SplitWords(text)) folded += LowerCase(word);
    while (folded.ends_with('s')) folded.pop_back();
    return folded;
  };
  return fold(a) == fold(b);
}

std::size_t WordsNotIn(std::string_view words, std::string_view others) {
  std::size_t count = 0;
  for (const std::string_view word : SplitWords(words)) {
    bool is_there = false;
    for (const std::string_view other : SplitWords(others)) {
      is_there = is_there || EqualsIgnoringCase(word, other);
    }
    count += is_there ? 0 : 1;
  }
  return count;
}

bool ShareAWord(std::string_view a, std::string_view b) {
  for (const std::string_view word : SplitWords(a)) {
    for (const std::string_view other : SplitWords(b)) {
      if (word.size() > 2 && EqualsIgnoringCase(word, other)) return true;
    }
  }
  return false;
}

bool IsPartOf(std::string_view part, std::string_view whole) {
  const std::vector<std::string_view> words = SplitWords(whole);
  return std::ranges::all_of(SplitWords(part), [&](std::string_view word) {
    return std::ranges::any_of(
        words, [&](std::string_view other) { return EqualsIgnoringCase(word, other); });
  });
}

// "CUPTI, the CUDA Profiling Tools Interface, is …".
void AddAppositions(std::string_view text, std::vector<SpelledOut>& found) {
  for (std::size_t at = text.find(", the "); at != text.npos; at = text.find(", the ", at + 1)) {
    const std::string_view acronym = AcronymBefore(text, at);
    const std::size_t begin = at + 6;
    const std::size_t end = std::min(text.find_first_of(",.;:()", begin), text.size());
    const std::string_view words = Trim(text.substr(begin, end - begin));
    if (acronym.empty() || !IsWordsOnly(words) || !SpellsOut(acronym, SplitWords(words))) continue;
    found.push_back({.acronym = std::string(acronym),
                     .words = std::string(words),
                     .offset = static_cast<std::size_t>(acronym.data() - text.data()),
                     .end = end});
  }
}

// The words after `begin` that expand the acronym: "Tensor Memory Accelerator".
std::string_view WordsAfter(std::string_view text, std::size_t begin, std::string_view acronym) {
  constexpr std::size_t kLongest = 120;
  std::size_t end = begin;
  for (std::size_t words = 0; words < acronym.size() + 3 && end < text.size(); ++words) {
    while (end < text.size() && (text[end] == ' ' || text[end] == '-')) ++end;
    const std::size_t word = end;
    while (end < text.size() && IsLetter(text[end])) ++end;
    if (end == word || end - begin > kLongest) return {};
    const std::string_view candidate = text.substr(begin, end - begin);
    const bool ends = end == text.size() || std::string_view(".,;)").find(text[end]) != text.npos ||
                      !(end + 1 < text.size() && IsUpper(text[end + 1]));
    if (ends && words > 0 && SpellsOut(acronym, SplitWords(candidate))) return candidate;
  }
  return {};
}

// "TMA is the Tensor Memory Accelerator", "PTX: Parallel Thread Execution", "DDP means …", and
// "…, CTA a Cooperative Thread Array".
void AddSentences(std::string_view text, std::vector<SpelledOut>& found) {
  for (std::size_t at = 0; at < text.size();) {
    if (!IsUpper(text[at]) || (at > 0 && IsNameByte(text[at - 1]))) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    const std::string_view acronym = text.substr(at, end - at);
    if (IsAcronym(acronym)) {
      std::string_view rest = text.substr(end);
      std::size_t begin = end;
      for (const std::string_view link :
           {" is short for ", " stands for ", " is the ", " is a ", " is an ", " means ", " is ",
            " = ", ": ", " a ", " the ", " "}) {
        if (!rest.starts_with(link)) continue;
        begin = end + link.size();
        break;
      }
      const std::string_view words =
          begin > end ? WordsAfter(text, begin, acronym) : std::string_view();
      if (!words.empty() && !EqualsIgnoringCase(words, acronym)) {
        found.push_back({.acronym = std::string(acronym),
                         .words = std::string(words),
                         .offset = at,
                         .end = begin + words.size()});
      }
    }
    at = end;
  }
}

struct Meaning {
  std::string words;
  std::size_t count = 0;
  Sighting sighting;
  std::set<std::size_t> sources;
};

// How the sources spell an abbreviation out.
struct Meanings {
  std::optional<Sighting> same;  // as the claim has it; then nothing else is collected
  std::map<std::string, Meaning> others;
  std::size_t places = 0;
};

Meanings CollectMeanings(const SpelledOut& claim, const Witness& witness) {
  Meanings meanings;
  witness.VisitLines({LowerCase(claim.acronym)}, kMaxPassages, [&](const Sighting& sighting) {
    if (sighting.text.find('(') == std::string::npos) return true;
    for (const SpelledOut& other : FindSpelledOut(sighting.text)) {
      if (other.acronym != claim.acronym) continue;
      if (SameWords(other.words, claim.words)) {
        meanings.same = sighting;
        return false;
      }
      Meaning& meaning = meanings.others[Key(other.words)];
      if (meaning.count++ == 0) {
        meaning.words = other.words;
        meaning.sighting = sighting;
      }
      meaning.sources.insert(sighting.source);
      ++meanings.places;
    }
    return true;
  });
  return meanings;
}

// One different word may be a variant ("multiply-add"), unless several sources
// agree; without a common word it may be something else with the same
// abbreviation.
bool IsConfused(const SpelledOut& claim, const Meanings& meanings) {
  std::string all_words;
  std::set<std::size_t> sources;
  for (const auto& [key, other] : meanings.others) {
    if (!ShareAWord(other.words, claim.words)) return false;
    all_words += key;
    sources.insert(other.sources.begin(), other.sources.end());
  }
  const std::size_t strange = WordsNotIn(claim.words, all_words);
  return strange >= 2 || (strange == 1 && sources.size() >= 2);
}

// By the table of the field, for what the sources do not spell out. Without a common word it may
// be something else with the same abbreviation.
void JudgeByTable(const SpelledOut& claim, statement::Judgement& judgement) {
  const auto all = field::Abbreviations();
  const auto found = std::ranges::find(all, claim.acronym, &field::Abbreviation::letters);
  if (found == all.end()) return;
  const std::string_view* nearest = nullptr;
  for (const std::string_view& meaning : found->meanings) {
    if (SameWords(meaning, claim.words)) {
      judgement.verdict = statement::Verdict::kSupported;
      judgement.message = "the table of the field agrees";
      judgement.where = Show(found->receipts);
      return;
    }
    // "GEMM (general matrix-matrix)" is not all of it, but not wrong.
    if (IsPartOf(claim.words, meaning)) return;
    if (ShareAWord(meaning, claim.words) && nearest == nullptr) nearest = &meaning;
  }
  if (nearest == nullptr) return;
  judgement.verdict = statement::Verdict::kContradicted;
  judgement.message = fmt::format("{} is \"{}\"", claim.acronym, *nearest);
  judgement.nearest = std::string(*nearest);
  judgement.where = Show(found->receipts);
  judgement.reason = "compared with sibyl's table of abbreviations";
}

// "DPA means "dot product attention"", "MHA is "multi-head attention""
void AddQuoted(std::string_view text, std::vector<SpelledOut>& found) {
  for (const std::string_view verb : {" means ", " is ", " stands for "}) {
    const std::string mark = std::string(verb) + "\"";
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
      const std::size_t begin = at + mark.size();
      const std::size_t end = text.find('"', begin);
      if (end == text.npos) break;
      const std::string_view words = text.substr(begin, end - begin);
      const std::string_view acronym = AcronymBefore(text, at);
      if (acronym.empty() || !IsWordsOnly(words) || !SpellsOut(acronym, SplitWords(words)))
        continue;
      found.push_back({.acronym = std::string(acronym),
                       .words = std::string(words),
                       .offset = static_cast<std::size_t>(acronym.data() - text.data()),
                       .end = end});
    }
  }
}

}  // namespace

std::vector<SpelledOut> FindSpelledOut(std::string_view text) {
  std::vector<SpelledOut> found;
  for (std::size_t open = text.find('('); open != text.npos; open = text.find('(', open + 1)) {
    const std::size_t close = text.find_first_of("(),;:", open + 1);
    if (close == text.npos) break;
    const std::string_view inside = Trim(text.substr(open + 1, close - open - 1));
    if (const std::string_view acronym = AcronymBefore(text, open);
        !acronym.empty() && IsWordsOnly(inside) && SpellsOut(acronym, SplitWords(inside))) {
      found.push_back({.acronym = std::string(acronym),
                       .words = std::string(inside),
                       .offset = static_cast<std::size_t>(acronym.data() - text.data()),
                       .end = close});
      continue;
    }
    if (!IsAcronym(inside)) continue;
    const std::string_view words = WordsBefore(text, open, inside);
    if (words.empty()) continue;
    found.push_back({.acronym = std::string(inside),
                     .words = std::string(words),
                     .offset = static_cast<std::size_t>(words.data() - text.data()),
                     .end = close});
  }
  AddAppositions(text, found);
  AddSentences(text, found);
  AddQuoted(text, found);
  std::ranges::stable_sort(found, {}, &SpelledOut::offset);
  return found;
}

statement::Judgement JudgeSpelledOut(const SpelledOut& claim, const Witness& witness) {
  statement::Judgement judgement = statement::Undecidable("no pinned source expands it");
  judgement.code = "ident/unknown";
  judgement.kind = "abbreviation";
  judgement.text = fmt::format("{} ({})", claim.acronym, claim.words);
  const Meanings meanings = CollectMeanings(claim, witness);
  if (meanings.same) {
    judgement.verdict = statement::Verdict::kSupported;
    judgement.message = "found";
    judgement.where = witness.Show(*meanings.same);
    judgement.reason = "a source expands it the same way";
    return judgement;
  }
  const auto most = std::max_element(
      meanings.others.begin(), meanings.others.end(),
      [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  if (most == meanings.others.end()) {
    JudgeByTable(claim, judgement);
    return judgement;
  }
  if (!IsConfused(claim, meanings)) {
    judgement.reason = "the sources expand it differently, but may mean something else";
    JudgeByTable(claim, judgement);
    return judgement;
  }
  const Meaning& meaning = most->second;
  judgement.verdict = statement::Verdict::kContradicted;
  judgement.message = fmt::format("{} is \"{}\" in {}", claim.acronym, meaning.words,
                                  witness.ShowSource(meaning.sighting.source));
  judgement.nearest = meaning.words;
  judgement.where = witness.Show(meaning.sighting);
  judgement.reason =
      fmt::format("{} of {} places expand it this way", meaning.count, meanings.places);
  return judgement;
}

}  // namespace sibyl::audit
