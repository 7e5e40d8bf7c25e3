// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/page_search.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/line_span.h"
#include "base/markdown/fence.h"
#include "base/markdown/heading_anchor.h"
#include "base/strings.h"
#include "engine/shown_lines.h"
#include "expansion/expansion_inputs.h"
#include "oracle/page_index.h"
#include "passages/file_outline.h"

namespace sibyl::engine {
namespace {

// The words of a query that a section should have, in lower case; a plural finds the singular.
std::vector<std::string> WordsOf(std::string_view query) {
  constexpr std::size_t kShortest = 3;  // "of", "is" and "a" are everywhere
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (word.size() > kShortest && word.ends_with('s')) word.pop_back();
    if (word.size() >= kShortest) words.push_back(word);
    word.clear();
  };
  for (const char c : LowerCase(query)) {
    if (IsNameByte(c) || static_cast<unsigned char>(c) >= 0x80U) {
      word += c;
    } else {
      finish();
    }
  }
  finish();
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

bool HasNearlyAll(const std::vector<std::string>& words, const std::string& lower_text) {
  const auto missing = static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(),
                    [&](const std::string& word) { return !Contains(lower_text, word); }));
  return missing <= words.size() / 3;
}

// "CUDA\_ARCHITECTURES" is how Markdown writes the name.
std::string WithoutEscapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size() && !IsNameByte(text[i + 1]);
    const bool is_underscore = text[i] == '\\' && text.substr(i + 1).starts_with('_');
    if (!is_escape && !is_underscore) plain += text[i];
  }
  return plain;
}

// Whether the line is in a block of code, as the text of a page has them.
bool IsInCode(std::string_view page, std::uint32_t line) {
  FenceTracker fences;
  std::uint32_t number = 1;
  for (const std::string_view text : SplitLines(page)) {
    if (number++ >= line) break;
    (void)fences.Take(text);
  }
  return fences.is_open();
}

// Whether it has footnotes. A page without any, such as a log of reviews, speaks about the
// others' subjects without a receipt, and is not what a reader looks for first.
bool HasFootnotes(const draft::KnowledgeFile& page) { return Contains(page.text, "\n[^"); }

}  // namespace

PlaceOnPage FindPlaceOnPage(std::string_view page, std::uint32_t line) {
  HeadingAnchors anchors;
  PlaceOnPage place;
  for (const passages::OutlineEntry& entry : passages::FileOutline("markdown", page)) {
    std::string anchor = anchors.Next(entry.label);
    if (place.title.empty()) {
      place.title = WithoutEscapes(entry.label);
      continue;
    }
    if (entry.first_line > line) break;
    place.heading = WithoutEscapes(entry.label);
    place.anchor = std::move(anchor);
  }
  return place;
}

PageSearch::PageSearch(const oracle::Context& context, const evidence::Surroundings& around)
    : pages_(expansion::ReadKnowledge(context)) {
  std::vector<oracle::OwnPage> pages;
  pages.reserve(pages_.size());
  for (const draft::KnowledgeFile& file : pages_) pages.push_back({file.path, file.text});
  if (pages.empty()) return;
  Result<index::Index> index = oracle::OpenPageIndex(pages, around);
  if (!index.ok()) return;
  index_.emplace(std::move(*index));
  searcher_.emplace(std::vector<const index::Index*>{&*index_});
}

const draft::KnowledgeFile* PageSearch::PageAt(std::string_view path) const {
  for (const draft::KnowledgeFile& page : pages_) {
    if (page.path == path) return &page;
  }
  return nullptr;
}

Json PageSearch::PlaceAsJson(const draft::KnowledgeFile& page, std::uint32_t line) const {
  const PlaceOnPage place = FindPlaceOnPage(page.text, line);
  const std::string_view path = page.path;
  const std::size_t slash = path.rfind('/');
  return {{"page", path},
          {"topic", slash == std::string_view::npos ? std::string_view() : path.substr(0, slash)},
          {"title", place.title},
          {"heading", place.heading},
          {"anchor", place.anchor}};
}

Json PageSearch::Find(const std::string& query, const Limits& limits) const {
  constexpr std::size_t kLookedAt = 10;  // for each that is wanted
  Json found = Json::array();
  if (!searcher_) return found;
  const std::vector<std::string> words = WordsOf(query);
  const index::Query wanted{.text = query, .context = {}, .limit = limits.most * kLookedAt};
  Json uncited = Json::array();
  for (const index::Hit& hit : searcher_->Search(wanted)) {
    if (found.size() >= limits.most) break;
    const draft::KnowledgeFile* page = PageAt(hit.path_view);
    if (page == nullptr) continue;
    Json& list = HasFootnotes(*page) ? found : uncited;
    if (list.size() >= limits.most) continue;
    // Its heading has those around it, and the title.
    const std::string text =
        LowerCase(std::string(hit.heading_view) + '\n' + searcher_->Text(hit.passage));
    if (!HasNearlyAll(words, text)) continue;
    list.push_back(SectionAsJson(*page, hit, wanted, limits));
  }
  // Beside others they are few: the passages of the sources come after them.
  const std::size_t most_uncited = found.empty() ? limits.most : std::size_t{2};
  for (std::size_t i = 0; i < std::min(most_uncited, uncited.size()); ++i) {
    if (found.size() < limits.most) found.push_back(std::move(uncited[i]));
  }
  return found;
}

Json PageSearch::SectionAsJson(const draft::KnowledgeFile& page, const index::Hit& hit,
                               const index::Query& wanted, const Limits& limits) const {
  const index::Searcher::Snippet snippet =
      searcher_->MakeSnippet(hit, wanted, limits.snippet_lines);
  // A passage may begin above the heading that its best lines are below.
  const auto lines = static_cast<std::uint32_t>(CountLines(Trim(snippet.text)));
  Json one = PlaceAsJson(page, snippet.first_line + (lines > 0 ? lines - 1 : 0));
  one["lines"] = {hit.first_line, hit.last_line};
  one["score"] = hit.score;
  one["snippet"] = {{"first_line", snippet.first_line},
                    {"text", ShownLines(snippet.text)},
                    {"in_code", IsInCode(page.text, snippet.first_line)}};
  return one;
}

Result<Json> PageSearch::Grep(const index::Pattern& pattern) const {
  Json found = Json::array();
  Json uncited = Json::array();
  if (!searcher_) return found;
  const index::Matches matches = SIBYL_TRY(index::Grep(*searcher_, pattern));
  for (const index::MatchedDocument& matched : matches.documents) {
    const index::Segment& segment = searcher_->parts()[matched.part].part->segment;
    for (const std::string_view path : segment.paths(segment.document(matched.document))) {
      const draft::KnowledgeFile* page = PageAt(path);
      if (page == nullptr) continue;
      for (const index::MatchedLine& line : matched.lines) {
        Json one = PlaceAsJson(*page, line.line);
        one["line"] = line.line;
        const MarkedLine shown =
            ShownLineWithMark(line.text, line.match, line.match + line.match_bytes);
        one["text"] = shown.text;
        one["range"] = {shown.begin, shown.end};
        one["in_code"] = IsInCode(page->text, line.line);
        (HasFootnotes(*page) ? found : uncited).push_back(std::move(one));
      }
    }
  }
  for (Json& one : uncited) found.push_back(std::move(one));
  return found;
}

}  // namespace sibyl::engine
