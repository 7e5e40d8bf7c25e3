// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_citation.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "base/ascii.h"
#include "base/percent.h"
#include "base/strings.h"

namespace sibyl::evidence {
namespace {

constexpr std::size_t kWordsOfAnEnd = 5;

bool IsStart(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

// What a browser shows of a line: without the marks of Markdown.
std::string VisibleText(std::string_view line) {
  line = Trim(line);
  while (line.starts_with("> ")) line = Trim(line.substr(2));
  if (line.starts_with("```") || line.starts_with("| ---")) return {};
  const std::size_t hashes = std::min(line.find_first_not_of('#'), line.size());
  if (hashes > 0 && line.substr(hashes).starts_with(' ')) line.remove_prefix(hashes + 1);
  if (line.starts_with("- ")) line.remove_prefix(2);
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits > 0 && line.substr(digits).starts_with(". ")) line.remove_prefix(digits + 2);
  // For a row the first cell: a browser finds words only within one box.
  if (line.starts_with("| ")) line = Trim(line.substr(2, line.find(" |", 2) - 2));
  std::string visible;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') continue;
    if (line[i] == '\\' && i + 1 < line.size() &&
        std::string_view("#|>`").find(line[i + 1]) != std::string_view::npos) {
      continue;
    }
    visible += line[i];
  }
  return visible;
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Everything but letters, digits and `marks`.
std::string EncodedWord(std::string_view word, std::string_view marks) {
  return EncodePercent(word, [marks](char letter) {
    return IsAlphanumeric(letter) || marks.find(letter) != std::string_view::npos;
  });
}

// The dash and the comma mean something in a directive.
std::string Encoded(const std::vector<std::string_view>& words, std::size_t first,
                    std::size_t end) {
  std::string encoded;
  for (std::size_t i = first; i < end; ++i) {
    if (i > first) encoded += "%20";
    encoded += EncodedWord(words[i], "._");
  }
  return encoded;
}

}  // namespace

std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), IsStart));
}

std::optional<std::string_view> CharactersOf(std::string_view text, std::size_t first,
                                             std::size_t end) {
  if (end == 0) return text;
  std::size_t begin_byte = std::string_view::npos;
  std::size_t at = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!IsStart(text[i])) continue;
    if (at == first) begin_byte = i;
    if (at == end) return text.substr(begin_byte, i - begin_byte);
    ++at;
  }
  if (at != end || begin_byte == std::string_view::npos) return std::nullopt;
  return text.substr(begin_byte);
}

std::string TextFragment(std::string_view lines) {
  std::string first_line;
  std::string last_line;
  for (const std::string_view line : SplitLines(lines)) {
    std::string visible = VisibleText(line);
    if (Trim(visible).empty()) continue;
    if (first_line.empty()) first_line = visible;
    last_line = std::move(visible);
  }
  const std::vector<std::string_view> first = Words(first_line);
  const std::vector<std::string_view> last = Words(last_line);
  if (first.empty()) return {};
  const bool is_one_line = first_line == last_line;
  if (is_one_line && first.size() <= 2 * kWordsOfAnEnd) {
    return "#:~:text=" + Encoded(first, 0, first.size());
  }
  const std::size_t last_words = std::min(kWordsOfAnEnd, last.size());
  return "#:~:text=" + Encoded(first, 0, std::min(kWordsOfAnEnd, first.size())) + "," +
         Encoded(last, last.size() - last_words, last.size());
}

std::string WithAnchor(std::string fragment, const std::vector<std::string>& anchors,
                       std::size_t line) {
  std::string_view nearest;
  for (const std::string_view anchor : anchors) {
    std::size_t at = 0;
    const char* end = anchor.data() + anchor.size();
    const auto [stopped, error] = std::from_chars(anchor.data(), end, at);
    if (error != std::errc() || stopped == end || *stopped != ' ') continue;
    if (at > line) break;
    nearest = anchor.substr(static_cast<std::size_t>(stopped - anchor.data()) + 1);
  }
  if (nearest.empty()) return fragment;
  if (fragment.starts_with('#')) fragment.erase(0, 1);
  return "#" + EncodedWord(nearest, "-._") + fragment;
}

std::optional<PageCitation> CitePage(const Pin& pin, std::string_view path,
                                     std::size_t characters_before, std::string_view lines) {
  const auto page = std::find_if(pin.pages.begin(), pin.pages.end(),
                                 [path](const PageRecord& record) { return record.path == path; });
  if (page == pin.pages.end()) return std::nullopt;
  const std::string& url = page->final_url.empty() ? page->url : page->final_url;
  PageCitation cited;
  cited.citation = {.sha256 = page->text_sha256,
                    .url = url,
                    .accessed = page->fetched,
                    .first_char = characters_before,
                    .end_char = characters_before + CountCharacters(lines)};
  cited.title = page->title.empty() ? url : page->title;
  cited.fragment = TextFragment(lines);
  return cited;
}

}  // namespace sibyl::evidence
