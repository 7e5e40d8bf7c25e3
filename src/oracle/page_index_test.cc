// SPDX-License-Identifier: Apache-2.0
#include "oracle/page_index.h"

#include <gtest/gtest.h>

namespace sibyl::oracle {
namespace {

TEST(PageIndex, KeepsWhatAReaderLearnsSomethingFrom) {
  EXPECT_EQ(TextToIndex("# Streams\n"
                        "\n"
                        "> sibyl 0.1.0 · 2026-11-18 · 3 of 3 citations hold\n"
                        "\n"
                        "| planned | covered by |\n"
                        "| --- | --- |\n"
                        "| Priorities | [1](#1) |\n"
                        "\n"
                        "Lower numbers go first.[^a] USE\\_ZERO is the default.[^b]\n"
                        "See [Graphs](04-graphs.md).\n"
                        "\n"
                        "```cpp\n"
                        "a[^1];  // exclusive or\n"
                        "```\n"
                        "\n"
                        "| header | value |\n"
                        "| --- | --- |\n"
                        "| `a` | 1[^b] |\n"
                        "\n"
                        "## Not found\n"
                        "\n"
                        "- The latency.\n"
                        "\n"
                        "## Sources\n"
                        "\n"
                        "[^a]: cuda a.h#L1 <!-- swh -->\n"
                        "[^b]: cuda a.h#L2 <!-- swh -->\n"),
            "# Streams\n"
            "\n\n\n\n\n\n\n"
            "Lower numbers go first. USE_ZERO is the default.\n"
            "\n\n"
            "```cpp\n"
            "a[^1];  // exclusive or\n"
            "```\n"
            "\n"
            "| header | value |\n"
            "| --- | --- |\n"
            "| `a` | 1 |\n"
            "\n\n\n\n\n\n\n\n\n");
}

TEST(PageIndex, ADefinitionTakesItsIndentedLines) {
  EXPECT_EQ(TextToIndex("[^a]: one\n    more of it\nText.\n[^open\n"), "\n\nText.\n[^open\n");
}

}  // namespace
}  // namespace sibyl::oracle
