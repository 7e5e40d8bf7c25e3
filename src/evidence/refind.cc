// SPDX-License-Identifier: Apache-2.0
#include "evidence/refind.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/line_span.h"
#include "base/mutex.h"
#include "evidence/cited_words.h"
#include "git/object_reader.h"

namespace sibyl::evidence {
namespace {

constexpr std::size_t kContextLines = 3;
constexpr std::size_t kMaxCandidates = 10;
// Letters and digits below which a text may well have been written twice:
// "}" and "return 0;" are everywhere.
constexpr std::size_t kDistinctiveLetters = 20;

using Lines = std::vector<std::string_view>;

// Without line ends: the last line of a file may lack one and is the same line.
Lines SplitPlain(std::string_view text) {
  Lines lines = LinesWithEnds(text);
  for (std::string_view& line : lines) {
    if (line.ends_with('\n')) line.remove_suffix(1);
  }
  return lines;
}

std::size_t CountLetters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  }));
}

/// The cited lines and their context.
class Needle {
 public:
  explicit Needle(const RefindRequest& request) : file_(SplitPlain(request.file_text)) {
    const LineRange& lines = request.citation.lines;
    first_ = lines.IsWhole() ? 0 : lines.first - 1;
    end_ = lines.IsWhole() ? file_.size() : std::min(lines.last, file_.size());
    std::size_t letters = 0;
    for (std::size_t i = first_; i < end_; ++i) {
      const std::size_t here = CountLetters(file_[i]);
      letters += here;
      if (here > key_letters_) {
        key_letters_ = here;
        key_ = i;
      }
    }
    distinctive_ = letters >= kDistinctiveLetters;
  }

  bool IsEmpty() const { return first_ >= end_; }
  bool distinctive() const { return distinctive_; }
  std::size_t size() const { return end_ - first_; }

  /// The line to search for first: the most distinctive one.
  std::string_view key() const { return file_[key_]; }
  std::size_t key_offset() const { return key_ - first_; }

  bool Matches(const Lines& lines, std::size_t at) const {
    if (at + size() > lines.size()) return false;
    return std::equal(file_.begin() + Offset(first_), file_.begin() + Offset(end_),
                      lines.begin() + Offset(at));
  }

  /// True if all context lines are the same too.
  bool ContextMatches(const Lines& lines, std::size_t at) const {
    for (std::size_t i = 1; i <= kContextLines && i <= first_; ++i) {
      if (i > at || lines[at - i] != file_[first_ - i]) return false;
    }
    for (std::size_t i = 0; i < kContextLines && end_ + i < file_.size(); ++i) {
      if (at + size() + i >= lines.size() || lines[at + size() + i] != file_[end_ + i]) {
        return false;
      }
    }
    return true;
  }

 private:
  static std::ptrdiff_t Offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  Lines file_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::size_t key_ = 0;
  std::size_t key_letters_ = 0;
  bool distinctive_ = false;
};

struct Sighting {
  std::string path;
  git::ObjectId blob;
  std::size_t line = 0;  // from zero
  bool with_context = false;
};

std::vector<Sighting> SightingsIn(const Needle& needle, const Lines& lines, std::string_view path,
                                  const git::ObjectId& blob) {
  std::vector<Sighting> sightings;
  for (std::size_t at = 0; at + needle.size() <= lines.size(); ++at) {
    if (!needle.Matches(lines, at)) continue;
    sightings.push_back({std::string(path), blob, at, needle.ContextMatches(lines, at)});
  }
  return sightings;
}

/// Searches all files at once for lines that were not found in their own file:
/// each file's lines are hashed once.
class OtherFiles {
 public:
  void Want(std::size_t request, const Needle& needle) {
    by_key_.emplace(std::hash<std::string_view>{}(needle.key()), std::pair(request, &needle));
  }

