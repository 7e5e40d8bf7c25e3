// SPDX-License-Identifier: Apache-2.0
#include "evidence/evidence.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "base/files/files.h"
#include "evidence/folder_snapshot.h"
#include "evidence/test_oracle.h"
#include "git/object_database.h"
#include "git/repository.h"
#include "git/test_git.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

// Every text of a pin, by path.
std::map<std::string, std::string> Texts(const Pin& pin, const Surroundings& around,
                                         ScanReport* report = nullptr) {
  std::map<std::string, std::string> texts;
  const Result<Snapshot> snapshot = OpenSnapshot(pin, around);
  EXPECT_TRUE(snapshot.ok()) << (snapshot.ok() ? "" : snapshot.error().message);
  if (!snapshot.ok()) return texts;
  std::mutex mutex;
  const ScanReport scan = snapshot->Scan({.threads = 2}, [&](const ScannedFile& file) {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(snapshot->files()[file.number].path, file.path);
    texts[std::string(file.path)] = file.text;
  });
  if (report != nullptr) *report = scan;
  return texts;
}

std::size_t CountOf(const ScanReport& report, SkipReason reason) {
  return report.counts[static_cast<std::size_t>(reason)];
}

SourceSpec GitSpec(const std::string& name, const fs::path& origin, std::string ref = {}) {
  return {.name = name, .kind = SourceKind::kGit, .origin = origin.string(), .ref = std::move(ref)};
}

TEST(Sources, AreAddedListedMovedAndForgotten) {
  const TestOracle oracle;
  const git::TestGit git(oracle.folder() / "gadget");
  git.Write("a.c", "one\ntwo\nthree\n");
  git.Write("docs/b.md", "# b\n");
  const std::string first = git.Commit();
  const Surroundings around = oracle.around();

  const Result<SourceChange> added = AddSource(GitSpec("gadget", git.folder(), "main"), around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(added->pin.commit->Hex(), first);
  EXPECT_EQ(added->pin.date, "2026-01-02T03:04:05Z");
  EXPECT_TRUE(added->Moved());
  EXPECT_EQ(Texts(added->pin, around), (std::map<std::string, std::string>{
                                           {"a.c", "one\ntwo\nthree\n"}, {"docs/b.md", "# b\n"}}));
  EXPECT_FALSE(AddSource(GitSpec("gadget", git.folder()), around).ok());

  git.Write("a.c", "zero\none\ntwo\nthree\n");
  git.Write("new.c", "new\n");
  fs::remove(git.folder() / "docs" / "b.md");
  const std::string second = git.Commit();
  const Result<SourceChange> moved = SyncSource("gadget", around);
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  EXPECT_EQ(moved->pin.commit->Hex(), second);
  ASSERT_TRUE(moved->changes);
  EXPECT_EQ(moved->changes->examples,
            (std::vector<std::string>{"~ a.c", "- docs/b.md", "+ new.c"}));
  EXPECT_FALSE(SyncSource("gadget", around)->Moved());
  EXPECT_NE(SyncSource("gadgte", around).error().hint.find("gadget"), std::string::npos);

  const Result<SourceList> list = ListSources(around);
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->sources.size(), 1u);
  EXPECT_TRUE(list->sources[0].agrees);
  EXPECT_TRUE(list->sources[0].present);

  ASSERT_TRUE(ForgetSource("gadget", around).ok());
  EXPECT_TRUE(ListSources(around)->sources.empty());
  EXPECT_TRUE(ReadLock(around)->pins.empty());
  EXPECT_EQ(*ReadFile(oracle.oracle() / "sibyl.toml"), "");
}

TEST(Sources, KeepTheirPinWhateverTheOriginDoesLater) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  Pin pin;
  {
    const git::TestGit git(oracle.folder() / "gone");
    git.Write("a.txt", "kept\n");
    git.Commit();
    pin = AddSource(GitSpec("gone", git.folder()), around)->pin;
    fs::remove_all(git.folder());
  }
  EXPECT_EQ(Texts(pin, around).at("a.txt"), "kept\n");
  EXPECT_EQ(SyncSource("gone", around).error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(ReadLock(around)->Find("gone") != nullptr);
}

