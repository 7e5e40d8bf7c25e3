// SPDX-License-Identifier: Apache-2.0
// How well code citations in documents are found and judged, on labelled sets:
//
//   references_bench REPOS SET…         figures
//   references_bench --dump REPOS SET…  and each item that was judged differently
//
// REPOS is a folder with a clone of each repository, SET a file without its
// ".jsonl"; SET-docs.txt names the completely labelled documents. docs/quality.md
// says how the sets were made.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/process/git_command.h"
#include "references/check.h"

namespace {

using namespace sibyl;  // NOLINT: a program
using references::CheckedReference;
using references::CitationStatus;

struct Label {
  std::string id, repository, document, text, form, label;
  std::size_t line = 0;
  references::Target target;
  std::optional<references::Target> correct;
  bool is_found = false;
};

struct Figures {
  std::size_t labelled = 0, found = 0, extracted = 0, extra = 0;
  std::size_t not_ok = 0, not_ok_found = 0, alarms = 0, alarms_right = 0;
  std::size_t told = 0, told_right = 0;
  std::size_t drifts = 0, drifts_suggested = 0, suggested = 0, suggested_right = 0;
  std::size_t same = 0, alarms_undecided = 0;
};

std::optional<references::Target> TargetOf(const nlohmann::json& value) {
  if (!value.is_object()) return std::nullopt;
  references::Target target;
  if (value.contains("path") && value["path"].is_string()) target.path = value["path"];
  if (value.contains("first") && value["first"].is_number()) target.lines.first = value["first"];
  if (value.contains("last") && value["last"].is_number()) target.lines.last = value["last"];
  return target;
}

std::vector<Label> ReadLabels(const std::string& set) {
  std::vector<Label> labels;
  std::ifstream file(set + ".jsonl");
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const nlohmann::json item = nlohmann::json::parse(line);
    Label label{.id = item["id"],
                .repository = item["repo"],
                .document = item["doc"],
                .text = item.value("text", ""),
                .form = item.value("form", ""),
                .label = item["label"],
                .line = item["line"]};
    if (label.label == "ok") label.label = "holds";
    label.target = TargetOf(item["target"]).value_or(references::Target());
    if (item.contains("correct")) label.correct = TargetOf(item["correct"]);
    if (label.label == "holds") label.correct.reset();
    labels.push_back(std::move(label));
  }
  return labels;
}

bool IsNotOk(const std::string& label) {
  return label == "drifted" || label == "wrong" || label == "missing" || label == "out-of-range";
}

bool Matches(const Label& label, const CheckedReference& checked) {
  const LineRange& lines = checked.reference.lines;
  const std::size_t last = std::max(label.target.lines.first, label.target.lines.last);
  const bool is_near =
      checked.reference.line + 1 >= label.line && checked.reference.line <= label.line + 1;
  const std::string& path = checked.judged.target.path;
  const bool is_path = path == label.target.path || label.target.path.ends_with("/" + path) ||
                       path.ends_with("/" + label.target.path);
  return is_near && is_path && lines.first >= label.target.lines.first && lines.last <= last;
}

// A list such as "a.rs:12,34" has one label: it holds if all its lines do.
std::vector<CheckedReference> Join(const std::vector<Label>& labels,
                                   const std::vector<CheckedReference>& references) {
  std::vector<CheckedReference> joined;
  std::map<const Label*, std::size_t> places;
  for (const CheckedReference& one : references) {
    const Label* label = nullptr;
    for (const Label& candidate : labels) {
      const bool is_list = candidate.target.lines != one.reference.lines;
      if (Matches(candidate, one) && is_list && label == nullptr) label = &candidate;
      if (Matches(candidate, one) && !is_list) label = nullptr;
    }
    const auto [place, is_new] =
        label == nullptr ? std::pair(places.end(), true) : places.emplace(label, joined.size());
    if (is_new) {
      joined.push_back(one);
      continue;
    }
    CheckedReference& first = joined[place->second];
    if (references::IsNotOk(one.judged.status) && !references::IsNotOk(first.judged.status)) {
      first.judged.status = one.judged.status;
    }
  }
  return joined;
}

// A suggestion within two lines of what was meant.
bool IsRight(const references::Target& suggestion, const references::Target& correct) {
  if (suggestion.path != correct.path) return false;
  if (suggestion.lines.IsWhole()) return correct.lines.IsWhole();
  const std::size_t a = suggestion.lines.first;
  const std::size_t b = correct.lines.first;
  if ((a > b ? a - b : b - a) <= references::kNearSuggestion) return true;
  return false;
}

void Show(const Label& label, const CheckedReference* checked) {
  fmt::print("{} {} {}:{} `{}` ({}) {}", label.id, label.repository, label.document, label.line,
             label.text, label.form, label.label);
  if (label.correct) {
    fmt::print(" ->{}:{}", label.correct->path, label.correct->lines.first);
  }
  if (checked == nullptr) {
    fmt::print(" | not found\n");
    return;
  }
  fmt::print(" | {} {}:{}", StatusName(checked->judged.status), checked->judged.target.path,
             checked->reference.lines.first);
  if (checked->judged.suggestion) {
    fmt::print(" ->{}:{}{}", checked->judged.suggestion->path,
               checked->judged.suggestion->lines.first, checked->judged.is_certain ? "!" : "");
  }
  fmt::print(" [");
  for (const references::ClaimedName& name : checked->reference.claim.names) {
    fmt::print("{}{} ", name.is_own ? "" : "~", name.text.substr(0, 40));
  }
  fmt::print("] {} {}\n", checked->judged.reason, checked->judged.commit.substr(0, 9));
}