  void Look(const ScannedFile& file) {
    Lines lines;
    std::size_t number = 0;
    for (std::string_view rest = file.text; !rest.empty(); ++number) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const auto [first, last] = by_key_.equal_range(std::hash<std::string_view>{}(line));
      for (auto it = first; it != last; ++it) {
        if (lines.empty()) lines = SplitPlain(file.text);
        Check(file, lines, number, it->second);
      }
    }
  }

  std::vector<Sighting> Take(std::size_t request) {
    MutexLock lock(mutex_);
    std::vector<Sighting> sightings = std::move(sightings_[request]);
    std::sort(sightings.begin(), sightings.end(), [](const Sighting& a, const Sighting& b) {
      return std::tie(a.path, a.line) < std::tie(b.path, b.line);
    });
    return sightings;
  }

  bool IsEmpty() const { return by_key_.empty(); }

 private:
  void Check(const ScannedFile& file, const Lines& lines, std::size_t number,
             const std::pair<std::size_t, const Needle*>& wanted) {
    const Needle& needle = *wanted.second;
    if (number < needle.key_offset()) return;
    const std::size_t at = number - needle.key_offset();
    if (!needle.Matches(lines, at)) return;
    MutexLock lock(mutex_);
    sightings_[wanted.first].push_back(
        {std::string(file.path), file.blob, at, needle.ContextMatches(lines, at)});
  }

  std::unordered_multimap<std::size_t, std::pair<std::size_t, const Needle*>> by_key_;
  Mutex mutex_;
  std::unordered_map<std::size_t, std::vector<Sighting>> sightings_ SIBYL_GUARDED_BY(mutex_);
};

class Refinder {
 public:
  Refinder(const Snapshot& now, const Pin& pin, const RefindOptions& options)
      : now_(now), pin_(pin), options_(options), reader_(now.database()) {}

