// SPDX-License-Identifier: Apache-2.0
// Prompt injection: how many ordinary paragraphs are refused, how many of a
// labelled set are found, and how fast text is read.
//
//   instruction_bench FOLDER|FILE...        each refused paragraph, then the rate
//   instruction_bench --labelled FILE...    found by label, language and kind
//   … | instruction_bench                   standard input as one file
//
// A paragraph is a run of lines that are not blank, as everywhere else. A labelled
// set has one JSON object per line: id, lang, label (injection or benign), kind
// and text.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/line_span.h"
#include "base/strings.h"
#include "injection/instruction.h"

namespace {

namespace fs = std::filesystem;
using namespace sibyl;  // NOLINT: a benchmark is one file

struct Totals {
  std::size_t files = 0;
  std::size_t bytes = 0;
  std::size_t paragraphs = 0;
  std::size_t refused = 0;
  std::chrono::duration<double> time{};
};

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<LineRange> ParagraphsOf(std::string_view text) {
  std::vector<LineRange> paragraphs;
  std::size_t number = 0;
  for (const std::string_view line : LinesWithEnds(text)) {
    ++number;
    if (Trim(line).empty()) continue;
    if (!paragraphs.empty() && paragraphs.back().last + 1 == number) {
      paragraphs.back().last = number;
    } else {
      paragraphs.push_back({number, number});
    }
  }
  return paragraphs;
}

void Measure(const std::string& name, std::string_view text, Totals& totals) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<LineRange> found = injection::FindInstructions(text);
  totals.time += std::chrono::steady_clock::now() - begin;
  ++totals.files;
  totals.bytes += text.size();
  const std::vector<LineRange> paragraphs = ParagraphsOf(text);
  totals.paragraphs += paragraphs.size();
  totals.refused += static_cast<std::size_t>(
      std::count_if(paragraphs.begin(), paragraphs.end(), [&](const LineRange& paragraph) {
        return std::any_of(found.begin(), found.end(), [&](const LineRange& range) {
          return paragraph.first <= range.last && range.first <= paragraph.last;
        });
      }));
  for (const LineRange& range : found) {
    const auto lines = TextOfLines(text, range);
    fmt::print("{}:{}-{}\n{}\n\n", name, range.first, range.last,
               Trim(lines.value_or("").substr(0, 1500)));
  }
}

void MeasureAll(const fs::path& path, Totals& totals) {
  if (!fs::is_directory(path)) return Measure(path.string(), ReadAll(path), totals);
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) Measure(file.string(), ReadAll(file), totals);
}

int MeasureLabelled(const std::vector<std::string>& files) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // found, of all
  for (const std::string& file : files) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
      const Json item = Json::parse(line);
      const std::string label = item["label"];
      const std::string text = item["text"];
      const bool is_found = !injection::FindInstructions(text).empty();
      for (const std::string& key : {label, label + " lang " + std::string(item["lang"]),
                                     label + " kind " + std::string(item["kind"])}) {
        counts[key].first += is_found ? 1 : 0;
        ++counts[key].second;
      }
      if (is_found == (label == "injection")) continue;
      fmt::print("{} {} {} {}: {}\n", is_found ? "refused" : "missed", std::string(item["id"]),
                 std::string(item["lang"]), std::string(item["kind"]), text);
    }
  }
  for (const auto& [key, count] : counts) {
    fmt::print("{:40} {:4} of {:4}\n", key, count.first, count.second);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  if (!names.empty() && names.front() == "--labelled") {
    return MeasureLabelled({names.begin() + 1, names.end()});
  }
  Totals totals;
  for (const std::string& name : names) MeasureAll(name, totals);
  if (names.empty()) {
    const std::string text{std::istreambuf_iterator<char>(std::cin),
                           std::istreambuf_iterator<char>()};
    Measure("stdin", text, totals);
  }
  fmt::print("{} files, {:.1f} MB, {} paragraphs, {} refused ({:.3f} of 10,000), {:.0f} MB/s\n",
             totals.files, static_cast<double>(totals.bytes) / 1e6, totals.paragraphs,
             totals.refused,
             1e4 * static_cast<double>(totals.refused) /
                 static_cast<double>(std::max<std::size_t>(totals.paragraphs, 1)),
             static_cast<double>(totals.bytes) / 1e6 / std::max(totals.time.count(), 1e-9));
  return 0;
}
