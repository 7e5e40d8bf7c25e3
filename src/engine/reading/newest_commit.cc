// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/newest_commit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "evidence/look_up.h"
#include "evidence/origins/local_origin.h"
#include "git/object_reader.h"
#include "git/origin.h"
#include "git/tree.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kShortId = 7;
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

// A fetch names them in its own way in the mirror.
std::optional<git::ObjectId> TipOf(const git::Repository& mirror, const evidence::Pin& pin) {
  const std::string name = pin.ref.empty() ? "HEAD" : pin.ref;
  if (git::IsLocalOrigin(pin.origin)) {
    const Result<git::ObjectId> tip = mirror.ResolveCommit(name);
    return tip.ok() ? std::optional(*tip) : std::nullopt;
  }
  for (const char* folder : {"", "refs/heads/", "refs/tags/", "refs/"}) {
    const Result<git::ObjectId> tip =
        mirror.ResolveCommit(fmt::format("refs/remotes/origin/{}{}", folder, name));
    if (tip.ok()) return *tip;
  }
  return std::nullopt;
}

// Where the cited lines are in another version of their file: the line, 0 if they
// are not in it.
std::size_t LineOf(std::string_view text, std::string_view lines) {
  for (std::size_t at = text.find(lines); at != std::string_view::npos;
       at = text.find(lines, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    return 1 + static_cast<std::size_t>(
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  return 0;
}

}  // namespace

NewestCommits::Newest NewestCommits::Find(const evidence::Pin& pin) const {
  if (git::ObjectId::FromHex(pin.ref)) return {.state = "fixed"};
  std::optional<git::Repository> repository = Open(pin);
  const std::optional<git::ObjectId> tip = repository ? TipOf(*repository, pin) : std::nullopt;
  if (!tip) return {.state = "unknown"};
  if (pin.commit == *tip) return {.state = "pin"};
  git::ObjectReader reader(*repository->objects());
  const git::ObjectView view = reader.Read(*tip, git::kMaxTreeBytes);
  const std::optional<git::CommitSummary> commit =
      view.ok() ? git::ParseCommit(view.bytes) : std::nullopt;
  if (!commit) return {.state = "unknown"};
  return {.state = {},
          .objects = repository->objects(),
          .commit = *tip,
          .tree = commit->tree,
          .date = FormatDateTime(Time(std::chrono::seconds(commit->time)))};
}

std::optional<git::Repository> NewestCommits::Open(const evidence::Pin& pin) const {
  if (!git::IsLocalOrigin(pin.origin)) {
    const evidence::Mirror mirror =
        around_.store.MirrorOf(pin.kind, evidence::StoreOrigin(pin.origin, around_.oracle));
    Result<git::Repository> opened = git::Repository::Open(mirror.folder());
    return opened.ok() ? std::optional(*std::move(opened)) : std::nullopt;
  }
  // Nothing needs to be fetched from a repository on this machine.
  const evidence::SourceSpec spec{
      .name = pin.name, .kind = pin.kind, .origin = pin.origin, .ref = pin.ref};
  if (around_.admit && !around_.admit(spec).ok()) return std::nullopt;
  const Result<evidence::LocalPlace> place = evidence::FindLocalOrigin(pin.origin, around_.oracle);
  if (!place.ok()) return std::nullopt;
  Result<git::Repository> opened = git::Repository::Open(place->path, place->within);
  return opened.ok() ? std::optional(*std::move(opened)) : std::nullopt;
}

const NewestCommits::Newest& NewestCommits::Of(const evidence::Pin& pin) {
  const auto found = found_.find(pin.name);
  if (found != found_.end()) return found->second;
  return found_.emplace(pin.name, Find(pin)).first->second;
}

Json NewestCommits::Look(const gate::Receipt& receipt) {
  const gate::Resolution& resolution = receipt.resolution;
  if (receipt.source() == nullptr || resolution.pin == nullptr || !resolution.ok() ||
      resolution.pin->kind != evidence::SourceKind::kGit) {
    return nullptr;
  }
  const Newest& newest = Of(*resolution.pin);
  if (!newest.state.empty()) return {{"state", newest.state}};
  Json json = {{"commit", newest.commit.Hex().substr(0, kShortId)}, {"date", newest.date}};
  git::ObjectReader reader(*newest.objects);
  const evidence::SourceCitation& citation = *receipt.source();
  const auto entry = evidence::LookUpPath(reader, newest.tree, citation.path);
  if (!entry) {
    json["state"] = "gone";
  } else if (entry->id == citation.blob) {
    json["state"] = "holds";
  } else {
    const git::ObjectView file = reader.Read(entry->id, kMostBytes);
    const std::size_t line = file.ok() ? LineOf(file.bytes, resolution.span_view) : 0;
    json["state"] = line == 0 ? "changed" : line == citation.lines.first ? "holds" : "moved";
    if (line > 0) json["first_line"] = line;
  }
  return json;
}

}  // namespace sibyl::engine
