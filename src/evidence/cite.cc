// SPDX-License-Identifier: Apache-2.0
// Making a citation for lines of a pinned source, and checking one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/line_span.h"
#include "evidence/cited_words.h"
#include "evidence/evidence.h"
#include "evidence/look_up.h"
#include "evidence/pages/page_snapshot.h"
#include "evidence/pages/pages.h"
#include "git/origin.h"

namespace sibyl::evidence {
namespace {

constexpr std::uint64_t kMaxCitedBytes = std::uint64_t{256} << 20;

struct Target {
  std::string_view path;
  LineRange lines;
};

// "PATH:10-20" and "PATH#L10-L20". A file may be named "a:7": then the caller
// tries the whole as a path.
Target SplitTarget(std::string_view target) {
  for (const char mark : {'#', ':'}) {
    const std::size_t at = target.rfind(mark);
    if (at == std::string_view::npos || at == 0) continue;
    if (const std::optional<LineRange> lines = ParseLineRange(target.substr(at + 1))) {
      return {target.substr(0, at), *lines};
    }
  }
  return {target, {}};
}

Result<std::shared_ptr<const git::ObjectDatabase>> OpenObjects(const Pin& pin,
                                                               const Surroundings& around) {
  return around.store.MirrorOf(pin.kind, StoreOrigin(pin.origin, around.oracle)).Open();
}

struct Found {
  const Pin* pin;
  SourceCitation citation;
  std::string text;  // of the whole file
};

// The file in one source, if it is there and can be cited.
std::optional<Found> FindIn(const Pin& pin, std::string_view path, const Surroundings& around) {
  const auto objects = OpenObjects(pin, around);
  if (!objects.ok() || !pin.tree) return std::nullopt;
  git::ObjectReader reader(**objects);
  const std::optional<git::TreeEntry> entry = LookUpPath(reader, *pin.tree, path);
  if (!entry || !entry->IsFile()) return std::nullopt;
  const git::ObjectView view = reader.ReadVerified(entry->id, kMaxCitedBytes);
  if (!view.ok() || view.type != git::ObjectType::kBlob) return std::nullopt;
  SourceCitation citation{.blob = entry->id, .origin = pin.origin, .path = std::string(path)};
  using Anchor = SourceCitation::Anchor;
  citation.anchor = pin.commit ? Anchor::kCommit : Anchor::kTree;
  citation.anchor_id = pin.commit ? *pin.commit : *pin.tree;
  return Found{&pin, std::move(citation), std::string(view.bytes)};
}

std::vector<Found> FindEverywhere(const Lock& lock, std::string_view path,
                                  const Surroundings& around) {
  std::vector<Found> found;
  // "NAME:PATH": with the name of the source.
  const std::size_t colon = path.find(':');
  const Pin* named = colon == std::string_view::npos ? nullptr : lock.Find(path.substr(0, colon));
  if (named != nullptr) {
    if (auto here = FindIn(*named, path.substr(colon + 1), around)) {
      found.push_back(*std::move(here));
      return found;
    }
  }
  for (const Pin& pin : lock.pins) {
    if (std::optional<Found> here = FindIn(pin, path, around)) found.push_back(*std::move(here));
  }
  return found;
}

// A file of a source whose content this machine does not have cannot be found here.
Error NoSuchFile(const Lock& lock, std::string_view target, const Surroundings& around) {
  for (const Pin& pin : lock.pins) {
    const auto objects = OpenObjects(pin, around);
    if (objects.ok() && pin.tree && (*objects)->Contains(*pin.tree)) continue;
    return {.kind = ErrorKind::kNotFound,
            .message = fmt::format("citing {}: the content of the source {} is not on this machine",
                                   target, pin.name),
            .hint = "'sibyl source sync' fetches it"};
  }
  return {.kind = ErrorKind::kNotFound,
          .message = fmt::format("citing {}: no pinned source has that file", target),
          .hint = "'sibyl source list' shows what is pinned"};
}

// Where the snapshot of a page is at hand, the link leads to the heading too.
void AddAnchor(const Store& store, std::size_t first_line, PageCitation& page) {
  const Result<PageSnapshot> snapshot = LoadPageSnapshot(store, page.citation.sha256);
  if (snapshot.ok()) {
    page.fragment = WithAnchor(std::move(page.fragment), snapshot->anchors, first_line);
  }
}

LineRange LinesOf(std::string_view text, const ByteRange& bytes) {
  const auto line_at = [&](std::size_t byte) {
    return 1 + static_cast<std::size_t>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n'));
  };
  return {.first = line_at(bytes.first), .last = line_at(bytes.last)};
}

Result<CitedText> Cut(Found found, const LineRange& lines, const Surroundings& around) {
  const std::optional<std::string_view> text = TextOfLines(found.text, lines);
  if (!text) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("citing {}:{}: the file has {} lines", found.citation.path,
                                        FormatLineRange(lines), CountLines(found.text))};
  }
  found.citation.lines = lines;
  const auto begin = static_cast<std::size_t>(text->data() - found.text.data());
  std::string words;
  if (const auto& cited = found.citation.words) {
    if (cited->first < begin || cited->last >= begin + text->size()) {
      return Error{.kind = ErrorKind::kCorrupt,
                   .message = fmt::format("citing {}:{}: the cited bytes are not in these lines",
                                          found.citation.path, FormatLineRange(lines)),
                   .hint = "the citation was edited or is not genuine; cite the words again"};
    }
    words = WordsOnOneLine(std::string_view(found.text).substr(cited->first, cited->size()));
  }
  CitedText cited{found.pin->name, std::move(found.citation), std::string(*text), std::move(words)};
  const std::string_view before(found.text.data(), begin);
  cited.page = CitePage(*found.pin, cited.citation.path, CountCharacters(before), *text);
  if (cited.page && !lines.IsWhole()) AddAnchor(around.store, lines.first, *cited.page);
  return cited;
}