TEST(Sources, CanBeRestoredWhenTheStoreIsDeleted) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  const git::TestGit git(oracle.folder() / "r");
  git.Write("a.txt", "old\n");
  git.Commit();
  const Pin pin = AddSource(GitSpec("r", git.folder()), around)->pin;
  git.Write("a.txt", "new\n");
  git.Commit();
  fs::remove_all(around.store.folder());
  EXPECT_EQ(OpenSnapshot(pin, around).error().kind, ErrorKind::kNotFound);
  const Status restored = RestoreSource(pin, around);
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(Texts(pin, around).at("a.txt"), "old\n");
}

TEST(Sources, SayWhatIsWrongWithARepository) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  const git::TestGit empty(oracle.folder() / "empty");
  EXPECT_NE(AddSource(GitSpec("e", empty.folder()), around).error().message.find("no commits yet"),
            std::string::npos);
  EXPECT_NE(AddSource(GitSpec("n", oracle.folder() / "nowhere"), around)
                .error()
                .message.find("no such folder"),
            std::string::npos);
  EXPECT_NE(AddSource(GitSpec("p", oracle.oracle()), around).error().hint.find("folder"),
            std::string::npos);
  const git::TestGit git(oracle.folder() / "r");
  git.Commit();
  const Error unknown = AddSource(GitSpec("u", git.folder(), "v9"), around).error();
  EXPECT_EQ(unknown.kind, ErrorKind::kNotFound);
  EXPECT_NE(unknown.message.find("unknown ref 'v9'"), std::string::npos);
  const Error unreachable = AddSource(GitSpec("x", "git://127.0.0.1:1/r"), around).error();
  EXPECT_EQ(unreachable.kind, ErrorKind::kUnavailable);
  // A failure leaves no trace in the oracle.
  EXPECT_FALSE(fs::exists(oracle.oracle() / "sibyl.toml"));
  EXPECT_FALSE(fs::exists(oracle.oracle() / "sibyl.lock"));
}

TEST(Sources, ResolveBranchesTagsAndCommits) {
  const TestOracle oracle;
  const git::TestGit git(oracle.folder() / "r");
  const std::string first = git.Commit("one");
  git.Run({"tag", "-a", "v1", "-m", "first"});
  git.Run({"branch", "side"});
  const std::string second = git.Commit("two");
  for (const bool packed : {false, true}) {
    if (packed) {
      git.Run({"pack-refs", "--all"});
      git.Run({"repack", "-adq"});
    }
    const Result<git::Repository> repository = git::Repository::Open(git.folder());
    ASSERT_TRUE(repository.ok());
    EXPECT_EQ(repository->ResolveCommit("")->Hex(), second);
    EXPECT_EQ(repository->ResolveCommit("main")->Hex(), second);
    EXPECT_EQ(repository->ResolveCommit("v1")->Hex(), first);
    EXPECT_EQ(repository->ResolveCommit("refs/heads/side")->Hex(), first);
    EXPECT_EQ(repository->ResolveCommit(first)->Hex(), first);
    EXPECT_EQ(repository->ResolveCommit(first.substr(0, 9))->Hex(), first);
    EXPECT_FALSE(repository->ResolveCommit("config").ok());
    EXPECT_FALSE(repository->ResolveCommit("../../etc/passwd").ok());
    EXPECT_FALSE(repository->ResolveCommit("ain").ok());
  }
  git.Run({"worktree", "add", "-q", "../linked", "side"});
  EXPECT_EQ(git::Repository::Open(oracle.folder() / "linked")->ResolveCommit("HEAD")->Hex(), first);
}

