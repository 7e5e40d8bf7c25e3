// SPDX-License-Identifier: Apache-2.0
#include "library/library.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/files/file_lock.h"
#include "library/carry_out.h"
#include "library/commit.h"
#include "library/intent.h"
#include "library/prepare.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPublishedFile = "published.json";
constexpr std::string_view kPublishedPurpose = "published";
// Larger than any record of ours.
constexpr std::size_t kLongestRecord = std::size_t{256} << 20;
constexpr std::string_view kUnfinished = "an unfinished publication";
constexpr std::string_view kFinished = "the record of a publication";

// One process at a time publishes into an oracle.
Result<FileLock> TakeTurn(const PublishOptions& options) {
  Result<FileLock> lock =
      FileLock::Take(options.own.root().Shown("publish.lock"), options.patience);
  if (!lock.ok()) return While("publishing", std::move(lock).error());
  return lock;
}

std::string PublishedPath() { return fmt::format("{}/{}", kOwnFolder, kPublishedFile); }

Status RemoveStage(std::string_view id, const PublishOptions& options, Disk& disk) {
  const fs::path stage = StageOf(id);
  SIBYL_TRY(disk.Remove(options.oracle(), stage / kIntentFile));
  return disk.Remove(options.oracle(), stage);
}

// From the written intent to the end.
Result<Published> Finish(const Intent& intent, const PublishOptions& options, Disk& disk) {
  SIBYL_TRY(CarryOut(intent, options.oracle(), disk));
  Committed committed = SIBYL_TRY(CommitPublication(intent, options, disk));
  Published published = intent.published;
  published.commit = std::move(committed.id);
  for (Finding& finding : committed.findings) published.findings.push_back(std::move(finding));
  if (!published.is_partial) {
    SIBYL_TRY(disk.Write(options.oracle(), PublishedPath(),
                         options.own.WithSignature(kPublishedPurpose, FormatPublished(published))));
  }
  SIBYL_TRY(RemoveStage(published.id, options, disk));
  return published;
}

std::vector<RootEntry> Stages(const OwnFolder& own) {
  auto stages = own.root().List(kStageFolder);
  return stages.ok() ? *std::move(stages) : std::vector<RootEntry>();
}

std::string InStage(const RootEntry& stage, std::string_view name = {}) {
  std::string path = fmt::format("{}/{}", kStageFolder, stage.name);
  if (!name.empty()) path += fmt::format("/{}", name);
  return path;
}

// The intent of a stage, when it is one of ours.
Result<std::optional<Intent>> ReadStage(const OwnFolder& own, const RootEntry& stage) {
  if (stage.kind != FileKind::kFolder) return std::optional<Intent>();
  const std::string bytes =
      SIBYL_TRY(own.root().Read(InStage(stage, kIntentFile), {.max_bytes = kLongestRecord}));
  const std::optional<std::string> text = own.Verified(kIntentPurpose, bytes);
  Result<Intent> intent = text ? ParseIntent(*text) : Result<Intent>(Error{});
  if (!intent.ok() || stage.name != intent->published.id) return std::optional<Intent>();
  return std::optional(*std::move(intent));
}

bool IsUndecided(const OwnFolder& own, const RootEntry& stage) {
  return stage.kind == FileKind::kFolder && !own.root().Exists(InStage(stage, kIntentFile));
}

Status FinishStages(const PublishOptions& options, Disk& disk, std::vector<Finding>& findings) {
  for (const RootEntry& stage : Stages(options.own)) {
    if (IsUndecided(options.own, stage)) {
      SIBYL_TRY(disk.Remove(options.oracle(), StageOf(stage.name)));
      continue;
    }
    const std::optional<Intent> intent = SIBYL_TRY(ReadStage(options.own, stage));
    if (!intent) {
      findings.push_back(MovedAside(kUnfinished, SIBYL_TRY(options.own.MoveAside(InStage(stage)))));
      continue;
    }
    SIBYL_TRY(CheckSteps(*intent, options.oracle()));
    const Result<Published> published = Finish(*intent, options, disk);
    if (!published.ok()) return published.error();
  }
  return {};
}

