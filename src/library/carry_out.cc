// SPDX-License-Identifier: Apache-2.0
#include "library/carry_out.h"

#include <fmt/format.h>

#include <system_error>

#include "base/files.h"
#include "base/hash.h"
#include "library/blocks.h"
#include "library/oracle_paths.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Empty when there is no such file.
Result<std::string> HashOf(const fs::path& path) {
  if (!Exists(path)) return std::string();
  const std::string bytes = SIBYL_TRY(ReadFile(path));
  return Sha256(bytes);
}

// The move comes last and takes along what earlier steps wrote: when it is
// done, so are they.
bool WasMoved(const Intent& intent, const fs::path& oracle, const Step& step) {
  for (const Step& move : intent.steps) {
    if (move.kind != StepKind::kMoveFolder || Exists(oracle / move.from)) continue;
    const bool is_inside = step.path.starts_with(move.from + "/");
    if (Exists(oracle / move.path) && (&step == &move || is_inside)) return true;
  }
  return false;
}

Error Changed(const Intent& intent, const Step& step) {
  return Error{
      .kind = ErrorKind::kUnavailable,
      .message =
          fmt::format("publishing {}: the file was changed by somebody else meanwhile", step.path),
      .hint = fmt::format("nothing of it was overwritten; put it back as it was and run again, or "
                          "remove .sibyl/stage/{} to give the rest of this publication up",
                          intent.published.id)};
}

Error Incomplete(const Intent& intent, const Step& step) {
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("publishing {}: its text is not in .sibyl/stage/{} any more",
                                      step.path, intent.published.id),
               .hint = "remove that folder and run the plan again"};
}

Status WriteFileStep(const Intent& intent, const Step& step, const fs::path& oracle, Disk& disk) {
  const fs::path target = SIBYL_TRY(SafePath(oracle, step.path));
  const std::string now = SIBYL_TRY(HashOf(target));
  if (now == step.after) return {};
  if (now != step.before) return Changed(intent, step);
  const fs::path staged = StageOf(oracle, intent.published.id) / step.staged;
  const std::string staged_hash = SIBYL_TRY(HashOf(staged));
  if (staged_hash != step.after) return Incomplete(intent, step);
  if (!Exists(target.parent_path())) SIBYL_TRY(disk.MakeFolders(target.parent_path()));
  return disk.MoveFile(staged, target);
}

Status WriteBlockStep(const Intent& intent, const Step& step, const fs::path& oracle, Disk& disk) {
  const fs::path target = SIBYL_TRY(SafePath(oracle, step.path));
  const fs::path stage = StageOf(oracle, intent.published.id);
  const Result<std::string> content = ReadFile(stage / step.staged);
  if (!content.ok() || Sha256(*content) != step.after) return Incomplete(intent, step);
  std::string text;
  if (Exists(target)) text = SIBYL_TRY(ReadFile(target));
  const std::string replaced = SIBYL_TRY(ReplaceBlock(step.path, text, step.block, *content));
  if (replaced == text && !text.empty()) return {};
  const fs::path page = stage / (step.staged + "-page");
  SIBYL_TRY(disk.Write(page, replaced));
  return disk.MoveFile(page, target);
}

Status MoveFolderStep(const Step& step, const fs::path& oracle, Disk& disk) {
  const fs::path from = SIBYL_TRY(SafePath(oracle, step.from));
  const fs::path to = SIBYL_TRY(SafePath(oracle, step.path));
  if (!Exists(to.parent_path())) SIBYL_TRY(disk.MakeFolders(to.parent_path()));
  return disk.MoveFolder(from, to);
}

}  // namespace

fs::path StageOf(const fs::path& oracle, std::string_view id) {
  return oracle / ".sibyl" / "stage" / std::string(id);
}

Status Stage(const Prepared& prepared, const fs::path& oracle, Disk& disk) {
  const fs::path stage = StageOf(oracle, prepared.intent.published.id);
  if (Exists(stage)) SIBYL_TRY(disk.Remove(stage));  // left by one that was killed
  SIBYL_TRY(disk.MakeFolders(stage));
  for (std::size_t i = 0; i < prepared.staged.size(); ++i) {
    SIBYL_TRY(disk.Write(stage / std::to_string(i), prepared.staged[i]));
  }
  SIBYL_TRY(disk.Write(stage / kMessageFile, prepared.intent.message));
  return disk.Write(stage / kIntentFile, FormatIntent(prepared.intent));
}

Standing LookAt(const Intent& intent, const fs::path& oracle) {
  Standing standing;
  for (const Step& step : intent.steps) {
    if (WasMoved(intent, oracle, step)) {
      standing.has_begun = true;
      continue;
    }
    if (step.kind != StepKind::kFile) continue;
    const Result<std::string> now = HashOf(oracle / step.path);
    if (!now.ok()) {
      standing.conflict = now.error();
    } else if (*now == step.after) {
      standing.has_begun = true;
    } else if (*now != step.before) {
      standing.conflict = Changed(intent, step);
    }
  }
  return standing;
}

Status CarryOut(const Intent& intent, const fs::path& oracle, Disk& disk) {
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
    }
  }
  return {};
}

}  // namespace sibyl::library
