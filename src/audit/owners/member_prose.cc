// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/member_prose.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMaxGap = 80;

constexpr std::array<std::string_view, 12> kTakes = {
    "takes", "take", "accepts",     "accept",   "expects",  "gained",
    "gains", "got",  "understands", "receives", "supports", "requires"};
constexpr std::array<std::string_view, 16> kHas = {
    "has",     "have",     "exposes", "provides", "offers", "contains",   "includes", "carries",
    "defines", "declares", "'s",      "lists",    "adds",   "implements", "holds",    "stores"};
// Words after which only a list with a real member in it is one of members.
constexpr std::array<std::string_view, 10> kMayHave = {"with", "gives",   "give",  "shows", "where",
                                                       ":",    "reports", "fills", "reads", "via"};
constexpr std::array<std::string_view, 10> kParameterRoles = {
    "argument", "arguments", "parameter", "parameters", "keyword",
    "keywords", "kwarg",     "kwargs",    "option",     "options"};
constexpr std::array<std::string_view, 18> kMemberRoles = {
    "field",  "fields",  "member",   "members",    "attribute",  "attributes",
    "method", "methods", "property", "properties", "enumerator", "enumerators",
    "value",  "values",  "constant", "constants",  "entry",      "entries"};
constexpr std::array<std::string_view, 12> kNegations = {"no",     "not",    "without", "never",
                                                         "lacks",  "n't",    "nor",     "neither",
                                                         "unlike", "cannot", "instead", "than"};
constexpr std::array<std::string_view, 7> kPrepositions = {"of", "to",   "in",  "for",
                                                           "on", "from", "into"};

constexpr std::array<std::string_view, 12> kBeforeVerb = {
    "also",    "now",         "only",   "class",     "function", "struct",
    "objects", "constructor", "object", "instances", "itself",   "additionally"};

