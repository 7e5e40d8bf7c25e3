// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "base/whole_word.h"
#include "passages/language.h"

namespace sibyl::audit {
namespace {

// More places of a name than this are not read: then it is too common.
constexpr std::size_t kMaxPlaces = 12'000;
constexpr std::size_t kMaxFiles = 24;
constexpr std::size_t kMaxOwnerDefinitions = 16;
constexpr int kMaxDepth = 4;

// Bases that add nothing a text would name.
constexpr std::array<std::string_view, 16> kPlainBases = {
    "object",  "ABC",        "Protocol",     "Generic",   "NamedTuple", "Enum",
    "IntEnum", "str",        "int",          "Exception", "IntFlag",    "Flag",
    "StrEnum", "ValueError", "RuntimeError", "tuple"};

bool LooksLikeDefinition(std::string_view line, std::string_view name) {
  const std::optional<std::size_t> at = FindWholeWord(line, name);
  if (!at) return false;
  const std::string_view before = Trim(line.substr(0, *at));
  const std::string_view after = Trim(line.substr(*at + name.size()));
  for (const std::string_view key : {"class", "struct", "enum", "union", "def", "typedef"}) {
    const std::size_t word = before.rfind(key);
    if (word == before.npos || (word > 0 && IsWordByte(before[word - 1]))) continue;
    if (before.substr(word + key.size()).find_first_of("<>,=") == before.npos) return true;
  }
  if (before.ends_with("}") || (before.ends_with("using") && after.starts_with("="))) return true;
  if (!after.starts_with("(")) return false;
  if (before.empty()) return true;  // its type may be in the line above
  const char last = before.back();
  return IsWordByte(last) || last == '*' || last == '&' || last == '>';
}

bool IsTestPath(std::string_view path) {
  const std::string lower = "/" + LowerCase(path);
  for (const std::string_view part :
       {"/test", "_test.", "test_", "/example", "/benchmark", "/mock", "/sample"}) {
    if (lower.find(part) != lower.npos) return true;
  }
  return false;
}

template <typename Predicate>
void KeepIfAny(std::vector<OwnerDefinition>& definitions, const Predicate& keep) {
  if (std::none_of(definitions.begin(), definitions.end(), keep)) return;
  std::erase_if(definitions, [&](const OwnerDefinition& one) { return !keep(one); });
}

// The definitions that a dotted name means, if the path tells: those in the
// module, or the method of the class.
void Narrow(const std::vector<std::string>& parts, std::vector<OwnerDefinition>& definitions) {
  KeepIfAny(definitions, [](const OwnerDefinition& one) { return !IsTestPath(one.path); });
  if (parts.size() < 2) {
    KeepIfAny(definitions, [](const OwnerDefinition& one) { return one.definition.owner.empty(); });
    return;
  }
  const std::string& around = parts[parts.size() - 2];
  const auto is_method = [&](const OwnerDefinition& one) {
    return one.definition.owner == around || one.definition.owner.ends_with("." + around);
  };
  if (std::any_of(definitions.begin(), definitions.end(), is_method)) {
    std::erase_if(definitions, [&](const OwnerDefinition& one) { return !is_method(one); });
    return;
  }
  KeepIfAny(definitions, [](const OwnerDefinition& one) { return one.definition.owner.empty(); });
  const std::string module = Join({parts.begin(), parts.end() - 1}, "/");
  const auto below = [&](std::string_view path, std::string_view ending) {
    return ("/" + std::string(path)).find("/" + module + std::string(ending)) != std::string::npos;
  };
  KeepIfAny(definitions, [&](const OwnerDefinition& one) { return below(one.path, ""); });
  KeepIfAny(definitions, [&](const OwnerDefinition& one) {
    return below(one.path, ".py") || below(one.path, "/__init__.py");
  });
}

}  // namespace

std::vector<std::string> SplitQualified(std::string_view name) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= name.size()) {
    const std::size_t end = std::min(name.find_first_of(".:", at), name.size());
    if (end > at) parts.emplace_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

void Owners::AddDefinitions(std::size_t source, std::string_view path, std::string_view name,
                            Definitions& definitions) const {
  for (const Witness::File& file : witness_.FindFiles(path)) {
    if (file.source != source || file.path != path) continue;
    const std::string text = witness_.ReadText(file);
    const std::string_view language = passages::Classify(path, text).language;
    for (cards::Definition& found : cards::ReadDefinitionsOf(name, language, text)) {
      std::string body = text.substr(found.begin, found.end - found.begin);
      definitions.push_back({.source = source,
                             .path = std::string(path),
                             .definition = std::move(found),
                             .text = std::move(body)});
    }
  }
}

namespace {

// "from .autocast_mode import (autocast, other as alias)": the qualified name of what a module
// imports under `name`; empty if it does not.
std::vector<std::string> ImportOf(std::string_view text, std::string_view name,
                                  const std::vector<std::string>& package) {
  constexpr std::size_t kLongest = 4000;
  for (std::size_t at = text.find("from "); at != text.npos; at = text.find("from ", at + 1)) {
    if (at > 0 && text[at - 1] != '\n' && text[at - 1] != ' ') continue;
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, line_end - at);
    const std::size_t import = line.find(" import ");
    if (import == line.npos) continue;
    std::string_view names = line.substr(import + 8);
    if (Trim(names).starts_with('(')) {
      const std::size_t open = at + import + 8;
      const std::size_t close = std::min(text.find(')', open), text.size());
      if (close - open > kLongest) continue;
      names = text.substr(open, close - open);
    }
    const std::optional<std::size_t> word = FindWholeWord(names, name);
    if (!word) continue;
    // "a as name": the module has it as "a".
    std::string_view before = Trim(names.substr(0, *word));
    std::string original(name);
    if (before.ends_with(" as")) {
      before = Trim(before.substr(0, before.size() - 3));
      original = std::string(before.substr(before.find_last_of(" ,(\n") + 1));
    } else if (Trim(names.substr(*word + name.size())).starts_with("as ")) {
      continue;
    }
    std::string_view module = Trim(line.substr(5, import - 5));
    std::vector<std::string> parts;
    std::size_t dots = 0;
    while (dots < module.size() && module[dots] == '.') ++dots;
    if (dots > package.size() + 1) continue;
    if (dots > 0) {
      parts.assign(package.begin(), package.end() - static_cast<std::ptrdiff_t>(dots - 1));
    }
    for (std::string& part : SplitQualified(module.substr(dots))) parts.push_back(std::move(part));
    parts.push_back(std::move(original));
    return parts;
  }
  return {};
}

}  // namespace

