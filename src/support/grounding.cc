// SPDX-License-Identifier: Apache-2.0
#include "support/grounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "support/alternatives/branches.h"
#include "support/alternatives/cases.h"
#include "support/card_values.h"
#include "support/clauses/clause_sense.h"
#include "support/clauses/condition_sense.h"
#include "support/clauses/default_switch.h"
#include "support/clauses/exchanged.h"
#include "support/clauses/ordered.h"
#include "support/clauses/parallels.h"
#include "support/clauses/polarity.h"
#include "support/clauses/said_defaults.h"
#include "support/command.h"
#include "support/numbers/connected.h"
#include "support/numbers/counted.h"
#include "support/numbers/counted_nouns.h"
#include "support/numbers/said_numbers.h"
#include "support/read_statement.h"
#include "support/relations.h"
#include "support/values.h"

namespace sibyl::support {
namespace {

using statement::Verdict;

// Decision 0106 has how these were chosen.
constexpr double kTooLittle = 0.30;  // of the content: it is about something else
constexpr double kFewWords = 3;      // of a clause: too few to tell what it is about
constexpr double kLittle = 0.35;     // of a statement that says more than that
constexpr double kSeveralWords = 6;
constexpr double kEnough = 0.53;
constexpr double kEnoughOfClause = 0.25;
constexpr double kMostOfIt = 0.6;  // carried, but for one name
constexpr double kMostOtherNumber = 0.2;
constexpr double kMostOpposite = 0.1;

double WorthOf(Ground ground) {
  switch (ground) {
    case Ground::kNone:
      return 0;
    case Ground::kContext:
      return 0.8;
    case Ground::kShortened:
      return 0.7;
    case Ground::kSynonym:
      return 0.85;
    case Ground::kForm:
    case Ground::kWord:
      return 1;
  }
  return 0;
}

bool IsTooLittle(const Measures& measures) {
  const bool has_hardly_one = measures.strong < 2 && measures.content >= kSeveralWords;
  return measures.coverage < kTooLittle || (has_hardly_one && measures.coverage < kLittle);
}

bool IsEnough(const Measures& measures) {
  return measures.coverage >= kEnough && measures.least_clause >= kEnoughOfClause;
}

// Other lines of the file carry it, these do not.
bool IsElsewhere(const Measures& measures) {
  constexpr double kMostHere = 0.52;
  constexpr double kLittleHere = 0.4;
  constexpr double kLeastThere = 0.6;
  constexpr double kMore = 0.3;
  const OtherLines& other = measures.elsewhere;
  const bool has_names = measures.has_all_names && other.here >= kLittleHere;
  return measures.coverage < kEnough && !has_names && other.here < kMostHere &&
         other.there >= kLeastThere && other.there - other.here >= kMore && !other.is_other_kind;
}

// Claims that leave no exception; weaker ones ("any", "only", "each") often
// only restate the lines.
bool IsAbsolute(std::string_view lower) {
  constexpr std::array<std::string_view, 12> kWords = {
      "always",    "never",   "every",      "all",        "guaranteed",  "guarantees",
      "guarantee", "exactly", "regardless", "invariably", "exclusively", "solely"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

// fourth, fifth, 16th
bool IsOrdinal(const std::string& lower) {
  constexpr std::array<std::string_view, 7> kEnds = {"urth", "fth",  "xth", "venth",
                                                     "hth",  "enth", "ieth"};
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&](std::string_view end) { return lower.ends_with(end); }) ||
         (IsDigit(lower[0]) && lower.ends_with("th"));
}

class StatementJudge {
 public:
  StatementJudge(const statement::Statement& statement, const PreparedLines& lines,
                 Tokenizer& tokenizer, std::size_t& searches_left)
      : lines_(lines),
        tokenizer_(tokenizer),
        searches_left_(searches_left),
        read_(Read(statement, lines.evidence, tokenizer)),
        numbers_(JudgeNumbers(read_, lines.evidence,
                              {.around = lines.context_numbers,
                               .calculated = lines.calculated,
                               .counted = lines.counted},
                              tokenizer.stems())) {}

