// SPDX-License-Identifier: Apache-2.0
#include "audit/values/default_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "audit/family_table.h"
#include "audit/values/assigned_claims.h"
#include "audit/values/default_words.h"
#include "audit/values/documented_default.h"
#include "audit/values/matched_claims.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "cards/cards.h"

namespace sibyl::audit {
namespace {

bool IsOption(std::string_view name) { return name.starts_with('-'); }

// A name that other programs hardly have by chance.
bool IsDistinctive(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  const auto marks =
      std::count_if(name.begin(), name.end(), [](char c) { return c == '_' || c == '-'; });
  constexpr std::size_t kLong = 12;
  return marks >= 2 || (marks == 1 && name.size() >= kLong) ||
         std::any_of(name.begin(), name.end(), IsUpper);
}

// Whether a name tells its project by itself. "Undefined" and "BUILD_TESTS" do not.
bool IsOwn(std::string_view name) {
  const std::size_t mark = name.find('_');
  if (mark != name.npos && IsOneOf(name.substr(0, mark + 1), kSwitchPrefixes)) return false;
  const auto capitals = std::count_if(name.begin() + 1, name.end(), IsUpper);
  return mark != name.npos || capitals >= 1;
}

bool IsIdentifier(std::string_view text) {
  return !text.empty() && IsNameStart(text[0]) && std::ranges::all_of(text, IsNameByte);
}

std::string_view ShownLine(std::string_view line) {
  constexpr std::size_t kMost = 120;
  line = Trim(line);
  if (line.size() <= kMost) return line;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
  return line.substr(0, end);
}

}  // namespace

statement::Judgement DefaultJudge::Decide(const ValueClaim& claim,
                                          const Candidates& candidates) const {
  const Literal said = ReadSaid(claim.value);
  const Definition* differs = nullptr;
  bool are_comparable = true;
  bool do_agree = true;
  for (const Definition& one : candidates.all) {
    const std::optional<bool> same =
        one.literal ? AreEqual(said, *one.literal) : std::optional<bool>();
    if (!same) {
      are_comparable = false;
      continue;
    }
    if (*same) {
      return {.verdict = statement::Verdict::kSupported,
              .message = "the definition has this value",
              .where = witness_.Show(one.sighting),
              .reason = "a definition of the name in a source has this value"};
    }
    if (differs != nullptr) {
      do_agree = do_agree && AreEqual(*differs->literal, *one.literal).value_or(false);
    }
    if (differs == nullptr) differs = &one;
  }
  if (differs == nullptr) {
    return statement::Undecidable(
        fmt::format("no definition of `{}` has a value that can be compared", claim.name));
  }
  // Of an owner's few definitions none has the value.
  constexpr std::size_t kFew = 4;
  const bool is_none = candidates.is_owned && candidates.all.size() <= kFew;
  if (!are_comparable || (!do_agree && !is_none)) {
    return statement::Undecidable("the sources have several definitions of this name");
  }
  const bool is_certain = candidates.is_owned ||
                          (IsDistinctive(claim.name) &&
                           (candidates.is_named || (!IsOption(claim.name) && IsOwn(claim.name))));
  if (!is_certain) return statement::Undecidable("other programs may have the same name");
  if (!candidates.is_complete) {
    return statement::Undecidable("the name has more places than are read");
  }
  return {.verdict = statement::Verdict::kContradicted,
          .message = fmt::format("the definition of `{}` says otherwise: \"{}\"", claim.name,
                                 ShownLine(differs->sighting.text)),
          .nearest = std::string(ShownLine(differs->value.substr(0, differs->value.find("/*")))),
          .where = witness_.Show(differs->sighting),
          .reason = candidates.is_owned ? "the definition that the text is about has another value"
                                        : "every definition of the name has another value"};
}

std::vector<ValueClaim> DefaultJudge::FindMatched(const statement::Statements& statements,
                                                  std::size_t number, const Topic& topic) const {
  constexpr std::size_t kFurthest = 6;
  constexpr std::size_t kMostNamed = 8;
  const statement::Statement& here = statements.all[number];
  const bool has_value = std::ranges::any_of(here.text, IsDigit) || HasWordValue(here.text);
  if (!has_value || !HasValues(here)) return {};
  std::vector<SettingOwner> owners;
  std::set<std::string> known;
  for (std::size_t i = number + 1; i-- > 0 && number - i <= kFurthest;) {
    const statement::Statement& statement = statements.all[i];
    if (statement.heading != here.heading || owners.size() >= kMostNamed) break;
    std::vector<CodeName> names = CodeNames(statement);
    AddPlainClasses(statement, names);
    // A row is about what its first cell names.
    const bool is_cell = i == number && statement.kind == statement::StatementKind::kCell;
    if (is_cell && statement.context.size() > 1 && IsIdentifier(Trim(statement.context[1]))) {
      names.push_back({std::string(Trim(statement.context[1])), 0});
    }
    std::ranges::reverse(names);
    for (CodeName& name : names) {
      constexpr std::size_t kShortest = 3;
      const bool is_path = name.text.find('/') != std::string::npos;
      if (IsOption(name.text)) continue;
      if (!is_path && PlainName(name.text).size() < kShortest) continue;
      if (owners.size() >= kMostNamed) break;
      if (!known.insert(name.text).second) continue;
      std::vector<std::string> settings = SettingsOf(name.text, topic);
      if (settings.empty()) continue;
      owners.push_back(
          {.name = std::move(name.text), .settings = std::move(settings), .is_here = i == number});
    }
  }
  return MatchClaims(here, owners);
}

DefaultJudge::Assigned DefaultJudge::JudgeAssignment(const statement::Statements& statements,
                                                     std::size_t number, const ValueClaim& claim,
                                                     const Topic& topic) const {
  for (std::string& owner : NamesBefore(statements, number, claim.offset)) {
    if (IsOption(owner)) continue;
    Candidates candidates{.all = FindOwned(claim, owner, topic), .is_owned = true};
    if (candidates.all.empty()) continue;
    statement::Judgement judgement = Decide(claim, candidates);
    return {.owner = std::move(owner), .judgement = std::move(judgement)};
  }
  return {};
}

std::vector<JudgedNumber> DefaultJudge::JudgeAssigned(const statement::Statements& statements,
                                                      std::size_t number,
                                                      const Topic& topic) const {
  constexpr std::size_t kFurthest = 8;
  constexpr std::size_t kEnough = 2;
  std::vector<JudgedNumber> judged;
  const statement::Statement& here = statements.all[number];
  if (ReadAssignedClaims(here).empty()) return judged;
  struct Count {
    std::size_t same = 0;
    std::size_t other = 0;
  };
  std::map<std::string, Count> counts;
  std::vector<std::string> owners;  // of `judged`
  const std::size_t end = std::min(number + kFurthest + 1, statements.all.size());
  for (std::size_t i = number - std::min(number, kFurthest); i < end; ++i) {
    const statement::Statement& statement = statements.all[i];
    if (statement.heading != here.heading || !statement.IsProse()) continue;
    for (const ValueClaim& claim : ReadAssignedClaims(statement)) {
      if (IsSetting(statement.text, claim.offset) || IsConditional(statement.text, claim.offset) ||
          IsChosen(statement.text, claim)) {
        continue;
      }
      Assigned one = JudgeAssignment(statements, i, claim, topic);
      if (one.judgement.verdict == statement::Verdict::kUndecidable || one.owner.empty()) continue;
      ++(one.judgement.Fails() ? counts[one.owner].other : counts[one.owner].same);
      if (i != number) continue;
      one.judgement.code = "number/ungrounded";
      one.judgement.kind = "default";
      one.judgement.text = fmt::format("{} = {}", claim.name, claim.value);
      judged.push_back({.judgement = std::move(one.judgement), .offset = claim.offset});
      owners.push_back(std::move(one.owner));
    }
  }
  // A list of defaults has few that are wrong; otherwise these are values that somebody chose.
  std::vector<JudgedNumber> sure;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const Count& count = counts[owners[i]];
    const bool is_list = count.same >= kEnough && count.same > count.other;
    if (is_list || !judged[i].judgement.Fails()) sure.push_back(std::move(judged[i]));
  }
  return sure;
}

