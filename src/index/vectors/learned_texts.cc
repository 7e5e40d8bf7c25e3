// SPDX-License-Identifier: Apache-2.0
#include "index/vectors/learned_texts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "index/document_traits.h"
#include "index/history/history_field.h"
#include "index/mix.h"

namespace sibyl::index {
namespace {

// A word of fewer texts has nothing to learn from.
constexpr std::uint32_t kFewestTexts = 5;
constexpr std::size_t kMostWordsOfText = 64;
constexpr std::size_t kFewestWords = 5;
constexpr std::size_t kFewestOfBody = 8;
constexpr std::size_t kFewestOfMessage = 3;
// A commit that changed more says little about each.
constexpr std::uint32_t kMostChanges = 20;
constexpr std::size_t kPairsOfMessage = 2;
constexpr std::uint32_t kPassagesOfFile = 60;
constexpr std::uint8_t kSilent = evidence::kMergeCommit | evidence::kRevertCommit |
                                 evidence::kRobotCommit | evidence::kBulkCommit |
                                 evidence::kUnknownChanges;

// Logarithm to base 2 with straight lines between powers of two: the same on every machine,
// and only where learning begins.
float RoughLog2(std::uint64_t value) {
  const int power = 63 - std::countl_zero(value | 1);
  const float rest = static_cast<float>(value) / static_cast<float>(std::uint64_t{1} << power) - 1;
  return static_cast<float>(power) + rest;
}

/// The words of a passage by what they are, in the order of the text.
struct Split {
  std::size_t row = 0;
  std::uint64_t document = 0;  // equal for passages of one document
  std::vector<std::uint32_t> head;
  std::vector<std::uint32_t> comment;
  std::vector<std::uint32_t> code;

  std::vector<std::uint32_t> Body() const {
    std::vector<std::uint32_t> body = comment;
    body.insert(body.end(), code.begin(), code.end());
    return body;
  }
  std::vector<std::uint32_t> All() const {
    std::vector<std::uint32_t> all = Body();
    all.insert(all.end(), head.begin(), head.end());
    return all;
  }
};

bool IsComment(std::string_view line) {
  for (const std::string_view begin : {"//", "/*", "*", "--", ".."}) {
    if (line.starts_with(begin)) return true;
  }
  // Not a directive of a preprocessor.
  return line == "#" || line.starts_with("# ") || line.starts_with("##") || line.starts_with("#.");
}

// The file's name and the folder that it is in.
std::string_view EndOfPath(std::string_view path) {
  const std::size_t name = path.rfind('/');
  if (name == path.npos || name == 0) return path;
  const std::size_t folder = path.rfind('/', name - 1);
  return folder == path.npos ? path : path.substr(folder + 1);
}

void ReadLines(std::string_view text, bool is_prose, BagWords& words, Split& split) {
  bool in_docstring = false;
  for (const std::string_view whole : SplitLines(text)) {
    const std::string_view line = Trim(whole);
    if (line.empty()) continue;
    bool is_comment = in_docstring;
    for (std::size_t at = line.find("\"\"\""); at != line.npos; at = line.find("\"\"\"", at + 3)) {
      is_comment = true;
      in_docstring = !in_docstring;
    }
    is_comment = !is_prose && (is_comment || IsComment(line));
    words.Append(line, is_comment ? split.comment : split.code);
    if (const std::size_t end = line.find("// "); !is_comment && end != line.npos) {
      words.Append(line.substr(end), split.comment);
    }
  }
}

class Reader {
 public:
  Reader(const std::vector<const Index*>& indexes, const LearnLimits& limits,
         const std::function<bool()>& cancelled)
      : indexes_(indexes),
        limits_(limits),
        cancelled_(cancelled),
        words_([this](std::string_view word) {
          const auto [place, is_new] =
              numbers_.emplace(word, static_cast<std::uint32_t>(numbers_.size()));
          if (is_new) texts_with_.push_back(0);
          return place->second;
        }) {}

  LearnedTexts Read() {
    for (const std::size_t index : Names()) {
      if (!ReadPassages(index) || !ReadMessages(*indexes_[index])) return {};
    }
    ChooseWords();
    PairTexts();
    return std::move(texts_);
  }

 private:
  struct Document {
    std::string_view path;
    const Segment* segment = nullptr;
    std::uint32_t number = 0;
    std::size_t first_row = 0;
  };
  struct Message {
    std::vector<std::uint32_t> words;
    std::vector<std::size_t> files;  // where their passages begin in splits_
  };

  bool IsCancelled() const { return cancelled_ && cancelled_(); }

  // The places of the indexes by name, so that their order does not matter.
  std::vector<std::size_t> Names() {
    std::vector<std::size_t> places;
    std::size_t rows = 0;
    for (const Index* index : indexes_) {
      places.push_back(places.size());
      first_row_.push_back(rows);
      for (const Index::Part& part : index->parts()) rows += part.segment.passage_count();
    }
    texts_.passages.resize(rows);
    std::sort(places.begin(), places.end(), [this](std::size_t a, std::size_t b) {
      return indexes_[a]->name() < indexes_[b]->name();
    });
    return places;
  }

