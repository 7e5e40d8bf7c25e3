// SPDX-License-Identifier: Apache-2.0
#include "support/alternatives/cases.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/strings.h"
#include "support/numbers/quantity.h"

namespace sibyl::support {
namespace {

constexpr std::size_t kMostCases = 100;
constexpr std::size_t kMostNumbers = 20;  // of one case, and of a statement

bool Has(const std::vector<double>& numbers, double number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// The label of "case 7:"; nothing if the line does not begin with one.
std::optional<double> LabelOf(std::string_view line) {
  constexpr std::string_view kCase = "case ";
  if (!line.starts_with(kCase)) return std::nullopt;
  const std::string_view rest = Trim(line.substr(kCase.size()));
  std::size_t end = 0;
  double value = 0;
  for (; end < rest.size() && IsDigit(rest[end]) && end < 9; ++end) {
    value = value * 10 + (rest[end] - '0');
  }
  const bool is_label = end > 0 && end < rest.size() && rest[end] == ':';
  return is_label ? std::optional(value) : std::nullopt;
}

// A number of the statement that the switch has.
struct Said {
  const Quantity* number = nullptr;
  bool is_label = false;
};

class CaseJudge {
 public:
  CaseJudge(const ReadStatement& read, const std::vector<SwitchCase>& cases)
      : read_(read), cases_(cases) {}

  BranchFit Judge() {
    if (!ReadNumbers()) return {};
    BranchFit fit = {.fits = true, .wrong = std::nullopt};
    const bool is_value_first = !said_[0].is_label;
    for (std::size_t i = 0; i < said_.size(); ++i) {
      if (!said_[i].is_label) continue;
      const std::vector<double> values = ValuesOf(i, is_value_first);
      if (values.empty()) return {};
      for (const double label : LabelsFrom(i)) {
        if (!IsOf(label, values)) return {.wrong = TextOf(*said_[i].number)};
      }
    }
    return fit;
  }

 private:
  std::string TextOf(const Quantity& number) const {
    return read_.statement.text.substr(number.begin, number.end - number.begin);
  }

  // False if the statement does not have both labels and values, or a number
  // could be either.
  bool ReadNumbers() {
    std::size_t labels = 0;
    for (const Quantity& number : read_.numbers) {
      if (number.in_name || said_.size() >= kMostNumbers) continue;
      bool is_label = false;
      bool is_value = false;
      for (const SwitchCase& one : cases_) {
        is_label = is_label || Has(one.labels, number.digits);
        is_value = is_value || Has(one.values, number.digits);
      }
      if (is_label && is_value) return false;
      if (!is_label && !is_value) continue;
      said_.push_back({.number = &number, .is_label = is_label});
      labels += is_label ? 1 : 0;
    }
    return labels > 0 && labels < said_.size();
  }

  // The numbers beside a label: the nearest before it, or the next after it.
  std::vector<double> ValuesOf(std::size_t label, bool is_value_first) const {
    std::vector<double> values;
    if (is_value_first) {
      for (std::size_t i = label; i-- > 0;) {
        if (!said_[i].is_label) {
          values.push_back(said_[i].number->digits);
        } else if (!values.empty()) {
          break;
        }
      }
      return values;
    }
    for (std::size_t i = label + 1; i < said_.size(); ++i) {
      if (!said_[i].is_label) {
        values.push_back(said_[i].number->digits);
      } else if (!values.empty()) {
        break;
      }
    }
    return values;
  }

  // "5 to 12": all labels from the one to the other.
  std::vector<double> LabelsFrom(std::size_t first) const {
    std::vector<double> labels = {said_[first].number->digits};
    if (first + 1 >= said_.size() || !said_[first + 1].is_label) return labels;
    const Quantity& from = *said_[first].number;
    const Quantity& to = *said_[first + 1].number;
    const std::string_view between =
        Trim(std::string_view(read_.statement.text).substr(from.end, to.begin - from.end));
    if (between != "to" && between != "through" && between != "-" && between != "\xE2\x80\x93") {
      return labels;
    }
    for (const SwitchCase& one : cases_) {
      for (const double label : one.labels) {
        if (label > from.digits && label < to.digits) labels.push_back(label);
      }
    }
    return labels;
  }

  bool IsOf(double label, const std::vector<double>& values) const {
    return std::any_of(cases_.begin(), cases_.end(), [&](const SwitchCase& one) {
      return Has(one.labels, label) && std::any_of(values.begin(), values.end(), [&](double value) {
               return Has(one.values, value);
             });
    });
  }

  const ReadStatement& read_;
  const std::vector<SwitchCase>& cases_;
  std::vector<Said> said_;
};

}  // namespace

std::vector<SwitchCase> ReadCases(std::string_view lines) {
  std::vector<SwitchCase> cases;
  for (const std::string_view whole : SplitLines(lines)) {
    std::string_view line = Trim(whole);
    const std::optional<double> label = LabelOf(line);
    if (label) {
      const bool goes_on = !cases.empty() && cases.back().values.empty();
      if (!goes_on && cases.size() == kMostCases) break;
      if (!goes_on) cases.emplace_back();
      if (cases.back().labels.size() < kMostNumbers) cases.back().labels.push_back(*label);
      line.remove_prefix(line.find(':') + 1);
    }
    if (cases.empty() || line.starts_with("default:") || line.starts_with('}')) continue;
    for (const Quantity& number : ReadQuantities(line, true)) {
      if (number.in_name || cases.back().values.size() >= kMostNumbers) continue;
      cases.back().values.push_back(number.digits);
    }
  }
  std::erase_if(cases, [](const SwitchCase& one) { return one.values.empty(); });
  return cases;
}

BranchFit CompareCases(const ReadStatement& read, const std::vector<SwitchCase>& cases) {
  if (cases.empty()) return {};
  return CaseJudge(read, cases).Judge();
}

}  // namespace sibyl::support
