// SPDX-License-Identifier: Apache-2.0
// Formats of `.sibyl` and of the user's state folder. These files are signed with the
// user's key for one path, so a fixture is signed again before it is read.
#include <gtest/gtest.h>

#include "base/files/own_folder.h"
#include "base/files/temporary_folder.h"
#include "base/files/user_state.h"
#include "base/hash.h"
#include "base/json.h"
#include "expansion/agent_work.h"
#include "expansion/draft_payload.h"
#include "expansion/model/kept_answers.h"
#include "expansion/web_memory.h"
#include "formats.h"
#include "library/intent.h"
#include "oracle/consent.h"
#include "oracle/context.h"
#include "oracle/made_here.h"
#include "runner/job_queue.h"
#include "runner/journal.h"
#include "runner/snapshot.h"

namespace sibyl::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kDay{1'794'700'800};  // 2026-11-15

/// An oracle in its own folder, with a key.
class Scratch {
 public:
  Scratch() {
    WriteFixture(oracle() / "sibyl.toml", "");
    auto state = UserState::Open(this->state());
    EXPECT_TRUE(state.ok());
    auto own = OwnFolder::Open(oracle(), *state);
    EXPECT_TRUE(own.ok()) << own.error().message;
    own_.emplace(*std::move(own));
  }

  fs::path oracle() const { return folder_.path() / "oracle"; }
  fs::path state() const { return folder_.path() / "state"; }
  const OwnFolder& own() const { return *own_; }
  const Clock& clock() const { return clock_; }
  oracle::Context Here() const {
    return {.working_folder = oracle(), .oracle = oracle(), .clock = clock_, .state = state()};
  }

 private:
  TemporaryFolder folder_;
  FixedClock clock_{Time(kDay)};
  std::optional<OwnFolder> own_;
};

runner::RunSpec SampleRun() {
  return {.name = "_ingest-auto/gadget/ingestion.md",
          .fingerprint = "plan-1",
          .jobs = {{.name = "gad/01-cache.md", .fingerprint = "a", .work = {}},
                   {.name = "gad/02-loading.md", .fingerprint = "b", .work = {}},
                   {.name = "gad/03-coffee.md", .fingerprint = "c", .work = {}}},
          .last = runner::LastJob{.name = "publish", .work = {}}};
}

// Leaves an interrupted run.
void RunSome(const Scratch& scratch) {
  auto journal = runner::Journal::Open(scratch.own(), scratch.clock());
  ASSERT_TRUE(journal.ok()) << journal.error().message;
  auto queue = runner::JobQueue::Begin(*journal, SampleRun(), runner::Existing::kResume);
  ASSERT_TRUE(queue.ok()) << queue.error().message;
  const runner::Claimant agent{.holder = "agent Ada", .lease = std::chrono::minutes(30)};
  const auto done = queue->ClaimFor(agent);
  ASSERT_TRUE(done.ok() && *done);
  ASSERT_TRUE(queue->Complete(**done, "a payload").ok());
  const auto failed = queue->ClaimFor(agent);
  ASSERT_TRUE(failed.ok() && *failed);
  ASSERT_TRUE(queue->Fail(**failed, "nothing pinned covers it", 1).ok());
  const auto held = queue->ClaimFor(agent);
  ASSERT_TRUE(held.ok() && *held);
  ASSERT_TRUE(
      queue->Keep(**held, "half a payload", R"({"step":"agent drafts","figures":{}})").ok());
}

void WriteJournal(const fs::path& folder) {
  const Scratch scratch;
  const fs::path path = scratch.own().root().Shown(runner::kJournalFile);
  {
    // Small pages, so that the fixture is small.
    auto database = runner::Database::Open(path, runner::Access::kReadWrite);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->Execute("PRAGMA page_size=512; CREATE TABLE a(b); DROP TABLE a;").ok());
  }
  RunSome(scratch);
  WriteFixture(folder / "journal.db", ReadFixture(path));
}

