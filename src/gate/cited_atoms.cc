// SPDX-License-Identifier: Apache-2.0
#include "gate/cited_atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "gate/uncited.h"
#include "statement/atom.h"
#include "statement/folded_text.h"

namespace sibyl::gate {
namespace {

using ReceiptList = std::vector<const Receipt*>;

// The minimum cost of a citation: a paragraph may have ten thousand of them,
// and as many names.
constexpr std::size_t kLook = 64;

// Characters that continue a name. Hyphens continue a flag, but not a word.
bool Continues(char letter, statement::AtomKind kind) {
  return statement::IsWordByte(letter) || (kind == statement::AtomKind::kFlag && letter == '-');
}

std::optional<std::size_t> FindName(std::string_view text, std::string_view name,
                                    statement::AtomKind kind) {
  if (name.empty()) return std::nullopt;
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool is_defined = at >= 2 && text.substr(at - 2, 2) == "-D";  // -DNAME=ON
    const bool begins =
        at == 0 || is_defined || !Continues(name.front(), kind) || !Continues(text[at - 1], kind);
    const bool ends = end == text.size() || !Continues(text[end], kind);
    if (begins && ends) return at;
  }
  return std::nullopt;
}

// "at::Tensor" is "Tensor" inside its namespace, "torch.cuda.Stream" is
// "Stream" in its module.
std::string_view LastPart(std::string_view name) {
  const std::size_t at = name.find_last_of(":.");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

bool PathIsCited(std::string_view path, const Receipt& receipt) {
  if (receipt.source() == nullptr) return false;
  const std::string_view cited = receipt.source()->path;
  if (cited == path) return true;
  // "cmake/Profiler.cmake" of "third_party/x/cmake/Profiler.cmake", or a folder
  // on the way to it.
  return (cited.ends_with(path) && cited[cited.size() - path.size() - 1] == '/') ||
         cited.starts_with(std::string(path) + (path.ends_with('/') ? "" : "/"));
}

// "stdrel" in the path "criteria/stdrel_criterion.cuh".
bool FindPart(std::string_view path, std::string_view name) {
  for (std::size_t at = path.find(name); at != std::string_view::npos;
       at = path.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !IsAlphanumeric(path[at - 1]);
    if (begins && (end == path.size() || !IsAlphanumeric(path[end]))) return true;
  }
  return false;
}

struct Found {
  const Receipt* receipt = nullptr;
  std::string how;
};

// "gfx10" where the lines say "gfx" and "10".
const Receipt* FindLettersAndDigits(const statement::Atom& atom, const ReceiptList& receipts,
                                    ReadingBudget& budget) {
  const std::size_t digit = atom.text.find_first_of("0123456789");
  constexpr std::size_t kFewestLetters = 2;
  if (atom.kind != statement::AtomKind::kIdentifier || digit == std::string::npos ||
      digit < kFewestLetters ||
      atom.text.find_first_not_of("0123456789", digit) != std::string::npos) {
    return nullptr;
  }
  const std::string_view text = atom.text;
  for (const Receipt* receipt : receipts) {
    const auto span = receipt->Span();
    if (!span || !budget.Spend(kLook + span->size())) continue;
    if (FindPart(*span, text.substr(0, digit)) &&
        FindName(*span, text.substr(digit), statement::AtomKind::kIdentifier)) {
      return receipt;
    }
  }
  return nullptr;
}

std::optional<Found> FindIn(const statement::Atom& atom, const ReceiptList& receipts,
                            ReadingBudget& budget) {
  for (const Receipt* receipt : receipts) {
    if (atom.kind == statement::AtomKind::kPath && PathIsCited(atom.text, *receipt)) {
      return Found{receipt, "it is the cited path"};
    }
    const auto span = receipt->Span();
    if (!budget.Spend(kLook + (span ? span->size() : 0))) return std::nullopt;
    if (span && FindName(*span, atom.text, atom.kind)) {
      return Found{receipt, "it is in the cited lines"};
    }
    if (FindName(receipt->context, atom.text, atom.kind) ||
        (receipt->source() != nullptr && FindPart(receipt->source()->path, atom.text))) {
      return Found{receipt, "it is the name of what encloses the cited lines"};
    }
  }
  if (const Receipt* receipt = FindLettersAndDigits(atom, receipts, budget)) {
    return Found{receipt, "its letters and its number are in the cited lines"};
  }
  const std::string_view last = LastPart(atom.text);
  constexpr std::size_t kTelling = 4;
  if (atom.kind != statement::AtomKind::kQualified || last.size() < kTelling) return std::nullopt;
  for (const Receipt* receipt : receipts) {
    const auto span = receipt->Span();
    if (!budget.Spend(kLook + (span ? span->size() : 0))) return std::nullopt;
    if (span && FindName(*span, last, statement::AtomKind::kIdentifier)) {
      return Found{receipt, fmt::format("{} is in the cited lines", last)};
    }
    if (FindName(receipt->context, last, statement::AtomKind::kIdentifier)) {
      return Found{receipt, fmt::format("{} encloses the cited lines", last)};
    }
  }
  return std::nullopt;
}

// The word of the cited lines that is most similar to the name.
std::string NearestIn(const statement::Atom& atom, const ReceiptList& receipts) {
  constexpr std::size_t kMaxWords = 4000;
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> words;
  for (const Receipt* receipt : receipts) {
    const std::string_view span = receipt->Span().value_or("");
    for (std::size_t at = 0; at < span.size() && words.size() < kMaxWords;) {
      std::size_t end = at;
      while (end < span.size() && Continues(span[end], atom.kind)) ++end;
      const std::string_view word = span.substr(at, end - at);
      if (word.size() > 2 && seen.insert(word).second) words.emplace_back(word);
      at = std::max(end, at + 1);
    }
  }
  if (const auto near = NearestName(atom.text, words)) return *near;
  // A name that lacks its prefix or its ending: the shortest that has it whole.
  constexpr std::size_t kTelling = 5;
  std::string best;
  for (const std::string& word : words) {
    if (atom.text.size() < kTelling || word.find(atom.text) == std::string::npos) continue;
    if (best.empty() || word.size() < best.size()) best = word;
  }
  return best;
}

class CitedNames {
 public:
  explicit CitedNames(const CitedFile& file) : file_(file) {}

  void Judge(const statement::Statement& statement, const statement::Atom& atom,
             const ReceiptList& own, const ReceiptList& paragraph) {
    statement::Judgement judgement = JudgementAt(file_, statement, atom.offset);
    judgement.code = "ident/unknown";
    judgement.kind = statement::AtomKindName(atom.kind);
    judgement.text = atom.text;
    std::optional<Found> found = FindIn(atom, own, budget_);
    if (!found) {
      found = FindIn(atom, paragraph, budget_);
      if (found) found->how += ", cited for another sentence of the paragraph";
    }
    if (found) {
      judgement.verdict = statement::Verdict::kSupported;
      judgement.message = found->how;
      judgement.where = Where(*found->receipt);
    } else if (budget_.is_spent()) {
      judgement.message = "not checked: the page cites more than the limit for one page";
    } else if (std::none_of(own.begin(), own.end(), [](const Receipt* r) { return r->Span(); })) {
      judgement.message = "not checked: the cited source could not be read";
    } else {
      Miss(atom, own, judgement);
    }
    judgements_.push_back(std::move(judgement));
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  static std::string Where(const Receipt& receipt) {
    return receipt.source() != nullptr ? DescribeSource(*receipt.source(), receipt.resolution.pin)
                                       : "[^" + receipt.label + "]";
  }

  void Miss(const statement::Atom& atom, const ReceiptList& own, statement::Judgement& judgement) {
    judgement.verdict = statement::Verdict::kAbsent;
    judgement.where = Where(*own.front());
    for (const Receipt* receipt : own) {
      if (receipt->resolution.file == nullptr || ++file_searches_ > kMaxFileSearches) continue;
      const std::string_view text = *receipt->resolution.file;
      const auto at = FindName(text, atom.text, atom.kind);
      if (!at) continue;
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*at), '\n');
      judgement.message =
          fmt::format("{} is not in the cited lines, but on line {} of the file", atom.text, line);
      judgement.nearest = fmt::format("{}:{}", receipt->source()->path, line);
      return;
    }
    judgement.message =
        fmt::format("{} is neither in the cited lines nor elsewhere in the file", atom.text);
    if (own.front()->resolution.pin != nullptr) {
      judgement.source = own.front()->resolution.pin->name;
    }
    if (++misses_ <= kMaxFileSearches) judgement.nearest = NearestIn(atom, own);
  }

  static constexpr std::size_t kMaxFileSearches = 500;

  const CitedFile& file_;
  std::vector<statement::Judgement> judgements_;
  ReadingBudget budget_;
  std::size_t file_searches_ = 0;
  std::size_t misses_ = 0;
};

}  // namespace

std::vector<statement::Judgement> JudgeNames(const CitedFile& file) {
  CitedNames judge(file);
  const std::vector<statement::Statement>& all = file.statements.all;
  const auto receipts = ReceiptsOfStatements(file);
  auto paragraphs = ReceiptsOfParagraphs(file.statements, receipts);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const statement::Statement& statement = all[i];
    // Blocks of code and quotations are compared as a whole.
    const bool is_own_words = statement.kind == statement::StatementKind::kSentence ||
                              statement.kind == statement::StatementKind::kItem ||
                              statement.kind == statement::StatementKind::kCell;
    if (!is_own_words || receipts[i].empty()) continue;
    if (ExemptionOf(file.statements, i) != Exemption::kNone) continue;
    for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
      if (atom.in_code) judge.Judge(statement, atom, receipts[i], paragraphs[statement.group]);
    }
  }
  return judge.Take();
}

}  // namespace sibyl::gate
