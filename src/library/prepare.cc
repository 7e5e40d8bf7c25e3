// SPDX-License-Identifier: Apache-2.0
#include "library/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/hex.h"
#include "base/strings.h"
#include "library/blocks.h"
#include "library/commit_message.h"
#include "library/drop.h"
#include "library/oracle_paths.h"
#include "library/page_text.h"
#include "library/plan_folder.h"
#include "library/skill.h"
#include "library/topic_index.h"
#include "plan/edit.h"
#include "plan/oracle_files.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPage = std::size_t{64} << 20;
constexpr std::string_view kFactsFile = "sibyl.facts";
constexpr std::string_view kConfigFile = "sibyl.toml";
constexpr std::string_view kLockFile = "sibyl.lock";

class Preparation {
 public:
  Preparation(const Publication& publication, const PublishOptions& options)
      : publication_(publication), oracle_(options.oracle()), time_(options.clock.WrittenNow()) {}

  Result<Prepared> Run();

 private:
  Status ReadPlan();
  Status CheckTargets() const;
  Status EditPlan();
  Status AddFiles();
  Status AddDrop(const plan::Part& part, const std::string& text, PublishedFile* file);
  std::optional<std::string> DropToExtend(const plan::Part& part) const;
  Status AddRevision(const plan::Part& part, const DeliveredPart& delivered,
                     const DropPlace& place);
  Status AddIndex(const std::string& folder);
  Status AddSkill();
  void DescribeSkill(const std::string& path, std::string_view description);
  Status AddMoves();
  Status MoveLinks();
  void AddInputs();
  Status AddPage(const std::string& path, std::string_view block, const std::string& content,
                 const std::string& starter);
  void AddFile(const std::string& path, const std::string& before, std::string text);
  std::optional<std::string> TextOf(const std::string& path) const;
  std::vector<KnowledgePage> PagesOf(const std::string& folder) const;

  const Publication& publication_;
  const Root& oracle_;
  Time time_;
  plan::Plan plan_;
  std::string edited_;
  PlanFolder folder_;
  std::map<std::string, std::string> new_text_;  // the new content of files
  Prepared prepared_;
};

Status Preparation::ReadPlan() {
  if (!IsPlainPath(publication_.plan)) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("publishing {}: the plan is not in the oracle", publication_.plan),
        .hint = "copy it to _ingest-auto/expansion-TOPIC-DATE/ingestion.md"};
  }
  SIBYL_TRY(CheckPath(oracle_, publication_.plan));
  const Result<std::string> text = oracle_.Read(publication_.plan, {.max_bytes = kLongestPage});
  if (!text.ok() || *text != publication_.plan_text) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("publishing {}: the plan was {} during the run", publication_.plan,
                               text.ok() ? "edited" : "moved or removed"),
        .hint = "nothing was overwritten; run it again: unchanged parts are kept"};
  }
  plan_ = plan::Parse(publication_.plan, *text).plan;
  const auto is_known = [this](std::size_t part) { return part < plan_.parts.size(); };
  for (const DeliveredPart& delivered : publication_.delivered) {
    if (!is_known(delivered.part)) return Error{.message = "publishing: no such part in the plan"};
  }
  for (const FailedPart& failed : publication_.failed) {
    if (!is_known(failed.part)) return Error{.message = "publishing: no such part in the plan"};
  }
  return {};
}

// Against the oracle, and against each other.
Status Preparation::CheckTargets() const {
  std::map<std::pair<std::string, std::size_t>, std::string> numbers;
  std::set<std::string> paths;
  for (const DeliveredPart& delivered : publication_.delivered) {
    const std::string& path = delivered.file.draft().path;
    SIBYL_TRY(CheckTarget(oracle_, path, delivered.existing));
    const auto numbered = plan::ReadNumberedPath(path);
    std::string taken = paths.insert(path).second ? "" : path;
    if (numbered && taken.empty()) {
      const auto [entry, is_new] =
          numbers.emplace(std::pair(numbered->folder, numbered->number), path);
      if (!is_new) taken = entry->second;
    }
    if (taken.empty()) continue;
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("publishing {}: another part of the plan writes {}", path, taken),
        .hint = "give one of them another number"};
  }
  return {};
}

