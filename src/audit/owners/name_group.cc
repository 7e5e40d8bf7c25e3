// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/name_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "audit/nearest.h"
#include "audit/owners/member_claim.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

using statement::Statement;
using statement::StatementKind;

constexpr std::size_t kMaxNames = 60;
constexpr std::size_t kMaxOwners = 6;
constexpr std::size_t kLeastMembers = 3;
constexpr std::size_t kLeastInProse = 2;  // where a name is only judged if no source has it
constexpr std::size_t kSightingsOfSibling = 40;
constexpr std::size_t kNoLead = ~std::size_t{0};

bool IsOwnerLike(std::string_view name) {
  return name.size() > 3 &&
         (name.find_first_of(".:") != name.npos || std::any_of(name.begin(), name.end(), IsUpper));
}

// A name with parts: "kHugeBuffer", "max_split", "ShardingPolicy".
bool HasParts(std::string_view name) {
  if (name.size() < 6) return false;
  if (name.find('_', 1) != name.npos) return true;
  return std::any_of(name.begin() + 1, name.end(), IsUpper) &&
         std::any_of(name.begin(), name.end(), IsLower);
}

bool IsPlain(const CodeSpan& span) {
  return span.is_whole && span.name.size() > 2 &&
         std::all_of(span.name.begin(), span.name.end(), IsNameByte);
}

void AddOwners(const std::vector<CodeSpan>& spans, NameGroup& group) {
  for (const CodeSpan& span : spans) {
    if (IsOwnerLike(span.name) && group.owners.size() < kMaxOwners &&
        std::find(group.owners.begin(), group.owners.end(), span.name) == group.owners.end()) {
      group.owners.push_back(span.name);
    }
  }
}

// The names that an item or a cell begins with: "`a`, `b` and `c`".
void AddLeading(const Statement& statement, std::size_t number, NameGroup& group) {
  const std::vector<CodeSpan> spans = CodeSpansOf(statement);
  std::size_t end = 0;
  for (const CodeSpan& span : spans) {
    const std::string_view gap = std::string_view(statement.text).substr(end, span.begin - end);
    const std::string lower = LowerCase(Trim(gap));
    if (!lower.empty() && lower != "," && lower != "and" && lower != ", and" && lower != "or" &&
        lower != "/") {
      return;
    }
    if (!IsPlain(span) || group.names.size() >= kMaxNames) return;
    group.names.push_back({.statement = number, .offset = span.begin, .name = span.name});
    end = span.end;
  }
}

bool IsFirstCell(const Statement& cell) {
  return cell.kind == StatementKind::kCell &&
         (cell.context.size() < 2 || cell.context[1] == cell.text.substr(0, 512));
}

class GroupFinder {
 public:
  explicit GroupFinder(const statement::Statements& statements) : statements_(statements) {}

  std::vector<NameGroup> Run() {
    for (std::size_t i = 0; i < statements_.all.size(); ++i) {
      const Statement& here = statements_.all[i];
      if (here.kind == StatementKind::kSentence) {
        if (group_ != here.group) StartParagraph(i);
        AddSentence(i);
      } else if (here.kind == StatementKind::kItem || IsFirstCell(here)) {
        if (!in_list_) StartList(i);
        AddLeading(here, i, list_);
        if (here.kind == StatementKind::kItem) AddItem(i);
      } else if (here.kind == StatementKind::kHeading) {
        Close();
        lead_ = kNoLead;
      }
    }
    Close();
    return std::move(groups_);
  }

 private:
  void Close() {
    if (paragraph_.names.size() > 1) groups_.push_back(std::move(paragraph_));
    if (list_.names.size() > 1) groups_.push_back(std::move(list_));
    CloseItem();
    paragraph_ = {};
    list_ = {.is_list = true};
    in_list_ = false;
    group_ = ~std::uint32_t{0};
  }

  void CloseItem() {
    if (item_.names.size() > 1) groups_.push_back(std::move(item_));
    item_ = {};
  }

  // All names of one item are also side by side.
  void AddItem(std::size_t number) {
    if (item_group_ != statements_.all[number].group) CloseItem();
    item_group_ = statements_.all[number].group;
    AddSpans(number, item_);
  }

  void StartParagraph(std::size_t number) {
    Close();
    group_ = statements_.all[number].group;
    lead_ = number;
  }

