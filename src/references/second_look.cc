// SPDX-License-Identifier: Apache-2.0
#include "references/second_look.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/strings.h"
#include "references/place/claimed_place.h"
#include "references/sighting.h"

namespace sibyl::references {
namespace {

constexpr double kRareName = 0.3;

// Such a range may have a name by accident.
bool IsLong(const LineRange& lines) {
  constexpr std::size_t kMostLines = 60;
  return lines.last - lines.first >= kMostLines;
}

// A name of the sentence that few lines have, although another one is nearer.
bool HadName(const Claim& claim, const Sighting& sighting) {
  for (std::size_t i = 0; i < claim.names.size(); ++i) {
    const NameSighting& one = sighting.names[i];
    if (!claim.names[i].is_own || claim.names[i].is_part) continue;
    if (one.proof >= Proof::kUse && one.chance <= kRareName) return true;
  }
  return false;
}

std::string WithoutMarks(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c != '_' && c != '-') letters += c;
  }
  return LowerCase(letters);
}

// The name that decided; empty if it is a piece of code or a quotation.
std::string_view DecidingWord(const Claim& claim, const Sighting& sighting) {
  if (sighting.deciding >= claim.names.size()) return {};
  const ClaimedName& name = claim.names[sighting.deciding];
  return name.kind == ClaimedName::Kind::kName ? std::string_view(name.text) : std::string_view();
}

// The name that decided is in the cited lines themselves: a use counts, although a
// range beside a name means its definition.
bool IsUsedThere(const Reference& reference, const SeenIn& now) {
  const std::string_view name = DecidingWord(reference.claim, now.sighting);
  if (name.empty() || IsLong(reference.lines)) return false;
  const std::vector<std::size_t>& uses = now.file.UsesOf(name).lines;
  return std::any_of(uses.begin(), uses.end(), [&](std::size_t line) {
    return reference.lines.first <= line && line <= reference.lines.last;
  });
}

// Another name of the sentence is there; code that fails outweighs it.
bool HasOtherName(const Reference& reference, const SeenIn& now) {
  return !DecidingWord(reference.claim, now.sighting).empty() && !IsLong(reference.lines) &&
         HadName(reference.claim, now.sighting);
}

// Quoted code or text that few lines have, also after the citation.
bool HasQuotation(const Claim& claim, const Sighting& sighting) {
  constexpr std::size_t kShortest = 8;
  for (std::size_t i = 0; i < claim.names.size(); ++i) {
    const ClaimedName& name = claim.names[i];
    if (name.kind == ClaimedName::Kind::kName || name.text.size() < kShortest) continue;
    const NameSighting& one = sighting.names[i];
    if (one.proof == Proof::kDefinition && one.chance <= kRareName) return true;
  }
  return false;
}

// Whether an identifier has the name as a part: m_opened_conns and opened_conns,
// FetchContent_Declare and FetchContent.
bool HasAsPart(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos;
       at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || !IsNameByte(line[at - 1]) || line[at - 1] == '_' ||
                        (IsLower(line[at - 1]) && IsUpper(name.front()));
    const bool ends = end == line.size() || !IsNameByte(line[end]) || line[end] == '_' ||
                      (IsLower(name.back()) && IsUpper(line[end]));
    if (starts && ends) return true;
  }
  return false;
}

bool IsPartThere(const Reference& reference, const SeenIn& now) {
  constexpr std::size_t kShortest = 4;
  const std::string_view name = DecidingWord(reference.claim, now.sighting);
  if (name.size() < kShortest || IsLong(reference.lines)) return false;
  const LineRange lines = Widened(reference.lines);
  for (std::size_t line = lines.first; line <= std::min(lines.last, now.file.line_count());
       ++line) {
    if (HasAsPart(now.file.Line(line), name)) return true;
  }
  return false;
}

// The name is there in other letters, or as a part: `gradient` and kGradientStops.
bool HasLoosely(const Reference& reference, const CodeFile& file) {
  constexpr std::size_t kShortest = 6;
  constexpr std::size_t kMostLines = 40;
  const LineRange lines = Widened(reference.lines);
  std::string text;
  for (std::size_t line = lines.first;
       line <= std::min({lines.last, file.line_count(), lines.first + kMostLines}); ++line) {
    text += WithoutMarks(file.Line(line)) + '\n';
  }
  return std::any_of(reference.claim.names.begin(), reference.claim.names.end(),
                     [&](const ClaimedName& name) {
                       if (!name.is_own || name.is_part || name.distance > kNextTo) return false;
                       const std::string letters = WithoutMarks(name.text);
                       return letters.size() >= kShortest && Contains(text, letters);
                     });
}

// "Add a check (a.rs:10)": what is claimed need not be there yet.
bool IsProposal(std::string_view prose) {
  constexpr auto kVerbs = std::to_array<std::string_view>(
      {"add", "change", "convert", "create", "extract", "implement", "insert", "introduce", "move",
       "new", "rename", "replace", "use", "wire"});
  const auto begin = std::find_if(prose.begin(), prose.end(), IsLetter);
  const auto end = std::find_if_not(begin, prose.end(), IsLetter);
  const std::string first = LowerCase(std::string_view(begin, end));
  return std::find(kVerbs.begin(), kVerbs.end(), first) != kVerbs.end() ||
         Contains(prose, " should be ") || Contains(prose, "needs to ");
}