template <std::size_t kSize>
bool IsAmong(const std::array<std::string_view, kSize>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::vector<std::string> WordsBetween(std::string_view gap) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : LowerCase(gap)) {
    if (IsLower(c) || c == '\'') {
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
    if (c == '.' || c == ';' || c == ':' || c == '(' || c == ')') words.emplace_back(1, c);
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool IsListGap(std::string_view gap) {
  for (const std::string& word : WordsBetween(gap)) {
    if (word != "and" && word != "or" && word != "the" && word != "a" && word != "plus")
      return false;
  }
  return gap.size() <= 12;
}

std::optional<Belonging> RoleOf(std::string_view word) {
  if (IsAmong(kParameterRoles, word)) return Belonging::kParameter;
  if (IsAmong(kMemberRoles, word)) return Belonging::kMember;
  return std::nullopt;
}

bool IsPlainName(std::string_view name) {
  return name.size() > 2 && std::all_of(name.begin(), name.end(), IsNameByte);
}

bool MayBeOwner(std::string_view name) {
  if (name.size() < 3) return false;
  if (name.find_first_of(".:_") != name.npos) return true;
  return std::any_of(name.begin(), name.end(), IsUpper) || name.size() > 5;
}

bool Denies(std::string_view word) { return IsAmong(kNegations, word); }

namespace {

// ", handle and ": items of the list that are not in code font.
bool IsPlainList(std::string_view gap) {
  constexpr std::size_t kMostItems = 5;
  if (!gap.starts_with(',')) return false;
  std::size_t items = 0;
  bool was_word = false;
  for (std::size_t at = 0; at < gap.size();) {
    if (gap[at] == ',' || gap[at] == ' ') {
      was_word = was_word && gap[at] == ' ';
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < gap.size() && IsNameByte(gap[end])) ++end;
    const std::string_view word = gap.substr(at, end - at);
    if (word.empty()) return false;
    const bool is_link = word == "and" || word == "or" || word == "the" || word == "a";
    if (!is_link && (was_word || ++items > kMostItems)) return false;
    was_word = !is_link;
    at = end;
  }
  return !was_word;
}

// "takes an optional", "has the fields": what the words after an owner say
// about the next name.
std::optional<Belonging> VerbOf(const std::vector<std::string>& words) {
  if (words.empty() || words.size() > 9) return std::nullopt;
  std::size_t at = 0;
  while (at < words.size() && at < 2 && IsAmong(kBeforeVerb, words[at])) {
    ++at;
  }
  if (at == words.size()) return std::nullopt;
  std::optional<Belonging> belonging;
  if (IsAmong(kTakes, words[at])) belonging = Belonging::kParameter;
  if (IsAmong(kHas, words[at])) belonging = Belonging::kAny;
  // "`X` fields that I read: `a`", "`X` arguments: `a`"
  const bool is_role = words[at].ends_with('s') && RoleOf(words[at]) && words[at] != "values" &&
                       words[at] != "options" && words[at] != "entries";
  const bool is_list = is_role && words.back() == ":";
  if (is_list) belonging = RoleOf(words[at]);
  if (!belonging) return std::nullopt;
  for (const std::string& word : words) {
    if (IsAmong(kNegations, word) || word == "." || word == ";" || word == "(" || word == ")" ||
        (word == "that" && !is_list) || word == "which" || word == "via" || word == "through" ||
        word == "by") {
      return std::nullopt;
    }
    if (const std::optional<Belonging> role = RoleOf(word)) belonging = *role;
  }
  return belonging;
}

// "argument of the": the words between a member and its owner.
std::optional<Belonging> RoleBefore(const std::vector<std::string>& words, bool has_role,
                                    Belonging role) {
  std::size_t at = 0;
  while (at < words.size() && at < 3 && !RoleOf(words[at]) && !IsAmong(kPrepositions, words[at])) {
    if (words[at] != "keyword" && words[at] != "optional" && words[at] != "constructor" &&
        words[at] != "boolean" && words[at] != "enum") {
      return std::nullopt;
    }
    ++at;
  }
  while (at < words.size() && RoleOf(words[at])) {
    role = *RoleOf(words[at++]);
    has_role = true;
  }
  if (!has_role || at >= words.size() || !IsAmong(kPrepositions, words[at])) return std::nullopt;
  for (++at; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word != "the" && word != "a" && word != "class" && word != "struct" && word != "function" &&
        word != "its" && word != "enum" && word != "call" && word != "constructor") {
      return std::nullopt;
    }
  }
  return role;
}

// "cudaEventRecord" and "cudaEventDefault" are names of one library.
bool SharePrefix(std::string_view a, std::string_view b) {
  std::size_t length = 0;
  while (length < a.size() && length < b.size() && a[length] == b[length] && IsLower(a[length])) {
    ++length;
  }
  return length > 1 && length < a.size() && length < b.size() && IsUpper(a[length]) &&
         IsUpper(b[length]);
}

// Reads what a sentence says that one name in code font has of another.
class ProseReader {
 public:
  ProseReader(std::string_view text, const std::vector<CodeSpan>& spans)
      : text_view_(text), spans_(spans) {}

  std::vector<MemberClaim> Read() {
    for (std::size_t i = 0; i + 1 < spans_.size(); ++i) {
      const std::string_view between = Gap(i);
      if (between.size() > kMaxGap) continue;
      const std::vector<std::string> words = WordsBetween(between);
      if (MayBeOwner(spans_[i].name) && spans_[i].is_whole) AddHad(i, between, words);
      AddSibling(i, between);
      if (MayBeOwner(spans_[i + 1].name) && spans_[i + 1].is_whole) AddOwned(i, words);
    }
    return std::move(claims_);
  }

 private:
  std::string_view Gap(std::size_t i) const {
    const std::size_t end = spans_[i + 1].begin - (spans_[i + 1].is_dotted ? 1 : 0);
    return text_view_.substr(spans_[i].end, std::min(end - spans_[i].end, kMaxGap + 1));
  }

  void Add(std::size_t owner, std::size_t member, Belonging belonging) {
    if (!spans_[member].is_whole || !IsPlainName(spans_[member].name)) return;
    claims_.push_back({.owner = spans_[owner].name,
                       .member = spans_[member].name,
                       .offset = spans_[member].begin,
                       .belonging = belonging});
  }

  // The names of a list from `first` on, as claims about which the form says little.
  void AddWeak(std::size_t owner, std::size_t first) {
    std::size_t last = first;
    while (last + 1 < spans_.size() && IsListGap(Gap(last))) ++last;
    std::vector<std::string> all;
    all.reserve(last - first + 1);
    for (std::size_t j = first; j <= last; ++j) all.push_back(spans_[j].name);
    for (std::size_t j = first; all.size() > 1 && j <= last; ++j) {
      const std::size_t before = claims_.size();
      Add(owner, j, Belonging::kAny);
      if (claims_.size() == before) continue;
      claims_.back().beside = all;
      std::erase(claims_.back().beside, spans_[j].name);
    }
  }

  // The owner, then what it has.
  void AddHad(std::size_t i, std::string_view between, const std::vector<std::string>& words) {
    // "`f()`, stores them in `x`": somebody else does.
    const bool is_broken = Trim(between).starts_with(',');
    // "`Array`'s `nogil` `cdef` functions"
    const bool is_adjective = i + 2 < spans_.size() && Trim(Gap(i + 1)).empty();
    const std::optional<Belonging> verb = is_broken || is_adjective ? std::nullopt : VerbOf(words);
    if (verb) {
      AddTaken(i, *verb);
    } else if (!words.empty() && words.size() <= 2 && IsAmong(kMayHave, words.front()) &&
               (words.size() == 1 || words.back() == "the" || words.back() == "its")) {
      AddWeak(i, i + 1);
    }
  }

  void AddTaken(std::size_t i, Belonging verb) {
    const bool is_parameter = verb == Belonging::kParameter;
    for (std::size_t j = i + 1; j < spans_.size(); ++j) {
      // "takes a `Tensor`" and "takes `cudaEventRecordExternal`" name a type or a value.
      const std::string& name = spans_[j].name;
      const bool is_type = is_parameter && !name.empty() &&
                           (IsUpper(name.front()) || SharePrefix(spans_[i].name, name));
      if (!is_type) Add(i, j, verb);
      if (j + 1 >= spans_.size()) break;
      if (!IsListGap(Gap(j)) && !(is_parameter && IsPlainList(Gap(j)))) break;
    }
  }

  // "`Status::kInvalid` or `kMissing`": the second is one of the same.
  void AddSibling(std::size_t i, std::string_view between) {
    const std::size_t scope = spans_[i].name.rfind("::");
    if (scope == std::string::npos || !spans_[i].is_whole || !IsListGap(between) ||
        spans_[i + 1].name.find_first_of(".:") != std::string::npos) {
      return;
    }
    const std::size_t before = claims_.size();
    Add(i, i + 1, Belonging::kMember);
    if (claims_.size() == before) return;
    claims_.back().owner = spans_[i].name.substr(0, scope);
    claims_.back().beside = {spans_[i].name.substr(scope + 2)};
    claims_.back().needs_record = claims_.back().only_if_unseen = true;
  }

  // What is had, then the owner.
  void AddOwned(std::size_t i, const std::vector<std::string>& words) {
    const std::size_t begin = spans_[i].begin;
    const std::string_view before =
        text_view_.substr(begin > 24 ? begin - 24 : 0, std::min<std::size_t>(begin, 24));
    const std::vector<std::string> ahead = WordsBetween(before);
    std::optional<Belonging> role = ahead.empty() ? std::nullopt : RoleOf(ahead.back());
    if (!role && !ahead.empty() && (ahead.back() == "pass" || ahead.back() == "passing")) {
      role = Belonging::kParameter;
    }
    const std::optional<Belonging> said =
        RoleBefore(words, role.has_value(), role.value_or(Belonging::kAny));
    if (!said) return;
    Add(i + 1, i, *said);
    for (std::size_t j = i; j > 0 && IsListGap(Gap(j - 1)); --j) Add(i + 1, j - 1, *said);
  }

  std::string_view text_view_;
  const std::vector<CodeSpan>& spans_;
  std::vector<MemberClaim> claims_;
};

// "`f` takes `a` and `b`; a `c` argument exists too": the one owner of the sentence is meant.
void AddRoles(std::string_view text, const std::vector<CodeSpan>& spans,
              std::vector<MemberClaim>& claims) {
  if (claims.empty()) return;
  const std::string owner = claims.front().owner;
  std::vector<std::string> beside;
  for (const MemberClaim& claim : claims) {
    if (claim.owner != owner) return;
    beside.push_back(claim.member);
  }
  for (const CodeSpan& span : spans) {
    const bool is_known =
        span.name == owner || std::ranges::find(beside, span.name) != beside.end();
    if (is_known || !span.is_whole || !IsPlainName(span.name)) continue;
    const std::vector<std::string> after = WordsBetween(text.substr(span.end, 16));
    const std::vector<std::string> ahead = WordsBetween(
        text.substr(span.begin > 20 ? span.begin - 20 : 0, std::min<std::size_t>(span.begin, 20)));
    if (ahead.empty()) continue;
    // "a `c` argument", "a third argument, `c`, …"
    const bool is_ahead = RoleOf(ahead.back()) && !ahead.back().ends_with('s');
    const bool is_after = !after.empty() && RoleOf(after.front()) &&
                          !after.front().ends_with('s') &&
                          (ahead.back() == "a" || ahead.back() == "the");
    if (!is_ahead && !is_after) continue;
    const std::optional<Belonging> role = RoleOf(is_ahead ? ahead.back() : after.front());
    claims.push_back({.owner = owner,
                      .member = span.name,
                      .offset = span.begin,
                      .belonging = *role,
                      .beside = beside});
  }
}

}  // namespace

namespace {

// "`Mlp` normalizes with `x`, understands `a` and `b`": what a later verb of the sentence says that
// its subject takes.
void AddLaterVerbs(std::string_view text, const std::vector<CodeSpan>& spans,
                   std::vector<MemberClaim>& claims) {
  constexpr std::array<std::string_view, 6> kVerbs = {"accepts",  "understands", "takes",
                                                      "supports", "receives",    "accept"};
  const auto is_class = [](const CodeSpan& span) {
    return span.is_whole && !span.is_keyword && MayBeOwner(span.name) &&
           std::any_of(span.name.begin(), span.name.end(), IsUpper) &&
           std::any_of(span.name.begin(), span.name.end(), IsLower);
  };
  if (spans.empty() || !is_class(spans.front())) return;
  std::size_t owner = 0;
  bool is_list = false;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    const std::string_view gap =
        text.substr(spans[i - 1].end, spans[i].begin - std::min(spans[i].begin, spans[i - 1].end));
    if (is_class(spans[i])) {
      owner = i;
      is_list = false;
      continue;
    }
    const std::vector<std::string> words = WordsBetween(gap);
    const bool is_verb = words.size() <= 4 && !words.empty() && IsAmong(kVerbs, words.back());
    // "`A` is read by `f`, which accepts `x`": the subject is another.
    const bool is_denied = std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return Denies(word) || word == "which" || word == "that" || word == "who";
    });
    is_list = !is_denied && (is_verb || (is_list && IsListGap(gap)));
    if (!is_list || !spans[i].is_whole || !IsPlainName(spans[i].name)) continue;
    if (spans[i].name.find('_') == std::string::npos) continue;
    const bool is_read = std::ranges::any_of(
        claims, [&](const MemberClaim& claim) { return claim.offset == spans[i].begin; });
    if (is_read) continue;
    claims.push_back({.owner = spans[owner].name,
                      .member = spans[i].name,
                      .offset = spans[i].begin,
                      .belonging = Belonging::kParameter});
  }
}

}  // namespace

std::vector<MemberClaim> ReadProseClaims(std::string_view text,
                                         const std::vector<CodeSpan>& spans) {
  std::vector<MemberClaim> claims = ProseReader(text, spans).Read();
  AddLaterVerbs(text, spans, claims);
  AddRoles(text, spans, claims);
  return claims;
}

}  // namespace sibyl::audit
