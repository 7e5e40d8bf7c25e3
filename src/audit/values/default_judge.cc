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
#include "audit/values/documented_default.h"
#include "audit/values/matched_claims.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "cards/cards.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostOwners = 16;

bool IsFlag(std::string_view name) { return name.starts_with('-'); }

void AddNames(const statement::Statement& statement, const std::set<std::string>& claimed,
              std::vector<std::string>& owners) {
  for (CodeName& name : CodeNames(statement)) {
    if (owners.size() >= kMostOwners) return;
    if (claimed.contains(name.text) || IsFlag(name.text)) continue;
    owners.push_back(std::move(name.text));
  }
}

// "torch.utils.data.DataLoader arguments", "GradScaler parameters", "torchrun reminders"
void AddHeadingNames(std::string_view heading, std::vector<std::string>& owners) {
  for (std::size_t at = 0; at < heading.size() && owners.size() < kMostOwners;) {
    std::size_t end = at;
    while (end < heading.size() && (IsNameByte(heading[end]) || heading[end] == '.')) ++end;
    const std::string_view word = heading.substr(at, end - at);
    const bool has_point = word.find('.') != word.npos;
    const auto capitals = std::count_if(word.begin(), word.end(), IsUpper);
    const bool is_class = capitals >= 1 && std::any_of(word.begin(), word.end(), IsLower);
    const bool is_program = word.size() > 5 && capitals == 0;
    if (word.size() > 3 && (has_point || is_class || is_program || word.find('_') != word.npos)) {
      owners.emplace_back(word);
    }
    at = std::max(end, at + 1);
  }
}

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

// "When X is set, Y is on by default": not the default that the definition has.
bool IsConditional(std::string_view text, std::size_t offset) {
  const std::string lower = LowerCase(text.substr(0, offset));
  for (const std::string_view word : {"when ", "if ", "unless ", "whenever "}) {
    const std::size_t at = lower.find(word);
    if (at != std::string::npos && (at == 0 || !IsNameByte(lower[at - 1]))) return true;
  }
  return false;
}

// "use `x` = 3", "we set `x` to 3": not what happens by itself.
bool IsSetting(std::string_view text, std::size_t offset) {
  constexpr std::array<std::string_view, 24> kWords = {
      "set",      "setting", "call",    "use",   "give", "using",    "pass",  "passing",
      "we",       "our",     "i",       "my",    "run",  "try",      "raise", "lower",
      "increase", "change",  "changed", "tuned", "eg",   "override", "when",  "if"};
  if (LowerCase(text.substr(0, offset)).find("for example") != std::string::npos) return true;
  std::string word;
  std::string before;
  for (const char c : LowerCase(text.substr(0, offset)) + " ") {
    if (IsNameByte(c)) {
      word += c;
      continue;
    }
    if (IsOneOf(word, kWords)) return true;
    // "starts with 3" is what something does.
    if (word == "with" && !before.ends_with('s')) return true;
    if (!word.empty()) before = std::move(word);
    word.clear();
  }
  return false;
}

bool IsInteger(std::string_view value) {
  return !value.empty() && std::ranges::all_of(value, IsDigit);
}

// The text of a definition in Python without what is between triple quotes.
std::string WithoutDocstring(std::string_view text) {
  constexpr std::string_view kMark = "\"\"\"";
  std::string code;
  for (;;) {
    const std::size_t open = text.find(kMark);
    code += text.substr(0, open);
    if (open == text.npos) return code;
    const std::size_t close = text.find(kMark, open + kMark.size());
    if (close == text.npos) return code;
    text.remove_prefix(close + kMark.size());
  }
}

// Whether the code has the number: with the parameter in its line, or anywhere if it has more than
// one digit.
bool IsUsedIn(const OwnerDefinition& one, const ValueClaim& claim, std::string_view name) {
  const std::string code = WithoutDocstring(one.text);
  if (claim.value.size() > 1) return FindWholeWord(code, claim.value).has_value();
  return std::ranges::any_of(SplitLines(code), [&](std::string_view line) {
    return FindWholeWord(line, claim.value) && FindWholeWord(line, name);
  });
}

std::string LastPart(std::string_view name) {
  const std::size_t part = name.find_last_of(".:");
  return std::string(part == name.npos ? name : name.substr(part + 1));
}