  Grounding Take() {
    for (const std::string& number : numbers_.doubtful) {
      Doubt(fmt::format("{} is not in the cited lines as such", number));
    }
    CompareWords();
    CompareValues();
    result_.measures.better = Proximity(read_, lines_.evidence).Compare();
    for (const std::string& word : result_.measures.better.opposed) {
      Doubt(fmt::format("the lines have the opposite of '{}'", word));
    }
    CompareStrength();
    CompareNegation();
    ComparePolarity();
    CompareExchange();
    CompareRelations();
    CompareRows();
    CompareElsewhere();
    Decide();
    return std::move(result_);
  }

 private:
  // Looks for lines of the same files that have much more of it.
  void CompareElsewhere() {
    const bool is_refused = !numbers_.missing.empty() || IsTooLittle(result_.measures);
    if (result_.measures.coverage >= kEnough || is_refused) return;
    for (const std::string_view file : lines_.files) {
      if (searches_left_ == 0) return;
      --searches_left_;
      const OtherLines other =
          FindElsewhere(read_, lines_.evidence, lines_.context, file, tokenizer_);
      if (other.there > result_.measures.elsewhere.there) result_.measures.elsewhere = other;
    }
  }

  void Contradict(std::string_view rule, std::string why) {
    contradicting_ = rule;
    exchange_ = std::move(why);
  }

  void Doubt(std::string why) { result_.doubts.push_back(std::move(why)); }

  void CompareWords() {
    double all = numbers_.weight;
    double found = numbers_.found;
    std::map<std::uint32_t, std::pair<double, double>> clauses;  // found, all
    std::vector<Segment> segments(1);
    std::set<std::string> strong;
    std::size_t names = 0;
    std::size_t names_found = 0;
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      const Ground ground = read_.grounds[i].ground;
      const double weight = WeightOf(token);
      if (StartsSegment(i)) segments.emplace_back();
      if (weight == 0) continue;
      const double worth = weight * WorthOf(ground);
      all += weight;
      found += worth;
      auto& clause = clauses[token.clause];
      clause.first += worth;
      clause.second += weight;
      segments.back().found += worth;
      segments.back().all += weight;
      segments.back().full += weight >= 1 ? 1 : 0;
      if (weight >= 1 && ground > Ground::kShortened) strong.insert(token.stem);
      const bool is_name = token.in_code && token.weight != WordWeight::kNone;
      if (is_name && ground == Ground::kNone) {
        if (IsOfKnownCode(token)) {
          Doubt(fmt::format("{} is not in the cited lines", token.lower));
        } else if (missing_name_.empty()) {
          missing_name_ = token.lower;
          is_subject_missing_ = IsOfFirstName(token);
        }
      }
      if (is_name && IsExchanged(token)) result_.measures.is_exchanged = true;
      if (token.in_code && weight >= 1) {
        ++names;
        names_found += ground == Ground::kWord ? 1 : 0;
      }
      result_.words.push_back(
          {.text = read_.statement.text.substr(token.begin, token.end - token.begin),
           .ground = ground,
           .by = read_.grounds[i].by});
    }
    CompareSegments(segments);
    Measures& measures = result_.measures;
    measures.content = all;
    measures.coverage = all > 0 ? found / all : 0;
    measures.strong = strong.size() + numbers_.same;
    measures.has_all_names = names > 0 && names == names_found;
    constexpr double kTelling = 2.5;
    for (const auto& [number, clause] : clauses) {
      const bool has_number = numbers_.clauses.contains(number);
      if (number > 0 && clause.first == 0 && !has_number && AddsSomething(number)) {
        Doubt("the lines have nothing of one of its clauses");
      }
      if (clause.second < kTelling) continue;
      measures.least_clause = std::min(measures.least_clause, clause.first / clause.second);
    }
  }

  // What is between two semicolons or dashes.
  struct Segment {
    double found = 0;
    double all = 0;
    std::size_t full = 0;  // words
  };

