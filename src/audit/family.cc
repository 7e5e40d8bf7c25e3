// SPDX-License-Identifier: Apache-2.0
#include "audit/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/family_table.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::audit {
namespace {

// This many names with a prefix are a family, if half of the sampled ones are
// defined and not only used.
constexpr std::size_t kFamilySize = 10;
// Fewer will do when the prefix is the source's own name.
constexpr std::size_t kOwnFamilySize = 5;
constexpr std::size_t kSampled = 32;
constexpr std::size_t kSightings = 24;
// A header with fewer names of the family is a wrapper, not the home.
constexpr std::size_t kHeaderNames = 12;

bool IsUpperName(std::string_view name) {
  return name.find('_') != name.npos && std::none_of(name.begin(), name.end(), IsLower);
}

template <std::size_t kSize>
bool HasWord(const std::array<std::string_view, kSize>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t kSize>
bool EndsWithAny(std::string_view name, const std::array<std::string_view, kSize>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

// Whether the line defines or documents the name, rather than using it.
bool Defines(const Sighting& sighting, std::string_view name) {
  const std::string_view line = sighting.text;
  const std::size_t at = line.find(name);
  if (at == line.npos) return false;
  const std::string_view before = Trim(line.substr(0, at));
  const std::string_view after = line.substr(at + name.size());
  constexpr std::array<std::string_view, 12> kMakers = {
      "#define",  "option(",        "set(",          "getenv(\"", "environ[\"", "environ['",
      "getenv('", "environ.get(\"", "environ.get('", "_option(",  "flag(\"",    "ENV{"};
  if (EndsWithAny(before, kMakers)) return true;
  // Lines of documentation and tables: the name, then what it means.
  constexpr std::array<std::string_view, 7> kListed = {
      "", "#", "-", "*", "``", ".. cmake:variable::", "|"};
  if (HasWord(kListed, before)) return true;
  // In quotes it is an argument, such as of getenv.
  if (before.ends_with("\"") && after.starts_with("\"")) return true;
  if (before.ends_with("'") && after.starts_with("'")) return true;
  const std::string_view file = std::string_view(sighting.path);
  if (file.find(name) != file.npos) return true;
  return Trim(after).starts_with("= ") && before.empty();
}

std::string_view FirstPrefix(std::string_view name) {
  std::size_t at = 0;
  while (at < name.size() && name[at] == '_') ++at;
  const std::size_t end = name.find('_', at);
  return end == name.npos ? name : name.substr(0, end + 1);
}

bool HasCapitalWord(std::string_view name) {
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const bool starts = i == 0 || name[i - 1] == '_';
    if (starts && IsUpper(name[i]) && IsLower(name[i + 1])) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> TemplateNames(std::string_view name) {
  constexpr std::array<std::string_view, 12> kLanguages = {"C",       "CXX",  "CUDA",   "HIP",
                                                           "Fortran", "ASM",  "OBJC",   "OBJCXX",
                                                           "Swift",   "ISPC", "CSharp", "Java"};
  constexpr std::array<std::string_view, 5> kConfigurations = {"DEBUG", "RELEASE", "RELWITHDEBINFO",
                                                               "MINSIZEREL", "NOCONFIG"};
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    parts.emplace_back(name.substr(at, end - at));
    at = end + 1;
  }
  bool changed = false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (HasWord(kLanguages, parts[i])) {
      parts[i] = "LANG";
      changed = true;
    } else if (HasWord(kConfigurations, parts[i])) {
      parts[i] = "CONFIG";
      changed = true;
    }
  }
  if (!changed) return {};
  return {Join(parts, "_")};
}

Ruling Families::OfName(std::string_view name, statement::AtomUse use, const Topic& topic) const {
  if (IsUpperName(name) && !name.starts_with("__")) return OfUpper(name, use, topic);
  for (const HeaderFamily& family : kHeaderFamilies) {
    // "CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020"
    if (!family.macro_prefix.empty() && !family.prefix.empty() &&
        name.starts_with(family.macro_prefix) && !EndsWithAny(name, kFoundSuffixes) &&
        std::count(name.begin(), name.end(), '_') > 2) {
      return Header(family.header, family.macro_prefix, family.name);
    }
    if (family.prefix.empty()) continue;
    if (name.size() > family.prefix.size() + 1 && name.starts_with(family.prefix) &&
        IsUpper(name[family.prefix.size()]) && IsLower(name[family.prefix.size() + 1])) {
      // "cuTile", "cuGraph": names of products.
      const auto humps = std::count_if(name.begin(), name.end(), IsUpper);
      if (family.prefix == "cu" && humps < 2) break;
      return Header(family.header, family.prefix, family.name);
    }
  }
  if (name.size() == 7 && name.starts_with("CMP") &&
      std::all_of(name.begin() + 3, name.end(), IsDigit)) {
    for (const Witness::File& file : witness_.FindFiles("Help/policy/CMP0000.rst")) {
      return {
          .home = file.source,
          .reason = fmt::format("{} documents CMake's policies", witness_.ShowSource(file.source))};
    }
  }
  Ruling module = OfModule(name);
  if (module.home) return module;
  if (topic.is_prose && IsUpper(name[0]) && std::any_of(name.begin(), name.end(), IsLower)) {
    return OfCamel(name, topic);
  }
  if (name.find('_') != name.npos && std::none_of(name.begin(), name.end(), IsUpper)) {
    return OfSnake(name, topic);
  }
  if (name.starts_with("__") && name.size() > 5 && topic.is_cuda) {
    Ruling ruling = Header("host_defines.h", "__", "CUDA C++ keywords");
    if (ruling.home) return ruling;
  }
  return {.reason = "it belongs to no known family of names"};
}

Ruling Families::OfUpper(std::string_view name, statement::AtomUse use, const Topic& topic) const {
  const bool is_setting =
      use == statement::AtomUse::kSetting || use == statement::AtomUse::kEnvironment;
  if (name.starts_with("CMAKE_XCODE_ATTRIBUTE_")) {
    return {.reason = "it may be any attribute of Xcode"};
  }
  for (const SettingFamily& family : kSettingFamilies) {
    if (!name.starts_with(family.prefix)) continue;
    const bool is_told =
        use == statement::AtomUse::kSetting ||
        (topic.is_prose && topic.is_cmake_near && use == statement::AtomUse::kMention);
    if (family.only_in_cmake && (!topic.is_cmake || !is_told)) continue;
    for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
      if (!witness_.HasFile(source, family.marker)) continue;
      return {.home = source,
              .reason = fmt::format("{} has {}: {}", witness_.ShowSource(source), family.name,
                                    family.marker)};
    }
  }
  if (!is_setting && !EndsWithAny(name, kFoundSuffixes)) {
    for (const HeaderFamily& family : kHeaderFamilies) {
      // "CU_CHECK" may be anybody's.
      const bool is_short = family.prefix.empty() && std::count(name.begin(), name.end(), '_') < 3;
      if (!family.macro_prefix.empty() && name.starts_with(family.macro_prefix) && !is_short) {
        return Header(family.header, family.macro_prefix, family.name);
      }
    }
  }
  const std::string_view prefix = FirstPrefix(name);
  if (HasWord(kForeignPrefixes, prefix)) {
    return {.reason = fmt::format("{} names belong to a project that is not pinned", prefix)};
  }
  if (EndsWithAny(name, kFoundSuffixes)) {
    const Ruling owner = prefix.size() >= 4 ? Learn(prefix) : Ruling{};
    if (!owner.home || !HasSuchNames(*owner.home, prefix, name)) return OfFound(name, topic);
  }
  if (prefix.size() < 3 || prefix.size() == name.size()) {
    return {.reason = "its prefix is not specific to any project"};
  }
  for (const std::string_view word : {"MY_", "FOO", "EXAMPLE", "YOUR_", "OPTIONAL_FEATURE"}) {
    if (name.find(word) != name.npos) return {.reason = "it is a placeholder"};
  }
  const bool is_switch = HasWord(kSwitchPrefixes, prefix);
  if (is_switch && !is_setting && !topic.is_prose) {
    return {.reason = "any project may have a switch with this name"};
  }
  Ruling ruling = Learn(prefix);
  if (!ruling.home) return ruling;
  if (is_switch && witness_.HasFile(*ruling.home, kSettingFamilies[0].marker)) {
    return {.reason = "the text is about its own CMake project"};
  }
  if (is_switch && !topic.names_source[*ruling.home]) {
    return {.reason = fmt::format("the text does not name {}, which has the {} switches",
                                  witness_.sources()[*ruling.home].name, prefix)};
  }
  return ruling;
}

// Whether the home has several names with the same start and end.
bool Families::HasSuchNames(std::size_t source, std::string_view prefix,
                            std::string_view name) const {
  const std::string ending = LowerCase(name.substr(name.rfind('_')));
  std::size_t count = 0;
  for (const std::string& other : witness_.NamesWithPrefix(source, LowerCase(prefix), 2000)) {
    count += other.ends_with(ending) ? 1 : 0;
  }
  return count >= 2;
}

// "CUDAToolkit_CUPTI_VERSION": a result of CMake's module FindCUDAToolkit.
Ruling Families::OfModule(std::string_view name) const {
  const std::size_t end = name.find('_');
  if (end == name.npos || end < 4 || !std::any_of(name.begin(), name.end(), IsLower)) return {};
  // "CUDA_Runtime_jll" is a package of another language.
  if (HasCapitalWord(name.substr(end + 1))) return {};
  const std::string module = fmt::format("Modules/Find{}.cmake", name.substr(0, end));
  for (const Witness::File& file : witness_.FindFiles(module)) {
    return {.home = file.source, .reason = fmt::format("a result of {}", witness_.Show(file))};
  }
  return {};
}

// "KernelTmaWarpSpecializedPersistent": a type that shares most of its start or
// end with several names of the source that the text is about.
Ruling Families::OfCamel(std::string_view name, const Topic& topic) const {
  constexpr std::size_t kLeast = 9;
  const std::string lower = LowerCase(name);
  const std::size_t share = std::max(kLeast, lower.size() * 3 / 5);
  const auto humps = std::count_if(name.begin(), name.end(), IsUpper);
  if (lower.size() < share + 2 || humps < 3)
    return {.reason = "it is too short to tell which project it belongs to"};
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (!topic.names_source[source]) continue;
    const std::size_t same_beginning =
        witness_.NamesWithPrefix(source, lower.substr(0, share), 20).size();
    std::size_t same_ending = 0;
    const std::string ending = lower.substr(lower.size() - share);
    for (const std::string& other : witness_.NamesContaining(source, ending, 50)) {
      same_ending += other.ends_with(ending) ? 1 : 0;
    }
    if (same_beginning < 3 && same_ending < 3) continue;
    return {.home = source,
            .reason = fmt::format("{} has several similar names", witness_.ShowSource(source))};
  }
  return {.reason = "it belongs to no known family of names"};
}

