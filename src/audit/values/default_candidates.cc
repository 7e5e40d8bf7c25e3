// SPDX-License-Identifier: Apache-2.0
// Finds the definitions that a claim may be about: part of values/default_judge.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "audit/values/default_judge.h"
#include "audit/values/default_words.h"
#include "base/ascii.h"
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

// "k: float = 1.0", of a parameter of one letter: cards have no such names.
std::optional<Definition> LetterDefinition(std::string_view text, const Sighting& at,
                                           std::string_view name) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool begins = text[i] == name[0] && i > 0 && !IsNameByte(text[i - 1]) &&
                        (text[i + 1] == ':' || text[i + 1] == '=');
    if (!begins) continue;
    const std::size_t end = text.find_first_of(",)\n", i);
    const std::size_t equals = text.find('=', i);
    if (end == text.npos || equals == text.npos || equals >= end) return std::nullopt;
    const std::string_view value = Trim(text.substr(equals + 1, end - equals - 1));
    Definition definition{.sighting = at,
                          .value = std::string(value),
                          .literal = ReadDefined(value, false),
                          .is_default = true};
    definition.sighting.text = std::string(Trim(text.substr(i, end - i)));
    return definition;
  }
  return std::nullopt;
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

bool IsBelow(std::string_view path, const std::set<std::string>& folders) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = path.find('/', at);
    if (end == path.npos) return false;
    if (folders.contains(std::string(path.substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
}

// The parameters with a default of the functions and classes of a file.
void AddParameters(std::string_view text, std::vector<std::string>& settings) {
  constexpr std::size_t kMost = 400;
  for (const cards::Definition& definition : cards::ReadDefinitions(text)) {
    for (const cards::Member& member : definition.members) {
      if (settings.size() >= kMost) return;
      const bool has_default =
          member.kind == cards::MemberKind::kParameter && !member.value.empty();
      if (has_default && std::ranges::find(settings, member.name) == settings.end()) {
        settings.push_back(member.name);
      }
    }
  }
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

std::vector<const OwnerDefinition*> DefaultJudge::DefinitionsFor(const std::string& owner,
                                                                 const Topic& topic) const {
  std::vector<const OwnerDefinition*> found = owners_.FindFor(owner, topic);
  // "te.LayerNormMLP": what a short prefix stands for is not said.
  constexpr std::size_t kShort = 5;
  const std::size_t point = owner.find('.');
  const bool is_alias = point <= kShort && owner.find('/') == owner.npos &&
                        point + 1 < owner.size() && owner.find('.', point + 1) == owner.npos;
  if (found.empty() && is_alias) found = owners_.FindFor(owner.substr(point + 1), topic);
  return found;
}

std::vector<Definition> DefaultJudge::FindOwned(const ValueClaim& claim, const std::string& owner,
                                                const Topic& topic) const {
  std::vector<Definition> found;
  const std::string plain = PlainName(claim.name);
  const std::string last = LastPart(owner);
  for (const OwnerDefinition* one : DefinitionsFor(owner, topic)) {
    if (!one->definition.Has(plain)) continue;
    const std::size_t name = FindWholeWord(one->text, last).value_or(0);
    const auto above = static_cast<std::size_t>(
        std::count(one->text.begin(), one->text.begin() + static_cast<std::ptrdiff_t>(name), '\n'));
    const Sighting at = {.source = one->source,
                         .path = one->path,
                         .line = one->definition.line > above ? one->definition.line - above : 1};
    if (plain.size() == 1) {
      if (auto definition = LetterDefinition(one->text, at, plain)) {
        found.push_back(*std::move(definition));
      }
      continue;
    }
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

// Settings that are named together are mostly defined together: of several definitions, those in
// the one file that has the others too.
void DefaultJudge::KeepFileOfOthers(const ValueClaim& claim, const std::vector<std::string>& beside,
                                    Candidates& found) const {
  constexpr std::size_t kLeast = 2;
  using File = std::pair<std::size_t, std::string>;
  std::map<File, std::size_t> counts;
  std::size_t known = 0;
  if (found.all.size() < 2 && !IsFlag(claim.name)) return;
  for (const std::string& other : beside) {
    std::set<File> files;
    for (const Definition& one : DefinitionsOf(other).all) {
      if (one.is_default) files.emplace(one.sighting.source, one.sighting.path);
    }
    known += files.empty() ? 0 : 1;
    for (const File& file : files) ++counts[file];
  }
  const Definition* best = nullptr;
  std::size_t most = 0;
  std::size_t second = 0;
  std::set<File> seen;
  for (const Definition& one : found.all) {
    const File file(one.sighting.source, one.sighting.path);
    if (!seen.insert(file).second) continue;
    const std::size_t count = counts.contains(file) ? counts[file] : 0;
    if (count > most) {
      second = most;
      most = count;
      best = &one;
    } else {
      second = std::max(second, count);
    }
  }
  // All of the others, and more than in the next best file.
  if (best == nullptr || most < kLeast || most <= second || most * 4 < known * 3) return;
  const File file(best->sighting.source, best->sighting.path);
  std::erase_if(found.all, [&](const Definition& one) {
    return File(one.sighting.source, one.sighting.path) != file;
  });
  found.is_owned = true;
}

// The options and distinctive names in code font near a claim.
std::vector<std::string> DefaultJudge::SettingsBeside(const statement::Statements& statements,
                                                      std::size_t number, const ValueClaim& claim) {
  constexpr std::size_t kReach = 8;
  constexpr std::size_t kMost = 6;
  std::vector<std::string> beside;
  const auto add = [&](std::size_t i) {
    if (statements.all[i].heading != statements.all[number].heading) return;
    for (CodeName& name : CodeNames(statements.all[i])) {
      const bool is_like = IsFlag(claim.name) ? name.text.starts_with("--")
                                              : name.text.find('_') != std::string::npos &&
                                                    name.text.find('/') == std::string::npos;
      const bool is_new =
          name.text != claim.name && std::ranges::find(beside, name.text) == beside.end();
      if (is_like && is_new && beside.size() < kMost) beside.push_back(std::move(name.text));
    }
  };
  add(number);
  for (std::size_t step = 1; step <= kReach && beside.size() < kMost; ++step) {
    if (number >= step) add(number - step);
    if (number + step < statements.all.size()) add(number + step);
  }
  return beside;
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
      AddParameters(witness_.ReadText(file), settings);
    }
    return settings;
  }
  for (const OwnerDefinition* one : DefinitionsFor(owner, topic)) {
    for (const cards::Member& member : one->definition.members) {
      if (member.kind == cards::MemberKind::kParameter ||
          member.kind == cards::MemberKind::kField) {
        settings.push_back(member.name);
      }
    }
  }
  return settings;
}

}  // namespace sibyl::audit
