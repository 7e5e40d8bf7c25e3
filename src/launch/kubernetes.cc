// SPDX-License-Identifier: Apache-2.0
// An indexed Job, whose number of workers can be changed. A pod that the cluster
// evicts or preempts is replaced and does not count as a failure
// (podFailurePolicy). Each pod has a clone of the oracle at one commit; the
// ledger's passwords are in a Secret that is mounted, and in no manifest.
#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "base/numbers.h"
#include "base/userinfo.h"
#include "launch/quote.h"
#include "launch/targets.h"

namespace sibyl::launch {
namespace {

constexpr std::string_view kWorkFolder = "/work";
constexpr std::string_view kLedgerFolder = "/secrets/ledger";
constexpr std::string_view kGitFolder = "/secrets/git";
constexpr std::string_view kStoreFolder = "/store";
// By root, and by the group that Kubernetes gives to the files of a pod with a
// user of its own. libpq refuses a password file that a group can read, but not a
// service file.
constexpr int kReadable = 0400;
constexpr int kGraceSeconds = 60;
constexpr int kKeptSeconds = 86'400;
// Exit codes of sibyl.
constexpr int kCannotRun = 2;
constexpr int kTryAgain = 75;

Json Variable(std::string_view name, std::string_view value) {
  return {{"name", name}, {"value", value}};
}

Json Mount(std::string_view volume, std::string_view path, bool is_read_only) {
  return {{"name", volume}, {"mountPath", path}, {"readOnly", is_read_only}};
}

Json SecretVolume(std::string_view volume, std::string_view secret) {
  return {{"name", volume}, {"secret", {{"secretName", secret}, {"defaultMode", kReadable}}}};
}

class Manifest {
 public:
  explicit Manifest(const Request& request)
      : workers_(request.workers), settings_(request.settings) {}

  Json Job() const {
    const auto count = static_cast<std::int64_t>(workers_.count);
    Json job = {{"apiVersion", "batch/v1"}, {"kind", "Job"}};
    job["metadata"] = {{"name", workers_.name}, {"labels", Labels()}};
    if (const std::string space = Setting("namespace"); !space.empty()) {
      job["metadata"]["namespace"] = space;
    }
    // Pods that disappear are replaced, and so are those whose ledger was away; a
    // worker that cannot run at all ends the Job, since its replacements could not either.
    const Json ignored = {
        {"action", "Ignore"},
        {"onPodConditions", Json::array({{{"type", "DisruptionTarget"}, {"status", "True"}}})}};
    const Json retried = {
        {"action", "Ignore"},
        {"onExitCodes",
         {{"containerName", "worker"}, {"operator", "In"}, {"values", Json::array({kTryAgain})}}}};
    const Json fatal = {
        {"action", "FailJob"},
        {"onExitCodes",
         {{"containerName", "worker"}, {"operator", "In"}, {"values", Json::array({kCannotRun})}}}};
    job["spec"] = {{"completionMode", "Indexed"},
                   {"completions", count},
                   {"parallelism", count},
                   {"backoffLimit", 10 + 5 * count},
                   {"podFailurePolicy", {{"rules", Json::array({ignored, retried, fatal})}}},
                   {"ttlSecondsAfterFinished", kKeptSeconds},
                   {"template", {{"metadata", {{"labels", Labels()}}}, {"spec", Pod()}}}};
    return job;
  }

 private:
  std::string Setting(std::string_view name) const { return SettingOr(settings_, name, ""); }

  Json Labels() const {
    return {{"app.kubernetes.io/name", "sibyl-worker"},
            {"app.kubernetes.io/instance", workers_.name}};
  }

  Json Pod() const {
    Json pod = {{"restartPolicy", "Never"},
                {"terminationGracePeriodSeconds", kGraceSeconds},
                {"automountServiceAccountToken", false}};
    if (const std::string account = Setting("service-account"); !account.empty()) {
      pod["serviceAccountName"] = account;
    }
    if (const std::string user = Setting("user"); !user.empty()) {
      const std::int64_t number = ParseNumber<std::int64_t>(user).value_or(0);
      pod["securityContext"] = {{"runAsNonRoot", true},
                                {"runAsUser", number},
                                {"runAsGroup", number},
                                {"fsGroup", number}};
    }
    pod["initContainers"] = Json::array({Clone(), Checkout()});
    pod["containers"] = Json::array({Worker()});
    pod["volumes"] = Volumes();
    return pod;
  }

  Json Container(std::string_view name, const std::vector<std::string>& command) const {
    return {{"name", name},
            {"image", Setting("image")},
            {"command", command},
            {"securityContext",
             {{"allowPrivilegeEscalation", false},
              {"capabilities", {{"drop", Json::array({"ALL"})}}}}}};
  }

  std::string OracleClone() const { return fmt::format("{}/oracle", kWorkFolder); }

