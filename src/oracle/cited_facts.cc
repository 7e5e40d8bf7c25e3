// SPDX-License-Identifier: Apache-2.0
#include "oracle/cited_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files/file_lock.h"
#include "base/files/root_links.h"
#include "base/nearest_name.h"
#include "base/parallel.h"
#include "evidence/oracle_files.h"
#include "evidence/origins/toolkit.h"
#include "evidence/store.h"
#include "inspect/inspect.h"
#include "inspect/inspectors.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

using evidence::FactCitation;
using inspect::RecordedFact;

Result<inspect::Artifact> InspectOne(const fs::path& file) {
  inspect::Inspected inspected = SIBYL_TRY(inspect::Inspect({file}, {.threads = MachineThreads()}));
  if (inspected.artifacts.size() == 1) return std::move(inspected.artifacts[0]);
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("citing {}: not a single file", file.string()),
               .hint = "only facts of files can be cited"};
}

// The fact, if its citation would lead back to it.
Result<const inspect::Fact*> CitableFact(const inspect::Artifact& artifact,
                                         std::string_view inspector, std::string_view key) {
  const inspect::Fact* fact = inspect::FindFact(artifact, inspector, key);
  if (fact != nullptr && fact->is_of_its_bytes) return fact;
  Error error{.kind = ErrorKind::kUsage,
              .message = fmt::format("{} has no fact '{}' from the inspector {}", artifact.path,
                                     key, inspector),
              .hint = fmt::format("'sibyl inspect --json {}' lists them", artifact.path)};
  if (fact != nullptr) {
    error.message = fmt::format("the fact '{}' was read from a file beside {}, not from it", key,
                                artifact.path);
    error.hint = "cite the file that contains it";
    return error;
  }
  std::vector<std::string> keys;
  for (const inspect::Fact& other : artifact.facts) {
    if (other.inspector == inspector && other.is_of_its_bytes) keys.push_back(other.key);
  }
  if (const auto near = NearestName(key, keys)) error.hint = fmt::format("did you mean {}?", *near);
  return error;
}

// A file that has been rebuilt since nearly always has another size; hashing half
// a gigabyte to find that out takes a while.
std::optional<fs::path> FileOfSize(const Root& folder, const fs::path& path, std::uint64_t bytes) {
  const Result<fs::path> inside = FollowLinks(folder, path);
  if (!inside.ok()) return std::nullopt;
  const std::optional<FileAbout> about = folder.About(*inside);
  if (!about || about->kind != FileKind::kFile || about->bytes != bytes) return std::nullopt;
  return folder.Shown(*inside);
}

constexpr std::string_view kMadeFacts = "facts";

// What would mislead a reader if it were forged.
std::string FactAsText(const FactCitation& citation, const RecordedFact& fact) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", evidence::FormatCitation(citation),
                     FormatJson(fact.value, JsonLayout::kCompact), fact.kind, fact.bytes,
                     fs::path(fact.path).filename().string());
}

// A record alone proves nothing: a clone can bring any value.
Error NotHere(const FactCitation& citation, const RecordedFact* recorded) {
  const std::string digits = citation.sha256.substr(0, 12);
  return Error{
      .kind = ErrorKind::kNotFound,
      .message = recorded == nullptr
                     ? fmt::format("no file here has sha256 {}…, and {} does not record the fact",
                                   digits, inspect::kFactsFile)
                     : fmt::format("the artifact is not here (sha256 {}…), and the value in {} was "
                                   "not inspected on this machine",
                                   digits, inspect::kFactsFile),
      .hint = "where the artifact is, inspect it again: sibyl cite PATH#INSPECTOR:KEY"};
}

bool IsOnDisk(const evidence::Pin& pin) {
  return pin.kind == evidence::SourceKind::kFolder || pin.kind == evidence::SourceKind::kFile;
}

}  // namespace

