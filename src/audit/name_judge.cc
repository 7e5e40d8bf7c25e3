// SPDX-License-Identifier: Apache-2.0
#include "audit/name_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "audit/family_table.h"
#include "audit/nearest.h"
#include "audit/owners/owner.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

constexpr std::string_view kUnknown = "ident/unknown";
constexpr std::string_view kWholeName = "the qualified name occurs there";

// Everything that a judgement depends on.
std::string KeyOf(const statement::Atom& atom, const Topic& topic, const statement::OwnNames& own) {
  std::string key = fmt::format("{} {} {} {}{}{}{} {} ", atom.text, static_cast<int>(atom.kind),
                                static_cast<int>(atom.use), topic.is_cmake ? 'm' : '-',
                                topic.is_cmake_near ? 'n' : '-', topic.is_prose ? 'p' : '-',
                                topic.is_cuda ? 'c' : '-', atom.tool);
  for (const bool named : topic.names_source) key += named ? '1' : '0';
  for (const bool named : topic.names_anywhere) key += named ? '1' : '0';
  const std::string_view root =
      std::string_view(atom.text).substr(0, atom.text.find_first_of(".:"));
  const std::size_t last = atom.text.find_last_of(".:");
  const std::string_view tail =
      last == std::string::npos ? root : std::string_view(atom.text).substr(last + 1);
  key += own.names.contains(root) || own.names.contains(tail) ? 'o' : '-';
  const auto alias = own.aliases.find(root);
  if (alias != own.aliases.end()) key += alias->second;
  return key;
}

// Lines that show that a variable comes from the environment.
bool ReadsEnvironment(const Sighting& sighting, std::string_view name) {
  // In quotes it may be an argument, such as of getenv.
  if (sighting.text.find(fmt::format("\"{}\"", name)) != std::string::npos) return true;
  if (sighting.text.find(fmt::format("'{}'", name)) != std::string::npos) return true;
  constexpr std::array<std::string_view, 9> kMarks = {"getenv",   "environ", "$ENV{",
                                                      "export ",  "ENV ",    "nvironment",
                                                      "env_flag", "GetEnv",  "setenv"};
  return std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
    return sighting.text.find(mark) != std::string::npos;
  });
}

// "from tvm.tir import *": all names of a module that is not below this one.
bool TakesOver(std::string_view init) {
  for (std::size_t at = init.find("import *"); at != init.npos;
       at = init.find("import *", at + 1)) {
    const std::size_t line = at == 0 ? 0 : init.rfind('\n', at - 1) + 1;
    const std::string_view from = Trim(init.substr(line, at - line));
    if (from.starts_with("from ") && !from.starts_with("from .")) return true;
  }
  return false;
}

}  // namespace

statement::Judgement NameJudge::Found(const Sighting& sighting, std::string reason) const {
  return {.verdict = statement::Verdict::kSupported,
          .message = std::string(statement::kSeen),
          .where = witness_.Show(sighting),
          .reason = std::move(reason)};
}

statement::Judgement NameJudge::Absent(std::string_view name, std::size_t home,
                                       std::string reason) const {
  statement::Judgement judgement = {
      .verdict = statement::Verdict::kAbsent,
      .message = fmt::format("`{}` does not occur in {}", name, witness_.ShowSource(home)),
      .reason = std::move(reason)};
  if (const std::optional<NearestTruth> nearest = NearestInSource(witness_, home, name)) {
    judgement.nearest = nearest->name;
    judgement.where = nearest->where;
  }
  return judgement;
}

