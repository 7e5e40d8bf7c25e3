// SPDX-License-Identifier: Apache-2.0
#include "references/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "references/decide_status.h"
#include "references/file_tree.h"
#include "references/past/past_lines.h"
#include "references/place/claimed_place.h"
#include "references/resolve.h"
#include "references/second_look.h"
#include "references/sighting.h"
#include "references/word_sighting.h"

namespace sibyl::references {
namespace {

std::string DecidingName(const Claim& claim, const Sighting& sighting) {
  return sighting.deciding < claim.names.size() ? claim.names[sighting.deciding].text
                                                : std::string();
}

// foo.py and file.ts in examples.
bool IsExample(std::string_view path) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"foo", "bar", "baz", "file", "example", "sample", "path", "your", "my", "some"});
  std::string name = LowerCase(path.substr(path.rfind('/') + 1));
  if (name.starts_with("test_")) name.erase(0, 5);
  const std::string_view letters(name.begin(),
                                 std::find_if_not(name.begin(), name.end(), IsLetter));
  return std::find(kNames.begin(), kNames.end(), letters) != kNames.end();
}

constexpr std::size_t kClearly = 5;
constexpr std::size_t kAboutLines = 10;  // of "~line 120"

std::size_t ShiftOf(const LineRange& cited, const LineRange& now) {
  return now.first > cited.first ? now.first - cited.first : cited.first - now.first;
}

// Lines that moved clearly, or within the range that cites them, so that a quarter
// of it is something else: what is there now is there by accident.
bool IsOff(const LineRange& cited, const LineRange& now) {
  const std::size_t shift = ShiftOf(cited, now);
  return Overlap(cited, now) ? 4 * shift >= cited.last - cited.first + 1 : shift > kClearly;
}

// Of approximate lines: further away than a few lines, or than their own length.
bool IsFarFromAbout(const LineRange& cited, const LineRange& now) {
  return ShiftOf(cited, now) > std::max(kAboutLines, cited.last - cited.first + 1);
}

Followed FollowedOf(const Reference& reference, const Sighting& sighting, const PastLines* then) {
  if (then == nullptr) return {};
  const bool is_exact = then->now && then->now->is_exact;
  // What is still there, or a few lines on, holds whatever commit it was written for.
  constexpr std::size_t kLittle = 10;
  const bool stays = then->is_base && is_exact && sighting.fit == Fit::kHolds &&
                     then->now->lines.first <= reference.lines.first + kLittle &&
                     reference.lines.first <= then->now->lines.first + kLittle;
  return {.movement = then->movement,
          .is_exact = is_exact,
          .is_found = then->now.has_value(),
          .is_off = is_exact && !stays && then->movement != Movement::kNone &&
                    (reference.is_approximate ? IsFarFromAbout(reference.lines, then->now->lines)
                                              : IsOff(reference.lines, then->now->lines)),
          .is_near = is_exact && ShiftOf(reference.lines, then->now->lines) <= kClearly,
          .is_line = reference.lines.first == reference.lines.last && !reference.is_approximate};
}

// "~line 120": the claim is a few lines away, and what was cited is not known to be elsewhere.
bool IsAboutThere(const Reference& reference, const CodeFile& now, const PastLines* then) {
  if (!reference.is_approximate) return false;
  if (then != nullptr && then->held() && then->now && then->now->is_exact &&
      IsFarFromAbout(reference.lines, then->now->lines)) {
    return false;
  }
  const LineRange& lines = reference.lines;
  const LineRange about{lines.first > kAboutLines ? lines.first - kAboutLines : 1,
                        lines.last + kAboutLines};
  return LookAt(reference.claim, now, about).fit == Fit::kHolds;
}

// The name beside a citation, if it is clearly one of code.
const ClaimedName* NameBeside(const Claim& claim) {
  constexpr std::size_t kShortest = 6;
  for (const ClaimedName& name : claim.names) {
    if (!name.is_own || name.distance > kNextTo) return nullptr;
    if (name.is_part || name.kind != ClaimedName::Kind::kName) continue;
    const bool is_code = name.in_code && name.is_asserted && name.text.size() >= kShortest;
    const bool has_shape = name.is_call || name.text.find('_', 1) != std::string::npos;
    return is_code && has_shape ? &name : nullptr;
  }
  return nullptr;
}