  bool StartsSegment(std::size_t token) const {
    if (token == 0) return false;
    const std::string_view text = read_.statement.text;
    const std::size_t end = read_.tokens[token - 1].end;
    const std::string_view between = text.substr(end, read_.tokens[token].begin - end);
    return between.find(';') != std::string_view::npos ||
           between.find(" - ") != std::string_view::npos ||
           between.find("\xE2\x80\x94") != std::string_view::npos ||
           between.find(" \xE2\x80\x93 ") != std::string_view::npos;
  }

  // Each part of a sentence is judged separately: the lines must have it, too.
  void CompareSegments(const std::vector<Segment>& segments) {
    constexpr std::size_t kFewest = 3;
    if (segments.size() < 2) return;
    for (const Segment& segment : segments) {
      if (segment.full < kFewest || segment.found >= kLittle * segment.all) continue;
      Doubt("the lines have hardly anything of one of its parts");
    }
  }

  // A part of `megatron-core` or `tune download` that the file has elsewhere, or
  // the program of a command whose words the lines have.
  bool IsOfKnownCode(const Token& token) const {
    for (const statement::TextRun& run : read_.statement.runs) {
      if (!run.is_code || token.begin < run.begin || token.end > run.end) continue;
      const std::string_view code =
          Trim(std::string_view(read_.statement.text).substr(run.begin, run.end - run.begin));
      if (code.starts_with('-') || code.find_first_of(" -") == std::string_view::npos) return false;
      if (IsCommandOf(code, lines_.evidence.lines())) return true;
      return std::any_of(lines_.files.begin(), lines_.files.end(), [&](std::string_view file) {
        if (searches_left_ == 0) return false;
        --searches_left_;
        return file.find(code) != std::string_view::npos;
      });
    }
    return false;
  }

  bool IsOfFirstName(const Token& token) const {
    const auto& runs = read_.statement.runs;
    const auto first = std::find_if(runs.begin(), runs.end(),
                                    [](const statement::TextRun& run) { return run.is_code; });
    return first != runs.end() && token.begin >= first->begin && token.end <= first->end;
  }

  // `NET_CPU_OPS` where the lines have `NET_GPU_OPS`, which the statement does not
  // mention: the one was put in the place of the other.
  bool IsExchanged(const Token& name) const {
    constexpr std::size_t kFewest = 2;
    if (name.kind != TokenKind::kName || !IsOfFirstName(name)) return false;
    if (name.parts.size() < kFewest || lines_.evidence.HasWord(name.lower)) return false;
    return std::any_of(
        lines_.evidence.tokens().begin(), lines_.evidence.tokens().end(), [&](const Token& other) {
          const bool is_alike = other.kind == TokenKind::kName && other.parts.size() >= kFewest &&
                                other.parts.front() == name.parts.front() &&
                                (other.lower.find('_') == std::string::npos) ==
                                    (name.lower.find('_') == std::string::npos);
          if (!is_alike) return false;
          return std::none_of(read_.tokens.begin(), read_.tokens.end(),
                              [&](const Token& said) { return said.lower == other.lower; });
        });
  }

  // Elsewhere in one of the files; `lower` is in lower case.
  bool IsInFile(const std::string& lower) const {
    return std::any_of(lines_.files.begin(), lines_.files.end(), [&](std::string_view file) {
      if (searches_left_ == 0) return false;
      --searches_left_;
      return LowerCase(file).find(lower) != std::string::npos;
    });
  }