// The text is found by its hash, whatever is pinned now.
Result<CitedText> ResolvePage(const WebCitation& citation, const Surroundings& around) {
  const PageSnapshot snapshot = SIBYL_TRY(LoadPageSnapshot(around.store, citation.sha256));
  const std::optional<std::string_view> text =
      CharactersOf(snapshot.text, citation.first_char, citation.end_char);
  if (!text) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("resolving a citation: the text of {} has {} characters",
                                        citation.url, CountCharacters(snapshot.text))};
  }
  const Lock lock = SIBYL_TRY(ReadLock(around));
  // Two pages may have the same text: the lock's record of this one counts too.
  const std::string address = PageAddress(citation.url);
  const PageRecord* pinned = FindPage(lock, address);
  const bool is_pinned_so = pinned != nullptr && pinned->text_sha256 == citation.sha256;
  const PageRecord& record = is_pinned_so ? *pinned : snapshot.record;
  if (!is_pinned_so && address != record.url && address != record.final_url) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("resolving a citation: that text is from {}, not from {}",
                                        record.url, citation.url),
                 .hint = "the citation was edited or is not genuine; cite the page again"};
  }
  CitedText cited{.text = std::string(*text)};
  for (const Pin& pin : lock.pins) {
    for (const PageRecord& page : pin.pages) {
      if (page.url == record.url) cited.source = pin.name;
    }
  }
  const auto begin = static_cast<std::size_t>(text->data() - snapshot.text.data());
  const std::size_t first = CountLines(std::string_view(snapshot.text).substr(0, begin)) + 1;
  cited.citation.path = record.path;
  if (citation.end_char != 0) {
    cited.citation.lines = {first, first + std::max<std::size_t>(CountLines(*text), 1) - 1};
  }
  cited.page =
      PageCitation{.citation = citation,
                   .title = record.title.empty() ? citation.url : record.title,
                   .fragment = citation.end_char == 0
                                   ? std::string()
                                   : WithAnchor(TextFragment(*text), snapshot.anchors, first)};
  return cited;
}

