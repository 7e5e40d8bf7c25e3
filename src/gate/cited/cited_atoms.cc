// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_atoms.h"

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
#include "base/strings.h"
#include "gate/uncited.h"
#include "statement/atom.h"
#include "statement/folded_text.h"
#include "support/command.h"
#include "support/grounding.h"

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

// _Slice=_, _Delegate=true_: names in the emphasis of Markdown and reStructuredText.
bool IsEmphasised(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kLongest = 80;
  std::size_t open = begin;
  while (open > 0 && begin - open < kLongest && !IsBlank(text[open - 1]) && text[open] != '_') {
    --open;
  }
  std::size_t close = end;
  while (close < text.size() && close - end < kLongest && !IsBlank(text[close]) &&
         text[close] != '_') {
    ++close;
  }
  if (text[open] != '_' || close >= text.size() || text[close] != '_') return false;
  return (open == 0 || !statement::IsWordByte(text[open - 1])) &&
         (close + 1 == text.size() || !statement::IsWordByte(text[close + 1])) &&
         (open + 1 == begin || !statement::IsWordByte(text[begin - 1])) &&
         (close == end || !statement::IsWordByte(text[end])) && close - open > end - begin + 1;
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
    if ((begins && ends) || IsEmphasised(text, at, end)) return at;
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

// "--python-version" is "python_version", and so is PYTHON_VERSION.
std::string FoldedName(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  std::string folded = LowerCase(name);
  std::replace(folded.begin(), folded.end(), '-', '_');
  return folded;
}

// "cuda.core", "cuda_core" and "CudaCore" are one name.
std::string WithoutMarks(std::string_view name) {
  std::string plain = LowerCase(name);
  std::erase_if(plain, [](char c) { return !IsAlphanumeric(c); });
  return plain;
}

// `cuda.core` in the path "cuda_core/docs/install.rst", `OpticalFlow` in
// "optical_flow.cc" or in the definition around the lines.
const Receipt* FindAroundInOtherStyle(const statement::Atom& atom, const ReceiptList& receipts,
                                      ReadingBudget& budget) {
  constexpr std::size_t kTelling = 6;
  const std::string wanted = WithoutMarks(atom.text);
  // KEY of the environment is not the parameter `key`.
  const bool is_constant = std::none_of(atom.text.begin(), atom.text.end(), IsLower);
  if (wanted.size() < kTelling || is_constant || atom.kind == statement::AtomKind::kPath) {
    return nullptr;
  }
  const auto has = [&](std::string_view text, std::string_view ends) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(ends, at), text.size());
      if (end > at && WithoutMarks(text.substr(at, end - at)) == wanted) return true;
      at = end + 1;
    }
    return false;
  };
  for (const Receipt* receipt : receipts) {
    if (!budget.Spend(kLook + 2 * receipt->context.size())) return nullptr;
    if (receipt->source() != nullptr && has(receipt->source()->path, "/.")) return receipt;
    if (has(receipt->context, " \t\n/.,:;()[]{}<>=\"'`*&")) return receipt;
  }
  return nullptr;
}

bool FindAfterPrefix(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool ends = end == text.size() || !statement::IsWordByte(text[end]);
    if (ends && at > 0 && text[at - 1] == '_') return true;
  }
  return false;
}

// `beta1` of the member m_beta1, `size` of size_.
bool FindMember(std::string_view text, std::string_view name) {
  constexpr std::size_t kShortest = 3;
  if (name.size() < kShortest) return false;
  const auto is_word = [&](std::size_t at) {
    return at < text.size() && statement::IsWordByte(text[at]);
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const std::string_view before = text.substr(0, at);
    const std::size_t mark = before.ends_with("m_") ? 2 : before.ends_with('_') ? 1 : 0;
    const bool begins = at == mark || !is_word(at - mark - 1);
    const bool has_end_mark = end < text.size() && text[end] == '_';
    const bool ends = !is_word(end + (has_end_mark ? 1 : 0));
    if (begins && ends && (mark > 0) != has_end_mark) return true;
  }
  return false;
}

