// SPDX-License-Identifier: Apache-2.0
// Parsers of untrusted bytes are linear: an input twice as long may cost little more
// than twice the instructions. A quadratic one costs four times as many, and lets an
// untrusted page keep a processor busy for minutes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

// Long enough that a quadratic part outweighs the rest, short enough for
// valgrind.
constexpr std::size_t kBytes = 12'000;
// Of targets that compare every statement in many ways.
constexpr std::size_t kSlowBytes = 4'000;
// Twice the input gives a ratio of 2, of 4 where the time is quadratic. Sorting
// and growing tables cost a little more than 2.
constexpr double kMostGrowth = 2.7;
// Below this many instructions the ratio is meaningless.
constexpr double kConstant = 200'000;

struct Shape {
  std::string_view name;
  std::string_view head;  ///< Once, at the start.
  /// As often as fits; '#' becomes a number, so that pieces differ, '\1' a '#'.
  std::string_view repeat;
};

constexpr Shape kText[] = {
    {"words", "", "alpha beta gamma "},
    {"one_word", "", "abcdefgh"},
    {"lines", "", "alpha beta\n"},
    {"paragraphs", "", "alpha beta.\n\n"},
    {"names", "", "`cudaMalloc#` "},
    {"numbers", "", "# ms and 1# bits, "},
    {"quotations", "", "\"the kernel # runs\" "},
    {"links", "", "[a#](b#.md) "},
    {"code_citations", "", "`f#` (`src/a.rs:#-9#`), "},
    {"code_links", "", "[a.rs:#](a.rs:#) "},
    {"code_lines", "In `a.rs`: ", "line 1#, "},
    {"footnotes", "", "a[^#] "},
    {"definitions", "a[^1]\n\n", "[^#]: https://example.org/a#\n"},
    {"emphasis", "", "**a _b "},
    {"brackets", "", "["},
    {"braces", "", "{("},
    {"backticks", "", "`a ``b ```c "},
    {"headings", "", "# a#\n"},
    {"list", "", "- a#\n"},
    {"quote_marks", "", "> "},
    {"rows", "| a | b |\n| - | - |\n", "| # | `b` |\n"},
    {"cells", "", "| a "},
    {"tags", "", "<b>a"},
    {"comments", "", "<!-- a "},
    {"entities", "", "&amp;&#;"},
    {"fences", "", "```\na\n```\n"},
    {"alternatives", "", "if (a#) { b = c ? 1# : d; } else {\n e;\n}\n"},
    {"directives", "", "\1if A\n"},
    {"continued", "", "a \\\n"},
    {"bytes", "", "\xff\xfe\xe2\x80\x8b"},
};

constexpr Shape kSettings[] = {
    {"entries", "", "KEY_#:STRING=value #\n"},
    {"same_entry", "", "KEY:STRING=value\n"},
    {"continued", "RUN a ", "\\\n b "},
    {"instructions", "FROM a\n", "RUN apt-get install a# && rm -rf b#\n"},
    {"stages", "", "FROM a# AS b#\n"},
    {"sources", "", "[[source]]\nname = \"a#\"\ngit = \"https://example.org/a#\"\n"},
    {"array", "a = [", "\"b#\", "},
    {"fields", "GET / HTTP/1.1\r\n", "A#: b\r\n"},
    {"one_byte_chunks", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
     "1\r\na\r\n"},
    {"rules", "User-agent: *\n", "Disallow: /a#*b\n"},
    {"stars", "User-agent: *\nDisallow: /", "a*"},
    {"json_objects", "[", "{\"a#\": 1},"},
    {"json_depth", "", "[[{\"a\":"},
    {"json_lines", "", "{\"lab\": \"a#\", \"value\": 1}\n"},
    {"events", "", "data: {\"a\": #}\n\n"},
    {"path", "https://example.org/", "a/../"},
    {"percent", "https://example.org/", "%41"},
};

