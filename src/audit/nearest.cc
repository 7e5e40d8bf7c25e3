// SPDX-License-Identifier: Apache-2.0
#include "audit/nearest.h"

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

// Below this similarity a name is something else and not a typo. Tuned on real
// mistakes; a wrong hint is worse than none.
constexpr double kAlike = 0.62;
constexpr std::size_t kMaxCandidates = 4000;
constexpr std::size_t kBests = 8;

// "cudaGraphLaunch" and "CUDA_GRAPH_LAUNCH" have the same parts.
std::vector<std::string> PartsOf(std::string_view name) {
  std::vector<std::string> parts;
  std::string part;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_mark = c == '_' || c == '-' || c == '.' || c == ':' || c == '/';
    const bool begins = IsUpper(c) && i > 0 &&
                        (IsLower(name[i - 1]) ||
                         (i + 1 < name.size() && IsUpper(name[i - 1]) && IsLower(name[i + 1])));
    if ((is_mark || begins) && !part.empty()) {
      parts.push_back(LowerCase(part));
      part.clear();
    }
    if (!is_mark) part += c;
  }
  if (!part.empty()) parts.push_back(LowerCase(part));
  return parts;
}

// Parts that are one word in two forms: "architecture", "architectures".
bool SamePart(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.size() > b.size()) std::swap(a, b);
  return a.size() >= 4 && b.starts_with(a) && b.size() - a.size() <= 3;
}

double PartLikeness(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty() || b.empty()) return 0;
  std::vector<bool> taken(b.size());
  std::size_t common = 0;
  for (const std::string& part : a) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (taken[i] || !SamePart(part, b[i])) continue;
      taken[i] = true;
      ++common;
      break;
    }
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

// Names in the index are lower case: the share of such a name that consists of
// the parts, in order.
double RunLikeness(const std::vector<std::string>& parts, std::string_view run) {
  std::size_t common = 0;
  std::size_t length = 0;
  std::size_t from = 0;
  for (const std::string& part : parts) {
    length += part.size();
    const std::size_t at = run.find(part, from);
    if (at == run.npos) continue;
    common += part.size();
    from = at + part.size();
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(length + run.size());
}

struct Candidate {
  double likeness = 0;
  std::string name;
};

std::vector<Candidate> Bests(std::string_view name, const std::vector<std::string>& candidates) {
  std::vector<Candidate> bests;
  for (const std::string& candidate : candidates) {
    // The names cannot be similar enough if their lengths differ too much.
    if (candidate.size() > 2 * name.size() + 4 || 2 * candidate.size() + 4 < name.size()) continue;
    const double likeness = Likeness(name, candidate);
    if (likeness >= kAlike) bests.push_back({.likeness = likeness, .name = candidate});
  }
  std::stable_sort(bests.begin(), bests.end(),
                   [](const Candidate& a, const Candidate& b) { return a.likeness > b.likeness; });
  if (bests.size() > kBests) bests.resize(kBests);
  return bests;
}

}  // namespace

double Likeness(std::string_view a, std::string_view b) {
  const std::string lower_a = LowerCase(a);
  const std::string lower_b = LowerCase(b);
  const auto longest = static_cast<double>(std::max(a.size(), b.size()));
  if (longest == 0) return 1;
  const double letters = 1.0 - static_cast<double>(EditDistance(lower_a, lower_b)) / longest;
  const std::vector<std::string> parts_a = PartsOf(a);
  const std::vector<std::string> parts_b = PartsOf(b);
  double parts = PartLikeness(parts_a, parts_b);
  if (parts_b.size() == 1) parts = std::max(parts, RunLikeness(parts_a, parts_b[0]));
  if (parts_a.size() == 1) parts = std::max(parts, RunLikeness(parts_b, parts_a[0]));
  // A typo in a name with one part leaves no common part.
  return std::max(0.5 * letters + 0.5 * parts, 0.85 * letters);
}

namespace {

// The names of the source that are most like this one, in lower case.
std::vector<Candidate> BestsInSource(const Witness& witness, std::size_t source,
                                     std::string_view name) {
  std::set<std::string> candidates;
  const std::vector<std::string> parts = PartsOf(name);
  if (parts.empty()) return {};
  // Names with the same beginning, and names that share a longer part.
  const std::string lower = LowerCase(name);
  // A long prefix first: a family may have more names than are compared.
  for (const std::size_t length : {lower.size() * 3 / 4, lower.size() / 2}) {
    for (std::string& found : witness.NamesWithPrefix(
             source, lower.substr(0, std::max<std::size_t>(length, 3)), kMaxCandidates)) {
      candidates.insert(std::move(found));
    }
  }
  const std::size_t first = std::min(lower.find(parts[0]) + parts[0].size(), lower.size());
  for (std::string& found : witness.NamesWithPrefix(
           source, lower.substr(0, std::max<std::size_t>(first, 3)), kMaxCandidates)) {
    candidates.insert(std::move(found));
  }
  for (const std::string& part : parts) {
    if (part.size() < 4) continue;
    for (std::string& found : witness.NamesContaining(source, part, kMaxCandidates)) {
      candidates.insert(std::move(found));
    }
  }
  return Bests(name, {candidates.begin(), candidates.end()});
}

}  // namespace

std::optional<NearestTruth> NearestInSource(const Witness& witness, std::size_t source,
                                            std::string_view name) {
  for (const Candidate& best : BestsInSource(witness, source, name)) {
    const std::optional<Witness::Spelled> spelled = witness.FindSpelling(best.name, source);
    if (!spelled || spelled->word == name) continue;
    const std::optional<Sighting> place = witness.BestPlace(spelled->word, source);
    return NearestTruth{.name = spelled->word,
                        .where = witness.Show(place ? *place : spelled->sighting)};
  }
  return std::nullopt;
}

std::optional<NearestTruth> NearestInSource(const Witness& witness, std::size_t source,
                                            std::string_view name, const FindThere& find) {
  for (const Candidate& best : BestsInSource(witness, source, name)) {
    const std::optional<Witness::Spelled> spelled = witness.FindSpelling(best.name, source);
    if (!spelled || spelled->word == name) continue;
    const std::optional<Sighting> place = find(spelled->word);
    if (place) return NearestTruth{.name = spelled->word, .where = witness.Show(*place)};
  }
  return std::nullopt;
}

std::optional<std::string> NearestOf(std::string_view name,
                                     const std::vector<std::string>& candidates) {
  std::vector<Candidate> bests = Bests(name, candidates);
  if (bests.empty()) return std::nullopt;
  return std::move(bests.front().name);
}

}  // namespace sibyl::audit
