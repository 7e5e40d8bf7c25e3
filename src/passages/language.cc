// SPDX-License-Identifier: Apache-2.0
#include "passages/language.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "base/generated.h"
#include "base/strings.h"

namespace sibyl::passages {
namespace {

using Row = std::pair<std::string_view, std::string_view>;

constexpr Row kByExtension[] = {
    {"c", "c"},
    {"h", "c++"},
    {"cc", "c++"},
    {"cpp", "c++"},
    {"cxx", "c++"},
    {"hh", "c++"},
    {"hpp", "c++"},
    {"hxx", "c++"},
    {"inl", "c++"},
    {"ipp", "c++"},
    {"inc", "c++"},
    {"tpp", "c++"},
    {"mm", "objective-c"},
    {"m", "objective-c"},
    {"metal", "c++"},
    {"cu", "cuda"},
    {"cuh", "cuda"},
    {"hip", "cuda"},
    {"cl", "c"},
    {"glsl", "c"},
    {"comp", "c"},
    {"py", "python"},
    {"pyi", "python"},
    {"pyx", "python"},
    {"pxd", "python"},
    {"cmake", "cmake"},
    {"md", "markdown"},
    {"markdown", "markdown"},
    {"rst", "rst"},
    {"txt", "text"},
    {"sh", "shell"},
    {"bash", "shell"},
    {"zsh", "shell"},
    {"java", "java"},
    {"kt", "kotlin"},
    {"js", "javascript"},
    {"jsx", "javascript"},
    {"ts", "typescript"},
    {"tsx", "typescript"},
    {"go", "go"},
    {"rs", "rust"},
    {"swift", "swift"},
    {"rb", "ruby"},
    {"pl", "perl"},
    {"lua", "lua"},
    {"f90", "fortran"},
    {"f", "fortran"},
    {"F90", "fortran"},
    {"cs", "c#"},
    {"yml", "yaml"},
    {"yaml", "yaml"},
    {"json", "json"},
    {"toml", "toml"},
    {"ini", "ini"},
    {"cfg", "ini"},
    {"xml", "xml"},
    {"html", "html"},
    {"css", "css"},
    {"proto", "protobuf"},
    {"bzl", "starlark"},
    {"bazel", "starlark"},
    {"mk", "make"},
    {"gradle", "gradle"},
    {"s", "assembly"},
    {"S", "assembly"},
    {"asm", "assembly"},
    {"ptx", "ptx"},
    {"sql", "sql"},
    {"tex", "tex"},
    {"ipynb", "notebook"},
    {"patch", "diff"},
    {"diff", "diff"},
    {"bat", "batch"},
    {"ps1", "powershell"},
    {"dockerfile", "dockerfile"},
};

constexpr Row kByName[] = {
    {"CMakeLists.txt", "cmake"}, {"CMakeCache.txt", "cmake"},  {"Makefile", "make"},
    {"makefile", "make"},        {"GNUmakefile", "make"},      {"BUILD", "starlark"},
    {"WORKSPACE", "starlark"},   {"Dockerfile", "dockerfile"}, {"Containerfile", "dockerfile"},
    {"README", "text"},          {"LICENSE", "text"},          {"CHANGELOG", "text"},
    {"CONTRIBUTING", "text"},    {"NOTICE", "text"},           {"Jenkinsfile", "groovy"},
};

constexpr std::string_view kProse[] = {"markdown", "rst", "text", "html", "tex"};
constexpr std::string_view kSettings[] = {"yaml",       "json",   "toml",  "ini",
                                          "xml",        "make",   "cmake", "starlark",
                                          "dockerfile", "gradle", "groovy"};

template <std::size_t kSize>
std::string_view LookUp(const Row (&rows)[kSize], std::string_view name) {
  for (const auto& [known, language] : rows) {
    if (known == name) return language;
  }
  return {};
}

template <std::size_t kSize>
bool HasWord(const std::string_view (&words)[kSize], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string_view BaseName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view ByShebang(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line.find("python") != std::string_view::npos) return "python";
  if (line.find("perl") != std::string_view::npos) return "perl";
  return line.find("sh") != std::string_view::npos ? "shell" : std::string_view();
}

std::string_view LanguageOf(std::string_view path, std::string_view text) {
  std::string_view name = BaseName(path);
  // "config.h.in" is a header with holes.
  if (name.ends_with(".in") || name.ends_with(".tmpl")) name = name.substr(0, name.rfind('.'));
  if (const std::string_view language = LookUp(kByName, name); !language.empty()) return language;
  if (name.starts_with("Dockerfile.") || name.starts_with("Dockerfile-")) return "dockerfile";
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return ByShebang(text);
  const std::string_view language = LookUp(kByExtension, name.substr(dot + 1));
  return language.empty() ? ByShebang(text) : language;
}

bool IsTestPath(std::string_view path) {
  const std::string_view name = BaseName(path);
  const std::string_view stem = name.substr(0, name.rfind('.'));
  if (stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_tests") ||
      stem.ends_with("_unittest")) {
    return true;
  }
  constexpr std::string_view kFolders[] = {"test",     "tests",      "Tests", "testing",
                                           "unittest", "unit_tests", "unit"};
  while (true) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return false;
    if (HasWord(kFolders, path.substr(0, slash))) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string_view TextKindName(TextKind kind) {
  switch (kind) {
    case TextKind::kDocumentation:
      return "doc";
    case TextKind::kCode:
      return "code";
    case TextKind::kTest:
      return "test";
    case TextKind::kGenerated:
      return "generated";
    case TextKind::kConfiguration:
      return "config";
  }
  return "code";
}

TextTraits Classify(std::string_view path, std::string_view text) {
  TextTraits traits{.language = LanguageOf(path, text)};
  if (SaysGenerated(text) && traits.language != "markdown" && traits.language != "rst") {
    traits.kind = TextKind::kGenerated;
  } else if (IsTestPath(path)) {
    traits.kind = TextKind::kTest;
  } else if (HasWord(kProse, traits.language)) {
    traits.kind = TextKind::kDocumentation;
  } else if (HasWord(kSettings, traits.language)) {
    traits.kind = TextKind::kConfiguration;
  }
  return traits;
}

}  // namespace sibyl::passages
