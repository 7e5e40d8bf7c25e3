// SPDX-License-Identifier: Apache-2.0
// Start here: puts what was verified into the oracle. A publication is prepared
// in memory, staged, written down as one intent, and carried out step by step;
// each step can be repeated. So whoever is killed in between, the next one
// finishes it, and the oracle has all of it, in one commit.
//
// docs/formats/oracle.md describes what is written; docs/decisions/0031 the
// intent.
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
};

struct Publication {
  std::string plan;       ///< Its path in the oracle: "_ingest-auto/expansion-x/ingestion.md".
  std::string plan_text;  ///< As it was read when the run began.
  std::vector<DeliveredPart> delivered;
  std::vector<FailedPart> failed;
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
  std::string commit;             ///< Empty when none was made; a note says why.
  std::vector<Finding> findings;  ///< Notes and warnings; nothing that stops.
};

/// For the journal, and back.
std::string FormatPublished(const Published& published);
Result<Published> ParsePublished(std::string_view text);

enum class Committing : std::uint8_t { kCommit, kLeave };

struct PublishOptions {
  const OwnFolder& own;  ///< Of the oracle to publish into. Borrowed.
  const Clock& clock;
  Committing committing = Committing::kCommit;
  /// How long to wait for another process that publishes here, or for a git
  /// that holds the index.
  std::chrono::milliseconds patience{30'000};
  Disk* disk = nullptr;  ///< Null is the real one. Borrowed.

  const Root& oracle() const { return own.oracle(); }
};

/// Whether a file may be published under this path: inside the oracle, not
/// where we keep our own things, its number free. The hint names the next free
/// number. To be asked before the work is done; Publish asks again.
Status CheckTarget(const Root& oracle, std::string_view path, ExistingFile existing);
Status CheckTarget(const std::filesystem::path& oracle, std::string_view path,
                   ExistingFile existing);

/// Publishes. When this returns an Error of kUsage or kCorrupt, nothing was
/// touched: a target that is taken, a plan that was edited meanwhile, a page
/// whose managed block is damaged. After any other Error (a full disk, a commit
/// hook that refuses) the publication may have been written down, and
/// FinishPending, in this process or another, goes on with it.
Result<Published> Publish(const Publication& publication, const PublishOptions& options);

struct Pending {
  std::optional<Published> published;  ///< Nothing: there was none.
  std::vector<Finding> findings;       ///< What was moved aside (base/files/own_folder.h).
};

/// Finishes what an earlier process began, and gives it; also what was finished
/// and not yet forgotten. A publication that does not carry our signature is
/// moved aside and never carried out. To be called before a plan is read, since
/// the plan may be about to move.
Result<Pending> FinishPending(const PublishOptions& options);

/// What FinishPending would move aside; for operations that only read.
std::vector<Finding> FindForeignPublications(const OwnFolder& own);

/// The publication is in the journal of the run; it need not be told again.
Status Forget(const PublishOptions& options);

}  // namespace sibyl::library