void CheckJobs(const std::vector<runner::JobSnapshot>& jobs) {
  ASSERT_EQ(jobs.size(), 4U);
  EXPECT_EQ(jobs[0].name, "gad/01-cache.md");
  EXPECT_EQ(jobs[0].state, runner::JobState::kDone);
  EXPECT_EQ(jobs[0].payload, "a payload");
  EXPECT_EQ(jobs[1].state, runner::JobState::kFailed);
  EXPECT_EQ(jobs[1].reason, "nothing pinned covers it");
  EXPECT_EQ(jobs[2].state, runner::JobState::kRunning);
  EXPECT_EQ(jobs[2].payload, "half a payload");
  EXPECT_EQ(jobs[2].progress.step, "agent drafts");
  EXPECT_TRUE(jobs[3].is_last);
  EXPECT_EQ(jobs[3].state, runner::JobState::kWaiting);
}

// Signs the fixture as one of this scratch oracle.
void Adopt(const Scratch& scratch, const fs::path& journal, std::string_view change = {}) {
  const fs::path path = scratch.own().root().Shown(runner::kJournalFile);
  WriteFixture(path, ReadFixture(journal));
  auto database = runner::Database::Open(path, runner::Access::kReadWrite);
  ASSERT_TRUE(database.ok());
  auto origin = database->Prepare("SELECT id FROM origin");
  ASSERT_TRUE(origin.ok() && *origin->Step());
  const std::string id = origin->Text(0);
  while (*origin->Step()) {
  }
  ASSERT_TRUE(
      database->Change("UPDATE origin SET signature=?", scratch.own().Sign("journal", id)).ok());
  ASSERT_TRUE(database->Execute(std::string(change)).ok());
}

void ReadJournal(const fs::path& folder) {
  const auto snapshot = runner::ReadSnapshot(folder / "journal.db");
  ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
  ASSERT_EQ(snapshot->runs.size(), 1U);
  EXPECT_EQ(snapshot->runs[0].name, SampleRun().name);
  EXPECT_EQ(snapshot->runs[0].fingerprint, "plan-1");
  EXPECT_EQ(snapshot->runs[0].state, runner::RunState::kOpen);
  CheckJobs(snapshot->runs[0].jobs);

  // A run resumes from it.
  const Scratch scratch;
  Adopt(scratch, folder / "journal.db");
  auto journal = runner::Journal::Open(scratch.own(), scratch.clock());
  ASSERT_TRUE(journal.ok()) << journal.error().message;
  EXPECT_FALSE(journal->moved_aside().has_value());
  const auto queue = runner::JobQueue::Begin(*journal, SampleRun(), runner::Existing::kResume);
  ASSERT_TRUE(queue.ok()) << queue.error().message;
  EXPECT_TRUE(queue->was_resumed());

  // A newer journal is not touched.
  const Scratch newer;
  Adopt(newer, folder / "journal.db", "PRAGMA user_version=99");
  const auto refused = runner::Journal::Open(newer.own(), newer.clock());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_NE(refused.error().message.find("newer sibyl"), std::string::npos);
}

draft::Draft SampleDraft() {
  return {
      .path = "gad/01-cache.md",
      .title = "The cache",
      .text = "# The cache\n\nIt holds 48 KB.[^1]\n",
      .line_budget = 60,
      .sections = {{.title = "Sizes",
                    .making = draft::Making::kAgentWritten,
                    .line_budget = {},
                    .points = {{.point = "Cache size", .where = "1.1", .nearest = {}},
                               {.point = "Coffee", .where = {}, .nearest = "nearest: b.md:1"}}}},
      .sources = {{.name = "gadget", .pin = "4f2a91c", .origin = "../gadget", .citations = 1}},
      .keywords = {"GADGET_CACHE_KB"}};
}

void WriteDraft(const fs::path& folder) {
  WriteFixture(folder / "draft.txt", expansion::FormatDraft(SampleDraft()));
}

