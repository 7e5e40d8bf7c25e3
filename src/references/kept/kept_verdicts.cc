// SPDX-License-Identifier: Apache-2.0
#include "references/kept/kept_verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/files/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "references/kept/verdict_json.h"
#include "references/resolve.h"

namespace sibyl::references {
namespace {

constexpr std::string_view kTitle = "sibyl verdicts 1 ";
constexpr std::size_t kMaxCache = std::size_t{128} << 20;
constexpr std::size_t kMaxDocuments = 50'000;
constexpr std::size_t kNameDigits = 32;

// What the answers for all documents depend on.
std::string StateOf(const CheckRequest& request) {
  const Repository& code = request.code;
  const GitRepository& location = code.location();
  Sha256Stream hash;
  const auto add = [&](std::string_view part) {
    hash.Add(fmt::format("{}\n", part.size()));
    hash.Add(part);
  };
  const auto add_file = [&](const Result<std::string>& bytes) {
    add(bytes.ok() ? std::string_view(*bytes) : std::string_view("-"));
  };
  add(std::to_string(kRulesVersion));
  add(code.head() ? code.head()->Hex() : std::string());
  add(request.honours_pins ? "pins" : "");
  add(code.Origin());
  add(location.work_tree.filename().string());
  for (const std::string& path : code.paths().all()) {
    add(path);
    // Files that git ignores count as missing.
    if (path == ".gitignore" || path.ends_with("/.gitignore")) {
      add_file(code.Read(path));
    }
  }
  for (const char* const name : {"info/exclude", "shallow"}) {
    add_file(ReadFile(location.git_dir / name, {.max_bytes = kMaxCache}));
  }
  return hash.Finish();
}

}  // namespace

KeptVerdicts::KeptVerdicts(const CheckRequest& request) : request_(request) {
  is_used_ = !request.cache.empty() && request.texts == nullptr && request.memory == nullptr &&
             request.code.is_work_tree();
  if (!is_used_) return;
  state_ = StateOf(request);
  const std::string folder = request.code.location().work_tree.string();
  file_ = request.cache / fmt::format("verdicts-{}", Sha256(folder).substr(0, kNameDigits));
  const Result<std::string> bytes = ReadFile(file_, {.max_bytes = kMaxCache});
  if (bytes.ok()) Read(*bytes);
}

// A title with the hash of the rest, and JSON.
void KeptVerdicts::Read(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos || !bytes.starts_with(kTitle)) return;
  const std::string_view body = bytes.substr(end + 1);
  if (bytes.substr(kTitle.size(), end - kTitle.size()) != Sha256(body)) return;
  const Result<Json> json = ParseJson(body);
  if (!json.ok() || !json->is_array()) return;
  std::map<std::string, Kept> documents;
  for (const Json& entry : *json) {
    if (!entry.is_array() || entry.size() != 5 || !entry[0].is_string() || !entry[1].is_string() ||
        !entry[2].is_array() || !entry[4].is_array()) {
      return;
    }
    Kept kept{.key = entry[1].get<std::string>(), .blobs = {}, .stamp = {}, .references = {}};
    for (const Json& file : entry[2]) {
      if (!file.is_array() || file.size() != 2 || !file[0].is_string() || !file[1].is_string()) {
        return;
      }
      kept.blobs.emplace(file[0].get<std::string>(), file[1].get<std::string>());
    }
    if (entry[3].is_number_unsigned()) kept.stamp = entry[3].get<std::size_t>();
    for (const Json& reference : entry[4]) {
      std::optional<CheckedReference> checked = CheckedFromJson(reference);
      if (!checked) return;
      kept.references.push_back(*std::move(checked));
    }
    documents.emplace(entry[0].get<std::string>(), std::move(kept));
  }
  const MutexLock lock(mutex_);
  documents_ = std::move(documents);
}

std::string KeptVerdicts::KeyOf(const CheckedDocument& document) const {
  return Sha256(fmt::format("{}\n{}\n{}", state_, document.path, document.text));
}

bool KeptVerdicts::Answer(CheckedDocument& document) const {
  if (!is_used_) return false;
  Kept kept;
  {
    const MutexLock lock(mutex_);
    const auto known = documents_.find(document.path);
    if (known == documents_.end()) return false;
    kept = known->second;
  }
  if (kept.key != KeyOf(document)) return false;
  if (kept.stamp && *kept.stamp != request_.code.stamp()) return false;
  const bool is_same = std::all_of(kept.blobs.begin(), kept.blobs.end(), [&](const auto& file) {
    return request_.code.BlobOf(file.first) == file.second;
  });
  if (!is_same) return false;
  document.references = std::move(kept.references);
  return true;
}

std::vector<std::string> KeptVerdicts::FilesOfAll(const std::string& path,
                                                  const std::vector<Reference>& references) const {
  std::set<std::string> files;
  if (!is_used_) return {};
  for (const Reference& reference : references) {
    for (std::string& file : FilesOf(request_.code, path, reference)) files.insert(std::move(file));
  }
  return {files.begin(), files.end()};
}

void KeptVerdicts::Keep(const CheckedDocument& document, const std::vector<std::string>& files) {
  // JSON cannot keep other bytes.
  if (!is_used_ || document.error || FindInvalidUtf8(document.text)) return;
  // What was left out is said on every run.
  if (!document.left_out.empty()) return;
  Kept kept{.key = KeyOf(document), .blobs = {}, .stamp = {}, .references = document.references};
  const auto depend = [&](const std::string& file) {
    kept.blobs.emplace(file, request_.code.BlobOf(file));
  };
  for (const std::string& file : files) depend(file);
  for (CheckedReference& checked : kept.references) {
    checked.reference.claim = {};
    if (checked.judged.suggestion) depend(checked.judged.suggestion->path);
    // An ignored file may appear on the disk.
    if (!request_.code.paths().Has(checked.judged.target.path)) depend(checked.judged.target.path);
    if (checked.judged.depends_on_tree) kept.stamp = request_.code.stamp();
  }
  const MutexLock lock(mutex_);
  documents_.insert_or_assign(document.path, std::move(kept));
  is_changed_ = true;
}

void KeptVerdicts::Save() const {
  Json json = Json::array();
  {
    const MutexLock lock(mutex_);
    if (!is_used_ || !is_changed_ || !request_.keeps_cache) return;
    for (const auto& [path, kept] : documents_) {
      // Documents that were removed are forgotten.
      if (!request_.code.paths().Has(path) || json.size() >= kMaxDocuments) continue;
      Json references = Json::array();
      for (const CheckedReference& checked : kept.references) references.push_back(AsJson(checked));
      Json blobs = Json::array();
      for (const auto& [file, blob] : kept.blobs) blobs.push_back(Json::array({file, blob}));
      Json stamp;
      if (kept.stamp) stamp = *kept.stamp;
      json.push_back(
          Json::array({path, kept.key, std::move(blobs), std::move(stamp), std::move(references)}));
    }
  }
  const std::string body = FormatJson(json, JsonLayout::kCompact);
  // Without the cache the answer is the same.
  if (body.size() >= kMaxCache || !CreateFolders(request_.cache).ok()) return;
  const Status written =
      WriteFileAtomically(file_, fmt::format("{}{}\n{}", kTitle, Sha256(body), body));
  static_cast<void>(written.ok());
}

}  // namespace sibyl::references