  // By path, so that the segments do not matter.
  std::vector<Document> LiveDocuments(std::size_t index) const {
    std::vector<Document> documents;
    std::size_t rows = first_row_[index];
    for (const Index::Part& part : indexes_[index]->parts()) {
      for (std::uint32_t d = 0; d < part.segment.document_count(); ++d) {
        const bool is_dead =
            !part.dead_documents.empty() && (part.dead_documents[d / 64] >> d % 64 & 1) != 0;
        if (is_dead) continue;
        documents.push_back({.path = part.segment.path(part.segment.document(d)),
                             .segment = &part.segment,
                             .number = d,
                             .first_row = rows});
      }
      rows += part.segment.passage_count();
    }
    // A live path is that of one document.
    std::sort(documents.begin(), documents.end(),
              [](const Document& a, const Document& b) { return a.path < b.path; });
    return documents;
  }

  bool ReadPassages(std::size_t index) {
    begin_of_path_.clear();
    for (const Document& document : LiveDocuments(index)) {
      if (IsCancelled()) return false;
      const Segment& segment = *document.segment;
      const DocumentRecord& record = segment.document(document.number);
      for (const std::string_view path : segment.paths(record)) {
        begin_of_path_.emplace(path, splits_.size());
      }
      PassageText text(segment);
      const std::uint64_t end = std::min<std::uint64_t>(
          std::uint64_t{record.first_passage} + record.passage_count, segment.passage_count());
      ++documents_;
      for (std::uint64_t i = record.first_passage; i < end; ++i) {
        const PassageRecord& passage = segment.passage(i);
        Split split{.row = document.first_row + i, .document = documents_};
        words_.Append(segment.heading(passage), split.head);
        words_.Append(EndOfPath(document.path), split.head);
        ReadLines(text.Get(passage), DocumentTraits::FromBits(record.traits).is_prose, words_,
                  split);
        CountTexts(split.All());
        splits_.push_back(std::move(split));
      }
    }
    return true;
  }

  bool ReadMessages(const Index& index) {
    const HistoryField* field = index.history();
    if (field == nullptr) return true;
    const evidence::HistoryFile& file = field->history().file;
    PassageText text(field->segment());
    for (std::uint32_t number = 0; number < file.commit_count(); ++number) {
      if (number % 1024 == 0 && IsCancelled()) return false;
      const evidence::HistoryRow& row = file.commit(number);
      if ((row.flags & kSilent) != 0 || row.change_count > kMostChanges) continue;
      Message message;
      words_.Append(text.Get(field->segment().passage(number)), message.words);
      for (const std::uint32_t change : file.ChangesOf(number)) {
        if (change >= file.path_count()) continue;
        const auto begin = begin_of_path_.find(file.path(change));
        if (begin != begin_of_path_.end()) message.files.push_back(begin->second);
      }
      if (message.files.empty()) continue;
      CountTexts(message.words);
      messages_.push_back(std::move(message));
    }
    return true;
  }

  void CountTexts(std::vector<std::uint32_t> words) {
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::uint32_t word : words) ++texts_with_[word];
  }

  // Words of enough texts, in alphabetical order.
  void ChooseWords() {
    std::vector<std::uint32_t> counts = texts_with_;
    std::uint32_t fewest = kFewestTexts;
    if (counts.size() > limits_.words) {
      const auto place = counts.begin() + static_cast<std::ptrdiff_t>(limits_.words);
      std::nth_element(counts.begin(), place, counts.end(), std::greater<>());
      fewest = std::max(fewest, *place + 1);
    }
    const std::uint64_t all = splits_.size() + messages_.size();
    new_number_.assign(texts_with_.size(), BagWords::kNone);
    for (const auto& [word, number] : numbers_) {
      if (texts_with_[number] < fewest) continue;
      new_number_[number] = static_cast<std::uint32_t>(texts_.words.size());
      texts_.words.push_back(word);
      texts_.rarity.push_back(RoughLog2(1 + all / texts_with_[number]));
    }
    for (Split& split : splits_) {
      for (std::vector<std::uint32_t>* words : {&split.head, &split.comment, &split.code}) {
        Renumber(*words);
      }
      texts_.passages[split.row] = BagOf(split.All());
    }
    for (Message& message : messages_) Renumber(message.words);
  }

  void Renumber(std::vector<std::uint32_t>& words) const {
    for (std::uint32_t& word : words) word = new_number_[word];
    std::erase(words, BagWords::kNone);
  }

  // The telling words of a long text.
  WordBag Shortened(WordBag bag) const {
    if (bag.size() <= kMostWordsOfText) return bag;
    std::stable_sort(bag.begin(), bag.end(), [this](const CountedWord& a, const CountedWord& b) {
      return texts_.rarity[a.word] * a.count() > texts_.rarity[b.word] * b.count();
    });
    bag.resize(kMostWordsOfText);
    std::sort(bag.begin(), bag.end(),
              [](const CountedWord& a, const CountedWord& b) { return a.word < b.word; });
    return bag;
  }

