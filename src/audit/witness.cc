// SPDX-License-Identifier: Apache-2.0
#include "audit/witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "base/whole_word.h"
#include "index/segment/posting_seeker.h"
#include "index/words/words.h"

namespace sibyl::audit {
namespace {

// A word is searched for in this many passages by scanning; if none has this
// spelling, the exact search is used.
constexpr std::size_t kPassagesToRead = 48;

// A text is searched for in this many passages that have all its words.
constexpr std::size_t kPassagesToSearch = 3'000;

// Longer words are indexed in pieces; for these the exact search is used.
constexpr std::size_t kMaxWordBytes = 100;

bool IsWordChar(char c) { return IsWordByte(c); }

std::size_t PlaceOfWord(std::string_view text, std::string_view word, std::size_t from = 0) {
  return FindWholeWord(text, word, from).value_or(text.npos);
}

// What an answer is remembered by. The kind of question and the source come
// first: a word of a text may look like either.
std::string MemoryKey(char kind, std::optional<std::size_t> source, std::string_view text) {
  return fmt::format("{}{} {}", kind, source ? *source + 1 : 0, text);
}

bool IsOneWord(std::string_view text) { return std::all_of(text.begin(), text.end(), IsWordChar); }

// The passages of a term, in order.
std::vector<std::uint32_t> PassagesOf(const index::TermPostings& postings, std::size_t limit) {
  if (postings.list.block_count() == 0) return {postings.passage};
  std::vector<std::uint32_t> passages;
  index::PostingBlock block;
  for (std::size_t i = 0; i < postings.list.block_count() && passages.size() < limit; ++i) {
    if (!postings.list.Decode(i, block)) break;
    for (std::size_t j = 0; j < block.size && passages.size() < limit; ++j) {
      passages.push_back(block.passages[j]);
    }
  }
  return passages;
}

// The passages of a segment that have all of some words.
struct Intersection {
  index::TermPostings rarest;
  std::vector<index::PostingSeeker> others;

  /// Nothing if one of the words, in lower case, is missing.
  static std::optional<Intersection> Of(const index::Segment& segment,
                                        const std::vector<std::string>& words) {
    std::vector<index::TermPostings> found;
    for (const std::string& word : words) {
      const std::optional<index::TermPostings> postings = segment.Find(word);
      if (!postings || postings->passage_count == 0) return std::nullopt;
      found.push_back(*postings);
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.passage_count < b.passage_count; });
    Intersection all = {.rarest = found.front()};
    for (std::size_t i = 1; i < found.size(); ++i) all.others.emplace_back(found[i]);
    return all;
  }

  /// For passages in ascending order.
  bool Has(std::uint32_t passage) {
    return std::all_of(others.begin(), others.end(),
                       [&](index::PostingSeeker& other) { return other.Impact(passage) != 0; });
  }
};

// The words of a text in lower case, each once; longer ones are indexed in
// pieces and skipped.
std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  const std::vector<std::uint32_t> edges = index::FindWordEdgesPortably(text);
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    const std::string_view word = text.substr(edges[i], edges[i + 1] - edges[i]);
    if (word.size() <= kMaxWordBytes) words.push_back(LowerCase(word));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

bool IsDead(const index::Index::Part& part, std::uint32_t document) {
  return !part.dead_documents.empty() &&
         ((part.dead_documents[document / 64] >> (document % 64)) & 1) != 0;
}

}  // namespace

// Every path of every source, by its last component.
struct Witness::Paths {
  std::vector<File> files;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_name;
  std::vector<std::set<std::string, std::less<>>> folders;  // of each source
};

Witness::Witness(const index::Searcher& searcher, std::vector<WitnessSource> sources)
    : searcher_(searcher), sources_(std::move(sources)) {
  for (const index::Searcher::Part& part : searcher.parts()) {
    std::size_t source = 0;
    while (source < sources_.size() && sources_[source].name != part.index->name()) ++source;
    if (source == sources_.size()) sources_.push_back({.name = part.index->name()});
    source_of_part_.push_back(source);
  }
}

