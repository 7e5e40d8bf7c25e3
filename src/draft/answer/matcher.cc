// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/matcher.h"

#include <algorithm>
#include <bit>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/answer/long_forms.h"
#include "index/rank/query_terms.h"
#include "support/lexicon.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostTerms = 64;
constexpr double kFrameFactor = 0.1;
constexpr double kEverydayFactor = 0.3;
constexpr double kNameFactor = 1.4;
constexpr double kHeadFactor = 1.25;
constexpr std::size_t kNear = 4;
constexpr std::size_t kTogether = 48;  // words

constexpr TermMask Bit(std::size_t term) { return TermMask{1} << term; }

// Whether a text ends with all words but the last.
bool Ends(std::string_view text, const std::vector<std::string>& words) {
  for (std::size_t i = words.size() - 1; i > 0; --i) {
    while (!text.empty() && !IsWordByte(text.back())) text.remove_suffix(1);
    std::size_t begin = text.size();
    while (begin > 0 && IsWordByte(text[begin - 1])) --begin;
    if (!EqualsIgnoringCase(text.substr(begin), words[i - 1])) return false;
    text = text.substr(0, begin);
  }
  return true;
}

}  // namespace

Matcher::Matcher(const Question& question, TermReader& reader)
    : reader_(&reader), asker_(question.asker) {
  for (const QuestionWord& word : question.words) {
    if (terms_.size() < kMostTerms) Add(word);
  }
  AddForms(question);
  seen_.resize(terms_.size());
}

// "ncu" is met by "Nsight Compute".
void Matcher::AddForms(const Question& question) {
  for (const OtherForm& form : question.other_forms) {
    TermMask terms = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const std::string lower = LowerCase(terms_[i].written);
      if (std::find(form.said.begin(), form.said.end(), lower) != form.said.end()) {
        terms |= Bit(i);
      }
    }
    if (terms != 0 && !form.words.empty()) forms_.push_back({form.words, terms});
  }
}

void Matcher::Add(const QuestionWord& word) {
  const std::string stem = reader_->Forms(word.written).back();
  const bool is_known = std::any_of(terms_.begin(), terms_.end(),
                                    [&](const AskedTerm& other) { return other.stem == stem; });
  if (is_known) return;
  std::string american = stems_.Of(LowerCase(word.written));
  const double rarity = std::min(reader_->Rarity(stem), reader_->Rarity(american));
  AskedTerm term{.stem = stem,
                 .american = american,
                 .written = word.written,
                 .weight = rarity,
                 .is_name = word.is_name,
                 .is_frame = word.is_frame,
                 .is_everyday = word.is_everyday};
  if (word.is_frame) term.weight *= kFrameFactor;
  if (word.is_everyday) term.weight *= kEverydayFactor;
  if (word.is_name) term.weight *= kNameFactor;
  // What is asked about is named first.
  const bool is_head = !word.is_frame && !word.is_everyday && !has_head_;
  if (is_head) term.weight *= kHeadFactor;
  has_head_ = has_head_ || is_head;
  term.is_rare =
      !word.is_frame && !word.is_everyday && (rarity >= reader_->TellingWeight() || word.is_name);
  term.is_abbreviation = word.written.size() >= 3 && InitialsOf(word.written).empty() &&
                         std::all_of(word.written.begin(), word.written.end(), IsUpper) &&
                         asker_ == Asker::kPerson;
  has_abbreviation_ = has_abbreviation_ || term.is_abbreviation;
  all_ += term.weight;
  // "GPU" and "CUDA" are names, but need not be repeated.
  if (term.is_name && rarity >= reader_->TellingWeight()) names_ |= Bit(terms_.size());
  if (term.is_rare) {
    rare_ += term.weight;
    rare_terms_ |= Bit(terms_.size());
  }
  const auto groups = support::Lexicon::Ours().GroupsOf(american);
  groups_.emplace_back(groups.begin(), groups.end());
  if (word.is_name) groups_.back().clear();
  terms_.push_back(std::move(term));
}

const Matcher::WordHits& Matcher::HitsOf(std::string_view word) {
  if (const auto known = hits_.find(word); known != hits_.end()) return known->second;
  WordHits hits;
  const std::string american = stems_.Of(LowerCase(word));
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].american == american) hits.terms |= Bit(i);
  }
  if (const std::string initials = has_abbreviation_ ? InitialsOf(word) : std::string();
      !initials.empty()) {
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i].is_abbreviation && LowerCase(terms_[i].written) == initials) {
        hits.terms |= Bit(i);
      }
    }
  }
  for (const std::string& form : reader_->Forms(word)) {
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i].stem == form) hits.terms |= Bit(i);
    }
    const auto groups = support::Lexicon::Ours().GroupsOf(form);
    for (std::size_t i = 0; i < terms_.size() && !groups.empty(); ++i) {
      const bool is_similar = std::any_of(groups.begin(), groups.end(), [&](std::uint16_t group) {
        return std::find(groups_[i].begin(), groups_[i].end(), group) != groups_[i].end();
      });
      if (is_similar) hits.similar |= Bit(i);
    }
  }
  const std::string lower = forms_.empty() ? std::string() : LowerCase(word);
  for (std::size_t i = 0; i < forms_.size(); ++i) {
    if (forms_[i].words.back() != lower) continue;
    if (forms_[i].words.size() == 1) {
      hits.terms |= forms_[i].terms;
    } else {
      hits.ends_forms.push_back(i);
    }
  }
  hits.similar &= ~hits.terms;
  return hits_.emplace(std::string(word), hits).first->second;
}

