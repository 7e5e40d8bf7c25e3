// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/process/environment.h"
#include "draft/model/model_prompt.h"
#include "model/model_config.h"
#include "oracle/consent.h"
#include "oracle/oracle.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kOpenAiHost = "api.openai.com";
constexpr std::string_view kAnthropicHost = "api.anthropic.com";

template <typename T>
std::optional<T> Lower(const std::optional<T>& a, const std::optional<T>& b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

Error NoServer(std::string_view what) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("the model's {} is not set", what),
          .hint =
              "in sibyl.toml: [model] with url = \"http://127.0.0.1:8080/v1\" and name = "
              "\"…\"; or SIBYL_MODEL_URL and SIBYL_MODEL"};
}

// The key for this server. Only for a server that is set in the user's
// environment or that the user agreed to.
std::string KeyFor(const net::Url& url, const ModelEnvironment& environment) {
  if (url.scheme == "https" && url.host == kOpenAiHost && environment.openai) {
    return *environment.openai;
  }
  if (url.scheme == "https" && url.host == kAnthropicHost && environment.anthropic) {
    return *environment.anthropic;
  }
  return environment.key.value_or("");
}

}  // namespace

struct ModelAccess::Settings {
  model::Server server;
  std::string judge;
  bool is_judged = false;
  model::Asking asking = model::Asking::kServer;
  model::Price price;
  model::SpendingLimits limits;
  runner::RunLimits shared;
  std::chrono::milliseconds time{};
  Network network = Network::kForbidden;
  std::filesystem::path cache;
};

ModelEnvironment ModelEnvironment::Read() {
  return {.url = EnvironmentVariable("SIBYL_MODEL_URL"),
          .name = EnvironmentVariable("SIBYL_MODEL"),
          .key = EnvironmentVariable("SIBYL_MODEL_KEY"),
          .openai = EnvironmentVariable("OPENAI_API_KEY"),
          .anthropic = EnvironmentVariable("ANTHROPIC_API_KEY")};
}

ModelAccess::ModelAccess(const oracle::Context& context, const Settings& settings)
    : price_(settings.price),
      limits_(settings.shared),
      budget_(settings.limits, settings.price),
      // The user named this server or agreed to it, wherever it is.
      client_({.clock = context.clock,
               .network = settings.network,
               .allow = {settings.server.url.HostAndPort()}}),
      writer_({.server = settings.server,
               .client = client_,
               .budget = budget_,
               .cache = settings.cache,
               .deadline = client_.stopwatch().Read() + settings.time,
               .asking = settings.asking}) {
  if (!settings.is_judged) return;
  model::Server judge = settings.server;
  if (!settings.judge.empty()) judge.model = settings.judge;
  judge_.emplace(model::ModelOptions{.server = std::move(judge),
                                     .client = client_,
                                     .budget = budget_,
                                     .cache = settings.cache,
                                     .deadline = client_.stopwatch().Read() + settings.time,
                                     .asking = settings.asking});
}

Result<std::unique_ptr<ModelAccess>> ModelAccess::Open(const oracle::Context& context,
                                                       const ModelRequest& request,
                                                       const ModelEnvironment& environment) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const std::filesystem::path file = around.oracle / "sibyl.toml";
  const Root oracle = SIBYL_TRY(oracle::OpenOracle(context));
  const std::string text = SIBYL_TRY(oracle.Read(evidence::kConfigFile));
  const model::ModelConfig config =
      SIBYL_TRY(model::ParseModelConfig(text, oracle::ShownPath(context, file).string()));
  const std::string address = environment.url.value_or(config.url);
  const std::string name = environment.name.value_or(config.name);
  if (address.empty()) return NoServer("server");
  if (name.empty()) return NoServer("name");

  const bool asks_server = request.asks_server && context.network == Network::kAllowed;
  if (asks_server && !environment.url) {
    SIBYL_TRY(oracle::RequireConsent(context, oracle::OutsideSettingsOf(config)));
  }
  Settings settings{.judge = config.judge,
                    .is_judged = request.is_judged,
                    .asking = asks_server ? model::Asking::kServer : model::Asking::kMemoryOnly,
                    .price = {.input = config.input_price, .output = config.output_price},
                    .time = std::chrono::minutes(config.max_minutes),
                    .network = asks_server ? Network::kAllowed : Network::kForbidden,
                    .cache = around.store.folder() / "models"};
  net::Url url = SIBYL_TRY(net::ParseUrl(address));
  settings.server = {.protocol = *model::ParseProtocol(config.api),
                     .url = std::move(url),
                     .model = name,
                     .time = std::chrono::seconds(config.request_seconds),
                     .idle = std::chrono::seconds(config.idle_seconds),
                     .tries = static_cast<int>(config.tries),
                     .at_once = static_cast<std::size_t>(config.at_once)};
  if (asks_server) settings.server.key = KeyFor(settings.server.url, environment);
  std::optional<std::uint64_t> tokens;
  if (config.max_tokens) tokens = static_cast<std::uint64_t>(*config.max_tokens);
  settings.limits = {.tokens = Lower(tokens, request.max_tokens),
                     .cost = Lower(config.max_cost, request.max_cost)};
  constexpr double kMillion = 1e6;
  settings.shared = {
      .server = settings.server.url.HostAndPort(),
      .parts_at_once = config.parts_at_once,
      .tokens_per_hour = config.tokens_per_hour,
      .tokens = static_cast<std::int64_t>(settings.limits.tokens.value_or(0)),
      .money_millionths = static_cast<std::int64_t>(settings.limits.cost.value_or(0) * kMillion)};
  const bool has_price = settings.price.input > 0 || settings.price.output > 0;
  if (settings.limits.cost && !has_price) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = "a limit on cost needs prices",
        .hint = "set input_price and output_price, per million tokens, in [model] of sibyl.toml"};
  }
  return std::unique_ptr<ModelAccess>(new ModelAccess(context, settings));
}

void ModelAccess::ShareBudget(std::unique_ptr<model::SharedBudget> shared) {
  shared_ = std::move(shared);
  budget_.Share(*shared_);
}

std::string ModelAccess::Fingerprint() const {
  return fmt::format("{} at {}", Names(), writer_.server().url.Text());
}

std::string ModelAccess::Names() const {
  return fmt::format("llm {} {} {}", draft::kPromptVersion, writer_.server().model,
                     judge_ ? "judged by " + judge_->server().model : "not judged");
}

}  // namespace sibyl::expansion
