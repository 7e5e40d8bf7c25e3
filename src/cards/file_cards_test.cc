// SPDX-License-Identifier: Apache-2.0
#include "cards/file_cards.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::cards {
namespace {

Card Find(std::string_view language, std::string_view text, std::string_view name,
          std::string_view path = "a") {
  for (Card& card : ReadFileCards({.path = path, .language = language, .text = text})) {
    if (card.name == name) return std::move(card);
  }
  ADD_FAILURE() << "no card " << name;
  return {};
}

// "name|type|value|documentation", one per line.
std::string Parameters(const Card& card) {
  std::string all;
  for (const CardParameter& p : card.parameters) {
    all += p.name + "|" + p.type + "|" + p.value + "|" + p.documentation + "\n";
  }
  return all;
}

TEST(FileCards, ADoxygenCommentBelongsToItsFunction) {
  const Card card = Find("c",
                         "/**\n"
                         " * \\brief Copies data between host and device\n"
                         " *\n"
                         " * Copies \\p count bytes. May overlap.\n"
                         " *\n"
                         " * \\param dst    - Destination address\n"
                         " * \\param count  - Size in bytes\n"
                         " *                 to copy\n"
                         " *\n"
                         " * \\return\n"
                         " * ::poolSuccess\n"
                         " *\n"
                         " * \\sa ::poolFree\n"
                         " */\n"
                         "extern __host__ poolError_t POOLAPI poolCopy(void *dst, size_t count,\n"
                         "    stream_t stream __dv(0));\n",
                         "poolCopy");
  EXPECT_EQ(card.kind, CardKind::kFunction);
  EXPECT_EQ(card.signature,
            "extern __host__ poolError_t POOLAPI poolCopy(void *dst, size_t count, "
            "stream_t stream __dv(0))");
  EXPECT_EQ(Parameters(card),
            "dst|void *||Destination address\ncount|size_t||Size in bytes\nto copy\n"
            "stream|stream_t|0|\n");
  EXPECT_EQ(card.returns, "::poolSuccess");
  EXPECT_EQ(card.documentation,
            "Copies data between host and device\n\nCopies count bytes. May overlap.");
  EXPECT_EQ(card.first_line, 1U);
  EXPECT_EQ(card.last_line, 16U);
}

TEST(FileCards, AnEnumeratorHasItsOwnerValueAndComment) {
  const Card card = Find("c++",
                         "enum poolError {\n  poolSuccess = 0,  ///< All is well.\n"
                         "  /// It failed\n  /// badly.\n  poolErrorLaunch = 719,\n};\n",
                         "poolErrorLaunch");
  EXPECT_EQ(card.owner, "poolError");
  EXPECT_EQ(card.value, "719");
  EXPECT_EQ(card.documentation, "It failed\nbadly.");
  EXPECT_EQ(Find("c++", "enum E {\n  kA = 1,  ///< All is well.\n};\n", "kA").documentation,
            "All is well.");
}

TEST(FileCards, ATypeHasTheCommentAboveItNotThoseOfItsMembers) {
  EXPECT_EQ(
      Find("c++", "/// A pool {of blocks}.\nstruct Pool {\n  int x;  ///< Not this.\n};\n", "Pool")
          .documentation,
      "A pool {of blocks}.");
}

TEST(FileCards, AGoogleDocstringHasSections) {
  const Card card = Find("python",
                         "class Pool:\n"
                         "    def grow(self, by: int = 1, *, fast=False) -> int:\n"
                         "        r\"\"\"Grows the pool.\n"
                         "\n"
                         "        .. versionadded:: 2.1\n"
                         "\n"
                         "        Args:\n"
                         "            by (int, optional): how much;\n"
                         "                at least one\n"
                         "            fast: whether it is quick\n"
                         "\n"
                         "        Returns:\n"
                         "            the new size\n"
                         "\n"
                         "        Example::\n"
                         "\n"
                         "            >>> grow()\n"
                         "        \"\"\"\n"
                         "        return by\n",
                         "grow");
  EXPECT_EQ(card.kind, CardKind::kMethod);
  EXPECT_EQ(card.owner, "Pool");
  EXPECT_EQ(card.since, "2.1");
  EXPECT_EQ(card.signature, "def grow(self, by: int = 1, *, fast=False) -> int");
  EXPECT_EQ(Parameters(card),
            "by|int, optional|1|how much;\nat least one\nfast||False|whether it is quick\n");
  EXPECT_EQ(card.returns, "the new size");
  EXPECT_TRUE(card.documentation.starts_with("Grows the pool.")) << card.documentation;
}

TEST(FileCards, ANumPyAndASphinxDocstring) {
  const Card numpy = Find("python",
                          "def grow(by=1):\n"
                          "    \"\"\"Grows.\n\n    Parameters\n    ----------\n"
                          "    by : int, optional\n        How much.\n\n"
                          "    Returns\n    -------\n    int\n        The size.\n    \"\"\"\n",
                          "grow");
  EXPECT_EQ(Parameters(numpy), "by|int, optional|1|How much.\n");
  EXPECT_EQ(numpy.returns, "int\nThe size.");
  const Card sphinx = Find("python",
                           "def grow(by=1):\n    '''Grows.\n\n    :param int by: how much\n"
                           "    :returns: the size\n    '''\n",
                           "grow");
  EXPECT_EQ(Parameters(sphinx), "by||1|how much\n");
  EXPECT_EQ(sphinx.returns, "the size");
}

TEST(FileCards, AClassTakesWhatItsConstructorTakes) {
  const Card card = Find("python",
                         "class Adam(Optimizer):\n"
                         "    \"\"\"Adam.\n\n    Args:\n        lr (float): the rate\n    \"\"\"\n"
                         "    def __init__(self, params, lr=1e-3): pass\n",
                         "Adam");
  EXPECT_EQ(card.kind, CardKind::kType);
  EXPECT_EQ(Parameters(card), "params|||\nlr|float|1e-3|the rate\n");
  EXPECT_EQ(card.documentation, "Adam.");
}

TEST(FileCards, AnArgumentHasItsHelpAndChoices) {
  const Card card = Find("python",
                         "p.add_argument('--mode', choices=['fast', 'safe'],\n"
                         "               default='fast', help='how it works, '\n"
                         "               'or not')\n",
                         "--mode");
  EXPECT_EQ(card.kind, CardKind::kOption);
  EXPECT_EQ(card.value, "fast");
  EXPECT_EQ(card.choices, (std::vector<std::string>{"fast", "safe"}));
  EXPECT_EQ(card.documentation, "how it works, or not");
}

TEST(FileCards, AFieldHasItsHelp) {
  EXPECT_EQ(Find("python",
                 "class A:\n    depth: int = field(default=4, metadata={\"help\": \"how deep\"})\n",
                 "depth")
                .documentation,
            "how deep");
  EXPECT_EQ(Find("python", "class A:\n    depth: int = Field(4, description='how deep')\n", "depth")
                .documentation,
            "how deep");
  EXPECT_EQ(Find("python", "class A:\n    depth: int = 4\n    \"\"\"How deep.\"\"\"\n", "depth")
                .documentation,
            "How deep.");
}

TEST(FileCards, AnOptionOfCMakeHasItsTextAndComment) {
  const Card card =
      Find("cmake", "# Needs a GPU.\noption(POOL_CUDA \"Build with CUDA\" OFF)\n", "POOL_CUDA");
  EXPECT_EQ(card.value, "OFF");
  EXPECT_EQ(card.documentation, "Build with CUDA\nNeeds a GPU.");
}

TEST(FileCards, AHelpPageHasItsVersion) {
  const Card card = Find("rst",
                         "POOL_ARCHS\n----------\n\n.. versionadded:: 3.18\n\nThe list:\n\n"
                         "- one\n- two\n",
                         "POOL_ARCHS", "Help/variable/POOL_ARCHS.rst");
  EXPECT_EQ(card.since, "3.18");
  EXPECT_EQ(card.documentation, "The list:\n\n- one\n- two");
}

TEST(FileCards, ARowHasTheHeaderOfItsTable) {
  const Card card =
      Find("markdown", "| Name | Default |\n| --- | --- |\n| `pool_x` | 4 |\n| `pool_y` | 5 |\n",
           "pool_y");
  EXPECT_EQ(card.signature, "| Name | Default |");
  EXPECT_EQ(card.value, "5");
  EXPECT_EQ(card.documentation, "| `pool_y` | 5 |");
}

TEST(FileCards, AFlagHasItsText) {
  EXPECT_EQ(Find("c++", "DEFINE_bool(fast, true, \"whether it is, or\"\n  \" is not\");\n", "fast")
                .documentation,
            "whether it is, or is not");
}

TEST(FileCards, APlaceThatTheTextDoesNotHaveIsAllThatIsKnown) {
  const Card card = ReadFileCard({.path = "a.h", .language = "c++", .text = "int x;\n"},
                                 {.name = "gone", .value = "4", .first_line = 70, .last_line = 71});
  EXPECT_EQ(card.name, "gone");
  EXPECT_EQ(card.value, "4");
  EXPECT_EQ(card.first_line, 70U);
  EXPECT_TRUE(card.documentation.empty());
}

}  // namespace
}  // namespace sibyl::cards