  // ", but …", "and …", "which …": what is said on top of it, in a full word at
  // least; in any other clause, in two.
  bool AddsSomething(std::uint32_t clause) const {
    constexpr std::array<std::string_view, 12> kJoining = {"and",   "but",   "because", "since",
                                                           "so",    "which", "while",   "then",
                                                           "where", "i",     "e",       "although"};
    // "12.4 and later"
    constexpr std::array<std::string_view, 9> kOpen = {"later", "newer",   "above", "higher", "up",
                                                       "older", "earlier", "below", "onwards"};
    std::size_t full = 0;
    bool is_joined = false;
    bool is_first = true;
    for (const Token& token : read_.tokens) {
      if (token.clause != clause) continue;
      if (is_first) is_joined = IsOneOf(token.lower, kJoining);
      is_first = false;
      full += WeightOf(token) >= 1 && !IsOneOf(token.lower, kOpen) ? 1 : 0;
    }
    return full >= (is_joined ? 1 : 2);
  }

  void CompareValues() {
    for (const ValueFinding& finding :
         JudgeValues(read_, lines_.cards, lines_.evidence, tokenizer_)) {
      if (finding.is_sure) {
        wrong_value_ = finding.message;
        result_.nearest = finding.nearest;
      } else {
        Doubt(finding.message);
      }
    }
    if (const auto other = FindOtherDefault(read_, lines_.evidence)) {
      Contradict("default", fmt::format("the text says {}, the default in the cited lines is {}",
                                        other->said, other->there));
    }
    if (const auto other = FindOtherSwitch(read_, lines_.evidence, lines_.sentences)) {
      Contradict("default", fmt::format("the cited lines say '{} by default'", *other));
    }
  }

  // "above all", "32 GPUs in all"
  bool IsPhrase(std::size_t i) const {
    constexpr std::array<std::string_view, 5> kBefore = {"above", "in", "after", "at", "once"};
    if (read_.tokens[i].lower != "all" || i == 0) return false;
    const bool is_end =
        i + 1 == read_.tokens.size() || read_.tokens[i + 1].clause != read_.tokens[i].clause;
    return is_end && IsOneOf(read_.tokens[i - 1].lower, kBefore);
  }

  // "every sixteenth", "every 10 seconds", "never less than one", "exactly four"
  bool IsMeasure(std::size_t i) const {
    constexpr std::array<std::string_view, 6> kMore = {"less",  "more",  "fewer",
                                                       "below", "above", "exceeds"};
    if (IsPhrase(i)) return true;
    if (i + 1 >= read_.tokens.size()) return false;
    const std::string& next = read_.tokens[i + 1].lower;
    if (read_.tokens[i].lower == "never") return IsOneOf(next, kMore);
    if (read_.tokens[i].lower == "exactly") return IsNumberOfLines(i + 1);
    return read_.tokens[i].lower == "every" &&
           (IsOrdinal(next) || next == "second" || next == "third" || next == "other" ||
            IsNumberOfLines(i + 1));
  }

  bool IsNumberOfLines(std::size_t token) const {
    return std::any_of(read_.numbers.begin(), read_.numbers.end(), [&](const Quantity& number) {
      return number.begin == read_.tokens[token].begin && number.value >= 2 &&
             !lines_.evidence.PositionsOf(number).empty();
    });
  }

