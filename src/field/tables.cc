// SPDX-License-Identifier: Apache-2.0
#include "field/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/strings.h"

namespace sibyl::field {
namespace {

constexpr std::string_view kReceiptRows =
#include "field/tables/receipts.txt.inc"
    ;
constexpr std::string_view kArchitectureRows =
#include "field/tables/architectures.txt.inc"
    ;
constexpr std::string_view kToolkitRows =
#include "field/tables/toolkits.txt.inc"
    ;
constexpr std::string_view kProductRows =
#include "field/tables/products.txt.inc"
    ;
constexpr std::string_view kAbbreviationRows =
#include "field/tables/abbreviations.txt.inc"
    ;

constexpr std::string_view kOptionRows =
#include "field/tables/options.txt.inc"
    ;
constexpr std::string_view kFormatRows =
#include "field/tables/formats.txt.inc"
    ;
constexpr std::string_view kImageRows =
#include "field/tables/images.txt.inc"
    ;

constexpr std::string_view kReleaseRows =
#include "field/tables/releases.txt.inc"
    ;
constexpr std::string_view kTagPartRows =
#include "field/tables/tag_parts.txt.inc"
    ;

constexpr std::string_view kIndexRows =
#include "field/tables/indexes.txt.inc"
    ;

constexpr std::string_view kTorchBuildRows =
#include "field/tables/torch_builds.txt.inc"
    ;
constexpr std::string_view kHostRows =
#include "field/tables/hosts.txt.inc"
    ;
constexpr std::string_view kPatchRows =
#include "field/tables/patches.txt.inc"
    ;
constexpr std::string_view kSystemToolkitRows =
#include "field/tables/system_toolkits.txt.inc"
    ;
constexpr std::string_view kSystemRows =
#include "field/tables/systems.txt.inc"
    ;
constexpr std::string_view kCompanionRows =
#include "field/tables/companions.txt.inc"
    ;
constexpr std::string_view kFrameworkRows =
#include "field/tables/frameworks.txt.inc"
    ;

constexpr std::string_view kRequirementRows =
#include "field/tables/requirements.txt.inc"
    ;

constexpr TableFile kTableFiles[] = {
    {"src/field/tables/receipts.txt", kReceiptRows, 4},
    {"src/field/tables/architectures.txt", kArchitectureRows, 6},
    {"src/field/tables/toolkits.txt", kToolkitRows, 5},
    {"src/field/tables/products.txt", kProductRows, 4},
    {"src/field/tables/abbreviations.txt", kAbbreviationRows, 3},
    {"src/field/tables/options.txt", kOptionRows, 3},
    {"src/field/tables/formats.txt", kFormatRows, 3},
    {"src/field/tables/images.txt", kImageRows, 3},
    {"src/field/tables/releases.txt", kReleaseRows, 4},
    {"src/field/tables/tag_parts.txt", kTagPartRows, 5},
    {"src/field/tables/indexes.txt", kIndexRows, 4},
    {"src/field/tables/torch_builds.txt", kTorchBuildRows, 6},
    {"src/field/tables/hosts.txt", kHostRows, 4},
    {"src/field/tables/patches.txt", kPatchRows, 3},
    {"src/field/tables/system_toolkits.txt", kSystemToolkitRows, 4},
    {"src/field/tables/systems.txt", kSystemRows, 5},
    {"src/field/tables/companions.txt", kCompanionRows, 4},
    {"src/field/tables/frameworks.txt", kFrameworkRows, 7},
    {"src/field/tables/requirements.txt", kRequirementRows, 3},
};

using Columns = std::vector<std::string_view>;

Columns SplitColumns(std::string_view line) {
  Columns columns;
  for (;;) {
    const std::size_t bar = line.find('|');
    columns.push_back(Trim(line.substr(0, bar)));
    if (bar == line.npos) return columns;
    line.remove_prefix(bar + 1);
  }
}

// "-": none.
std::optional<CudaVersion> OptionalVersion(std::string_view text) {
  if (text == "-") return CudaVersion{};
  return ParseCudaVersion(text);
}

std::optional<std::uint32_t> OptionalNumber(std::string_view text) {
  if (text == "-") return 0;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class TableReader {
 public:
  Tables Read() {
    Rows(kTableFiles[0], [this](const Columns& row) { return AddReceipt(row); });
    Rows(kTableFiles[1], [this](const Columns& row) { return AddArchitecture(row); });
    Rows(kTableFiles[2], [this](const Columns& row) { return AddToolkit(row); });
    Rows(kTableFiles[3], [this](const Columns& row) { return AddProduct(row); });
    Rows(kTableFiles[4], [this](const Columns& row) { return AddAbbreviation(row); });
    Rows(kTableFiles[5], [this](const Columns& row) { return AddOptions(row); });
    Rows(kTableFiles[6], [this](const Columns& row) { return AddFormat(row); });
    Rows(kTableFiles[7], [this](const Columns& row) { return AddImage(row); });
    Rows(kTableFiles[8], [this](const Columns& row) { return AddRelease(row); });
    Rows(kTableFiles[9], [this](const Columns& row) { return AddTagPart(row); });
    Rows(kTableFiles[10], [this](const Columns& row) { return AddIndex(row); });
    Rows(kTableFiles[11], [this](const Columns& row) { return AddTorchBuild(row); });
    Rows(kTableFiles[12], [this](const Columns& row) { return AddHost(row); });
    Rows(kTableFiles[13], [this](const Columns& row) { return AddPatch(row); });
    Rows(kTableFiles[14], [this](const Columns& row) { return AddSystemToolkit(row); });
    Rows(kTableFiles[15], [this](const Columns& row) { return AddSystem(row); });
    Rows(kTableFiles[16], [this](const Columns& row) { return AddCompanions(row); });
    Rows(kTableFiles[17], [this](const Columns& row) { return AddFramework(row); });
    Rows(kTableFiles[18], [this](const Columns& row) { return AddRequirement(row); });
    return std::move(tables_);
  }

 private:
  template <typename Add>
  void Rows(const TableFile& file, const Add& add) {
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(file.text)) {
      ++number;
      if (line.empty() || line[0] == '#') continue;
      const Columns row = SplitColumns(line);
      const bool is_row = row.size() == file.columns && add(row);
      if (is_row) continue;
      tables_.errors.push_back(fmt::format("{}:{}: not a row of this table", file.path, number));
    }
  }

  bool AddReceipt(const Columns& row) {
    tables_.receipts.push_back({row[0], row[1], row[2], row[3]});
    return !row[0].empty() && row[3].size() == 10;
  }

  // The receipts are complete when the other tables are read: pointers into them stay valid.
  std::optional<ReceiptList> FindReceipts(std::string_view ids) const {
    ReceiptList list;
    while (!ids.empty()) {
      const std::size_t blank = ids.find(' ');
      const std::string_view id = ids.substr(0, blank);
      ids = blank == ids.npos ? std::string_view() : Trim(ids.substr(blank));
      const auto found = std::ranges::find(tables_.receipts, id, &Receipt::id);
      if (found == tables_.receipts.end()) return std::nullopt;
      list.is_confirmed = list.is_confirmed && found->document != "-";
      list.all.push_back(&*found);
    }
    if (list.all.empty()) return std::nullopt;
    return list;
  }

  bool AddArchitecture(const Columns& row) {
    const auto architecture = ParseArchitecture(row[0]);
    const auto first = ParseCudaVersion(row[2]);
    const auto last = OptionalVersion(row[3]);
    const auto branch = OptionalNumber(row[4]);
    auto receipts = FindReceipts(row[5]);
    if (!architecture || !first || !last || !branch || !receipts) return false;
    tables_.architectures.push_back(
        {*architecture, row[1], *first, *last, *branch, *std::move(receipts)});
    return true;
  }

  bool AddToolkit(const Columns& row) {
    const auto version = ParseCudaVersion(row[0]);
    const auto ptx = ParseCudaVersion(row[1]);
    const std::string_view floor = row[3] == "-" ? std::string_view() : row[3];
    auto receipts = FindReceipts(row[4]);
    const bool is_driver =
        ParseDriverVersion(row[2]) && (floor.empty() || ParseDriverVersion(floor));
    if (!version || !ptx || !is_driver || !receipts) return false;
    tables_.toolkits.push_back({*version, *ptx, row[2], floor, *std::move(receipts)});
    return true;
  }

  bool AddProduct(const Columns& row) {
    const auto number = OptionalNumber(row[1]);
    const std::string_view host = row[2] == "-" ? std::string_view() : row[2];
    auto receipts = FindReceipts(row[3]);
    if (!number || !receipts || row[0].empty()) return false;
    tables_.products.push_back({row[0], *number, host, *std::move(receipts)});
    return true;
  }

  static std::vector<std::string_view> WordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
      const std::size_t blank = text.find(' ');
      words.push_back(text.substr(0, blank));
      text = blank == text.npos ? std::string_view() : Trim(text.substr(blank));
    }
    return words;
  }