// Whether the first function that a claim names neither started in the lines nor has them:
// the name may belong to another citation, so that this proves nothing for one citation alone.
bool IsOutside(const Reference& reference, const CodeFile& file) {
  for (const ClaimedName& name : reference.claim.names) {
    if (name.is_part || name.kind != ClaimedName::Kind::kName) continue;
    const DefinitionPlace* const only = OnlyDefinition(file.UsesOf(name.text));
    if (only == nullptr || only->kind != DefinitionPlace::Kind::kFunction) continue;
    const LineRange lines = Widened(reference.lines);
    const bool starts = lines.first <= only->lines.first && only->lines.first <= lines.last;
    const bool is_inside = only->lines.first <= reference.lines.first &&
                           reference.lines.last <= only->lines.last + kNear;
    return !starts && !is_inside;
  }
  return false;
}

}  // namespace

std::string KindOfPlace(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  if (slash == std::string_view::npos || dot == std::string_view::npos || dot < slash) return {};
  return std::string(path.substr(0, slash + 1)) += path.substr(dot);
}

std::optional<Judged> Judge::Decide(const CitingDocument& document,
                                    const Reference& reference) const {
  if (reference.form == Form::kPermalink || !reference.repository.empty()) {
    if (!reference.commit.empty()) return DecidePermalink(reference);
    if (!IsSameRepository(repository_.Origin(), reference.repository) && !IsForkOf(reference)) {
      return std::nullopt;
    }
  }
  std::vector<std::string> candidates = FilesOf(repository_, document.path, reference);
  if (!reference.symbol.empty()) {
    // `parse_header:30` after another file: its own file decides.
    std::erase_if(candidates, [&](const std::string& candidate) {
      return !HasSymbol(candidate, document, reference);
    });
    if (candidates.empty()) return DecideBySymbol(document, reference);
  }
  if (reference.is_guessed &&
      (candidates.size() != 1 || !IsConfirmed(candidates.front(), document, reference))) {
    return DecideByCall(document, reference);
  }
  if (candidates.empty()) return DecideMissing(document, reference);
  if (std::string meant = LostFileMeant(candidates, document, reference); !meant.empty()) {
    Reference whole = reference;
    whole.path = std::move(meant);
    whole.mentioned.clear();
    if (auto judged = DecideMissing(document, whole)) return judged;
  }
  if (candidates.size() == 1) {
    // "Levels (L1-L10)" in a roadmap: a number alone does not mean the document itself.
    const bool is_alone = reference.path_end == 0 && reference.form != Form::kLink;
    if (is_alone && candidates.front() == document.path) return std::nullopt;
    if (HasMovedAway(candidates.front(), document, reference)) {
      return DecideMoved(candidates.front(), document, reference);
    }
    return DecideInFile(candidates.front(), document, reference);
  }
  if (const std::string then = OnlyFileThen(document, reference); !then.empty()) {
    return DecideInFile(then, document, reference);
  }
  // Several files have that name: the claim may be in exactly one of them.
  std::vector<std::string> holding;
  for (const std::string& candidate : candidates) {
    const TreeFile file = repository_.File(candidate);
    if (!file.file) continue;
    if (LookAt(reference.claim, *file.file, reference.lines).fit == Fit::kHolds) {
      holding.push_back(candidate);
    }
  }
  if (holding.empty()) holding = HoldingThen(candidates, document, reference);
  if (holding.size() == 1) {
    return DecideInFile(holding.front(), document, reference);
  }
  return Judged{.status = CitationStatus::kUndecided,
                .target = {.path = reference.path, .lines = reference.lines},
                .reason = fmt::format("{} files are named {}", candidates.size(), reference.path)};
}

// A link to owner/app in a clone of another owner's app, or in one whose origin is not on
// a forge, if the file is or was of this repository.
bool Judge::IsForkOf(const Reference& reference) const {
  const auto last = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  const std::string origin = repository_.Origin();
  const std::string_view name = last(reference.repository);
  const bool is_name = name == repository_.location().work_tree.filename().string() ||
                       name == last(origin) || std::string(name) + ".git" == last(origin);
  if (name.empty() || !is_name) return false;
  return repository_.paths().Has(reference.path) ||
         (absent_ != nullptr && absent_->lost.Has(reference.path));
}

