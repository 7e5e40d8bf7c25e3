// SPDX-License-Identifier: Apache-2.0
#include "engine/oracle.h"

#include "engine/shown_text.h"
#include "engine/source_admission.h"

namespace sibyl::engine {

Result<std::filesystem::path> RequireOracle(const Context& context) {
  if (!context.oracle) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "there is no sibyl.toml here or in a folder above",
                 .hint = "make an oracle with 'sibyl init', or name one with -C DIR"};
  }
  const Root root = SIBYL_TRY(Root::Open(*context.oracle));
  if (!root.Exists(evidence::kConfigFile)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = context.oracle->string() + " is not an oracle: it has no sibyl.toml",
                 .hint = "make it one with 'sibyl init " + context.oracle->string() + "'"};
  }
  return *context.oracle;
}

Result<OwnFolder> OpenOwnFolder(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  const UserState state = SIBYL_TRY(OpenState(context));
  return OwnFolder::Open(oracle, state);
}

Result<std::optional<OwnFolder>> FindOwnFolder(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  const Root root = SIBYL_TRY(Root::Open(oracle));
  if (!root.Exists(kOwnFolder)) return std::optional<OwnFolder>();
  const UserState state = SIBYL_TRY(OpenState(context));
  return OwnFolder::Find(oracle, state);
}

Result<Root> OpenOracle(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  return Root::Open(oracle);
}

Result<UserState> OpenState(const Context& context) {
  return UserState::Open(context.state ? *context.state : SIBYL_TRY(UserState::DefaultFolder()));
}

Result<evidence::Surroundings> EvidenceAround(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  evidence::Store store =
      context.store ? evidence::Store(*context.store) : SIBYL_TRY(evidence::Store::Default());
  return evidence::Surroundings{.oracle = oracle,
                                .store = std::move(store),
                                .clock = context.clock,
                                .progress = context.progress,
                                .network = context.network,
                                .admit = MakeAdmitter(context),
                                .follow_redirect = [context](const std::string& url) {
                                  return FollowGitRedirect(context, url);
                                }};
}

Json PinAsJson(const evidence::Pin& pin) {
  Json json = {{"name", pin.name},
               {"kind", evidence::SourceKindName(pin.kind)},
               {"origin", pin.origin},
               {"ref", pin.ref.empty() ? Json(nullptr) : Json(pin.ref)},
               {"commit", pin.commit ? Json(pin.commit->Hex()) : Json(nullptr)},
               {"tree", pin.tree ? Json(pin.tree->Hex()) : Json(nullptr)},
               {"date", pin.date},
               {"include", pin.filter.include},
               {"exclude", pin.filter.exclude},
               {"max_file_bytes", pin.filter.max_file_bytes}};
  for (const evidence::PageRecord& page : pin.pages) {
    json["pages"].push_back({{"url", page.url},
                             {"path", page.path},
                             {"title", page.title},
                             {"text_sha256", page.text_sha256},
                             {"fetched", page.fetched}});
  }
  HideUserinfo(json);
  return json;
}

}  // namespace sibyl::engine
