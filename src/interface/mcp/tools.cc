// SPDX-License-Identifier: Apache-2.0
#include "interface/mcp/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "interface/json_answer.h"
#include "oracle/argument_file.h"

namespace sibyl::interface {
namespace {

using engine::Parameter;
using engine::ParameterKind;
using engine::ValueType;

// Known clients cut descriptions at 2 KB; the manual's examples are commands
// that an agent does not type.
constexpr std::size_t kMostDescription = 1'800;

std::string NameOf(const engine::Operation& operation) {
  if (!operation.tool.name.empty()) return std::string(operation.tool.name);
  std::string name(operation.name);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string DescriptionOf(const engine::Operation& operation) {
  std::string text = fmt::format("{}.\n\n", operation.summary);
  text[0] = static_cast<char>(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0]);
  std::string_view manual = operation.description;
  while (!manual.empty() && text.size() < kMostDescription) {
    const std::size_t end = std::min(manual.find("\n\n"), manual.size());
    const std::string_view paragraph = manual.substr(0, end);
    manual.remove_prefix(std::min(end + 2, manual.size()));
    if (paragraph.starts_with("  ")) continue;
    if (text.size() + paragraph.size() > kMostDescription) break;
    text += fmt::format("{}\n\n", paragraph);
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

bool UsesNetwork(const engine::Operation& operation) {
  return operation.effects.network != engine::NetworkUse::kNone;
}

Json ValueSchema(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::kFlag) return {{"type", "boolean"}};
  switch (parameter.type) {
    case ValueType::kInteger: {
      Json schema = {{"type", "integer"}};
      if (parameter.minimum != INT64_MIN) schema["minimum"] = parameter.minimum;
      if (parameter.maximum != INT64_MAX) schema["maximum"] = parameter.maximum;
      return schema;
    }
    case ValueType::kChoice:
      return {{"type", "string"}, {"enum", parameter.choices}};
    case ValueType::kText:
    case ValueType::kPath:
      break;
  }
  return {{"type", "string"}};
}

Json SchemaOf(const OfferedTool& tool) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Parameter& parameter : tool.operation->parameters) {
    if (parameter.people_only) continue;
    Json schema = ValueSchema(parameter);
    if (parameter.repeated) schema = {{"type", "array"}, {"items", std::move(schema)}};
    schema["description"] = parameter.help;
    if (!parameter.default_text.empty() && !parameter.repeated) {
      schema["default"] = parameter.default_text;
    }
    properties[std::string(parameter.name)] = std::move(schema);
    if (parameter.required || parameter.required_of_tools) required.push_back(parameter.name);
  }
  if (tool.is_read_only) {
    properties["cursor"] = {{"type", "string"},
                            {"description", "next_cursor of the previous answer, to continue it"}};
  }
  if (UsesNetwork(*tool.operation)) {
    properties["offline"] = {{"type", "boolean"}, {"description", "open no network connection"}};
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

Error WrongType(const Parameter& parameter, std::string_view wanted) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("argument '{}' must be {}", parameter.name, wanted)};
}

Result<std::string> ReadValue(const Parameter& parameter, const Json& value) {
  if (parameter.type == ValueType::kInteger) {
    if (value.is_number_integer()) return value.dump();
    return WrongType(parameter, "a whole number");
  }
  if (!value.is_string()) return WrongType(parameter, "a string");
  const auto& text = value.get_ref<const std::string&>();
  const bool is_path = parameter.type == ValueType::kPath;
  if (is_path && text.find('\0') != std::string::npos) return WrongType(parameter, "a path");
  return text;
}

Status ReadArgument(const Parameter& parameter, const Json& value,
                    std::vector<engine::GivenValue>& given) {
  const std::string name(parameter.name);
  if (value.is_null()) return {};  // some clients send what was not given
  if (parameter.kind == ParameterKind::kFlag) {
    if (!value.is_boolean()) return WrongType(parameter, "true or false");
    if (value.get<bool>()) given.push_back({.name = name, .value = {}});
    return {};
  }
  if (parameter.repeated && value.is_array()) {
    for (const Json& entry : value) {
      std::string text = SIBYL_TRY(ReadValue(parameter, entry));
      given.push_back({.name = name, .value = std::move(text)});
    }
    return {};
  }
  std::string text = SIBYL_TRY(ReadValue(parameter, value));
  given.push_back({.name = name, .value = std::move(text)});
  return {};
}

Error UnknownArgument(const OfferedTool& tool, const std::string& name) {
  std::vector<std::string> names;
  for (const Parameter& parameter : tool.operation->parameters) {
    if (!parameter.people_only) names.emplace_back(parameter.name);
  }
  const auto nearest = NearestName(name, names);
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("unknown argument '{1}' for {0}{2}", tool.name, name,
                                 nearest ? fmt::format("; did you mean '{}'?", *nearest) : "")};
}