bool Judge::HasMovedAway(const std::string& file, const CitingDocument& document,
                         const Reference& reference) const {
  const std::string written = CleanPath(reference.path);
  if (written == file || written.find('/') == std::string::npos) return false;
  if (absent_ == nullptr || !absent_->lost.Has(written)) return false;
  const std::vector<git::ObjectId> commits = document.versions.WrittenIn(document.text, reference);
  return !commits.empty() && repository_.FileAt(commits.front(), written).file != nullptr;
}

Judged Judge::DecideMoved(const std::string& file, const CitingDocument& document,
                          const Reference& reference) const {
  const std::string written = CleanPath(reference.path);
  Judged judged = DecideInFile(file, document, reference);
  if (judged.status == CitationStatus::kHolds) {
    judged.suggestion = judged.target;
  }
  judged.status = CitationStatus::kMissing;
  judged.is_certain = false;
  judged.target.path = written;
  judged.reason = fmt::format("{} was renamed to {}", written, file);
  return judged;
}

// A commit never changes: its lines have what is claimed, or never had it.
std::optional<Judged> Judge::DecidePermalink(const Reference& reference) const {
  const Result<git::ObjectId> commit = repository_.Resolve(reference.commit);
  if (!commit.ok()) return std::nullopt;
  Judged judged{.target = {.path = reference.path, .lines = reference.lines},
                .commit = commit->Hex()};
  const TreeFile file = repository_.FileAt(*commit, reference.path);
  if (!file.file) {
    judged.status = CitationStatus::kMissing;
    judged.reason = fmt::format("{} does not exist at {}", reference.path, reference.commit);
    return judged;
  }
  if (reference.lines.last > file.file->line_count() || !reference.impossible.empty()) {
    judged.status = CitationStatus::kOutOfRange;
    judged.reason = !reference.impossible.empty()
                        ? std::string(reference.impossible)
                        : fmt::format("{} has {} there", reference.path,
                                      Count(file.file->line_count(), "line"));
    return judged;
  }
  const Sighting sighting = LookAt(reference.claim, *file.file, reference.lines);
  judged.symbol = DecidingName(reference.claim, sighting);
  judged.status = StatusOf(reference.claim, {sighting, *file.file}, nullptr, {});
  return judged;
}

LineRange Judge::FollowRenamed(const Renamed& file, const CitingDocument& document,
                               const Reference& reference) const {
  const TreeFile now = repository_.File(file.now);
  if (!now.file) return {};
  std::optional<PastLines> then =
      LookBack(repository_, NamesOf(file.before), document, reference, compared_.maps);
  if (!then) {
    // It had moved before the citation was written.
    const std::vector<git::ObjectId> written =
        document.versions.WrittenIn(document.text, reference);
    if (!written.empty()) {
      then = EarlierVersion(repository_, {written.front(), absent_->lost.NamesOf(file.before)}, now,
                            reference, compared_.maps);
    }
  }
  std::string symbol;
  if (then) {
    then->Follow(now, reference.lines, compared_.maps);
    symbol = DecidingName(reference.claim, then->sighting);
  }
  const std::optional<Suggestion> suggestion = Suggest({.reference = reference,
                                                        .path = file.now,
                                                        .status = CitationStatus::kDrifted,
                                                        .symbol = symbol,
                                                        .then = then ? &*then : nullptr},
                                                       repository_, index_);
  return suggestion && suggestion->target.path == file.now ? suggestion->target.lines : LineRange{};
}

bool Judge::DecideUnknown(const CitingDocument& document, const Reference& reference,
                          Judged& judged) const {
  const std::string& path = judged.target.path;
  if (absent_->ignored.contains(path)) {
    // It may be another repository beside this one, or be made by the build.
    judged.status = CitationStatus::kUndecided;
    judged.reason = fmt::format("git ignores {}, so it cannot be checked", path);
    return true;
  }
  if (reference.path.find('/') == std::string::npos) return false;
  judged.reason = fmt::format("{} does not exist", path);
  // A relative link leads nowhere else, whatever project the document is about.
  const std::size_t slash = document.path.rfind('/');
  const std::string_view folder =
      slash == std::string_view::npos ? std::string_view() : document.path.substr(0, slash + 1);
  const bool is_link = reference.form == Form::kLink;
  if (is_link && CleanPath(std::string(folder) + reference.path) != path) return false;
  const std::string nearest = NearestPath(repository_.paths(), path);
  if (!nearest.empty()) {
    judged.suggestion = Target{.path = nearest};
    return true;
  }
  return !IsExample(path) && (is_link || document.places.contains(KindOfPlace(path)));
}

