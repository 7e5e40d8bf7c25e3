// SPDX-License-Identifier: Apache-2.0
#include "library/carry_out.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.h"
#include "library/blocks.h"
#include "library/oracle_paths.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

// Empty when there is no such file.
Result<std::string> HashOf(const Root& oracle, const std::string& path) {
  if (!oracle.Exists(path)) return std::string();
  const std::string bytes = SIBYL_TRY(oracle.Read(path));
  return Sha256(bytes);
}

// The move is last and includes what earlier steps wrote: if it is done, so are
// they.
bool WasMoved(const Intent& intent, const Root& oracle, const Step& step) {
  for (const Step& move : intent.steps) {
    if (!IsMove(move.kind) || oracle.Exists(move.from)) continue;
    const bool is_moved = step.path == move.from || step.path.starts_with(move.from + "/");
    if (oracle.Exists(move.path) && (&step == &move || is_moved)) return true;
  }
  return false;
}

Error Changed(const Intent& intent, const Step& step) {
  return Error{
      .kind = ErrorKind::kUnavailable,
      .message = fmt::format("publishing {}: the file was changed in the meantime", step.path),
      .hint = fmt::format("nothing was overwritten; restore the file and run again, or remove "
                          ".sibyl/stage/{} to abandon the rest of this publication",
                          intent.published.id)};
}

Error Incomplete(const Intent& intent, const Step& step) {
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("publishing {}: its text is no longer in .sibyl/stage/{}",
                                      step.path, intent.published.id),
               .hint = "remove that folder and run the plan again"};
}

Status MakeParent(const std::string& path, const Root& oracle, Disk& disk) {
  const fs::path parent = fs::path(path).parent_path();
  if (parent.empty() || oracle.Exists(parent)) return {};
  return disk.MakeFolders(oracle, parent);
}

Status WriteFileStep(const Intent& intent, const Step& step, const Root& oracle, Disk& disk) {
  SIBYL_TRY(CheckPath(oracle, step.path));
  const std::string now = SIBYL_TRY(HashOf(oracle, step.path));
  if (now == step.after) return {};
  if (now != step.before) return Changed(intent, step);
  const std::string staged = StageOf(intent.published.id) + "/" + step.staged;
  const std::string staged_hash = SIBYL_TRY(HashOf(oracle, staged));
  if (staged_hash != step.after) return Incomplete(intent, step);
  SIBYL_TRY(MakeParent(step.path, oracle, disk));
  return disk.MoveFile(oracle, staged, step.path);
}

Status WriteBlockStep(const Intent& intent, const Step& step, const Root& oracle, Disk& disk) {
  SIBYL_TRY(CheckPath(oracle, step.path));
  const std::string staged = StageOf(intent.published.id) + "/" + step.staged;
  const Result<std::string> content = oracle.Read(staged);
  if (!content.ok() || Sha256(*content) != step.after) return Incomplete(intent, step);
  std::string text;
  if (oracle.Exists(step.path)) text = SIBYL_TRY(oracle.Read(step.path));
  const std::string replaced = SIBYL_TRY(ReplaceBlock(step.path, text, step.block, *content));
  if (replaced == text && !text.empty()) return {};
  const std::string page = staged + "-page";
  SIBYL_TRY(disk.Write(oracle, page, replaced));
  return disk.MoveFile(oracle, page, step.path);
}

Status MoveFolderStep(const Step& step, const Root& oracle, Disk& disk) {
  SIBYL_TRY(CheckPath(oracle, step.from, Wanted::kFolder));
  SIBYL_TRY(CheckPath(oracle, step.path, Wanted::kFolder));
  SIBYL_TRY(MakeParent(step.path, oracle, disk));
  return disk.MoveFolder(oracle, step.from, step.path);
}

Status MoveFileStep(const Intent& intent, const Step& step, const Root& oracle, Disk& disk) {
  SIBYL_TRY(CheckPath(oracle, step.from));
  SIBYL_TRY(CheckPath(oracle, step.path));
  if (oracle.Exists(step.path)) return Changed(intent, step);
  SIBYL_TRY(MakeParent(step.path, oracle, disk));
  return disk.MoveFile(oracle, step.from, step.path);
}

}  // namespace

std::string StageOf(std::string_view id) {
  return fmt::format("{}/{}/{}", kOwnFolder, kStageFolder, id);
}

Status Stage(const Prepared& prepared, const OwnFolder& own, Disk& disk) {
  const Root& oracle = own.oracle();
  const fs::path stage = StageOf(prepared.intent.published.id);
  if (oracle.Exists(stage)) SIBYL_TRY(disk.Remove(oracle, stage));  // of a run that was killed
  SIBYL_TRY(disk.MakeFolders(oracle, stage));
  for (std::size_t i = 0; i < prepared.staged.size(); ++i) {
    SIBYL_TRY(disk.Write(oracle, stage / std::to_string(i), prepared.staged[i]));
  }
  SIBYL_TRY(disk.Write(oracle, stage / kMessageFile, prepared.intent.message));
  return disk.Write(oracle, stage / kIntentFile,
                    own.WithSignature(kIntentPurpose, FormatIntent(prepared.intent)));
}

Status CheckSteps(const Intent& intent, const Root& oracle) {
  Status conflict;
  for (const Step& step : intent.steps) {
    if (step.kind != StepKind::kFile || WasMoved(intent, oracle, step)) continue;
    const Result<std::string> now = HashOf(oracle, step.path);
    if (!now.ok()) {
      conflict = now.error();
    } else if (*now != step.after && *now != step.before) {
      conflict = Changed(intent, step);
    }
  }
  return conflict;
}

Status CarryOut(const Intent& intent, const Root& oracle, Disk& disk) {
  for (const Step& step : intent.steps) {
    if (WasMoved(intent, oracle, step)) continue;
    switch (step.kind) {
      case StepKind::kFile:
        SIBYL_TRY(WriteFileStep(intent, step, oracle, disk));
        break;
      case StepKind::kBlock:
        SIBYL_TRY(WriteBlockStep(intent, step, oracle, disk));
        break;
      case StepKind::kMoveFolder:
        SIBYL_TRY(MoveFolderStep(step, oracle, disk));
        break;
      case StepKind::kMoveFile:
        SIBYL_TRY(MoveFileStep(intent, step, oracle, disk));
        break;
    }
  }
  return {};
}

}  // namespace sibyl::library