// "torch.profiler.profile": in the file of the module, or where the module imports it from.
Owners::Definitions Owners::ReadInModule(std::size_t source, const std::vector<std::string>& parts,
                                         int depth) const {
  constexpr std::size_t kMaxModuleFiles = 80;
  const std::string module = Join({parts.begin(), parts.end() - 1}, "/");
  Definitions definitions;
  for (const std::string_view root : {"", "src/", "python/", "lib/"}) {
    const std::string folder = std::string(root) + module;
    AddDefinitions(source, folder + ".py", parts.back(), definitions);
    AddDefinitions(source, folder + "/__init__.py", parts.back(), definitions);
    if (!definitions.empty()) return definitions;
    std::string imports;
    for (const std::string& path : {folder + "/__init__.py", folder + ".py"}) {
      for (const Witness::File& file : witness_.FindFiles(path)) {
        if (file.source != source || file.path != path) continue;
        imports = witness_.ReadText(file);
        std::vector<std::string> package(parts.begin(), parts.end() - 1);
        if (path.ends_with(folder + ".py") && !package.empty()) package.pop_back();
        const std::vector<std::string> imported = ImportOf(imports, parts.back(), package);
        if (imported.size() < 2 || imported == parts || depth >= kMaxDepth) continue;
        definitions = ReadInModule(source, imported, depth + 1);
        if (!definitions.empty()) return definitions;
      }
    }
    const std::vector<std::string> files = witness_.FilesIn(source, folder);
    for (std::size_t i = 0; i < std::min(files.size(), kMaxModuleFiles); ++i) {
      if (!files[i].ends_with(".py")) continue;
      const std::string_view stem = std::string_view(files[i]).substr(0, files[i].size() - 3);
      if (imports.find(fmt::format(".{} import", stem)) == imports.npos) continue;
      AddDefinitions(source, folder + "/" + files[i], parts.back(), definitions);
    }
    std::erase_if(definitions,
                  [](const OwnerDefinition& one) { return !one.definition.owner.empty(); });
    if (!definitions.empty()) return definitions;
  }
  return definitions;
}

const Owners::Definitions& Owners::ReadIn(std::size_t source, std::string_view name) const {
  const std::pair key(source, std::string(name));
  {
    MutexLock lock(mutex_);
    const auto known = read_.find(key);
    if (known != read_.end()) return *known->second;
  }
  auto read = std::make_unique<Definitions>(ReadInNow(source, name));
  MutexLock lock(mutex_);
  return *read_.emplace(key, std::move(read)).first->second;
}