// `sm_90` of `sm_${arch}`, `compute_80` of f"compute_{num}".
bool FindTemplate(std::string_view text, std::string_view name) {
  constexpr std::size_t kShortest = 3;
  const std::size_t value = name.find_last_not_of("0123456789") + 1;
  if (value == name.size() || value < kShortest) return false;
  const std::string_view prefix = name.substr(0, value);
  for (std::size_t at = text.find(prefix); at != std::string_view::npos;
       at = text.find(prefix, at + 1)) {
    const std::string_view rest = text.substr(at + prefix.size());
    for (const std::string_view mark : {"${", "{", "%d", "%s", "%u", "<"}) {
      if (rest.starts_with(mark)) return true;
    }
  }
  return false;
}

// The endings `_block` of `atomicAdd_block` and `-real` of "80-real".
bool FindEnding(std::string_view text, std::string_view name) {
  constexpr std::size_t kShortest = 3;
  if (name.size() < kShortest || (name[0] != '_' && name[0] != '-') || name[1] == name[0]) {
    return false;
  }
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool ends = end == text.size() || !statement::IsWordByte(text[end]);
    if (ends && at > 0 && IsAlphanumeric(text[at - 1])) return true;
  }
  return false;
}

// `ClusterPolicy` of clusterPolicy: humps in both, and the same letters.
bool FindOtherHumps(std::string_view text, std::string_view name) {
  constexpr std::size_t kTelling = 6;
  const auto is_humped = [](std::string_view word) {
    return word.find('_') == std::string_view::npos &&
           std::any_of(word.begin() + 1, word.end(), IsUpper) &&
           std::any_of(word.begin(), word.end(), IsLower);
  };
  if (name.size() < kTelling || !is_humped(name)) return false;
  std::string other(name);
  other[0] = static_cast<char>(IsUpper(name[0]) ? name[0] - 'A' + 'a' : name[0] - 'a' + 'A');
  return IsLetter(name[0]) && FindName(text, other, statement::AtomKind::kIdentifier).has_value();
}

// `--sort` where the lines declare an option "sort": parsers add the dashes.
bool FindDeclaredFlag(std::string_view text, std::string_view flag) {
  if (!flag.starts_with("--")) return false;
  const std::string_view name = flag.substr(2);
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at == 0 || end >= text.size() || text[at - 1] != text[end]) continue;
    if (text[end] == '"' || text[end] == '\'') return true;
  }
  return false;
}