// "torch_cuda_set_arch_flags": functions with their project's prefix.
Ruling Families::OfSnake(std::string_view name, const Topic& topic) const {
  constexpr std::size_t kManyNames = 60;
  const std::string_view prefix = FirstPrefix(name);
  if (!topic.is_prose || std::count(name.begin(), name.end(), '_') < 2 || prefix.size() < 5) {
    return {.reason = "it belongs to no known family of names"};
  }
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (!topic.names_source[source] || !IsOwnWord(source, prefix)) continue;
    const std::size_t count = witness_.NamesWithPrefix(source, prefix, kManyNames).size();
    if (count < kManyNames) continue;
    // A text may have its own names that start like the project's.
    const std::size_t second = name.find('_', prefix.size());
    if (witness_.NamesWithPrefix(source, name.substr(0, second + 1), 3).size() < 3) continue;
    return {.home = source,
            .reason = fmt::format("{} has many names that start with {}",
                                  witness_.ShowSource(source), prefix)};
  }
  return {.reason = "it belongs to no known family of names"};
}

// "CUPTI_LIBRARY": the project that the text is about may use another name for
// the package, and then this one is wrong.
Ruling Families::OfFound(std::string_view name, const Topic& topic) const {
  const std::string ending = "_" + LowerCase(name);
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (!topic.names_source[source]) continue;
    if (witness_.HasFile(source, kSettingFamilies[0].marker)) continue;
    for (const std::string& longer : witness_.NamesContaining(source, LowerCase(name), 50)) {
      if (!longer.ends_with(ending)) continue;
      return {.home = source,
              .reason = fmt::format("{} looks for it under the name {}",
                                    witness_.ShowSource(source), longer)};
    }
  }
  return {.reason = "any project may look for a package under this name"};
}