Witness::~Witness() = default;

Sighting Witness::MakeSighting(std::uint32_t part, std::uint32_t passage, std::string_view text,
                               std::size_t at) const {
  const index::Segment& segment = searcher_.parts()[part].part->segment;
  const index::PassageRecord& record = segment.passage(passage);
  const index::DocumentRecord* document = segment.document_of(passage);
  const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  const auto lines = static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n'));
  return {.source = source_of_part_[part],
          .path = document == nullptr ? "" : std::string(segment.path(*document)),
          .line = record.first_line + lines,
          .text = std::string(text.substr(start, end - start)),
          .passage = {.part = part, .passage = passage}};
}

std::string Witness::PassageOf(const Sighting& sighting, std::size_t& first_line) const {
  const index::Segment& segment = searcher_.parts()[sighting.passage.part].part->segment;
  first_line = segment.passage(sighting.passage.passage).first_line;
  return searcher_.Text(sighting.passage);
}

void Witness::VisitWord(std::string_view word, std::optional<std::size_t> source, std::size_t limit,
                        const Visitor& visit) const {
  const std::string lower = LowerCase(word);
  std::size_t seen = 0;
  for (std::uint32_t part = 0; part < searcher_.parts().size(); ++part) {
    if (source && source_of_part_[part] != *source) continue;
    const index::Index::Part& here = *searcher_.parts()[part].part;
    const std::optional<index::TermPostings> found = here.segment.Find(lower);
    if (!found || found->passage_count == 0) continue;
    index::PassageText texts(here.segment);
    for (const std::uint32_t passage : PassagesOf(*found, limit)) {
      const index::PassageRecord& record = here.segment.passage(passage);
      if (IsDead(here, record.document)) continue;
      const std::string_view text = texts.Get(record);
      for (std::size_t at = PlaceOfWord(text, word); at != text.npos && seen < limit;
           at = PlaceOfWord(text, word, at + word.size())) {
        ++seen;
        if (!visit(MakeSighting(part, passage, text, at))) return;
      }
      if (seen >= limit) return;
    }
  }
}

std::optional<Sighting> Witness::FindWord(std::string_view word,
                                          std::optional<std::size_t> source) const {
  const std::string key = MemoryKey('w', source, word);
  {
    MutexLock lock(mutex_);
    const auto known = words_.find(key);
    if (known != words_.end()) return known->second;
  }
  std::optional<Sighting> found;
  if (IsOneWord(word) && word.size() <= kMaxWordBytes) {
    VisitWord(word, source, kPassagesToRead, [&](const Sighting& sighting) {
      found = sighting;
      return false;
    });
    // Rarely the first passages have it in other letters only.
    bool is_common = false;
    const std::string lower = LowerCase(word);
    for (std::size_t part = 0; !found && part < searcher_.parts().size(); ++part) {
      const auto term = searcher_.parts()[part].part->segment.Find(lower);
      is_common = is_common || (term && term->passage_count > kPassagesToRead);
    }
    if (is_common) found = FindText(word, source);
  } else {
    found = FindText(word, source);
  }
  MutexLock lock(mutex_);
  return words_.emplace(key, std::move(found)).first->second;
}