  bool AddOptions(const Columns& row) {
    auto receipts = FindReceipts(row[2]);
    if (!receipts || row[0].empty()) return false;
    if (tables_.programs.empty() || tables_.programs.back().name != row[0]) {
      tables_.programs.push_back({row[0], {}, *std::move(receipts)});
    }
    for (const std::string_view option : WordsOf(row[1])) {
      if (!option.starts_with("--")) return false;
      tables_.programs.back().options.emplace_back(option);
    }
    return true;
  }

  bool AddFormat(const Columns& row) {
    const auto largest = OptionalNumber(row[1]);
    auto receipts = FindReceipts(row[2]);
    if (!largest || !receipts || row[0].empty()) return false;
    tables_.formats.push_back({row[0], *largest, *std::move(receipts)});
    return true;
  }

  bool AddImage(const Columns& row) {
    auto receipts = FindReceipts(row[2]);
    if (!receipts || row[0].empty()) return false;
    tables_.images.push_back({row[0], WordsOf(row[1]), *std::move(receipts)});
    return true;
  }

  bool AddRelease(const Columns& row) {
    const auto cuda = ParseCudaVersion(row[2]);
    auto receipts = FindReceipts(row[3]);
    if (!cuda || !receipts || row[0].empty() || row[1].empty()) return false;
    tables_.releases.push_back({row[0], row[1], *cuda, *std::move(receipts)});
    return true;
  }