// The record of the last publication: nothing when there is none, or not ours.
Result<std::optional<Published>> ReadRecord(const OwnFolder& own) {
  const std::string bytes =
      SIBYL_TRY(own.root().Read(kPublishedFile, {.max_bytes = kLongestRecord}));
  const std::optional<std::string> text = own.Verified(kPublishedPurpose, bytes);
  Result<Published> published = text ? ParsePublished(*text) : Result<Published>(Error{});
  if (!published.ok()) return std::optional<Published>();
  return std::optional(*std::move(published));
}

Result<std::optional<Published>> ReadFinished(const OwnFolder& own,
                                              std::vector<Finding>& findings) {
  if (!own.root().Exists(kPublishedFile)) return std::optional<Published>();
  std::optional<Published> published = SIBYL_TRY(ReadRecord(own));
  if (!published) {
    findings.push_back(
        MovedAside(kFinished, SIBYL_TRY(own.MoveAside(std::string(kPublishedFile)))));
  }
  return published;
}

Result<Published> PublishInTurn(const Publication& publication, const PublishOptions& options,
                                Disk& disk) {
  std::vector<Finding> moved;
  SIBYL_TRY(FinishStages(options, disk, moved));
  std::optional<Published> finished = SIBYL_TRY(ReadFinished(options.own, moved));
  const std::string id = PublicationId(publication, options.clock.WrittenNow());
  if (finished && finished->id == id) return *std::move(finished);
  Prepared prepared = SIBYL_TRY(Prepare(publication, options));
  for (Finding& finding : moved) {
    prepared.intent.published.findings.push_back(std::move(finding));
  }
  for (Finding& finding : FindUncommitted(prepared.intent, options, disk)) {
    prepared.intent.published.findings.push_back(std::move(finding));
  }
  SIBYL_TRY(Stage(prepared, options.own, disk));
  // The last look before the first byte.
  if (Status conflict = CheckSteps(prepared.intent, options.oracle()); !conflict.ok()) {
    SIBYL_TRY(RemoveStage(id, options, disk));
    Error error = std::move(conflict).error();
    error.kind = ErrorKind::kUsage;
    error.hint = "nothing was overwritten; run it again: unchanged parts are kept";
    return error;
  }
  return Finish(prepared.intent, options, disk);
}

}  // namespace

Result<Published> Publish(const Publication& publication, const PublishOptions& options) {
  Disk real;
  const FileLock turn = SIBYL_TRY(TakeTurn(options));
  return PublishInTurn(publication, options, options.disk != nullptr ? *options.disk : real);
}

Result<Pending> FinishPending(const PublishOptions& options) {
  Disk real;
  Disk& disk = options.disk != nullptr ? *options.disk : real;
  Pending pending;
  if (!options.own.root().Exists(kPublishedFile) && Stages(options.own).empty()) return pending;
  const FileLock turn = SIBYL_TRY(TakeTurn(options));
  SIBYL_TRY(FinishStages(options, disk, pending.findings));
  pending.published = SIBYL_TRY(ReadFinished(options.own, pending.findings));
  return pending;
}

bool IsPending(const OwnFolder& own, std::string_view plan) {
  for (const RootEntry& stage : Stages(own)) {
    if (IsUndecided(own, stage)) continue;
    const Result<std::optional<Intent>> intent = ReadStage(own, stage);
    if (!intent.ok() || !*intent) continue;
    const Published& published = (*intent)->published;
    if (published.plan == plan || published.plan_now == plan) return true;
  }
  return false;
}

std::vector<Finding> FindForeignPublications(const OwnFolder& own) {
  std::vector<Finding> findings;
  for (const RootEntry& stage : Stages(own)) {
    if (IsUndecided(own, stage)) continue;
    const auto intent = ReadStage(own, stage);
    if (intent.ok() && !*intent) {
      findings.push_back(NotOurs(kUnfinished, fmt::format("{}/{}", kOwnFolder, InStage(stage))));
    }
  }
  if (!own.root().Exists(kPublishedFile)) return findings;
  const auto record = ReadRecord(own);
  if (record.ok() && !*record) findings.push_back(NotOurs(kFinished, PublishedPath()));
  return findings;
}

Status Forget(const PublishOptions& options) {
  Disk real;
  Disk& disk = options.disk != nullptr ? *options.disk : real;
  return disk.Remove(options.oracle(), PublishedPath());
}

}  // namespace sibyl::library
