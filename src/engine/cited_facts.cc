// SPDX-License-Identifier: Apache-2.0
#include "engine/cited_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/file_lock.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/nearest_name.h"
#include "evidence/store.h"
#include "inspect/inspect.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

using evidence::FactCitation;
using inspect::RecordedFact;

constexpr std::string_view kInspectors[] = {"elf", "cuda", "cmake", "dockerfile", "wheel", "image"};

unsigned Threads() { return std::max(1U, std::thread::hardware_concurrency()); }

Result<inspect::Artifact> InspectOne(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("citing {}: a folder has no sha256", file.string()),
                 .hint = "only facts of files can be cited"};
  }
  inspect::Inspected inspected = SIBYL_TRY(inspect::Inspect({file}, {.threads = Threads()}));
  return std::move(inspected.artifacts.at(0));
}

// The fact, if its citation would lead back to it.
Result<const inspect::Fact*> CitableFact(const inspect::Artifact& artifact,
                                         std::string_view inspector, std::string_view key) {
  const inspect::Fact* fact = inspect::FindFact(artifact, inspector, key);
  if (fact != nullptr && fact->is_of_its_bytes) return fact;
  Error error{.kind = ErrorKind::kUsage,
              .message = fmt::format("{} has no fact '{}' of the inspector {}", artifact.path, key,
                                     inspector),
              .hint = fmt::format("sibyl inspect --json {} lists them", artifact.path)};
  if (fact != nullptr) {
    error.message =
        fmt::format("the fact '{}' was read beside {}, not out of it", key, artifact.path);
    error.hint = "cite the file that says it";
    return error;
  }
  std::vector<std::string> keys;
  for (const inspect::Fact& other : artifact.facts) {
    if (other.inspector == inspector && other.is_of_its_bytes) keys.push_back(other.key);
  }
  if (const auto near = NearestName(key, keys)) error.hint = fmt::format("did you mean {}?", *near);
  return error;
}

// From `folder` when it is inside.
std::optional<std::string> PathInside(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path relative =
      fs::weakly_canonical(file, error).lexically_relative(fs::weakly_canonical(folder, error));
  if (error || relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative.generic_string();
}

bool IsOnDisk(const evidence::Pin& pin) {
  return pin.kind == evidence::SourceKind::kFolder || pin.kind == evidence::SourceKind::kFile;
}

}  // namespace

std::optional<FactTarget> ParseFactTarget(std::string_view target) {
  for (const std::string_view inspector : kInspectors) {
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
                                    const evidence::Surroundings& around) {
  CitedFacts facts(lock, around);
  facts.book_ = SIBYL_TRY(facts.ReadBook());
  return facts;
}

Result<inspect::FactBook> CitedFacts::ReadBook() const {
  std::error_code error;
  if (!fs::exists(BookPath(), error)) return inspect::FactBook();
  const std::string text = SIBYL_TRY(ReadFile(BookPath(), {.max_bytes = inspect::kMaxFactsBytes}));
  return inspect::FactBook::Parse(text);
}

// Two processes that cite take turns. The lock lies in the store: an oracle is a
// git repository, and gets no stray files from us.
Status CitedFacts::Record(const FactCitation& citation, const RecordedFact& fact) {
  const fs::path folder = around_.store.folder() / "oracles";
  SIBYL_TRY(CreateFolders(folder));
  std::error_code error;
  const std::string oracle = fs::weakly_canonical(around_.oracle, error).string();
  const FileLock turn = SIBYL_TRY(FileLock::Take(
      folder / (Sha256(oracle).substr(0, 16) + ".facts.lock"), std::chrono::seconds(10)));
  book_ = SIBYL_TRY(ReadBook());
  const RecordedFact* known = book_.Find(citation);
  if (known != nullptr && *known == fact) return {};
  book_.Put(citation, fact);
  return WriteFileAtomically(BookPath(), book_.Format());
}

RecordedFact CitedFacts::PlaceOf(const fs::path& file) const {
  if (auto inside = PathInside(file, around_.oracle)) return {.path = *std::move(inside)};
  for (const evidence::Pin& pin : lock_.pins) {
    if (!IsOnDisk(pin)) continue;
    auto inside = PathInside(file, evidence::StoreOrigin(pin.origin, around_.oracle));
    if (!inside) continue;
    if (*inside == ".") inside = file.filename().string();  // the source is the file
    return {.source = pin.name, .path = *std::move(inside)};
  }
  std::error_code error;
  return {.path = fs::absolute(file, error).lexically_normal().string()};
}

std::optional<fs::path> CitedFacts::PlaceNamedBy(const RecordedFact& fact) const {
  if (fact.path.empty()) return std::nullopt;
  if (fact.source.empty()) return around_.oracle / fact.path;
  const evidence::Pin* pin = lock_.Find(fact.source);
  if (pin == nullptr || !IsOnDisk(*pin)) return std::nullopt;
  const fs::path root = evidence::StoreOrigin(pin->origin, around_.oracle);
  return pin->kind == evidence::SourceKind::kFile ? root : root / fact.path;
}

std::shared_ptr<const inspect::Artifact> CitedFacts::InspectIfSame(
    const fs::path& file, const std::string& sha256) const {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return nullptr;
  if (around_.progress) around_.progress("inspecting " + file.string());
  Result<inspect::Artifact> artifact = InspectOne(file);
  if (!artifact.ok() || artifact->sha256 != sha256) return nullptr;
  return std::make_shared<const inspect::Artifact>(std::move(artifact).value());
}

const inspect::Artifact* CitedFacts::ArtifactWith(const std::string& sha256) {
  const auto known = artifacts_.find(sha256);
  if (known != artifacts_.end()) return known->second.get();
  std::shared_ptr<const inspect::Artifact>& artifact = artifacts_[sha256];
  const RecordedFact* recorded = book_.FindArtifact(sha256);
  if (recorded != nullptr) {
    const std::optional<fs::path> place = PlaceNamedBy(*recorded);
    std::error_code error;
    if (place && fs::file_size(*place, error) == recorded->bytes && !error) {
      artifact = InspectIfSame(*place, sha256);
      if (artifact != nullptr) read_from_[sha256] = *place;
    }
    return artifact.get();
  }
  if (!files_) {
    std::vector<fs::path> places{around_.oracle};
    for (const evidence::Pin& pin : lock_.pins) {
      if (IsOnDisk(pin)) places.emplace_back(evidence::StoreOrigin(pin.origin, around_.oracle));
    }
    if (around_.progress) around_.progress("looking for cited artifacts");
    files_ = inspect::HashFiles(places, Threads());
  }
  const auto found = files_->by_sha256.find(sha256);
  if (found == files_->by_sha256.end()) return nullptr;
  artifact = InspectIfSame(found->second, sha256);
  if (artifact != nullptr) read_from_[sha256] = found->second;
  return artifact.get();
}

Result<CitedFact> CitedFacts::Cite(const fs::path& file, const FactTarget& target) {
  const inspect::Artifact artifact = SIBYL_TRY(InspectOne(file));
  if (artifact.sha256.empty()) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = artifact.findings.empty()
                                ? fmt::format("{} has no bytes", file.string())
                                : artifact.findings[0].message};
  }
  const inspect::Fact* fact = SIBYL_TRY(CitableFact(artifact, target.inspector, target.key));
  CitedFact cited{
      .citation = {.sha256 = artifact.sha256, .inspector = target.inspector, .key = target.key},
      .fact = PlaceOf(file),
      .read_from = file};
  cited.fact.value = fact->value;
  cited.fact.kind = inspect::KindName(artifact.kind);
  cited.fact.bytes = artifact.bytes;
  SIBYL_TRY(Record(cited.citation, cited.fact));
  return cited;
}

