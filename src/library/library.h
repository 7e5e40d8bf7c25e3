// SPDX-License-Identifier: Apache-2.0
// Start here: publishes verified pages into the oracle. A publication is
// prepared in memory, staged, recorded as one intent, and executed in
// idempotent steps. So after a kill the next process finishes it, and the
// oracle gets all of it, in one commit.
//
// docs/formats/oracle.md describes the files; docs/decisions/0031 the intent.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files/own_folder.h"
#include "base/files/root.h"
#include "base/finding.h"
#include "base/result.h"
#include "gate/verified.h"
#include "library/disk.h"

namespace sibyl::library {

/// What to do about a file that is there already.
enum class ExistingFile : std::uint8_t {
  kRefuse,
  kReplace,  ///< The part is done again on purpose.
};

struct DeliveredPart {
  std::size_t part = 0;  ///< Its place in Plan::parts.
  gate::Verified file;
  std::string writer = "extract";
  ExistingFile existing = ExistingFile::kRefuse;
};

struct FailedPart {
  std::size_t part = 0;
  std::string reason;
  std::vector<draft::Omission> omissions = {};  ///< What was written for it.
};

struct Publication {
  std::string plan;       ///< Its path in the oracle: "_ingest-auto/expansion-x/ingestion.md".
  std::string plan_text;  ///< As read at the start of the run.
  std::vector<DeliveredPart> delivered;
  std::vector<FailedPart> failed;
  bool is_partial = false;  ///< Other parts are still being written: the run stays open.
  /// Published pages are replaced by revised ones.
  bool is_revision = false;
  /// The first line of the commit message; empty: one with the counts.
  std::string message = {};
};

struct PublishedFile {
  int part = 0;  ///< Its number in the plan.
  std::string path;
  std::string drop;  ///< Where its summary is now.
  std::size_t lines = 0;
  std::size_t citations = 0;
  std::size_t points = 0;
  std::size_t covered = 0;
};

struct FailedNote {
  int part = 0;
  std::string reason;
};

struct Published {
  std::string id;        ///< Named in the commit: the same content, the same id.
  std::string plan;      ///< Where the plan was.
  std::string plan_now;  ///< Where it is.
  std::vector<PublishedFile> files;
  std::vector<FailedNote> failed;
  std::string commit;             ///< Empty if there is none; a note says why.
  std::vector<Finding> findings;  ///< Notes and warnings; nothing that stops.
  bool is_partial = false;        ///< As in the Publication.
};

/// For the journal, and back.
std::string FormatPublished(const Published& published);
Result<Published> ParsePublished(std::string_view text);

enum class Committing : std::uint8_t { kCommit, kLeave };

struct PublishOptions {
  const OwnFolder& own;  ///< Of the oracle to publish into. Borrowed.
  const Clock& clock;
  Committing committing = Committing::kCommit;
  /// How long to wait for another publishing process, or for git's index lock.
  std::chrono::milliseconds patience{30'000};
  Disk* disk = nullptr;  ///< Null is the real one. Borrowed.

  const Root& oracle() const { return own.oracle(); }
};

/// Whether a file may be published under this path: inside the oracle, not in a
/// reserved place, with a free number. The hint names the next free number.
/// Call it before the work is done; Publish checks again.
Status CheckTarget(const Root& oracle, std::string_view path, ExistingFile existing);
Status CheckTarget(const std::filesystem::path& oracle, std::string_view path,
                   ExistingFile existing);

/// Publishes. A partial publication leaves the plan where it is and needs no
/// acknowledgement: the plan itself says which parts are done. If this returns kUsage or kCorrupt,
/// nothing was changed: a target exists, the plan was edited, or a managed block is damaged. After
/// any other Error (a full disk, a refusing commit hook) the intent may have been recorded, and
/// FinishPending, in this process or another, completes it.
Result<Published> Publish(const Publication& publication, const PublishOptions& options);

struct Pending {
  std::optional<Published> published;  ///< Nothing: there was none.
  std::vector<Finding> findings;       ///< Files that were moved aside (base/files/own_folder.h).
};

/// Finishes a publication that an earlier process started, and returns it; also
/// one that is finished but not yet acknowledged. One without a valid signature
/// is moved aside and never executed. Call it before reading a plan, since the
/// plan may be about to move.
Result<Pending> FinishPending(const PublishOptions& options);

/// Whether a publication of this plan (its old or its new path) was started and
/// not finished; for operations that only read.
bool IsPending(const OwnFolder& own, std::string_view plan);

/// Lists what FinishPending would move aside; for operations that only read.
std::vector<Finding> FindForeignPublications(const OwnFolder& own);

/// Acknowledges that the publication is in the journal of the run.
Status Forget(const PublishOptions& options);

}  // namespace sibyl::library