// `prefix` is "torch.cuda.". A name from elsewhere would make the whole an invention: the nearest
// is one that the source writes with the prefix, or that a file of the module has.
statement::Judgement NameJudge::AbsentIn(std::string_view prefix, std::string_view name,
                                         const Ruling& ruling) const {
  const std::size_t home = *ruling.home;
  statement::Judgement judgement = {
      .verdict = statement::Verdict::kAbsent,
      .message = fmt::format("`{}` does not occur in {}", name, witness_.ShowSource(home)),
      .reason = ruling.reason};
  std::string module(prefix.substr(0, prefix.size() - 1));
  const bool is_package = module.find('.') == std::string::npos;
  std::replace(module.begin(), module.end(), '.', '/');
  const auto find = [&](std::string_view real) -> std::optional<Sighting> {
    if (auto whole = witness_.FindText(fmt::format("{}{}", prefix, real), home)) return whole;
    if (is_package) return std::nullopt;
    constexpr std::size_t kMost = 2'000;
    std::optional<Sighting> inside;
    witness_.VisitWord(real, home, kMost, [&](const Sighting& sighting) {
      const std::string_view path = sighting.path;
      if (path.starts_with(module + "/") || path.starts_with(module + ".py")) inside = sighting;
      return !inside;
    });
    return inside;
  };
  if (const std::optional<NearestTruth> nearest = NearestInSource(witness_, home, name, find)) {
    judgement.nearest = fmt::format("{}{}", prefix, nearest->name);
    judgement.where = nearest->where;
  }
  return judgement;
}

statement::Judgement NameJudge::Judge(const statement::Atom& atom, const Topic& topic,
                                      const statement::OwnNames& own) const {
  const std::string key = KeyOf(atom, topic, own);
  {
    MutexLock lock(mutex_);
    const auto known = judged_.find(key);
    if (known != judged_.end()) return known->second;
  }
  statement::Judgement judgement = JudgeNow(atom, topic, own);
  MutexLock lock(mutex_);
  return judged_.emplace(key, std::move(judgement)).first->second;
}

statement::Judgement NameJudge::JudgeNow(const statement::Atom& atom, const Topic& topic,
                                         const statement::OwnNames& own) const {
  statement::Judgement judgement;
  switch (atom.kind) {
    case statement::AtomKind::kIdentifier:
      judgement = JudgeIdentifier(atom, topic, own);
      break;
    case statement::AtomKind::kQualified:
      judgement = JudgeQualified(atom, topic, own);
      break;
    case statement::AtomKind::kFlag:  // flag_judge.h
      break;
    case statement::AtomKind::kPath:
      judgement = JudgePath(atom, topic);
      break;
    case statement::AtomKind::kPackage:
      judgement = JudgePackage(atom);
      break;
  }
  judgement.code = kUnknown;
  judgement.kind = statement::AtomKindName(atom.kind);
  judgement.text = atom.text;
  return judgement;
}

statement::Judgement NameJudge::JudgeIdentifier(const statement::Atom& atom, const Topic& topic,
                                                const statement::OwnNames& own) const {
  const auto imported = own.aliases.find(atom.text);
  if (imported != own.aliases.end() && imported->second.find('.') != std::string::npos) {
    return JudgeDotted(imported->second, SplitQualified(imported->second));
  }
  const bool is_own = own.names.contains(atom.text);
  const bool is_setting =
      atom.use == statement::AtomUse::kSetting || atom.use == statement::AtomUse::kEnvironment;
  if (const std::optional<Sighting> found = witness_.FindWord(atom.text)) {
    const bool is_upper = std::none_of(atom.text.begin(), atom.text.end(), IsLower);
    const bool is_theirs = atom.use != statement::AtomUse::kDefinition && !is_own;
    if (is_upper && is_theirs) {
      if (std::optional<statement::Judgement> wrong = WrongVariable(atom.text, atom.use)) {
        return *std::move(wrong);
      }
    }
    return Found(*found, "the name occurs there");
  }
  for (const std::string& name : TemplateNames(atom.text)) {
    const std::vector<Witness::File> files =
        witness_.FindFiles(fmt::format("Help/variable/{}.rst", name));
    if (files.empty()) continue;
    return {.verdict = statement::Verdict::kSupported,
            .message = "found as an instance of a pattern",
            .where = witness_.Show(files.front()),
            .reason = fmt::format("documented as {}", name)};
  }
  // Projects do not define CMAKE_ variables; setting one that does not exist is
  // a mistake.
  const bool is_reserved = atom.text.starts_with("CMAKE_");
  if (!is_reserved && (atom.use == statement::AtomUse::kDefinition || (is_own && !is_setting))) {
    return statement::Undecidable("the text defines this name itself");
  }
  // A macro that is handed to a compiler is the text's own.
  if (atom.use == statement::AtomUse::kSetting &&
      (atom.tool == "nvcc" || atom.tool == "g++" || atom.tool == "gcc" || atom.tool == "clang++")) {
    return statement::Undecidable(
        "it is a macro that the text defines on a compiler's command line");
  }
  const Ruling ruling = families_.OfName(atom.text, atom.use, topic);
  if (ruling.home) return Absent(atom.text, *ruling.home, ruling.reason);
  if (std::optional<statement::Judgement> wrong = WrongNumber(atom.text, topic)) {
    return *std::move(wrong);
  }
  return statement::Undecidable(ruling.reason);
}