  Json Clone() const {
    Json clone = Container("clone", {"git", "-c", "protocol.ext.allow=never", "clone",
                                     "--no-checkout", "--", Setting("repository"), OracleClone()});
    clone["volumeMounts"] = Json::array({Mount("work", kWorkFolder, false)});
    if (!Setting("git-secret").empty()) {
      clone["env"] = Json::array({Variable("HOME", kGitFolder)});
      clone["volumeMounts"].push_back(Mount("git", kGitFolder, true));
    }
    return clone;
  }

  Json Checkout() const {
    Json checkout = Container(
        "checkout", {"git", "-C", OracleClone(), "checkout", "--detach", Setting("commit")});
    checkout["volumeMounts"] = Json::array({Mount("work", kWorkFolder, false)});
    return checkout;
  }

  Json Worker() const {
    Json worker = Container("worker", WorkerCommand(workers_));
    worker["workingDir"] = workers_.folder;
    Json environment = Json::array();
    for (const auto& [name, value] : workers_.environment) {
      environment.push_back(Variable(name, value));
    }
    const std::string ledger(kLedgerFolder);
    environment.push_back(Variable("HOME", kWorkFolder));
    environment.push_back(Variable("PGSERVICEFILE", ledger + "/pg_service.conf"));
    environment.push_back(Variable("PGPASSFILE", ledger + "/pgpass"));
    if (const std::string secret = Setting("model-secret"); !secret.empty()) {
      environment.push_back(
          {{"name", "SIBYL_MODEL_KEY"},
           {"valueFrom", {{"secretKeyRef", {{"name", secret}, {"key", "SIBYL_MODEL_KEY"}}}}}});
    }
    Json mounts =
        Json::array({Mount("work", kWorkFolder, false), Mount("ledger", kLedgerFolder, true)});
    if (!Setting("store-claim").empty()) {
      environment.push_back(Variable("SIBYL_STORE", kStoreFolder));
      mounts.push_back(Mount("store", kStoreFolder, false));
    }
    worker["env"] = std::move(environment);
    worker["volumeMounts"] = std::move(mounts);
    const Json room = {{"cpu", SettingOr(settings_, "cpu", std::to_string(workers_.jobs))},
                       {"memory", SettingOr(settings_, "memory", "2Gi")}};
    worker["resources"] = {{"requests", room}, {"limits", {{"memory", room["memory"]}}}};
    return worker;
  }

  Json Volumes() const {
    Json volumes = Json::array({{{"name", "work"}, {"emptyDir", Json::object()}}});
    volumes.push_back(
        SecretVolume("ledger", SettingOr(settings_, "ledger-secret", "sibyl-ledger")));
    if (const std::string secret = Setting("git-secret"); !secret.empty()) {
      volumes.push_back(SecretVolume("git", secret));
    }
    if (const std::string claim = Setting("store-claim"); !claim.empty()) {
      volumes.push_back({{"name", "store"}, {"persistentVolumeClaim", {{"claimName", claim}}}});
    }
    return volumes;
  }

  const Workers& workers_;
  const Settings& settings_;
};

Status CheckKubernetes(const Settings& settings) {
  for (const std::string_view name : {"image", "repository", "commit"}) {
    if (!SettingOr(settings, name, "").empty()) continue;
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("launching on kubernetes: --set {}=… is missing", name),
                 .hint =
                     "image: one with sibyl and git; repository: from which each pod clones "
                     "the oracle; commit: which one of its commits"};
  }
  SIBYL_TRY(CheckWord("--set commit", SettingOr(settings, "commit", ""), "._/-"));
  const std::string repository = SettingOr(settings, "repository", "");
  if (repository.starts_with("-")) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--set repository: an address does not begin with '-'"};
  }
  if (!HasUserinfo(repository)) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = "--set repository: the address contains a password",
               .hint = "put it into .netrc in a Secret and name that with --set git-secret=NAME"};
}

// In commands and variables $(NAME) is replaced by Kubernetes.
Json Literal(Json json) {
  if (json.is_string()) return WithDoubledDollars(json.get<std::string>());
  for (Json& each : json) each = Literal(std::move(each));
  return json;
}

}  // namespace

Result<std::vector<Step>> KubernetesSteps(const Request& request) {
  std::vector<std::string> words = {"kubectl"};
  const std::string space = SettingOr(request.settings, "namespace", "");
  if (!space.empty()) words.push_back("--namespace=" + space);
  if (request.workers.count == 0) {
    words.insert(words.end(), {"delete", "job", request.workers.name, "--ignore-not-found"});
    return std::vector<Step>{{.words = std::move(words)}};
  }
  SIBYL_TRY(CheckKubernetes(request.settings));
  Json job = Manifest(request).Job();
  Json& pod = job["spec"]["template"]["spec"];
  for (const char* list : {"initContainers", "containers"}) {
    for (Json& container : pod[list]) {
      container["command"] = Literal(container["command"]);
      if (!container.contains("env")) continue;
      for (Json& variable : container["env"]) {
        if (variable.contains("value")) variable["value"] = Literal(variable["value"]);
      }
    }
  }
  words.insert(words.end(), {"apply", "--filename=-"});
  return std::vector<Step>{{.words = std::move(words), .input = Yaml(job)}};
}

}  // namespace sibyl::launch
