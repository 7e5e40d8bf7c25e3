// SPDX-License-Identifier: Apache-2.0
#include "plan/check_dates.h"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "plan/budget.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

bool IsInCalendar(std::string_view date) {
  const auto number = [date](std::size_t at, std::size_t length) {
    return static_cast<unsigned>(TakeNumber(date.substr(at, length))->value);
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number(0, 4))),
                                        std::chrono::month(number(5, 2)),
                                        std::chrono::day(number(8, 2))};
  return day.ok();
}

// "2025-11-13 21:49 PST" -> "date, time and zone"
std::string_view FormOf(std::string_view moment) {
  if (FindDate(moment).empty()) return "another form";
  const bool time = moment.find(':') != std::string_view::npos;
  if (!time) return "a date alone";
  return IsLetter(moment.back()) ? "date, time and zone" : "date and time";
}

std::size_t LineOf(const Part& part) { return part.checkbox ? part.checkbox->line : part.line; }

}  // namespace

std::vector<DateProblem> FindDateProblems(const Plan& plan) {
  std::vector<DateProblem> problems;
  const bool plan_dated = plan.date.size() == 10 && IsInCalendar(plan.date);
  if (!plan.date.empty() && !plan_dated) {
    problems.push_back({.code = "date/invalid",
                        .message = fmt::format("{} is not a valid date", plan.date),
                        .line = plan.date_line});
  }
  std::map<std::string_view, std::size_t> forms;
  std::size_t first_other = 0;
  std::string_view first_form;
  for (const Part& part : plan.parts) {
    if (part.completed.empty()) continue;
    const std::string_view form = FormOf(part.completed);
    ++forms[form];
    if (first_form.empty()) first_form = form;
    if (form != first_form && first_other == 0) first_other = LineOf(part);
    const std::string date = FindDate(part.completed);
    if (date.empty()) continue;
    if (!IsInCalendar(date)) {
      problems.push_back({.code = "date/invalid",
                          .message = fmt::format("{} is not a valid date", date),
                          .line = LineOf(part)});
    } else if (plan_dated && date < plan.date) {
      problems.push_back(
          {.code = "date/before-plan",
           .message = fmt::format("PART {} was completed on {}, before the plan's date {}",
                                  part.number, date, plan.date),
           .line = LineOf(part)});
    }
  }
  if (forms.size() > 1) {
    std::string message = "completion dates are written in several forms:";
    for (const auto& [form, count] : forms) message += fmt::format(" {} ({}),", form, count);
    message.pop_back();
    problems.push_back({.code = "date/mixed-forms", .message = message, .line = first_other});
  }
  return problems;
}

}  // namespace sibyl::plan