  void AddSentence(std::size_t number) { AddSpans(number, paragraph_); }

  void AddSpans(std::size_t number, NameGroup& group) {
    const std::vector<CodeSpan> spans = CodeSpansOf(statements_.all[number]);
    AddOwners(spans, group);
    for (const CodeSpan& span : spans) {
      if (IsPlain(span) && group.names.size() < kMaxNames) {
        group.names.push_back({.statement = number, .offset = span.begin, .name = span.name});
      }
    }
  }

  void StartList(std::size_t number) {
    const std::vector<std::string> owners = std::move(paragraph_.owners);
    const std::uint32_t heading = statements_.all[number].heading;
    paragraph_.owners = owners;
    const bool has_lead = lead_ != kNoLead && statements_.all[lead_].heading == heading;
    Close();
    in_list_ = true;
    if (has_lead) list_.owners = owners;
    Statement title = {.text = statements_.headings[heading].text};
    // The words of a heading that look like code.
    for (std::size_t at = 0; at < title.text.size();) {
      std::size_t end = at;
      while (end < title.text.size() &&
             (IsNameByte(title.text[end]) || title.text[end] == '.' || title.text[end] == ':')) {
        ++end;
      }
      if (end > at) title.runs.push_back({.begin = at, .end = end, .is_code = true});
      at = end + 1;
    }
    AddOwners(CodeSpansOf(title), list_);
  }

  const statement::Statements& statements_;
  NameGroup paragraph_;
  NameGroup list_ = {.is_list = true};
  NameGroup item_;
  std::uint32_t item_group_ = ~std::uint32_t{0};
  bool in_list_ = false;
  std::uint32_t group_ = ~std::uint32_t{0};
  std::size_t lead_ = kNoLead;
  std::vector<NameGroup> groups_;
};

// Judges the names of one group.
class GroupJudge {
 public:
  GroupJudge(const NameGroup& group, const Witness& witness, const MemberJudge& members,
             const Topic& topic, const statement::OwnNames& own)
      : group_(group), witness_(witness), members_(members), topic_(topic), own_(own) {}

  void Run(GroupJudgements& judgements) {
    for (const std::string& owner : group_.owners) {
      if (JudgeByOwner(owner, judgements)) return;
    }
    JudgeByFile(judgements);
  }

 private:
  bool IsOwn(const std::string& name) const {
    return own_.names.contains(name) || own_.aliases.contains(name);
  }

  bool JudgeByOwner(const std::string& written, GroupJudgements& judgements) {
    std::string owner = written;
    const std::vector<std::string> parts = SplitQualified(owner);
    if (parts.empty() || own_.names.contains(parts.front())) return false;
    const auto alias = own_.aliases.find(parts.front());
    if (alias != own_.aliases.end()) owner = alias->second + owner.substr(parts.front().size());
    std::size_t had = 0;
    std::size_t asked = 0;
    std::vector<std::pair<const NameGroup::Name*, statement::Judgement>> others;
    for (const NameGroup::Name& name : group_.names) {
      if (name.name == written) continue;
      ++asked;
      std::optional<statement::Judgement> judged = members_.Judge(
          {.owner = owner, .member = name.name, .belonging = Belonging::kAny}, topic_);
      if (!judged) continue;
      if (judged->verdict == statement::Verdict::kSupported) {
        ++had;
      } else if (!IsOwn(name.name) && (group_.is_list || !witness_.FindWord(name.name))) {
        others.emplace_back(&name, *std::move(judged));
      }
    }
    if (had < (group_.is_list ? kLeastMembers : kLeastInProse) || had * 10 < asked * 6)
      return false;
    for (auto& [name, judgement] : others) {
      judgements.emplace(std::pair(name->statement, name->offset), std::move(judgement));
    }
    return true;
  }

  // Files that have the name; few, or none if it is everywhere.
  std::set<std::pair<std::size_t, std::string>> FilesOf(const std::string& name) const {
    std::set<std::pair<std::size_t, std::string>> files;
    witness_.VisitWord(name, {}, kSightingsOfSibling, [&](const Sighting& sighting) {
      files.emplace(sighting.source, sighting.path);
      return true;
    });
    return files;
  }