// Whether the prefix is specific to the source: its name, a folder at its root,
// or a word that hardly any other source has.
bool Families::IsOwnWord(std::size_t source, std::string_view prefix) const {
  std::string word = LowerCase(prefix);
  while (word.ends_with('_')) word.pop_back();
  if (witness_.HasFolder(source, word)) return true;
  for (const SourceName& name : witness_.NamesOf(source)) {
    if (word.size() >= 3 && name.folded.find(FoldSourceName(word)) != std::string::npos)
      return true;
  }
  std::size_t others = 0;
  for (std::size_t other = 0; other < witness_.sources().size(); ++other) {
    others += other != source && witness_.CountPassages(word, other) > 0 ? 1 : 0;
  }
  return word.size() >= 3 && others <= 1;
}

Ruling Families::Header(std::string_view header, std::string_view prefix,
                        std::string_view name) const {
  const std::string key = fmt::format("header {} {}", header, prefix);
  {
    MutexLock lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
  }
  Ruling ruling = {.reason = fmt::format("no pinned source has {} ({})", header, name)};
  for (const Witness::File& file : witness_.FindFiles(header)) {
    const std::string text = witness_.ReadText(file);
    std::size_t names = 0;
    for (std::size_t at = text.find(prefix); at != text.npos && names < kHeaderNames;
         at = text.find(prefix, at + 1)) {
      const bool begins = at == 0 || !IsWordByte(text[at - 1]);
      names += begins ? 1 : 0;
    }
    if (names < kHeaderNames) continue;
    ruling = {
        .home = file.source,
        .reason = fmt::format("{} has {}: {}", witness_.ShowSource(file.source), name, file.path)};
    break;
  }
  MutexLock lock(mutex_);
  return known_.emplace(key, std::move(ruling)).first->second;
}