void Count(const Label& label, const CheckedReference& checked, Figures& figures, bool dump) {
  const references::Judged& judged = checked.judged;
  const bool is_alarm = references::IsNotOk(judged.status);
  const std::string status(StatusName(judged.status));
  if (is_alarm && label.label == "undecided") ++figures.alarms_undecided;
  if (is_alarm && label.label != "undecided") {
    ++figures.alarms;
    if (IsNotOk(label.label)) ++figures.alarms_right;
  }
  if (IsNotOk(label.label)) figures.not_ok_found += is_alarm ? 1 : 0;
  if (is_alarm && (label.label == "drifted" || label.label == "wrong")) {
    ++figures.told;
    if (status == label.label) ++figures.told_right;
  }
  if (status == label.label) ++figures.same;
  bool is_wrong_place = false;
  if (is_alarm && judged.suggestion && label.correct) {
    ++figures.suggested;
    is_wrong_place = !IsRight(*judged.suggestion, *label.correct);
    if (!is_wrong_place) ++figures.suggested_right;
  }
  if (label.label == "drifted" && label.correct) {
    ++figures.drifts;
    if (is_alarm && judged.suggestion) ++figures.drifts_suggested;
  }
  const bool is_silent = label.label == "drifted" && label.correct && !judged.suggestion;
  if (dump && (status != label.label || is_wrong_place || is_silent)) Show(label, &checked);
}

double Share(std::size_t part, std::size_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

void Print(const Figures& f) {
  fmt::print("found        {:4} of {:4}  {:.3f}\n", f.found, f.labelled,
             Share(f.found, f.labelled));
  fmt::print("extracted    {:4}, not labelled {}: precision {:.3f}\n", f.extracted, f.extra,
             1 - Share(f.extra, f.extracted));
  fmt::print("not ok found {:4} of {:4}  {:.3f}\n", f.not_ok_found, f.not_ok,
             Share(f.not_ok_found, f.not_ok));
  fmt::print("alarms right {:4} of {:4}  {:.3f}, and {} undecided: {:.3f}\n", f.alarms_right,
             f.alarms, Share(f.alarms_right, f.alarms), f.alarms_undecided,
             Share(f.alarms_right, f.alarms + f.alarms_undecided));
  fmt::print("drift told   {:4} of {:4}  {:.3f}\n", f.told_right, f.told,
             Share(f.told_right, f.told));
  fmt::print("suggested    {:4} of {:4}  {:.3f} of the drifts\n", f.drifts_suggested, f.drifts,
             Share(f.drifts_suggested, f.drifts));
  fmt::print("right        {:4} of {:4}  {:.3f} of the suggestions\n", f.suggested_right,
             f.suggested, Share(f.suggested_right, f.suggested));
  fmt::print("same status  {:4} of {:4}  {:.3f}\n", f.same, f.labelled, Share(f.same, f.labelled));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool dump = !arguments.empty() && arguments.front() == "--dump";
  if (dump) arguments.erase(arguments.begin());
  if (arguments.size() < 2) {
    std::cerr << "usage: references_bench [--dump] REPOS SET…\n";
    return 2;
  }
  std::map<std::string, std::map<std::string, std::vector<Label>>> labels;
  std::map<std::string, std::set<std::string>> complete;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    for (Label& label : ReadLabels(arguments[i])) {
      labels[label.repository][label.document].push_back(label);
    }
    std::ifstream file(arguments[i] + "-docs.txt");
    for (std::string line; std::getline(file, line);) {
      const std::size_t tab = line.find('\t');
      if (tab == std::string::npos) continue;
      complete[line.substr(0, tab)].insert(line.substr(tab + 1));
      labels[line.substr(0, tab)][line.substr(tab + 1)];
    }
  }
  Figures figures;
  for (auto& [name, documents] : labels) {
    const auto found = FindGitRepository(arguments[0] + "/" + name);
    if (!found.ok() || !*found) {
      std::cerr << "no repository " << name << '\n';
      return 2;
    }
    const auto repository = references::Repository::Open(**found);
    if (!repository.ok()) {
      std::cerr << repository.error().message << '\n';
      return 2;
    }
    std::vector<std::string> paths;
    for (const auto& [path, items] : documents) paths.push_back(path);
    const auto checked = references::CheckDocuments(
        {.documents = **repository, .code = **repository, .paths = paths, .honours_pins = false});
    if (!checked.ok()) {
      std::cerr << checked.error().message << '\n';
      return 2;
    }
    for (const references::CheckedDocument& document : *checked) {
      std::vector<Label>& items = documents[document.path];
      const std::vector<CheckedReference> joined = Join(items, document.references);
      for (const CheckedReference& one : joined) {
        bool is_labelled = false;
        for (Label& label : items) {
          if (!Matches(label, one)) continue;
          is_labelled = is_labelled || label.label != "none";
          if (label.is_found) continue;
          label.is_found = true;
          if (label.label == "none") {
            if (dump) Show(label, &one);
          } else {
            Count(label, one, figures, dump);
          }
          break;
        }
        if (!complete[name].contains(document.path)) continue;
        ++figures.extracted;
        if (is_labelled) continue;
        ++figures.extra;
        if (dump) {
          fmt::print("EXTRA {} {}:{} `{}` {} {}:{}\n", name, document.path, one.reference.line,
                     one.reference.text, StatusName(one.judged.status), one.judged.target.path,
                     one.reference.lines.first);
        }
      }
      for (const Label& label : items) {
        if (label.label == "none") continue;
        ++figures.labelled;
        if (IsNotOk(label.label)) ++figures.not_ok;
        if (label.is_found) {
          ++figures.found;
        } else if (dump) {
          Show(label, nullptr);
        }
      }
    }
  }
  Print(figures);
  return 0;
}
