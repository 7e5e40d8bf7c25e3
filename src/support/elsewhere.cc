// SPDX-License-Identifier: Apache-2.0
#include "support/elsewhere.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

constexpr std::size_t kMostBytes = std::size_t{128} << 10;
constexpr std::size_t kMostWanted = 64;  // words of a statement; one bit each
constexpr std::size_t kLetters = 4;      // that two forms of a word share

// The first letters of a word, in lower case; zero if it has fewer than three.
std::uint32_t KeyOf(std::string_view word) {
  std::uint32_t key = 0;
  std::size_t letters = 0;
  for (; letters < word.size() && letters < kLetters && IsLetter(word[letters]); ++letters) {
    const char c = word[letters];
    key = key << 8U | static_cast<unsigned char>(IsUpper(c) ? c - 'A' + 'a' : c);
  }
  return letters >= 3 ? key : 0;
}

// The words of a statement by their first letters.
class Wanted {
 public:
  explicit Wanted(const ReadStatement& read) {
    std::size_t bit = 0;
    for (const Token& token : read.tokens) {
      if (WeightOf(token) < 1 || bit == kMostWanted) continue;
      const std::uint64_t mask = std::uint64_t{1} << bit++;
      Add(KeyOf(token.lower), mask);
      for (const std::string& part : token.parts) Add(KeyOf(part), mask);
    }
    std::sort(keys_.begin(), keys_.end(),
              [](const Key& a, const Key& b) { return a.letters < b.letters; });
  }

  // Which of them this line has.
  std::uint64_t In(std::string_view line) const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool starts = IsLetter(line[i]) && (i == 0 || !IsLetter(line[i - 1]) ||
                                                (IsUpper(line[i]) && IsLower(line[i - 1])));
      if (!starts) continue;
      const std::uint32_t key = KeyOf(line.substr(i, kLetters));
      auto at = std::lower_bound(
          keys_.begin(), keys_.end(), key,
          [](const Key& entry, std::uint32_t letters) { return entry.letters < letters; });
      for (; at != keys_.end() && at->letters == key; ++at) found |= at->words;
    }
    return found;
  }

 private:
  struct Key {
    std::uint32_t letters = 0;
    std::uint64_t words = 0;
  };

  void Add(std::uint32_t letters, std::uint64_t word) {
    if (letters != 0) keys_.push_back({letters, word});
  }

  std::vector<Key> keys_;
};

// Trimmed lines of the cited text that say something.
std::unordered_set<std::string_view> LinesOf(std::string_view text) {
  constexpr std::size_t kTelling = 8;
  std::unordered_set<std::string_view> lines;
  for (const std::string_view line : SplitLines(text)) {
    if (const std::string_view trimmed = Trim(line); trimmed.size() >= kTelling) {
      lines.insert(trimmed);
    }
  }
  return lines;
}

// Lines of the file that are cited. A line that the file repeats ("else {") is
// one only beside another.
std::vector<bool> CitedOf(const std::vector<std::string_view>& lines,
                          const std::unordered_set<std::string_view>& own) {
  std::vector<bool> has(lines.size() + 2);  // with a margin
  std::unordered_map<std::string_view, std::size_t> counts;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = Trim(lines[i]);
    has[i + 1] = own.contains(line);
    if (has[i + 1]) ++counts[line];
  }
  std::vector<bool> is_cited(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    is_cited[i] = has[i + 1] && (has[i] || has[i + 2] || counts[Trim(lines[i])] == 1);
  }
  return is_cited;
}

// The share of the lines that end or assign like code.
double ShareOfCode(std::string_view text) {
  double all = 0;
  double code = 0;
  for (const std::string_view line : SplitLines(text)) {
    const std::string_view trimmed = Trim(line);
    if (trimmed.empty()) continue;
    const bool is_ended =
        std::string_view(";{}(),[]=").find(trimmed.back()) != std::string_view::npos;
    all += 1;
    code += is_ended || trimmed.find(" = ") != std::string_view::npos ? 1 : 0;
  }
  return all > 0 ? code / all : 0;
}

struct Window {
  std::size_t first = 0;  // line, from zero
  std::size_t last = 0;
  std::size_t score = 0;
};

