// SPDX-License-Identifier: Apache-2.0
#include "oracle/consent.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "base/files/file_lock.h"
#include "base/files/user_state.h"
#include "base/hash.h"
#include "base/json.h"
#include "oracle/oracle.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "trust";
constexpr std::string_view kTrustPurpose = "trust";
constexpr int kTrustVersion = 1;

// Lengths first, so that no two settings have one text. Hashed, since a path need
// not be UTF-8.
std::string HashOf(const OutsideSetting& setting) {
  return Sha256(fmt::format("{}:{}{}:{}{}:{}", setting.name.size(), setting.name,
                            setting.value.size(), setting.value, setting.target.size(),
                            setting.target));
}

Result<fs::path> CanonicalOracle(const Context& context) {
  const fs::path oracle = SIBYL_TRY(RequireOracle(context));
  std::error_code failure;
  fs::path canonical = fs::canonical(oracle, failure);
  if (!failure) return canonical;
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("finding {}: {}", oracle.string(), failure.message())};
}

/// The file about one oracle.
struct ConsentFile {
  std::string oracle;
  fs::path path;  ///< From the state folder.
};

Result<ConsentFile> FileOf(const Context& context) {
  const std::string oracle = SIBYL_TRY(CanonicalOracle(context)).string();
  return ConsentFile{.oracle = oracle, .path = fs::path(kFolder) / (Sha256(oracle) + ".json")};
}

std::string SignedText(const std::string& oracle, const std::set<std::string>& agreed) {
  return FormatJson(Json{{"version", kTrustVersion}, {"oracle", oracle}, {"agreed", agreed}},
                    JsonLayout::kCompact);
}

std::set<std::string> Parse(const std::string& text, const ConsentFile& file,
                            const UserState& state) {
  const Result<Json> json = ParseJson(text);
  if (!json.ok() || !json->is_object() || !json->contains("agreed") ||
      !json->contains("signature") || !(*json)["signature"].is_string() ||
      !(*json)["agreed"].is_array()) {
    return {};
  }
  std::set<std::string> agreed;
  for (const Json& entry : (*json)["agreed"]) {
    if (entry.is_string()) agreed.insert(entry.get<std::string>());
  }
  const auto& signature = (*json)["signature"].get_ref<const std::string&>();
  const bool holds = state.Verifies(kTrustPurpose, SignedText(file.oracle, agreed), signature);
  return holds ? agreed : std::set<std::string>();
}

std::set<std::string> ReadAgreed(const ConsentFile& file, const UserState& state) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  const Result<std::string> text = state.root().Read(file.path, {.max_bytes = kMostBytes});
  return text.ok() ? Parse(*text, file, state) : std::set<std::string>();
}

Error OnlyPeople() {
  return Error{.kind = ErrorKind::kUsage,
               .message = "agents and servers cannot agree to an oracle's settings",
               .hint = "run 'sibyl trust' in a terminal"};
}

}  // namespace

bool MayAgree(const Context& context) {
  return context.roots.empty() && context.lease_monitor == nullptr;
}

Result<Consents> Consents::Read(const Context& context) {
  const ConsentFile file = SIBYL_TRY(FileOf(context));
  Consents consents;
  // Reading must not create a key: audit and search also work without a home
  // folder.
  const fs::path folder = context.state ? *context.state : SIBYL_TRY(UserState::DefaultFolder());
  std::error_code ignored;
  if (!fs::exists(folder / file.path, ignored)) return consents;
  consents.agreed_ = ReadAgreed(file, SIBYL_TRY(OpenState(context)));
  return consents;
}

bool Consents::Covers(const OutsideSetting& setting) const {
  if (setting.is_refused) return false;
  return setting.is_from_environment || agreed_.contains(HashOf(setting));
}

Status RequireConsent(const Context& context, const OutsideSetting& setting) {
  if (setting.is_refused) {
    return Error{
        .kind = ErrorKind::kUnavailable, .message = setting.effect, .place = setting.place};
  }
  if (setting.is_from_environment) return {};
  const Result<Consents> consents = Consents::Read(context);
  if (consents.ok() && consents->Covers(setting)) return {};
  // Not kUsage: one source that waits for an agreement does not stop the others.
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("{}, and you have not agreed to that", setting.effect),
               .hint = MayAgree(context)
                           ? "if you expect this, agree with 'sibyl trust'"
                           : "a person can agree to it with 'sibyl trust' in this oracle",
               .place = setting.place};
}

Status RequireConsent(const Context& context, const std::vector<OutsideSetting>& settings) {
  for (const OutsideSetting& setting : settings) SIBYL_TRY(RequireConsent(context, setting));
  return {};
}

Status RecordConsent(const Context& context, const std::vector<OutsideSetting>& settings) {
  if (settings.empty()) return {};
  if (!MayAgree(context)) return OnlyPeople();
  const ConsentFile file = SIBYL_TRY(FileOf(context));
  const UserState state = SIBYL_TRY(OpenState(context));
  constexpr std::chrono::seconds kPatience{10};
  const FileLock turn = SIBYL_TRY(FileLock::Take(state.root().Shown("trust.lock"), kPatience));
  std::set<std::string> agreed = ReadAgreed(file, state);
  for (const OutsideSetting& setting : settings) agreed.insert(HashOf(setting));
  Json json = {{"version", kTrustVersion}, {"oracle", file.oracle}, {"agreed", agreed}};
  json["signature"] = state.Sign(kTrustPurpose, SignedText(file.oracle, agreed));
  SIBYL_TRY(state.root().MakeFolders(kFolder));
  return state.root().Write(file.path, FormatJson(json) + "\n", {.mode = 0600});
}

Status RevokeConsent(const Context& context) {
  if (!MayAgree(context)) return OnlyPeople();
  const ConsentFile file = SIBYL_TRY(FileOf(context));
  const UserState state = SIBYL_TRY(OpenState(context));
  return state.root().Remove(file.path);
}

}  // namespace sibyl::oracle