statement::Judgement DefaultJudge::JudgeClaim(const ValueClaim& claim, const Candidates& candidates,
                                              const OwnerLevels& owners) const {
  statement::Judgement judgement = Decide(claim, candidates);
  if (judgement.verdict != statement::Verdict::kUndecidable || !claim.is_default || claim.is_free) {
    return judgement;
  }
  auto documented = CompareDocumented(witness_, claim, owners[1]);
  const bool is_sure = documented && (!documented->Fails() || IsDistinctive(claim.name));
  return is_sure ? *std::move(documented) : judgement;
}

std::optional<JudgedNumber> DefaultJudge::JudgeOne(const statement::Statements& statements,
                                                   std::size_t number, ValueClaim& claim,
                                                   const std::vector<ValueClaim>& claims,
                                                   const Topic& topic) const {
  const statement::Statement& statement = statements.all[number];
  claim.sentence = statement.text;
  claim.sentence_before = SubjectBefore(statements, number);
  const OwnerLevels owners = OwnersOf(statements, number, claim, claims);
  // The options of a program are looked for in the folder that the sentence names.
  const bool is_option = claim.is_loose && IsOption(claim.name) && claim.owner.empty();
  Candidates candidates = claim.is_loose && !is_option ? FindLoose(claim, owners, topic)
                                                       : FindCandidates(claim, owners, topic);
  if (is_option && !candidates.is_owned) {
    KeepFileOfOthers(claim, SettingsBeside(statements, number, claim), candidates);
  }
  if (is_option && !candidates.is_owned) return std::nullopt;
  // The parameter of a function is no option of a program.
  if (IsOption(claim.name)) {
    std::erase_if(candidates.all, [](const Definition& one) { return !one.function.empty(); });
  }
  bool is_loose = claim.is_loose || claim.is_free;
  if (!claim.is_default && candidates.all.empty()) {
    claim.is_default = true;
    candidates =
        claim.is_free ? FindCandidates(claim, owners, topic) : FindLoose(claim, owners, topic);
    is_loose = true;
  }
  if (is_loose && candidates.all.empty()) return std::nullopt;
  JudgedNumber judged{.judgement = JudgeClaim(claim, candidates, owners), .offset = claim.offset};
  statement::Judgement& judgement = judged.judgement;
  if (judgement.verdict == statement::Verdict::kUndecidable && claim.is_default &&
      !candidates.is_owned) {
    KeepFileOfOthers(claim, SettingsBeside(statements, number, claim), candidates);
    if (candidates.is_owned) judgement = Decide(claim, candidates);
  }
  const bool is_conditional = IsConditional(statement.text, claim.offset);
  if (judgement.Fails() &&
      (is_conditional || (is_loose && IsSetting(statement.text, claim.offset)))) {
    judgement = statement::Undecidable("the sentence has a condition");
  }
  judgement.code = "number/ungrounded";
  judgement.kind = claim.is_default ? "default" : "number";
  judgement.text = fmt::format("{} = {}", claim.name, claim.value);
  return judged;
}