// Pins of the citation's own origin first; then all others, since the hash
// decides and not the address.
std::vector<const Pin*> Candidates(const Lock& lock, const SourceCitation& citation) {
  std::vector<const Pin*> pins;
  for (const Pin& pin : lock.pins) pins.push_back(&pin);
  std::stable_partition(pins.begin(), pins.end(), [&citation](const Pin* pin) {
    return git::SameOrigin(pin->origin, citation.origin);
  });
  return pins;
}

Status CheckAnchor(git::ObjectReader& reader, const SourceCitation& citation) {
  if (citation.anchor == SourceCitation::Anchor::kNone) return {};
  const std::optional<git::ObjectId> tree = TreeOf(reader, citation.anchor_id);
  if (!tree) return {};
  const std::optional<git::TreeEntry> entry = LookUpPath(reader, *tree, citation.path);
  if (entry && entry->id == citation.blob) return {};
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("resolving a citation: {} of {} {}", citation.path,
                                      citation.anchor_id.Hex(),
                                      entry ? "has different content" : "does not exist"),
               .hint = "the citation was edited or is not genuine; cite the lines again"};
}

}  // namespace

Result<CitedText> MakeCitation(std::string_view text, const Surroundings& around) {
  const Lock lock = SIBYL_TRY(ReadLock(around));
  const auto [target, words] = SplitWords(text);
  Target wanted = SplitTarget(target);
  std::vector<Found> found = FindEverywhere(lock, wanted.path, around);
  if (found.empty() && wanted.path != target) {
    wanted = {target, {}};
    found = FindEverywhere(lock, wanted.path, around);
  }
  if (found.empty()) {
    const std::size_t colon = target.rfind(':');
    const bool has_file = colon != std::string_view::npos && colon > 0 &&
                          !FindEverywhere(lock, target.substr(0, colon), around).empty();
    if (has_file) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("citing {}: '{}' is not a range of lines", target,
                                          target.substr(colon + 1)),
                   .hint = "write PATH:12 or PATH:10-20"};
    }
    return NoSuchFile(lock, target, around);
  }
  if (found.size() > 1) {
    std::string names;
    for (const Found& one : found) names += (names.empty() ? "" : ", ") + one.pin->name;
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("citing {}: several sources have it: {}", target, names),
                 .hint = fmt::format("name the source: {}:{}", found[0].pin->name, target)};
  }
  if (!words.empty()) {
    if (!found[0].pin->pages.empty()) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("citing {}: words can be cited only of files", target),
                   .hint = "cite the lines of the page"};
    }
    found[0].citation.words = SIBYL_TRY(FindWords(found[0].text, wanted.lines, words));
    if (wanted.lines.IsWhole()) wanted.lines = LinesOf(found[0].text, *found[0].citation.words);
  }
  return Cut(std::move(found[0]), wanted.lines, around);
}

Result<CitedText> ResolveCitation(const Citation& citation, const Surroundings& around) {
  if (const auto* web = std::get_if<WebCitation>(&citation)) return ResolvePage(*web, around);
  const auto* source = std::get_if<SourceCitation>(&citation);
  if (source == nullptr) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "resolving a citation: it does not cite lines of a source"};
  }
  const Lock lock = SIBYL_TRY(ReadLock(around));
  for (const Pin* pin : Candidates(lock, *source)) {
    const auto objects = OpenObjects(*pin, around);
    if (!objects.ok()) continue;
    git::ObjectReader reader(**objects);
    const git::ObjectView view = reader.ReadVerified(source->blob, kMaxCitedBytes);
    if (!view.ok() || view.type != git::ObjectType::kBlob) continue;
    Found found{pin, *source, std::string(view.bytes)};
    SIBYL_TRY(CheckAnchor(reader, *source));
    return Cut(std::move(found), source->lines, around);
  }
  return Error{
      .kind = ErrorKind::kNotFound,
      .message =
          fmt::format("resolving a citation: no pinned source has blob {}", source->blob.Hex()),
      .hint = source->origin.empty()
                  ? std::string()
                  : fmt::format("if {} is not pinned, 'sibyl source add' pins it", source->origin)};
}

}  // namespace sibyl::evidence