std::optional<FactTarget> ParseFactTarget(std::string_view target) {
  for (const std::string_view inspector : inspect::CitableInspectors()) {
    const std::string mark = fmt::format("#{}:", inspector);
    const std::size_t at = target.rfind(mark);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view key = target.substr(at + mark.size());
    if (key.empty()) continue;
    return FactTarget{.path = std::string(target.substr(0, at)),
                      .inspector = std::string(inspector),
                      .key = std::string(key)};
  }
  return std::nullopt;
}

Result<CitedFacts> CitedFacts::Open(const evidence::Lock& lock,
                                    const evidence::Surroundings& around, MadeHere made_here) {
  Root oracle = SIBYL_TRY(Root::Open(around.oracle));
  CitedFacts facts(lock, around, std::move(oracle), std::move(made_here));
  facts.book_ = SIBYL_TRY(facts.ReadBook());
  return facts;
}

Result<inspect::FactBook> CitedFacts::ReadBook() const {
  if (!oracle_.Exists(inspect::kFactsFile)) return inspect::FactBook();
  const std::string text = SIBYL_TRY(
      ReadFollowing(oracle_, inspect::kFactsFile, {.max_bytes = inspect::kMaxFactsBytes}));
  return inspect::FactBook::Parse(text);
}

// Serialises citing processes. The lock is in the store, so that the oracle, a
// git repository, gets no stray files.
Status CitedFacts::Record(const FactCitation& citation, const RecordedFact& fact) {
  const FileLock turn = SIBYL_TRY(evidence::LockOracleFile(around_, "facts"));
  book_ = SIBYL_TRY(ReadBook());
  const RecordedFact* known = book_.Find(citation);
  if (known != nullptr && *known == fact) return {};
  book_.Put(citation, fact);
  return oracle_.Write(inspect::kFactsFile, book_.Format());
}

RecordedFact CitedFacts::PlaceOf(const fs::path& file) const {
  if (const auto inside = PathBelow(around_.oracle, file)) {
    return {.path = inside->generic_string()};
  }
  for (const evidence::Pin& pin : lock_.pins) {
    if (!IsOnDisk(pin)) continue;
    const auto inside = PathBelow(evidence::StoreOrigin(pin.origin, around_.oracle), file);
    if (!inside) continue;
    // "." means that the source is the file itself.
    return {.source = pin.name,
            .path = *inside == "." ? file.filename().string() : inside->generic_string()};
  }
  std::error_code error;
  return {.path = fs::absolute(file, error).lexically_normal().string()};
}

// The folders and files that this user pinned on this machine. A pin that is
// only in sibyl.lock is untrusted: its folder is not searched.
std::vector<fs::path> CitedFacts::PinnedPlaces() const {
  std::vector<fs::path> places;
  for (const evidence::Pin& pin : lock_.pins) {
    if (!IsOnDisk(pin)) continue;
    const std::string origin = evidence::StoreOrigin(pin.origin, around_.oracle);
    if (around_.store.MirrorOf(pin.kind, origin).Exists()) places.emplace_back(origin);
  }
  return places;
}

// A library of a toolkit that this user pinned on this machine: where it is installed
// here, whatever the folder was called where the fact was recorded.
std::optional<fs::path> CitedFacts::PlaceInToolkit(const RecordedFact& fact) const {
  for (const evidence::Pin& pin : lock_.pins) {
    const std::optional<evidence::Toolkit> toolkit = evidence::ParseToolkitOrigin(pin.origin);
    if (!toolkit || !around_.store.MirrorOf(pin.kind, pin.origin).Exists()) continue;
    const auto found = evidence::FindToolkit(*toolkit, evidence::ToolkitFolders(*toolkit));
    if (!found.ok()) continue;
    const Result<Root> folder = Root::Open(found->folder);
    if (!folder.ok()) continue;
    // lib64/libcublas.so.13, extras/CUPTI/lib64/libcupti.so.13
    constexpr std::size_t kMostFolders = 3;
    fs::path outer = fs::path(fact.path).parent_path();
    fs::path inside = fs::path(fact.path).filename();
    for (std::size_t i = 0; i < kMostFolders && outer.has_filename(); ++i) {
      inside = outer.filename() / inside;
      outer = outer.parent_path();
      if (auto place = FileOfSize(*folder, inside, fact.bytes)) return place;
    }
  }
  return std::nullopt;
}