std::optional<Sighting> Witness::FindText(std::string_view text,
                                          std::optional<std::size_t> source) const {
  std::vector<std::string> words = WordsOf(text);
  if (words.empty()) return std::nullopt;
  const std::string key = MemoryKey('t', source, text);
  {
    MutexLock lock(mutex_);
    const auto known = words_.find(key);
    if (known != words_.end()) return known->second;
  }
  std::optional<Sighting> found;
  for (std::uint32_t part = 0; part < searcher_.parts().size() && !found; ++part) {
    if (source && source_of_part_[part] != *source) continue;
    const index::Index::Part& here = *searcher_.parts()[part].part;
    std::optional<Intersection> all = Intersection::Of(here.segment, words);
    if (!all) continue;
    index::PassageText texts(here.segment);
    for (const std::uint32_t passage : PassagesOf(all->rarest, kPassagesToSearch)) {
      if (!all->Has(passage) || IsDead(here, here.segment.passage(passage).document)) continue;
      const std::string_view bytes = texts.Get(here.segment.passage(passage));
      const std::size_t at = PlaceOfWord(bytes, text);
      if (at == bytes.npos) continue;
      found = MakeSighting(part, passage, bytes, at);
      break;
    }
  }
  MutexLock lock(mutex_);
  return words_.emplace(key, std::move(found)).first->second;
}

std::size_t Witness::CountPassages(std::string_view lower_word,
                                   std::optional<std::size_t> source) const {
  std::size_t count = 0;
  for (std::size_t part = 0; part < searcher_.parts().size(); ++part) {
    if (source && source_of_part_[part] != *source) continue;
    const auto found = searcher_.parts()[part].part->segment.Find(lower_word);
    if (found) count += found->passage_count;
  }
  return count;
}

bool Witness::VisitLines(const std::vector<std::string>& lower_words, std::size_t max_passages,
                         const Visitor& visit) const {
  if (lower_words.empty()) return true;
  bool is_complete = true;
  std::vector<std::pair<std::size_t, std::string>> words;
  words.reserve(lower_words.size());
  for (const std::string& word : lower_words) words.emplace_back(CountPassages(word), word);
  std::sort(words.begin(), words.end());
  if (words.front().first == 0) return true;
  for (std::uint32_t part = 0; part < searcher_.parts().size(); ++part) {
    const index::Index::Part& here = *searcher_.parts()[part].part;
    std::optional<Intersection> all = Intersection::Of(here.segment, lower_words);
    if (!all) continue;
    is_complete = is_complete && all->rarest.passage_count <= max_passages;
    index::PassageText texts(here.segment);
    for (const std::uint32_t passage : PassagesOf(all->rarest, max_passages)) {
      if (!all->Has(passage) || IsDead(here, here.segment.passage(passage).document)) continue;
      const std::string_view text = texts.Get(here.segment.passage(passage));
      const std::string lower = LowerCase(text);
      for (std::size_t at = PlaceOfWord(lower, words.front().second); at != lower.npos;) {
        const std::size_t start = at == 0 ? 0 : lower.rfind('\n', at - 1) + 1;
        const std::size_t end = std::min(lower.find('\n', at), lower.size());
        const std::string_view line = std::string_view(lower).substr(start, end - start);
        const bool holds = std::all_of(words.begin() + 1, words.end(), [&](const auto& word) {
          return PlaceOfWord(line, word.second) != line.npos;
        });
        if (holds && !visit(MakeSighting(part, passage, text, at))) return true;
        at = PlaceOfWord(lower, words.front().second, end);
      }
    }
  }
  return is_complete;
}

std::optional<Sighting> Witness::BestPlace(std::string_view name,
                                           std::optional<std::size_t> source) const {
  // A file of that name is about it.
  for (const std::string_view ending : {".rst", ".md", ".h", ".py", ".cmake", ".txt"}) {
    for (const File& file : FindFiles(std::string(name) + std::string(ending))) {
      if (!source || file.source == *source) {
        return Sighting{.source = file.source, .path = file.path, .line = 1};
      }
    }
  }
  index::Query query = {.text = std::string(name), .limit = 4};
  if (source) query.filter.sources = {sources_[*source].name};
  for (const index::Hit& hit : searcher_.Search(query)) {
    const std::string text = searcher_.Text(hit.passage);
    const std::size_t at = PlaceOfWord(text, name);
    if (at != text.npos) {
      return MakeSighting(hit.passage.part, hit.passage.passage, text, at);
    }
  }
  return FindWord(name, source);
}