TEST(Snapshots, RecordWhyAFileIsNotRead) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  const git::TestGit git(oracle.folder() / "r");
  git.Write("text.c", "x\n");
  git.Write("binary.bin", std::string_view("a\0b", 3));
  git.Write("pointer.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n");
  git.Write("big.txt", std::string(50000, 'x'));
  git.Write("minified.js", "x\n" + std::string(20000, 'x'));
  git.Write("left/out.txt", "x\n");
  git.Write("odd\nname\xff.txt", "odd\n");
  fs::create_symlink("text.c", git.folder() / "link");
  git.Run({"update-index", "--add", "--cacheinfo",
           "160000,03676b051d5a1302c8b17bb6b3325ee38acab914,module"});
  git.Run({"add", "-A", "-f", "."});
  git.Run({"update-index", "--add", "--cacheinfo",
           "160000,03676b051d5a1302c8b17bb6b3325ee38acab914,module"});
  git.Run({"commit", "-q", "-m", "all"});
  SourceSpec spec = GitSpec("r", git.folder());
  spec.filter.exclude = {"left"};
  spec.filter.max_file_bytes = 40960;
  const Result<SourceChange> added = AddSource(spec, around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  ScanReport report;
  const auto texts = Texts(added->pin, around, &report);
  EXPECT_EQ(texts, (std::map<std::string, std::string>{{"text.c", "x\n"},
                                                       {"odd\nname\xff.txt", "odd\n"}}));
  for (const SkipReason reason :
       {SkipReason::kBinary, SkipReason::kGenerated, SkipReason::kLfsPointer, SkipReason::kTooLarge,
        SkipReason::kExcluded, SkipReason::kSymlink, SkipReason::kSubmodule}) {
    EXPECT_EQ(CountOf(report, reason), 1u) << SkipReasonText(reason);
  }
  const Result<CitedText> cited = MakeCitation("odd\nname\xff.txt:1", around);
  ASSERT_TRUE(cited.ok()) << cited.error().message;
  EXPECT_TRUE(ResolveCitation(cited->citation, around).ok());
}

TEST(Snapshots, CountBlobsThatAPartialCloneLeftBehind) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  const git::TestGit git(oracle.folder() / "r");
  git.Write("here.c", "here\n");
  git.Write("gone.c", "gone\n");
  git.Commit();
  const std::string blob = git.Run({"rev-parse", "HEAD:gone.c"});
  fs::remove(git.folder() / ".git/objects" / git::LoosePath(*git::ObjectId::FromHex(blob)));
  const Result<SourceChange> added = AddSource(GitSpec("r", git.folder()), around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  ScanReport report;
  EXPECT_EQ(Texts(added->pin, around, &report).size(), 1u);
  EXPECT_EQ(CountOf(report, SkipReason::kMissing), 1u);
}