// The words of a text that may be folders of a project: "BERT", "ConvNets".
std::set<std::string> FolderWords(std::string_view text) {
  constexpr std::size_t kShortest = 4;
  std::set<std::string> words;
  std::string word;
  bool is_first = true;
  for (const char c : std::string(text) + " ") {
    if (IsNameByte(c) || c == '-') {
      word += c;
      continue;
    }
    const auto capitals = std::count_if(word.begin(), word.end(), IsUpper);
    // The first word of a sentence has a capital anyway.
    const bool is_name = capitals > 1 || (capitals == 1 && !is_first);
    if (word.size() >= kShortest && is_name) words.insert(word);
    is_first = is_first && word.empty();
    word.clear();
  }
  return words;
}

// "Its `--lr` is 0.1" goes on about what the sentences before are about: the last of them that
// names something.
std::string_view SubjectBefore(const statement::Statements& statements, std::size_t number) {
  constexpr std::size_t kFurthest = 4;
  const statement::Statement& here = statements.all[number];
  const std::string_view text = here.text;
  const bool goes_on = text.starts_with("Its ") || text.starts_with("It ") ||
                       text.starts_with('-') || here.is_clause;
  for (std::size_t i = number; goes_on && i-- > 0 && number - i <= kFurthest;) {
    const statement::Statement& before = statements.all[i];
    if (before.heading != here.heading) break;
    if (!FolderWords(before.text).empty()) return before.text;
  }
  return {};
}