// Where a record says that the artifact is: in the oracle, never through a link;
// in a source or a toolkit that was pinned here; anywhere else only if the record is ours.
std::optional<fs::path> CitedFacts::PlaceNamedBy(const FactCitation& citation,
                                                 const RecordedFact& fact) const {
  if (fact.path.empty()) return std::nullopt;
  const fs::path path(fact.path);
  if (fact.source.empty() && !path.is_absolute()) {
    return FileOfSize(oracle_, path, fact.bytes);
  }
  if (fact.source.empty()) {
    if (!made_here_.Knows(kMadeFacts, FactAsText(citation, fact))) return PlaceInToolkit(fact);
    const Result<Root> folder = Root::Open(path.parent_path());
    return folder.ok() ? FileOfSize(*folder, path.filename(), fact.bytes) : std::nullopt;
  }
  const evidence::Pin* pin = lock_.Find(fact.source);
  if (pin == nullptr || !IsOnDisk(*pin)) return std::nullopt;
  const fs::path place = evidence::StoreOrigin(pin->origin, around_.oracle);
  const std::vector<fs::path> pinned = PinnedPlaces();
  if (std::find(pinned.begin(), pinned.end(), place) == pinned.end()) return std::nullopt;
  if (pin->kind == evidence::SourceKind::kFile) return place;
  const Result<Root> folder = Root::Open(place);
  return folder.ok() ? FileOfSize(*folder, path, fact.bytes) : std::nullopt;
}

std::shared_ptr<const inspect::Artifact> CitedFacts::InspectIfSame(
    const fs::path& file, const std::string& sha256) const {
  const std::optional<FileIdentity> identity =
      inspected_ != nullptr ? IdentityOf(file) : std::nullopt;
  if (identity) {
    if (auto kept = inspected_->Find(file, *identity)) {
      return kept->sha256 == sha256 ? kept : nullptr;
    }
  }
  if (around_.progress) around_.progress("inspecting " + file.string());
  Result<inspect::Artifact> artifact = InspectOne(file);
  if (!artifact.ok()) return nullptr;
  auto made = std::make_shared<const inspect::Artifact>(std::move(artifact).value());
  // What was read belongs to this identity only if the file is still the same.
  if (identity && IdentityOf(file) == identity) inspected_->Keep(file, *identity, made);
  return made->sha256 == sha256 ? made : nullptr;
}

const inspect::Artifact* CitedFacts::ArtifactWith(const FactCitation& citation) {
  const std::string& sha256 = citation.sha256;
  const auto known = artifacts_.find(sha256);
  if (known != artifacts_.end()) return known->second.get();
  std::shared_ptr<const inspect::Artifact>& artifact = artifacts_[sha256];
  const RecordedFact* recorded = book_.Find(citation);
  if (recorded == nullptr) recorded = book_.FindArtifact(sha256);
  if (recorded != nullptr) {
    const std::optional<fs::path> place = PlaceNamedBy(citation, *recorded);
    if (place) artifact = InspectIfSame(*place, sha256);
    if (artifact != nullptr) read_from_[sha256] = *place;
    return artifact.get();
  }
  if (!files_) {
    std::vector<fs::path> places = PinnedPlaces();
    places.insert(places.begin(), around_.oracle);
    if (around_.progress) around_.progress("looking for cited artifacts");
    files_ = inspect::HashFiles(places, MachineThreads());
  }
  const auto found = files_->by_sha256.find(sha256);
  if (found == files_->by_sha256.end()) return nullptr;
  artifact = InspectIfSame(found->second, sha256);
  if (artifact != nullptr) read_from_[sha256] = found->second;
  return artifact.get();
}