// Marks go in one after the other; each needs the plan as the last one left it.
Status Preparation::EditPlan() {
  edited_ = publication_.plan_text;
  const std::string moment = FormatDateTime(time_);
  const auto parts = [this] { return plan::Parse(publication_.plan, edited_).plan.parts; };
  for (const DeliveredPart& delivered : publication_.delivered) {
    edited_ = SIBYL_TRY(plan::TickPart(edited_, parts().at(delivered.part), moment));
  }
  for (const FailedPart& failed : publication_.failed) {
    edited_ =
        SIBYL_TRY(plan::MarkPartFailed(edited_, parts().at(failed.part), moment, failed.reason));
  }
  if (publication_.is_partial) return {};
  std::set<std::string, std::less<>> written;
  for (const DeliveredPart& delivered : publication_.delivered) {
    written.insert(delivered.file.draft().path);
  }
  folder_ = FindPlanFolder(oracle_, {.path = publication_.plan, .text = edited_}, written);
  if (!folder_.why_not.empty()) {
    prepared_.intent.published.findings.push_back({.severity = Severity::kNote,
                                                   .code = "publish/not-moved",
                                                   .message = folder_.why_not,
                                                   .place = {.file = publication_.plan}});
  }
  return {};
}

std::optional<std::string> Preparation::TextOf(const std::string& path) const {
  const auto found = new_text_.find(path);
  if (found != new_text_.end()) return found->second;
  Result<std::string> text = oracle_.Read(path, {.max_bytes = kLongestPage});
  if (!text.ok()) return std::nullopt;
  return *std::move(text);
}

void Preparation::AddFile(const std::string& path, const std::string& before, std::string text) {
  prepared_.intent.steps.push_back({.kind = StepKind::kFile,
                                    .path = path,
                                    .before = before,
                                    .after = Sha256(text),
                                    .staged = std::to_string(prepared_.staged.size())});
  prepared_.staged.push_back(text);
  prepared_.intent.paths.push_back(folder_.PathNow(path));
  new_text_[path] = std::move(text);
}

Status Preparation::AddDrop(const plan::Part& part, const std::string& text, PublishedFile* file) {
  const std::string folder = DropFolder(publication_.plan);
  const std::string name = DropName(part, time_);
  std::string path;
  for (int number = 1; path.empty() || new_text_.contains(path) || oracle_.Exists(path); ++number) {
    const std::string stem = name.substr(0, name.size() - 3);
    const std::string tried = number == 1 ? name : fmt::format("{}-{}.md", stem, number);
    path = InFolder(folder, tried);
  }
  SIBYL_TRY(CheckPath(oracle_, path));
  AddFile(path, "", text);
  if (file != nullptr) file->drop = folder_.PathNow(path);
  return {};
}

// The newest drop, unless another part of this publication has written to it.
std::optional<std::string> Preparation::DropToExtend(const plan::Part& part) const {
  const std::string folder = DropFolder(publication_.plan);
  const Result<std::vector<RootEntry>> entries = oracle_.List(folder);
  if (!entries.ok()) return std::nullopt;
  std::vector<std::string> names;
  for (const RootEntry& entry : *entries) names.push_back(entry.name);
  const std::string newest = NewestDrop(names, part);
  std::string path = InFolder(folder, newest);
  if (newest.empty() || new_text_.contains(path) || !oracle_.IsFile(path)) return std::nullopt;
  return path;
}

// What the drop says stays; people may have written in it.
Status Preparation::AddRevision(const plan::Part& part, const DeliveredPart& delivered,
                                const DropPlace& place) {
  PublishedFile* file = &prepared_.intent.published.files.back();
  const std::optional<std::string> path = DropToExtend(part);
  const std::optional<std::string> old = path ? TextOf(*path) : std::nullopt;
  if (!old) return AddDrop(part, DeliveredDrop(part, delivered, place), file);
  SIBYL_TRY(CheckPath(oracle_, *path));
  const std::string_view gap = old->empty() || old->ends_with('\n') ? "\n" : "\n\n";
  AddFile(*path, Sha256(*old), fmt::format("{}{}{}", *old, gap, RevisionInDrop(delivered, time_)));
  file->drop = folder_.PathNow(*path);
  return {};
}

Status Preparation::AddFiles() {
  Published& published = prepared_.intent.published;
  const DropPlace place{.folder = DropFolder(folder_.PathNow(publication_.plan)), .time = time_};
  for (const DeliveredPart& delivered : publication_.delivered) {
    const draft::Draft& draft = delivered.file.draft();
    const std::optional<std::string> old = TextOf(draft.path);
    AddFile(draft.path, old ? Sha256(*old) : "", draft.text);
    published.files.push_back({.part = plan_.parts[delivered.part].number,
                               .path = draft.path,
                               .lines = SplitLines(draft.text).size(),
                               .citations = delivered.file.citations(),
                               .points = draft::PointCount(draft),
                               .covered = draft::CoveredCount(draft)});
    const plan::Part& part = plan_.parts[delivered.part];
    SIBYL_TRY(publication_.is_revision
                  ? AddRevision(part, delivered, place)
                  : AddDrop(part, DeliveredDrop(part, delivered, place), &published.files.back()));
  }
  for (const FailedPart& failed : publication_.failed) {
    const plan::Part& part = plan_.parts[failed.part];
    published.failed.push_back({.part = part.number, .reason = failed.reason});
    SIBYL_TRY(AddDrop(part, FailedDrop(part, failed, place), nullptr));
  }
  if (edited_ != publication_.plan_text) {
    AddFile(publication_.plan, Sha256(publication_.plan_text), edited_);
  }
  return {};
}

