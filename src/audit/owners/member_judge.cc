// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/member_judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/nearest.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::audit {
namespace {

std::string_view WhatItShouldBe(Belonging belonging) {
  return belonging == Belonging::kParameter || belonging == Belonging::kKeyword ? "parameter"
                                                                                : "member";
}

// Among the few members of one owner, a name need not be as similar as among all
// names of a source.
std::string NearestMember(std::string_view name, const std::vector<std::string>& members) {
  double best = 0.5;
  std::string nearest;
  for (const std::string& member : members) {
    if (member.starts_with('_') && !name.starts_with('_')) continue;
    const double likeness = Likeness(name, member);
    if (likeness <= best) continue;
    best = likeness;
    nearest = member;
  }
  return nearest;
}

// ": wait, warmup, active", if they are few.
std::string ShownMembers(const std::vector<std::string>& members) {
  constexpr std::size_t kMost = 8;
  if (members.empty() || members.size() > kMost) return {};
  return ": " + Join(members, ", ");
}

// Whether the name at `at` is in quotes, or right behind "Owner." or "Owner::".
bool IsGivenAt(std::string_view line, std::size_t at, std::size_t size, std::string_view owner) {
  const std::size_t end = at + size;
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  if (at > 0 && end < line.size() && is_quote(line[at - 1]) && line[end] == line[at - 1]) {
    return true;
  }
  std::string_view before = line.substr(0, at);
  if (!before.ends_with('.') && !before.ends_with("::")) return false;
  before.remove_suffix(before.ends_with('.') ? 1 : 2);
  if (!before.ends_with(owner)) return false;
  return before.size() == owner.size() || !IsNameByte(before[before.size() - owner.size() - 1]);
}

}  // namespace

// Bindings and macros give a type members that its definition does not show:
// .value("NAME", …), setattr(Owner, "name", …), Owner.name = …
bool MemberJudge::IsGivenElsewhere(const MemberClaim& claim, std::size_t source) const {
  constexpr std::size_t kMostPlaces = 3000;
  const std::vector<std::string> parts = SplitQualified(claim.owner);
  const std::string owner = parts.empty() ? claim.owner : parts.back();
  bool is_given = false;
  witness_.VisitWord(claim.member, source, kMostPlaces, [&](const Sighting& sighting) {
    const std::string_view line = sighting.text;
    for (auto at = FindWholeWord(line, claim.member, 0); at && !is_given;
         at = FindWholeWord(line, claim.member, *at + claim.member.size())) {
      is_given = IsGivenAt(line, *at, claim.member.size(), owner);
    }
    return !is_given;
  });
  return is_given;
}

std::optional<statement::Judgement> MemberJudge::Judge(const MemberClaim& claim,
                                                       const Topic& topic) const {
  using Verdict = MemberAnswer::Verdict;
  if (claim.member.size() < 3) return std::nullopt;
  // "DataType.x" says less about its source than "`DataType` has `x`".
  Topic near = topic;
  if (claim.needs_record) near.names_anywhere.clear();
  if (claim.needs_record && !owners_.IsRecord(claim.owner, near)) return std::nullopt;
  if (claim.only_if_unseen && witness_.FindWord(claim.member)) return std::nullopt;
  const bool is_told =
      claim.beside.empty() || std::ranges::any_of(claim.beside, [&](const std::string& other) {
        return owners_.Ask(claim.owner, other, claim.belonging, near).verdict == Verdict::kHas;
      });
  if (!is_told) return std::nullopt;
  const MemberAnswer answer = owners_.Ask(claim.owner, claim.member, claim.belonging, near);
  statement::Judgement judgement = {
      .code = "ident/unknown", .kind = "member", .text = claim.member, .where = answer.where};
  switch (answer.verdict) {
    case Verdict::kUnknown:
    case Verdict::kMentions:
    case Verdict::kForeign:
      return std::nullopt;
    case Verdict::kHas:
      judgement.verdict = statement::Verdict::kSupported;
      judgement.message = fmt::format("a {} of `{}`", answer.kind, claim.owner);
      judgement.reason = "the definition was read";
      return judgement;
    case Verdict::kOpen:
      // It may be passed on, but then to something that has the name.
      if (witness_.FindWord(claim.member)) return std::nullopt;
      break;
    case Verdict::kHasNot:
      if (claim.belonging != Belonging::kParameter && claim.belonging != Belonging::kKeyword &&
          owners_.IsRecord(claim.owner, near) && IsGivenElsewhere(claim, answer.source)) {
        return std::nullopt;
      }
      break;
  }
  judgement.verdict = statement::Verdict::kAbsent;
  judgement.message = fmt::format("`{}` is not a {} of `{}`", claim.member,
                                  WhatItShouldBe(claim.belonging), claim.owner);
  judgement.reason = fmt::format("its definition has {} names{}", answer.members.size(),
                                 ShownMembers(answer.members));
  judgement.nearest = NearestMember(claim.member, answer.members);
  return judgement;
}

std::optional<statement::Judgement> MemberJudge::JudgeQualified(std::string_view name,
                                                                const Topic& topic) const {
  const std::size_t mark = name.find_last_of(".:");
  if (mark == name.npos || mark < 3) return std::nullopt;
  std::string_view owner = name.substr(0, mark);
  while (owner.ends_with(':') || owner.ends_with('.')) owner.remove_suffix(1);
  const std::vector<std::string> parts = SplitQualified(owner);
  // A variable's type is not known here.
  if (parts.empty() || !std::any_of(parts.back().begin(), parts.back().end(), IsUpper)) {
    return std::nullopt;
  }
  MemberClaim claim = {.owner = std::string(owner),
                       .member = std::string(name.substr(mark + 1)),
                       .belonging = Belonging::kMember,
                       .needs_record = true};
  std::optional<statement::Judgement> judgement = Judge(claim, topic);
  if (judgement && !judgement->nearest.empty()) {
    judgement->nearest = std::string(name.substr(0, mark + 1)) + judgement->nearest;
  }
  return judgement;
}

}  // namespace sibyl::audit
