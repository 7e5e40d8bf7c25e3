// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "cards/cards.h"
#include "cards/definition.h"
#include "cards/source_text.h"

namespace sibyl::cards {
namespace {

std::string Names(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
  return all;
}

// "owner/name(parameter=default …) : bases { members } calls", one per line.
std::string ReadAll(std::string_view text) {
  std::string all;
  for (const Definition& d : ReadDefinitions(text)) {
    all += d.owner + "/" + d.name;
    std::vector<std::string> members;
    for (const Member& member : d.members) {
      members.push_back(member.value.empty() ? member.name : member.name + "=" + member.value);
    }
    if (d.kind == DefinitionKind::kFunction) {
      all += "(" + Names(members) + ")";
    }
    if (!d.bases.empty()) all += " : " + Names(d.bases);
    if (d.kind != DefinitionKind::kFunction && !members.empty()) {
      all += " { " + Names(members) + " }";
    }
    if (!d.calls.empty()) all += " calls " + Names(d.calls);
    all += "\n";
  }
  return all;
}

TEST(Definitions, OfAClassWithItsBasesAndMembers) {
  EXPECT_EQ(ReadAll("class Pool final : public Base<int>, private detail::Other {\n public:\n"
                    "  explicit Pool(int size = 4);\n  int size() const { return size_; }\n"
                    " private:\n  int size_ = 4;\n  std::string name_{};\n};\n"),
            "/Pool : Base Other { Pool size size_ name_ }\nPool/Pool(size=4)\nPool/size()\n");
  EXPECT_EQ(ReadAll("class A(B, metaclass=M):\n    depth: int = 4\n    def f(self, x=1):\n"
                    "        return g(x)\n"),
            "/A : B { depth f }\nA/f(self x=1) calls g\n");
}

TEST(Definitions, OfAnEnumeration) {
  EXPECT_EQ(ReadAll("enum class Mode : int {\n  kFast = 0,  // quick\n  kSafe,\n  kSlow\n};\n"),
            "/Mode { kFast kSafe kSlow }\n");
}

TEST(Definitions, OfAFunctionWithWhatItCalls) {
  EXPECT_EQ(
      ReadAll("template <int n>\n__device__ void f(const T* x, int y = n) {\n"
              "  if (y) g(x);  // not h(x)\n  detail::k<4>(\"m(x)\");\n  run<<<1, 2>>>(x);\n}\n"),
      "/f(x y=n) calls g k run\n");
  EXPECT_EQ(ReadAll("async def f(\n    x: int = 4,\n) -> int:\n    \"\"\"not h(x)\"\"\"\n"
                    "    return g(x)\n\n\ny = k()\n"),
            "/f(x=4) calls g\n");
  EXPECT_EQ(ReadAll("func (r *T) Name(a int) error {\n  return r.other(a)\n}\n"),
            "/Name(int) calls other\n");
}

TEST(Definitions, OfADeclaration) {
  EXPECT_EQ(ReadAll("int depth(int of, int most = 4);\n"), "/depth(of most=4)\n");
}

TEST(Definitions, OfSomethingElse) {
  EXPECT_EQ(ReadAll("int x[] = {1, 2};\nif (x) { y(); }\nfor (;;) { z(); }\n"), "");
  EXPECT_EQ(ReadAll("It calls f(x), which is a class of its own.\n"), "");
  EXPECT_EQ(ReadAll(""), "");
}

TEST(Definitions, MayBeCutOff) {
  EXPECT_EQ(ReadAll("void f(int x) {\n  g(x);\n"), "/f(x) calls g\n");
  EXPECT_EQ(ReadAll("  g(x);\n}\n"), "");
  EXPECT_EQ(ReadAll("}}}}}\n))))\n"), "");
  EXPECT_EQ(ReadAll("void f(int x"), "");
  EXPECT_EQ(ReadAll("\"\"\"\n/*"), "");
}

TEST(Definitions, AreLimited) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "void f() {}\n";
  EXPECT_EQ(ReadDefinitions(many).size(), 500U);
}

TEST(Cards, HaveTheirOwner) {
  const auto owner = [](std::string_view text) { return ReadCards(text).at(0).owner; };
  EXPECT_EQ(owner("def f(a, depth=64):\n    pass\n"), "f");
  EXPECT_EQ(owner("struct Options {\n  int depth = 64;\n};\n"), "Options");
  EXPECT_EQ(owner("enum Mode { kFast = 4 };\n"), "Mode");
  EXPECT_EQ(owner("int depth = 64;\n"), "");
}

TEST(WithoutComments, KeepsLengthAndLines) {
  const std::string_view text = "a // b\n/* c\n */ d \"e(\" # f\n#define G\n";
  const std::string result = WithoutComments(text);
  EXPECT_EQ(result.size(), text.size());
  EXPECT_EQ(result, "a     \n    \n    d \"  \"    \n#define G\n");
}

}  // namespace
}  // namespace sibyl::cards