std::vector<KnowledgePage> Preparation::PagesOf(const std::string& folder) const {
  std::vector<std::string> names = KnowledgeFiles(oracle_, folder);
  for (const DeliveredPart& delivered : publication_.delivered) {
    const fs::path path(delivered.file.draft().path);
    const std::string name = path.filename().string();
    const bool is_here = path.parent_path().generic_string() == folder;
    if (is_here && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  OrderKnowledge(names);
  std::vector<KnowledgePage> pages;
  for (const std::string& name : names) {
    const std::optional<std::string> text = TextOf(InFolder(folder, name));
    if (text) pages.push_back(ReadKnowledgePage(name, *text));
  }
  return pages;
}

// A page that is there gets its block replaced when the step is carried out:
// people may still write around it. Damaged markers are found now.
Status Preparation::AddPage(const std::string& path, std::string_view block,
                            const std::string& content, const std::string& starter) {
  SIBYL_TRY(CheckPath(oracle_, path));
  const std::optional<std::string> text = TextOf(path);
  if (!text) {
    AddFile(path, "", starter);
    return {};
  }
  const std::string replaced = SIBYL_TRY(ReplaceBlock(path, *text, block, content));
  new_text_[path] = replaced;
  prepared_.intent.steps.push_back({.kind = StepKind::kBlock,
                                    .path = path,
                                    .after = Sha256(content),
                                    .staged = std::to_string(prepared_.staged.size()),
                                    .block = std::string(block)});
  prepared_.staged.push_back(content);
  prepared_.intent.paths.push_back(path);
  return {};
}

Status Preparation::AddIndex(const std::string& folder) {
  const std::string path = InFolder(folder, kIndexFile);
  Keywords keywords = ReadKeywords(TextOf(path).value_or(""));
  for (const DeliveredPart& delivered : publication_.delivered) {
    const fs::path file(delivered.file.draft().path);
    if (file.parent_path().generic_string() != folder) continue;
    keywords[LinkFrom("", file.filename().string())] = delivered.file.draft().keywords;
  }
  const std::string content = IndexBlock(PagesOf(folder), keywords);
  return AddPage(path, kIndexBlock, content, StarterIndex(folder, content));
}

// The block of the page is a separate step by now: with the description, the
// whole page is one.
void Preparation::DescribeSkill(const std::string& path, std::string_view description) {
  std::string described = WithDescription(new_text_.at(path), description);
  if (described == new_text_.at(path)) return;
  const Result<std::string> before = oracle_.Read(path, {.max_bytes = kLongestPage});
  if (!before.ok()) return;
  std::erase_if(prepared_.intent.steps, [&path](const Step& step) { return step.path == path; });
  AddFile(path, Sha256(*before), std::move(described));
}

Status Preparation::AddSkill() {
  std::vector<std::string> folders = TopicFolders(oracle_);
  for (const DeliveredPart& delivered : publication_.delivered) {
    folders.push_back(fs::path(delivered.file.draft().path).parent_path().generic_string());
  }
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  std::vector<Topic> topics;
  for (const std::string& folder : folders) {
    Topic topic{.folder = folder, .has_index = TextOf(InFolder(folder, kIndexFile)).has_value()};
    for (const KnowledgePage& page : PagesOf(folder)) {
      ++topic.files;
      topic.lines += page.lines;
      topic.citations += page.citations;
      topic.titles.push_back(page.title);
    }
    topics.push_back(std::move(topic));
  }
  const std::string path(kSkillFile);
  const std::string content = SkillBlock(topics);
  const std::string folder = oracle_.path().filename().string();
  const std::string description = SkillDescription(topics);
  SIBYL_TRY(
      AddPage(path, kSkillBlock, content, StarterSkill(SkillName(folder), content, description)));
  DescribeSkill(path, description);
  for (Finding& finding : CheckSkill(new_text_.at(path), folder)) {
    prepared_.intent.published.findings.push_back(std::move(finding));
  }
  return {};
}

// The files that the pages are checked against: without them a clone could not
// verify the commit. Only what was changed since its last commit is in this one.
void Preparation::AddInputs() {
  constexpr std::string_view kLabMark = "<!-- lab:";
  const auto add = [this](std::string_view path) {
    if (oracle_.IsFile(path)) prepared_.intent.paths.emplace_back(path);
  };
  bool cites_facts = false;
  bool cites_sources = false;
  for (const DeliveredPart& delivered : publication_.delivered) {
    const std::string& text = delivered.file.draft().text;
    cites_facts |= Contains(text, "<!-- fact:");
    cites_sources |= !delivered.file.draft().sources.empty();
    for (std::size_t at = text.find(kLabMark); at != std::string::npos;
         at = text.find(kLabMark, at + 1)) {
      const std::size_t begin = at + kLabMark.size();
      const std::string id = text.substr(begin, text.find(';', begin) - begin);
      if (IsLowerHex(id) && id.size() <= 16) add(fmt::format("_labs/{}.jsonl", id));
    }
  }
  if (cites_facts) add(kFactsFile);
  for (const std::string_view path : {kConfigFile, kLockFile}) {
    if (cites_sources || cites_facts) add(path);
  }
  // A plan that was edited for the revision.
  if (publication_.is_revision) add(publication_.plan);
}

// Drops of earlier publications link to their pages from where they are now.
Status Preparation::MoveLinks() {
  const Result<std::vector<RootEntry>> entries = oracle_.List(folder_.from);
  if (!entries.ok()) return {};
  for (const RootEntry& entry : *entries) {
    const std::string path = InFolder(folder_.from, entry.name);
    const bool is_drop = entry.kind == FileKind::kFile && IsDropName(entry.name);
    if (!is_drop || new_text_.contains(path)) continue;
    const std::optional<std::string> text = TextOf(path);
    if (!text) continue;
    std::string moved = WithMovedLink(*text, folder_.from, folder_.to);
    if (moved == *text) continue;
    SIBYL_TRY(CheckPath(oracle_, path));
    AddFile(path, Sha256(*text), std::move(moved));
  }
  return {};
}

Status Preparation::AddMoves() {
  Intent& intent = prepared_.intent;
  if (!folder_.moves()) return {};
  SIBYL_TRY(CheckPath(oracle_, folder_.from, Wanted::kFolder));
  SIBYL_TRY(CheckPath(oracle_, folder_.to, Wanted::kFolder));
  SIBYL_TRY(MoveLinks());
  intent.steps.push_back({.kind = StepKind::kMoveFolder, .path = folder_.to, .from = folder_.from});
  intent.paths.push_back(intent.published.plan_now);
  if (!folder_.lone_plan.empty()) {
    SIBYL_TRY(CheckPath(oracle_, folder_.lone_plan));
    intent.steps.push_back({.kind = StepKind::kMoveFile,
                            .path = intent.published.plan_now,
                            .from = folder_.lone_plan});
  }
  return {};
}

Result<Prepared> Preparation::Run() {
  SIBYL_TRY(ReadPlan());
  SIBYL_TRY(CheckTargets());
  SIBYL_TRY(EditPlan());
  Intent& intent = prepared_.intent;
  intent.time = time_.time_since_epoch().count();
  intent.published.id = PublicationId(publication_, time_);
  intent.published.plan = publication_.plan;
  intent.published.is_partial = publication_.is_partial;
  intent.published.plan_now = folder_.PathNow(publication_.plan);
  SIBYL_TRY(AddFiles());
  std::set<std::string> topics;
  for (const DeliveredPart& delivered : publication_.delivered) {
    topics.insert(fs::path(delivered.file.draft().path).parent_path().generic_string());
  }
  for (const std::string& topic : topics) SIBYL_TRY(AddIndex(topic));
  if (!topics.empty()) SIBYL_TRY(AddSkill());
  SIBYL_TRY(AddMoves());
  AddInputs();
  std::sort(intent.paths.begin(), intent.paths.end());
  intent.paths.erase(std::unique(intent.paths.begin(), intent.paths.end()), intent.paths.end());
  intent.message = CommitMessage(
      intent.published,
      publication_.is_revision ? PublicationKind::kRevision : PublicationKind::kExpansion,
      publication_.message);
  return std::move(prepared_);
}

}  // namespace

std::string PublicationId(const Publication& publication, Time time) {
  Sha256Stream hash;
  const auto add = [&hash](std::string_view text) {
    hash.Add(std::to_string(text.size()) + ":");
    hash.Add(text);
  };
  add(publication.plan);
  add(publication.plan_text);
  add(std::to_string(time.time_since_epoch().count()));
  for (const DeliveredPart& delivered : publication.delivered) {
    add(delivered.file.draft().path);
    add(delivered.file.draft().text);
  }
  for (const FailedPart& failed : publication.failed) add(failed.reason);
  return hash.Finish().substr(0, 16);
}

Result<Prepared> Prepare(const Publication& publication, const PublishOptions& options) {
  return Preparation(publication, options).Run();
}

}  // namespace sibyl::library