struct Given {
  std::vector<engine::GivenValue> values;
  bool is_offline = false;
  std::string cursor;
};

Result<Given> ReadArguments(const OfferedTool& tool, const Json& arguments) {
  Given given;
  for (const auto& [name, value] : arguments.items()) {
    if (name == "cursor" && tool.is_read_only) {
      if (!value.is_string() && !value.is_null()) {
        return Error{.kind = ErrorKind::kUsage, .message = "the cursor is not a string"};
      }
      if (value.is_string()) given.cursor = value.get<std::string>();
      continue;
    }
    if (name == "offline" && UsesNetwork(*tool.operation)) {
      if (!value.is_boolean() && !value.is_null()) {
        return Error{.kind = ErrorKind::kUsage,
                     .message = "argument 'offline' must be true or false"};
      }
      given.is_offline = value.is_boolean() && value.get<bool>();
      continue;
    }
    const std::string& wanted = name;
    const auto parameters = tool.operation->parameters;
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&wanted](const Parameter& parameter) {
          return parameter.name == wanted && !parameter.people_only;
        });
    if (found == parameters.end()) return UnknownArgument(tool, name);
    SIBYL_TRY(ReadArgument(*found, value, given.values));
  }
  return given;
}

Status CheckPaths(const engine::Operation& operation, const oracle::Context& context,
                  const std::vector<engine::GivenValue>& values) {
  for (const engine::GivenValue& value : values) {
    const auto parameter =
        std::find_if(operation.parameters.begin(), operation.parameters.end(),
                     [&value](const Parameter& candidate) { return candidate.name == value.name; });
    if (parameter == operation.parameters.end() || parameter->type != ValueType::kPath) continue;
    const auto file = SIBYL_TRY(oracle::ArgumentFile::Find(context, value.value));
    const auto path = file.CheckedPath();
    if (!path.ok()) return path.error();
  }
  return {};
}

}  // namespace

Result<std::vector<OfferedTool>> OfferTools(std::span<const std::string> allowed) {
  std::vector<std::string> wanted(allowed.begin(), allowed.end());
  std::vector<OfferedTool> tools;
  std::vector<std::string> names;
  for (const engine::Operation* operation : engine::Operations()) {
    const std::string name = NameOf(*operation);
    names.push_back(name);
    const auto is_it = [&](const std::string& word) {
      return word == name || word == operation->name;
    };
    const bool is_allowed = std::erase_if(wanted, is_it) > 0;
    if (operation->tool.is_refused) {
      if (!is_allowed) continue;
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("--tool {}: only a person can run it", operation->name)};
    }
    const bool is_offered = !operation->tool.name.empty();
    if (!is_offered && !is_allowed) continue;
    tools.push_back(
        {.name = name,
         .operation = operation,
         .is_read_only = is_offered ? operation->tool.is_read_only : !operation->effects.writes,
         .is_idempotent = operation->tool.is_idempotent});
  }
  if (wanted.empty()) return tools;
  const auto nearest = NearestName(wanted.front(), names);
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("--tool {}: no such operation{}", wanted.front(),
                             nearest ? fmt::format("; did you mean '{}'?", *nearest) : "")};
}

const OfferedTool* FindTool(std::span<const OfferedTool> tools, std::string_view name) {
  for (const OfferedTool& tool : tools) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

Json ToolAsJson(const OfferedTool& tool) {
  const engine::Operation& operation = *tool.operation;
  const bool was_offered = !operation.tool.name.empty();
  return {{"name", tool.name},
          {"title", operation.name},
          {"description", DescriptionOf(operation)},
          {"inputSchema", SchemaOf(tool)},
          {"annotations",
           {{"title", operation.name},
            {"readOnlyHint", tool.is_read_only},
            // Tools for agents never delete anything.
            {"destructiveHint", !tool.is_read_only && !was_offered},
            {"idempotentHint", tool.is_read_only || tool.is_idempotent},
            {"openWorldHint", UsesNetwork(operation) && !tool.is_read_only}}}};
}

Result<Json> CallTool(const OfferedTool& tool, const Json& arguments,
                      const oracle::Context& context, std::size_t most_bytes) {
  Given given = SIBYL_TRY(ReadArguments(tool, arguments));
  SIBYL_TRY(CheckPaths(*tool.operation, context, given.values));
  const engine::Arguments checked =
      SIBYL_TRY(engine::Arguments::Make(*tool.operation, std::move(given.values)));
  oracle::Context own = context;
  if (given.is_offline) own.network = Network::kForbidden;
  engine::Outcome outcome = SIBYL_TRY(engine::RunOperation(*tool.operation, own, checked));
  return FitAnswer(AnswerAsJson(tool.operation->name, std::move(outcome)), given.cursor,
                   most_bytes);
}

}  // namespace sibyl::interface