  bool AddTagPart(const Columns& row) {
    auto receipts = FindReceipts(row[4]);
    const auto version = [](std::string_view text) {
      return text == "-" ? std::string_view() : text;
    };
    if (!receipts || row[0].empty() || row[1].empty()) return false;
    tables_.tag_parts.push_back(
        {row[0], row[1], version(row[2]), version(row[3]), *std::move(receipts)});
    return true;
  }

  bool AddIndex(const Columns& row) {
    const std::string_view last = row[2] == "-" ? std::string_view() : row[2];
    auto receipts = FindReceipts(row[3]);
    if (!receipts || !row[0].starts_with("cu") || row[1].empty()) return false;
    tables_.indexes.push_back({row[0], row[1], last, *std::move(receipts)});
    return true;
  }

  // "80 90a"; "-": none.
  static std::optional<std::vector<Architecture>> ArchitecturesOf(std::string_view text) {
    std::vector<Architecture> all;
    if (text == "-") return all;
    for (const std::string_view word : WordsOf(text)) {
      const auto architecture = ParseArchitecture(word);
      if (!architecture) return std::nullopt;
      all.push_back(*architecture);
    }
    return all;
  }

  bool AddTorchBuild(const Columns& row) {
    auto cubins = ArchitecturesOf(row[3]);
    auto ptx = ArchitecturesOf(row[4]);
    auto receipts = FindReceipts(row[5]);
    const bool is_named = row[0].starts_with("cu") && !row[1].empty() && !row[2].empty();
    if (!is_named || !cubins || cubins->empty() || !ptx || !receipts) return false;
    tables_.torch_builds.push_back(
        {row[0], row[1], row[2], *std::move(cubins), *std::move(ptx), *std::move(receipts)});
    return true;
  }

