// SPDX-License-Identifier: Apache-2.0
// FindQueries of plan/mentions.h: the search queries of a plan, in the many
// forms that people use.
#include <algorithm>
#include <array>
#include <utility>

#include "plan/mentions.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

struct Quoted {
  std::string_view inside;
  std::size_t end = 0;  ///< After the closing quote.
};

// A quotation that begins at text[at]: "…", “…”, '…' or `…`.
std::optional<Quoted> QuotedAt(std::string_view text, std::size_t at) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSigns = {
      {{"\"", "\""}, {"“", "”"}, {"‘", "’"}, {"'", "'"}, {"`", "`"}}};
  for (const auto& [open, close] : kSigns) {
    if (text.substr(at, open.size()) != open) continue;
    const std::size_t begin = at + open.size();
    const std::size_t end = text.find(close, begin);
    if (end == kNowhere || end == begin) return std::nullopt;
    return Quoted{.inside = text.substr(begin, end - begin), .end = end + close.size()};
  }
  return std::nullopt;
}

// Between two quotations: may they be two queries? "a" AND "b" is one.
enum class Joint { kSeparate, kOneQuery, kProse };

Joint JointOf(std::string_view between) {
  const std::string_view word = Trim(between);
  if (word == "," || word == ";" || word == "/" || word == "|" || word == "+" ||
      EqualsIgnoringCase(word, "and") || word == "&" || EqualsIgnoringCase(word, ", and")) {
    return word == "AND" ? Joint::kOneQuery : Joint::kSeparate;
  }
  if (word == "OR" || word.starts_with("OR ") || word.starts_with("AND ")) return Joint::kOneQuery;
  return Joint::kProse;
}

std::string Query(std::string_view text) { return CleanText(text); }

std::string_view SkipAsterisks(std::string_view text) {
  while (text.starts_with('*')) text = Trim(text.substr(1));
  return text;
}

// What follows "Search:", which may be one quotation, several, or bare words.
void AddQueries(std::string_view text, std::vector<std::string>& found) {
  text = SkipAsterisks(Trim(text));
  std::optional<Quoted> quoted = text.empty() ? std::nullopt : QuotedAt(text, 0);
  if (!quoted) {
    // Bare words: up to a remark in brackets.
    const std::string_view bare = Trim(text.substr(0, text.find(" (")));
    if (!bare.empty()) found.push_back(Query(bare));
    return;
  }
  // Queries are text[begin, end): joined by OR they grow, otherwise they end.
  std::size_t end = quoted->end;
  std::size_t begin = 0;
  bool joined = false;
  const auto finish = [&] {
    const std::string_view whole = text.substr(begin, end - begin);
    found.push_back(Query(joined ? whole : QuotedAt(whole, 0)->inside));
  };
  std::size_t curly = text.find("“");
  for (;;) {
    if (curly < end) curly = text.find("“", end);
    const std::size_t at = std::min(text.find_first_of("\"`", end), curly);
    const Joint joint = at == kNowhere ? Joint::kProse : JointOf(text.substr(end, at - end));
    quoted = joint == Joint::kProse ? std::nullopt : QuotedAt(text, at);
    if (!quoted) break;
    if (joint == Joint::kSeparate) {
      finish();
      begin = at;
      joined = false;
    } else {
      joined = true;
    }
    end = quoted->end;
  }
  finish();
}

bool IsDottedNameByte(char c) { return IsNameByte(c) || c == '.'; }

// search_engine(query="…"), web_search("…"), {"query": "…"}
void AddToolCalls(std::string_view text, std::vector<std::string>& found) {
  for (std::size_t at = FindWord(text, "query"); at != kNowhere;
       at = FindWord(text, "query", at + 5)) {
    std::size_t next = at + 5;
    if (next < text.size() && (text[next] == '"' || text[next] == '\'')) ++next;
    while (next < text.size() && IsSpace(text[next])) ++next;
    const bool assigned = next < text.size() && (text[next] == '=' || text[next] == ':');
    const bool call = text.substr(0, at).find_first_of("({") != kNowhere;
    if (!assigned || !call) continue;
    ++next;
    while (next < text.size() && IsSpace(text[next])) ++next;
    if (const std::optional<Quoted> quoted = QuotedAt(text, std::min(next, text.size()))) {
      found.push_back(Query(quoted->inside));
    }
  }
  if (!found.empty()) return;
  for (std::size_t at = FindIgnoringCase(text, "search"); at != kNowhere;
       at = FindIgnoringCase(text, "search", at + 6)) {
    std::size_t next = at + 6;
    while (next < text.size() && IsDottedNameByte(text[next])) ++next;
    if (next + 1 >= text.size() || text[next] != '(') continue;
    if (const std::optional<Quoted> quoted = QuotedAt(text, next + 1)) {
      found.push_back(Query(quoted->inside));
    }
  }
}

