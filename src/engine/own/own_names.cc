// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_names.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::engine {
namespace {

// Names that say nothing about whose a thing is.
constexpr std::array<std::string_view, 22> kGenericNames = {
    "repo",   "docs", "test",    "tests", "main",    "server", "client",   "core",
    "app",    "code", "project", "src",   "website", "site",   "examples", "example",
    "python", "rust", "web",     "api",   "tools",   "data"};

constexpr std::size_t kLeastName = 3;

std::string LettersOf(std::string_view text) {
  std::string folded;
  for (const char c : LowerCase(text)) {
    if (IsLower(c) || IsDigit(c)) folded += c;
  }
  return folded;
}

void AddName(std::string_view written, std::vector<std::string>& names) {
  for (const std::string_view part : {written, written.substr(0, written.find_first_of("-_."))}) {
    std::string name = LettersOf(part);
    const bool is_generic =
        std::find(kGenericNames.begin(), kGenericNames.end(), name) != kGenericNames.end();
    if (name.size() >= kLeastName && !is_generic) names.push_back(std::move(name));
  }
}

bool IsConstant(std::string_view name) {
  return std::count(name.begin(), name.end(), '_') >= 2 &&
         std::none_of(name.begin(), name.end(), IsLower);
}

// BYOD_ERR_HASH_INVALID and BYOD_HASH_INVALID: constants that begin and end alike.
bool IsVariant(std::string_view name, std::string_view nearest) {
  return IsConstant(name) && IsConstant(nearest) &&
         name.substr(0, name.find('_')) == nearest.substr(0, nearest.find('_')) &&
         name.substr(name.rfind('_')) == nearest.substr(nearest.rfind('_'));
}

}  // namespace

OwnNameRules::OwnNameRules(const audit::Witness& witness) : witness_(witness) {
  const audit::WitnessSource& source = witness.sources().front();
  AddName(source.name, names_);
  std::string_view origin = source.origin;
  while (origin.ends_with('/')) origin.remove_suffix(1);
  if (origin.ends_with(".git")) origin.remove_suffix(4);
  AddName(origin.substr(origin.find_last_of("/:") + 1), names_);
}

bool OwnNameRules::IsOwn(std::string_view name) const {
  std::string start;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const bool is_break = name[at] == '_' || name[at] == ':' || name[at] == '.';
    if (!is_break) {
      start += LowerCase(name.substr(at, 1));
      continue;
    }
    if (std::find(names_.begin(), names_.end(), start) != names_.end()) return true;
  }
  return false;
}

std::string_view OwnNameRules::Excuse(const statement::Judgement& judgement) const {
  const bool is_qualified = judgement.kind == "qualified name";
  if (!is_qualified && judgement.kind != "identifier") {
    const bool is_decided = judgement.kind == "flag" || judgement.kind == "package" ||
                            judgement.kind == "code block" || judgement.kind == "path" ||
                            judgement.kind == "link" || judgement.kind == "image";
    // What the repository itself defines is decided by its definition; what its documents say
    // elsewhere is not.
    const bool is_defined = judgement.kind == "default" &&
                            judgement.verdict == statement::Verdict::kContradicted &&
                            judgement.message.starts_with("the definition of `") &&
                            judgement.reason.starts_with("the definition that the text is about");
    return is_decided || is_defined ? "" : "one repository does not decide this";
  }
  if (judgement.verdict != statement::Verdict::kAbsent ||
      !Contains(judgement.message, "does not occur")) {
    return "its parts occur in the repository";
  }
  if (!IsOwn(judgement.text) && !IsVariant(judgement.text, judgement.nearest))
    return "it does not carry the name of the repository";
  const std::size_t last = judgement.text.find_last_of(":.");
  const std::string_view name =
      std::string_view(judgement.text).substr(last == std::string::npos ? 0 : last + 1);
  if (name.size() < 3) return "it is too short";
  if (!witness_.NamesContaining(0, LowerCase(name), 1).empty()) {
    return "it is a part of a longer name of the repository";
  }
  const std::string_view prefix = name.substr(0, name.find('_') + 1);
  if (!prefix.empty() && witness_.FindWord(prefix, 0)) {
    return "the repository makes such names up when it runs";
  }
  return {};
}

}  // namespace sibyl::engine
