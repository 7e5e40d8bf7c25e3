// SPDX-License-Identifier: Apache-2.0
#include "audit/facts/field_claims.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

using WordList = std::vector<std::string>;

template <std::size_t N>
bool AllIn(const WordList& tokens, const std::array<std::string_view, N>& words) {
  return std::ranges::all_of(tokens,
                             [&](const std::string& token) { return IsOneOf(token, words); });
}

template <std::size_t N>
bool AnyIn(const WordList& tokens, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(tokens,
                             [&](const std::string& token) { return IsOneOf(token, words); });
}

// Between a name and its architecture. Neither a negation nor a comparison is among them.
bool IsIdentity(const WordList& between) {
  constexpr std::array<std::string_view, 44> kWords = {
      "is",           "are",    "was",    "=",      ":",       "(",          "has",
      "have",         "uses",   "use",    "as",     "a",       "an",         "the",
      "its",          "with",   "of",     "for",    "compute", "capability", "cc",
      "architecture", "arch",   "gpu",    "gpus",   "card",    "cards",      "generation",
      "nvidia",       "series", "family", "target", "targets", "device",     "devices",
      "which",        "ti",     "super",  "ie",     "->",      "→",          "based",
      "on",           "an"};
  constexpr std::size_t kMost = 7;
  if (between.size() > kMost) return false;
  // "on" alone is a place: "Hopper on sm_90".
  if (between.size() == 1 && (between[0] == "on" || between[0] == "of" || between[0] == "as" ||
                              between[0] == "a" || between[0] == "the")) {
    return false;
  }
  return !between.empty() && AllIn(between, kWords);
}

// What may follow a claim that is meant literally: not "sm_86 kernels", which other GPUs run too.
bool EndsClaim(std::string_view text, std::size_t end) {
  const WordList behind = PlainTokens(text.substr(end, 24));
  constexpr std::array<std::string_view, 27> kEnds = {".",
                                                      ",",
                                                      ";",
                                                      ")",
                                                      ":",
                                                      "gpu",
                                                      "gpus",
                                                      "device",
                                                      "devices",
                                                      "card",
                                                      "cards",
                                                      "part",
                                                      "parts",
                                                      "and",
                                                      "but",
                                                      "so",
                                                      "while",
                                                      "which",
                                                      "architecture",
                                                      "generation",
                                                      "chip",
                                                      "chips",
                                                      "or",
                                                      "\"",
                                                      "—",
                                                      "–",
                                                      "product"};
  return behind.empty() || IsOneOf(behind[0], kEnds);
}

bool BeginsClaim(std::string_view text, std::size_t begin) {
  const std::size_t first = begin > 24 ? begin - 24 : 0;
  const WordList before = PlainTokens(text.substr(first, begin - first));
  constexpr std::array<std::string_view, 14> kNot = {
      "unlike", "not", "than", "between", "except", "excluding", "without",
      "non",    "pre", "post", "neither", "nor",    "no",        "like"};
  return before.empty() || !IsOneOf(before.back(), kNot);
}

bool HasRange(const MentionGroup& group) {
  return std::ranges::any_of(group.all, &Mention::is_range);
}

bool IsHardware(MentionKind kind) {
  return kind == MentionKind::kProduct || kind == MentionKind::kGeneration ||
         kind == MentionKind::kArchitecture;
}

// A product says more than a generation, and a generation more than an architecture: the other
// one is the value.
int SubjectRank(MentionKind kind) {
  if (kind == MentionKind::kProduct) return 0;
  return kind == MentionKind::kGeneration ? 1 : 2;
}

class SentenceReader {
 public:
  explicit SentenceReader(std::string_view text)
      : text_view_(text), groups_(FindMentions(text)), all_(PlainTokens(text)) {}

