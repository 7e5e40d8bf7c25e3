// SPDX-License-Identifier: Apache-2.0
#include "draft/title.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/extract/queries.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

std::size_t Capitals(std::string_view word) {
  return static_cast<std::size_t>(
      std::count_if(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
}

// The word as it is written with the most capitals: CUDA rather than cuda.
std::string SpeltAs(const std::string& word, std::string_view text, std::string_view lower) {
  std::string best = word;
  for (auto at = FindWholeWord(lower, word); at; at = FindWholeWord(lower, word, *at + 1)) {
    const std::string_view seen = text.substr(*at, word.size());
    // A capital at the beginning alone is that of a heading.
    const std::size_t capitals = Capitals(seen);
    if (capitals > 1 && capitals > Capitals(best)) best = seen;
  }
  return best;
}

}  // namespace

std::string TitleOf(const plan::Plan& plan, const plan::Part& part) {
  if (!StartsWithIgnoringCase(part.title, "create ") || part.target.empty()) {
    return PlainPoint(part.title);
  }
  std::string spellings = plan.title + " " + plan.topic + " " + part.goal;
  for (const plan::Section& section : part.sections) {
    spellings += " " + section.title;
    for (const plan::Text& point : section.points) spellings += " " + point.text;
  }
  const std::string lower = LowerCase(spellings);
  const std::size_t slash = part.target.rfind('/') + 1;  // npos + 1 is the beginning
  std::string_view name = std::string_view(part.target).substr(slash);
  name = name.substr(0, name.rfind('.'));
  name.remove_prefix(std::min(name.find_first_not_of("0123456789-"), name.size()));
  std::string title;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('-', at), name.size());
    std::string word = SpeltAs(std::string(name.substr(at, end - at)), spellings, lower);
    if (title.empty() && !word.empty() && word[0] >= 'a' && word[0] <= 'z') {
      word[0] = static_cast<char>(word[0] - ('a' - 'A'));
    }
    title += (title.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return title.empty() ? PlainPoint(part.title) : title;
}

}  // namespace sibyl::draft