std::optional<statement::Judgement> NameJudge::WrongNumber(std::string_view name,
                                                           const Topic& topic) const {
  constexpr std::size_t kLeastPassages = 3;
  if (name.size() < 8 || std::any_of(name.begin(), name.end(), IsLower)) return std::nullopt;
  // Not the other way round: the plural of a real name is a word of a sentence.
  const std::string other = std::string(name) + 'S';
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (witness_.CountPassages(LowerCase(other), source) < kLeastPassages) continue;
    // "ENV_VARS" is too short to be known without the text's subject.
    const bool is_long = std::count(name.begin(), name.end(), '_') > 1;
    if (!is_long && !topic.Names(source)) continue;
    const std::optional<Sighting> seen = witness_.FindWord(other, source);
    if (!seen) continue;
    return statement::Judgement{.verdict = statement::Verdict::kAbsent,
                                .message = fmt::format("no pinned source has `{}`; {} has `{}`",
                                                       name, witness_.ShowSource(source), other),
                                .nearest = other,
                                .where = witness_.Show(*seen),
                                .reason = "the names differ in their last letter only"};
  }
  return std::nullopt;
}

std::optional<statement::Judgement> NameJudge::WrongVariable(std::string_view name,
                                                             statement::AtomUse use) const {
  constexpr std::size_t kEnough = 60;
  for (const std::string_view prefix : kSwitchPrefixes) {
    if (name.starts_with(prefix)) return std::nullopt;  // handed on to CMake unseen
  }
  if (std::count(name.begin(), name.end(), '_') < 2) return std::nullopt;
  std::size_t seen = 0;
  bool is_read = false;
  std::set<std::string> files;
  witness_.VisitWord(name, {}, kEnough, [&](const Sighting& sighting) {
    // CI configuration sets variables that the project itself may not read.
    if (sighting.path.starts_with(".")) return true;
    ++seen;
    is_read = ReadsEnvironment(sighting, name);
    files.insert(sighting.path.substr(sighting.path.rfind('/') + 1));
    return !is_read;
  });
  if (is_read || seen >= kEnough) return std::nullopt;
  // Where it is only mentioned, it must be the private affair of one file.
  if (use != statement::AtomUse::kEnvironment && files.size() > 1) return std::nullopt;
  const std::string ending = "_" + LowerCase(name);
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    for (const std::string& longer : witness_.NamesContaining(source, ending.substr(1), 200)) {
      if (!longer.ends_with(ending)) continue;
      std::string real = longer;  // in capitals, as the dictionary has it not
      for (char& c : real) c = IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c;
      std::optional<Sighting> read;
      witness_.VisitWord(real, source, kEnough, [&](const Sighting& sighting) {
        if (ReadsEnvironment(sighting, real)) read = sighting;
        return !read;
      });
      if (!read) continue;
      return statement::Judgement{
          .verdict = statement::Verdict::kContradicted,
          .message = fmt::format("nothing in {} reads `{}` from the environment; it reads `{}`",
                                 witness_.ShowSource(source), name, real),
          .nearest = real,
          .where = witness_.Show(*read),
          .reason = fmt::format("{} occurrences of `{}` were checked", seen, name)};
    }
  }
  return std::nullopt;
}