// A flag of several words that is a variable in the lines, a member without its
// mark, an instance of a name that the lines put together, and a name after the prefix of a longer
// one: `RuntimeError` in PyExc_RuntimeError.
const Receipt* FindInOtherSpelling(const statement::Atom& atom, const ReceiptList& receipts,
                                   ReadingBudget& budget) {
  constexpr std::size_t kTelling = 8;
  const std::string folded = FoldedName(atom.text);
  const bool has_words =
      atom.kind == statement::AtomKind::kFlag && folded.find('_') != std::string::npos;
  const bool is_prefixed =
      !has_words && atom.kind == statement::AtomKind::kIdentifier && atom.text.size() >= kTelling;
  // `mode` where the lines have Mode.
  const bool is_word = atom.kind == statement::AtomKind::kIdentifier && atom.text.size() > 3 &&
                       std::all_of(atom.text.begin(), atom.text.end(), IsLower);
  const bool is_name = atom.kind == statement::AtomKind::kIdentifier;
  const bool is_ending = atom.text[0] == '_' || atom.text[0] == '-';
  const bool is_flag = atom.kind == statement::AtomKind::kFlag;
  if (!has_words && !is_name && !is_ending) return nullptr;
  for (const Receipt* receipt : receipts) {
    const auto span = receipt->Span();
    const std::size_t reads = has_words || is_prefixed || is_word ? 2 : 1;
    if (!span || !budget.Spend(kLook + reads * span->size())) continue;
    if (is_ending && FindEnding(*span, atom.text)) return receipt;
    if (is_flag && FindDeclaredFlag(*span, atom.text)) return receipt;
    if (is_name && FindOtherHumps(*span, atom.text)) return receipt;
    if (has_words && FindName(FoldedName(*span), folded, statement::AtomKind::kIdentifier)) {
      return receipt;
    }
    if (is_prefixed && FindAfterPrefix(*span, atom.text)) return receipt;
    if (is_name && (FindMember(*span, atom.text) || FindTemplate(*span, atom.text))) {
      return receipt;
    }
    if (is_word && FindName(LowerCase(*span), atom.text, statement::AtomKind::kIdentifier)) {
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
  if (const Receipt* receipt = FindInOtherSpelling(atom, receipts, budget)) {
    return Found{receipt, "it is in the cited lines, in another spelling"};
  }
  if (const Receipt* receipt = FindAroundInOtherStyle(atom, receipts, budget)) {
    return Found{receipt, "it is the name of what encloses the cited lines, in another style"};
  }
  const std::string_view last = LastPart(atom.text);
  constexpr std::size_t kTelling = 3;
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

// `cdylib`s: the plural ending is not in code font, and not a part of the name.
statement::Atom WithoutPlural(statement::Atom atom, const statement::Statement& statement) {
  const std::size_t last = atom.offset + atom.text.size() - 1;
  const bool is_plural =
      atom.text.size() > 1 && atom.text.ends_with('s') && last < statement.text.size() &&
      statement::IsCodeAt(statement, atom.offset) && !statement::IsCodeAt(statement, last);
  if (is_plural) atom.text.pop_back();
  return atom;
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
    const statement::Atom name = WithoutPlural(atom, statement);
    std::optional<Found> found = FindIn(name, own, budget_);
    if (!found) {
      found = FindIn(name, paragraph, budget_);
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
      if (IsOfKnownCode(statement, atom, own) || IsSubject(statement, atom, own, judgement)) {
        judgement.verdict = statement::Verdict::kUndecidable;
        judgement.message = "not decided: " + judgement.message;
      }
    }
    judgements_.push_back(std::move(judgement));
  }

  // "`[no-docs]`", "`~/.config/a.yaml`": code other than a name. It may be written
  // in another way, so only a near miss is sure: the lines have one that is
  // almost the same.
  void JudgeLiterals(const statement::Statement& statement, const ReceiptList& own,
                     const ReceiptList& paragraph) {
    for (const statement::TextRun& run : statement.runs) {
      if (!run.is_code) continue;
      const std::string text(
          Trim(std::string_view(statement.text).substr(run.begin, run.end - run.begin)));
      if (!IsLiteral(text) || Has(text, paragraph)) continue;
      const std::optional<std::string> near = NearMiss(text, own);
      if (!near || statement.text.find(*near) != std::string::npos) continue;
      statement::Judgement judgement = JudgementAt(file_, statement, run.begin);
      judgement.code = "ident/unknown";
      judgement.kind = "name";
      judgement.text = text;
      judgement.verdict = statement::Verdict::kAbsent;
      judgement.message = fmt::format("{} is not in the cited lines, which have {}", text, *near);
      judgement.nearest = *near;
      judgement.where = Where(*own.front());
      judgements_.push_back(std::move(judgement));
    }
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  static bool IsLiteral(std::string_view text) {
    constexpr std::size_t kShortest = 6;
    constexpr std::size_t kLongest = 200;
    return text.size() >= kShortest && text.size() <= kLongest &&
           text.find_first_of(" \t\n(") == std::string_view::npos &&
           text.find_first_of("/[]~-") != std::string_view::npos &&
           std::any_of(text.begin(), text.end(), IsLetter);
  }

  bool Has(const std::string& text, const ReceiptList& receipts) {
    return std::any_of(receipts.begin(), receipts.end(), [&](const Receipt* receipt) {
      const auto span = receipt->Span();
      if (!span || !budget_.Spend(kLook + span->size())) return true;  // not known
      return span->find(text) != std::string_view::npos ||
             receipt->context.find(text) != std::string::npos ||
             FoldedName(*span).find(FoldedName(text)) != std::string::npos;
    });
  }

  // Of the same length in parts, and all of them but one.
  static std::optional<std::string> NearMiss(std::string_view text, const ReceiptList& receipts) {
    const auto parts_of = [](std::string_view token) {
      std::vector<std::string_view> parts;
      for (std::size_t at = 0; at < token.size();) {
        std::size_t end = at;
        while (end < token.size() && IsAlphanumeric(token[end])) ++end;
        if (end > at) parts.push_back(token.substr(at, end - at));
        at = end + 1;
      }
      return parts;
    };
    const std::vector<std::string_view> wanted = parts_of(text);
    constexpr std::size_t kFewestParts = 2;
    if (wanted.size() < kFewestParts) return std::nullopt;
    for (const Receipt* receipt : receipts) {
      const std::string_view span = receipt->Span().value_or("");
      for (std::size_t at = 0; at < span.size();) {
        std::size_t end = at;
        while (end < span.size() && span.find_first_of(" \t\n`\"',;()<>|", end) != end) ++end;
        const std::string_view token = span.substr(at, end - at);
        at = end + 1;
        const std::vector<std::string_view> parts = parts_of(token);
        if (parts.size() != wanted.size() || token[0] != text[0]) continue;
        std::size_t others = 0;
        bool is_word = true;  // another number may be an example
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (parts[i] == wanted[i]) continue;
          ++others;
          is_word = is_word && IsLetter(parts[i][0]) && IsLetter(wanted[i][0]);
        }
        if (others == 1 && is_word) return std::string(token);
      }
    }
    return std::nullopt;
  }

  // A part of `megatron-core` or `tune download` that the file has as a whole
  // elsewhere, or the program of a command whose other words are in the lines.
  bool IsOfKnownCode(const statement::Statement& statement, const statement::Atom& atom,
                     const ReceiptList& own) {
    for (const statement::TextRun& run : statement.runs) {
      if (!run.is_code || atom.offset < run.begin || atom.offset >= run.end) continue;
      const std::string_view code =
          Trim(std::string_view(statement.text).substr(run.begin, run.end - run.begin));
      if (code.starts_with('-') || code.find_first_of(" -") == std::string_view::npos) return false;
      return std::any_of(own.begin(), own.end(), [&](const Receipt* receipt) {
        const auto span = receipt->Span();
        if (!span || !budget_.Spend(kLook + span->size())) return false;
        if (code.starts_with(atom.text) && support::IsCommandOf(code, *span)) return true;
        const auto& file = receipt->resolution.file;
        return file != nullptr && budget_.Spend(file->size()) &&
               file->find(code) != std::string::npos;
      });
    }
    return false;
  }

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

  // The first name of a statement, which the file has elsewhere, while the lines
  // carry the rest: it may be that of what they describe.
  bool IsSubject(const statement::Statement& statement, const statement::Atom& atom,
                 const ReceiptList& own, const statement::Judgement& judgement) {
    constexpr double kMost = 0.6;
    const auto first = std::find_if(statement.runs.begin(), statement.runs.end(),
                                    [](const statement::TextRun& run) { return run.is_code; });
    if (first == statement.runs.end() || atom.offset >= first->end) return false;
    if (judgement.nearest.find(':') == std::string::npos || ++coverages_ > kMaxFileSearches) {
      return false;
    }
    return std::any_of(own.begin(), own.end(), [&](const Receipt* receipt) {
      const auto span = receipt->Span();
      if (!span || !budget_.Spend(kLook + 2 * span->size())) return false;
      const auto lines = support::CitedLines{.text = *span, .context = receipt->context};
      const support::Measures measures = grounder_.Judge(statement, lines).measures;
      return measures.coverage >= kMost && !measures.is_exchanged;
    });
  }

  static constexpr std::size_t kMaxFileSearches = 500;

  const CitedFile& file_;
  std::vector<statement::Judgement> judgements_;
  ReadingBudget budget_;
  std::size_t file_searches_ = 0;
  std::size_t misses_ = 0;
  std::size_t coverages_ = 0;
  support::Grounder grounder_;
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
    judge.JudgeLiterals(statement, receipts[i], paragraphs[statement.group]);
    for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
      if (atom.in_code) judge.Judge(statement, atom, receipts[i], paragraphs[statement.group]);
    }
  }
  return judge.Take();
}

}  // namespace sibyl::gate