  bool SaysAll() const {
    constexpr std::array<std::string_view, 4> kWords = {"all", "each", "regardless", "always"};
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
      return lines_.evidence.HasWord(std::string(word));
    });
  }

  // "always" where the lines say "to ensure deterministic names"
  bool Ensures() const {
    constexpr std::array<std::string_view, 5> kWords = {"ensure", "ensures", "deterministic",
                                                        "guarantee", "guarantees"};
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
      return lines_.evidence.HasWord(std::string(word));
    });
  }

  // "every device" where the lines have "all devices": the same.
  bool SaysAllOf(std::size_t every) const {
    constexpr std::size_t kReach = 3;
    const std::size_t end = std::min(every + 1 + kReach, read_.tokens.size());
    for (std::size_t i = every + 1; i < end; ++i) {
      for (const std::uint32_t noun : read_.grounds[i].positions) {
        for (const char* const word : {"all", "each"}) {
          const std::vector<std::uint32_t>& places = lines_.evidence.PositionsOfWord(word);
          const auto after = std::upper_bound(places.begin(), places.end(), noun);
          if (after != places.begin() && noun - *(after - 1) <= kReach) return true;
        }
      }
    }
    return false;
  }

  // "all library functions" where the lines have "several library functions".
  bool IsOnlySome(std::size_t all) const {
    constexpr std::size_t kReach = 4;
    constexpr std::uint32_t kBefore = 2;
    constexpr std::array<const char*, 6> kSome = {"some", "several", "most",
                                                  "many", "certain", "few"};
    const std::string& said = read_.tokens[all].lower;
    if ((said != "all" && said != "every") || SaysAll()) return false;
    for (std::size_t i = all + 1; i < std::min(all + 1 + kReach, read_.tokens.size()); ++i) {
      if (read_.tokens[i].clause != read_.tokens[all].clause) return false;
      if (WeightOf(read_.tokens[i]) < 1) continue;
      for (const std::uint32_t noun : read_.grounds[i].positions) {
        for (const char* const word : kSome) {
          const std::vector<std::uint32_t>& places = lines_.evidence.PositionsOfWord(word);
          const auto after = std::upper_bound(places.begin(), places.end(), noun);
          if (after != places.begin() && noun - *(after - 1) <= kBefore) return true;
        }
      }
    }
    return false;
  }

  // Whether a hedge or a condition of the lines is beside two words of the clause.
  bool IsLimitedAt(std::size_t token) const {
    constexpr std::uint32_t kReach = 12;
    constexpr std::size_t kFewest = 2;
    for (const std::uint32_t limit : lines_.evidence.limits()) {
      std::size_t near = 0;
      for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
        if (read_.tokens[i].clause != read_.tokens[token].clause || WeightOf(read_.tokens[i]) < 1) {
          continue;
        }
        const std::vector<std::uint32_t>& places = read_.grounds[i].positions;
        near += std::any_of(places.begin(), places.end(),
                            [limit](std::uint32_t place) {
                              return (place < limit ? limit - place : place - limit) <= kReach;
                            })
                    ? 1
                    : 0;
      }
      if (near >= kFewest) return true;
    }
    return false;
  }

  // ", whatever the size"; "drops whatever has not been flushed" only names it.
  bool IsSetOff(std::size_t token) const {
    const std::string_view text = read_.statement.text;
    const std::string_view before = Trim(text.substr(0, read_.tokens[token].begin));
    if (!before.empty())
      return std::string_view(",;:(-").find(before.back()) != std::string_view::npos;
    // "Whatever is left goes there, and …": the comma does not end its clause.
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return false;
    const std::string_view after = Trim(text.substr(comma + 1));
    return !after.starts_with("and ") && !after.starts_with("but ");
  }

  // "always" where the lines say "usually" or "if".
  void CompareStrength() {
    const Lexicon& lexicon = Lexicon::Ours();
    const EvidenceText& evidence = lines_.evidence;
    const auto says = [&](Strength strength) {
      return std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
        return !token.in_code && lexicon.StrengthOf(token.lower) == strength;
      });
    };
    const bool hedge_lost = evidence.Hedges() && !says(Strength::kHedge);
    const bool condition_lost = evidence.HasCondition() && !says(Strength::kCondition);
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      const bool is_absolute = IsAbsolute(token.lower);
      if (token.in_code || token.in_compound) continue;
      const bool is_concessive = token.lower == "whatever" && IsSetOff(i);
      if (!is_absolute && !is_concessive && token.lower != "any") continue;
      if (evidence.HasWord(token.lower) || IsMeasure(i)) continue;
      // On statements that nobody had read, these were refused wrongly one time in
      // five: only if the limit is beside what they are said of.
      const bool is_soft = token.lower == "every" || token.lower == "never" || token.lower == "all";
      const bool is_said_otherwise =
          (token.lower == "every" && SaysAll()) || (token.lower == "always" && Ensures());
      const bool is_limited = hedge_lost || (condition_lost && (!is_soft || token.lower == "all"));
      if (IsOnlySome(i)) overclaim_ = token.lower;
      if ((is_absolute || is_concessive) && !is_said_otherwise && is_limited &&
          (!is_soft || IsLimitedAt(i))) {
        overclaim_ = token.lower;
      } else if (!is_said_otherwise || !SaysAllOf(i)) {
        Doubt(fmt::format("the lines do not say '{}'", token.lower));
      }
    }
  }

  // "not thread-safe" where nothing in the lines says no, in words or in code.
  // A negation in a condition ("if it is not set") is about what is not there.
  void CompareNegation() {
    constexpr std::array<std::string_view, 14> kConditions = {
        "if",    "when", "unless", "without", "with", "for",   "where",
        "until", "that", "which",  "whether", "once", "while", "whenever"};
    if (lines_.evidence.HasNegation() || lines_.evidence.DeniesInCode()) return;
    const std::vector<Token>& tokens = read_.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].is_negation || tokens[i].in_code || tokens[i].in_compound) continue;
      bool is_condition = false;
      for (std::size_t j = i + 1; j-- > 0 && tokens[j].clause == tokens[i].clause;) {
        is_condition = is_condition || std::find(kConditions.begin(), kConditions.end(),
                                                 tokens[j].lower) != kConditions.end();
      }
      if (is_condition) continue;
      return Doubt(fmt::format("the lines do not say '{}'", tokens[i].lower));
    }
  }

  void ComparePolarity() {
    if (const auto word = AssertsDenied(read_, lines_.evidence)) {
      Contradict("denial", fmt::format("the cited lines deny '{}'", *word));
    }
    ClauseSense sense = CompareSense(read_, lines_.evidence, lines_.sentences);
    if (!sense.inverted.empty()) Contradict("sense", std::move(sense.inverted));
    for (std::string& doubt : sense.doubts) Doubt(std::move(doubt));
    if (const auto word = WrongCondition(read_, lines_.evidence, lines_.sentences)) {
      Contradict("condition", fmt::format("the cited lines say it of the opposite of '{}'", *word));
    }
    const OrderFinding order = CompareOrder(read_, lines_.evidence);
    if (!order.turned.empty()) {
      Contradict("order", fmt::format("the cited lines have the two sides of '{}' the other way "
                                      "round",
                                      order.turned));
    } else if (!order.doubtful.empty()) {
      Doubt(
          fmt::format("the lines may have the sides of '{}' the other way round", order.doubtful));
    }
  }

  void CompareRelations() {
    const std::vector<std::string> found = ContradictedRelations(read_, lines_.definitions);
    if (!found.empty()) Contradict("relation", found.front());
    if (branches_.wrong) {
      Contradict("branch",
                 fmt::format("the cited lines have {} in the other case", *branches_.wrong));
    }
  }

  void CompareRows() {
    if (const auto other = FindOtherNumber(read_, lines_.evidence, lines_.sentences)) {
      Contradict("connected", fmt::format("the text says {}, the cited lines have {} for it",
                                          other->said, other->there));
    }
    if (auto wrong = WrongRow(read_, lines_.evidence, lines_.tables)) {
      Contradict("row", *std::move(wrong));
    }
  }

  void CompareExchange() {
    branches_ = CompareBranches(read_, lines_.evidence, lines_.branches);
    BranchFit cases = CompareCases(read_, lines_.cases);
    has_case_ = cases.fits;
    if (cases.fits || cases.wrong) branches_ = std::move(cases);
    // The structure of an alternative tells more than distances in the text.
    if (branches_.fits) return;
    if (auto wrong = WrongCount(read_, lines_.evidence, tokenizer_.stems())) {
      Contradict("count", *std::move(wrong));
      return;
    }
    const auto doubtful = FindInterchangeable(read_, lines_.evidence);
    if (doubtful) {
      result_.measures.interchangeable =
          fmt::format("{} and {}", WordAt(doubtful->first), WordAt(doubtful->second));
    }
    const std::optional<Exchange> found = FindExchange(read_, lines_.evidence);
    if (!found || IsCall(*found)) return;
    Contradict("exchange", fmt::format("the cited lines connect {} and {} the other way round",
                                       WordAt(found->first), WordAt(found->second)));
  }

  // A function and what its body calls have different roles: words are near to both.
  bool IsCall(const Exchange& exchange) const {
    const auto calls = [&](std::size_t caller, std::size_t called) {
      return std::any_of(lines_.definitions.begin(), lines_.definitions.end(),
                         [&](const cards::Definition& definition) {
                           if (LowerCase(definition.name) != read_.tokens[caller].lower)
                             return false;
                           return std::any_of(definition.calls.begin(), definition.calls.end(),
                                              [&](const std::string& call) {
                                                return LowerCase(call) ==
                                                       read_.tokens[called].lower;
                                              });
                         });
    };
    return calls(exchange.first, exchange.second) || calls(exchange.second, exchange.first);
  }

  std::string WordAt(std::size_t token) const {
    const Token& t = read_.tokens[token];
    return read_.statement.text.substr(t.begin, t.end - t.begin);
  }

  void Decide() {
    const Measures& m = result_.measures;
    if (!wrong_value_.empty())
      return Set("value", Verdict::kContradicted, "support/contradicted", wrong_value_);
    if (!numbers_.missing.empty()) return RefuseNumber();
    if (is_subject_missing_ && !m.is_exchanged && m.coverage >= kMostOfIt &&
        IsInFile(missing_name_)) {
      Doubt(fmt::format("{} is not in the cited lines", missing_name_));
    } else if (!missing_name_.empty()) {
      result_.text = missing_name_;
      return Set("name", Verdict::kAbsent, "ident/unknown",
                 fmt::format("{} is not in the cited lines", missing_name_));
    }
    const bool is_short = read_.statement.is_clause && m.content < kFewWords;
    if (IsTooLittle(m) && !is_short && !m.has_all_names) {
      return Set("words", Verdict::kAbsent, "support/ungrounded",
                 "the cited lines are about something else");
    }
    if (IsElsewhere(m)) {
      return Set(
          "elsewhere", Verdict::kAbsent, "support/ungrounded",
          fmt::format("the cited lines do not carry it; lines {}-{} of the file have more of "
                      "it",
                      m.elsewhere.first, m.elsewhere.last));
    }
    if (!m.better.contradicted.empty()) {
      return Set("opposite", Verdict::kContradicted, "support/contradicted",
                 fmt::format("the cited lines have the opposite of '{}'", m.better.contradicted));
    }
    if (!exchange_.empty()) {
      return Set(contradicting_, Verdict::kContradicted, "support/contradicted", exchange_);
    }
    if (!overclaim_.empty()) {
      return Set("absolute", Verdict::kAbsent, "support/ungrounded",
                 fmt::format("the cited lines give a condition or a possibility; they do not say "
                             "'{}'",
                             overclaim_));
    }
    if (const std::string doubt = FirstDoubt(); !doubt.empty()) {
      return Set("doubt", Verdict::kUndecidable, "support/undecided", "not decided: " + doubt);
    }
    Set("", Verdict::kSupported, "support/grounded", "the cited lines carry it");
  }

  void RefuseNumber() {
    const std::string& number = numbers_.missing.front();
    result_.text = number;
    if (numbers_.instead.empty()) {
      return Set("number", Verdict::kAbsent, "number/ungrounded",
                 fmt::format("{} is not in the cited lines", number));
    }
    result_.nearest = numbers_.instead;
    Set("other number", Verdict::kContradicted, "number/ungrounded",
        fmt::format("the text says {}, the cited lines say {}", number, numbers_.instead));
  }

  // Empty: there is none.
  std::string FirstDoubt() const {
    const Measures& m = result_.measures;
    if (read_.tokens.size() >= kMostWords) return "it is too long to compare";
    if (!result_.doubts.empty()) return result_.doubts.front();
    if (!m.interchangeable.empty()) {
      return fmt::format("the lines would fit as well with {} exchanged", m.interchangeable);
    }
    if (m.better.other_number >= kMostOtherNumber && !has_case_) {
      return "another number of the lines fits as well";
    }
    if (m.better.opposite >= kMostOpposite) return "the lines may say the opposite";
    if (!IsEnough(m)) return "the lines do not have all that it says";
    return {};
  }

  void Set(std::string_view rule, Verdict verdict, std::string_view code, std::string message) {
    result_.rule = rule;
    result_.verdict = verdict;
    result_.code = code;
    result_.message = std::move(message);
  }

  const PreparedLines& lines_;
  Tokenizer& tokenizer_;
  std::size_t& searches_left_;
  ReadStatement read_;
  SaidNumbers numbers_;
  std::string missing_name_;
  bool is_subject_missing_ = false;
  std::string wrong_value_;
  std::string overclaim_;
  std::string exchange_;
  std::string_view contradicting_;  // the rule
  BranchFit branches_;
  bool has_case_ = false;  // of a switch
  Grounding result_;
};

}  // namespace

