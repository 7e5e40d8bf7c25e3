// SPDX-License-Identifier: Apache-2.0
#include "references/find/file_mention.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kLongestPath = 400;

// Sorted, for binary search.
constexpr auto kExtensions = std::to_array<std::string_view>({
    "adoc",  "asm",  "astro", "awk",   "bash",  "bat",  "bazel",  "bzl",     "c",      "cc",
    "cfg",   "cjs",  "clj",   "cmake", "conf",  "cpp",  "cs",     "css",     "csv",    "cts",
    "cu",    "cuh",  "cxx",   "d",     "dart",  "ejs",  "el",     "erl",     "ex",     "exs",
    "f90",   "fish", "frag",  "fs",    "glsl",  "go",   "gradle", "graphql", "groovy", "h",
    "hbs",   "hcl",  "hh",    "hlsl",  "hpp",   "hrl",  "hs",     "htm",     "html",   "hxx",
    "inc",   "inl",  "ini",   "ipp",   "ipynb", "java", "jl",     "js",      "json",   "json5",
    "jsonc", "jsx",  "kt",    "kts",   "lean",  "less", "lisp",   "lock",    "lua",    "m",
    "md",    "mdc",  "mdx",   "metal", "mjs",   "mk",   "ml",     "mli",     "mm",     "move",
    "mts",   "nim",  "nix",   "nu",    "pas",   "php",  "pl",     "plist",   "pm",     "prisma",
    "proto", "ps1",  "py",    "pyi",   "pyx",   "r",    "rb",     "rkt",     "rs",     "rst",
    "s",     "sass", "sbt",   "scala", "scm",   "scss", "sh",     "sol",     "sql",    "svelte",
    "swift", "tcl",  "td",    "tex",   "tf",    "toml", "ts",     "tsv",     "tsx",    "txt",
    "v",     "vert", "vhd",   "vim",   "vue",   "wgsl", "xml",    "yaml",    "yml",    "zig",
    "zsh",
});

constexpr auto kNames = std::to_array<std::string_view>({
    "Brewfile",
    "CODEOWNERS",
    "Dockerfile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "Makefile",
    "Procfile",
    "Rakefile",
    "Vagrantfile",
    "justfile",
    "makefile",
});

bool IsPathByte(char c) {
  return IsAlphanumeric(c) || c == '_' || c == '.' || c == '/' || c == '-' || c == '+' ||
         c == '@' || c == '~';
}

std::string_view LastName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view ExtensionOf(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot + 1 == name.size() ? std::string_view()
                                                                 : name.substr(dot + 1);
}

bool IsKnownExtension(std::string_view extension) {
  const std::string lower = LowerCase(extension);
  return std::find(kExtensions.begin(), kExtensions.end(), lower) != kExtensions.end();
}

// Of a path with folders any short extension with a letter will do.
bool IsPlausibleExtension(std::string_view extension) {
  return !extension.empty() && extension.size() <= 10 &&
         std::all_of(extension.begin(), extension.end(), IsAlphanumeric) &&
         std::any_of(extension.begin(), extension.end(), IsLetter);
}

std::string_view Trimmed(std::string_view word) {
  while (!word.empty() && (word.back() == '.' || word.back() == '-' || word.back() == '/' ||
                           word.back() == '+' || word.back() == '@' || word.back() == '~')) {
    word.remove_suffix(1);
  }
  while (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  return word;
}

bool IsInUrl(std::string_view text, std::size_t begin, std::string_view word) {
  if (begin >= 1 && text[begin - 1] == ':' && word.starts_with("//")) return true;
  return begin >= 1 && (text[begin - 1] == '?' || text[begin - 1] == '=' || text[begin - 1] == '&');
}

}  // namespace

bool LooksLikeFile(std::string_view word) {
  const std::string_view name = LastName(word);
  if (name.empty() || name.size() > kLongestPath) return false;
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  const std::string_view extension = ExtensionOf(name);
  if (extension.empty()) return false;
  const std::string_view stem = name.substr(0, name.size() - extension.size() - 1);
  // "e.g", "v0.1" and ".any" are not files.
  if (std::all_of(stem.begin(), stem.end(), [](char c) { return IsDigit(c) || c == '.'; }) &&
      !stem.empty()) {
    return false;
  }
  if (stem.empty()) return false;
  if (IsKnownExtension(extension)) return true;
  return word.size() != name.size() && IsPlausibleExtension(extension);
}

std::vector<FileMention> FindFileMentions(std::string_view text, const IsKnownFile& is_known) {
  std::vector<FileMention> mentions;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsPathByte(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsPathByte(text[end])) ++end;
    const std::string_view whole = text.substr(at, end - at);
    const std::string_view word = Trimmed(whole);
    const std::size_t begin = at + static_cast<std::size_t>(word.data() - whole.data());
    at = end;
    if (word.empty() || word.size() > kLongestPath || IsInUrl(text, begin, word)) continue;
    // A glob such as *.rs or {a,b}.rs names no file.
    if (begin > 0 && (text[begin - 1] == '*' || text[begin - 1] == '}')) continue;
    if (LooksLikeFile(word) || (is_known && is_known(word))) {
      mentions.push_back({.begin = begin, .end = begin + word.size(), .path = std::string(word)});
    }
  }
  return mentions;
}

}  // namespace sibyl::references