  // Every pair is offered twice: first they are counted, then as many are made as there may be.
  template <typename Make>
  void OfferPair(const Make& make) {
    const std::size_t number = offered_++;
    if (!makes_pairs_) return;
    const std::size_t most = limits_.pairs;
    if (expected_ > most && number * most / expected_ == (number + 1) * most / expected_) return;
    TextPair pair = make();
    if (pair.one.size() < 2 || pair.other.size() < 2) return;
    texts_.pairs.push_back(
        {.one = Shortened(std::move(pair.one)), .other = Shortened(std::move(pair.other))});
  }

  void PairTexts() {
    PairPassages();
    PairMessages();
    expected_ = std::exchange(offered_, 0);
    makes_pairs_ = true;
    texts_.pairs.reserve(std::min(expected_, limits_.pairs));
    PairPassages();
    PairMessages();
  }

  void PairPassages() {
    for (std::size_t i = 0; i < splits_.size(); ++i) {
      const Split& split = splits_[i];
      const std::size_t body = split.comment.size() + split.code.size();
      if (split.head.size() >= 2 && body >= kFewestOfBody) {
        OfferPair([&] { return TextPair{.one = BagOf(split.head), .other = BagOf(split.Body())}; });
      }
      if (split.comment.size() >= kFewestWords && split.code.size() >= kFewestWords) {
        OfferPair(
            [&] { return TextPair{.one = BagOf(split.comment), .other = BagOf(split.code)}; });
      }
      // Both halves of a passage, and neighbours, are about the same thing.
      if (split.code.size() > 2 * kFewestOfBody) {
        OfferPair([&] {
          const auto middle =
              split.code.begin() + static_cast<std::ptrdiff_t>(split.code.size() / 2);
          return TextPair{.one = BagOf({split.code.begin(), middle}),
                          .other = BagOf({middle, split.code.end()})};
        });
      }
      if (i + 1 < splits_.size() && splits_[i + 1].document == split.document) {
        OfferPair([&] {
          return TextPair{.one = texts_.passages[split.row],
                          .other = texts_.passages[splits_[i + 1].row]};
        });
      }
    }
  }

  // With the passages that have most of the message's words, of its files.
  void PairMessages() {
    std::vector<bool> has(texts_.words.size());
    for (const Message& message : messages_) {
      const WordBag bag = BagOf(message.words);
      if (bag.size() < kFewestOfMessage) continue;
      if (!makes_pairs_) {
        offered_ += std::min(message.files.size(), kPairsOfMessage);
        continue;
      }
      for (const CountedWord& counted : bag) has[counted.word] = true;
      std::vector<std::pair<float, std::size_t>> best;
      for (const std::size_t begin : message.files) best.push_back(BestPassage(begin, has));
      std::stable_sort(best.begin(), best.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      for (std::size_t i = 0; i < std::min(best.size(), kPairsOfMessage); ++i) {
        OfferPair([&] {
          const bool has_words = best[i].first > 0;
          return TextPair{
              .one = bag,
              .other = has_words ? texts_.passages[splits_[best[i].second].row] : WordBag()};
        });
      }
      for (const CountedWord& counted : bag) has[counted.word] = false;
    }
  }

  std::pair<float, std::size_t> BestPassage(std::size_t begin, const std::vector<bool>& has) const {
    constexpr float kUsualWords = 20;
    constexpr float kLengthShare = 0.3F;
    std::pair<float, std::size_t> best{0, begin};
    const std::size_t end = std::min<std::size_t>(splits_.size(), begin + kPassagesOfFile);
    for (std::size_t i = begin; i < end && splits_[i].document == splits_[begin].document; ++i) {
      const WordBag& bag = texts_.passages[splits_[i].row];
      float sum = 0;
      for (const CountedWord& counted : bag) {
        if (has[counted.word]) sum += texts_.rarity[counted.word] * counted.count();
      }
      sum /= kUsualWords + kLengthShare * static_cast<float>(bag.size());
      if (sum > best.first) best = {sum, i};
    }
    return best;
  }

  const std::vector<const Index*>& indexes_;
  const LearnLimits& limits_;
  const std::function<bool()>& cancelled_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::uint32_t> texts_with_;  // of each word
  std::vector<std::uint32_t> new_number_;
  BagWords words_;
  std::vector<std::size_t> first_row_;  // of each index
  std::uint64_t documents_ = 0;
  std::vector<Split> splits_;
  std::unordered_map<std::string_view, std::size_t> begin_of_path_;  // of one index
  std::vector<Message> messages_;
  std::size_t offered_ = 0;
  std::size_t expected_ = 0;
  bool makes_pairs_ = false;
  LearnedTexts texts_;
};

}  // namespace

LearnedTexts ReadLearnedTexts(const std::vector<const Index*>& indexes, const LearnLimits& limits,
                              const std::function<bool()>& cancelled) {
  return Reader(indexes, limits, cancelled).Read();
}

}  // namespace sibyl::index