Result<CitedFact> CitedFacts::Cite(const ArgumentFile& named, const FactTarget& target) {
  if (named.IsFolder()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("citing {}: a folder has no sha256", named.path().string()),
                 .hint = "only facts of files can be cited"};
  }
  const fs::path file = SIBYL_TRY(named.CheckedPath());
  const inspect::Artifact artifact = SIBYL_TRY(InspectOne(file));
  if (artifact.sha256.empty()) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = artifact.findings.empty() ? fmt::format("{} is empty", file.string())
                                                      : artifact.findings[0].message};
  }
  const inspect::Fact* fact = SIBYL_TRY(CitableFact(artifact, target.inspector, target.key));
  CitedFact cited{
      .citation = {.sha256 = artifact.sha256, .inspector = target.inspector, .key = target.key},
      .fact = PlaceOf(file),
      .read_from = file};
  cited.fact.value = fact->value;
  cited.fact.kind = artifact.kind;
  cited.fact.bytes = artifact.bytes;
  SIBYL_TRY(Record(cited.citation, cited.fact));
  SIBYL_TRY(made_here_.Remember(kMadeFacts, FactAsText(cited.citation, cited.fact)));
  return cited;
}

Result<CitedFact> CitedFacts::Resolve(const FactCitation& citation) {
  const RecordedFact* recorded = book_.Find(citation);
  const inspect::Artifact* artifact = ArtifactWith(citation);
  if (artifact == nullptr && recorded != nullptr &&
      made_here_.Knows(kMadeFacts, FactAsText(citation, *recorded))) {
    return CitedFact{.citation = citation, .fact = *recorded};
  }
  if (artifact == nullptr) return NotHere(citation, recorded);
  const inspect::Fact* fact = SIBYL_TRY(CitableFact(*artifact, citation.inspector, citation.key));
  const fs::path& file = read_from_.at(citation.sha256);
  if (recorded != nullptr && recorded->value != fact->value) {
    const auto compact = [](const Json& value) { return FormatJson(value, JsonLayout::kCompact); };
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("{} says {}, {} itself says {}", inspect::kFactsFile,
                                        compact(recorded->value), file.filename().string(),
                                        compact(fact->value)),
                 .hint = fmt::format("sibyl cite '{}#{}:{}' records it again", file.string(),
                                     citation.inspector, citation.key)};
  }
  CitedFact cited{.citation = citation, .fact = PlaceOf(file), .read_from = file};
  cited.fact.value = fact->value;
  cited.fact.kind = artifact->kind;
  cited.fact.bytes = artifact->bytes;
  return cited;
}

gate::OtherResolver ResolverOfFacts(CitedFacts& facts) {
  return [&facts](const evidence::Citation& citation) -> std::optional<gate::OtherAnswer> {
    const auto* of_fact = std::get_if<FactCitation>(&citation);
    if (of_fact == nullptr) return std::nullopt;
    const Result<CitedFact> cited = facts.Resolve(*of_fact);
    if (!cited.ok()) {
      const Error& error = cited.error();
      const statement::Verdict verdict =
          error.kind == ErrorKind::kUsage     ? statement::Verdict::kAbsent
          : error.kind == ErrorKind::kCorrupt ? statement::Verdict::kContradicted
                                              : statement::Verdict::kUndecidable;
      return gate::OtherAnswer{.verdict = verdict, .message = error.message, .reason = error.hint};
    }
    gate::OtherAnswer answer{.verdict = statement::Verdict::kSupported,
                             .text = inspect::FactInWords(*of_fact, cited->fact)};
    if (cited->read_from) {
      answer.message = "the artifact still has the cited fact";
      answer.where = cited->fact.path;
      answer.reason = "its sha256 is the cited one, and it was inspected again";
    } else {
      answer.message =
          fmt::format("{} has the cited fact; the artifact is not here", inspect::kFactsFile);
      answer.where = std::string(inspect::kFactsFile);
      answer.reason = fmt::format("you inspected the file of sha256 {}… on this machine",
                                  of_fact->sha256.substr(0, 12));
    }
    return answer;
  };
}

}  // namespace sibyl::oracle