Owners::Definitions Owners::ReadInNow(std::size_t source, std::string_view name) const {
  Definitions definitions;
  const std::string lower = LowerCase(name);
  if (witness_.CountPassages(lower, source) > kMaxPlaces) return definitions;
  std::set<std::string> paths;
  witness_.VisitWord(name, source, kMaxPlaces, [&](const Sighting& sighting) {
    if (LooksLikeDefinition(sighting.text, name)) paths.insert(sighting.path);
    return paths.size() <= kMaxFiles;
  });
  if (paths.size() > kMaxFiles) return definitions;
  for (const std::string& path : paths) AddDefinitions(source, path, name, definitions);
  return definitions;
}

Owners::Definitions Owners::FindNow(std::string_view owner) const {
  const std::vector<std::string> parts = SplitQualified(owner);
  if (parts.empty() || parts.back().size() < 3) return {};
  std::optional<std::size_t> home;
  if (parts.size() > 1) {
    const bool is_scoped = owner.find("::") != owner.npos;
    home = (is_scoped ? families_.OfNamespace(parts.front()) : families_.OfPackage(parts.front()))
               .home;
  }
  Definitions definitions;
  // "Owner::Inner" is a type of a type, whose home its own name tells.
  const bool is_nested = parts.size() > 1 && IsUpper(parts.front().front());
  if (parts.size() > 1 && !home && !is_nested) return definitions;
  if (home && owner.find("::") == owner.npos) {
    definitions = ReadInModule(*home, parts, 0);
    std::erase_if(definitions,
                  [](const OwnerDefinition& one) { return !one.definition.owner.empty(); });
    if (!definitions.empty()) return definitions;
  }
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (home && *home != source) continue;
    const Definitions& here = ReadIn(source, parts.back());
    definitions.insert(definitions.end(), here.begin(), here.end());
  }
  Narrow(parts, definitions);
  // A function that its module does not define may be made at run time, and
  // another of its name is not it.
  const bool is_module = home && owner.find("::") == owner.npos && !IsUpper(parts.back().front());
  if (is_module && definitions.size() > 1) definitions.clear();
  if (is_nested && !home) {
    std::erase_if(definitions, [&](const OwnerDefinition& one) {
      return one.definition.owner != parts[parts.size() - 2];
    });
  }
  if (definitions.size() > kMaxOwnerDefinitions) definitions.clear();
  return definitions;
}

const Owners::Definitions& Owners::Find(std::string_view owner) const {
  {
    MutexLock lock(mutex_);
    const auto known = known_.find(owner);
    if (known != known_.end()) return *known->second;
  }
  auto found = std::make_unique<Definitions>(FindNow(owner));
  MutexLock lock(mutex_);
  return *known_.emplace(owner, std::move(found)).first->second;
}

std::vector<const OwnerDefinition*> Owners::FindFor(std::string_view owner,
                                                    const Topic& topic) const {
  constexpr std::size_t kDistinctive = 12;
  const Definitions& all = Find(owner);
  std::vector<const OwnerDefinition*> found;
  const bool is_bare = owner.find_first_of(".:") == owner.npos || IsUpper(owner.front());
  const bool is_one_source = std::all_of(all.begin(), all.end(), [&](const OwnerDefinition& one) {
    return one.source == all.front().source;
  });
  // "Path" and "Event" are classes of every project.
  constexpr std::size_t kShort = 5;
  const bool is_short = SplitQualified(owner).back().size() <= kShort &&
                        std::count_if(owner.begin(), owner.end(), IsUpper) < 2;
  const bool is_distinctive = is_one_source && owner.size() >= kDistinctive &&
                              std::any_of(owner.begin(), owner.end(), IsUpper);
  // "cudaDeviceProp" is what the home of its family defines, whoever else has the name.
  const std::optional<std::size_t> home =
      is_bare ? families_.OfName(owner, statement::AtomUse::kMention, topic).home : std::nullopt;
  if (home) {
    for (const OwnerDefinition& one : all) {
      if (one.source == *home) found.push_back(&one);
    }
    if (!found.empty()) return found;
  }
  for (const OwnerDefinition& one : all) {
    const bool is_meant = !is_bare || is_distinctive ||
                          (is_short ? topic.names_source[one.source] : topic.Names(one.source));
    if (is_meant && (!is_bare || !IsTestPath(one.path))) found.push_back(&one);
  }
  return found;
}

bool Owners::IsRecord(std::string_view owner, const Topic& topic) const {
  const std::vector<const OwnerDefinition*> definitions = FindFor(owner, topic);
  return !definitions.empty() &&
         std::none_of(definitions.begin(), definitions.end(), [](const OwnerDefinition* one) {
           return one->definition.kind == cards::DefinitionKind::kFunction;
         });
}

