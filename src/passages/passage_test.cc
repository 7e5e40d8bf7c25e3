// SPDX-License-Identifier: Apache-2.0
#include "passages/passage.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "passages/outline.h"

namespace sibyl::passages {
namespace {

// "first-last label", one for each span.
std::vector<std::string> Spans(const std::vector<OutlineSpan>& spans) {
  std::vector<std::string> shown;
  for (const OutlineSpan& span : spans) {
    shown.push_back(std::to_string(span.first + 1) + "-" + std::to_string(span.end) + " " +
                    span.label);
  }
  return shown;
}

std::vector<std::string> C(std::string_view text) { return Spans(OutlineC(LineTable(text))); }
std::vector<std::string> Python(std::string_view text) {
  return Spans(OutlinePython(LineTable(text)));
}
using Shown = std::vector<std::string>;

TEST(OutlineC, FindsFunctionsAndClassesWithTheirScopes) {
  EXPECT_EQ(C("#include <a>\n"
              "namespace at::native {\n"
              "namespace {\n"
              "// Adds.\n"
              "// Twice.\n"
              "int add(int a, int b) {\n"
              "  return a + b;\n"
              "}\n"
              "}\n"
              "class API Foo final : public Bar<int> {\n"
              " public:\n"
              "  Foo() : a_{1}, b_(2) {}\n"
              "  ~Foo() { /* } */ }\n"
              "  bool operator==(const Foo&) const { return '}' == \"}\"[0]; }\n"
              "  void declared();\n"
              "};\n"
              "template <typename T, int N = (1 < 2)>  ///< odd >\n"
              "void Foo::declared<T>() const noexcept {\n"
              "}\n"
              "enum class Color : int { kRed };\n"
              "}  // namespace\n"),
            (Shown{"4-8 at::native::add", "10-16 at::native::Foo", "12-12 at::native::Foo::Foo",
                   "13-13 at::native::Foo::~Foo", "14-14 at::native::Foo::operator==",
                   "17-19 at::native::Foo::declared", "20-20 at::native::Color"}));
}

TEST(OutlineC, KnowsKernelsMacrosAndTests) {
  EXPECT_EQ(C("REGISTER_DISPATCH(a, b)\n"
              "\n"
              "__global__ void __launch_bounds__(256, 2)\n"
              "kernel(float* x) {\n"
              "}\n"
              "TEST_F(Suite, Case) {\n"
              "}\n"
              "TORCH_IMPL_FUNC(gelu)(const Tensor& self) {\n"
              "}\n"
              "#define LONG(x) \\\n"
              "  do { \\\n"
              "  } while (0)\n"
              "#define SHORT 1\n"
              "extern \"C\" {\n"
              "struct node *next(struct node *n) {\n"
              "}\n"
              "}\n"),
            (Shown{"3-5 kernel", "6-7 TEST_F(Suite, Case)", "8-9 TORCH_IMPL_FUNC(gelu)",
                   "10-12 LONG", "15-16 next"}));
}

TEST(OutlineC, ReadsEachBranchOfAnIfFromTheSameState) {
  EXPECT_EQ(C("#ifdef A\n"
              "int f(int a) {\n"
              "#else\n"
              "int f() {\n"
              "#endif\n"
              "  return 1'000;\n"
              "}\n"
              "int g() {\n"
              "}\n"),
            (Shown{"4-7 f", "8-9 g"}));
}

TEST(OutlineC, ACommentOfADirectiveMayGoOn) {
  EXPECT_EQ(C("#define A 1  /* one\n * and more\n */\nint f() {\n}\n#define B 2 /* open\n"),
            (Shown{"1-3 A", "4-5 f"}));
}

TEST(OutlineC, IsNotFooledByStringsAndInitialisers) {
  EXPECT_EQ(C("const char* s = R\"x({ ) \" {)x\";\n"
              "int table[] = {1, 2, 3};\n"
              "auto lambda = [](int a) { return a; };\n"
              "Foo make{1, 2};\n"
              "int f() { return 0; }\n"),
            (Shown{"5-5 f"}));
  EXPECT_TRUE(C("int f() { if (x) {\n").empty());
  EXPECT_TRUE(C("}}}}").empty());
}

TEST(OutlinePython, FindsFunctionsMethodsAndDecorators) {
  EXPECT_EQ(Python("import a\n"
                   "\n"
                   "# about f\n"
                   "@cache(\n"
                   "    1)\n"
                   "def f(a,\n"
                   "      b):\n"
                   "    \"\"\"def not_this():\n"
                   "no indent here\n"
                   "\"\"\"\n"
                   "    def inner():\n"
                   "        pass\n"
                   "    return {\n"
                   "}\n"
                   "\n"
                   "class A(B):\n"
                   "    x = '#'  # )\n"
                   "\n"
                   "    async def m(self):\n"
                   "        pass\n"
                   "\n"
                   "    class Inner:\n"
                   "        def n(self): pass\n"
                   "\n"
                   "f()\n"),
            (Shown{"3-14 f", "16-23 A", "19-20 A.m", "22-23 A.Inner", "23-23 A.Inner.n"}));
}

TEST(OutlineCMake, GroupsCommandsWithTheirCommentsAndKeepsBlocksWhole) {
  EXPECT_EQ(
      Spans(OutlineCMake(LineTable("cmake_minimum_required(VERSION 3.1)\n"
                                   "project(x)\n"
                                   "\n"
                                   "# finds (it\n"
                                   "find_library(CUPTI\n"
                                   "  NAMES \"a)b\" [[ ) ]]\n"
                                   "  PATHS p) # )\n"
                                   "if(CUPTI)\n"
                                   "\n"
                                   "  set(HAVE 1)\n"
                                   "endif()\n"
                                   "\n"
                                   "# helper\n"
                                   "function(add_it name)\n"
                                   "  message(x)\n"
                                   "endfunction()\n"
                                   "#[[ comment\n"
                                   "set(no 1) ]]\n"
                                   "set(last 1)\n"))),
      (Shown{"1-2 cmake_minimum_required(VERSION), project(x)",
             "4-11 find_library(CUPTI), if(CUPTI), set(HAVE)", "13-16 add_it", "19-19 set(last)"}));
}

TEST(OutlineDockerfile, NamesStages) {
  EXPECT_EQ(Spans(OutlineDockerfile(LineTable("ARG V=1\n"
                                              "FROM --platform=x cuda:13 AS build\n"
                                              "RUN echo \\\n"
                                              "  from nowhere\n"
                                              "# the image\n"
                                              "from debian:12\n"
                                              "COPY --from=build a b\n"))),
            (Shown{"2-4 build", "5-7 debian:12"}));
}

std::vector<std::string> Labels(std::string_view language, std::string_view text) {
  std::vector<std::string> shown;
  for (const Passage& passage : SplitPassages(language, text)) {
    shown.push_back(std::to_string(passage.first_line) + "-" + std::to_string(passage.last_line) +
                    " " + passage.label);
  }
  return shown;
}

TEST(Passages, FollowMarkdownHeadings) {
  EXPECT_EQ(Labels("markdown",
                   "intro\n"
                   "\n"
                   "# Build\n"
                   "text\n"
                   "text\n"
                   "## Options ##\n"
                   "```sh\n"
                   "# not a heading\n"
                   "```\n"
                   "Install\n"
                   "=======\n"
                   "text\n"
                   "text\n"
                   "| a |\n"
                   "---\n"),
            (Shown{"1-5 Build", "6-9 Build > Options", "10-15 Install"}));
}

TEST(Passages, ReadNoHeadingInAFenceInsideAFence) {
  EXPECT_EQ(Labels("markdown",
                   "# Build\n"
                   "````markdown\n"
                   "```sh\n"
                   "# not a heading\n"
                   "```\n"
                   "# nor this\n"
                   "````\n"
                   "# Install\n"
                   "text\n"
                   "text\n"),
            (Shown{"1-7 Build", "8-10 Install"}));
}

TEST(Passages, FollowRstHeadings) {
  EXPECT_EQ(
      Labels("rst",
             "=====\n"
             "Title\n"
             "=====\n"
             "\n"
             "Text is here.\n"
             "\n"
             "Part\n"
             "----\n"
             "text\n"
             "\n"
             "Deep\n"
             "^^^^\n"
             "text\n"
             "\n"
             "Next\n"
             "----\n"
             "text\n"),
      (Shown{"1-6 Title", "7-10 Title > Part", "11-14 Title > Part > Deep", "15-17 Title > Next"}));
}

TEST(Passages, CutLongOnesIntoWindowsThatKeepTheLabel) {
  std::string text = "int f() {\n";
  for (int i = 0; i < 150; ++i) text += i % 9 == 0 ? "\n" : "  x();\n";
  text += "}\n";
  const std::vector<Passage> passages = SplitPassages("c++", text);
  ASSERT_GE(passages.size(), 3u);
  for (const Passage& passage : passages) {
    EXPECT_EQ(passage.label, "f");
    EXPECT_EQ(passage.shape, PassageShape::kDefinition);
    EXPECT_LE(passage.last_line - passage.first_line + 1, 60u);
  }
}

TEST(Passages, JoinSmallNeighbours) {
  EXPECT_EQ(Labels("c++", "int a() { return 1; }\n\nint b() { return 2; }\n\n// end\n"),
            (Shown{"1-5 a, b"}));
}

TEST(Passages, CoverEveryLineOnceInEveryLanguage) {
  for (const std::string_view language :
       {"c++", "python", "cmake", "dockerfile", "markdown", "rst", "shell", ""}) {
    EXPECT_TRUE(rc::check("cover", [language] {
      const auto pieces = *rc::gen::container<std::vector<std::string>>(
          rc::gen::elementOf(std::vector<std::string>{"\n",
                                                      "{",
                                                      "}",
                                                      "(",
                                                      ")",
                                                      "class A ",
                                                      "int f()",
                                                      "\"",
                                                      "'",
                                                      "#",
                                                      "#if x\n",
                                                      "#else\n",
                                                      "#endif\n",
                                                      "def f():\n",
                                                      "    ",
                                                      "/*",
                                                      "*/",
                                                      "//",
                                                      "====\n",
                                                      "Title\n",
                                                      "FROM a\n",
                                                      "set(a)\n",
                                                      "if(",
                                                      "function(f)\n",
                                                      "endfunction()\n",
                                                      "```\n",
                                                      "\\\n",
                                                      ";",
                                                      ":"}));
      std::string text;
      for (const std::string& piece : pieces) text += piece;
      std::uint32_t line = 1;
      std::uint32_t at = 0;
      for (const Passage& passage : SplitPassages(language, text)) {
        RC_ASSERT(passage.first_line == line && passage.begin == at);
        RC_ASSERT(passage.last_line >= line && passage.end > at);
        line = passage.last_line + 1;
        at = passage.end;
      }
      RC_ASSERT(at == text.size());
    }));
  }
}

TEST(Classify, KnowsLanguagesAndKinds) {
  const auto shown = [](std::string_view path, std::string_view text) {
    const TextTraits traits = Classify(path, text);
    return std::string(traits.language) + " " + std::string(TextKindName(traits.kind));
  };
  EXPECT_EQ(shown("src/a.cu", ""), "cuda code");
  EXPECT_EQ(shown("cmake/CMakeLists.txt", ""), "cmake config");
  EXPECT_EQ(shown("config.h.in", ""), "c++ code");
  EXPECT_EQ(shown("docker/Dockerfile.rocm", ""), "dockerfile config");
  EXPECT_EQ(shown("tools/run", "#!/usr/bin/env python3\n"), "python code");
  EXPECT_EQ(shown("test/a.py", ""), "python test");
  EXPECT_EQ(shown("src/a_test.cc", ""), "c++ test");
  EXPECT_EQ(shown("docs/a.rst", ""), "rst doc");
  EXPECT_EQ(shown("a.py", "# @generated by gen.py\n"), "python generated");
  EXPECT_EQ(shown("a.py", "# how code is generated\n"), "python code");
  EXPECT_EQ(shown("a.unknown", ""), " code");
}

}  // namespace
}  // namespace sibyl::passages