void ReadDraft(const fs::path& folder) {
  const auto draft = expansion::ParseDraft(ReadFixture(folder / "draft.txt"));
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->path, SampleDraft().path);
  EXPECT_EQ(draft->text, SampleDraft().text);
  EXPECT_EQ(draft->line_budget, 60U);
  EXPECT_EQ(draft->keywords, SampleDraft().keywords);
  EXPECT_EQ(draft::WriterOf(*draft), "agent");
  EXPECT_EQ(draft::PointCount(*draft), 2U);
  EXPECT_EQ(draft::CoveredCount(*draft), 1U);
  ASSERT_EQ(draft->sources.size(), 1U);
  EXPECT_EQ(draft->sources[0].pin, "4f2a91c");
}

void WriteSections(const fs::path& folder) {
  WriteFixture(folder / "sections.json",
               expansion::FormatSections(
                   {{.place = 0, .text = "It holds 48 KB.[^a]\n"}, {.place = 2, .text = ""}}));
}

void ReadSections(const fs::path& folder) {
  const auto sections = expansion::ParseSections(ReadFixture(folder / "sections.json"));
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[0].place, 0U);
  EXPECT_EQ(sections[0].text, "It holds 48 KB.[^a]\n");
  EXPECT_EQ(sections[1].place, 2U);
}

// A part of a run, of which the ledger keeps the payload.
class KeptPart : public runner::JobContext {
 public:
  explicit KeptPart(std::string before) : before_(std::move(before)) {}
  int attempt() const override { return 1; }
  std::stop_token stop() const override { return {}; }
  void Report(runner::Progress /*progress*/) override {}
  void Keep(std::string payload) override { kept = std::move(payload); }
  std::string_view kept_before() const override { return before_; }

  std::string kept;

 private:
  std::string before_;
};

void WriteAnswers(const fs::path& folder) {
  KeptPart part("");
  expansion::KeptAnswers answers(part);
  answers.Add("key", {.text = "It holds 48 KB [kbcdfghjk].", .usage = {}, .model = "m"});
  answers.SaveNow();
  WriteFixture(folder / "answers.json", part.kept);
}

void ReadAnswers(const fs::path& folder) {
  KeptPart part(ReadFixture(folder / "answers.json"));
  expansion::KeptAnswers answers(part);
  const auto answer = answers.Find("key");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "It holds 48 KB [kbcdfghjk].");
  EXPECT_EQ(answer->model, "m");
  EXPECT_FALSE(answers.Find("another"));
}

library::Intent SampleIntent() {
  return {.time = kDay.count(),
          .steps = {{.kind = library::StepKind::kBlock,
                     .path = "gad/INDEX.md",
                     .before = Sha256("before"),
                     .after = Sha256("after"),
                     .staged = "1",
                     .block = "index",
                     .from = {}}},
          .paths = {"gad/INDEX.md"},
          .message = "expand: 1 file\n",
          .published = {.id = "0123abcd",
                        .plan = "_ingest-auto/gadget/ingestion.md",
                        .plan_now = "_ingest-auto/completed/gadget/ingestion.md",
                        .files = {{.part = 1,
                                   .path = "gad/01-cache.md",
                                   .drop = "_ingest-auto/gadget/drop.md",
                                   .lines = 29,
                                   .citations = 2,
                                   .points = 2,
                                   .covered = 1}},
                        .failed = {{.part = 2, .reason = "nothing pinned covers it"}},
                        .commit = {},
                        .findings = {}}};
}

void WriteIntent(const fs::path& folder) {
  WriteFixture(folder / "intent.json", library::FormatIntent(SampleIntent()));
  WriteFixture(folder / "published.json", library::FormatPublished(SampleIntent().published));
}