// The windows without cited lines that have most of the words, best first, and
// none that overlaps a better one.
std::vector<Window> BestWindows(const std::vector<std::uint64_t>& lines,
                                const std::vector<bool>& is_cited, std::size_t size) {
  constexpr std::size_t kMost = 2;
  constexpr std::size_t kFewestShared = 3;
  std::vector<Window> windows;
  std::array<std::size_t, kMostWanted> counts{};
  std::size_t score = 0;
  std::size_t cited = 0;
  const auto change = [&](std::size_t line, bool enters) {
    if (is_cited[line]) cited += enters ? 1 : std::size_t(-1);
    for (std::uint64_t bits = lines[line]; bits != 0; bits &= bits - 1) {
      std::size_t& count = counts.at(static_cast<std::size_t>(std::countr_zero(bits)));
      if (enters && count++ == 0) ++score;
      if (!enters && --count == 0) --score;
    }
  };
  for (std::size_t end = 0; end < lines.size(); ++end) {
    change(end, true);
    if (end >= size) change(end - size, false);
    if (cited == 0 && score >= kFewestShared && lines[end] != 0) {
      windows.push_back({end + 1 >= size ? end + 1 - size : 0, end, score});
    }
  }
  std::stable_sort(windows.begin(), windows.end(),
                   [](const Window& a, const Window& b) { return a.score > b.score; });
  std::vector<Window> best;
  for (const Window& window : windows) {
    if (best.size() == kMost) break;
    if (std::none_of(best.begin(), best.end(), [&](const Window& other) {
          return window.first <= other.last && other.first <= window.last;
        })) {
      best.push_back(window);
    }
  }
  return best;
}

double WorthOfWord(Ground ground) {
  constexpr double kAround = 0.5;
  return ground == Ground::kNone ? 0 : ground == Ground::kContext ? kAround : 1;
}

// The share of its words that lines have.
template <typename GroundOf>
double ShareOf(const ReadStatement& read, GroundOf ground_of) {
  double all = 0;
  double found = 0;
  for (std::size_t i = 0; i < read.tokens.size(); ++i) {
    const double weight = WeightOf(read.tokens[i]);
    if (weight == 0) continue;
    all += weight;
    found += weight * WorthOfWord(ground_of(i));
  }
  return all > 0 ? found / all : 0;
}

}  // namespace

OtherLines FindElsewhere(const ReadStatement& read, const EvidenceText& cited,
                         std::string_view context, std::string_view file, Tokenizer& tokenizer) {
  constexpr std::size_t kFewestLines = 6;
  constexpr std::size_t kMostLines = 15;
  constexpr double kMostlyCode = 0.5;
  constexpr double kHardlyCode = 0.3;
  OtherLines result;
  if (file.size() > kMostBytes) return result;
  result.here = ShareOf(read, [&](std::size_t i) { return read.grounds[i].ground; });
  const std::unordered_set<std::string_view> own = LinesOf(cited.lines());
  const std::vector<std::string_view> lines = SplitLines(file);
  const Wanted wanted(read);
  std::vector<std::uint64_t> words;
  words.reserve(lines.size());
  for (const std::string_view line : lines) words.push_back(wanted.In(line));
  const std::vector<bool> is_cited = CitedOf(lines, own);
  const std::size_t size = std::clamp(own.size(), kFewestLines, kMostLines);
  for (const Window& window : BestWindows(words, is_cited, size)) {
    const char* const begin = lines[window.first].data();
    const char* const end = lines[window.last].data() + lines[window.last].size();
    const EvidenceText other({begin, static_cast<std::size_t>(end - begin)}, context, tokenizer);
    const double there =
        ShareOf(read, [&](std::size_t i) { return other.Find(read.tokens[i]).ground; });
    if (there <= result.there) continue;
    result.there = there;
    result.first = window.first + 1;
    result.last = window.last + 1;
    result.is_other_kind =
        ShareOfCode(cited.lines()) > kMostlyCode && ShareOfCode(other.lines()) < kHardlyCode;
  }
  return result;
}

}  // namespace sibyl::support
