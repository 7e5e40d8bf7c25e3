// SPDX-License-Identifier: Apache-2.0
// Manifests against the rules of the public schema of batch/v1 Job: which
// members there are, of which type, with which values, and which are needed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "launch/test_launch.h"
#include "launch/test_yaml.h"

namespace sibyl::launch {
namespace {

// "TYPE" or "[TYPE]" for lists; "!" before it: needed. Types are "text",
// "number", "flag", "map" of texts, those of Forms, "=A|B" for one of these values,
// "0..9" for a number, and those of this table. From the OpenAPI description of
// Kubernetes 1.31, the comments of its fields and the validation of its API server.
using Members = std::map<std::string, std::string>;
// NOLINTNEXTLINE(readability-function-size): a table
const std::map<std::string, Members>& Schema() {
  static const auto* const schema = new std::map<std::string, Members>{
      {"Job",
       {{"apiVersion", "!=batch/v1"},
        {"kind", "!=Job"},
        {"metadata", "!Meta"},
        {"spec", "!JobSpec"}}},
      {"Meta", {{"name", "name"}, {"namespace", "name"}, {"labels", "labels"}}},
      {"JobSpec",
       {{"completionMode", "=NonIndexed|Indexed"},
        {"completions", "0..100000"},
        {"parallelism", "0..100000"},
        {"backoffLimit", "0..2147483647"},
        {"podFailurePolicy", "PodFailurePolicy"},
        {"ttlSecondsAfterFinished", "0..2147483647"},
        {"template", "!PodTemplate"}}},
      {"PodFailurePolicy", {{"rules", "![FailureRule]"}}},
      {"FailureRule",
       {{"action", "!=Ignore|FailJob|FailIndex|Count"},
        {"onPodConditions", "[PodCondition]"},
        {"onExitCodes", "OnExitCodes"}}},
      {"PodCondition", {{"type", "!text"}, {"status", "!=True|False|Unknown"}}},
      {"OnExitCodes",
       {{"containerName", "name"}, {"operator", "!=In|NotIn"}, {"values", "![1..255]"}}},
      {"PodTemplate", {{"metadata", "Meta"}, {"spec", "!PodSpec"}}},
      {"PodSpec",
       {{"restartPolicy", "=Never|OnFailure"},
        {"terminationGracePeriodSeconds", "0..2147483647"},
        {"automountServiceAccountToken", "flag"},
        {"serviceAccountName", "name"},
        {"securityContext", "PodSecurity"},
        {"initContainers", "[Container]"},
        {"containers", "![Container]"},
        {"volumes", "[Volume]"}}},
      {"PodSecurity",
       {{"runAsNonRoot", "flag"},
        {"runAsUser", "0..2147483647"},
        {"runAsGroup", "0..2147483647"},
        {"fsGroup", "0..2147483647"}}},
      {"Container",
       {{"name", "!name"},
        {"image", "!text"},
        {"command", "[text]"},
        {"workingDir", "text"},
        {"env", "[Variable]"},
        {"resources", "Resources"},
        {"securityContext", "ContainerSecurity"},
        {"volumeMounts", "[Mount]"}}},
      {"Variable", {{"name", "!variable"}, {"value", "text"}, {"valueFrom", "ValueFrom"}}},
      {"ValueFrom", {{"secretKeyRef", "!KeyRef"}}},
      {"KeyRef", {{"name", "!name"}, {"key", "!key"}}},
      {"Resources", {{"requests", "Amounts"}, {"limits", "Amounts"}}},
      {"Amounts", {{"cpu", "quantity"}, {"memory", "quantity"}}},
      {"ContainerSecurity",
       {{"allowPrivilegeEscalation", "flag"}, {"capabilities", "Capabilities"}}},
      {"Capabilities", {{"drop", "[text]"}}},
      {"Mount", {{"name", "!name"}, {"mountPath", "!mount"}, {"readOnly", "flag"}}},
      {"Volume",
       {{"name", "!name"},
        {"emptyDir", "EmptyDir"},
        {"secret", "SecretVolume"},
        {"persistentVolumeClaim", "Claim"}}},
      {"EmptyDir", {}},
      {"SecretVolume", {{"secretName", "!name"}, {"defaultMode", "0..511"}}},
      {"Claim", {{"claimName", "!name"}}}};
  return *schema;
}

// Texts of a form, each with an example of what is refused.
const std::map<std::string, std::string>& Forms() {
  static const auto* const forms = new std::map<std::string, std::string>{
      {"name", "[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?"},
      {"label", "([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?"},
      {"variable", "[-._a-zA-Z][-._a-zA-Z0-9]*"},
      {"key", "[-._a-zA-Z0-9]{1,253}"},
      {"mount", "/[^:]*"},
      {"quantity", "[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|e[0-9]+)?"}};
  return *forms;
}

// "0..9" and "=A|B".
bool IsAmong(const std::string& type, const Json& json) {
  if (type.starts_with("=")) {
    return json.is_string() &&
           ("|" + type.substr(1) + "|").find("|" + json.get<std::string>() + "|") !=
               std::string::npos;
  }
  const std::size_t dots = type.find("..");
  return json.is_number_integer() && json.get<std::int64_t>() >= std::stoll(type.substr(0, dots)) &&
         json.get<std::int64_t>() <= std::stoll(type.substr(dots + 2));
}

void CheckType(const std::string& type, const Json& json, const std::string& at) {
  if (type.starts_with("[")) {
    ASSERT_TRUE(json.is_array()) << at;
    for (const Json& item : json) CheckType(type.substr(1, type.size() - 2), item, at + "[]");
    return;
  }
  if (type.starts_with("=") || type.find("..") != std::string::npos) {
    EXPECT_TRUE(IsAmong(type, json)) << at << " must be " << type << ", not " << json;
  } else if (Forms().contains(type)) {
    ASSERT_TRUE(json.is_string()) << at;
    EXPECT_TRUE(std::regex_match(json.get<std::string>(), std::regex(Forms().at(type))))
        << at << " is not a " << type << ": " << json;
  } else if (type == "labels") {
    for (const Json& value : json) CheckType("label", value, at);
  } else if (type == "text") {
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
      CheckType(member.substr(member.starts_with("!") ? 1 : 0), value,
                fmt::format("{}.{}", at, name));
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
  most.settings["cpu"] = "1500m";
  most.settings["memory"] = "2.5Gi";
  for (const Request* request : {&least, &most}) {
    const Json job = ManifestOf(*request);
    CheckType("Job", job, "Job");
    // What the API server checks beyond types.
    const Json& spec = job["spec"];
    EXPECT_EQ(spec["completionMode"], "Indexed");
    EXPECT_EQ(spec["completions"], spec["parallelism"]) << "so that it can be scaled";
    EXPECT_EQ(spec["template"]["spec"]["restartPolicy"], "Never")
        << "needed for a podFailurePolicy";
    EXPECT_LE(job["metadata"]["name"].get<std::string>().size() + std::string("-100000").size(),
              63U)
        << "the name of a pod's host has the index";
    EXPECT_EQ(spec["template"]["metadata"]["labels"], job["metadata"]["labels"]);
    for (const Json& rule : spec["podFailurePolicy"]["rules"]) {
      EXPECT_EQ(rule.contains("onPodConditions") + rule.contains("onExitCodes"), 1);
    }
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

// What the API server would refuse after the command has ended.
TEST(KubernetesManifest, SettingsThatTheSchemaRefusesAreRefused) {
  for (const char* setting : {"namespace=Team", "namespace=a b", "service-account=-robot",
                              "ledger-secret=A_b", "store-claim=a/b", "cpu=many", "cpu=-1",
                              "memory=2 GB", "memory=2GB", "memory=", "user=0", "image=a b"}) {
    EXPECT_FALSE(ReadSettings(Target::kKubernetes, {setting}).ok()) << setting;
  }
  for (const char* setting : {"namespace=team-1", "ledger-secret=a.b-c", "cpu=2", "cpu=500m",
                              "cpu=0.5", "memory=512Mi", "memory=2G", "user=1000"}) {
    EXPECT_TRUE(ReadSettings(Target::kKubernetes, {setting}).ok()) << setting;
  }
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
  request.settings["repository"] = "--upload-pack=touch pwned";
  EXPECT_FALSE(StepsFor(request, {}).ok());
  request.settings["repository"] = "https://example.org/o.git";
  request.settings["commit"] = "--output=x";
  EXPECT_FALSE(StepsFor(request, {}).ok());
}

}  // namespace
}  // namespace sibyl::launch
