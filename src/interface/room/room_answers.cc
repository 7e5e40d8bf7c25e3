// SPDX-License-Identifier: Apache-2.0
#include "interface/room/room_answers.h"

#include <filesystem>
#include <utility>

#include "base/numbers.h"
#include "engine/operation.h"
#include "engine/oracle_pages_list.h"
#include "engine/outcome.h"
#include "interface/json_answer.h"
#include "interface/room/json_text.h"

namespace sibyl::interface {

std::string NameOfOracle(const oracle::Context& context) {
  const std::filesystem::path folder = context.oracle.value_or(context.working_folder);
  const std::string name = folder.lexically_normal().filename().string();
  return name.empty() || name == "." ? "oracle" : name;
}

OracleDescription DescribeOracle(const oracle::Context& context) {
  const Result<engine::ServedSkill> skill = engine::ReadSkill(context);
  if (!skill.ok()) return {};
  return {.title = skill->title,
          .about = std::string(JsonText(skill->front_matter, "description"))};
}

RoomAnswers::RoomAnswers(const oracle::Context& context, std::stop_token stop) : context_(context) {
  context_.is_over = [stop] { return stop.stop_requested(); };
  context_.catch_interrupt = [stop = std::move(stop)] { return stop; };
}

RoomAnswers RoomAnswers::Within(std::chrono::milliseconds limit) const {
  RoomAnswers answers = *this;
  answers.context_.is_over = [is_over = context_.is_over,
                              end = std::chrono::steady_clock::now() + limit] {
    return is_over() || std::chrono::steady_clock::now() >= end;
  };
  return answers;
}

RoomAnswers RoomAnswers::WithFolder(const std::filesystem::path& folder) const {
  RoomAnswers answers = *this;
  answers.context_.roots.push_back(folder);
  return answers;
}

Result<Json> RoomAnswers::Run(std::string_view operation,
                              std::vector<engine::GivenValue> given) const {
  const engine::Operation* row = engine::FindOperation(operation);
  if (row == nullptr) {
    return Error{.kind = ErrorKind::kUsage, .message = "there is no such operation"};
  }
  const engine::Arguments arguments = SIBYL_TRY(engine::Arguments::Make(*row, std::move(given)));
  engine::Outcome outcome = SIBYL_TRY(engine::RunOperation(*row, context_, arguments));
  return AnswerAsJson(row->name, std::move(outcome));
}

std::string_view RoomQuery::Text(std::string_view name) const {
  for (const HttpHeader& value : values_) {
    if (value.name == name) return value.value;
  }
  return {};
}

std::size_t RoomQuery::Number(std::string_view name, std::size_t otherwise) const {
  return ParseNumber<std::size_t>(Text(name)).value_or(otherwise);
}

}  // namespace sibyl::interface