std::vector<JudgedNumber> DefaultJudge::Judge(const statement::Statements& statements,
                                              std::size_t number, const Topic& topic) const {
  std::vector<JudgedNumber> judged;
  const statement::Statement& statement = statements.all[number];
  if (!statement.IsProse() || statement.kind == statement::StatementKind::kHeading ||
      statement.kind == statement::StatementKind::kColumn) {
    return judged;
  }
  std::vector<ValueClaim> claims = ReadValueClaims(statement);
  if (claims.empty()) {
    // A clause goes on about the name that begins its paragraph or item.
    for (std::size_t i = number; i-- > 0 && statements.all[i].group == statement.group;) {
      const std::vector<CodeName> names = CodeNames(statements.all[i]);
      const bool is_first = i == 0 || statements.all[i - 1].group != statement.group;
      if (!is_first || names.empty()) continue;
      if (auto claim = ReadDefaultOf(statement, names[0].text)) claims.push_back(*claim);
    }
  }
  std::set<std::size_t> done;
  const auto judge = [&](ValueClaim& claim) {
    if (claim.is_loose && done.contains(claim.offset)) return;
    std::optional<JudgedNumber> one = JudgeOne(statements, number, claim, claims, topic);
    if (!one) return;
    done.insert(claim.offset);
    judged.push_back(*std::move(one));
  };
  for (ValueClaim& claim : claims) judge(claim);
  // What the words around a value describe decides where the form does not.
  for (const JudgedNumber& one : judged) {
    if (one.judgement.verdict == statement::Verdict::kUndecidable) done.erase(one.offset);
  }
  for (ValueClaim& claim : FindMatched(statements, number, topic)) {
    if (done.contains(claim.offset)) continue;
    std::optional<JudgedNumber> one = JudgeOne(statements, number, claim, claims, topic);
    if (!one || one->judgement.verdict == statement::Verdict::kUndecidable) continue;
    std::erase_if(judged, [&](const JudgedNumber& old) { return old.offset == claim.offset; });
    done.insert(claim.offset);
    judged.push_back(*std::move(one));
  }
  for (JudgedNumber& one : JudgeAssigned(statements, number, topic)) {
    if (done.insert(one.offset).second) judged.push_back(std::move(one));
  }
  return judged;
}

}  // namespace sibyl::audit