// Words that may be between the verb and the query: "Search GitHub for".
bool IsSearchPlace(std::string_view words) {
  static constexpr std::array<std::string_view, 14> kPlaces = {
      "",   "for",    "github", "web",     "the",  "google", "arxiv",
      "on", "online", "query",  "scholar", "site", "docs",   "official"};
  while (!words.empty()) {
    words = SkipDecoration(words);
    std::size_t end = 0;
    while (end < words.size() && IsNameByte(words[end])) ++end;
    const std::string_view word = words.substr(0, end);
    bool known = !word.empty() && IsDigit(word[0]);
    for (const std::string_view place : kPlaces) known = known || EqualsIgnoringCase(word, place);
    if (!known) return false;
    if (end == 0 && !words.empty()) return false;
    words.remove_prefix(end);
  }
  return true;
}

// The text after "Search:", "Search GitHub:", "Web search for", "Query 3:".
// "Search strategies: grid, random" is prose, since strategies are not a place
// to search.
std::optional<std::string_view> AfterSearchVerb(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kVerbs = {
      "search",         "web search",   "websearch",     "google",        "query",
      "research query", "search query", "github search", "scholar search"};
  text = SkipDecoration(text);
  std::size_t length = 0;
  for (const std::string_view verb : kVerbs) {
    if (StartsWithWord(text, verb) && verb.size() > length) length = verb.size();
  }
  if (length == 0) return std::nullopt;
  const std::string_view rest = text.substr(length);
  constexpr std::size_t kReach = 60;
  const std::string_view near = rest.substr(0, kReach);
  const std::size_t quote = std::min(near.find_first_of("\"`"), near.find("“"));
  const std::size_t colon = near.find(':');
  if (colon != kNowhere && colon < quote) {
    const std::string_view behind = TrimLeft(rest.substr(colon + 1));
    const bool quoted = !behind.empty() && QuotedAt(SkipAsterisks(behind), 0).has_value();
    if (quoted || IsSearchPlace(rest.substr(0, colon))) return behind;
    return std::nullopt;
  }
  if (quote == kNowhere || !IsSearchPlace(rest.substr(0, quote))) return std::nullopt;
  return rest.substr(quote);
}

bool AsksTheOracle(std::string_view text) {
  return ContainsIgnoringCase(text, "in oracle") || ContainsIgnoringCase(text, "in existing") ||
         ContainsIgnoringCase(text, "in the oracle") || ContainsIgnoringCase(text, "oracle for");
}

}  // namespace

bool IsQueryListLabel(std::string_view label) {
  return ContainsIgnoringCase(label, "queries") || ContainsIgnoringCase(label, "searches") ||
         ContainsIgnoringCase(label, "search terms") || EqualsIgnoringCase(Trim(label), "search") ||
         EqualsIgnoringCase(Trim(label), "search for");
}

std::vector<std::string> FindQueries(std::string_view text, QueryContext context) {
  std::vector<std::string> found;
  const unsigned signs = SignsOf(text);
  if ((signs & (kQuote | kColon)) == 0 && context != QueryContext::kListed) return found;
  if ((signs & kBracket) != 0 && (signs & kQuote) != 0) AddToolCalls(text, found);
  if (!found.empty()) return found;
  if (const std::optional<std::string_view> rest = AfterSearchVerb(text)) {
    if (AsksTheOracle(text)) return found;
    // "Search for X" beside "Read Y" means the oracle; "Search: X" is a query.
    const bool colon = text.find(':') < static_cast<std::size_t>(rest->data() - text.data());
    if (context == QueryContext::kKnowledge && !colon) return found;
    AddQueries(*rest, found);
    return found;
  }
  if (context == QueryContext::kListed) AddQueries(text, found);
  return found;
}

}  // namespace sibyl::plan
