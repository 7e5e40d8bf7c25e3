// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_memory.h"

#include <fmt/format.h>

#include <utility>

#include "base/files/root.h"
#include "base/hash.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kMemoryFile = "judged";

// Changes whenever the judges of src/audit decide differently.
constexpr std::string_view kJudgeRules = "judges-4";

constexpr std::size_t kMaxMemoryBytes = std::size_t{64} << 20;
constexpr std::size_t kMembers = 10;

Json JudgementAsRow(const statement::Judgement& one) {
  return Json::array({static_cast<int>(one.verdict), one.code, one.kind, one.text, one.message,
                      one.nearest, one.where, one.reason, one.place.line, one.place.column});
}

std::optional<statement::Judgement> JudgementFromRow(const Json& row) {
  if (!row.is_array() || row.size() != kMembers || !row[0].is_number_unsigned()) {
    return std::nullopt;
  }
  const auto verdict = row[0].get<unsigned>();
  if (verdict > static_cast<unsigned>(statement::Verdict::kUndecidable)) return std::nullopt;
  for (std::size_t i = 1; i < kMembers; ++i) {
    if (i < 8 ? !row[i].is_string() : !row[i].is_number_unsigned()) return std::nullopt;
  }
  return statement::Judgement{
      .verdict = static_cast<statement::Verdict>(verdict),
      .code = row[1],
      .kind = row[2],
      .text = row[3],
      .message = row[4],
      .nearest = row[5],
      .where = row[6],
      .reason = row[7],
      .place = {.line = row[8].get<std::size_t>(), .column = row[9].get<std::size_t>()}};
}

}  // namespace

OwnMemory::OwnMemory(std::filesystem::path folder, std::string code)
    : folder_(std::move(folder)), code_(std::move(code)), known_(Json::object()) {
  const Result<Root> root = Root::Open(folder_);
  if (!root.ok()) return;
  const Result<std::string> bytes =
      root->Read(std::filesystem::path(kMemoryFile), {.max_bytes = kMaxMemoryBytes});
  if (!bytes.ok()) return;
  Json read = Json::parse(*bytes, nullptr, false);
  if (read.is_object()) known_ = std::move(read);
}

std::string OwnMemory::KeyOf(std::string_view shown, std::string_view text) const {
  return Sha256(fmt::format("{}\n{}\n{}\n{}", kJudgeRules, code_, shown, text)).substr(0, 40);
}

std::optional<std::vector<statement::Judgement>> OwnMemory::Find(std::string_view shown,
                                                                 std::string_view text) const {
  const auto found = known_.find(KeyOf(shown, text));
  if (found == known_.end() || !found->is_array()) return std::nullopt;
  std::vector<statement::Judgement> judgements;
  for (const Json& row : *found) {
    std::optional<statement::Judgement> one = JudgementFromRow(row);
    if (!one) return std::nullopt;
    judgements.push_back(*std::move(one));
  }
  return judgements;
}

void OwnMemory::Keep(std::string_view shown, std::string_view text,
                     const std::vector<statement::Judgement>& judgements) {
  Json rows = Json::array();
  for (const statement::Judgement& one : judgements) rows.push_back(JudgementAsRow(one));
  const MutexLock lock(mutex_);
  added_[KeyOf(shown, text)] = std::move(rows);
}

void OwnMemory::Save() {
  const MutexLock lock(mutex_);
  if (added_.empty()) return;
  Json all = known_;
  for (const auto& [key, rows] : added_) all[key] = rows;
  std::string bytes = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (bytes.size() > kMaxMemoryBytes) {
    // What was judged earlier goes first.
    all = Json::object();
    for (const auto& [key, rows] : added_) all[key] = rows;
    bytes = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  const Result<Root> root = Root::Open(folder_);
  if (root.ok() && bytes.size() <= kMaxMemoryBytes) {
    (void)root->Write(std::filesystem::path(kMemoryFile), bytes);
  }
}

}  // namespace sibyl::engine