MemberAnswer Owners::Ask(std::string_view owner, std::string_view member, Belonging belonging,
                         const Topic& topic) const {
  MemberAnswer answer;
  const std::vector<const OwnerDefinition*> definitions = FindFor(owner, topic);
  if (definitions.empty()) return answer;
  answer.verdict = MemberAnswer::Verdict::kHasNot;
  answer.source = definitions.front()->source;
  for (const OwnerDefinition* one : definitions) {
    AskOne(*one, member, belonging, 0, answer);
    if (answer.verdict == MemberAnswer::Verdict::kHas) return answer;
  }
  return answer;
}

void Owners::AskOne(const OwnerDefinition& owner, std::string_view member, Belonging belonging,
                    int depth, MemberAnswer& answer) const {
  using Verdict = MemberAnswer::Verdict;
  const cards::Definition& definition = owner.definition;
  if (answer.where.empty() || definition.Has(member)) {
    answer.where =
        fmt::format("{} {}:{}", witness_.ShowSource(owner.source), owner.path, definition.line);
  }
  for (const cards::Member& known : definition.members) {
    answer.members.push_back(known.name);
    if (known.name != member) continue;
    answer.kind = cards::MemberKindName(known.kind);
    answer.verdict = Verdict::kHas;
    return;
  }
  // Smaller verdicts say more.
  const auto lower = [&](Verdict verdict) { answer.verdict = std::min(answer.verdict, verdict); };
  const bool is_record = definition.kind == cards::DefinitionKind::kType;
  const bool has_constructor = definition.Has("__init__");
  const bool is_c = !owner.path.ends_with(".py") && !owner.path.ends_with(".pyi");
  // What can be passed is in the signature of Python, whatever the text below it mentions.
  const bool is_signature =
      belonging == Belonging::kKeyword && !is_c && !definition.has_open_parameters &&
      (definition.kind == cards::DefinitionKind::kFunction || has_constructor);
  if (belonging == Belonging::kKeyword) belonging = Belonging::kParameter;
  if (!is_signature && FindWholeWord(owner.text, member)) lower(Verdict::kMentions);
  if (belonging != Belonging::kMember) {
    if (definition.has_open_parameters) lower(Verdict::kOpen);
    if (is_record && is_c && belonging == Belonging::kParameter) lower(Verdict::kOpen);
  }
  if (belonging != Belonging::kParameter && definition.has_open_members) lower(Verdict::kOpen);
  const bool needs_bases = belonging != Belonging::kParameter || !has_constructor ||
                           definition.kind == cards::DefinitionKind::kAlias;
  if (needs_bases) AskBases(owner, member, belonging, depth, answer);
}

void Owners::AskBases(const OwnerDefinition& owner, std::string_view member, Belonging belonging,
                      int depth, MemberAnswer& answer) const {
  using Verdict = MemberAnswer::Verdict;
  for (const std::string& base : owner.definition.bases) {
    const std::vector<std::string> parts = SplitQualified(base);
    const std::string name = parts.empty() ? base : parts.back();
    if (std::find(kPlainBases.begin(), kPlainBases.end(), name) != kPlainBases.end()) continue;
    Definitions found;
    if (depth < kMaxDepth && name.size() > 2) found = ReadIn(owner.source, name);
    for (std::size_t source = 0; found.empty() && source < witness_.sources().size(); ++source) {
      if (depth < kMaxDepth && source != owner.source) found = ReadIn(source, name);
    }
    std::erase_if(found, [](const OwnerDefinition& one) {
      return one.definition.kind == cards::DefinitionKind::kFunction;
    });
    Narrow({name}, found);
    const std::string folder = owner.path.substr(0, owner.path.rfind('/') + 1);
    KeepIfAny(found, [&](const OwnerDefinition& one) { return one.path.starts_with(folder); });
    if (found.empty() || found.size() > kMaxOwnerDefinitions) {
      // "torch._C._X" is made by the source's own bindings.
      const bool is_own =
          parts.size() > 1 && families_.OfPackage(parts.front()).home == owner.source;
      const bool is_here = !found.empty() || is_own || witness_.FindText("class " + name);
      answer.verdict = std::min(answer.verdict, is_here ? Verdict::kOpen : Verdict::kForeign);
      continue;
    }
    for (const OwnerDefinition& one : found) {
      AskOne(one, member, belonging, depth + 1, answer);
      if (answer.verdict == Verdict::kHas) return;
    }
  }
}

}  // namespace sibyl::audit