std::optional<Judged> Judge::DecideMissing(const CitingDocument& document,
                                           const Reference& reference) const {
  if (absent_ == nullptr) return std::nullopt;
  for (const std::string& spelling : Spellings(repository_, document.path, reference)) {
    Judged judged{.status = CitationStatus::kMissing,
                  .target = {.path = spelling, .lines = reference.lines}};
    std::vector<std::string> known = absent_->lost.EndingWith(spelling);
    if (std::find(known.begin(), known.end(), spelling) != known.end()) known = {spelling};
    if (known.empty()) known = absent_->lost.Abbreviated(spelling);
    if (known.empty()) {
      const std::string now = repository_.paths().Abbreviated(spelling);
      if (!now.empty()) return DecideInFile(now, document, reference);
      if (DecideUnknown(document, reference, judged)) return judged;
      continue;
    }
    judged.reason = fmt::format("{} no longer exists", known.front());
    if (known.size() != 1) return judged;
    judged.target.path = known.front();
    const std::string now = absent_->lost.NowAt(known.front());
    if (!now.empty() && repository_.paths().Has(now)) {
      const LineRange lines = FollowRenamed({known.front(), now}, document, reference);
      if (!lines.IsWhole()) judged.suggestion = Target{.path = now, .lines = lines};
      judged.reason = fmt::format("{} was renamed to {}", known.front(), now);
      judged.depends_on_tree = true;
    }
    return judged;
  }
  return std::nullopt;
}

CitationStatus Judge::AskWords(const Reference& reference, const TreeFile& now,
                               const PastLines* then, const NamesSaid& names) const {
  // What moved was never seen to have what is claimed. A long row of a table says too
  // many things.
  constexpr std::size_t kLongestSentence = 200;
  const bool is_unseen = names.status == CitationStatus::kDrifted && then != nullptr &&
                         !then->held() && names.fit != Fit::kHolds &&
                         reference.claim.prose.size() <= kLongestSentence;
  if (names.status != CitationStatus::kUndecided && names.status != CitationStatus::kWrong &&
      !is_unseen) {
    return names.status;
  }
  std::vector<std::string> stems = ContentStems(reference.claim.prose);
  if (names.status == CitationStatus::kWrong) {
    // The parts of a name that is not there prove nothing.
    for (const std::string& part : ContentStems(names.deciding)) std::erase(stems, part);
  }
  if (stems.empty()) return names.status;
  const WordSighting words_now =
      LookForWords(stems, *compared_.words.Of(*now.file, now.blob), reference.lines);
  std::optional<WordSighting> words_then;
  if (then != nullptr) {
    words_then = LookForWords(stems, *compared_.words.Of(*then->file.file, then->file.blob),
                              reference.lines);
  }
  if (is_unseen) {
    constexpr std::size_t kClear = 4;
    return words_then->there == 0 && words_then->best >= kClear ? CitationStatus::kWrong
                                                                : names.status;
  }
  return StatusByWords(names, words_now, words_then ? &*words_then : nullptr);
}

std::vector<std::string> Judge::NamesOf(const std::string& path) const {
  return absent_ == nullptr ? std::vector{path} : absent_->lost.NamesOf(path);
}

bool Judge::IsHistoryMissing(const std::string& file, const CitingDocument& document,
                             const Reference& reference) const {
  if (repository_.IsShallow()) return true;
  const std::vector<git::ObjectId> commits = document.versions.WrittenIn(document.text, reference);
  if (document.versions.has_gaps()) return true;
  // The first parent of where a shallow clone ends is missing too.
  return !commits.empty() && repository_.IsUnreadable(commits.front(), file);
}