Ruling Families::Learn(std::string_view prefix) const {
  {
    MutexLock lock(mutex_);
    const auto known = known_.find(prefix);
    if (known != known_.end()) return known->second;
  }
  Ruling ruling = LearnNow(prefix);
  MutexLock lock(mutex_);
  return known_.emplace(prefix, std::move(ruling)).first->second;
}

Ruling Families::LearnNow(std::string_view prefix) const {
  Ruling best = {.reason =
                     fmt::format("no pinned source defines names that start with {}", prefix)};
  std::size_t best_size = 0;
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    const std::vector<std::string> names =
        witness_.NamesWithPrefix(source, LowerCase(prefix), 2000);
    const bool is_own = IsOwnWord(source, prefix);
    const std::size_t least = is_own ? kOwnFamilySize : kFamilySize;
    if (names.size() < least || names.size() <= best_size) continue;
    if (!HasWord(kSwitchPrefixes, prefix) && !is_own) continue;
    std::size_t seen = 0;
    std::size_t defined = 0;
    const std::size_t step = std::max<std::size_t>(1, names.size() / kSampled);
    for (std::size_t i = 0; i < names.size(); i += step) {
      std::string name = names[i];
      for (char& c : name) c = IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c;
      bool is_seen = false;
      bool is_defined = false;
      witness_.VisitWord(name, source, kSightings, [&](const Sighting& sighting) {
        is_seen = true;
        is_defined = Defines(sighting, name);
        return !is_defined;
      });
      seen += is_seen ? 1 : 0;
      defined += is_defined ? 1 : 0;
    }
    if (seen < least / 2 || defined * 2 < seen) continue;
    best_size = names.size();
    best = {
        .home = source,
        .reason = fmt::format("{} defines {} of the {} names checked, out of {} that start with {}",
                              witness_.ShowSource(source), defined, seen, names.size(), prefix)};
  }
  return best;
}

Ruling Families::OfPackage(std::string_view root) const {
  for (const Witness::File& file : witness_.FindFiles(fmt::format("{}/__init__.py", root))) {
    const std::string_view above =
        std::string_view(file.path).substr(0, file.path.size() - root.size() - 12);
    const bool is_top = above.empty() || above == "src/" || above == "python/" || above == "lib/";
    if (!is_top) continue;
    return {.home = file.source,
            .reason = fmt::format("{} has the package {}: {}", witness_.ShowSource(file.source),
                                  root, file.path)};
  }
  return {.reason = fmt::format("no pinned source has the package {}", root)};
}

Ruling Families::OfNamespace(std::string_view root) const {
  if (root == "std" || root == "boost" || root == "nvidia") {
    return {.reason = fmt::format("the namespace {} is not pinned", root)};
  }
  if (HasWord(kCommonNamespaces, root)) {
    return {.reason = fmt::format("many projects have a namespace {}", root)};
  }
  const std::string key = fmt::format("namespace {}", root);
  {
    MutexLock lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
  }
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (!witness_.IsKnownAs(source, root) &&
        !witness_.HasFolder(source, fmt::format("include/{}", root)))
      continue;
    if (!witness_.FindText(fmt::format("namespace {}", root), source)) continue;
    Ruling own = {.home = source,
                  .reason = fmt::format("{} is known as {}", witness_.ShowSource(source), root)};
    MutexLock lock(mutex_);
    return known_.emplace(key, std::move(own)).first->second;
  }
  std::map<std::size_t, std::size_t> counts;
  const std::string opened = fmt::format("namespace {}", root);
  constexpr std::size_t kMaxNamespacePassages = 20'000;
  constexpr std::size_t kClear = 40;
  witness_.VisitLines({"namespace", LowerCase(root)}, kMaxNamespacePassages,
                      [&](const Sighting& sighting) {
                        if (sighting.text.find(opened) == std::string::npos) return true;
                        return ++counts[sighting.source] < kClear;
                      });
  Ruling ruling = {.reason = fmt::format("no pinned source defines the namespace {}", root)};
  std::size_t most = 3;  // fewer only re-open another project's
  for (const auto& [source, count] : counts) {
    if (count <= most) continue;
    most = count;
    ruling = {.home = source,
              .reason = fmt::format("{} opens the namespace {} {} times",
                                    witness_.ShowSource(source), root, count)};
  }
  MutexLock lock(mutex_);
  return known_.emplace(key, std::move(ruling)).first->second;
}

}  // namespace sibyl::audit