PreparedLines Grounder::Prepare(const CitedLines& lines) {
  PreparedLines prepared = {.evidence = EvidenceText(lines.text, lines.context, tokenizer_),
                            .context_numbers = ReadQuantities(lines.context, true),
                            .definitions = cards::ReadDefinitions(lines.text)};
  prepared.cards = cards::ReadCards(lines.text, prepared.definitions);
  prepared.calculated = CalculatedValues(prepared.cards);
  prepared.counted = ThingsCounted(lines.text);
  prepared.branches = ReadBranches(lines.text);
  prepared.cases = ReadCases(lines.text);
  prepared.context = lines.context;
  prepared.files = lines.files;
  prepared.sentences = LineSentences(lines.text, prepared.evidence.tokens());
  prepared.tables = ReadTables(lines.text, prepared.evidence.tokens());
  return prepared;
}

Grounding Grounder::Judge(const statement::Statement& statement, const PreparedLines& lines) {
  return StatementJudge(statement, lines, tokenizer_, searches_left_).Take();
}

Grounding WithWords(Grounding by_lines, Grounding by_words) {
  if (by_lines.verdict != Verdict::kSupported && by_lines.verdict != Verdict::kUndecidable) {
    return by_lines;
  }
  const Measures& measures = by_words.measures;
  if (measures.strong == 0 || IsTooLittle(measures)) {
    by_words.verdict = Verdict::kAbsent;
    by_words.code = "support/ungrounded";
    by_words.rule = "cited words";
    by_words.message = "the cited words do not carry it";
    by_words.text.clear();
    by_words.nearest.clear();
    return by_words;
  }
  const bool is_choice = by_lines.doubts.empty() && IsEnough(by_lines.measures);
  const bool is_lifted = by_lines.verdict == Verdict::kUndecidable && is_choice &&
                         by_words.verdict == Verdict::kSupported;
  return is_lifted ? by_words : by_lines;
}

std::string ExplainWords(const Grounding& grounding) {
  std::vector<std::string> there;
  std::vector<std::string> otherwise;
  std::vector<std::string> around;
  std::vector<std::string> missing;
  for (const GroundedWord& word : grounding.words) {
    switch (word.ground) {
      case Ground::kWord:
      case Ground::kForm:
        there.push_back(word.text);
        break;
      case Ground::kSynonym:
      case Ground::kShortened:
        otherwise.push_back(fmt::format("{} ({})", word.text, word.by));
        break;
      case Ground::kContext:
        around.push_back(word.text);
        break;
      case Ground::kNone:
        missing.push_back(word.text);
        break;
    }
  }
  std::vector<std::string> groups;
  const auto add = [&groups](std::string_view name, const std::vector<std::string>& words) {
    if (!words.empty()) groups.push_back(fmt::format("{}: {}", name, Join(words, ", ")));
  };
  add("in the lines", there);
  add("in other words", otherwise);
  add("around the lines", around);
  add("missing", missing);
  return Join(groups, "; ");
}

}  // namespace sibyl::support