constexpr Shape kSwitches[] = {
    {"cases", "switch (a) {\n", "case #: case -#:\n b = #; break;\n"},
    {"labels", "switch (a) {\n", "case #:\n"},
    {"values", "switch (a) {\ncase 1:\n", "b = #;\n"},
    {"open", "", "switch (a) { case 1: {"},
    {"words", "", "case cases # : "},
};

struct Target {
  std::string_view name;  ///< fuzz/NAME_fuzz.cc
  bool is_prose = true;   ///< Takes kText; otherwise kSettings.
  std::string_view head = {};
  std::size_t bytes = kBytes;
  std::span<const Shape> shapes = {};  ///< Instead of both.
};

// Else GoogleTest prints its bytes, addresses among them.
void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

constexpr Target kTargets[] = {
    {"base_markdown"},
    {"interface_room"},
    {"base_json", false},
    {"base_traceparent", false},
    {"plan"},
    {"page_html"},
    {"page_charset"},
    {"passages", true, std::string_view("\0", 1)},  // the first byte chooses a language
    {"passages", true, "\1"},
    {"passages", true, "\2"},
    {"passages", true, "\3"},
    {"passages", true, "\4"},
    {"passages", true, "\5"},
    {"cards_file", true, std::string_view("\0", 1)},  // likewise
    {"cards_file", true, "\1"},
    {"cards_file", true, "\2"},
    {"cards_file", true, "\3"},
    {"cards_file", true, "\4"},
    {"cards_file", true, "\5"},
    {"cards_file", true, "\6"},
    {"cards_file", true, "\7"},
    // The first byte chooses a language, the first word is the name.
    {"cards_named", true, std::string_view("\0A struct A { ", 13)},
    {"cards_named", true, "\1A = 1\nclass A:\n def f(self):\n"},
    {"injection"},
    {"citation"},
    {"draft", true, std::string_view("\0", 1)},  // the first byte chooses a language
    {"draft", true, "\1"},
    {"draft", true, "\2"},
    {"draft", true, "\3"},
    {"draft", true, "\4"},
    {"draft_agent"},
    {"draft_model"},
    {"statement"},
    {"statement_atom"},
    {"audit_number"},
    {"audit_claims", true, {}, kSlowBytes},
    {"statement_quote"},
    // A long statement; long lines; lines with alternatives.
    {"support", true, {}, kSlowBytes},
    {"support", true, std::string_view("The `a` of b is 4 by default.\0", 30), kSlowBytes},
    {"support", true, std::string_view("On `a`, it is 4, else 5.\0if (a) {\n", 34), kSlowBytes},
    {"support", true, std::string_view("Of `b`, 2 is 4.\0| b | 2 |\n| 4 | c |\n\n", 37),
     kSlowBytes},
    {"support", true, std::string_view("It is not a before b if c is set.\0It is not a. If ", 50),
     kSlowBytes},
    {"support_cases", true,
     std::string_view("It is 256 for 3, and 128 for 8.\0switch (a) {\n case 3:\n", 54), kSlowBytes},
    {"support_cases", true, std::string_view("It is 256 for 3, and 128 for 8.\0", 32), kSlowBytes,
     kSwitches},
    {"support_elsewhere", true,
     std::string_view("A seed checkpoint holds the model.\0A queue.\n\0A seed ", 52), kSlowBytes},
    {"gate_links"},
    {"references_find"},
    {"code"},
    {"whole_page", true, {}, 3'000},
    {"lock", false},
    {"evidence_store_record", false},
    {"evidence_history"},
    {"inspect_cmake", false},
    {"inspect_dockerfile", false},
    {"inspect_facts", false},
    {"lab", false},
    {"interface_http", false},
    {"interface_rpc", false},
    {"interface_lsp", false},
    {"interface_site_search"},
    {"model_stream", false},
    {"net_headers", false},
    {"net_robots", false},
    {"net_url", false},
};

std::string Make(const Target& target, const Shape& shape, std::size_t bytes) {
  std::string text(target.head);
  text += shape.head;
  for (std::size_t number = 1; text.size() < bytes; ++number) {
    for (const char letter : shape.repeat) {
      if (letter == '#' && shape.repeat.size() > 2) {
        text += std::to_string(number);
      } else if (letter == '\1') {
        text += '#';
      } else {
        text += letter;
      }
    }
  }
  return text;
}

// The number after `mark` at the start of a line.
std::optional<std::uint64_t> NumberAfter(std::string_view text, std::string_view mark) {
  for (const std::string_view line : SplitLines(text)) {
    if (!line.starts_with(mark)) continue;
    std::uint64_t number = 0;
    std::from_chars(line.data() + mark.size(), line.data() + line.size(), number);
    return number;
  }
  return std::nullopt;
}

// The instructions that the target takes for each input, in one run of it:
// callgrind counts inside the target alone and writes one file after each call.
std::vector<std::uint64_t> CountInstructions(const fs::path& program,
                                             const std::vector<fs::path>& inputs,
                                             const fs::path& folder) {
  constexpr std::string_view kCall = "LLVMFuzzerTestOneInput";
  const fs::path out = folder / "counts";
  std::vector<std::string> arguments = {"--tool=callgrind",
                                        fmt::format("--toggle-collect={}", kCall),
                                        fmt::format("--dump-after={}", kCall),
                                        "--callgrind-out-file=" + out.string(), program.string()};
  for (const fs::path& input : inputs) arguments.push_back(input.string());
  const auto outcome = RunProgram({.program = "valgrind",
                                   .arguments = std::move(arguments),
                                   .limits = {.time = std::chrono::minutes(4)}});
  EXPECT_TRUE(outcome.ok() && outcome->succeeded())
      << program << (outcome.ok() ? Describe(*outcome) + outcome->errors : outcome.error().message);
  std::vector<std::uint64_t> counts;
  for (std::size_t part = 1; part <= inputs.size(); ++part) {
    const auto text = ReadFile(fmt::format("{}.{}", out.string(), part));
    const auto count = text.ok() ? NumberAfter(*text, "totals: ") : std::nullopt;
    counts.push_back(count.value_or(0));
  }
  return counts;
}

class Linear : public testing::TestWithParam<Target> {};

TEST_P(Linear, CostsTwiceAsMuchForTwiceAsManyBytes) {
  if (!FindProgram("valgrind")) GTEST_SKIP() << "valgrind is not installed";
  const Target& target = GetParam();
  const std::span<const Shape> shapes = !target.shapes.empty() ? target.shapes
                                        : target.is_prose      ? std::span<const Shape>(kText)
                                                               : std::span<const Shape>(kSettings);
  const TemporaryFolder folder;
  std::vector<fs::path> inputs;
  for (const Shape& shape : shapes) {
    // The first call pays for one-time setup: tables, a fixture.
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{0}, target.bytes, 2 * target.bytes}) {
      inputs.push_back(folder.path() / fmt::format("{}-{}", shape.name, bytes));
      ASSERT_TRUE(WriteFileAtomically(inputs.back(), Make(target, shape, bytes)).ok());
    }
  }
  const fs::path program = fs::path(SIBYL_REPLAYS) / (std::string(target.name) + "_fuzz");
  const std::vector<std::uint64_t> counts = CountInstructions(program, inputs, folder.path());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::uint64_t none = counts[4 * i + 1];
    ASSERT_GT(counts[4 * i + 2], 0U) << target.name << " on " << shapes[i].name << ": no count";
    const auto once = static_cast<double>(counts[4 * i + 2]) - static_cast<double>(none);
    const auto twice = static_cast<double>(counts[4 * i + 3]) - static_cast<double>(none);
    EXPECT_LE(twice, kMostGrowth * once + kConstant)
        << target.name << " on " << shapes[i].name << ": " << once << " instructions for "
        << target.bytes << " bytes, " << twice << " for twice as many";
  }
}

std::string NameOf(const testing::TestParamInfo<Target>& about) {
  std::string name(about.param.name);
  if (!about.param.head.empty()) name += "_" + std::to_string(about.index);
  return name;
}

INSTANTIATE_TEST_SUITE_P(Readers, Linear, testing::ValuesIn(kTargets), NameOf);

}  // namespace
}  // namespace sibyl