void CheckPublished(const library::Published& published) {
  EXPECT_EQ(published.id, "0123abcd");
  EXPECT_EQ(published.plan_now, SampleIntent().published.plan_now);
  ASSERT_EQ(published.files.size(), 1U);
  EXPECT_EQ(published.files[0].path, "gad/01-cache.md");
  EXPECT_EQ(published.files[0].covered, 1U);
  ASSERT_EQ(published.failed.size(), 1U);
  EXPECT_EQ(published.failed[0].reason, "nothing pinned covers it");
}

void ReadIntent(const fs::path& folder) {
  const auto intent = library::ParseIntent(ReadFixture(folder / "intent.json"));
  ASSERT_TRUE(intent.ok()) << intent.error().message;
  EXPECT_EQ(intent->time, kDay.count());
  EXPECT_EQ(intent->message, "expand: 1 file\n");
  ASSERT_EQ(intent->steps.size(), 1U);
  EXPECT_EQ(intent->steps[0].kind, library::StepKind::kBlock);
  EXPECT_EQ(intent->steps[0].after, Sha256("after"));
  CheckPublished(intent->published);
  const auto published = library::ParsePublished(ReadFixture(folder / "published.json"));
  ASSERT_TRUE(published.ok()) << published.error().message;
  CheckPublished(*published);
}

const research::Query kWebQuery = {.text = "gadget cache", .limit = 5};

void WriteWebMemory(const fs::path& folder) {
  const Scratch scratch;
  auto memory = expansion::WebMemory::Load(scratch.own(), scratch.clock().Now());
  auto url = net::ParseUrl("https://docs.example.org/cache");
  ASSERT_TRUE(url.ok());
  memory.Remember(expansion::QuestionKey(kWebQuery, {"searxng"}), kWebQuery.text,
                  {{{.url = *url,
                     .title = "Cache",
                     .snippet = "The cache of gadgets",
                     .published = {},
                     .provider = "searxng",
                     .rank = 1}}});
  memory.Refuse("https://docs.example.org/login", "a login");
  ASSERT_TRUE(memory.Save().ok());
  const std::string text = ReadFixture(scratch.own().root().Shown("web.json"));
  WriteFixture(folder / "web.json", text.substr(text.find('\n') + 1));
}

void ReadWebMemory(const fs::path& folder) {
  const Scratch scratch;
  const std::string text = ReadFixture(folder / "web.json");
  ASSERT_TRUE(
      scratch.own().root().Write("web.json", scratch.own().WithSignature("web", text)).ok());
  const auto memory = expansion::WebMemory::Load(scratch.own(), scratch.clock().Now());
  const auto* lists = memory.Find(expansion::QuestionKey(kWebQuery, {"searxng"}));
  ASSERT_NE(lists, nullptr);
  ASSERT_EQ(lists->size(), 1U);
  ASSERT_EQ((*lists)[0].size(), 1U);
  EXPECT_EQ((*lists)[0][0].url.Text(), "https://docs.example.org/cache");
  EXPECT_EQ(memory.WhyRefused("https://docs.example.org/login"), "a login");
}

const oracle::OutsideSetting kSetting = {.name = "source notes folder",
                                         .value = "../notes",
                                         .target = "/home/ada/notes",
                                         .effect = {},
                                         .place = {}};

void WriteTrust(const fs::path& folder) {
  const Scratch scratch;
  ASSERT_TRUE(oracle::RecordConsent(scratch.Here(), {kSetting}).ok());
  for (const fs::directory_entry& entry : fs::directory_iterator(scratch.state() / "trust")) {
    // The path of the scratch oracle is irrelevant and not kept.
    auto json = ParseJson(ReadFixture(entry.path()));
    ASSERT_TRUE(json.ok());
    (*json)["oracle"] = "/home/ada/oracle";
    WriteFixture(folder / "trust.json", FormatJson(*json) + "\n");
  }
}

