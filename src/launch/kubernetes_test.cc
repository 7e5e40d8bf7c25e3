// SPDX-License-Identifier: Apache-2.0
// Manifests against the rules of the public schema of batch/v1 Job: which
// members there are, of which type, and which are needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "launch/test_launch.h"
#include "launch/test_yaml.h"

namespace sibyl::launch {
namespace {

// "TYPE" or "[TYPE]" for lists; "!" before it: needed. Types are "text",
// "number", "flag", "map" of texts, and those of this table.
using Members = std::map<std::string, std::string>;
const std::map<std::string, Members>& Schema() {
  static const auto* const kSchema = new std::map<std::string, Members>{
      {"Job",
       {{"apiVersion", "!text"}, {"kind", "!text"}, {"metadata", "!Meta"}, {"spec", "!JobSpec"}}},
      {"Meta", {{"name", "text"}, {"namespace", "text"}, {"labels", "map"}}},
      {"JobSpec",
       {{"completionMode", "text"},
        {"completions", "number"},
        {"parallelism", "number"},
        {"backoffLimit", "number"},
        {"podFailurePolicy", "PodFailurePolicy"},
        {"ttlSecondsAfterFinished", "number"},
        {"template", "!PodTemplate"}}},
      {"PodFailurePolicy", {{"rules", "![FailureRule]"}}},
      {"FailureRule",
       {{"action", "!text"},
        {"onPodConditions", "[PodCondition]"},
        {"onExitCodes", "OnExitCodes"}}},
      {"PodCondition", {{"type", "!text"}, {"status", "!text"}}},
      {"OnExitCodes", {{"containerName", "text"}, {"operator", "!text"}, {"values", "![number]"}}},
      {"PodTemplate", {{"metadata", "Meta"}, {"spec", "!PodSpec"}}},
      {"PodSpec",
       {{"restartPolicy", "text"},
        {"terminationGracePeriodSeconds", "number"},
        {"automountServiceAccountToken", "flag"},
        {"serviceAccountName", "text"},
        {"securityContext", "PodSecurity"},
        {"initContainers", "[Container]"},
        {"containers", "![Container]"},
        {"volumes", "[Volume]"}}},
      {"PodSecurity",
       {{"runAsNonRoot", "flag"},
        {"runAsUser", "number"},
        {"runAsGroup", "number"},
        {"fsGroup", "number"}}},
      {"Container",
       {{"name", "!text"},
        {"image", "!text"},
        {"command", "[text]"},
        {"workingDir", "text"},
        {"env", "[Variable]"},
        {"resources", "Resources"},
        {"securityContext", "ContainerSecurity"},
        {"volumeMounts", "[Mount]"}}},
      {"Variable", {{"name", "!text"}, {"value", "text"}, {"valueFrom", "ValueFrom"}}},
      {"ValueFrom", {{"secretKeyRef", "!KeyRef"}}},
      {"KeyRef", {{"name", "!text"}, {"key", "!text"}}},
      {"Resources", {{"requests", "map"}, {"limits", "map"}}},
      {"ContainerSecurity",
       {{"allowPrivilegeEscalation", "flag"}, {"capabilities", "Capabilities"}}},
      {"Capabilities", {{"drop", "[text]"}}},
      {"Mount", {{"name", "!text"}, {"mountPath", "!text"}, {"readOnly", "flag"}}},
      {"Volume",
       {{"name", "!text"},
        {"emptyDir", "EmptyDir"},
        {"secret", "SecretVolume"},
        {"persistentVolumeClaim", "Claim"}}},
      {"EmptyDir", {}},
      {"SecretVolume", {{"secretName", "!text"}, {"defaultMode", "number"}}},
      {"Claim", {{"claimName", "!text"}}}};
  return *kSchema;
}

void CheckType(const std::string& type, const Json& json, const std::string& at) {
  if (type.starts_with("[")) {
    ASSERT_TRUE(json.is_array()) << at;
    for (const Json& item : json) CheckType(type.substr(1, type.size() - 2), item, at + "[]");
    return;
  }
  if (type == "text") {
    EXPECT_TRUE(json.is_string()) << at;
  } else if (type == "number") {
    EXPECT_TRUE(json.is_number_integer()) << at;
  } else if (type == "flag") {
    EXPECT_TRUE(json.is_boolean()) << at;
  } else if (type == "map") {
    ASSERT_TRUE(json.is_object()) << at;
    for (const Json& value : json) EXPECT_TRUE(value.is_string()) << at;
  } else {
    ASSERT_TRUE(json.is_object()) << at;
    const Members& members = Schema().at(type);
    for (const auto& [name, value] : json.items()) {
      ASSERT_TRUE(members.contains(name)) << at << " has no " << name;
      const std::string& member = members.at(name);
      CheckType(member.substr(member.starts_with("!") ? 1 : 0), value, at + "." + name);
    }
    for (const auto& [name, member] : members) {
      EXPECT_TRUE(!member.starts_with("!") || json.contains(name)) << at << " needs " << name;
    }
  }
}

Json ManifestOf(const Request& request) {
  const std::vector<Step> steps = MustPlan(request);
  EXPECT_EQ(steps.size(), 1U);
  return steps.empty() ? Json() : ReadYaml(steps[0].input);
}

TEST(KubernetesManifest, KeepsToTheSchema) {
  Request least{
      .target = Target::kKubernetes,
      .workers = {.name = "sibyl-x",
                  .program = "sibyl",
                  .folder = "/work/oracle",
                  .plan = "plan.md",
                  .count = 3,
                  .environment = {{"SIBYL_LEDGER", "service=sibyl"}}},
      .settings = {
          {"image", "sibyl:1"}, {"repository", "git@example.org:o.git"}, {"commit", "abc"}}};
  Request most = HostileRequest(Target::kKubernetes);
  most.settings["namespace"] = "team";
  most.settings["service-account"] = "robot";
  for (const Request* request : {&least, &most}) {
    const Json job = ManifestOf(*request);
    CheckType("Job", job, "Job");
    EXPECT_EQ(job["apiVersion"], "batch/v1");
    EXPECT_EQ(job["kind"], "Job");
    // What the API server checks beyond types.
    const Json& spec = job["spec"];
    EXPECT_EQ(spec["completionMode"], "Indexed");
    EXPECT_EQ(spec["completions"], spec["parallelism"]) << "so that it can be scaled";
    EXPECT_EQ(spec["template"]["spec"]["restartPolicy"], "Never")
        << "needed for a podFailurePolicy";
    EXPECT_FALSE(job["metadata"]["labels"].empty());
  }
}

TEST(KubernetesManifest, EveryMountHasItsVolumeAndEveryVolumeOneSource) {
  const Json pod = ManifestOf(HostileRequest(Target::kKubernetes))["spec"]["template"]["spec"];
  std::set<std::string> volumes;
  for (const Json& volume : pod["volumes"]) {
    EXPECT_EQ(volume.size(), 2U) << "a name and a source";
    EXPECT_TRUE(volumes.insert(volume["name"].get<std::string>()).second);
  }
  std::set<std::string> containers;
  for (const char* list : {"initContainers", "containers"}) {
    for (const Json& container : pod[list]) {
      EXPECT_TRUE(containers.insert(container["name"].get<std::string>()).second);
      for (const Json& mount : container["volumeMounts"]) {
        EXPECT_TRUE(volumes.contains(mount["name"].get<std::string>()));
      }
      for (const Json& variable : container.value("env", Json::array())) {
        EXPECT_EQ(variable.contains("value") + variable.contains("valueFrom"), 1);
      }
    }
  }
  EXPECT_EQ(containers, (std::set<std::string>{"checkout", "clone", "worker"}));
}

// Kubernetes replaces $(NAME) and makes "$" of "$$".
std::string Expanded(const Json& text) {
  std::string expanded;
  const std::string raw = text.get<std::string>();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    EXPECT_TRUE(raw[i] != '$' || raw.substr(i, 2) == "$$") << raw;
    expanded += raw[i];
    if (raw.substr(i, 2) == "$$") ++i;
  }
  return expanded;
}

TEST(KubernetesManifest, ValuesArriveAsTheyAre) {
  const Request request = HostileRequest(Target::kKubernetes);
  const Json pod = ManifestOf(request)["spec"]["template"]["spec"];
  const Json& worker = pod["containers"][0];
  EXPECT_EQ(Expanded(worker["command"][0]), request.workers.program);
  EXPECT_EQ(Expanded(worker["command"][2]), "--plan=" + request.workers.plan);
  EXPECT_EQ(worker["workingDir"], request.workers.folder);
  EXPECT_EQ(Expanded(worker["env"][0]["value"]), request.workers.environment.at("SIBYL_LEDGER"));
  EXPECT_EQ(Expanded(pod["initContainers"][0]["command"][6]), request.settings.at("repository"));
}

TEST(KubernetesManifest, SecretsAreReferences) {
  const std::string text = MustPlan(HostileRequest(Target::kKubernetes))[0].input;
  const Json worker = ReadYaml(text)["spec"]["template"]["spec"]["containers"][0];
  std::map<std::string, Json> variables;
  for (const Json& each : worker["env"]) variables[each["name"].get<std::string>()] = each;
  EXPECT_EQ(variables["PGSERVICEFILE"]["value"], "/secrets/ledger/pg_service.conf");
  EXPECT_EQ(variables["PGPASSFILE"]["value"], "/secrets/ledger/pgpass");
  EXPECT_EQ(variables["SIBYL_MODEL_KEY"]["valueFrom"]["secretKeyRef"]["name"], "model");
  EXPECT_EQ(variables["SIBYL_STORE"]["value"], "/store");
  Request request = HostileRequest(Target::kKubernetes);
  request.settings["repository"] = "https://ada:secret@example.org/o.git";
  const auto refused = StepsFor(request, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message.find("secret@"), std::string::npos);
}

TEST(KubernetesManifest, APreemptedPodIsNotAFailure) {
  const Json spec = ManifestOf(HostileRequest(Target::kKubernetes))["spec"];
  const Json& rule = spec["podFailurePolicy"]["rules"][0];
  EXPECT_EQ(rule["action"], "Ignore");
  EXPECT_EQ(rule["onPodConditions"][0]["type"], "DisruptionTarget");
  EXPECT_GE(spec["template"]["spec"]["terminationGracePeriodSeconds"], 30);
}

TEST(KubernetesSteps, CancelDeletesTheJob) {
  Request request = HostileRequest(Target::kKubernetes);
  request.workers.count = 0;
  request.settings = {{"namespace", "team"}};
  EXPECT_EQ(MustPlan(request)[0].words,
            (std::vector<std::string>{"kubectl", "--namespace=team", "delete", "job", "sibyl-x",
                                      "--ignore-not-found"}));
}

TEST(KubernetesSteps, SaysWhatIsMissing) {
  Request request = HostileRequest(Target::kKubernetes);
  request.settings.erase("image");
  EXPECT_EQ(StepsFor(request, {}).error().message,
            "launching on kubernetes: --set image=… is missing");
  request = HostileRequest(Target::kKubernetes);
  request.settings["user"] = "ada";
  EXPECT_FALSE(StepsFor(request, {}).ok());
  request = HostileRequest(Target::kKubernetes);
  request.settings["repository"] = "--upload-pack=touch pwned";
  EXPECT_FALSE(StepsFor(request, {}).ok());
  request.settings["repository"] = "https://example.org/o.git";
  request.settings["commit"] = "--output=x";
  EXPECT_FALSE(StepsFor(request, {}).ok());
}

}  // namespace
}  // namespace sibyl::launch
