// SPDX-License-Identifier: Apache-2.0
#include "index_builds.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "evidence/look_up.h"
#include "evidence/snapshot.h"
#include "folder_source.h"
#include "git/repository.h"
#include "index/builder/index_builder.h"
#include "oracle/snapshot_documents.h"
#include "peers.h"

namespace sibyl::bench {
namespace {

namespace fs = std::filesystem;

void Build(index::DocumentSource& source, const fs::path& folder, const fs::path& manifest,
           const fs::path& previous, std::size_t threads) {
  const Result<index::BuildReport> report =
      index::BuildIndex(source, {.segment_folder = folder,
                                 .manifest = manifest,
                                 .fingerprint = "bench",
                                 .previous = previous,
                                 .limits = {.threads = threads}});
  if (!report.ok()) std::abort();
}

void DeleteSegments(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".segment") fs::remove(entry.path());
  }
}

void Add(const std::string& name, const ProcessCost& cost, BuildTables& tables) {
  if (cost.wall_s < 0) return;
  tables.wall_s[name].Add(cost.wall_s);
  tables.cpu_s[name].Add(cost.cpu_s);
  tables.peak_mb[name].Add(cost.peak_mb);
}

/// One file in a hundred has another text.
class ChangedSource : public FolderSource {
 public:
  explicit ChangedSource(const fs::path& folder) : FolderSource(folder) {}

  const index::DocumentKey& key(std::size_t item) const override {
    if (item % 100 != 0) return FolderSource::key(item);
    changed_ = FolderSource::key(item);
    changed_.blob.bytes[19] = static_cast<std::uint8_t>(changed_.blob.bytes[19] ^ 1);
    return changed_;
  }
  Result<index::Loaded> Load(std::size_t item, index::Document& document) override {
    Result<index::Loaded> loaded = FolderSource::Load(item, document);
    if (item % 100 == 0) document.text += "\nchanged\n";
    return loaded;
  }

 private:
  static thread_local index::DocumentKey changed_;
};

thread_local index::DocumentKey ChangedSource::changed_;

/// The same files again and again, in other folders. Makes their names when asked: to
/// keep them would be most of the memory that is measured.
class RepeatedSource : public FolderSource {
 public:
  RepeatedSource(const fs::path& folder, std::size_t times) : FolderSource(folder), times_(times) {}

  std::size_t size() const override { return times_ * FolderSource::size(); }
  const index::DocumentKey& key(std::size_t item) const override {
    static thread_local std::size_t made_item = 0;
    static thread_local index::DocumentKey made;
    if (made.path.empty() || made_item != item) {
      made = FolderSource::key(item % FolderSource::size());
      made.path.insert(0, "copy" + std::to_string(item / FolderSource::size()) + "/");
      made_item = item;
    }
    return made;
  }
  Result<index::Loaded> Load(std::size_t item, index::Document& document) override {
    return FolderSource::Load(item % FolderSource::size(), document);
  }

 private:
  std::size_t times_;
};

evidence::Snapshot HeadOf(const fs::path& folder) {
  const Result<git::Repository> repository = git::Repository::Open(folder);
  if (!repository.ok()) std::abort();
  const Result<git::ObjectId> commit = repository->ResolveCommit("HEAD");
  if (!commit.ok()) std::abort();
  git::ObjectReader reader(*repository->objects());
  const std::optional<git::ObjectId> tree = evidence::TreeOf(reader, *commit);
  if (!tree) std::abort();
  Result<evidence::Snapshot> snapshot =
      evidence::Snapshot::List(repository->objects(), *tree, evidence::SourceFilter{});
  if (!snapshot.ok()) std::abort();
  return std::move(snapshot).value();
}

fs::path BlobList(const IndexCorpus& corpus, std::size_t repository) {
  return corpus.work / ("blobs" + std::to_string(repository) + ".txt");
}

