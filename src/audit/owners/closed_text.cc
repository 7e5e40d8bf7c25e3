// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/closed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "audit/nearest.h"
#include "audit/owners/owner.h"
#include "audit/source_names.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostNames = 4'000;
// A short text must have no other unknown name.
constexpr std::size_t kFewSeen = 10;
constexpr std::size_t kLeastSeen = 4;
constexpr std::size_t kLeastPercent = 78;
// Of unknown names in sentences that are not about other projects.
constexpr std::size_t kMostUnexplained = 5;
// What a text is about, it names again and again.
constexpr std::size_t kOften = 3;

// "mesh_dim_names", "globalMemBytes"; not "numpy", "TIMEOUT" or "PyTorch".
bool IsCompound(std::string_view name) {
  constexpr std::size_t kShortest = 7;
  if (name.size() < kShortest || name.ends_with('_') || name.starts_with('_')) return false;
  if (std::none_of(name.begin(), name.end(), IsLower)) return false;
  if (name.find('_') != name.npos) return true;
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (IsUpper(name[i]) && !IsUpper(name[i - 1])) return true;
  }
  return false;
}

std::string_view LastOf(std::string_view name) {
  const std::size_t mark = name.find_last_of(".:");
  return mark == name.npos ? name : name.substr(mark + 1);
}

bool IsName(const statement::Atom& atom) {
  return atom.in_code && (atom.kind == statement::AtomKind::kIdentifier ||
                          atom.kind == statement::AtomKind::kQualified);
}

// Words of the trade that are no project.
bool IsTerm(std::string_view word) {
  constexpr std::array<std::string_view, 30> kTerms = {
      "CUDA", "GPU", "GPUs", "CPU",  "CPUs", "API",  "APIs", "SM",   "SMs", "PTX",
      "SASS", "FP8", "FP16", "FP32", "FP64", "BF16", "TF32", "INT8", "FP4", "I",
      "C",    "CXX", "JSON", "RAM",  "OOM",  "MB",   "GB",   "KB",   "MiB", "GiB"};
  return IsOneOf(word, kTerms);
}

bool IsOwnWord(std::string_view lower) {
  constexpr std::array<std::string_view, 27> kWords = {
      "our",     "ours",   "my",     "mine",    "we",   "i",        "us",      "fork",    "wrapper",
      "package", "plugin", "script", "project", "tool", "repo",     "driver",  "install", "pip",
      "import",  "conda",  "apt",    "custom",  "own",  "internal", "private", "vendor",  "wraps"};
  return IsOneOf(lower, kWords);
}

// "`torch_*`", "`foo_<n>`", "`x{i}`": a pattern, not a name.
bool IsPattern(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::string_view kMarks = "*<{[$%";
  const bool is_after = end < text.size() && kMarks.find(text[end]) != kMarks.npos;
  const bool is_before =
      begin > 0 && (kMarks.find(text[begin - 1]) != kMarks.npos || text[begin - 1] == '}' ||
                    text[begin - 1] == '/' || text[begin - 1] == '-' || text[begin - 1] == '"');
  return is_after || is_before || (end < text.size() && (text[end] == '-' || text[end] == '/'));
}

}  // namespace

const NamesOfText& ClosedText::names() const {
  if (names_) return *names_;
  names_.emplace();
  for (std::size_t i = 0; i < statements_.all.size(); ++i) {
    const statement::Statement& statement = statements_.all[i];
    if (statement.kind == statement::StatementKind::kQuote) continue;
    std::optional<bool> is_explained;
    for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
      const std::string_view name = LastOf(atom.text);
      if (!IsName(atom) || atom.is_comment || !IsCompound(name)) continue;
      if (names_->seen.contains(name) || own_.names.contains(name)) continue;
      const auto known = names_->unseen.find(name);
      if (known != names_->unseen.end()) {
        if (++known->second > kOften) names_->has_subject = true;
        continue;
      }
      if (names_->seen.size() + names_->unseen.size() >= kMostNames) {
        names_->is_complete = false;
        break;
      }
      if (witness_.FindWord(name)) {
        names_->seen.emplace(name);
        continue;
      }
      names_->unseen.emplace(name, 1);
      // What another rule finds absent says nothing about the text.
      if (verdicts_(atom, i) != statement::Verdict::kUndecidable) continue;
      ++names_->unknown;
      if (!is_explained) is_explained = MentionsOthers(i);
      names_->unexplained += *is_explained ? 0 : 1;
    }
  }
  return *names_;
}

bool ClosedText::IsClosed() const {
  const std::size_t seen = names().seen.size();
  const std::size_t all = seen + names().unknown;
  if (!names().is_complete || names().has_subject || seen < kLeastSeen) return false;
  if (seen < kFewSeen) return all == seen + 1;
  return seen * 100 >= all * kLeastPercent && names().unexplained <= kMostUnexplained;
}