Result<CitedFact> CitedFacts::Resolve(const FactCitation& citation) {
  const RecordedFact* recorded = book_.Find(citation);
  const inspect::Artifact* artifact = ArtifactWith(citation.sha256);
  if (artifact == nullptr) {
    if (recorded != nullptr) return CitedFact{.citation = citation, .fact = *recorded};
    return Error{
        .kind = ErrorKind::kNotFound,
        .message = fmt::format("no file here has sha256 {}…, and {} does not have the fact",
                               citation.sha256.substr(0, 12), inspect::kFactsFile),
        .hint = "sibyl cite PATH#INSPECTOR:KEY, where the artifact is, writes it down"};
  }
  const inspect::Fact* fact = SIBYL_TRY(CitableFact(*artifact, citation.inspector, citation.key));
  const fs::path& file = read_from_.at(citation.sha256);
  if (recorded != nullptr && recorded->value != fact->value) {
    const auto compact = [](const Json& value) { return FormatJson(value, JsonLayout::kCompact); };
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("{} says {}, {} itself says {}", inspect::kFactsFile,
                                        compact(recorded->value), file.filename().string(),
                                        compact(fact->value)),
                 .hint = fmt::format("sibyl cite '{}#{}:{}' writes it down anew", file.string(),
                                     citation.inspector, citation.key)};
  }
  CitedFact cited{.citation = citation, .fact = PlaceOf(file), .read_from = file};
  cited.fact.value = fact->value;
  cited.fact.kind = inspect::KindName(artifact->kind);
  cited.fact.bytes = artifact->bytes;
  return cited;
}

verify::OtherResolver ResolverOfFacts(CitedFacts& facts) {
  return [&facts](const evidence::Citation& citation) -> std::optional<verify::OtherAnswer> {
    const auto* of_fact = std::get_if<FactCitation>(&citation);
    if (of_fact == nullptr) return std::nullopt;
    const Result<CitedFact> cited = facts.Resolve(*of_fact);
    if (!cited.ok()) {
      const Error& error = cited.error();
      const verify::Verdict verdict = error.kind == ErrorKind::kUsage ? verify::Verdict::kAbsent
                                      : error.kind == ErrorKind::kCorrupt
                                          ? verify::Verdict::kContradicted
                                          : verify::Verdict::kUndecidable;
      return verify::OtherAnswer{
          .verdict = verdict, .message = error.message, .reason = error.hint};
    }
    verify::OtherAnswer answer{.verdict = verify::Verdict::kSupported,
                               .text = inspect::FactInWords(*of_fact, cited->fact)};
    if (cited->read_from) {
      answer.message = "the artifact still says the cited fact";
      answer.where = cited->fact.path;
      answer.reason = "its sha256 is the cited one, and it was inspected again";
    } else {
      answer.message =
          fmt::format("{} has the cited fact; the artifact is not here", inspect::kFactsFile);
      answer.where = std::string(inspect::kFactsFile);
      answer.reason = fmt::format("taken from the record; no file of sha256 {}… was inspected",
                                  of_fact->sha256.substr(0, 12));
    }
    return answer;
  };
}

}  // namespace sibyl::engine