std::size_t Judge::MostLinesThen(const std::string& file, const CitingDocument& document,
                                 const Reference& reference) const {
  std::size_t most = 0;
  for (const git::ObjectId& commit : document.versions.WrittenIn(document.text, reference)) {
    const TreeFile then = FileThen(repository_, commit, NamesOf(file)).file;
    if (then.file) most = std::max(most, then.file->line_count());
  }
  return most + kNear < reference.lines.last || most < reference.lines.first ? most : 0;
}

std::optional<PastLines> Judge::FindBySection(const std::string& file,
                                              const CitingDocument& document,
                                              const Reference& reference) const {
  constexpr std::size_t kClear = 3;
  const std::vector<std::string> stems = ContentStems(reference.claim.section);
  const TreeFile now = repository_.File(file);
  if (stems.empty()) return std::nullopt;
  const std::size_t there =
      LookForWords(stems, *compared_.words.Of(*now.file, now.blob), reference.lines).there;
  for (const git::ObjectId& commit : document.versions.WrittenIn(document.text, reference)) {
    NamedFile named = FileThen(repository_, commit, NamesOf(file));
    PastLines then{.commit = commit, .path = std::move(named.path), .file = std::move(named.file)};
    if (!then.file.file || reference.lines.last > then.file.file->line_count()) continue;
    const WordSighting words =
        LookForWords(stems, *compared_.words.Of(*then.file.file, then.file.blob), reference.lines);
    if (words.there < kClear || 3 * there > words.there) continue;
    then.sighting = LookAt(reference.claim, *then.file.file, reference.lines);
    then.Follow(now, reference.lines, compared_.maps);
    if (then.movement == Movement::kMoved) return then;
  }
  return std::nullopt;
}

bool Judge::IsInvented(const Reference& reference, const SeenIn& now, const TreeFile& file,
                       const PastLines* then) const {
  const ClaimedName* const name = NameBeside(reference.claim);
  if (name == nullptr || reference.claim.is_list || reference.claim.is_shared) return false;
  if (now.sighting.fit != Fit::kUnknown) return false;
  if (then != nullptr && then->sighting.fit != Fit::kUnknown) return false;
  if (index_.HasName(name->text)) return false;
  if (LookAgain(reference, now, then) != CitationStatus::kWrong) return false;
  const std::vector<std::string> stems = ContentStems(reference.claim.prose + ' ' + name->text);
  const std::shared_ptr<const WordIndex> words = compared_.words.Of(*file.file, file.blob);
  return stems.empty() || LookForWords(stems, *words, reference.lines).there == 0;
}

void Judge::SuggestPlace(const CitedFile& cited, Judged& judged) const {
  const Reference& reference = cited.reference;
  const PastLines* const then = cited.then;
  std::optional<PastLines> earlier;
  const bool is_open =
      judged.status == CitationStatus::kUndecided && cited.sighting.fit == Fit::kFails;
  if (then != nullptr && !then->held() && (is_open || IsNotOk(judged.status))) {
    earlier = EarlierVersion(repository_, {then->commit, NamesOf(then->path), true}, cited.now,
                             reference, compared_.maps);
    const bool is_gone = earlier && earlier->movement != Movement::kNone;
    if (is_gone && is_open) judged.status = CitationStatus::kWrong;
  }
  if (!IsNotOk(judged.status)) return;
  const PastLines* const right = earlier ? &*earlier : then;
  const std::optional<Suggestion> suggestion =
      Suggest({.reference = reference,
               .path = cited.file,
               .status = earlier ? CitationStatus::kDrifted : judged.status,
               .symbol = judged.symbol,
               .then = right},
              repository_, index_);
  judged.depends_on_tree = !suggestion || suggestion->is_from_tree;
  if (suggestion) {
    judged.suggestion = suggestion->target;
    judged.is_certain = suggestion->is_certain;
  }
}

void Judge::DecideByLines(const Reference& reference, const TreeFile& now, const Sighting& sighting,
                          const PastLines* then, Judged& judged) const {
  std::optional<SeenIn> before;
  if (then != nullptr) before.emplace(SeenIn{then->sighting, *then->file.file});
  if (IsAboutThere(reference, *now.file, then)) {
    judged.status = CitationStatus::kHolds;
    return;
  }
  const Followed followed = FollowedOf(reference, sighting, then);
  judged.status =
      StatusOf(reference.claim, {sighting, *now.file}, before ? &*before : nullptr, followed);
  judged.status =
      AskWords(reference, now, then,
               {.status = judged.status, .fit = sighting.fit, .deciding = judged.symbol});
  if (judged.status == CitationStatus::kWrong) {
    judged.status = LookAgain(reference, {sighting, *now.file}, then);
  }
}