void ReadTrust(const fs::path& folder) {
  const Scratch scratch;
  auto json = ParseJson(ReadFixture(folder / "trust.json"));
  ASSERT_TRUE(json.ok());
  const auto state = UserState::Open(scratch.state());
  ASSERT_TRUE(state.ok());
  const std::string oracle = fs::canonical(scratch.oracle()).string();
  json->erase("signature");
  (*json)["oracle"] = oracle;
  (*json)["signature"] = state->Sign("trust", FormatJson(*json, JsonLayout::kCompact));
  WriteFixture(scratch.state() / "trust" / (Sha256(oracle) + ".json"), FormatJson(*json));
  const auto consents = oracle::Consents::Read(scratch.Here());
  ASSERT_TRUE(consents.ok()) << consents.error().message;
  EXPECT_TRUE(consents->Covers(kSetting));
  oracle::OutsideSetting other = kSetting;
  other.value = "../other";
  EXPECT_FALSE(consents->Covers(other));
}

constexpr std::string_view kMade = "a run that was measured here";

void WriteState(const fs::path& folder) {
  const Scratch scratch;
  ASSERT_TRUE(oracle::MadeHere(scratch.Here()).Remember("labs", kMade).ok());
  const auto state = UserState::Open(scratch.state());
  ASSERT_TRUE(state.ok());
  WriteFixture(folder / "signature.txt", state->Sign("fixture", kMade));
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(scratch.state())) {
    if (!entry.is_regular_file() || entry.path().extension() == ".lock") continue;
    WriteFixture(folder / "state" / fs::relative(entry.path(), scratch.state()),
                 ReadFixture(entry.path()));
  }
}

// The key, and the marks of what was made on this machine.
void ReadState(const fs::path& folder) {
  const TemporaryFolder scratch;
  const fs::path copy = scratch.path() / "state";
  fs::copy(folder / "state", copy, fs::copy_options::recursive);
  fs::permissions(copy / "key", fs::perms::owner_read | fs::perms::owner_write);
  const auto state = UserState::Open(copy);
  ASSERT_TRUE(state.ok()) << state.error().message;
  EXPECT_TRUE(state->Verifies("fixture", kMade, ReadFixture(folder / "signature.txt")));
  EXPECT_FALSE(state->Verifies("fixture", "another", ReadFixture(folder / "signature.txt")));
  const FixedClock clock{Time(kDay)};
  const oracle::MadeHere made(
      {.working_folder = scratch.path(), .oracle = {}, .clock = clock, .state = copy});
  EXPECT_TRUE(made.Knows("labs", kMade));
  EXPECT_FALSE(made.Knows("labs", "a run of somebody else"));
}

}  // namespace

std::vector<Format> JournalFormats() {
  return {
      {.name = "journal",
       .source = "src/runner/journal.cc",
       .constant = "kVersion",
       .write = WriteJournal,
       .read = ReadJournal},
      {.name = "draft",
       .source = "src/expansion/draft_payload.cc",
       .constant = "kDraftVersion",
       .write = WriteDraft,
       .read = ReadDraft},
      {.name = "agent-sections",
       .source = "src/expansion/agent_work.cc",
       .constant = "kSectionsVersion",
       .write = WriteSections,
       .read = ReadSections},
      {.name = "kept-answers",
       .source = "src/expansion/model/kept_answers.cc",
       .constant = "kVersion",
       .write = WriteAnswers,
       .read = ReadAnswers},
      {.name = "publication",
       .source = "src/library/intent.cc",
       .constant = "kFormat",
       .write = WriteIntent,
       .read = ReadIntent},
      {.name = "web-memory",
       .source = "src/expansion/web_memory.cc",
       .constant = "kMemoryVersion",
       .write = WriteWebMemory,
       .read = ReadWebMemory},
      {.name = "trust",
       .source = "src/oracle/consent.cc",
       .constant = "kTrustVersion",
       .write = WriteTrust,
       .read = ReadTrust},
      {.name = "user-state", .write = WriteState, .read = ReadState},
  };
}

}  // namespace sibyl::formats