  bool AddHost(const Columns& row) {
    const auto first = ParseCudaVersion(row[0]);
    const auto last = ParseCudaVersion(row[1]);
    const auto gcc = OptionalNumber(row[2]);
    auto receipts = FindReceipts(row[3]);
    if (!first || !last || !gcc || !receipts) return false;
    tables_.hosts.push_back({*first, *last, *gcc, *std::move(receipts)});
    return true;
  }

  bool AddPatch(const Columns& row) {
    const auto cuda = ParseCudaVersion(row[0]);
    auto receipts = FindReceipts(row[2]);
    if (!cuda || !receipts || !row[1].starts_with(row[0])) return false;
    tables_.patches.push_back({*cuda, row[1], *std::move(receipts)});
    return true;
  }

  bool AddSystemToolkit(const Columns& row) {
    const auto cuda = ParseCudaVersion(row[2]);
    auto receipts = FindReceipts(row[3]);
    if (!cuda || !receipts || row[0].empty() || row[1].empty()) return false;
    tables_.system_toolkits.push_back({row[0], WordsOf(row[1]), *cuda, *std::move(receipts)});
    return true;
  }

  bool AddRequirement(const Columns& row) {
    const auto cuda = ParseCudaVersion(row[0]);
    auto receipts = FindReceipts(row[2]);
    if (!cuda || !receipts) return false;
    ImageRequirement requirement{.cuda = *cuda, .branches = {}, .receipts = *std::move(receipts)};
    for (const std::string_view word : WordsOf(row[1])) {
      const auto branch = OptionalNumber(word);
      if (!branch) return false;
      requirement.branches.push_back(*branch);
    }
    tables_.requirements.push_back(std::move(requirement));
    return true;
  }

  bool AddSystem(const Columns& row) {
    auto receipts = FindReceipts(row[4]);
    const bool is_whole = !row[0].empty() && !row[1].empty() && ParseCudaVersion(row[2]) &&
                          row[3].starts_with("3.") && receipts;
    if (!is_whole) return false;
    tables_.systems.push_back({row[0], row[1], row[2], row[3], *std::move(receipts)});
    return true;
  }

  bool AddCompanions(const Columns& row) {
    auto receipts = FindReceipts(row[3]);
    if (!receipts || row[0].empty() || row[1].empty() || row[2].empty()) return false;
    tables_.companions.push_back({row[0], WordsOf(row[1]), WordsOf(row[2]), *std::move(receipts)});
    return true;
  }

  bool AddFramework(const Columns& row) {
    const auto cuda = OptionalVersion(row[5]);
    auto receipts = FindReceipts(row[6]);
    const bool is_named = !row[0].empty() && !row[1].empty() && !row[2].empty();
    const bool has_pythons = row[3].starts_with("3.") && row[4].starts_with("3.");
    if (!is_named || !has_pythons || !cuda || !receipts) return false;
    tables_.frameworks.push_back(
        {row[0], row[1], row[2], row[3], row[4], *cuda, *std::move(receipts)});
    return true;
  }

  bool AddAbbreviation(const Columns& row) {
    auto receipts = FindReceipts(row[2]);
    if (!receipts || row[0].empty() || row[1].empty()) return false;
    Abbreviation abbreviation{.letters = row[0], .receipts = *std::move(receipts)};
    for (std::string_view rest = row[1]; !rest.empty();) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      abbreviation.meanings.push_back(Trim(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    tables_.abbreviations.push_back(std::move(abbreviation));
    return true;
  }

  Tables tables_;
};

}  // namespace

std::span<const TableFile> TableFiles() { return kTableFiles; }

const Tables& ReadTables() {
  static const Tables tables = TableReader().Read();
  return tables;
}

}  // namespace sibyl::field