TEST(Folders, ArePinnedByContent) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  const fs::path folder = oracle.oracle() / "notes";
  fs::create_directories(folder / "sub/.git");
  ASSERT_TRUE(WriteFileAtomically(folder / "a.md", "# a\n").ok());
  ASSERT_TRUE(WriteFileAtomically(folder / "sub" / "b.md", "# b\n").ok());
  ASSERT_TRUE(WriteFileAtomically(folder / "sub/.git/config", "secret\n").ok());
  ASSERT_TRUE(WriteFileAtomically(folder / "blob", std::string_view("\0", 1)).ok());
  fs::create_symlink("..", folder / "loop");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::ofstream(folder / "huge").close();
  fs::resize_file(folder / "huge", std::uintmax_t{5} << 30);  // sparse
  const SourceSpec spec{.name = "notes", .kind = SourceKind::kFolder, .origin = "notes"};
  const Result<SourceChange> added = AddSource(spec, around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(added->pin.origin, "notes");
  ScanReport report;
  EXPECT_EQ(Texts(added->pin, around, &report),
            (std::map<std::string, std::string>{{"a.md", "# a\n"}, {"sub/b.md", "# b\n"}}));
  for (const SkipReason reason :
       {SkipReason::kBinary, SkipReason::kSymlink, SkipReason::kTooLarge, SkipReason::kSpecial}) {
    EXPECT_EQ(CountOf(report, reason), 1u) << SkipReasonText(reason);
  }
  EXPECT_EQ(CountOf(report, SkipReason::kMissing), 0u);

  EXPECT_FALSE(SyncSource("notes", around)->Moved());
  ASSERT_TRUE(WriteFileAtomically(folder / "a.md", "# A\n").ok());
  const Result<SourceChange> moved = SyncSource("notes", around);
  EXPECT_TRUE(moved->Moved());
  EXPECT_EQ(moved->changes->examples, (std::vector<std::string>{"~ a.md"}));
  EXPECT_EQ(Texts(added->pin, around).at("a.md"), "# a\n");

  const Result<CitedText> cited = MakeCitation("sub/b.md:1", around);
  ASSERT_TRUE(cited.ok()) << cited.error().message;
  EXPECT_EQ(cited->citation.anchor, SourceCitation::Anchor::kTree);
  EXPECT_EQ(ResolveCitation(cited->citation, around)->text, "# b\n");
}

TEST(Folders, InTheOracleAreNotReadThroughALinkOutOfIt) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  fs::create_directories(oracle.folder() / "home/.ssh");
  fs::create_directories(oracle.oracle() / ".git");
  ASSERT_TRUE(WriteFileAtomically(oracle.folder() / "home/.ssh/id", "secret\n").ok());
  ASSERT_TRUE(WriteFileAtomically(oracle.oracle() / ".git/config", "token\n").ok());
  fs::create_directory_symlink("../home/.ssh", oracle.oracle() / "docs");
  fs::create_symlink("../home/.ssh/id", oracle.oracle() / "id.txt");
  const SourceSpec specs[] = {
      {.name = "docs", .kind = SourceKind::kFolder, .origin = "docs"},
      {.name = "docs", .kind = SourceKind::kFolder, .origin = "./docs/."},
      {.name = "id", .kind = SourceKind::kFile, .origin = "id.txt"},
      {.name = "id", .kind = SourceKind::kFile, .origin = "docs/id"},
      {.name = "git", .kind = SourceKind::kFolder, .origin = ".git"},
      {.name = "git", .kind = SourceKind::kFile, .origin = ".git/config"},
  };
  for (const SourceSpec& spec : specs) {
    const Result<SourceChange> added = AddSource(spec, around);
    EXPECT_FALSE(added.ok()) << spec.origin;
  }
  EXPECT_TRUE(ReadLock(around)->pins.empty());
  // A folder inside, and the person's own link outside, are read as ever.
  fs::create_directories(oracle.oracle() / "real");
  ASSERT_TRUE(WriteFileAtomically(oracle.oracle() / "real/a.md", "# a\n").ok());
  fs::create_directory_symlink("real", oracle.oracle() / "alias");
  fs::create_directory_symlink("home/.ssh", oracle.folder() / "mine");
  for (const char* origin : {"alias", "../mine"}) {
    const Result<SourceChange> added = AddSource({.name = origin[0] == '.' ? "mine" : "alias",
                                                  .kind = SourceKind::kFolder,
                                                  .origin = origin},
                                                 around);
    EXPECT_TRUE(added.ok()) << origin << ": " << added.error().message;
  }
}

TEST(Folders, WithTooManyBytesAreRefused) {
  const TestOracle oracle;
  const fs::path folder = oracle.oracle() / "notes";
  fs::create_directories(folder);
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(WriteFileAtomically(folder / name, std::string(1000, 'x')).ok());
  }
  const Mirror mirror(oracle.folder() / "store/m.git");
  ASSERT_TRUE(mirror.Create("x").ok());
  const Root root = *Root::Open(folder);
  EXPECT_TRUE(RecordFolder(root, mirror, {.max_total_bytes = 3000}).ok());
  const Result<FolderSnapshot> cut = RecordFolder(root, mirror, {.max_total_bytes = 2999});
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.error().message.find("exceed 2999 bytes"), std::string::npos);
  EXPECT_TRUE(
      RecordFolder(root, mirror, {.filter = {.exclude = {"c"}}, .max_total_bytes = 2999}).ok());
}

