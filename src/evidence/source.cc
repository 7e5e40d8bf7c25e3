// SPDX-License-Identifier: Apache-2.0
#include "evidence/source.h"

#include <array>
#include <utility>

#include "git/origin.h"

namespace sibyl::evidence {
namespace {

constexpr std::array<std::pair<SourceKind, std::string_view>, 4> kKinds = {{
    {SourceKind::kGit, "git"},
    {SourceKind::kFolder, "folder"},
    {SourceKind::kFile, "file"},
    {SourceKind::kPage, "page"},
}};

}  // namespace

std::string_view SourceKindName(SourceKind kind) {
  for (const auto& [known, name] : kKinds) {
    if (known == kind) return name;
  }
  return "";
}

Error SourceCredentialsRefused(std::string_view origin, SourceKind kind) {
  return git::CredentialsRefused(origin,
                                 kind == SourceKind::kPage ? git::LogIn::kNever : git::LogIn::kGit);
}

std::string ShortPin(const Pin& pin) {
  constexpr std::size_t kDigits = 7;
  const std::optional<git::ObjectId>& id = pin.commit ? pin.commit : pin.tree;
  return id ? id->Hex().substr(0, kDigits) : std::string();
}

std::optional<SourceKind> ParseSourceKind(std::string_view name) {
  for (const auto& [kind, known] : kKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::string PagesOrigin(std::string_view name, const std::vector<std::string>& urls) {
  return urls.size() == 1 ? urls.front() : "pages:" + std::string(name);
}

bool IsSourceName(std::string_view name) {
  constexpr std::size_t kMaxLetters = 64;
  if (name.empty() || name.size() > kMaxLetters) return false;
  for (const char letter : name) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9');
    const bool mark = letter == '.' || letter == '_' || letter == '-';
    if (!plain && (!mark || &letter == name.data())) return false;
  }
  return true;
}

}  // namespace sibyl::evidence
