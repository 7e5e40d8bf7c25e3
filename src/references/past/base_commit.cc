// SPDX-License-Identifier: Apache-2.0
#include "references/past/base_commit.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/whole_word.h"
#include "references/code_file.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMostReferences = 60;
constexpr std::size_t kMostFiles = 16;
constexpr std::size_t kMostNames = 4;
constexpr std::size_t kMostLines = 40;

// A citation whose rare name is on its line counts one. The commit just before is the
// one that the author read more often than not; any other must fit far better.
constexpr double kBetter = 1.0;
constexpr double kFarBetter = 2.0;
constexpr double kBetterThanNothing = 1.25;
constexpr double kNothing = 0.2;
constexpr double kTimesBetter = 1.2;

std::string Squeezed(std::string_view text) {
  std::string squeezed;
  for (const char c : text) {
    if (!IsBlank(c)) squeezed += c;
  }
  return squeezed;
}

bool Has(std::string_view line, const ClaimedName& name) {
  if (name.kind == ClaimedName::Kind::kName) return FindWholeWord(line, name.text).has_value();
  return Squeezed(line).find(Squeezed(name.text)) != std::string::npos;
}

// What it says that a name is on the cited line.
double WeightOf(const ClaimedName& name, const CodeFile& file) {
  const std::size_t uses = name.kind == ClaimedName::Kind::kName
                               ? file.UsesOf(name.text).lines.size()
                               : file.LinesWith(name.text).size();
  if (uses <= 3) return 1;
  if (uses <= 10) return 0.6;
  return uses <= 30 ? 0.25 : 0.05;
}

// A range that starts where something starts, or a line that says something.
double ShapeOf(const CodeFile& file, const LineRange& lines) {
  const std::string_view first = file.Line(lines.first);
  const std::size_t indent = first.find_first_not_of(" \t");
  if (indent == std::string_view::npos) return -0.2;
  if (first.find_first_of("})]", indent) == indent) return -0.1;
  if (lines.last == lines.first) return 0;
  const std::size_t last = std::min({lines.last, file.line_count(), lines.first + kMostLines});
  for (std::size_t line = lines.first + 1; line <= last; ++line) {
    if (file.Line(line).find_first_not_of(" \t") < indent) return 0;
  }
  return 0.2;
}

struct WeighedName {
  const ClaimedName* name = nullptr;
  double weight = 0;
};

// How well the cited lines of one version have what is claimed, on the line itself.
double FitOf(const Reference& reference, const std::vector<WeighedName>& names,
             const CodeFile& file) {
  constexpr double kMost = 1.5;
  constexpr double kInRange = 0.6;
  const LineRange& lines = reference.lines;
  if (lines.first == 0 || lines.last > file.line_count()) return -0.5;
  const std::size_t last = std::min(lines.last, lines.first + kMostLines);
  double best = 0;
  double sum = 0;
  for (const WeighedName& one : names) {
    double found = 0;
    for (std::size_t line = lines.first; line <= last && found == 0; ++line) {
      if (Has(file.Line(line), *one.name)) {
        found = line == lines.first ? one.weight : kInRange * one.weight;
      }
    }
    best = std::max(best, found);
    sum += found;
  }
  return std::min(kMost, best + 0.3 * (sum - best)) + ShapeOf(file, lines);
}

// One file that citations of the same commit name, with its versions.
struct CitedVersions {
  TreeFile written;
  std::vector<Repository::EarlierFile> earlier;
  struct Cited {
    const Reference* reference = nullptr;
    std::vector<WeighedName> names;
  };
  std::vector<Cited> cited;

  const TreeFile& At(std::size_t depth) const {
    const TreeFile* file = &written;
    for (const Repository::EarlierFile& one : earlier) {
      if (one.depth <= depth) file = &one.file;
    }
    return *file;
  }

  double FitAt(std::size_t depth) const {
    const TreeFile& file = At(depth);
    double fit = 0;
    for (const Cited& one : cited) {
      fit += file.file ? FitOf(*one.reference, one.names, *file.file) : -0.5;
    }
    return fit;
  }
};

void AddCited(const Reference& reference, CitedVersions& versions) {
  std::vector<WeighedName> names;
  for (const ClaimedName& name : reference.claim.names) {
    if (!name.is_own || name.is_part || !name.is_asserted || name.text.size() < 3) continue;
    const double weight = versions.written.file ? WeightOf(name, *versions.written.file) : 1;
    names.push_back({&name, weight});
    if (names.size() == kMostNames) break;
  }
  versions.cited.push_back({&reference, std::move(names)});
}

// The earlier commit that fits clearly better; nothing if there is none.
std::optional<git::ObjectId> BestOf(const std::map<std::string, CitedVersions>& files) {
  std::map<std::size_t, git::ObjectId> candidates;
  for (const auto& [path, versions] : files) {
    for (const Repository::EarlierFile& one : versions.earlier) {
      candidates.emplace(one.depth, one.commit);
    }
  }
  const auto fit_at = [&](std::size_t depth) {
    double fit = 0;
    for (const auto& [path, versions] : files) fit += versions.FitAt(depth);
    return fit;
  };
  const double written = fit_at(0);
  double best = written;
  std::optional<git::ObjectId> found;
  for (const auto& [depth, commit] : candidates) {
    const double fit = fit_at(depth);
    const double gain = fit - written;
    const bool is_clear = depth <= 1 ? gain >= kBetter
                                     : (gain >= kFarBetter && fit >= kTimesBetter * written) ||
                                           (written <= kNothing && gain >= kBetterThanNothing);
    if (fit <= best || !is_clear) continue;
    best = fit;
    found = commit;
  }
  return found;
}

}  // namespace

std::map<git::ObjectId, git::ObjectId> FindBaseCommits(
    const Repository& repository, const CitingDocument& document,
    const std::vector<ResolvedReference>& references) {
  std::map<git::ObjectId, std::map<std::string, CitedVersions>> groups;
  std::map<git::ObjectId, std::size_t> sizes;
  for (const ResolvedReference& one : references) {
    const std::vector<git::ObjectId> written =
        document.versions.WrittenIn(document.text, *one.reference);
    if (written.empty() || ++sizes[written.front()] > kMostReferences) continue;
    std::map<std::string, CitedVersions>& files = groups[written.front()];
    const auto known = files.find(one.names.front());
    if (known == files.end() && files.size() == kMostFiles) continue;
    CitedVersions& versions = files[one.names.front()];
    if (known == files.end()) {
      for (const std::string& name : one.names) {
        versions.written = repository.FileAt(written.front(), name);
        if (versions.written.file) break;
      }
      versions.earlier = repository.FilesBefore(written.front(), one.names);
    }
    AddCited(*one.reference, versions);
  }
  std::map<git::ObjectId, git::ObjectId> bases;
  for (const auto& [commit, files] : groups) {
    if (const auto base = BestOf(files)) bases.emplace(commit, *base);
  }
  return bases;
}

}  // namespace sibyl::references