  std::vector<Refound> Run(const std::vector<RefindRequest>& requests) {
    std::vector<Refound> answers(requests.size());
    std::vector<Needle> needles;
    needles.reserve(requests.size());  // OtherFiles keeps pointers to them
    OtherFiles other_files;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      needles.emplace_back(requests[i]);
      if (std::optional<Refound> here = InItsFile(requests[i], needles[i])) {
        answers[i] = *std::move(here);
      } else if (!needles[i].IsEmpty()) {
        other_files.Want(i, needles[i]);
      }
    }
    if (other_files.IsEmpty()) return answers;
    now_.Scan({.threads = options_.threads},
              [&](const ScannedFile& file) { other_files.Look(file); });
    for (std::size_t i = 0; i < requests.size(); ++i) {
      std::vector<Sighting> sightings = other_files.Take(i);
      if (!sightings.empty()) answers[i] = InOthers(requests[i], needles[i], std::move(sightings));
    }
    return answers;
  }

 private:
  // Nothing when the file is gone or no longer has the content.
  std::optional<Refound> InItsFile(const RefindRequest& request, const Needle& needle) {
    const SnapshotFile* file = now_.Find(request.citation.path);
    if (file == nullptr) return std::nullopt;
    if (file->blob == request.citation.blob) {
      return Found(Whereabouts::kUnchanged, request, file->path, file->blob,
                   request.citation.lines);
    }
    // Of a whole file nothing but the whole file will do.
    if (request.citation.lines.IsWhole() || needle.IsEmpty()) return std::nullopt;
    const git::ObjectView view = reader_.ReadVerified(file->blob, now_.filter().max_file_bytes);
    if (!view.ok()) return std::nullopt;
    std::vector<Sighting> sightings =
        SightingsIn(needle, SplitPlain(view.bytes), file->path, file->blob);
    if (sightings.empty()) return std::nullopt;
    const std::optional<Sighting> chosen = Choose(sightings, needle);
    if (!chosen) return Ambiguous(request, sightings);
    const LineRange lines = LinesAt(*chosen, needle);
    const bool same = lines == request.citation.lines;
    return Found(same ? Whereabouts::kUnchanged : Whereabouts::kMovedInFile, request, chosen->path,
                 chosen->blob, lines);
  }

  Refound InOthers(const RefindRequest& request, const Needle& needle,
                   std::vector<Sighting> sightings) {
    const std::vector<Sighting> all = sightings;
    std::erase_if(sightings, [&](const Sighting& one) {
      return one.path == request.citation.path || WasThereBefore(one, needle);
    });
    if (request.citation.lines.IsWhole()) {
      std::erase_if(sightings,
                    [&](const Sighting& one) { return one.blob != request.citation.blob; });
    }
    if (sightings.empty()) {
      Refound gone = Ambiguous(request, all);
      gone.whereabouts = Whereabouts::kGone;
      return gone;
    }
    const std::optional<Sighting> chosen = Choose(sightings, needle);
    if (!chosen) return Ambiguous(request, sightings);
    const LineRange lines =
        request.citation.lines.IsWhole() ? LineRange{} : LinesAt(*chosen, needle);
    return Found(Whereabouts::kMovedToFile, request, chosen->path, chosen->blob, lines);
  }

  // The only one, if it cannot be an accident; of several the only one whose
  // neighbours are the same too.
  static std::optional<Sighting> Choose(const std::vector<Sighting>& sightings,
                                        const Needle& needle) {
    if (sightings.size() == 1) {
      if (needle.distinctive() || sightings[0].with_context) return sightings[0];
      return std::nullopt;
    }
    std::optional<Sighting> chosen;
    for (const Sighting& one : sightings) {
      if (!one.with_context) continue;
      if (chosen) return std::nullopt;
      chosen = one;
    }
    return chosen;
  }

  bool WasThereBefore(const Sighting& sighting, const Needle& needle) const {
    if (options_.before == nullptr) return false;
    const SnapshotFile* old = options_.before->Find(sighting.path);
    if (old == nullptr) return false;
    if (old->blob == sighting.blob) return true;
    git::ObjectReader reader(options_.before->database());
    const git::ObjectView view = reader.Read(old->blob, options_.before->filter().max_file_bytes);
    return view.ok() && !SightingsIn(needle, SplitPlain(view.bytes), {}, {}).empty();
  }

  static LineRange LinesAt(const Sighting& sighting, const Needle& needle) {
    return {sighting.line + 1, sighting.line + needle.size()};
  }

  SourceCitation CitationOf(const RefindRequest& request, const std::string& path,
                            const git::ObjectId& blob, const LineRange& lines) const {
    SourceCitation citation = request.citation;
    using Anchor = SourceCitation::Anchor;
    citation.origin = pin_.origin;
    citation.anchor = pin_.commit ? Anchor::kCommit : Anchor::kTree;
    citation.anchor_id = pin_.commit ? *pin_.commit : now_.tree();
    citation.path = path;
    citation.blob = blob;
    citation.lines = lines;
    if (citation.words && blob != request.citation.blob) {
      citation.words = MovedWords(request, blob, lines);
    }
    return citation;
  }

  // The same words in the same, moved lines.
  std::optional<ByteRange> MovedWords(const RefindRequest& request, const git::ObjectId& blob,
                                      const LineRange& lines) const {
    git::ObjectReader reader(now_.database());
    const git::ObjectView view = reader.ReadVerified(blob, now_.filter().max_file_bytes);
    const ByteRange& words = *request.citation.words;
    if (!view.ok() || words.last >= request.file_text.size()) return std::nullopt;
    const std::string_view text =
        std::string_view(request.file_text).substr(words.first, words.size());
    const Result<ByteRange> found = FindWords(view.bytes, lines, WordsOnOneLine(text));
    return found.ok() ? std::optional(*found) : std::nullopt;
  }

  Refound Found(Whereabouts whereabouts, const RefindRequest& request, const std::string& path,
                const git::ObjectId& blob, const LineRange& lines) const {
    return {whereabouts, CitationOf(request, path, blob, lines), {}};
  }

  Refound Ambiguous(const RefindRequest& request, const std::vector<Sighting>& sightings) const {
    Refound refound{.whereabouts = Whereabouts::kAmbiguous};
    const LineRange& old = request.citation.lines;
    for (const Sighting& one : sightings) {
      if (refound.candidates.size() == kMaxCandidates) break;
      const LineRange lines = old.IsWhole()
                                  ? LineRange{}
                                  : LineRange{one.line + 1, one.line + 1 + old.last - old.first};
      refound.candidates.push_back(CitationOf(request, one.path, one.blob, lines));
    }
    return refound;
  }

  const Snapshot& now_;
  const Pin& pin_;
  const RefindOptions& options_;
  git::ObjectReader reader_;
};

}  // namespace

std::string_view WhereaboutsText(Whereabouts whereabouts) {
  switch (whereabouts) {
    case Whereabouts::kUnchanged:
      return "unchanged";
    case Whereabouts::kMovedInFile:
      return "moved within the file";
    case Whereabouts::kMovedToFile:
      return "moved to another file";
    case Whereabouts::kGone:
      return "gone";
    case Whereabouts::kAmbiguous:
      return "ambiguous";
  }
  return "gone";
}

std::vector<Refound> Refind(const std::vector<RefindRequest>& requests, const Snapshot& now,
                            const Pin& pin, const RefindOptions& options) {
  return Refinder(now, pin, options).Run(requests);
}

}  // namespace sibyl::evidence
