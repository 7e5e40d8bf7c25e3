// SPDX-License-Identifier: Apache-2.0
#include "library/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/file_lock.h"
#include "base/files.h"
#include "library/carry_out.h"
#include "library/commit.h"
#include "library/delivery.h"
#include "library/intent.h"
#include "library/prepare.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPublishedFile = "published.json";

// One process at a time publishes into an oracle.
Result<FileLock> TakeTurn(const PublishOptions& options) {
  SIBYL_TRY(CreateFolders(options.oracle / ".sibyl"));
  Result<FileLock> lock =
      FileLock::Take(options.oracle / ".sibyl" / "publish.lock", options.patience);
  if (!lock.ok()) return While("publishing", std::move(lock).error());
  return lock;
}

// From the written intent to the end.
Result<Published> Finish(const Intent& intent, const PublishOptions& options, Disk& disk) {
  SIBYL_TRY(CarryOut(intent, options.oracle, disk));
  Committed committed = SIBYL_TRY(CommitPublication(intent, options, disk));
  Published published = intent.published;
  published.commit = std::move(committed.id);
  for (Finding& finding : committed.findings) published.findings.push_back(std::move(finding));
  SIBYL_TRY(disk.Write(options.oracle / ".sibyl" / kPublishedFile, FormatPublished(published)));
  const fs::path stage = StageOf(options.oracle, published.id);
  SIBYL_TRY(disk.Remove(stage / kIntentFile));
  SIBYL_TRY(disk.Remove(stage));
  return published;
}

std::vector<fs::path> Stages(const fs::path& oracle) {
  std::vector<fs::path> stages;
  std::error_code error;
  for (fs::directory_iterator entry(oracle / ".sibyl" / "stage", error), end;
       !error && entry != end; entry.increment(error)) {
    stages.push_back(entry->path());
  }
  std::sort(stages.begin(), stages.end());
  return stages;
}

Status FinishStages(const PublishOptions& options, Disk& disk) {
  for (const fs::path& stage : Stages(options.oracle)) {
    std::error_code ignored;
    if (!fs::exists(stage / kIntentFile, ignored)) {
      SIBYL_TRY(disk.Remove(stage));  // was never decided
      continue;
    }
    const std::string doing = fmt::format("finishing {}", (stage / kIntentFile).string());
    const std::string text = SIBYL_TRY(ReadFile(stage / kIntentFile));
    Result<Intent> intent = ParseIntent(text);
    if (!intent.ok() || stage.filename() != intent->published.id) {
      Error error = intent.ok() ? Error{.message = "it has another's id"} : intent.error();
      error.kind = ErrorKind::kCorrupt;
      error.hint = "move that folder away to go on without it";
      return While(doing, std::move(error));
    }
    const Standing standing = LookAt(*intent, options.oracle);
    if (!standing.conflict.ok()) return standing.conflict;
    const Result<Published> published = Finish(*intent, options, disk);
    if (!published.ok()) return published.error();
  }
  return {};
}

Result<std::optional<Published>> ReadFinished(const PublishOptions& options) {
  const fs::path path = options.oracle / ".sibyl" / kPublishedFile;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::optional<Published>();
  const std::string text = SIBYL_TRY(ReadFile(path));
  Result<Published> published = ParsePublished(text);
  // A note for the journal only: what it tells of is done either way.
  if (!published.ok()) return std::optional<Published>();
  return std::optional(*std::move(published));
}

Result<Published> PublishInTurn(const Deliveries& deliveries, const PublishOptions& options,
                                Disk& disk) {
  SIBYL_TRY(FinishStages(options, disk));
  std::optional<Published> finished = SIBYL_TRY(ReadFinished(options));
  const std::string id = PublicationId(deliveries, options.clock.WrittenNow());
  if (finished && finished->id == id) return *std::move(finished);
  Prepared prepared = SIBYL_TRY(Prepare(deliveries, options));
  for (Finding& finding : FindUncommitted(prepared.intent, options, disk)) {
    prepared.intent.published.findings.push_back(std::move(finding));
  }
  SIBYL_TRY(Stage(prepared, options.oracle, disk));
  // The last look before the first byte.
  const Standing standing = LookAt(prepared.intent, options.oracle);
  if (!standing.conflict.ok()) {
    SIBYL_TRY(disk.Remove(StageOf(options.oracle, id) / kIntentFile));
    SIBYL_TRY(disk.Remove(StageOf(options.oracle, id)));
    Error error = standing.conflict.error();
    error.kind = ErrorKind::kUsage;
    error.hint = "nothing was overwritten; run it again: parts that did not change are kept";
    return error;
  }
  return Finish(prepared.intent, options, disk);
}

}  // namespace

Result<Published> PublishDeliveries(const Deliveries& deliveries, const PublishOptions& options) {
  Disk real;
  const FileLock turn = SIBYL_TRY(TakeTurn(options));
  return PublishInTurn(deliveries, options, options.disk != nullptr ? *options.disk : real);
}

Result<Published> Publish(const Publication& publication, const PublishOptions& options) {
  Deliveries deliveries{
      .plan = publication.plan, .plan_text = publication.plan_text, .failed = publication.failed};
  for (const DeliveredPart& part : publication.delivered) {
    deliveries.delivered.push_back({.part = part.part,
                                    .draft = part.file.draft(),
                                    .citations = part.file.citations(),
                                    .writer = part.writer,
                                    .existing = part.existing});
  }
  return PublishDeliveries(deliveries, options);
}

Result<std::optional<Published>> FinishPending(const PublishOptions& options) {
  Disk real;
  Disk& disk = options.disk != nullptr ? *options.disk : real;
  const fs::path ours = options.oracle / ".sibyl";
  std::error_code ignored;
  // Reading an oracle must not write into it, nor need the right to.
  if (!fs::exists(ours / kPublishedFile, ignored) && Stages(options.oracle).empty()) {
    return std::optional<Published>();
  }
  const FileLock turn = SIBYL_TRY(TakeTurn(options));
  SIBYL_TRY(FinishStages(options, disk));
  return ReadFinished(options);
}

Status Forget(const PublishOptions& options) {
  Disk real;
  Disk& disk = options.disk != nullptr ? *options.disk : real;
  return disk.Remove(options.oracle / ".sibyl" / kPublishedFile);
}

}  // namespace sibyl::library
