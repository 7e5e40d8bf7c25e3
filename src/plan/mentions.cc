// SPDX-License-Identifier: Apache-2.0
#include "plan/mentions.h"

#include <algorithm>
#include <array>

#include "plan/scan.h"

namespace sibyl::plan {
namespace {

bool IsFileNameByte(char c) { return IsNameByte(c) || c == '-' || c == '.'; }

// Longest first where one ends in another.
constexpr std::array<std::string_view, 34> kExtensions = {
    ".md",   ".markdown", ".py",   ".ipynb", ".txt",  ".rst",  ".cpp", ".cxx",  ".cc",
    ".hpp",  ".cuh",      ".cu",   ".cmake", ".json", ".yaml", ".yml", ".toml", ".pdf",
    ".html", ".js",       ".ts",   ".tsx",   ".glsl", ".wgsl", ".sh",  ".cfg",  ".ini",
    ".rs",   ".go",       ".java", ".csv",   ".h",    ".c",    ".tex"};

bool HasFileExtension(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == kNowhere || dot == 0) return false;
  return std::find(kExtensions.begin(), kExtensions.end(), path.substr(dot)) != kExtensions.end();
}

constexpr std::array<std::string_view, 24> kGitOwners = {
    "nvidia",        "pytorch",     "facebookresearch",
    "huggingface",   "google",      "google-research",
    "microsoft",     "openai",      "kitware",
    "rocm",          "deepmind",    "dao-ailab",
    "meta-llama",    "intel",       "apple",
    "amd",           "tensorflow",  "vllm-project",
    "triton-lang",   "docker",      "moby",
    "nvidia-merlin", "deepseek-ai", "qwenlm"};

bool IsKnownOwner(std::string_view owner) {
  return std::any_of(kGitOwners.begin(), kGitOwners.end(),
                     [owner](std::string_view known) { return EqualsIgnoringCase(owner, known); });
}

// "owner/name" at the front of a URL's path, without ".git".
std::string RepositoryOfPath(std::string_view path) {
  std::size_t slash = path.find('/');
  if (slash == kNowhere || slash == 0) return {};
  std::size_t end = slash + 1;
  while (end < path.size() && IsFileNameByte(path[end])) ++end;
  std::string_view name = path.substr(0, end);
  if (name.ends_with(".git")) name.remove_suffix(4);
  while (name.ends_with('.')) name.remove_suffix(1);
  for (const char c : name.substr(0, slash)) {
    if (!IsFileNameByte(c)) return {};
  }
  return name.size() > slash + 1 ? std::string(name) : std::string();
}

void AddHostedRepositories(std::string_view text, std::vector<std::string>& found) {
  for (const std::string_view host : {"github.com/", "raw.githubusercontent.com/", "gitlab.com/",
                                      "codeberg.org/", "bitbucket.org/", "github:"}) {
    for (std::size_t at = text.find(host); at != kNowhere; at = text.find(host, at + 1)) {
      if (at > 0 && (IsNameByte(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '-')) {
        if (!text.substr(0, at).ends_with("www.")) continue;
      }
      std::string name = RepositoryOfPath(text.substr(at + host.size()));
      if (!name.empty()) found.push_back(std::move(name));
    }
  }
}

// Whether the text around text[begin, end) calls it a repository.
bool IsCalledRepository(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view before = text.substr(0, begin);
  for (const std::string_view word :
       {"github ", "github: ", "github (", "repo (", "repository (", "repo ",
        "repo: ", "repos: ", "repository ", "repository: ", "repositories: "}) {
    if (before.size() >= word.size() &&
        EqualsIgnoringCase(before.substr(before.size() - word.size()), word)) {
      return true;
    }
  }
  const std::string_view after = SkipDecoration(text.substr(end));
  for (const std::string_view word : {"repo", "repository", "github", "fork", "dockerfiles"}) {
    if (StartsWithWord(after, word)) return true;
  }
  return false;
}

void AddNamedRepositories(std::string_view text, RepositoryContext context,
                          std::vector<std::string>& found) {
  for (std::size_t slash = text.find('/'); slash != kNowhere; slash = text.find('/', slash + 1)) {
    std::size_t begin = slash;
    while (begin > 0 && IsFileNameByte(text[begin - 1])) --begin;
    std::size_t end = slash + 1;
    while (end < text.size() && IsFileNameByte(text[end])) ++end;
    const std::size_t next = end;
    while (end > slash + 1 && text[end - 1] == '.') --end;
    const bool one_slash = (begin == 0 || text[begin - 1] != '/') &&
                           (next == text.size() || text[next] != '/') &&
                           (begin == 0 || text[begin - 1] != ':');
    const std::string_view owner = text.substr(begin, slash - begin);
    const std::string_view name = text.substr(slash + 1, end - slash - 1);
    // "CI/CD" beside "GitHub Actions" is common and not a repository.
    const bool named = !EqualsIgnoringCase(text.substr(begin, end - begin), "ci/cd") &&
                       owner.size() > 1 && name.size() > 1 && IsLetter(owner[0]) &&
                       !HasFileExtension(name) && !owner.ends_with('.');
    const bool listed =
        context == RepositoryContext::kListed && SkipDecoration(text.substr(0, begin)).empty();
    if (one_slash && named &&
        (listed || IsKnownOwner(owner) || IsCalledRepository(text, begin, end))) {
      found.emplace_back(text.substr(begin, end - begin));
    }
    slash = next - 1;
  }
}

// "nvidia-docker GitHub repo": a name without its owner.
void AddBareNames(std::string_view text, std::vector<std::string>& found) {
  const std::size_t at = FindIgnoringCase(text, " github repo");
  if (at == kNowhere) return;
  std::size_t begin = at;
  while (begin > 0 && IsFileNameByte(text[begin - 1])) --begin;
  const std::string_view name = text.substr(begin, at - begin);
  const bool after_slash = begin > 0 && text[begin - 1] == '/';
  if (!after_slash && name.find_first_of("-_") != kNowhere && IsLetter(name[0])) {
    found.emplace_back(name);
  }
}

bool IsPathByte(char c) {
  return IsFileNameByte(c) || c == '/' || c == '+' || c == '~' || c == '@' || c == '{' ||
         c == '}' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::vector<std::string> FindUrls(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find("http"); at != kNowhere; at = text.find("http", at + 4)) {
    std::string_view rest = text.substr(at);
    if (!rest.starts_with("http://") && !rest.starts_with("https://")) continue;
    std::size_t end = 0;
    int round = 0;
    for (; end < rest.size(); ++end) {
      const char c = rest[end];
      if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '<' || c == '>' || c == '`' ||
          c == '|' || c == '\\' || c == ']' || c == '\'') {
        break;
      }
      if (c == '(') ++round;
      if (c == ')' && --round < 0) break;
    }
    std::string_view url = rest.substr(0, end);
    while (!url.empty() && std::string_view(".,;:!?*_").find(url.back()) != kNowhere) {
      url.remove_suffix(1);
    }
    if (url.size() > std::string_view("https://").size()) found.emplace_back(url);
  }
  return found;
}

std::vector<std::string> FindRepositories(std::string_view text, RepositoryContext context) {
  std::vector<std::string> found;
  const bool github = ContainsIgnoringCase(text, "github");
  const bool slash = text.find('/') != kNowhere;
  if (!slash && !github) return found;
  if (slash) AddHostedRepositories(text, found);
  const bool spoken_of =
      context == RepositoryContext::kListed || github || ContainsIgnoringCase(text, "gitlab") ||
      FindWord(text, "repo") != kNowhere || FindWord(text, "repos") != kNowhere ||
      ContainsIgnoringCase(text, "repositor");
  if (spoken_of) {
    AddNamedRepositories(text, context, found);
    AddBareNames(text, found);
  }
  return found;
}

std::vector<std::string_view> FindPaths(std::string_view text) {
  std::vector<std::string_view> found;
  int round = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '(') ++round;
    if (text[at] == ')' && round > 0) --round;
    if (!IsPathByte(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsPathByte(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    const bool url = word.starts_with("//") || (at > 0 && text[at - 1] == ':' && word[0] == '/');
    at = end;
    while (word.ends_with('.')) word.remove_suffix(1);
    // "INDEX.md cuda/ section" names a section of the index, not a folder.
    const bool folder = word.size() > 1 && word.ends_with('/') &&
                        IsFileNameByte(word[word.size() - 2]) &&
                        !StartsWithWord(TrimLeft(text.substr(end)), "section");
    if (round == 0 && !url && (folder || HasFileExtension(word))) found.push_back(word);
  }
  return found;
}

std::string_view FindDrop(std::string_view text) {
  const std::size_t at = text.find("KNOWLEDGE-DROP-");
  if (at == kNowhere) return {};
  std::size_t end = at;
  while (end < text.size() && (IsFileNameByte(text[end]) || text[end] == '[' || text[end] == ']' ||
                               text[end] == '{' || text[end] == '}' || text[end] == '*')) {
    if (text[end] == '*') return {};  // "KNOWLEDGE-DROP-*.md" means all of them
    ++end;
  }
  std::string_view drop = text.substr(at, end - at);
  while (drop.ends_with('.')) drop.remove_suffix(1);
  return drop.size() > std::string_view("KNOWLEDGE-DROP-").size() ? drop : std::string_view();
}

}  // namespace sibyl::plan
