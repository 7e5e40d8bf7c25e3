// SPDX-License-Identifier: Apache-2.0
// `sibyl inspect --gpus`.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"

namespace sibyl::engine {
namespace {

using TableRow = std::vector<std::string>;

// In a window that is too narrow for the table, each row is a paragraph: its first cell, then
// the others with the names of their columns where they would not be understood without.
std::string ShowAsParagraphs(const std::vector<TableRow>& rows, std::size_t columns) {
  constexpr std::size_t kIndent = 4;
  std::string text;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::vector<std::string> cells;
    for (std::size_t column = 1; column < rows[i].size(); ++column) {
      const std::string& cell = rows[i][column];
      if (cell.empty()) continue;
      const std::string& name = rows[0][column];
      const bool is_clear = name == "architecture" || name == "generation" || name == "host";
      cells.push_back(is_clear ? cell : name + " " + cell);
    }
    text += fmt::format(
        "{} {}\n{}{}\n", rows[0][0], rows[i][0], std::string(kIndent, ' '),
        Wrap(Join(cells, ", "), {.columns = columns, .first_indent = kIndent, .indent = kIndent}));
  }
  return text;
}

std::string ShowTableRows(const std::vector<TableRow>& rows, std::size_t columns) {
  constexpr std::size_t kGap = 2;
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const TableRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::size_t width = kGap * (widths.size() - 1);
  for (const std::size_t one : widths) width += one;
  if (width > columns) return ShowAsParagraphs(rows, columns);
  std::string text;
  for (const TableRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += PadRight(row[i], widths[i] + kGap);
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  return text;
}

std::string ReceiptIds(const Json& row) {
  std::vector<std::string> ids;
  for (const Json& id : row["receipts"]) ids.push_back(TextOf(id));
  return Join(ids, " ");
}

// "11.8+", "8.0 to 12.9", "up to 580"
std::string Range(const std::string& first, const std::string& last) {
  if (last.empty()) return first.empty() ? first : first + "+";
  return first.empty() ? "up to " + last : fmt::format("{} to {}", first, last);
}

std::string RenderProducts(const Json& data, std::size_t columns) {
  std::map<std::string, const Json*> lives;
  for (const Json& life : data["architectures"]) lives[Text(life, "arch")] = &life;
  std::vector<TableRow> rows = {
      {"GPU", "architecture", "generation", "CUDA", "driver", "host", "receipts"}};
  for (const Json& gpu : data["gpus"]) {
    const auto life = lives.find(Text(gpu, "arch"));
    TableRow row = {Text(gpu, "name"), Text(gpu, "arch"), Text(gpu, "generation"), "", "",
                    Text(gpu, "host"), ReceiptIds(gpu)};
    if (life != lives.end()) {
      const Json& about = *life->second;
      const std::uint64_t branch = Number(about, "last_driver_branch");
      row[3] = Range(Text(about, "first_cuda"), Text(about, "last_cuda"));
      row[4] = Range(Text(about, "first_driver"), branch == 0 ? "" : std::to_string(branch));
      row[6] += " " + ReceiptIds(about);
    }
    rows.push_back(std::move(row));
  }
  return ShowTableRows(rows, columns);
}

std::string RenderToolkits(const Json& data, std::size_t columns) {
  std::vector<TableRow> rows = {{"CUDA", "PTX", "driver", "oldest driver", "receipts"}};
  for (const Json& toolkit : data["toolkits"]) {
    rows.push_back({Text(toolkit, "cuda"), Text(toolkit, "ptx"), Text(toolkit, "driver") + "+",
                    Text(toolkit, "oldest_driver"), ReceiptIds(toolkit)});
  }
  return ShowTableRows(rows, columns);
}

std::string NamesIn(const Json& list) {
  std::vector<std::string> names;
  for (const Json& name : list) names.push_back(TextOf(name));
  return Join(names, " ");
}

std::string RenderTorch(const Json& data, std::size_t columns) {
  std::vector<TableRow> rows = {{"PyTorch wheels", "torch", "machine code", "PTX", "receipts"}};
  for (const Json& build : data["torch"]) {
    const std::string first = Text(build, "first_torch");
    const std::string last = Text(build, "last_torch");
    rows.push_back({"whl/" + Text(build, "index"), first == last ? first : Range(first, last),
                    NamesIn(build["cubins"]), NamesIn(build["ptx"]), ReceiptIds(build)});
  }
  return ShowTableRows(rows, columns);
}

std::string RenderHostCompilers(const Json& data, std::size_t columns) {
  std::vector<TableRow> rows = {{"host compiler", "newest GCC", "receipts"}};
  for (const Json& host : data["host_compilers"]) {
    const std::string first = Text(host, "first_cuda");
    const std::string last = Text(host, "last_cuda");
    rows.push_back({"CUDA " + (first == last ? first : Range(first, last)),
                    std::to_string(Number(host, "newest_gcc")), ReceiptIds(host)});
  }
  return ShowTableRows(rows, columns);
}

std::string RenderReceipts(const Json& data, std::size_t columns) {
  std::string text;
  std::size_t width = 0;
  for (const auto& [id, unused] : data["receipts"].items()) width = std::max(width, id.size());
  for (const auto& [id, receipt] : data["receipts"].items()) {
    const std::string document = Text(receipt, "document");
    text += PadRight(id, width + 2);
    text += Wrap(fmt::format("{}{} (read {})", document.empty() ? "" : document + ": ",
                             Text(receipt, "says"), Text(receipt, "read")),
                 {.columns = columns, .first_indent = width + 2, .indent = width + 2});
    text += '\n';
  }
  return text;
}

}  // namespace

Rendered RenderKnownGpus(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered;
  const std::size_t columns = options.columns();
  rendered.results = RenderProducts(data, columns) + '\n' + RenderToolkits(data, columns) + '\n' +
                     RenderTorch(data, columns) + '\n' + RenderHostCompilers(data, columns) +
                     "\nreceipts\n" + RenderReceipts(data, columns);
  rendered.talk = fmt::format(
      "sibyl: {} of {}, {}; --json also has the architectures with a suffix and {} of images\n",
      Count(data["gpus"].size(), "GPU"), Count(data["architectures"].size(), "architecture"),
      Count(data["toolkits"].size(), "toolkit"), Count(data["images"].size(), "tag"));
  return rendered;
}

}  // namespace sibyl::engine