std::vector<Witness::Found> Witness::Search(std::string_view question, std::size_t limit) const {
  std::vector<Found> found;
  for (const index::Hit& hit :
       searcher_.Search({.text = std::string(question), .context = "", .limit = limit})) {
    found.push_back(
        {.where = fmt::format("{} {}:{}-{}", ShowSource(source_of_part_[hit.passage.part]),
                              hit.path_view, hit.first_line, hit.last_line),
         .text = searcher_.Text(hit.passage)});
  }
  return found;
}

std::vector<std::string> Witness::NamesWithPrefix(std::size_t source, std::string_view prefix,
                                                  std::size_t limit) const {
  std::set<std::string> names;
  for (std::size_t part = 0; part < searcher_.parts().size(); ++part) {
    if (source_of_part_[part] != source) continue;
    searcher_.parts()[part].part->segment.terms().VisitPrefix(
        prefix, limit, [&](std::string_view term, const index::TermEntry& entry) {
          if (entry.occurs_whole) names.emplace(term);
        });
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> Witness::NamesContaining(std::size_t source, std::string_view part,
                                                  std::size_t limit) const {
  std::set<std::string> names;
  for (std::size_t i = 0; i < searcher_.parts().size(); ++i) {
    if (source_of_part_[i] != source) continue;
    searcher_.parts()[i].part->segment.terms().VisitContaining(
        part, [&](std::string_view term, const index::TermEntry&) {
          if (names.size() < limit) names.emplace(term);
        });
  }
  return {names.begin(), names.end()};
}

std::optional<Witness::Spelled> Witness::FindSpelling(std::string_view lower_word,
                                                      std::size_t source) const {
  for (std::uint32_t part = 0; part < searcher_.parts().size(); ++part) {
    if (source_of_part_[part] != source) continue;
    const index::Index::Part& here = *searcher_.parts()[part].part;
    const std::optional<index::TermPostings> found = here.segment.Find(lower_word);
    if (!found || found->passage_count == 0) continue;
    index::PassageText texts(here.segment);
    for (const std::uint32_t passage : PassagesOf(*found, kPassagesToRead)) {
      if (IsDead(here, here.segment.passage(passage).document)) continue;
      const std::string_view text = texts.Get(here.segment.passage(passage));
      const std::size_t at = PlaceOfWord(LowerCase(text), lower_word);
      if (at == text.npos) continue;
      return Spelled{.word = std::string(text.substr(at, lower_word.size())),
                     .sighting = MakeSighting(part, passage, text, at)};
    }
  }
  return std::nullopt;
}

const Witness::Paths& Witness::paths() const {
  MutexLock lock(mutex_);
  if (paths_) return *paths_;
  auto paths = std::make_unique<Paths>();
  paths->folders.resize(sources_.size());
  for (std::uint32_t part = 0; part < searcher_.parts().size(); ++part) {
    const index::Index::Part& here = *searcher_.parts()[part].part;
    const std::size_t source = source_of_part_[part];
    for (std::uint32_t document = 0; document < here.segment.document_count(); ++document) {
      if (IsDead(here, document)) continue;
      for (const std::string_view path : here.segment.paths(here.segment.document(document))) {
        paths->files.push_back(
            {.source = source, .path = std::string(path), .part = part, .document = document});
        for (std::size_t slash = path.rfind('/'); slash != path.npos && slash > 0;
             slash = path.rfind('/', slash - 1)) {
          if (!paths->folders[source].emplace(path.substr(0, slash)).second) break;
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < paths->files.size(); ++i) {
    const std::string_view path = paths->files[i].path;
    paths->by_name[path.substr(path.rfind('/') + 1)].push_back(i);
  }
  paths_ = std::move(paths);
  return *paths_;
}

std::vector<Witness::File> Witness::FindFiles(std::string_view path) const {
  std::vector<File> found;
  const Paths& all = paths();
  const auto candidates = all.by_name.find(path.substr(path.rfind('/') + 1));
  if (candidates == all.by_name.end()) return found;
  for (const std::uint32_t i : candidates->second) {
    const std::string_view whole = all.files[i].path;
    if (!whole.ends_with(path)) continue;
    const std::size_t rest = whole.size() - path.size();
    if (rest == 0 || whole[rest - 1] == '/') found.push_back(all.files[i]);
  }
  return found;
}

bool Witness::HasFolder(std::size_t source, std::string_view folder) const {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return paths().folders[source].contains(folder);
}

bool Witness::HasFile(std::size_t source, std::string_view path) const {
  for (const File& file : FindFiles(path)) {
    if (file.source == source && file.path == path) return true;
  }
  return false;
}

std::vector<std::string> Witness::FilesIn(std::size_t source, std::string_view folder) const {
  std::vector<std::string> names;
  for (const File& file : paths().files) {
    if (file.source != source || !file.path.starts_with(folder)) continue;
    const std::string_view rest = std::string_view(file.path).substr(folder.size());
    if (rest.starts_with('/') && rest.find('/', 1) == rest.npos) names.emplace_back(rest.substr(1));
  }
  return names;
}

std::vector<std::string> Witness::FoldersIn(std::size_t source, std::string_view folder) const {
  std::vector<std::string> names;
  for (const std::string& path : paths().folders[source]) {
    std::string_view rest = path;
    if (!folder.empty()) {
      if (!rest.starts_with(folder) || rest.size() <= folder.size() || rest[folder.size()] != '/')
        continue;
      rest.remove_prefix(folder.size() + 1);
    }
    if (!rest.empty() && rest.find('/') == rest.npos) names.emplace_back(rest);
  }
  return names;
}

std::vector<std::string> Witness::FilesAtRoot(std::size_t source) const {
  std::vector<std::string> names;
  for (const File& file : paths().files) {
    if (file.source == source && file.path.find('/') == file.path.npos) names.push_back(file.path);
  }
  return names;
}

std::vector<std::string> Witness::FindFolders(std::size_t source, std::string_view name) const {
  std::vector<std::string> found;
  for (const std::string& path : paths().folders[source]) {
    if (std::string_view(path).substr(path.rfind('/') + 1) == name) found.push_back(path);
  }
  return found;
}

const std::vector<SourceName>& Witness::NamesOf(std::size_t source) const {
  std::call_once(names_once_, [&] {
    for (std::size_t i = 0; i < sources_.size(); ++i) names_.push_back(ReadSourceNames(*this, i));
  });
  return names_[source];
}

bool Witness::IsKnownAs(std::size_t source, std::string_view name) const {
  const std::string folded = FoldSourceName(name);
  const std::vector<SourceName>& names = NamesOf(source);
  return std::any_of(names.begin(), names.end(),
                     [&](const SourceName& known) { return known.folded == folded; });
}

std::string Witness::ReadText(const File& file) const {
  const index::Segment& segment = searcher_.parts()[file.part].part->segment;
  const index::DocumentRecord& document = segment.document(file.document);
  index::PassageText texts(segment);
  std::string text;
  for (std::uint32_t i = 0; i < document.passage_count; ++i) {
    const std::size_t passage = std::size_t{document.first_passage} + i;
    if (passage >= segment.passage_count()) break;
    text += texts.Get(segment.passage(passage));
  }
  return text;
}

std::string Witness::ShowSource(std::size_t source) const {
  const WitnessSource& shown = sources_[source];
  return shown.pin.empty() ? shown.name : shown.name + "@" + shown.pin;
}

std::string Witness::Show(const Sighting& sighting) const {
  return fmt::format("{} {}:{}", ShowSource(sighting.source), sighting.path, sighting.line);
}

std::string Witness::Show(const File& file) const {
  return fmt::format("{} {}", ShowSource(file.source), file.path);
}

}  // namespace sibyl::audit
