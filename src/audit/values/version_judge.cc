// SPDX-License-Identifier: Apache-2.0
#include "audit/values/version_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "audit/facts/field_mentions.h"
#include "audit/source_names.h"
#include "audit/values/value_claims.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::audit {
namespace {

// The version after a mark, in one of the lines.
std::optional<std::string> VersionAfter(const std::vector<std::string_view>& lines,
                                        std::size_t first, std::size_t count,
                                        std::string_view mark) {
  for (std::size_t i = first; i < lines.size() && i < first + count; ++i) {
    const std::size_t at = lines[i].find(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view version = DottedVersionAt(lines[i], at + mark.size());
    if (!version.empty()) return std::string(version);
  }
  return std::nullopt;
}

// ".. option:: --fresh", "``all``", "- ``CUDA::cuFile`` starting in CUDA 11.4": a line that begins
// an entry about the name.
bool BeginsEntryOf(std::string_view line, std::string_view name) {
  line = Trim(line);
  if (name.starts_with("$<")) return line.starts_with(".. genex:: ") && line.ends_with(name);
  if (line.starts_with(".. ")) return FindWholeWord(line, name, 0).has_value();
  const std::size_t first = line.find_first_not_of("`*- ");
  if (first == line.npos) return false;
  const std::string_view rest = line.substr(first);
  std::string_view bare = name;
  while (bare.starts_with('-')) bare.remove_prefix(1);
  return rest.starts_with(bare) && (rest.size() == bare.size() || !IsNameByte(rest[bare.size()])) &&
         (line[0] == '`' || line[0] == '*' || line[0] == '-');
}

// "`CUDA::nvfatbin` from 12.4": targets come with a toolkit, which has a number above ten.
bool IsAboutCuda(const VersionClaim& claim) {
  return LowerCase(claim.tool) == "cuda" ||
         (claim.tool.empty() && claim.name.starts_with("CUDA::") && claim.version.find('.') > 1);
}

// "Hopper at least CUDA 12.0": what an architecture needs, not a project.
bool IsAboutHardware(std::string_view text, const VersionClaim& claim) {
  constexpr std::size_t kNearby = 60;
  if (LowerCase(claim.tool) != "cuda") return false;
  const std::size_t first = claim.offset > kNearby ? claim.offset - kNearby : 0;
  const std::vector<MentionGroup> groups = FindMentions(text.substr(first, claim.offset - first));
  return std::ranges::any_of(groups, [](const MentionGroup& group) {
    return group.kind == MentionKind::kGeneration || group.kind == MentionKind::kArchitecture ||
           group.kind == MentionKind::kProduct;
  });
}

// "Python 3.8+, PyTorch 1.12+": one of the things that are needed, not what needs them.
bool HasVersion(std::string_view text, std::string_view lower_name) {
  const std::string lower = LowerCase(text);
  for (std::size_t at = lower.find(lower_name); at != lower.npos;
       at = lower.find(lower_name, at + 1)) {
    std::size_t behind = at + lower_name.size();
    while (behind < lower.size() && std::string_view(" >=").find(lower[behind]) != lower.npos) {
      ++behind;
    }
    if (behind > at + lower_name.size() && behind < lower.size() && IsDigit(lower[behind])) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::size_t> VersionJudge::CMakeSource() const {
  const std::vector<Witness::File> files = witness_.FindFiles("Help/manual/cmake.1.rst");
  if (files.empty()) return std::nullopt;
  return files[0].source;
}

statement::Judgement VersionJudge::Compare(const VersionClaim& claim,
                                           const std::vector<Requirement>& found,
                                           std::size_t most_values) const {
  std::set<std::string> versions;
  for (const Requirement& one : found) {
    // "2.19.4" is what "2.19 or newer" may mean.
    const bool is_part =
        claim.version.starts_with(one.version) && claim.version[one.version.size()] == '.';
    if (is_part || SameVersion(one.version, claim.version)) {
      return {.verdict = statement::Verdict::kSupported,
              .message = "a source has this version",
              .where = witness_.Show(one.sighting),
              .reason = "the line that defines it has this version"};
    }
    versions.insert(one.version);
  }
  if (versions.empty()) return statement::Undecidable("no source gives this version");
  // Older than everything that is said to be needed is wrong whichever of them is meant.
  const bool is_older =
      most_values > 1 && std::ranges::all_of(versions, [&](const std::string& version) {
        return IsOlder(claim.version, version);
      });
  if (versions.size() > most_values && !is_older) {
    return statement::Undecidable("the sources give several versions");
  }
  const Requirement& oldest = *std::ranges::min_element(found, IsOlder, &Requirement::version);
  return {.verdict = statement::Verdict::kContradicted,
          .message = fmt::format("the source says {}: \"{}\"", oldest.version,
                                 statement::Excerpt(Trim(oldest.sighting.text))),
          .nearest = oldest.version,
          .where = witness_.Show(oldest.sighting),
          .reason = "the line that defines it has another version"};
}

std::optional<std::size_t> VersionJudge::SourceOfFiles(
    const statement::Statement& statement) const {
  std::optional<std::size_t> source;
  for (const CodeName& name : CodeNames(statement)) {
    if (name.text.find('.') == std::string::npos) continue;
    const std::vector<Witness::File> files = witness_.FindFiles(name.text);
    if (files.size() != 1) continue;
    if (source && *source != files[0].source) return std::nullopt;
    source = files[0].source;
  }
  return source;
}

statement::Judgement VersionJudge::JudgeRequirement(const statement::Statement& statement,
                                                    const VersionClaim& claim,
                                                    const Topic& topic) const {
  constexpr std::size_t kMostValues = 2;
  // A file that only one source has tells which is meant.
  const std::optional<std::size_t> file_source = SourceOfFiles(statement);
  const std::string tool = LowerCase(claim.tool);
  const std::string subject = SubjectBefore(statement.text, claim.offset).name;
  std::vector<Requirement> found;
  std::set<std::size_t> sources;
  for (std::size_t source = 0; source < topic.names_source.size(); ++source) {
    // A sentence about CMake's version names CMake, but is about the project that needs it.
    const bool is_named = file_source ? *file_source == source : topic.names_source[source];
    const std::string name = LowerCase(witness_.sources()[source].name);
    if (!subject.empty() && !witness_.IsKnownAs(source, subject)) continue;
    if (!is_named || name == tool || HasVersion(statement.text, name)) continue;
    for (Requirement& one : requirements_.Of(source, tool)) {
      found.push_back(std::move(one));
      sources.insert(source);
    }
  }
  // "`--nccl_allocator` requires NCCL 2.19": the line about it decides.
  const auto is_about = [&](const Requirement& one) {
    return std::ranges::any_of(CodeNames(statement), [&](const CodeName& name) {
      return name.text.size() > 4 &&
             FindWholeWord(one.sighting.text, name.text.substr(name.text.find_first_not_of('-')),
                           0);
    });
  };
  if (std::ranges::any_of(found, is_about)) {
    std::erase_if(found, [&](const Requirement& one) { return !is_about(one); });
  }
  // "This example requires CUDA 12.8": a part of a project may need more than the whole.
  const bool is_newer = !found.empty() && std::ranges::all_of(found, [&](const Requirement& one) {
    return IsOlder(one.version, claim.version);
  });
  const FoldedText folded(statement.text);
  const bool is_told =
      file_source || FindWholeWord(statement.text, "must") ||
      std::ranges::any_of(sources, [&](std::size_t source) {
        return std::ranges::any_of(witness_.NamesOf(source),
                                   [&](const SourceName& name) { return folded.Names(name); });
      });
  const bool is_toolkit = tool == "cuda" || tool == "cudnn" || tool == "nccl";
  if (is_toolkit && is_newer && !is_told && !std::ranges::any_of(found, is_about)) {
    return statement::Undecidable("the sentence may be about a part of the project");
  }
  if (sources.size() > 1) {
    statement::Judgement judgement = Compare(claim, found, 0);
    if (judgement.verdict == statement::Verdict::kSupported) return judgement;
    return statement::Undecidable("the text is about several sources");
  }
  return Compare(claim, found, kMostValues);
}

std::vector<Requirement> VersionJudge::FindSince(std::size_t cmake,
                                                 const VersionClaim& claim) const {
  constexpr std::size_t kHead = 16;  // lines: the licence, the title, the version
  constexpr std::size_t kEntry = 4;
  constexpr std::size_t kMostPlaces = 600;
  std::vector<Requirement> found;
  const bool is_cuda = IsAboutCuda(claim);
  const std::string_view mark = is_cuda ? "starting in CUDA " : "versionadded:: ";
  if (!is_cuda) {
    std::vector<std::string> paths = {claim.name + ".rst", "Modules/" + claim.name + ".cmake",
                                      "Modules/Find" + claim.name + ".cmake"};
    for (const std::string& path : paths) {
      for (const Witness::File& file : witness_.FindFiles(path)) {
        const bool is_help = file.path.starts_with("Help/") || file.path.starts_with("Modules/");
        if (file.source != cmake || !is_help) continue;
        const std::string text = witness_.ReadText(file);
        const std::vector<std::string_view> lines = SplitLines(text);
        if (auto version = VersionAfter(lines, 0, kHead, mark)) {
          found.push_back({*version,
                           {.source = cmake,
                            .path = file.path,
                            .line = 1,
                            .text = fmt::format(".. versionadded:: {}", *version)}});
        }
      }
    }
    if (!found.empty()) return found;
  }
  std::vector<std::string> words;
  std::string word;
  for (const char c : LowerCase(claim.name) + " ") {
    if (IsNameByte(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  witness_.VisitLines(words, kMostPlaces, [&](const Sighting& sighting) {
    const bool is_help =
        sighting.path.starts_with("Help/") || sighting.path.starts_with("Modules/");
    if (sighting.source != cmake || !is_help || !BeginsEntryOf(sighting.text, claim.name)) {
      return true;
    }
    const bool is_manual = sighting.path.starts_with("Help/manual/c") &&
                           sighting.path.ends_with(".1.rst");  // of cmake, ctest, cpack, ccmake
    if (claim.name.starts_with('-') && !is_manual) return true;
    // The entry may go on in the next passage.
    std::string text;
    for (const Witness::File& file : witness_.FindFiles(sighting.path)) {
      if (file.source == cmake && file.path == sighting.path) text = witness_.ReadText(file);
    }
    const std::vector<std::string_view> lines = SplitLines(text);
    if (auto version = VersionAfter(lines, sighting.line - 1, is_cuda ? 1 : kEntry, mark)) {
      found.push_back({*version, sighting});
    }
    return true;
  });
  return found;
}

statement::Judgement VersionJudge::JudgeSince(const VersionClaim& claim, const Topic& topic) const {
  const std::optional<std::size_t> cmake = CMakeSource();
  const bool is_about_cmake =
      LowerCase(claim.tool) == "cmake" || topic.is_cmake || IsAboutCuda(claim);
  if (!cmake || !is_about_cmake) {
    return statement::Undecidable("only versions of CMake are looked up");
  }
  return Compare(claim, FindSince(*cmake, claim), 1);
}

std::vector<JudgedNumber> VersionJudge::Judge(const statement::Statement& statement,
                                              const Topic& topic) const {
  std::vector<JudgedNumber> judged;
  if (!statement.IsProse() || statement.kind == statement::StatementKind::kHeading) return judged;
  for (const VersionClaim& claim : ReadVersionClaims(statement)) {
    if (claim.name.empty() && IsAboutHardware(statement.text, claim)) continue;
    JudgedNumber one = {.judgement = claim.name.empty() ? JudgeRequirement(statement, claim, topic)
                                                        : JudgeSince(claim, topic),
                        .offset = claim.offset};
    one.judgement.code = "number/ungrounded";
    one.judgement.kind = "version";
    const bool is_package =
        claim.name.empty() && statement.text.substr(0, claim.offset).ends_with(">=");
    one.judgement.text = is_package ? fmt::format("{}>={}", claim.tool, claim.version)
                         : claim.name.empty()
                             ? fmt::format("{} {}", claim.tool, claim.version)
                             : fmt::format("{} since {}", claim.name, claim.version);
    judged.push_back(std::move(one));
  }
  return judged;
}

}  // namespace sibyl::audit
