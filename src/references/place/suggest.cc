// SPDX-License-Identifier: Apache-2.0
#include "references/place/suggest.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/one_of.h"
#include "base/strings.h"
#include "references/place/claimed_place.h"

namespace sibyl::references {
namespace {

constexpr auto kDataExtensions =
    std::to_array<std::string_view>({"adoc", "csv", "html", "json", "lock", "log", "md", "rst",
                                     "svg", "toml", "txt", "xml", "yaml", "yml"});

// Whether a range starts with what it means: no other line of it is indented less,
// and the first one closes nothing.
bool StartsBlock(const CodeFile& file, const LineRange& lines) {
  const auto indent = [&](std::size_t line) { return file.Line(line).find_first_not_of(" \t"); };
  const std::size_t first = indent(lines.first);
  if (first == std::string_view::npos) return false;
  const char start = file.Line(lines.first)[first];
  if (start == '}' || start == ')' || start == ']') return false;
  for (std::size_t line = lines.first; line <= lines.last && line <= file.line_count(); ++line) {
    if (indent(line) < first) return false;
  }
  return true;
}

// The definition of a claimed name that started in the middle of the cited lines,
// if they started in the middle of something else, or if it is a function that
// most of them are, named beside the citation: where it is now.
std::optional<LineRange> FindInside(const FailedCitation& citation, const CodeFile& now) {
  const CodeFile& then = *citation.then->file.file;
  const LineRange& lines = citation.reference.lines;
  if (lines.first == lines.last) return std::nullopt;
  const bool starts_block = StartsBlock(then, lines);
  for (const ClaimedName& name : citation.reference.claim.names) {
    if (!name.is_own || name.is_part || name.kind != ClaimedName::Kind::kName) continue;
    const DefinitionPlace* was = OnlyDefinition(then.UsesOf(name.text));
    if (was == nullptr || was->kind == DefinitionPlace::Kind::kMember) continue;
    const bool is_meant =
        name.distance <= kNextTo && was->kind == DefinitionPlace::Kind::kFunction &&
        2 * (lines.last - std::min(was->lines.first, lines.last)) >= lines.last - lines.first;
    if (starts_block && !is_meant) continue;
    if (was->lines.first <= lines.first + kNearSuggestion || was->lines.first > lines.last)
      continue;
    const DefinitionPlace* is = OnlyDefinition(now.UsesOf(name.text));
    if (is != nullptr && is->kind != DefinitionPlace::Kind::kMember) return is->lines;
  }
  return std::nullopt;
}

// Whether a line is one of the parameters of a function: after the line with its name,
// and not after the one that opens its body.
bool IsInSignature(std::string_view name, const CodeFile& file, std::size_t line) {
  constexpr std::size_t kMostLines = 20;
  const DefinitionPlace* const was = OnlyDefinition(file.UsesOf(name));
  if (was == nullptr || was->kind != DefinitionPlace::Kind::kFunction) return false;
  const std::size_t first = was->lines.first;
  if (line < first || line > std::min(was->lines.last, first + kMostLines)) return false;
  for (std::size_t at = first; at < line; ++at) {
    const std::string_view text = Trim(file.Line(at));
    if (text.ends_with('{') || text.ends_with(':') || text.ends_with("=>")) return false;
  }
  return true;
}

// A line at the start of a function or type that is claimed, one of its parameters, or
// in the comment above it: its definition.
std::optional<LineRange> FindStarted(const FailedCitation& citation, const CodeFile& now) {
  const Sighting& then = citation.then->sighting;
  const Claim& claim = citation.reference.claim;
  if (then.deciding >= claim.names.size()) return std::nullopt;
  const bool starts = then.names[then.deciding].starts_there ||
                      (claim.names[then.deciding].distance <= kNextTo &&
                       IsInSignature(claim.names[then.deciding].text, *citation.then->file.file,
                                     citation.reference.lines.first));
  if (!starts) return std::nullopt;
  const DefinitionPlace* is = OnlyDefinition(now.UsesOf(claim.names[then.deciding].text));
  if (is == nullptr || is->kind == DefinitionPlace::Kind::kMember) return std::nullopt;
  return is->lines;
}

// Where cited lines of a function are that moved to another file: at the same distance from
// its start, if the first of them is unchanged there.
std::optional<FoundPlace> InMoved(const FailedCitation& citation, const DefinitionPlace& was,
                                  FoundPlace place, const Repository& repository) {
  const LineRange& cited = citation.reference.lines;
  if (cited.first <= was.lines.first + kNearSuggestion) return place;
  const TreeFile file = repository.File(place.path);
  const std::size_t first = place.lines.first + (cited.first - was.lines.first);
  if (!file.file || first > file.file->line_count()) return std::nullopt;
  const std::string_view before = Trim(citation.then->file.file->Line(cited.first));
  if (before.empty() || Trim(file.file->Line(first)) != before) return std::nullopt;
  place.lines = {first, first + (cited.last - cited.first)};
  return place;
}

// What left the file: code that one place in the repository has, the name that
// decided, or a function of the claim that the lines were in.
std::optional<FoundPlace> FindElsewhere(const FailedCitation& citation, const CodeFile& now,
                                        const Repository& repository, const TreeIndex& index) {
  const Claim& claim = citation.reference.claim;
  if (citation.then != nullptr && citation.then->held()) {
    for (const ClaimedName& name : claim.names) {
      if (!name.is_own || name.kind != ClaimedName::Kind::kCode) continue;
      if (!now.LinesWith(name.text).empty()) continue;
      if (auto place = index.FindText(name.text)) return place;
    }
  }
  if (citation.then == nullptr) return std::nullopt;
  // A definition that moved; a use of something that is defined elsewhere says
  // nothing about where it is used now.
  const DefinitionPlace* const defined =
      OnlyDefinition(citation.then->file.file->UsesOf(citation.symbol));
  if (defined != nullptr && FindName(claim, citation.symbol) != nullptr &&
      now.UsesOf(citation.symbol).lines.empty()) {
    if (auto place = index.FindDefinition(citation.symbol)) {
      return InMoved(citation, *defined, *std::move(place), repository);
    }
  }
  for (const ClaimedName& name : claim.names) {
    if (!name.is_own || name.is_part || name.kind != ClaimedName::Kind::kName) continue;
    const DefinitionPlace* was = OnlyDefinition(citation.then->file.file->UsesOf(name.text));
    if (was == nullptr || was->kind != DefinitionPlace::Kind::kFunction) continue;
    if (!Overlap(was->lines, citation.reference.lines)) continue;
    if (!now.UsesOf(name.text).definitions.empty()) continue;
    if (auto place = index.FindDefinition(name.text)) {
      return InMoved(citation, *was, *std::move(place), repository);
    }
  }
  return std::nullopt;
}

// Code moves to files of its kind, in the same part of the repository.
bool IsLikelyFile(std::string_view before, std::string_view now) {
  const auto top = [](std::string_view path) { return path.substr(0, path.find('/')); };
  const auto is_source = [](std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    const std::string_view extension =
        dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    return !extension.empty() && !IsOneOf(extension, kDataExtensions);
  };
  const bool has_folders =
      before.find('/') != std::string_view::npos && now.find('/') != std::string_view::npos;
  return is_source(before) && is_source(now) && (!has_folders || top(before) == top(now));
}

// A whole class for three cited lines says nothing.
bool IsFarLonger(const LineRange& lines, const LineRange& cited) {
  constexpr std::size_t kTimes = 8;
  constexpr std::size_t kMore = 60;
  return lines.last - lines.first > kTimes * (cited.last - cited.first + 1) + kMore;
}

// Whether the lines had what is claimed for a good reason: one that few other
// places of the file have.
bool HeldForSure(const FailedCitation& citation) {
  constexpr double kRare = 0.3;
  if (citation.then == nullptr || !citation.then->held()) return false;
  const Sighting& then = citation.then->sighting;
  if (then.deciding >= then.names.size()) return false;
  const NameSighting& one = then.names[then.deciding];
  const ClaimedName& name = citation.reference.claim.names[then.deciding];
  return name.is_own && !name.is_part && !one.is_only_body && one.proof >= Proof::kUse &&
         (one.chance <= kRare || one.starts_there);
}

// Whether only a part of a piece of code was there, and a name of the claim was not.
bool HeldByPart(const FailedCitation& citation) {
  const Claim& claim = citation.reference.claim;
  if (citation.then == nullptr) return false;
  const Sighting& then = citation.then->sighting;
  if (then.deciding >= claim.names.size() || !claim.names[then.deciding].is_part) return false;
  for (std::size_t i = 0; i < claim.names.size(); ++i) {
    const bool is_name = claim.names[i].is_own && !claim.names[i].is_part;
    if (is_name && then.names[i].is_in_file && then.names[i].proof == Proof::kNone) return true;
  }
  return false;
}

// The function or type that was cited: it started on the first line and, for a range,
// ended on the last one. Its lines may have changed, but not its name.
std::string StartedThere(const FailedCitation& citation) {
  const PastLines* const then = citation.then;
  const LineRange& cited = citation.reference.lines;
  if (then == nullptr || then->sighting.fit == Fit::kFails || citation.reference.is_approximate) {
    return {};
  }
  std::string name = DefinedThere(*then->file.file, cited.first);
  const DefinitionPlace* const was =
      name.empty() ? nullptr : OnlyDefinition(then->file.file->UsesOf(name));
  const bool is_whole = was != nullptr && was->lines.last <= cited.last + kNearSuggestion &&
                        cited.last <= was->lines.last + kNearSuggestion;
  return was != nullptr && (cited.first == cited.last || is_whole) ? name : std::string();
}

// A function or type; a name in a list of imports is none.
bool IsDefined(const CodeFile& file, std::string_view name) {
  const std::vector<DefinitionPlace>& places = file.UsesOf(name).definitions;
  return std::any_of(places.begin(), places.end(), [](const DefinitionPlace& place) {
    return place.kind != DefinitionPlace::Kind::kMember;
  });
}

// Whether the place has every name of the claim that the file has. A claim about a
// column of a table held where the table is named, but its line is another.
bool HasEveryName(const Claim& claim, const CodeFile& now, const LineRange& lines) {
  constexpr std::size_t kNear = 2;
  return std::all_of(claim.names.begin(), claim.names.end(), [&](const ClaimedName& name) {
    if (!name.is_own || name.is_part || name.kind != ClaimedName::Kind::kName) return true;
    const std::vector<std::size_t>& uses = now.UsesOf(name.text).lines;
    const auto first =
        std::lower_bound(uses.begin(), uses.end(), lines.first > kNear ? lines.first - kNear : 1);
    return uses.empty() || (first != uses.end() && *first <= lines.last + kNear);
  });
}

// "`run` (lines 280, 296, 307)": places inside of run().
bool IsPlaceInside(const FailedCitation& citation) {
  const Reference& reference = citation.reference;
  if (citation.then == nullptr || !reference.claim.is_list) return false;
  const std::vector<ClaimedName>& names = reference.claim.names;
  return std::any_of(names.begin(), names.end(), [&](const ClaimedName& name) {
    if (!name.is_own || name.kind != ClaimedName::Kind::kName) return false;
    const DefinitionPlace* const was = OnlyDefinition(citation.then->file.file->UsesOf(name.text));
    return was != nullptr && was->kind == DefinitionPlace::Kind::kFunction &&
           was->lines.first + kNearSuggestion < reference.lines.first &&
           reference.lines.last <= was->lines.last;
  });
}

// Whether a name of the claim is in the lines.
bool HasName(const Claim& claim, const CodeFile& file, const LineRange& lines) {
  return std::any_of(claim.names.begin(), claim.names.end(), [&](const ClaimedName& name) {
    if (!name.is_own || name.is_part) return false;
    const std::vector<std::size_t>& uses = name.kind == ClaimedName::Kind::kName
                                               ? file.UsesOf(name.text).lines
                                               : file.LinesWith(name.text);
    const auto first = std::lower_bound(uses.begin(), uses.end(), lines.first);
    return first != uses.end() && *first <= lines.last;
  });
}

// Whether the lines start in a comment, and held only because they are inside of a function
// or near something else that is claimed: where they were meant to start is not known.
bool IsBesideClaim(const FailedCitation& citation) {
  const PastLines* const then = citation.then;
  const LineRange& cited = citation.reference.lines;
  if (then == nullptr || !then->held()) return false;
  return IsCommentLine(then->file.file->Line(cited.first)) &&
         !HasName(citation.reference.claim, *then->file.file, Widened(cited));
}

// Whether a citation is bound to its lines by one name that is far away in the sentence and not
// on the line: if the place found does not have all that is claimed, it may be another one.
bool IsLooselyBound(const FailedCitation& citation, const CodeFile& now, const LineRange& place) {
  constexpr std::size_t kFar = 20;
  const PastLines* const then = citation.then;
  const Claim& claim = citation.reference.claim;
  if (then == nullptr || then->is_base || then->sighting.deciding >= claim.names.size()) {
    return false;
  }
  if (claim.names[then->sighting.deciding].distance <= kFar) return false;
  const std::size_t first = citation.reference.lines.first;
  return !HasName(claim, *then->file.file, {first, first}) && !HasEveryName(claim, now, place);
}

// Whether a definition that is suggested is what the lines were. A citation that held
// inside a function, or where its name is used, does not mean the definition.
bool WasThere(const FailedCitation& citation, const LineRange& now, const CodeFile& file) {
  const PastLines* const then = citation.then;
  if (then == nullptr || (!then->held() && !IsPlaceInside(citation))) return true;
  const LineRange& cited = citation.reference.lines;
  for (const ClaimedName& name : citation.reference.claim.names) {
    if (name.is_part || name.kind != ClaimedName::Kind::kName) continue;
    const DefinitionPlace* const is = OnlyDefinition(file.UsesOf(name.text));
    if (is == nullptr || is->lines.first != now.first) continue;
    const DefinitionPlace* const was = OnlyDefinition(then->file.file->UsesOf(name.text));
    if (was == nullptr) return false;
    const std::size_t start = was->comment == 0 ? was->lines.first : was->comment;
    return Overlap({start, was->lines.first}, Widened(cited));
  }
  // The only line that has the name: it was the only one before.
  if (FindName(citation.reference.claim, citation.symbol) == nullptr) return true;
  return then->file.file->UsesOf(citation.symbol).lines.size() == 1;
}

Suggestion Suggested(const FailedCitation& citation, const std::string& path, LineRange lines) {
  const LineRange& cited = citation.reference.lines;
  if (cited.last <= cited.first) lines.last = lines.first;
  return {.target = {.path = path, .lines = lines}};
}

Suggestion At(const FailedCitation& citation, const LineRange& lines, bool is_certain = false) {
  Suggestion suggestion = Suggested(citation, citation.path, lines);
  suggestion.is_certain = is_certain;
  return suggestion;
}

Suggestion FromTree(const FailedCitation& citation, const FoundPlace& place) {
  Suggestion suggestion = Suggested(citation, place.path, place.lines);
  suggestion.is_from_tree = true;
  return suggestion;
}

// By the name of the definition that the lines started, or elsewhere in the tree.
std::optional<Suggestion> FindLater(const FailedCitation& citation, const CodeFile& file,
                                    const Repository& repository, const TreeIndex& index) {
  // A claim that never held in this file may be about any other.
  if (citation.status == CitationStatus::kWrong) return std::nullopt;
  if (const std::string started = StartedThere(citation); !started.empty()) {
    const DefinitionPlace* const is = OnlyDefinition(file.UsesOf(started));
    if (is != nullptr && is->kind != DefinitionPlace::Kind::kMember) {
      return At(citation, is->lines);
    }
    if (!IsDefined(file, started)) {
      if (const auto place = index.FindDefinition(started)) return FromTree(citation, *place);
    }
  }
  if (const auto place = FindElsewhere(citation, file, repository, index))
    return FromTree(citation, *place);
  return std::nullopt;
}

// Whether the quoted code started before the cited range, or after it.
bool MissesQuoted(const FailedCitation& citation) {
  const LineRange& cited = citation.reference.lines;
  const auto was = FindQuoted(citation.reference, *citation.then->file.file);
  return was && (was->first + kNearSuggestion < cited.first || was->first > cited.last);
}

// Whether the cited lines, which are known, are elsewhere now.
bool HasMoved(const FailedCitation& citation, bool held) {
  const PastLines& then = *citation.then;
  return then.now && citation.status != CitationStatus::kWrong &&
         (then.sighting.fit != Fit::kFails || IsPlaceInside(citation)) &&
         (then.movement == Movement::kMoved || (held && then.movement == Movement::kShifted));
}

std::optional<Suggestion> FindAny(const FailedCitation& citation, const Repository& repository,
                                  const TreeIndex& index) {
  const Reference& reference = citation.reference;
  const PastLines* then = citation.then;
  const TreeFile now = repository.File(citation.path);
  const bool is_range = reference.lines.last > reference.lines.first;
  const bool held = then != nullptr && then->held() && !HeldByPart(citation);
  const bool is_sure = HeldForSure(citation);
  // A range of which nothing is known may start anywhere in what it means.
  const bool by_lines = then != nullptr && (held || StartsBlock(*then->file.file, reference.lines));
  const bool is_moved = by_lines && HasMoved(citation, held);
  if (citation.status == CitationStatus::kDrifted && then != nullptr && !held &&
      then->sighting.fit != Fit::kFails) {
    if (const auto lines = FindDescribed(reference, *then->file.file, *now.file)) {
      return At(citation, *lines);
    }
  }
  if (held) {
    if (const auto inside = FindInside(citation, *now.file)) return At(citation, *inside);
  }
  if (held && !is_range) {
    if (const auto lines = FindStarted(citation, *now.file)) {
      return At(citation, *lines, is_sure && is_moved && then->now->is_exact);
    }
  }
  if (held && is_range && MissesQuoted(citation)) {
    if (const auto lines = FindQuoted(reference, *now.file)) return At(citation, *lines);
  }
  if (is_moved && then->now->is_exact) return At(citation, then->now->lines, is_sure);
  // Lines that moved and never had what is claimed say nothing about where that is.
  const bool is_unclear = citation.status == CitationStatus::kDrifted && then != nullptr &&
                          then->sighting.fit == Fit::kFails;
  if (is_unclear) return std::nullopt;
  if (const auto lines = FindDefined(reference, citation.symbol, *now.file);
      lines && WasThere(citation, *lines, *now.file)) {
    return At(citation, *lines);
  }
  if (is_moved && then->now->has_start) return At(citation, then->now->lines);
  if (const auto lines = FindQuoted(reference, *now.file)) return At(citation, *lines);
  if (is_moved) return At(citation, then->now->lines);
  // A definition that left the file is not where it is imported.
  const std::string started = StartedThere(citation);
  const bool has_left = !started.empty() && !IsDefined(*now.file, started);
  if (has_left) return FindLater(citation, *now.file, repository, index);
  if (const auto lines = FindNamed(reference, citation.symbol, *now.file);
      lines && WasThere(citation, *lines, *now.file) &&
      (held || HasEveryName(reference.claim, *now.file, *lines))) {
    return At(citation, *lines);
  }
  if (held && !is_range) {
    const std::string_view line = then->file.file->Line(reference.lines.first);
    if (const auto similar = FindSimilar(line, citation.symbol, *now.file)) {
      return At(citation, *similar);
    }
  }
  if (by_lines && held && !then->now) {
    if (const auto place = index.FindLines(*then->file.file, reference.lines)) {
      return FromTree(citation, *place);
    }
  }
  return FindLater(citation, *now.file, repository, index);
}

}  // namespace

std::optional<Suggestion> Suggest(const FailedCitation& citation, const Repository& repository,
                                  const TreeIndex& index) {
  std::optional<Suggestion> suggestion = FindAny(citation, repository, index);
  if (!suggestion) return suggestion;
  const bool is_bad =
      (suggestion->is_from_tree && !IsLikelyFile(citation.path, suggestion->target.path)) ||
      IsFarLonger(suggestion->target.lines, citation.reference.lines) || IsBesideClaim(citation) ||
      (!suggestion->is_from_tree &&
       IsLooselyBound(citation, *repository.File(citation.path).file, suggestion->target.lines));
  if (is_bad) {
    suggestion.reset();
  } else if (suggestion->is_certain) {
    suggestion->is_certain = HasEveryName(
        citation.reference.claim, *repository.File(citation.path).file, suggestion->target.lines);
  }
  return suggestion;
}

}  // namespace sibyl::references
