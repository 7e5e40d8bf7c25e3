// SPDX-License-Identifier: Apache-2.0
#include "evidence/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files/files.h"
#include "evidence/history/message.h"
#include "git/history.h"
#include "git/object_reader.h"
#include "git/pack_writer.h"
#include "git/tree_diff.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFilesOfTip = 2'000'000;
constexpr std::size_t kMostPathBytes = std::size_t{1} << 30;
constexpr std::string_view kFileSuffix = ".history";

fs::path FileOf(const Mirror& mirror, const git::ObjectId& commit) {
  return mirror.folder() / "history" / (commit.Hex() + std::string(kFileSuffix));
}

// A message says less about each of many files.
std::uint8_t WeightOf(std::size_t files, std::uint8_t flags) {
  constexpr float kFull = 255;
  constexpr float kLittle = 0.2F;
  if (files == 0) return 0;
  float weight = kFull / (1 + std::log2(static_cast<float>(files)));
  if ((flags & (kRevertCommit | kRobotCommit)) != 0) weight *= kLittle;
  return static_cast<std::uint8_t>(std::max(1.0F, weight));
}

/// What the messages and the trees of a history say, before paths have numbers.
struct Read {
  std::vector<git::HistoryCommit> commits;
  std::vector<std::uint8_t> flags;
  std::vector<git::ChangedFiles> changes;
  std::vector<std::string> present;
};

// Sees every commit once: judges its message, and copies it if asked.
class CommitJudge {
 public:
  CommitJudge(std::vector<std::uint8_t>& flags, git::PackWriter* copies,
              const git::ObjectDatabase* target)
      : flags_(flags), copies_(copies), target_(target) {}

  Status Visit(const git::HistoryCommit& commit, std::string_view bytes,
               const git::Commit& parsed) {
    std::uint8_t flags = 0;
    if (commit.is_merge) flags |= kMergeCommit;
    if (IsRevert(parsed.message_view)) flags |= kRevertCommit;
    if (IsRobot(parsed.author_view)) flags |= kRobotCommit;
    flags_.push_back(flags);
    if (copies_ == nullptr || target_->Contains(commit.id)) return {};
    git::PackedObject packed = git::PackObject(git::ObjectType::kCommit, bytes, deflater_);
    if (packed.id != commit.id) {
      return Error{
          .kind = ErrorKind::kCorrupt,
          .message = fmt::format("reading the history: commit {} is damaged", commit.id.Hex())};
    }
    return copies_->Add(packed);
  }

 private:
  std::vector<std::uint8_t>& flags_;
  git::PackWriter* copies_;  // null: none are made
  const git::ObjectDatabase* target_;
  git::Deflater deflater_;
};

// The changes that an earlier file has.
void TakeKnown(const HistoryFile& known, Read& read) {
  std::vector<std::vector<HistoryMove>> moves(known.commit_count());
  for (const HistoryMove& move : known.moves()) {
    if (move.commit < moves.size()) moves[move.commit].push_back(move);
  }
  for (std::size_t i = 0; i < read.commits.size(); ++i) {
    const std::optional<std::uint32_t> number = known.FindCommit(read.commits[i].id);
    if (!number) continue;
    git::ChangedFiles& changes = read.changes[i];
    const std::uint8_t flags = known.commit(*number).flags;
    changes.is_bulk = (flags & kBulkCommit) != 0;
    changes.is_unknown = (flags & kUnknownChanges) != 0;
    for (const std::uint32_t path : known.ChangesOf(*number)) {
      if (path < known.path_count()) changes.paths.emplace_back(known.path(path));
    }
    for (const HistoryMove& move : moves[*number]) {
      if (move.from >= known.path_count() || move.to >= known.path_count()) continue;
      changes.moves.emplace_back(known.path(move.from), known.path(move.to));
    }
  }
}

// The file of the latest commit before this one, if it is sound.
std::optional<HistoryFile> FindKnown(const Mirror& mirror, const Read& read) {
  std::error_code ignored;
  for (const git::HistoryCommit& commit : read.commits) {
    const fs::path path = FileOf(mirror, commit.id);
    if (!fs::exists(path, ignored)) continue;
    Result<HistoryFile> file = HistoryFile::Open(path);
    if (file.ok() && file->Check().ok()) return std::move(file).value();
  }
  return std::nullopt;
}

Result<Read> ReadHistory(const HistoryWork& work, const Mirror& mirror, git::PackWriter* copies,
                         const git::ObjectDatabase* target) {
  Read read;
  CommitJudge judge(read.flags, copies, target);
  read.commits = SIBYL_TRY(git::WalkHistory(
      work.objects, work.commit, {.cancelled = work.cancelled},
      [&judge](const git::HistoryCommit& commit, std::string_view bytes,
               const git::Commit& parsed) { return judge.Visit(commit, bytes, parsed); }));
  const std::optional<HistoryFile> known = FindKnown(mirror, read);
  const auto is_new = [&](std::size_t i) {
    if (!known) return true;
    const std::optional<std::uint32_t> number = known->FindCommit(read.commits[i].id);
    // Its parent may be here now.
    return !number || (known->commit(*number).flags & kUnknownChanges) != 0;
  };
  const git::ChangeOptions options{.threads = work.threads, .cancelled = work.cancelled};
  read.changes = SIBYL_TRY(git::FindChanges(work.objects, read.commits, is_new, options));
  if (known) {
    Read kept;
    kept.commits = read.commits;
    kept.changes.resize(read.commits.size());
    TakeKnown(*known, kept);
    for (std::size_t i = 0; i < read.commits.size(); ++i) {
      if (!is_new(i)) read.changes[i] = std::move(kept.changes[i]);
    }
  }
  git::TreeDifference tip =
      git::TreeDiffer(work.objects).Compare({}, read.commits.front().tree, kMostFilesOfTip);
  for (git::TreeChange& file : tip.changes) read.present.push_back(std::move(file.path));
  return read;
}