// What held only in an earlier commit than the one that brought the text did not hold
// when it was written.
bool Judge::FailedWhenWritten(const std::string& file, const CitingDocument& document,
                              const Reference& reference) const {
  CitingDocument as_brought = document;
  as_brought.bases = nullptr;
  const auto written = LookBack(repository_, NamesOf(file), as_brought, reference, compared_.maps);
  return written && written->sighting.fit == Fit::kFails;
}

namespace {

void TellThen(const Reference& reference, const Sighting& now, const PastLines& then,
              Judged& judged) {
  judged.commit = then.commit.Hex();
  const Fit fit = then.sighting.fit;
  if (fit == Fit::kHolds || fit == Fit::kFails) judged.held_then = fit == Fit::kHolds;
  if (fit == Fit::kWeak && IsOutside(reference, *then.file.file)) judged.held_then = false;
  if (judged.symbol.empty() || (then.held() && now.fit != Fit::kHolds)) {
    judged.symbol = DecidingName(reference.claim, then.sighting);
  }
}

}  // namespace

Judged Judge::DecideInFile(const std::string& file, const CitingDocument& document,
                           const Reference& reference) const {
  Judged judged{.target = {.path = file, .lines = reference.lines}};
  const TreeFile now = repository_.File(file);
  if (!now.file) {
    judged.reason = fmt::format("{} is not a text file", file);
    return judged;
  }
  if (!reference.impossible.empty()) {
    judged.status = CitationStatus::kOutOfRange;
    judged.reason = reference.impossible;
    return judged;
  }
  const Sighting sighting = LookAt(reference.claim, *now.file, reference.lines);
  judged.symbol = DecidingName(reference.claim, sighting);
  std::optional<PastLines> then =
      LookBack(repository_, NamesOf(file), document, reference, compared_.maps);
  if (then) TellThen(reference, sighting, *then, judged);
  if (reference.lines.last > now.file->line_count()) {
    // `:30` may go on with another file than the last one that was named.
    if (!then && reference.form == Form::kBare) return judged;
    judged.status = CitationStatus::kOutOfRange;
    judged.reason = fmt::format("{} has {}", file, Count(now.file->line_count(), "line"));
  } else {
    DecideByLines(reference, now, sighting, then ? &*then : nullptr, judged);
  }
  if (judged.status == CitationStatus::kWrong && IsHistoryMissing(file, document, reference)) {
    judged.status = CitationStatus::kUndecided;
    judged.reason = "this clone does not have the versions of when it was written";
    return judged;
  }
  if (judged.status == CitationStatus::kUndecided && !then) {
    if (const std::size_t most = MostLinesThen(file, document, reference); most > 0) {
      judged.status = CitationStatus::kWrong;
      judged.reason = fmt::format("the file had {} when this was written", Count(most, "line"));
      return judged;
    }
  }
  if (judged.status == CitationStatus::kUndecided && !reference.claim.section.empty()) {
    if (std::optional<PastLines> by_section = FindBySection(file, document, reference)) {
      judged.status = CitationStatus::kDrifted;
      then = std::move(by_section);
    }
  }
  if (judged.status == CitationStatus::kUndecided &&
      IsInvented(reference, {sighting, *now.file}, now, then ? &*then : nullptr)) {
    judged.status = CitationStatus::kWrong;
    judged.symbol = NameBeside(reference.claim)->text;
    judged.reason = "no file of the repository has that name";
    judged.depends_on_tree = true;
    return judged;
  }
  SuggestPlace({file, reference, now, sighting, then ? &*then : nullptr}, judged);
  if (judged.status == CitationStatus::kDrifted && then && then->is_base && then->held() &&
      FailedWhenWritten(file, document, reference)) {
    judged.status = CitationStatus::kWrong;
  }
  return judged;
}

}  // namespace sibyl::references