// A repository in a clone whose objects are borrowed from somebody's own: it
// would pin and show what only that person has.
TEST(Repositories, InTheOracleLeadNowhereElse) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  const git::TestGit mine(oracle.folder() / "private");
  mine.Write("secret.md", "# secret\n");
  const std::string commit = mine.Commit();
  const fs::path bare = oracle.oracle() / "vendor";
  fs::create_directories(bare / "objects/info");
  fs::create_directories(bare / "refs/heads");
  ASSERT_TRUE(WriteFileAtomically(bare / "HEAD", commit + "\n").ok());
  const std::string objects = (oracle.folder() / "private/.git/objects").string();
  ASSERT_TRUE(WriteFileAtomically(bare / "objects/info/alternates", objects + "\n").ok());
  EXPECT_FALSE(AddSource(GitSpec("vendor", "vendor"), around).ok());
  fs::remove_all(bare / "objects");
  fs::create_directory_symlink(objects, bare / "objects");
  EXPECT_FALSE(AddSource(GitSpec("vendor", "vendor"), around).ok());
  fs::remove_all(bare);
  fs::create_directories(bare);
  ASSERT_TRUE(WriteFileAtomically(bare / ".git", "gitdir: ../../private/.git\n").ok());
  EXPECT_FALSE(AddSource(GitSpec("vendor", "vendor"), around).ok());
  fs::remove_all(bare);
  fs::create_directory_symlink("../private", bare);
  EXPECT_FALSE(AddSource(GitSpec("vendor", "vendor"), around).ok());
  EXPECT_TRUE(ReadLock(around)->pins.empty());
  // Named outside, it is read.
  EXPECT_TRUE(AddSource(GitSpec("mine", mine.folder()), around).ok());
}

TEST(Folders, HaveTheTreeThatGitWouldGiveThem) {
  const TestOracle oracle;
  const git::TestGit git(oracle.folder() / "r");
  git.Write("a/x.c", "1\n");
  git.Write("a.c", "2\n");
  git.Write("a-b/y", "3\n");
  git.Write("z", "");
  git.Commit();
  const SourceSpec spec{.name = "f", .kind = SourceKind::kFolder, .origin = git.folder().string()};
  const Result<SourceChange> added = AddSource(spec, oracle.around());
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(added->pin.tree->Hex(), git.Run({"rev-parse", "HEAD^{tree}"}));
}

TEST(Folders, ThatDoNotHoldStillAreRefused) {
  const TestOracle oracle;
  const fs::path folder = oracle.folder() / "busy";
  fs::create_directories(folder);
  for (int i = 0; i < 400; ++i) {
    std::ofstream(folder / std::to_string(i)) << std::string(2000, 'x');
  }
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      std::ofstream(folder / std::to_string(i % 400), std::ios::app) << "y";
    }
  });
  const SourceSpec spec{.name = "busy", .kind = SourceKind::kFolder, .origin = folder.string()};
  const Result<SourceChange> added = AddSource(spec, oracle.around());
  stop = true;
  writer.join();
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(added.error().message.find("changed while it was read"), std::string::npos);
}

