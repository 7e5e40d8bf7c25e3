// SPDX-License-Identifier: Apache-2.0
#include "index/words/term_forms.h"

#include <libstemmer.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::index {
namespace {

// Identifiers with more parts are data (generated names, encoded bytes).
constexpr std::size_t kMaxParts = 12;
constexpr std::size_t kMaxPartBytes = 32;
constexpr std::size_t kMinStemmedBytes = 4;
constexpr std::size_t kMaxStemmedBytes = 24;

// The length of a character of U+2000 to U+206F (dashes, quotation marks, ellipsis) or U+00A0
// to U+00BF, or 0. Their bytes are word bytes, so they join words.
std::size_t PunctuationBytes(std::string_view word, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < word.size() ? static_cast<unsigned char>(word[at + i]) : 0U;
  };
  if (byte(0) == 0xE2 && (byte(1) == 0x80 || byte(1) == 0x81) && byte(2) >= 0x80) return 3;
  if (byte(0) == 0xC2 && byte(1) >= 0xA0) return 2;
  return 0;
}

bool IsHump(std::string_view word, std::size_t at) {
  if (!IsUpper(word[at])) return false;
  if (IsLower(word[at - 1])) return true;
  return at + 1 < word.size() && IsLower(word[at + 1]) &&
         (IsUpper(word[at - 1]) || IsDigit(word[at - 1]));
}

bool IsAllLetters(std::string_view lower) {
  return std::all_of(lower.begin(), lower.end(), IsLower);
}

// Single letters and long numbers are found only in the whole word.
bool IsUsefulPart(std::string_view part) {
  if (part.size() < 2 || part.size() > kMaxPartBytes) return false;
  return part.size() <= 4 || !std::all_of(part.begin(), part.end(), IsDigit);
}

// Detects base64 and the like: upper case, lower case and digits alternate every second byte,
// and it rarely has three lower-case letters in a row. Its parts would be words that nobody
// searches for, and would outnumber all others.
bool LooksEncoded(std::string_view word) {
  constexpr std::size_t kShortest = 16;
  if (word.size() < kShortest) return false;
  constexpr unsigned kLower = 1;
  constexpr unsigned kUpper = 2;
  constexpr unsigned kDigit = 4;
  unsigned seen = 0;
  unsigned last = 0;
  std::size_t changes = 0;
  std::size_t run = 0;    // of lower-case letters
  std::size_t wordy = 0;  // bytes in runs of three and more
  for (const char c : word) {
    const unsigned now = IsLower(c) ? kLower : IsUpper(c) ? kUpper : IsDigit(c) ? kDigit : 0U;
    if (now == 0) return false;
    seen |= now;
    changes += now != last ? 1 : 0;
    last = now;
    run = now == kLower ? run + 1 : 0;
    wordy += run == 3 ? 3 : run > 3 ? 1 : 0;
  }
  return seen == (kLower | kUpper | kDigit) && changes * 20 >= word.size() * 9 &&
         wordy * 4 < word.size();
}

}  // namespace

struct TermForms::Stemmer {
  sb_stemmer* english = sb_stemmer_new("english", nullptr);
  ~Stemmer() { sb_stemmer_delete(english); }
};

TermForms::TermForms() : stemmer_(std::make_unique<Stemmer>()) {
  if (stemmer_->english == nullptr) std::abort();  // built without English, or out of memory
}

TermForms::~TermForms() = default;

void TermForms::AddForm(std::string_view text, FormKind kind, std::uint8_t eighths) {
  for (std::size_t i = 0; i < used_; ++i) {
    if (forms_[i].text == text) {
      if (kind != FormKind::kWhole && forms_[i].kind != FormKind::kWhole) {
        forms_[i].eighths = std::max(forms_[i].eighths, eighths);
      }
      return;
    }
  }
  if (used_ == forms_.size()) forms_.emplace_back();
  forms_[used_].text.assign(text);
  forms_[used_].kind = kind;
  forms_[used_].eighths = eighths;
  ++used_;
}

std::span<const TermForm> TermForms::Derive(std::string_view word) {
  used_ = 0;
  lower_.clear();
  AppendLower(word, lower_);
  AddForm(lower_, FormKind::kWhole, kWholeEighths);
  if (const std::string_view stem = Stem(lower_); stem != lower_) {
    AddForm(stem, FormKind::kStem, kStemEighths);
  }
  for (const std::string_view part : Parts(word)) {
    lower_.clear();
    AppendLower(part, lower_);
    AddForm(lower_, FormKind::kPart, kPartEighths);
    if (const std::string_view stem = Stem(lower_); stem != lower_) {
      AddForm(stem, FormKind::kStem, kPartStemEighths);
    }
  }
  return {forms_.data(), used_};
}

std::span<const std::string_view> TermForms::Parts(std::string_view word) {
  if (LooksEncoded(word)) return {};
  SplitIdentifier(word, parts_);
  if (parts_.size() == 1 && parts_[0].size() == word.size()) return {};
  std::size_t useful = 0;
  for (const std::string_view part : parts_) {
    if (IsUsefulPart(part) && useful < kMaxParts) parts_[useful++] = part;
  }
  return {parts_.data(), useful};
}

std::string_view TermForms::Stem(std::string_view lower) {
  if (lower.size() < kMinStemmedBytes || lower.size() > kMaxStemmedBytes || !IsAllLetters(lower)) {
    return lower;
  }
  const sb_symbol* stem =
      sb_stemmer_stem(stemmer_->english, reinterpret_cast<const sb_symbol*>(lower.data()),
                      static_cast<int>(lower.size()));
  if (stem == nullptr) return lower;
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_->english))};
}

void AppendLower(std::string_view word, std::string& lower) {
  const std::size_t begin = lower.size();
  lower.append(word);
  if (LowerInPlace(std::span(lower).subspan(begin))) return;
  for (const auto& [character, letter] : {std::pair{std::string_view("\xE2\x84\xAA"), "k"},
                                          std::pair{std::string_view("\xC5\xBF"), "s"}}) {
    for (std::size_t at = lower.find(character, begin); at != std::string::npos;
         at = lower.find(character, at)) {
      lower.replace(at, character.size(), letter);
    }
  }
}

void SplitIdentifier(std::string_view word, std::vector<std::string_view>& parts) {
  parts.clear();
  std::size_t begin = 0;
  const auto end_part = [&](std::size_t end, std::size_t next) {
    if (end > begin) parts.push_back(word.substr(begin, end - begin));
    begin = next;
  };
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '_') {
      end_part(i, i + 1);
    } else if (static_cast<unsigned char>(word[i]) >= 0x80) {
      const std::size_t bytes = PunctuationBytes(word, i);
      if (bytes == 0) continue;
      end_part(i, i + bytes);
      i += bytes - 1;
    } else if (i > begin && IsHump(word, i)) {
      end_part(i, i);
    }
  }
  end_part(word.size(), word.size());
}

}  // namespace sibyl::index