Result<HistoryTables> TablesOf(const HistoryWork& work, const Read& read) {
  HistoryTables tables{.tip = work.commit};
  std::size_t bytes = 0;
  for (const git::ChangedFiles& changes : read.changes) {
    tables.paths.insert(tables.paths.end(), changes.paths.begin(), changes.paths.end());
  }
  tables.paths.insert(tables.paths.end(), read.present.begin(), read.present.end());
  std::sort(tables.paths.begin(), tables.paths.end());
  tables.paths.erase(std::unique(tables.paths.begin(), tables.paths.end()), tables.paths.end());
  for (const std::string& path : tables.paths) bytes += path.size();
  if (bytes > kMostPathBytes) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "reading the history: its paths exceed the size limit"};
  }
  const auto number_of = [&tables](const std::string& path) {
    return static_cast<std::uint32_t>(
        std::lower_bound(tables.paths.begin(), tables.paths.end(), path) - tables.paths.begin());
  };
  tables.is_present.resize(tables.paths.size());
  for (const std::string& path : read.present) tables.is_present[number_of(path)] = true;
  for (std::uint32_t i = 0; i < read.commits.size(); ++i) {
    const git::ChangedFiles& changes = read.changes[i];
    HistoryRow row;
    std::copy(read.commits[i].id.bytes.begin(), read.commits[i].id.bytes.end(), row.id);
    row.time = read.commits[i].time;
    row.first_change = static_cast<std::uint32_t>(tables.changes.size());
    row.change_count = static_cast<std::uint32_t>(changes.paths.size());
    row.flags = read.flags[i];
    if (changes.is_bulk) row.flags |= kBulkCommit;
    if (changes.is_unknown) row.flags |= kUnknownChanges;
    row.weight = WeightOf(changes.paths.size(), row.flags);
    for (const std::string& path : changes.paths) tables.changes.push_back(number_of(path));
    for (const auto& [from, to] : changes.moves) {
      tables.moves.push_back({.commit = i, .from = number_of(from), .to = number_of(to)});
    }
    tables.commits.push_back(row);
  }
  return tables;
}

}  // namespace

Mirror HistoryRepository(const Mirror& mirror) { return Mirror(mirror.folder() / "history"); }

Result<std::size_t> RecordHistory(const HistoryWork& work, const Mirror& mirror,
                                  CommitCopies copies) {
  const Mirror repository = HistoryRepository(mirror);
  if (const Result<History> there = OpenHistory(mirror, work.commit);
      there.ok() && there->file.Check().ok()) {
    return there->file.commit_count();
  }
  std::optional<git::PackWriter> writer;
  std::shared_ptr<const git::ObjectDatabase> target;
  if (copies == CommitCopies::kMake) {
    target = SIBYL_TRY(repository.Open());
    writer = SIBYL_TRY(git::PackWriter::Create(repository.objects()));
  }
  const Read read = SIBYL_TRY(ReadHistory(work, mirror, writer ? &*writer : nullptr, target.get()));
  const HistoryTables tables = SIBYL_TRY(TablesOf(work, read));
  if (writer) SIBYL_TRY(writer->Finish());
  // Last: it says that the commits are here.
  SIBYL_TRY(WriteFileAtomically(FileOf(mirror, work.commit), FormatHistory(tables)));
  return tables.commits.size();
}

Result<History> OpenHistory(const Mirror& mirror, const git::ObjectId& commit) {
  const fs::path path = FileOf(mirror, commit);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = "the history is not in the store",
                 .hint = "'sibyl source sync' fetches it"};
  }
  HistoryFile file = SIBYL_TRY(HistoryFile::Open(path));
  if (file.tip() != commit || file.commit_count() == 0) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = "reading a history file: it is that of another commit"};
  }
  std::shared_ptr<const git::ObjectDatabase> objects = SIBYL_TRY(HistoryRepository(mirror).Open());
  return History{.file = std::move(file), .objects = std::move(objects)};
}

Result<CommitText> ReadCommitText(git::ObjectReader& reader, const git::ObjectId& commit) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
  const git::ObjectView view = reader.ReadVerified(commit, kMostBytes);
  const std::optional<git::Commit> parsed = view.ok() && view.type == git::ObjectType::kCommit
                                                ? git::ParseWholeCommit(view.bytes)
                                                : std::nullopt;
  if (!parsed) {
    const bool is_missing = view.state == git::ReadState::kMissing;
    return Error{.kind = is_missing ? ErrorKind::kNotFound : ErrorKind::kCorrupt,
                 .message = fmt::format("reading commit {}: {}", commit.Hex(),
                                        is_missing ? "it is not in the store" : "it is damaged")};
  }
  return CommitText{.author = std::string(parsed->author_view),
                    .time = parsed->time,
                    .message = std::string(parsed->message_view)};
}

}  // namespace sibyl::evidence