  // Whether the name is a mistake for the other: not only in its case, and in a
  // text about the source.
  bool IsMeant(std::string_view name, std::string_view other, std::size_t source) const {
    constexpr double kAlikeEnough = 0.68;
    return topic_.names_source[source] && topic_.told_by_names != source &&
           LowerCase(name) != LowerCase(other) && Likeness(name, other) >= kAlikeEnough;
  }

  // "FusedLion" beside "FusedLAMB" and "FusedAdam": names of one kind, by their first or last part.
  static bool IsOneOfKind(const NameGroup::Name& name,
                          const std::vector<const NameGroup::Name*>& siblings) {
    constexpr std::size_t kLeastAlike = 2;
    const auto parts = [](std::string_view word) {
      std::size_t first = 1;
      while (first < word.size() && !IsUpper(word[first]) && word[first] != '_') ++first;
      std::size_t last = word.size() - 1;
      while (last > 0 && !IsUpper(word[last]) && word[last - 1] != '_') --last;
      return std::pair(word.substr(0, first), word.substr(last));
    };
    const auto [first, last] = parts(name.name);
    std::set<std::string> same_first;
    std::set<std::string> same_last;
    constexpr std::size_t kLong = 5;
    for (const NameGroup::Name* other : siblings) {
      const auto [theirs, their_last] = parts(other->name);
      if (first.size() >= kLong && first == theirs) same_first.insert(other->name);
      if (last.size() >= kLong && last == their_last) same_last.insert(other->name);
    }
    return std::max(same_first.size(), same_last.size()) >= kLeastAlike &&
           std::any_of(name.name.begin(), name.name.end(), IsUpper);
  }

  // Names that no source has, among names of one file.
  void JudgeByFile(GroupJudgements& judgements) const {
    std::vector<const NameGroup::Name*> strangers;
    std::map<std::pair<std::size_t, std::string>, std::set<std::string>> files;
    std::size_t known = 0;
    std::set<std::size_t> statements;  // that have a known name
    std::vector<const NameGroup::Name*> siblings;
    for (const NameGroup::Name& name : group_.names) {
      if (!HasParts(name.name) || IsOwn(name.name)) continue;
      if (!witness_.FindWord(name.name)) {
        strangers.push_back(&name);
        continue;
      }
      ++known;
      siblings.push_back(&name);
      statements.insert(name.statement);
      for (const auto& file : FilesOf(name.name)) files[file].insert(name.name);
    }
    constexpr std::size_t kLeastSiblings = 2;
    if (strangers.empty() || strangers.size() * 2 > known) return;
    std::size_t most = 0;
    std::size_t source = 0;
    std::string path;
    for (const auto& [file, names] : files) {
      if (names.size() <= most) continue;
      most = names.size();
      source = file.first;
      path = file.second;
    }
    if (most < kLeastSiblings || most * 2 < known) return;
    for (const NameGroup::Name* name : strangers) {
      // Another sentence may be about something else.
      if (!group_.is_list && !statements.contains(name->statement)) continue;
      std::optional<NearestTruth> nearest = NearestInSource(witness_, source, name->name);
      const bool is_meant = nearest && IsMeant(name->name, nearest->name, source);
      if (!is_meant && !(topic_.names_source[source] && IsOneOfKind(*name, siblings))) continue;
      if (!is_meant) nearest = NearestTruth{};
      judgements.emplace(
          std::pair(name->statement, name->offset),
          statement::Judgement{
              .verdict = statement::Verdict::kAbsent,
              .code = "ident/unknown",
              .kind = "identifier",
              .text = name->name,
              .message = fmt::format("`{}` does not occur in {}, which has the names beside it",
                                     name->name, witness_.ShowSource(source)),
              .nearest = nearest->name,
              .where = nearest->where,
              .reason = fmt::format("{} names beside it are in {}", most, path)});
    }
  }

  const NameGroup& group_;
  const Witness& witness_;
  const MemberJudge& members_;
  const Topic& topic_;
  const statement::OwnNames& own_;
};

}  // namespace

std::vector<NameGroup> FindNameGroups(const statement::Statements& statements) {
  return GroupFinder(statements).Run();
}

void JudgeGroup(const NameGroup& group, const GroupSources& sources, GroupJudgements& judgements) {
  const Topic topic = sources.topics.Of(group.names.front().statement);
  GroupJudge(group, sources.witness, sources.members, topic, sources.own).Run(judgements);
}

}  // namespace sibyl::audit