bool ClosedText::IsSourceWord(std::string_view word) const {
  const std::string folded = FoldSourceName(word);
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    for (const SourceName& name : witness_.NamesOf(source)) {
      // "Transformer" of "Transformer Engine"
      if (name.folded == folded) return true;
      if (name.is_project && folded.size() > 4 &&
          (name.folded.starts_with(folded) || name.folded.ends_with(folded))) {
        return true;
      }
    }
  }
  return false;
}

bool ClosedText::MentionsOthers(std::size_t number) const {
  const statement::Statement& here = statements_.all[number];
  std::size_t first = number;
  if (number > 0 && statements_.all[number - 1].group == here.group) --first;
  for (std::size_t i = first; i <= number; ++i) {
    const statement::Statement& statement = statements_.all[i];
    std::size_t begin = 0;
    bool is_first = true;
    for (std::size_t at = 0; at <= statement.text.size(); ++at) {
      const bool is_word = at < statement.text.size() && IsNameByte(statement.text[at]);
      if (is_word) continue;
      const std::string_view word = std::string_view(statement.text).substr(begin, at - begin);
      const bool starts = std::exchange(is_first, is_first && word.empty());
      const std::size_t from = std::exchange(begin, at + 1);
      if (word.empty() || statement::IsCodeAt(statement, from)) continue;
      const std::string lower = LowerCase(word);
      if (IsOwnWord(lower)) return true;
      const auto capitals = std::count_if(word.begin(), word.end(), IsUpper);
      const bool is_proper = capitals > 1 || (capitals == 1 && (!starts || !IsUpper(word[0])));
      if (!is_proper || IsTerm(word) || IsSourceWord(word)) continue;
      return true;
    }
  }
  return false;
}

bool ClosedText::HasOtherUnknown(std::size_t number) const {
  constexpr std::size_t kMostUnknown = 2;
  std::set<std::string_view> unknown;
  const std::vector<statement::Atom> atoms = statement::ExtractAtoms(statements_.all[number]);
  for (const statement::Atom& atom : atoms) {
    if (!atom.in_code) continue;
    if (IsName(atom)) {
      const std::string_view last = LastOf(atom.text);
      if (names().unseen.contains(last)) unknown.insert(last);
    } else if (verdicts_(atom, number) == statement::Verdict::kUndecidable) {
      return true;
    }
  }
  return unknown.size() > kMostUnknown;
}

bool ClosedText::IsAboutOthers(std::size_t number) const {
  if (!about_others_ || about_others_->first != number) {
    about_others_ = std::pair(number, MentionsOthers(number) || HasOtherUnknown(number));
  }
  return about_others_->second;
}

std::optional<statement::Judgement> ClosedText::Judge(const statement::Atom& atom,
                                                      std::size_t number,
                                                      const Topic& topic) const {
  const statement::Statement& statement = statements_.all[number];
  const std::string_view name = LastOf(atom.text);
  const bool is_prose = statement.kind == statement::StatementKind::kSentence ||
                        statement.kind == statement::StatementKind::kItem ||
                        statement.kind == statement::StatementKind::kCell;
  if (!is_prose || !IsName(atom) || !IsCompound(name)) return std::nullopt;
  if (own_.names.contains(name) || own_.names.contains(atom.text)) return std::nullopt;
  // "tiny::axis_labels" is a name of whatever "tiny" is.
  const std::vector<std::string> parts = SplitQualified(atom.text);
  if (parts.size() > 1 && !witness_.FindWord(parts.front())) return std::nullopt;
  const auto known = names().unseen.find(name);
  if (known == names().unseen.end() || known->second >= kOften || !IsClosed()) return std::nullopt;
  if (IsPattern(statement.text, atom.offset, atom.offset + atom.text.size())) return std::nullopt;
  if (IsAboutOthers(number)) return std::nullopt;
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (witness_.CountPassages(LowerCase(name), source) > 0) return std::nullopt;  // other case
  }
  statement::Judgement judgement = {
      .verdict = statement::Verdict::kAbsent,
      .message = fmt::format("no pinned source has `{}`", name),
      .reason = fmt::format("the sources have {} other names of the text, and {} are unknown",
                            names().seen.size(), names().unknown)};
  for (std::size_t source = 0; source < topic.names_source.size(); ++source) {
    if (!topic.Names(source)) continue;
    if (const std::optional<NearestTruth> nearest = NearestInSource(witness_, source, name)) {
      judgement.nearest = nearest->name;
      judgement.where = nearest->where;
      break;
    }
  }
  return judgement;
}

}  // namespace sibyl::audit
