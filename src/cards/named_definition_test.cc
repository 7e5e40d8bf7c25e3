// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cards/definition.h"

namespace sibyl::cards {
namespace {

std::vector<Definition> ReadOf(std::string_view language, std::string_view text,
                               std::string_view name) {
  return ReadDefinitionsOf(name, language, text);
}

std::vector<std::string> Names(const Definition& definition) {
  std::vector<std::string> names;
  for (const Member& member : definition.members) names.push_back(member.name);
  return names;
}

using List = std::vector<std::string>;

TEST(NamedDefinition, AStructHasItsFieldsAndMethods) {
  const auto found = ReadOf("c++",
                            "struct Point : public Base<int>, Other {\n"
                            "  int x = 1, y;  // not z;\n"
                            "  char name[16];\n"
                            "  unsigned bits : 3;\n"
                            "  float Length() const { return inner; }\n"
                            " private:\n"
                            "  void (*callback)(int);\n"
                            "};\n",
                            "Point");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, DefinitionKind::kType);
  EXPECT_EQ(found[0].line, 1U);
  EXPECT_EQ(found[0].bases, (List{"Base", "Other"}));
  for (const std::string name : {"x", "y", "name", "bits", "Length", "callback"}) {
    EXPECT_TRUE(found[0].Has(name)) << name;
  }
  EXPECT_FALSE(found[0].Has("z"));
  EXPECT_FALSE(found[0].Has("inner"));
  EXPECT_FALSE(found[0].has_open_members);
}

TEST(NamedDefinition, AnonymousUnionsCountAsTheRecordsOwn) {
  const auto found = ReadOf("c",
                            "typedef struct __device_builtin__ tag {\n"
                            "  enum kind { kA, kB } which;\n"
                            "  union { int a; struct { int b; } inner; } u;\n"
                            "} Attributes;\n",
                            "Attributes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(Names(found[0]), (List{"kA", "kB", "which", "a", "b", "inner", "u"}));
}

TEST(NamedDefinition, AnEnumHasItsEnumerators) {
  const auto found = ReadOf(
      "c++", "enum class __attribute__((x)) Mode : int { kOff = 0, kOn = (1 << 2), /* kNo */ };",
      "Mode");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, DefinitionKind::kEnumeration);
  EXPECT_EQ(Names(found[0]), (List{"kOff", "kOn"}));
}

TEST(NamedDefinition, AFunctionHasItsParameters) {
  const auto found = ReadOf("c++",
                            "extern __host__ cudaError_t CUDARTAPI copy(void *dst, const "
                            "void *src, size_t count = 4, void (*f)(int));\n"
                            "int main() { copy(a, b, c, d); return copy(a, b); }\n",
                            "copy");
  ASSERT_EQ(found.size(), 1U) << "a call is not a declaration";
  EXPECT_EQ(found[0].kind, DefinitionKind::kFunction);
  EXPECT_EQ(Names(found[0]), (List{"dst", "src", "count", "f"}));
}

TEST(NamedDefinition, AnAliasNamesWhatItStandsFor) {
  const auto found = ReadOf(
      "c", "typedef enum cudaError cudaError_t;\nusing cudaError_t = Other<int>;", "cudaError_t");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, DefinitionKind::kAlias);
  EXPECT_EQ(found[0].bases, List{"cudaError"});
  EXPECT_EQ(found[1].bases, List{"Other"});
}

TEST(NamedDefinition, AScopeInTemplateArgumentsIsNotABase) {
  const auto found = ReadOf(
      "c++", "template <class T> class A<T, std::enable_if_t<B<T>::value>> : public C { int x; };",
      "A");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].bases, List{"C"});
}

TEST(NamedDefinition, AMacroInTheBodyLeavesARecordOpen) {
  EXPECT_TRUE(ReadOf("c++", "struct A { int x; MORE_FIELDS(int) };", "A")[0].has_open_members);
  EXPECT_TRUE(ReadOf("c", "int f(int a, ...);", "f")[0].has_open_parameters);
}

TEST(NamedDefinition, APointerToAFunctionIsAMemberIfItHasAName) {
  EXPECT_EQ(Names(ReadOf("c", "struct A { int (*f)(int); };", "A")[0]), List({"int", "f"}));
  EXPECT_EQ(Names(ReadOf("c", "struct A { int x; /(* } A;", "A")[0]), List{"x"});
}

TEST(NamedDefinition, APythonFunctionHasItsParameters) {
  const auto found = ReadOf("python",
                            "@wraps\n"
                            "def load(name,  # the name, a\n"
                            "         *, verbose: bool = f(1, 2),\n"
                            "         keep='x,y') -> int:\n"
                            "    return name\n",
                            "load");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, DefinitionKind::kFunction);
  EXPECT_EQ(found[0].line, 2U);
  EXPECT_EQ(Names(found[0]), (List{"name", "verbose", "keep"}));
  EXPECT_FALSE(found[0].has_open_parameters);
  EXPECT_TRUE(ReadOf("python", "def f(a, **kwargs): pass\n", "f")[0].has_open_parameters);
}

TEST(NamedDefinition, APythonClassHasMethodsFieldsAndConstructorParameters) {
  const auto found = ReadOf("python",
                            "class Adam(Optimizer, metaclass=Meta):\n"
                            "    \"\"\"Doc: text\"\"\"\n"
                            "    version = 2\n"
                            "    def __init__(self, params, lr=1e-3):\n"
                            "        self.beta = 0.9\n"
                            "    def step(self, closure): pass\n",
                            "Adam");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, DefinitionKind::kType);
  EXPECT_EQ(found[0].bases, List{"Optimizer"});
  for (const std::string name : {"version", "params", "lr", "beta", "step"}) {
    EXPECT_TRUE(found[0].Has(name)) << name;
  }
  EXPECT_FALSE(found[0].Has("closure"));
}

TEST(NamedDefinition, FieldsOfADataclassAreItsParameters) {
  const auto found = ReadOf(
      "python", "@dataclass\nclass Recipe:\n    margin: int = 0\n    kind = 'x'\n", "Recipe");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].members,
            (std::vector<Member>{{.kind = MemberKind::kParameter, .name = "margin"},
                                 {.kind = MemberKind::kField, .name = "kind"}}));
}

TEST(NamedDefinition, AttributesThatAreMadeAtRunTimeLeaveAClassOpen) {
  EXPECT_TRUE(
      ReadOf("python", "class A:\n    def __getattr__(self, n): pass\n", "A")[0].has_open_members);
  EXPECT_TRUE(ReadOf("python", "class A:\n    def f(self):\n        setattr(self, n, 1)\n", "A")[0]
                  .has_open_members);
}

TEST(NamedDefinition, AMethodKnowsItsClass) {
  const auto found = ReadOf("python", "class A:\n    def f(self, x):\n        pass\n", "f");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].owner, "A");
}

TEST(NamedDefinition, BrokenTextHasFewerMembers) {
  EXPECT_TRUE(ReadOf("c++", "struct A { int x; ", "A").empty());
  EXPECT_TRUE(ReadOf("python", "def f(a, b\n", "f").front().has_open_parameters);
  EXPECT_TRUE(ReadOf("rust", "struct A { x: i32 }", "A").empty());
  EXPECT_TRUE(ReadOf("c++", "struct A {};", "").empty());
}

}  // namespace
}  // namespace sibyl::cards