bool IsBelow(std::string_view path, const std::set<std::string>& folders) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = path.find('/', at);
    if (end == path.npos) return false;
    if (folders.contains(std::string(path.substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
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

DefaultJudge::OwnerLevels DefaultJudge::OwnersOf(const statement::Statements& statements,
                                                 std::size_t number, const ValueClaim& claim,
                                                 const std::vector<ValueClaim>& claims) {
  const statement::Statement& here = statements.all[number];
  std::set<std::string> claimed;
  for (const ValueClaim& other : claims) claimed.insert(other.name);
  OwnerLevels levels(4);
  // "in `A` `x` is 1; in `B` it is 2": the last one before the value, then the others.
  for (CodeName& name : CodeNames(here)) {
    if (claimed.contains(name.text) || IsFlag(name.text)) continue;
    if (name.offset < claim.offset) levels[0] = {name.text};
    if (levels[1].size() < kMostOwners) levels[1].push_back(std::move(name.text));
  }
  // The rest of the paragraph, and the text right before it.
  constexpr std::size_t kFurthest = 12;
  for (std::size_t i = number; i-- > 0 && number - i <= kFurthest;) {
    const statement::Statement& before = statements.all[i];
    if (before.heading != here.heading) break;
    AddNames(before, claimed, levels[2]);
  }
  for (std::size_t i = number + 1; i < statements.all.size() && i - number <= kFurthest; ++i) {
    const statement::Statement& behind = statements.all[i];
    if (behind.heading != here.heading) break;
    for (CodeName& name : CodeNames(behind)) {
      const bool is_path = name.text.find('/') != std::string::npos;
      if (is_path && levels[3].size() < kMostOwners) levels[3].push_back(std::move(name.text));
    }
  }
  for (std::uint32_t heading = here.heading; heading != 0;
       heading = statements.headings[heading].parent) {
    AddHeadingNames(statements.headings[heading].text, levels[3]);
  }
  return levels;
}

std::vector<Definition> DefaultJudge::FindOwned(const ValueClaim& claim, const std::string& owner,
                                                const Topic& topic) const {
  std::vector<Definition> found;
  const std::string plain = PlainName(claim.name);
  const std::string last = LastPart(owner);
  for (const OwnerDefinition* one : owners_.FindFor(owner, topic)) {
    if (!one->definition.Has(plain)) continue;
    const std::size_t name = FindWholeWord(one->text, last).value_or(0);
    const auto above = static_cast<std::size_t>(
        std::count(one->text.begin(), one->text.begin() + static_cast<std::ptrdiff_t>(name), '\n'));
    const Sighting at = {.source = one->source,
                         .path = one->path,
                         .line = one->definition.line > above ? one->definition.line - above : 1};
    // "Adam8bit" has 32 in its signature and hands 8 on.
    if (claim.is_loose && IsInteger(claim.value) && IsUsedIn(*one, claim, plain)) continue;
    for (Definition& definition : FindDefinitionsOf(one->text, at, plain)) {
      const std::string& function = definition.function;
      if (function.empty() || function == last || function == "__init__" || function == "__new__") {
        found.push_back(std::move(definition));
      }
    }
  }
  return found;
}

DefaultJudge::Candidates DefaultJudge::FindLoose(const ValueClaim& claim, const OwnerLevels& owners,
                                                 const Topic& topic) const {
  Candidates found = {.is_owned = true};
  if (claim.owner.find('/') != claim.owner.npos) {
    for (const Witness::File& file : witness_.FindFiles(claim.owner)) {
      for (Definition& one : FindDefinitionsIn(witness_, file, claim.name)) {
        if (one.is_default) found.all.push_back(std::move(one));
      }
    }
    return found;
  }
  if (!claim.owner.empty()) {
    found.all = FindOwned(claim, claim.owner, topic);
    return found;
  }
  for (std::size_t level = 0; level < 4; ++level) {
    for (const std::string& owner : owners[level]) {
      for (Definition& one : FindOwned(claim, owner, topic)) found.all.push_back(std::move(one));
    }
    if (!found.all.empty()) return found;
  }
  return found;
}

Definitions DefaultJudge::DefinitionsOf(const std::string& name) const {
  {
    const MutexLock lock(mutex_);
    if (const auto known = definitions_.find(name); known != definitions_.end()) {
      return known->second;
    }
  }
  Definitions found = FindDefinitions(witness_, name);
  const MutexLock lock(mutex_);
  return definitions_.emplace(name, std::move(found)).first->second;
}

std::vector<Witness::File> DefaultJudge::FilesOf(const std::string& owner) const {
  {
    const MutexLock lock(mutex_);
    if (const auto known = homes_.find(owner); known != homes_.end()) return known->second;
  }
  std::vector<Witness::File> found = HomesOf(witness_, owner);
  const MutexLock lock(mutex_);
  return homes_.emplace(owner, std::move(found)).first->second;
}

DefaultJudge::Candidates DefaultJudge::FindCandidates(const ValueClaim& claim,
                                                      const OwnerLevels& owners,
                                                      const Topic& topic) const {
  constexpr std::size_t kMostFiles = 3;
  const auto is_wanted = [&](const Definition& one) {
    return claim.is_default ? one.is_default : one.is_constant;
  };
  Candidates found;
  for (const std::vector<std::string>& level : owners) {
    if (!claim.is_default) break;
    for (const std::string& owner : level) {
      std::vector<Witness::File> files = witness_.FindFiles(owner);
      const bool is_path = !files.empty();
      std::vector<Definition> owned;
      if (!is_path && !IsFlag(claim.name)) owned = FindOwned(claim, owner, topic);
      if (!owned.empty()) {
        for (Definition& one : owned) found.all.push_back(std::move(one));
        continue;
      }
      if (!is_path) files = FilesOf(owner);
      if (is_path && files.size() > kMostFiles) continue;
      for (const Witness::File& file : files) {
        for (Definition& one : FindDefinitionsIn(witness_, file, claim.name)) {
          const bool is_theirs = is_path || IsFlag(claim.name) || IsWithin(witness_, one, owner);
          if (is_wanted(one) && is_theirs) found.all.push_back(std::move(one));
        }
      }
    }
    if (!found.all.empty()) {
      found.is_owned = true;
      return found;
    }
  }
  // The parameter of something that no source has may be another one.
  const bool is_foreign =
      claim.is_default && std::ranges::any_of(owners[0], [&](const std::string& owner) {
        return !witness_.FindWord(PlainName(owner)) && witness_.FindFiles(owner).empty();
      });
  if (is_foreign) return found;
  Definitions all = DefinitionsOf(claim.name);
  std::erase_if(all.all, [&](const Definition& one) { return !is_wanted(one); });
  const bool has_named = std::ranges::any_of(
      all.all, [&](const Definition& one) { return topic.names_source[one.sighting.source]; });
  if (has_named) {
    std::erase_if(all.all,
                  [&](const Definition& one) { return !topic.names_source[one.sighting.source]; });
  }
  // "The ConvNets example has `--data-backend`": its folder decides.
  for (const std::string_view text : {claim.sentence, claim.sentence_before}) {
    const std::set<std::string> folders = FolderWords(text);
    const auto is_below = [&](const Definition& one) {
      return IsBelow(one.sighting.path, folders);
    };
    if (!claim.is_default || !std::ranges::any_of(all.all, is_below)) continue;
    std::erase_if(all.all, [&](const Definition& one) { return !is_below(one); });
    found.is_owned = true;
    break;
  }
  found.all = std::move(all.all);
  found.is_named = has_named;
  found.is_complete = all.is_complete;
  return found;
}

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
  const bool is_certain =
      candidates.is_owned || (IsDistinctive(claim.name) &&
                              (candidates.is_named || (!IsFlag(claim.name) && IsOwn(claim.name))));
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

// The parameters and fields of a class or function, the options of a script.
std::vector<std::string> DefaultJudge::SettingsOf(const std::string& owner,
                                                  const Topic& topic) const {
  constexpr std::size_t kMostFiles = 2;
  std::vector<std::string> settings;
  if (owner.find('/') != owner.npos) {
    const std::vector<Witness::File> files = witness_.FindFiles(owner);
    if (files.size() > kMostFiles) return settings;
    for (const Witness::File& file : files) {
      for (cards::Card& card : cards::ReadCards(witness_.ReadText(file))) {
        if (card.kind == cards::CardKind::kOption) settings.push_back(std::move(card.name));
      }
    }
    return settings;
  }
  for (const OwnerDefinition* one : owners_.FindFor(owner, topic)) {
    for (const cards::Member& member : one->definition.members) {
      if (member.kind == cards::MemberKind::kParameter ||
          member.kind == cards::MemberKind::kField) {
        settings.push_back(member.name);
      }
    }
  }
  return settings;
}

std::vector<ValueClaim> DefaultJudge::FindMatched(const statement::Statements& statements,
                                                  std::size_t number, const Topic& topic) const {
  constexpr std::size_t kFurthest = 6;
  constexpr std::size_t kMostNamed = 8;
  const statement::Statement& here = statements.all[number];
  const bool has_value =
      std::ranges::any_of(here.text, IsDigit) || here.text.find("default") != here.text.npos;
  if (!has_value) return {};
  std::vector<SettingOwner> owners;
  std::set<std::string> known;
  for (std::size_t i = number + 1; i-- > 0 && number - i <= kFurthest;) {
    const statement::Statement& statement = statements.all[i];
    if (statement.heading != here.heading || owners.size() >= kMostNamed) break;
    std::vector<CodeName> names = CodeNames(statement);
    std::ranges::reverse(names);
    for (CodeName& name : names) {
      constexpr std::size_t kShortest = 3;
      const bool is_path = name.text.find('/') != std::string::npos;
      if (IsFlag(name.text)) continue;
      if (!is_path && LastPart(name.text).size() < kShortest) continue;
      if (owners.size() >= kMostNamed) break;
      if (!known.insert(name.text).second) continue;
      std::vector<std::string> settings = SettingsOf(name.text, topic);
      if (settings.empty() && !is_path && name.text.find('.') != std::string::npos) {
        // "te.LayerNormMLP": what the prefix stands for is not said.
        name.text = LastPart(name.text);
        settings = SettingsOf(name.text, topic);
      }
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
    if (IsFlag(owner)) continue;
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
      if (IsSetting(statement.text, claim.offset) || IsConditional(statement.text, claim.offset)) {
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
  if (judgement.verdict != statement::Verdict::kUndecidable || !claim.is_default) return judgement;
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
  const bool is_option = claim.is_loose && IsFlag(claim.name) && claim.owner.empty();
  Candidates candidates = claim.is_loose && !is_option ? FindLoose(claim, owners, topic)
                                                       : FindCandidates(claim, owners, topic);
  if (is_option && !candidates.is_owned) return std::nullopt;
  // The parameter of a function is no option of a program.
  if (IsFlag(claim.name)) {
    std::erase_if(candidates.all, [](const Definition& one) { return !one.function.empty(); });
  }
  bool is_loose = claim.is_loose;
  if (!claim.is_default && candidates.all.empty()) {
    candidates = FindLoose(claim, owners, topic);
    is_loose = claim.is_default = true;
  }
  if (is_loose && candidates.all.empty()) return std::nullopt;
  JudgedNumber judged{.judgement = JudgeClaim(claim, candidates, owners), .offset = claim.offset};
  statement::Judgement& judgement = judged.judgement;
  const bool is_conditional = claim.is_default && IsConditional(statement.text, claim.offset);
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