TextMatch Matcher::Match(std::string_view text) {
  TextMatch match;
  std::fill(seen_.begin(), seen_.end(), 0);
  found_.clear();
  TermMask pairs = 0;
  std::size_t position = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.empty() || word.size() > index::kMaxWordBytes) continue;
    ++position;
    const WordHits& known = HitsOf(word);
    TermHits hits{known.terms, known.similar};
    for (const std::size_t form : known.ends_forms) {
      if (Ends(text.substr(0, static_cast<std::size_t>(word.data() - text.data())),
               forms_[form].words)) {
        hits.terms |= forms_[form].terms;
      }
    }
    match.terms |= hits.terms;
    match.similar |= hits.similar;
    hits.similar &= ~hits.terms;
    if ((hits.terms | hits.similar) != 0) {
      found_.push_back({position, hits.terms, hits.similar});
    }
    if (position == 1) match.opens = (hits.terms & rare_terms_) != 0;
    for (TermMask left = hits.terms | hits.similar; left != 0; left &= left - 1) {
      const auto term = static_cast<std::size_t>(std::countr_zero(left));
      seen_[term] = position;
      const auto is_near = [&](std::size_t other) {
        return seen_[other] > 0 && position - seen_[other] <= kNear;
      };
      if (term > 0 && is_near(term - 1)) pairs |= Bit(term - 1);
      if (term + 1 < terms_.size() && is_near(term + 1)) pairs |= Bit(term);
    }
  }
  match.similar &= ~match.terms;
  match.pairs = PairShare(pairs);
  FindTogether(found_, match);
  return match;
}

void Matcher::FindTogether(const std::vector<Place>& places, TextMatch& match) const {
  match.together = match.terms;
  match.similar_together = match.similar;
  if (places.empty() || places.back().position - places.front().position <= kTogether) return;
  double best = -1;
  for (std::size_t begin = 0; begin < places.size(); ++begin) {
    // A window is worth looking at where a word of the question begins it.
    TermMask terms = 0;
    TermMask similar = 0;
    for (std::size_t at = begin; at < places.size(); ++at) {
      if (places[at].position - places[begin].position > kTogether) break;
      terms |= places[at].terms;
      similar |= places[at].similar;
    }
    similar &= ~terms;
    const double share = Share(terms) + Share(similar) / 2;
    if (share <= best) continue;
    best = share;
    match.together = terms;
    match.similar_together = similar;
  }
}

double Matcher::PairShare(TermMask pairs) const {
  double all = 0;
  double near = 0;
  for (std::size_t i = 0; i + 1 < terms_.size(); ++i) {
    const double weight = terms_[i].weight + terms_[i + 1].weight;
    all += weight;
    if ((pairs & Bit(i)) != 0) near += weight;
  }
  return all > 0 ? near / all : 0;
}

double Matcher::Share(TermMask mask) const {
  double found = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if ((mask & Bit(i)) != 0) found += terms_[i].weight;
  }
  return all_ > 0 ? found / all_ : 0;
}

double Matcher::Coverage(std::string_view title) {
  constexpr std::size_t kShortened = 4;  // "grad" of "gradients"
  constexpr double kSimilarPart = 0.8;
  double all = 0;
  double covered = 0;
  const std::string lower = forms_.empty() ? std::string() : LowerCase(title);
  const auto is_of_form = [&](std::string_view word) {
    return std::any_of(forms_.begin(), forms_.end(), [&](const Form& form) {
      return form.words.size() > 1 &&
             std::find(form.words.begin(), form.words.end(), LowerCase(word)) != form.words.end() &&
             FindWholeWord(lower, Join(form.words, " "));
    });
  };
  for (std::size_t at = 0; at < title.size();) {
    std::size_t end = at;
    while (end < title.size() && IsWordByte(title[end])) ++end;
    const std::string_view word = title.substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.empty() || word.size() > index::kMaxWordBytes) continue;
    const bool is_met = HitsOf(word).terms != 0 || is_of_form(word);
    const std::vector<std::string> forms = reader_->Forms(word);
    const std::size_t parts = forms.size() > 1 && !is_met ? forms.size() - 1 : forms.size();
    for (std::size_t i = is_met ? parts - 1 : 0; i < parts; ++i) {
      if (index::IsStopWord(forms[i])) continue;
      const double weight = reader_->Rarity(forms[i]);
      all += weight;
      const WordHits& hits = HitsOf(forms[i]);
      const bool is_short = forms[i].size() >= kShortened &&
                            std::any_of(terms_.begin(), terms_.end(), [&](const AskedTerm& term) {
                              return term.american.starts_with(forms[i]);
                            });
      if (is_met || hits.terms != 0) {
        covered += weight;
      } else if (hits.similar != 0 || is_short) {
        covered += kSimilarPart * weight;
      }
    }
  }
  return all > 0 ? covered / all : 0;
}

double Matcher::RareShare(TermMask mask) const {
  double found = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].is_rare && (mask & Bit(i)) != 0) found += terms_[i].weight;
  }
  return rare_ > 0 ? found / rare_ : 0;
}

}  // namespace sibyl::draft