TEST(Files, ArePinnedAlone) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  ASSERT_TRUE(WriteFileAtomically(oracle.folder() / "notes.txt", "one\ntwo").ok());
  const SourceSpec spec{
      .name = "n", .kind = SourceKind::kFile, .origin = (oracle.folder() / "notes.txt").string()};
  const Result<SourceChange> added = AddSource(spec, around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(MakeCitation("notes.txt:2", around)->text, "two");
  SourceSpec folder = spec;
  folder.name = "d";
  folder.origin = oracle.folder().string();
  EXPECT_NE(AddSource(folder, around).error().message.find("not a regular file"),
            std::string::npos);
  SourceSpec large = spec;
  large.name = "l";
  large.filter.max_file_bytes = 3;
  EXPECT_NE(AddSource(large, around).error().hint.find("max_file_bytes"), std::string::npos);
}

TEST(Cite, MakesAndResolvesCitations) {
  const TestOracle oracle;
  const Surroundings around = oracle.around();
  const git::TestGit git(oracle.folder() / "r");
  git.Write("src/a.c", "one\ntwo\nthree\n");
  git.Write("odd:7", "odd\n");
  git.Commit();
  ASSERT_TRUE(AddSource(GitSpec("r", git.folder()), around).ok());

  const Result<CitedText> cited = MakeCitation("src/a.c:2-3", around);
  ASSERT_TRUE(cited.ok()) << cited.error().message;
  EXPECT_EQ(cited->text, "two\nthree\n");
  EXPECT_EQ(cited->source, "r");
  EXPECT_EQ(MakeCitation("src/a.c#L2-L3", around)->citation, cited->citation);
  EXPECT_EQ(MakeCitation("r:src/a.c:2-3", around)->citation, cited->citation);
  EXPECT_EQ(MakeCitation("odd:7", around)->text, "odd\n");
  EXPECT_EQ(MakeCitation("src/a.c", around)->text, "one\ntwo\nthree\n");
  EXPECT_NE(MakeCitation("src/a.c:4", around).error().message.find("has 3 lines"),
            std::string::npos);
  EXPECT_EQ(MakeCitation("src/b.c:1", around).error().kind, ErrorKind::kNotFound);
  EXPECT_NE(MakeCitation("src/b.c:1", around).error().message.find("no pinned source has"),
            std::string::npos);
  // Issue 24: a server on a machine that has never fetched the source.
  Surroundings elsewhere = around;
  elsewhere.store = Store(oracle.folder() / "empty-store");
  const Error lacking = MakeCitation("src/a.c:2", elsewhere).error();
  EXPECT_NE(lacking.message.find("the content of the source r is not on this machine"),
            std::string::npos)
      << lacking.message;
  EXPECT_NE(lacking.hint.find("sibyl source sync"), std::string::npos);
  EXPECT_EQ(ResolveCitation(cited->citation, around)->text, "two\nthree\n");

  SourceCitation wrong = cited->citation;
  wrong.path = "src/other.c";
  EXPECT_EQ(ResolveCitation(wrong, around).error().kind, ErrorKind::kCorrupt);
  wrong = cited->citation;
  wrong.blob.bytes[0] ^= 1;
  EXPECT_EQ(ResolveCitation(wrong, around).error().kind, ErrorKind::kNotFound);
  wrong = cited->citation;
  wrong.lines = {2, 9};
  EXPECT_EQ(ResolveCitation(wrong, around).error().kind, ErrorKind::kNotFound);

  ASSERT_TRUE(AddSource(GitSpec("twin", git.folder()), around).ok());
  EXPECT_EQ(MakeCitation("src/a.c:1", around).error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(MakeCitation("twin:src/a.c:1", around).ok());
}

TEST(Sources, TakeTurnsWhenTwoAreAddedAtOnce) {
  const TestOracle oracle;
  const git::TestGit git(oracle.folder() / "r");
  git.Write("a", "a\n");
  git.Commit();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const auto added = AddSource(GitSpec("s" + std::to_string(i), git.folder()), oracle.around());
      EXPECT_TRUE(added.ok()) << added.error().message;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ReadLock(oracle.around())->pins.size(), 4u);
  EXPECT_EQ(ListSources(oracle.around())->sources.size(), 4u);
}

}  // namespace
}  // namespace sibyl::evidence