  std::vector<FieldClaim> Take() {
    for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
      const MentionGroup& a = groups_[i];
      const MentionGroup& b = groups_[i + 1];
      between_ = PlainTokens(text_view_.substr(a.end(), b.begin() - a.end()));
      const std::size_t first = i == 0 ? 0 : groups_[i - 1].end();
      before_ = PlainTokens(text_view_.substr(first, a.begin() - first));
      is_at_start_ = i == 0;
      Read(a, b);
    }
    return std::move(claims_);
  }

 private:
  void Read(const MentionGroup& a, const MentionGroup& b) {
    const bool clear = BeginsClaim(text_view_, a.begin()) && EndsClaim(text_view_, b.end());
    if (IsHardware(a.kind) && (IsHardware(b.kind) || b.kind == MentionKind::kBare)) {
      ReadIdentity(a, b, clear);
    } else if (IsHardware(a.kind) && b.kind == MentionKind::kToolkit) {
      ReadToolkitOf(a, b);
    } else if ((a.kind == MentionKind::kToolkit || (a.kind == MentionKind::kBare && for_each_)) &&
               b.kind == MentionKind::kGeneration && ReadToolkitFor(a, b)) {
      return;
    } else if (a.kind == MentionKind::kToolkit && IsHardware(b.kind)) {
      ReadHardwareOf(a, b);
    } else if (a.kind == MentionKind::kToolkit && b.kind == MentionKind::kDriver) {
      ReadDriver(a, b);
    } else if (a.kind == MentionKind::kDriver && b.kind == MentionKind::kToolkit) {
      ReadDriverFor(a, b);
    } else if (a.kind == MentionKind::kPtx && b.kind == MentionKind::kToolkit) {
      ReadPtx(b, a);
    } else if (a.kind == MentionKind::kToolkit && b.kind == MentionKind::kPtx) {
      ReadPtx(a, b);
    } else if (a.kind == MentionKind::kDriver && b.kind == MentionKind::kGeneration) {
      ReadLastDriver(b, a);
    }
  }

  void ReadIdentity(const MentionGroup& a, MentionGroup b, bool is_clear) {
    if (HasRange(a) || HasRange(b)) return;
    const bool is_bare = b.kind == MentionKind::kBare;
    // A bare number is an architecture only in "Ampere (8.0, 8.6)" and "the H100 is 9.0".
    if (is_bare) {
      if (ReadFrom(a, b)) return;
      if (a.kind == MentionKind::kArchitecture || !IsBareArchitecture(a, b)) return;
      b.kind = MentionKind::kArchitecture;
    } else if (a.kind == b.kind || !(IsIdentity(between_) || IsAdjacent(a, b))) {
      return;
    }
    const bool is_adjacent = IsAdjacent(a, b);
    FieldClaim claim{.relation = FieldRelation::kIs,
                     .is_clear = is_clear || (is_adjacent && a.kind == MentionKind::kGeneration),
                     .is_target = std::ranges::find(between_, "for") != between_.end()};
    const bool is_in_order = SubjectRank(a.kind) < SubjectRank(b.kind);
    claim.subject = is_in_order ? a : b;
    claim.value = is_in_order ? b : a;
    claims_.push_back(std::move(claim));
  }

  // "Toolkits: L40 from 11.8, B200 from 12.8"
  bool ReadFrom(const MentionGroup& a, const MentionGroup& b) {
    const bool is_toolkit =
        AnyIn(all_, std::array<std::string_view, 4>{"toolkits", "toolkit", "cuda", "nvcc"});
    if (between_ != WordList{"from"} || !is_toolkit || b.all.size() != 1) return false;
    MentionGroup toolkit = b;
    toolkit.kind = toolkit.all[0].kind = MentionKind::kToolkit;
    toolkit.all[0].is_range = false;
    claims_.push_back({FieldRelation::kMinimum, a, std::move(toolkit), true});
    return true;
  }

  // "Compute capability: A100 8.0, L40 8.9"
  bool IsInList() const {
    return between_.empty() && all_.size() > 2 && all_[0] == "compute" &&
           (all_[1] == "capability" || all_[1] == "capabilities");
  }

  bool IsBareArchitecture(const MentionGroup& a, const MentionGroup& b) const {
    const bool is_said = between_ == WordList{"is"} || between_ == WordList{"are"};
    const bool is_in_parentheses =
        between_ == WordList{"("} && b.end() < text_view_.size() && text_view_[b.end()] == ')';
    return std::ranges::all_of(b.all, [&](const Mention& one) {
      const bool is_known = field::LifeOf(one.architecture) != nullptr;
      const bool is_possible = one.architecture.number >= 30 && one.architecture.number < 130;
      return (is_in_parentheses && is_known) ||
             ((is_said || IsInList()) && is_possible && a.kind == MentionKind::kProduct);
    });
  }

  // "the Hopper H100", "Hopper GPUs such as the H100"
  bool IsAdjacent(const MentionGroup& a, const MentionGroup& b) const {
    constexpr std::array<std::string_view, 8> kSuch = {"gpus", "gpu", "such",  "as",
                                                       "like", "the", "based", "-"};
    if (a.kind == MentionKind::kProduct && b.kind == MentionKind::kArchitecture) {
      return between_.empty() && a.all.size() == 1;  // "A10 sm_86"
    }
    return a.kind == MentionKind::kGeneration && b.kind == MentionKind::kProduct &&
           a.all.size() == 1 && AllIn(between_, kSuch) &&
           (between_.empty() || between_.back() != "gpus");
  }

  // "sm_89 needs CUDA 11.8", "support for Hopper was added in CUDA 11.8"
  void ReadToolkitOf(const MentionGroup& a, const MentionGroup& b) {
    constexpr std::array<std::string_view, 9> kFirst = {"since",    "added",    "introduced",
                                                        "first",    "starting", "arrived",
                                                        "appeared", "came",     "begins"};
    constexpr std::array<std::string_view, 5> kNeeds = {"needs", "need", "requires", "require",
                                                        "wants"};
    constexpr std::array<std::string_view, 47> kWords = {
        "since",   "added",     "introduced", "first", "starting", "arrived", "appeared",
        "came",    "begins",    "needs",      "need",  "requires", "require", "wants",
        "at",      "least",     "minimum",    "of",    "a",        "an",      "the",
        "support", "supported", "is",         "was",   "are",      "were",    "for",
        "version", "toolkit",   "or",         "newer", "nvidia",   "in",      "with",
        "by",      "from",      "has",        "been",  "have",     "code",    "compiling",
        ">=",      "only",      "gpus",       "gpu",   ")"};
    constexpr std::size_t kMost = 9;
    if (a.all.size() > 4 || b.all.size() != 1 || between_.size() > kMost) return;
    if (!AllIn(between_, kWords)) return;
    const bool is_first = AnyIn(between_, kFirst);
    const bool is_need = AnyIn(between_, kNeeds);
    const bool is_minimum =
        AnyIn(before_, std::array<std::string_view, 5>{"minimum", "first", "oldest", "earliest",
                                                       "lowest"}) &&
        between_ == WordList{"is"};
    // "Ada needs at least CUDA 11.8, Hopper at least CUDA 12.0"
    const bool goes_on = needs_ && (between_.empty() || between_ == WordList{"at", "least"} ||
                                    between_ == WordList{")", "at", "least"});
    if (!is_first && !is_need && !is_minimum && !goes_on) return;
    const bool needs = is_need || goes_on;
    const FieldRelation relation = needs ? FieldRelation::kNeeds : FieldRelation::kFirst;
    const bool is_clear = BeginsClaim(text_view_, a.begin()) && (goes_on || IsHead(relation));
    if (needs) needs_ = is_clear;
    claims_.push_back({relation, a, b, is_clear});
  }

  // Of "wgmma on sm_90 needs CUDA 12.3" the subject is not sm_90.
  bool IsHead(FieldRelation relation) const {
    constexpr std::array<std::string_view, 22> kFrame = {
        "the",    "compiling", "building", "for",     "code",   "targeting", "to",    "compile",
        "target", "a",         "support",  "of",      "an",     "minimum",   "first", "toolkit",
        "that",   "supports",  "cuda",     "version", "nvidia", "build"};
    if (relation == FieldRelation::kFirst) return true;
    WordList before = before_;
    const auto colon = std::ranges::find(before, ":");
    if (colon != before.end()) before.erase(before.begin(), std::next(colon));
    // "Ada (sm_89) needs"
    const bool is_named = before == WordList{"("} && !claims_.empty();
    return is_named || (is_at_start_ && AllIn(before, kFrame));
  }

  // "CUDA 11.8 added sm_89", "CUDA 12.9 is the last toolkit that supports Volta",
  // "CUDA 13.0 dropped Pascal", "CUDA 11.8 is needed for sm_89"
  void ReadHardwareOf(const MentionGroup& a, const MentionGroup& b) {
    constexpr std::array<std::string_view, 32> kWords = {
        "added",    "adds",    "introduced", "introduces", "brought",    "first", "last",
        "to",       "that",    "support",    "supports",   "supporting", "for",   "is",
        "was",      "the",     "toolkit",    "release",    "version",    "of",    "compile",
        "compiles", "dropped", "drops",      "removed",    "removes",    "ended", "required",
        "needed",   "by",      "with",       "compiling"};
    constexpr std::size_t kMost = 9;
    if (a.all.size() != 1 || between_.empty() || between_.size() > kMost) return;
    if (!AllIn(between_, kWords)) return;
    const bool clear = BeginsClaim(text_view_, a.begin()) && EndsClaim(text_view_, b.end());
    using Words2 = std::array<std::string_view, 2>;
    using Words5 = std::array<std::string_view, 5>;
    if (AnyIn(between_, Words5{"dropped", "drops", "removed", "removes", "ended"})) {
      claims_.push_back({FieldRelation::kDropped, b, a, clear});
    } else if (AnyIn(between_, Words2{"last", "last"})) {
      claims_.push_back({FieldRelation::kLast, b, a, clear});
    } else if (AnyIn(between_, Words2{"required", "needed"})) {
      claims_.push_back({FieldRelation::kNeeds, b, a, clear && is_at_start_ && before_.empty()});
    } else if (AnyIn(between_, Words2{"first", "brought"}) ||
               AnyIn(between_, std::array<std::string_view, 4>{"added", "adds", "introduced",
                                                               "introduces"})) {
      claims_.push_back({FieldRelation::kFirst, b, a, clear});
    }
  }

  // "needs CUDA 12.1+ for Hopper, 12.8+ for Blackwell": a toolkit that cannot compile for it is too
  // old, whatever the project needs.
  bool ReadToolkitFor(const MentionGroup& a, const MentionGroup& b) {
    constexpr std::array<std::string_view, 7> kWords = {"+",   "or", "newer", "later",
                                                        "for", "on", "gpus"};
    constexpr std::array<std::string_view, 10> kNeeds = {
        "needs", "need", "requires", "require", "wants", "want", "minimum", "least", "must", "+"};
    const bool is_place = std::ranges::any_of(
        between_, [](const std::string& word) { return word == "for" || word == "on"; });
    if (!is_place || !AllIn(between_, kWords) || !AnyIn(all_, kNeeds)) return false;
    if (a.all.size() != 1 || b.all.size() != 1) return false;
    MentionGroup toolkit = a;
    toolkit.kind = toolkit.all[0].kind = MentionKind::kToolkit;
    for_each_ = true;
    claims_.push_back({FieldRelation::kMinimum, b, std::move(toolkit), true});
    return true;
  }

  // "The driver must be at least 580 for CUDA 13.0 and 525 for 12.0."
  void ReadDriverFor(const MentionGroup& driver, const MentionGroup& toolkit) {
    if (between_ != WordList{"for"} || driver.all.size() != 1 || toolkit.all.size() != 1) return;
    const bool is_linux = std::ranges::find(all_, "windows") == all_.end();
    claims_.push_back({FieldRelation::kDriver, toolkit, driver, is_linux});
    std::string_view rest = text_view_.substr(toolkit.end());
    std::size_t at = toolkit.end();
    const auto skip = [&](std::string_view word) {
      if (!rest.starts_with(word)) return false;
      rest.remove_prefix(word.size());
      at += word.size();
      return true;
    };
    const auto digits = [&] {
      return std::min(rest.find_first_not_of("0123456789."), rest.size());
    };
    while (skip(" and ") || skip(", ")) {
      skip("and ");
      std::size_t end = digits();
      auto version = field::ParseDriverVersion(rest.substr(0, end));
      if (!version || version->parts[0] < 300) return;
      Mention more = driver.all[0];
      more.begin = more.value = at;
      more.end = at + end;
      more.driver = *std::move(version);
      rest.remove_prefix(end);
      at += end;
      if (!skip(" for ")) return;
      skip("CUDA ");
      end = digits();
      while (end > 0 && rest[end - 1] == '.') --end;
      const auto cuda = field::ParseCudaVersion(rest.substr(0, end));
      if (!cuda) return;
      Mention other = toolkit.all[0];
      other.begin = other.value = at;
      other.end = at + end;
      other.version = *cuda;
      other.is_major = false;
      rest.remove_prefix(end);
      at += end;
      claims_.push_back({FieldRelation::kDriver,
                         {MentionKind::kToolkit, {std::move(other)}},
                         {MentionKind::kDriver, {std::move(more)}},
                         is_linux});
    }
  }

  // "CUDA 12.2 came with 535.54.03, CUDA 12.4 with 550.54.14"
  bool ReadShipped(const MentionGroup& a, const MentionGroup& b) {
    constexpr std::array<std::string_view, 17> kWords = {
        "shipped", "ships", "came", "comes",  "with",   "brought", "brings", "bundles", "bundled",
        "the",     "linux", "a",    "driver", "nvidia", "is",      "and",    "installs"};
    constexpr std::array<std::string_view, 9> kVerbs = {
        "shipped", "ships", "came", "comes", "brought", "brings", "bundles", "bundled", "installs"};
    const bool goes_on = ships_ && between_ == WordList{"with"};
    if (!AllIn(between_, kWords) || (!AnyIn(between_, kVerbs) && !goes_on)) return false;
    const bool is_linux = std::ranges::find(all_, "windows") == all_.end();
    ships_ = true;
    claims_.push_back({FieldRelation::kShips, a, b, is_linux});
    return true;
  }

  void ReadDriver(const MentionGroup& a, const MentionGroup& b) {
    constexpr std::array<std::string_view, 22> kWords = {
        "needs", "need", "requires", "require", "wants",   "at",      "least", "a",
        "an",    "the",  "linux",    "nvidia",  "minimum", "version", "of",    "is",
        ">=",    "or",   "newer",    "driver",  "toolkit", "branch"};
    if (a.all.size() != 1 || b.all.size() != 1 || ReadShipped(a, b)) return;
    const bool is_need = AnyIn(
        between_, std::array<std::string_view, 5>{"needs", "need", "requires", "require", "wants"});
    const bool is_minimum =
        AnyIn(before_, std::array<std::string_view, 3>{"minimum", "oldest", "driver"}) &&
        !between_.empty() && between_[0] == "is";
    const bool goes_on = (needs_driver_ && between_.empty()) || (ships_ && is_need);
    if (!AllIn(between_, kWords) || (!is_need && !is_minimum && !goes_on)) return;
    const bool is_linux =
        std::ranges::none_of(all_, [](const std::string& word) { return word == "windows"; });
    const bool is_clear = is_linux && (goes_on || IsHead(FieldRelation::kNeeds));
    needs_driver_ = is_clear;
    claims_.push_back({FieldRelation::kDriver, a, b, is_clear});
  }

  void ReadPtx(const MentionGroup& toolkit, const MentionGroup& ptx) {
    constexpr std::array<std::string_view, 26> kWords = {
        "came",    "with", "introduced", "introduces", "in",         "ships", "shipped",
        "is",      "was",  "the",        "of",         "=",          "(",     "added",
        "by",      "adds", "has",        "uses",       "writes",     "emits", "brought",
        "version", "from", "toolkit",    ":",          "corresponds"};
    if (toolkit.all.size() != 1 || ptx.all.size() != 1 || toolkit.all[0].is_major) return;
    if (between_.empty() || !AllIn(between_, kWords) || HasRange(ptx) || HasRange(toolkit)) return;
    claims_.push_back({FieldRelation::kPtx, toolkit, ptx, true});
  }

  // "R580 is the last driver branch for Volta"
  void ReadLastDriver(const MentionGroup& generation, const MentionGroup& driver) {
    constexpr std::array<std::string_view, 14> kWords = {
        "is",   "was",     "the",      "last", "driver", "branch", "to",
        "that", "support", "supports", "for",  "with",   "of",     "supporting"};
    const bool is_last = std::ranges::find(between_, std::string_view("last")) != between_.end();
    if (!is_last || !AllIn(between_, kWords) || driver.all.size() != 1) return;
    claims_.push_back(
        {FieldRelation::kLastDriver, generation, driver, EndsClaim(text_view_, generation.end())});
  }

  std::string_view text_view_;
  std::vector<MentionGroup> groups_;
  WordList all_;
  WordList between_;
  WordList before_;
  bool is_at_start_ = false;
  bool needs_ = false;         ///< A clause before said what an architecture needs.
  bool needs_driver_ = false;  ///< … what a toolkit needs.
  bool ships_ = false;         ///< … what it came with.
  bool for_each_ = false;      ///< … which toolkit a generation needs.
  std::vector<FieldClaim> claims_;
};

}  // namespace

std::vector<FieldClaim> ReadFieldClaims(std::string_view text) {
  return SentenceReader(text).Take();
}

}  // namespace sibyl::audit
