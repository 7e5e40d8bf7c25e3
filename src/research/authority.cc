// SPDX-License-Identifier: Apache-2.0
#include "research/authority.h"

#include <algorithm>
#include <iterator>

#include "base/strings.h"

namespace sibyl::research {
namespace {

/// A host (and all hosts below it) or "host/path" of a maker.
struct Home {
  std::string_view place;
  std::string_view maker;
};

constexpr Home kHomes[] = {
    {"nvidia.com", "nvidia"},
    {"nvidia.github.io", "nvidia"},
    {"github.com/nvidia", "nvidia"},
    {"github.com/nvidia-nemo", "nvidia"},
    {"github.com/nvlabs", "nvidia"},
    {"github.com/rapidsai", "rapids"},
    {"rapids.ai", "rapids"},
    {"pytorch.org", "pytorch"},
    {"github.com/pytorch", "pytorch"},
    {"cmake.org", "cmake"},
    {"gitlab.kitware.com", "cmake"},
    {"github.com/kitware", "cmake"},
    {"docker.com", "docker"},
    {"github.com/docker", "docker"},
    {"github.com/moby", "docker"},
    {"opencontainers.org", "oci"},
    {"github.com/opencontainers", "oci"},
    {"kubernetes.io", "kubernetes"},
    {"github.com/kubernetes", "kubernetes"},
    {"gcc.gnu.org", "gnu"},
    {"gnu.org", "gnu"},
    {"llvm.org", "llvm"},
    {"github.com/llvm", "llvm"},
    {"isocpp.org", "isocpp"},
    {"open-std.org", "isocpp"},
    {"python.org", "python"},
    {"github.com/python", "python"},
    {"pypa.io", "python"},
    {"github.com/pypa", "python"},
    {"kernel.org", "linux"},
    {"man7.org", "linux"},
    {"amd.com", "amd"},
    {"github.com/rocm", "amd"},
    {"intel.com", "intel"},
    {"oneapi.io", "intel"},
    {"github.com/intel", "intel"},
    {"github.com/oneapi-src", "intel"},
    {"arm.com", "arm"},
    {"khronos.org", "khronos"},
    {"github.com/khronosgroup", "khronos"},
    {"tensorflow.org", "tensorflow"},
    {"github.com/tensorflow", "tensorflow"},
    {"docs.jax.dev", "jax"},
    {"jax.readthedocs.io", "jax"},
    {"github.com/jax-ml", "jax"},
    {"openxla.org", "openxla"},
    {"github.com/openxla", "openxla"},
    {"huggingface.co/docs", "huggingface"},
    {"github.com/huggingface", "huggingface"},
    {"vllm.ai", "vllm"},
    {"github.com/vllm-project", "vllm"},
    {"triton-lang.org", "triton"},
    {"github.com/triton-lang", "triton"},
    {"github.com/dao-ailab", "flash-attention"},
    {"deepspeed.ai", "deepspeed"},
    {"deepspeed.readthedocs.io", "deepspeed"},
    {"github.com/deepspeedai", "deepspeed"},
    {"github.com/microsoft", "microsoft"},
    {"learn.microsoft.com", "microsoft"},
    {"onnx.ai", "onnx"},
    {"onnxruntime.ai", "onnx"},
    {"github.com/onnx", "onnx"},
    {"ray.io", "ray"},
    {"github.com/ray-project", "ray"},
    {"numpy.org", "numpy"},
    {"github.com/numpy", "numpy"},
    {"scipy.org", "scipy"},
    {"open-mpi.org", "openmpi"},
    {"github.com/open-mpi", "openmpi"},
    {"openucx.org", "ucx"},
    {"openucx.readthedocs.io", "ucx"},
    {"github.com/openucx", "ucx"},
    {"mpi-forum.org", "mpi"},
    {"slurm.schedmd.com", "slurm"},
    {"github.com/schedmd", "slurm"},
    {"ninja-build.org", "ninja"},
    {"github.com/ninja-build", "ninja"},
    {"bazel.build", "bazel"},
    {"github.com/bazelbuild", "bazel"},
    {"git-scm.com", "git"},
    {"sqlite.org", "sqlite"},
    {"debian.org", "debian"},
    {"ubuntu.com", "ubuntu"},
    {"redhat.com", "redhat"},
    {"conda.io", "conda"},
    {"conda-forge.org", "conda"},
    {"github.com/conda", "conda"},
    {"docs.github.com", "github"},
    {"docs.gitlab.com", "gitlab"},
    {"docs.aws.amazon.com", "aws"},
    {"cloud.google.com", "google"},
    {"github.com/google", "google"},
    {"github.com/google-deepmind", "google"},
    {"rfc-editor.org", "ietf"},
    {"ietf.org", "ietf"},
    {"w3.org", "w3c"},
    {"developer.mozilla.org", "mozilla"},
    {"en.cppreference.com", "cppreference"},
    {"doc.rust-lang.org", "rust"},
    {"github.com/rust-lang", "rust"},
};

constexpr std::string_view kPapers[] = {"arxiv.org",    "acm.org",        "ieee.org",
                                        "usenix.org",   "openreview.net", "doi.org",
                                        "springer.com", "mlsys.org",      "neurips.cc"};
constexpr std::string_view kForums[] = {"stackoverflow.com",   "stackexchange.com",
                                        "superuser.com",       "serverfault.com",
                                        "askubuntu.com",       "reddit.com",
                                        "quora.com",           "news.ycombinator.com",
                                        "zhihu.com",           "forums.developer.nvidia.com",
                                        "discuss.pytorch.org", "discuss.huggingface.co",
                                        "forums.docker.com",   "discourse.cmake.org"};
constexpr std::string_view kBlogs[] = {"medium.com",
                                       "dev.to",
                                       "substack.com",
                                       "hashnode.dev",
                                       "wordpress.com",
                                       "blogspot.com",
                                       "linkedin.com",
                                       "geeksforgeeks.org",
                                       "w3schools.com",
                                       "tutorialspoint.com",
                                       "towardsdatascience.com",
                                       "analyticsvidhya.com",
                                       "csdn.net",
                                       "hackernoon.com",
                                       "freecodecamp.org",
                                       "baeldung.com",
                                       "javatpoint.com"};

constexpr std::string_view kForges[] = {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org",
                                        "gitlab.kitware.com"};

// The host itself or one below it.
bool IsBelow(std::string_view host, std::string_view domain) {
  if (!host.ends_with(domain)) return false;
  return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

bool IsAt(const net::Url& url, std::string_view place) {
  const std::size_t slash = place.find('/');
  if (!IsBelow(url.host, place.substr(0, slash))) return false;
  if (slash == std::string_view::npos) return true;
  const std::string_view folder = place.substr(slash);
  const std::string_view path = url.path;
  return StartsWithIgnoringCase(path, folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/');
}

template <std::size_t N>
bool IsAmong(const net::Url& url, const std::string_view (&hosts)[N]) {
  return std::any_of(std::begin(hosts), std::end(hosts),
                     [&](std::string_view host) { return IsBelow(url.host, host); });
}

bool LooksLikeDocumentation(const net::Url& url) {
  return url.host.starts_with("docs.") || url.host.starts_with("doc.") ||
         url.host.starts_with("developer.") || IsBelow(url.host, "readthedocs.io") ||
         IsBelow(url.host, "readthedocs.org") || IsBelow(url.host, "github.io") ||
         url.path.find("/docs/") != std::string::npos ||
         url.path.find("/documentation/") != std::string::npos;
}

bool LooksLikeBlog(const net::Url& url) {
  return url.host.starts_with("blog.") || url.host.ends_with(".blog") ||
         url.path.starts_with("/blog/") || url.path.starts_with("/blogs/");
}

}  // namespace

std::string_view AuthorityName(Authority authority) {
  constexpr std::string_view kNames[] = {"official", "repository", "documentation", "paper",
                                         "unknown",  "forum",      "blog"};
  return kNames[static_cast<std::size_t>(authority)];
}

Standing Judge(const net::Url& url) {
  const bool is_repository = !RepositoryOf(url).empty();
  // Before the makers: their forums are on their own hosts.
  if (IsAmong(url, kForums)) return {.authority = Authority::kForum};
  for (const Home& home : kHomes) {
    if (IsAt(url, home.place)) {
      return {
          .authority = Authority::kOfficial, .maker = home.maker, .is_repository = is_repository};
    }
  }
  if (is_repository) return {.authority = Authority::kRepository, .is_repository = true};
  if (IsAmong(url, kPapers)) return {.authority = Authority::kPaper};
  if (IsAmong(url, kBlogs) || LooksLikeBlog(url)) return {.authority = Authority::kBlog};
  if (LooksLikeDocumentation(url)) return {.authority = Authority::kDocumentation};
  return {};
}

std::string_view MakerNamed(std::string_view word) {
  for (const std::string_view ending : {"'s", "\xe2\x80\x99s"}) {
    if (word.ends_with(ending)) word.remove_suffix(ending.size());
  }
  // Aliases of names in the table.
  constexpr Home kOther[] = {{"cuda", "nvidia"},   {"torch", "pytorch"}, {"kitware", "cmake"},
                             {"rocm", "amd"},      {"gcc", "gnu"},       {"clang", "llvm"},
                             {"cutlass", "nvidia"}};
  for (const Home& other : kOther) {
    if (EqualsIgnoringCase(word, other.place)) return other.maker;
  }
  for (const Home& home : kHomes) {
    if (EqualsIgnoringCase(word, home.maker)) return home.maker;
  }
  return {};
}

std::string RepositoryOf(const net::Url& url) {
  if (std::find(std::begin(kForges), std::end(kForges), url.host) == std::end(kForges)) return {};
  const std::string_view path = std::string_view(url.path).substr(1);
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos || slash == 0) return {};
  std::string_view name = path.substr(slash + 1);
  name = name.substr(0, name.find('/'));
  if (name.ends_with(".git")) name.remove_suffix(4);
  const std::string_view owner = path.substr(0, slash);
  // Pages of the forge itself.
  for (const std::string_view own : {"topics", "search", "orgs", "features", "settings",
                                     "marketplace", "collections", "sponsors", "about", "login"}) {
    if (owner == own) return {};
  }
  if (name.empty()) return {};
  return std::string(owner) + "/" + std::string(name);
}

}  // namespace sibyl::research