statement::Judgement NameJudge::JudgeQualified(const statement::Atom& atom, const Topic& topic,
                                               const statement::OwnNames& own) const {
  std::vector<std::string> parts = SplitQualified(atom.text);
  std::string name = atom.text;
  const auto alias = own.aliases.find(parts.front());
  const bool is_scoped = atom.text.find("::") != std::string::npos;
  if (alias != own.aliases.end()) {
    name = alias->second + atom.text.substr(parts.front().size());
    parts = SplitQualified(name);
  } else if (own.names.contains(parts.front()) || own.names.contains(parts.back())) {
    return statement::Undecidable("the text defines this name itself");
  }
  statement::Judgement judgement = is_scoped ? JudgeScoped(name, parts) : JudgeDotted(name, parts);
  if (judgement.reason == kWholeName) return judgement;
  std::optional<statement::Judgement> member = members_.JudgeQualified(name, topic);
  return member ? *std::move(member) : judgement;
}

statement::Judgement NameJudge::JudgeDotted(std::string_view name,
                                            const std::vector<std::string>& parts) const {
  const Ruling ruling = families_.OfPackage(parts.front());
  if (!ruling.home) {
    if (const std::optional<Sighting> found = witness_.FindText(name)) {
      return Found(*found, "the name occurs there");
    }
    return statement::Undecidable(ruling.reason);
  }
  const std::size_t home = *ruling.home;
  // Names that are registered at run time are not in the source.
  if (parts.size() > 1 && (parts[1] == "ops" || parts[1] == "classes" || parts[1] == "_C")) {
    return statement::Undecidable("such names are created at run time");
  }
  for (const std::string& part : parts) {
    if (part.size() < 2 || witness_.FindWord(part, home)) continue;
    if (part != parts.back() || parts.size() == 1) return Absent(part, home, ruling.reason);
    return AbsentIn(name.substr(0, name.size() - part.size()), part, ruling);
  }
  if (const std::optional<Sighting> found = witness_.FindText(name, home)) {
    return Found(*found, std::string(kWholeName));
  }
  if (parts.size() < 3) {
    const std::optional<Sighting> found = witness_.FindWord(parts.back(), home);
    return found ? Found(*found, "its last part occurs there")
                 : statement::Undecidable("its parts occur, but not together");
  }
  return JudgeInModule(name, parts, ruling);
}

statement::Judgement NameJudge::JudgeInModule(std::string_view name,
                                              const std::vector<std::string>& parts,
                                              const Ruling& ruling) const {
  const std::size_t home = *ruling.home;
  // The module that should have it: a folder, or a file.
  const std::vector<std::string> module(parts.begin(), parts.end() - 1);
  const std::string folder = Join(module, "/");
  const bool is_folder = witness_.HasFolder(home, folder);
  const bool is_file = witness_.HasFile(home, folder + ".py");
  if (!is_folder && !is_file)
    return statement::Undecidable("its parts occur, but its module is not a file");
  std::optional<Sighting> inside;
  constexpr std::size_t kMost = 2'000;
  const bool is_complete = witness_.CountPassages(LowerCase(parts.back()), home) < kMost;
  witness_.VisitWord(parts.back(), home, kMost, [&](const Sighting& sighting) {
    if (sighting.path.starts_with(folder + "/") || sighting.path.starts_with(folder + ".py")) {
      inside = sighting;
    }
    return !inside;
  });
  if (inside) return Found(*inside, "the module has its last part");
  for (const Witness::File& file : witness_.FindFiles(folder + "/__init__.py")) {
    if (file.source == home && TakesOver(witness_.ReadText(file))) {
      return statement::Undecidable("its module takes names over from others");
    }
  }
  if (!is_complete) return statement::Undecidable("its last part is too common to search for");
  statement::Judgement judgement = {
      .verdict = statement::Verdict::kAbsent,
      .message = fmt::format("{} has neither `{}` nor `{}` under {}", witness_.ShowSource(home),
                             name, parts.back(), folder),
      .reason = ruling.reason};
  if (const std::optional<Sighting> other = witness_.BestPlace(parts.back(), home)) {
    judgement.nearest = parts.back();
    judgement.where = witness_.Show(*other);
  }
  return judgement;
}

