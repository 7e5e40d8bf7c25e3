// SPDX-License-Identifier: Apache-2.0
#include "index/words/nicknames.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "index/words/word_files.h"

namespace sibyl::index {
namespace {

std::vector<std::string_view> Split(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + mark.size();
  }
  return pieces;
}

// Where the words of a form are in a row.
std::optional<std::size_t> Place(const std::vector<std::string>& words, std::string_view form) {
  const std::vector<std::string_view> pieces = Split(form, " ");
  const auto at = std::search(words.begin(), words.end(), pieces.begin(), pieces.end());
  if (at == words.end()) return std::nullopt;
  return static_cast<std::size_t>(at - words.begin());
}

struct Said {
  std::size_t first = 0;
  std::size_t end = 0;
  Nickname nickname;
};

}  // namespace

std::vector<Nickname> FindNicknames(const std::vector<std::string>& words) {
  return FindNicknames(words, NicknameTable());
}

std::vector<Nickname> FindNicknames(const std::vector<std::string>& words, std::string_view table) {
  std::vector<Said> found;
  for (const std::string_view line : SplitLines(table)) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string_view> forms = Split(line, " = ");
    for (const std::string_view form : forms) {
      const std::optional<std::size_t> at = Place(words, form);
      if (!at) continue;
      Said said{
          .first = *at,
          .end = *at + 1 + static_cast<std::size_t>(std::count(form.begin(), form.end(), ' ')),
          .nickname = {.said_view = form, .forms_view = {}}};
      for (const std::string_view other : forms) {
        if (other != form) said.nickname.forms_view.push_back(other);
      }
      found.push_back(std::move(said));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Said& a, const Said& b) { return a.end - a.first > b.end - b.first; });
  std::vector<Nickname> nicknames;
  std::vector<bool> taken(words.size(), false);
  for (Said& said : found) {
    const auto begin = taken.begin() + static_cast<std::ptrdiff_t>(said.first);
    const auto end = taken.begin() + static_cast<std::ptrdiff_t>(said.end);
    if (std::find(begin, end, true) != end) continue;
    std::fill(begin, end, true);
    nicknames.push_back(std::move(said.nickname));
  }
  return nicknames;
}

}  // namespace sibyl::index