// Whether a name of the claim is in the line that opens a block around the cited
// lines: `impl Reader {`, `Type::Tuple(t) => {`, `class Reader:`.
bool IsInside(const Reference& reference, const CodeFile& file) {
  constexpr std::size_t kMostLines = 3'000;
  constexpr std::size_t kShortest = 4;
  constexpr std::size_t kFar = 80;
  std::size_t line = std::min(reference.lines.first, file.line_count());
  const auto indent = [&](std::size_t at) { return file.Line(at).find_first_not_of(" \t"); };
  while (line > 1 && indent(line) == std::string_view::npos) --line;
  if (line == 0) return false;
  std::size_t least = indent(line);
  for (std::size_t i = 0; i < kMostLines && line > 1 && least > 0; ++i) {
    const std::size_t at = indent(--line);
    if (at == std::string_view::npos || at >= least) continue;
    least = at;
    const std::string_view text = file.Line(line);
    for (const ClaimedName& name : reference.claim.names) {
      if (!name.is_own || name.kind != ClaimedName::Kind::kName || name.distance > kFar) continue;
      if (name.text.size() < kShortest || !HasAsPart(text, name.text)) continue;
      // "`run` (a.rs:20)" means where run() starts.
      const DefinitionPlace* only = OnlyDefinition(file.UsesOf(name.text));
      const bool is_function = only != nullptr && only->kind == DefinitionPlace::Kind::kFunction;
      if (!is_function || name.distance > kNextTo) return true;
    }
  }
  return false;
}

// "Callers of `load_store`:" above a list: a name of the leading text that few other
// places have is in the lines.
bool HasLeadingName(const Reference& reference, const CodeFile& file) {
  constexpr std::size_t kShortest = 5;
  const std::string_view lead = reference.claim.context;
  const LineRange lines = Widened(reference.lines);
  for (std::size_t at = 0; at < lead.size();) {
    std::size_t end = at;
    while (end < lead.size() && IsNameByte(lead[end])) ++end;
    const std::string_view name = lead.substr(at, end - at);
    at = std::max(end, at + 1);
    const bool has_shape = name.find('_', 1) != std::string_view::npos ||
                           (name.size() > 1 && std::any_of(name.begin() + 1, name.end(), IsUpper) &&
                            std::any_of(name.begin(), name.end(), IsLower));
    if (name.size() < kShortest || !has_shape) continue;
    std::vector<LineRange> uses;
    bool is_there = false;
    for (const std::size_t line : file.UsesOf(name).lines) {
      uses.push_back({line, line});
      is_there = is_there || (lines.first <= line && line <= lines.last);
    }
    if (!is_there) continue;
    const double chance =
        ShareOfPlaces(std::move(uses), lines.last - lines.first + 1, file.line_count());
    if (chance <= kRareName) return true;
  }
  return false;
}

// "polls every 200 ms" and Duration::from_millis(200)
bool HasNumberThere(const Reference& reference, const CodeFile& file) {
  constexpr std::size_t kMostPlaces = 5;
  const std::string_view prose = reference.claim.prose;
  const LineRange lines = Widened(reference.lines);
  for (std::size_t at = 0; at < prose.size();) {
    std::size_t end = at;
    while (end < prose.size() && IsNameByte(prose[end])) ++end;
    const std::string_view word = prose.substr(at, end - at);
    const bool is_issue = at > 0 && prose[at - 1] == '#';
    at = std::max(end, at + 1);
    if (word.size() < 2 || is_issue || !std::all_of(word.begin(), word.end(), IsDigit)) continue;
    const NameUses& uses = file.UsesOf(word);
    if (uses.lines.size() > kMostPlaces) continue;
    if (std::any_of(uses.lines.begin(), uses.lines.end(),
                    [&](std::size_t line) { return lines.first <= line && line <= lines.last; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

CitationStatus LookAgain(const Reference& reference, const SeenIn& now, const PastLines* then) {
  if (IsUsedThere(reference, now)) return CitationStatus::kHolds;
  if (HasQuotation(reference.claim, now.sighting) || IsPartThere(reference, now) ||
      HasOtherName(reference, now)) {
    return CitationStatus::kUndecided;
  }
  if (IsDescribedThere(reference, now.file) || HasLoosely(reference, now.file) ||
      IsInside(reference, now.file) || HasLeadingName(reference, now.file)) {
    return CitationStatus::kUndecided;
  }
  const bool is_gone = then != nullptr && then->movement == Movement::kMoved;
  // What is to be changed there is elsewhere now.
  if (IsProposal(reference.claim.prose)) {
    return is_gone ? CitationStatus::kDrifted : CitationStatus::kUndecided;
  }
  // Names that are elsewhere in the file outweigh a number.
  if (now.sighting.fit != Fit::kFails && HasNumberThere(reference, now.file)) {
    return CitationStatus::kUndecided;
  }
  if (!is_gone) return CitationStatus::kWrong;
  const bool held =
      HadName(reference.claim, then->sighting) ||
      IsPartThere(reference, {now.sighting, *then->file.file}) ||
      IsDescribedThere(reference, *then->file.file) || IsInside(reference, *then->file.file) ||
      HasLeadingName(reference, *then->file.file) || HasLoosely(reference, *then->file.file);
  return held ? CitationStatus::kDrifted : CitationStatus::kWrong;
}

}  // namespace sibyl::references