// What a build reads: all blobs within the size limit, binary ones too.
void WriteBlobLists(const IndexCorpus& corpus) {
  for (std::size_t i = 0; i < corpus.repositories.size(); ++i) {
    if (fs::exists(BlobList(corpus, i))) continue;
    const evidence::Snapshot snapshot = HeadOf(corpus.repositories[i]);
    const evidence::ScanReport report = snapshot.Scan({}, [](const evidence::ScannedFile&) {});
    std::ofstream list(BlobList(corpus, i));
    for (std::size_t k = 0; k < report.skips.size(); ++k) {
      const evidence::SkipReason reason = report.skips[k];
      if (reason != evidence::SkipReason::kNone && reason != evidence::SkipReason::kBinary)
        continue;
      list << snapshot.files()[k].blob.Hex() << "\n";
    }
  }
}

}  // namespace

void MeasureBuilds(const IndexCorpus& corpus, BuildTables& tables) {
  const auto build_peer = [&](const std::unique_ptr<Peer>& peer) {
    if (peer == nullptr) return;
    Add(std::string(peer->name()), RunInChild([&] {
          FolderSource source(corpus.folder);
          peer->Build(source, corpus.work);
        }),
        tables);
  };
  for (const std::size_t threads : {std::size_t{1}, std::size_t{0}}) {
    DeleteSegments(corpus.work);
    Add(threads == 1 ? "sibyl, one thread" : "sibyl", RunInChild([&] {
          FolderSource source(corpus.folder);
          Build(source, corpus.work, corpus.manifest(), {}, threads);
        }),
        tables);
  }
  Add("cindex", RunProgram({"cindex", "-reset", corpus.folder.string()}), tables);
  build_peer(MakeFts5());
  // Once is enough: it takes longer than all others together.
  if (corpus.builds_xapian && tables.wall_s.count("xapian") == 0) build_peer(MakeXapian());
}

void MeasurePackBuilds(const IndexCorpus& corpus, BuildTables& tables) {
  if (corpus.repositories.empty()) return;
  WriteBlobLists(corpus);
  const fs::path folder = corpus.work / "packs";
  fs::create_directories(folder);
  DeleteSegments(folder);
  Add("sibyl, from packs", RunInChild([&] {
        for (const fs::path& repository : corpus.repositories) {
          const evidence::Snapshot snapshot = HeadOf(repository);
          oracle::SnapshotDocuments source(snapshot);
          Build(source, folder, folder / "manifest.json", {}, 0);
        }
      }),
      tables);
  std::string script;
  for (std::size_t i = 0; i < corpus.repositories.size(); ++i) {
    script += "git -C '" + corpus.repositories[i].string() + "' cat-file --batch < '" +
              BlobList(corpus, i).string() + "' > /dev/null || exit 1; ";
  }
  Add("git cat-file --batch", RunProgram({"sh", "-c", script}), tables);
}

void MeasureReuse(const IndexCorpus& corpus, BuildTables& tables) {
  const fs::path folder = corpus.work / "reuse";
  fs::create_directories(folder);
  DeleteSegments(folder);
  const auto measure = [&](const std::string& name, FolderSource& source,
                           const fs::path& previous) {
    source.ComputeBlobIds();  // what a real source knows
    Add(name, RunInChild([&] { Build(source, folder, folder / "manifest.json", previous, 0); }),
        tables);
  };
  FolderSource source(corpus.folder);
  measure("sibyl, known blobs", source, {});
  ChangedSource changed(corpus.folder);
  measure("sibyl, 1 % changed", changed, folder / "manifest.json");
}

void MeasureScale(const IndexCorpus& corpus, std::size_t times, BuildTables& tables) {
  const fs::path folder = corpus.work / "scale";
  fs::create_directories(folder);
  DeleteSegments(folder);
  Add("sibyl, corpus x " + std::to_string(times), RunInChild([&] {
        RepeatedSource source(corpus.folder, times);
        Build(source, folder, folder / "manifest.json", {}, 0);
      }),
      tables);
  DeleteSegments(folder);
}

IndexSizes MeasureSizes(const IndexCorpus& corpus) {
  const Result<index::Index> opened = index::Index::Open(corpus.manifest(), corpus.work, "corpus");
  if (!opened.ok()) std::abort();
  IndexSizes sizes;
  for (const index::Index::Part& part : opened->parts()) {
    const std::uint64_t packed = part.segment.section(index::Section::kText).size();
    sizes.text += part.segment.header().text_bytes;
    sizes.packed_text += packed;
    sizes.index += part.segment.header().file_bytes - packed;
  }
  return sizes;
}

}  // namespace sibyl::bench
