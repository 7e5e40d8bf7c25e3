// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/parts.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace sibyl::gate {
namespace {

struct Break {
  std::string_view mark;
  PartKind kind;
};
constexpr std::array<Break, 12> kBreaks = {{{"; ", PartKind::kIndependent},
                                            {"\xE2\x80\x94", PartKind::kClause},
                                            {" \xE2\x80\x93 ", PartKind::kClause},
                                            {" -- ", PartKind::kClause},
                                            {" - ", PartKind::kClause},
                                            {" \xE2\x80\xA6 ", PartKind::kClause},
                                            {" ... ", PartKind::kClause},
                                            {"(", PartKind::kBracket},
                                            {", e.g. ", PartKind::kClause},
                                            {", i.e. ", PartKind::kClause},
                                            {" etc. ", PartKind::kClause},
                                            {", whose ", PartKind::kRelative}}};

// "**Small pages:** they are …": where the words before the first colon end; zero if they
// are a sentence, or there is no colon.
std::size_t LabelEnd(const statement::Statement& sentence) {
  constexpr std::size_t kLongest = 60;
  const std::string_view text = sentence.text;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || colon > kLongest) return 0;
  const std::string_view label = text.substr(0, colon);
  const bool has_break = label.find_first_of(",;.") != std::string_view::npos;
  return has_break || statement::IsCodeAt(sentence, colon) ? 0 : colon;
}

}  // namespace

statement::Statement PartOf(const statement::Statement& sentence, std::size_t begin,
                            std::size_t end) {
  statement::Statement part = sentence;
  part.text = sentence.text.substr(begin, end - begin);
  part.runs.clear();
  for (statement::TextRun run : sentence.runs) {
    if (run.end <= begin || run.begin >= end) continue;
    run.begin = std::max(run.begin, begin) - begin;
    run.end = std::min(run.end, end) - begin;
    part.runs.push_back(run);
  }
  return part;
}

std::vector<SentencePart> PartsOf(const statement::Statement& sentence) {
  struct Begin {
    std::size_t at;
    PartKind kind;
  };
  std::vector<SentencePart> parts;
  const std::string_view text = sentence.text;
  std::vector<Begin> begins;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (statement::IsCodeAt(sentence, at)) continue;
    for (const Break& one : kBreaks) {
      if (text.substr(at).starts_with(one.mark)) begins.push_back({at + one.mark.size(), one.kind});
    }
  }
  for (std::size_t i = 0; i < begins.size(); ++i) {
    std::size_t end = text.size();
    for (std::size_t next = i + 1; next < begins.size() && end == text.size(); ++next) {
      // What is in brackets is part of a clause as well.
      if (begins[next].kind != PartKind::kRelative || begins[i].kind == PartKind::kRelative) {
        end = begins[next].at;
      }
    }
    if (begins[i].kind == PartKind::kBracket) end = std::min(end, text.find(')', begins[i].at));
    if (begins[i].kind == PartKind::kRelative) end = std::min(end, text.find(',', begins[i].at));
    parts.push_back({PartOf(sentence, begins[i].at, end), begins[i].kind});
  }
  if (const std::size_t end = LabelEnd(sentence); end > 0) {
    parts.push_back({PartOf(sentence, 0, end), PartKind::kLabel});
  }
  return parts;
}

}  // namespace sibyl::gate
