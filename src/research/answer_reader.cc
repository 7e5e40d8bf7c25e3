// SPDX-License-Identifier: Apache-2.0
#include "research/answer_reader.h"

#include <array>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::research {
namespace {

constexpr std::size_t kMostLookedAt = 200;
constexpr std::size_t kMostTitleBytes = 300;
constexpr std::size_t kMostSnippetBytes = 1000;

// The member at "a/b/c"; null when there is none.
const Json* MemberAt(const Json& root, std::string_view path) {
  const Json* at = &root;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (!at->is_object()) return nullptr;
    const auto found = at->find(std::string(path.substr(0, slash)));
    if (found == at->end()) return nullptr;
    at = &*found;
    path = slash == std::string_view::npos ? "" : path.substr(slash + 1);
  }
  return at;
}

std::string TextAt(const Json& item, std::string_view name) {
  if (name.empty()) return {};
  const Json* member = MemberAt(item, name);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

// "&amp;" and the few others that titles have.
bool ReplaceEntity(std::string_view& rest, std::string& plain) {
  static constexpr std::array<std::pair<std::string_view, char>, 7> kEntities = {{{"&amp;", '&'},
                                                                                  {"&lt;", '<'},
                                                                                  {"&gt;", '>'},
                                                                                  {"&quot;", '"'},
                                                                                  {"&#39;", '\''},
                                                                                  {"&#x27;", '\''},
                                                                                  {"&nbsp;", ' '}}};
  for (const auto& [entity, character] : kEntities) {
    if (!rest.starts_with(entity)) continue;
    plain += character;
    rest.remove_prefix(entity.size());
    return true;
  }
  return false;
}

// "<strong>" and similar tags that some providers put around matches; a stray
// '<' is text.
bool SkipTag(std::string_view& rest) {
  constexpr std::size_t kLongestTag = 64;
  if (rest.size() < 3 || rest[0] != '<') return false;
  const char first = rest[1] == '/' ? rest[2] : rest[1];
  if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'))) return false;
  const std::size_t end = rest.substr(0, kLongestTag).find('>');
  if (end == std::string_view::npos) return false;
  rest.remove_prefix(end + 1);
  return true;
}

}  // namespace

std::string TextWithoutMarkup(std::string_view text, std::size_t max_bytes) {
  std::string plain;
  while (!text.empty() && plain.size() < max_bytes) {
    if (SkipTag(text) || ReplaceEntity(text, plain)) continue;
    const auto byte = static_cast<unsigned char>(text.front());
    const bool is_blank = byte <= 0x20 || byte == 0x7f;
    if (is_blank) {
      if (!plain.empty() && plain.back() != ' ') plain += ' ';
      text.remove_prefix(1);
      continue;
    }
    const Utf8Character character = DecodeUtf8(text);
    if (plain.size() + character.bytes > max_bytes) break;
    // C1 controls can move a terminal's cursor as the others can.
    const bool is_control = character.code_point >= 0x80 && character.code_point < 0xa0;
    if (character.is_valid && !is_control) plain += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return std::string(Trim(plain));
}

bool ReadFound(const Json& item, const AnswerShape& shape, Found& found) {
  Result<net::Url> url = net::ParseUrl(TextAt(item, shape.url));
  if (!url.ok()) return false;
  found.url = *std::move(url);
  found.title = TextWithoutMarkup(TextAt(item, shape.title), kMostTitleBytes);
  found.snippet = TextWithoutMarkup(TextAt(item, shape.snippet), kMostSnippetBytes);
  found.published = TextWithoutMarkup(TextAt(item, shape.published), 64);
  return true;
}

std::vector<Found> ReadAnswer(const Json& answer, const AnswerShape& shape, std::size_t limit) {
  std::vector<Found> list;
  const Json* items = MemberAt(answer, shape.list);
  if (items == nullptr || !items->is_array()) return list;
  std::size_t looked_at = 0;
  for (const Json& item : *items) {
    if (list.size() >= limit || ++looked_at > kMostLookedAt) break;
    Found found;
    if (!ReadFound(item, shape, found)) continue;
    found.rank = list.size() + 1;
    list.push_back(std::move(found));
  }
  return list;
}

}  // namespace sibyl::research
