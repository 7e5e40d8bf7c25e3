// SPDX-License-Identifier: Apache-2.0
// Which file a citation means, where its path alone does not say so. Part of judge.cc.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "references/file_tree.h"
#include "references/judge.h"
#include "references/past/past_lines.h"
#include "references/place/claimed_place.h"
#include "references/sighting.h"

namespace sibyl::references {

// `emit.rs` in a text that means a/emit.rs, which is gone: not the b/emit.rs that is left, or
// that was added later.
std::string Judge::LostFileMeant(const std::vector<std::string>& candidates,
                                 const CitingDocument& document, const Reference& reference) const {
  if (absent_ == nullptr || reference.path.find('/') != std::string::npos) return {};
  const std::vector<git::ObjectId> commits = document.versions.WrittenIn(document.text, reference);
  if (commits.empty()) return {};
  const git::ObjectId& commit = commits.front();
  const bool is_named = !reference.mentioned.empty();
  std::vector<std::string> then = ResolvePath(
      *repository_.PathsAt(commit), {.written = is_named ? reference.mentioned : reference.path,
                                     .document = document.path,
                                     .base = reference.base});
  if (then.size() > 1) {
    std::erase_if(then, [&](const std::string& path) {
      const TreeFile file = repository_.FileAt(commit, path);
      return !file.file || file.file->line_count() < reference.lines.last ||
             LookAt(reference.claim, *file.file, reference.lines).fit != Fit::kHolds;
    });
  }
  if (then.size() != 1 || repository_.paths().Has(then.front())) return {};
  // The name alone is right where the file was moved.
  for (const std::string& candidate : candidates) {
    const std::vector<std::string> names = NamesOf(candidate);
    if (!is_named && std::find(names.begin(), names.end(), then.front()) != names.end()) return {};
  }
  return std::move(then.front());
}

bool Judge::HasSymbol(const std::string& file, const CitingDocument& document,
                      const Reference& reference) const {
  const auto has = [&](const TreeFile& version) {
    return version.file && !version.file->UsesOf(reference.symbol).lines.empty();
  };
  if (has(repository_.File(file))) return true;
  for (const git::ObjectId& commit : document.versions.WrittenIn(document.text, reference)) {
    if (has(FileThen(repository_, commit, NamesOf(file)).file)) return true;
  }
  return false;
}

bool Judge::IsConfirmed(const std::string& file, const CitingDocument& document,
                        const Reference& reference) const {
  constexpr std::size_t kShortest = 4;
  const std::vector<ClaimedName>& names = reference.claim.names;
  const auto name = std::find_if(names.begin(), names.end(), [](const ClaimedName& one) {
    return one.is_own && one.is_asserted && !one.is_part && one.in_code;
  });
  if (name == names.end() || name->text.size() < kShortest) return false;
  // "the `x = f(...)` block of `_route_request` at line 10": what it defines confirms it, too.
  const auto defines = [&](const CodeFile& file) {
    return std::any_of(names.begin(), names.end(), [&](const ClaimedName& one) {
      if (!one.is_own || !one.in_code || one.is_part || one.kind != ClaimedName::Kind::kName) {
        return false;
      }
      const bool is_telling = one.text.find('_', 1) != std::string::npos;
      const DefinitionPlace* const only =
          is_telling ? OnlyDefinition(file.UsesOf(one.text)) : nullptr;
      return only != nullptr && only->kind == DefinitionPlace::Kind::kFunction;
    });
  };
  const auto has = [&](const TreeFile& version) {
    if (!version.file || version.file->line_count() < reference.lines.last) return false;
    if (defines(*version.file)) return true;
    return name->kind == ClaimedName::Kind::kName ? !version.file->UsesOf(name->text).lines.empty()
                                                  : !version.file->LinesWith(name->text).empty();
  };
  if (has(repository_.File(file))) return true;
  const std::vector<git::ObjectId> commits = document.versions.WrittenIn(document.text, reference);
  return std::any_of(commits.begin(), commits.end(), [&](const git::ObjectId& commit) {
    return has(FileThen(repository_, commit, NamesOf(file)).file);
  });
}

std::optional<Judged> Judge::DecideBySymbol(const CitingDocument& document,
                                            const Reference& reference) const {
  const std::optional<FoundPlace> place = index_.FindDefinition(reference.symbol);
  if (!place) {
    return Judged{.target = {.path = reference.path, .lines = reference.lines},
                  .reason = fmt::format("no file, or more than one, defines {}", reference.symbol),
                  .depends_on_tree = true};
  }
  Judged judged = DecideInFile(place->path, document, reference);
  judged.depends_on_tree = true;
  return judged;
}

std::optional<Judged> Judge::DecideByCall(const CitingDocument& document,
                                          const Reference& reference) const {
  constexpr std::size_t kShortest = 6;
  for (const ClaimedName& name : reference.claim.names) {
    if (!name.is_own || name.distance > kNextTo) return std::nullopt;
    if (name.is_part || name.kind != ClaimedName::Kind::kName) continue;
    if (!name.is_call || !name.in_code || name.text.size() < kShortest) return std::nullopt;
    const std::optional<FoundPlace> place = index_.FindDefinition(name.text);
    if (!place) return std::nullopt;
    Judged judged = DecideInFile(place->path, document, reference);
    judged.depends_on_tree = true;
    return judged;
  }
  return std::nullopt;
}

std::vector<std::string> Judge::HoldingThen(const std::vector<std::string>& candidates,
                                            const CitingDocument& document,
                                            const Reference& reference) const {
  std::vector<std::string> holding;
  for (const git::ObjectId& commit : document.versions.WrittenIn(document.text, reference)) {
    for (const std::string& candidate : candidates) {
      const TreeFile file = FileThen(repository_, commit, NamesOf(candidate)).file;
      if (!file.file || file.file->line_count() < reference.lines.last) continue;
      if (LookAt(reference.claim, *file.file, reference.lines).fit == Fit::kHolds) {
        holding.push_back(candidate);
      }
    }
    if (!holding.empty()) break;
  }
  return holding;
}

std::string Judge::OnlyFileThen(const CitingDocument& document, const Reference& reference) const {
  const std::vector<git::ObjectId> commits = document.versions.WrittenIn(document.text, reference);
  if (commits.empty()) return {};
  std::vector<std::string> candidates =
      ResolvePath(*repository_.PathsAt(commits.front()),
                  {.written = reference.path, .document = document.path, .base = reference.base});
  // A file with fewer lines was not meant.
  if (candidates.size() > 1) {
    std::erase_if(candidates, [&](const std::string& candidate) {
      const TreeFile file = repository_.FileAt(commits.front(), candidate);
      return !file.file || file.file->line_count() < reference.lines.last;
    });
  }
  if (candidates.size() != 1 || !repository_.paths().Has(candidates.front())) return {};
  return std::move(candidates.front());
}

}  // namespace sibyl::references