statement::Judgement NameJudge::JudgeScoped(std::string_view name,
                                            const std::vector<std::string>& parts) const {
  if (const std::optional<Sighting> found = witness_.FindText(name)) {
    return Found(*found, std::string(kWholeName));
  }
  if (parts.front() == "CUDA") {  // imported targets of CMake
    for (const Witness::File& file : witness_.FindFiles("Modules/FindCUDAToolkit.cmake")) {
      statement::Judgement judgement = {
          .verdict = statement::Verdict::kAbsent,
          .message = fmt::format("`{}` is not a target of {}", name, witness_.Show(file)),
          .where = witness_.Show(file),
          .reason = "the module lists its targets"};
      const std::string text = witness_.ReadText(file);
      std::vector<std::string> targets;
      for (std::size_t at = text.find("CUDA::"); at != text.npos;
           at = text.find("CUDA::", at + 1)) {
        const std::size_t end = text.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at + 6);
        if (end > at + 6) targets.push_back(text.substr(at, end - at));
      }
      if (const auto nearest = NearestOf(name, targets)) judgement.nearest = *nearest;
      return judgement;
    }
  }
  const Ruling ruling = families_.OfNamespace(parts.front());
  if (!ruling.home) return statement::Undecidable(ruling.reason);
  for (const std::string& part : parts) {
    if (part.size() < 3 || witness_.FindWord(part)) continue;
    statement::Judgement judgement = Absent(part, *ruling.home, ruling.reason);
    return judgement;
  }
  const std::string folder = fmt::format("/{}/", parts.front());
  std::optional<Sighting> inside;
  constexpr std::size_t kEnough = 3000;
  witness_.VisitWord(parts.back(), *ruling.home, kEnough, [&](const Sighting& sighting) {
    if (("/" + sighting.path).find(folder) != std::string::npos) inside = sighting;
    return !inside;
  });
  if (const std::optional<statement::Judgement> other = OtherNamespace(parts, *ruling.home))
    return *other;
  if (inside) return Found(*inside, "a file of the namespace has its last part");
  return statement::Undecidable("its parts occur, but not together");
}

// "a::b::X" where the source writes "c::X" throughout and "b::X" nowhere.
std::optional<statement::Judgement> NameJudge::OtherNamespace(const std::vector<std::string>& parts,
                                                              std::size_t home) const {
  constexpr std::size_t kLeast = 5;
  constexpr std::size_t kEnough = 400;
  if (parts.size() < 3) return std::nullopt;
  const std::string& last = parts.back();
  std::map<std::string, std::size_t> scopes;
  std::optional<Sighting> seen;
  witness_.VisitWord(last, home, kEnough, [&](const Sighting& sighting) {
    const std::string_view line = sighting.text;
    const std::size_t at = line.find("::" + last);
    if (at == line.npos || at == 0) return true;
    std::size_t begin = at;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 ||
                         line[begin - 1] == '_')) {
      --begin;
    }
    if (begin < at) ++scopes[std::string(line.substr(begin, at - begin))];
    if (!seen) seen = sighting;
    return true;
  });
  const std::string& given = parts[parts.size() - 2];
  if (scopes.size() != 1 || scopes.begin()->second < kLeast || scopes.contains(given) || !seen) {
    return std::nullopt;
  }
  const std::string real = scopes.begin()->first + "::" + last;
  return statement::Judgement{
      .verdict = statement::Verdict::kAbsent,
      .message = fmt::format("{} writes `{}`, never `{}::{}`", witness_.ShowSource(home), real,
                             given, last),
      .nearest = real,
      .where = witness_.Show(*seen),
      .reason = fmt::format("{} places were checked", scopes.begin()->second)};
}

statement::Judgement NameJudge::JudgePackage(const statement::Atom& atom) const {
  if (const std::optional<Sighting> found = witness_.FindText(atom.text)) {
    return Found(*found, "the package is named there");
  }
  return statement::Undecidable("the pinned sources do not list all packages and images");
}

}  // namespace sibyl::audit
