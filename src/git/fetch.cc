// SPDX-License-Identifier: Apache-2.0
#include "git/fetch.h"

#include <fmt/format.h>
#include <git2.h>

#include <array>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/free.h"
#include "git/fetch_git.h"
#include "git/git_program.h"
#include "git/origin.h"

namespace sibyl::git {
namespace {

using OpenRepository = std::unique_ptr<git_repository, Free<git_repository_free>>;
using Remote = std::unique_ptr<git_remote, Free<git_remote_free>>;
using Object = std::unique_ptr<git_object, Free<git_object_free>>;

Error Failure(const std::string& url) {
  const git_error* last = git_error_last();
  const std::string what = last != nullptr && last->message != nullptr ? last->message : "failed";
  Error error{.kind = ErrorKind::kUnavailable,
              .message = fmt::format("fetching {}: {}", WithoutCredentials(url), what),
              .hint = "check the address and the network connection"};
  if (what.find("No space left") != std::string::npos) {
    error.hint = "free disk space, or set XDG_CACHE_HOME to a disk with space";
  }
  return error;
}

// What the callbacks of one fetch share.
struct Session {
  const FetchOptions& options;
  int last_percent = -1;
  bool offered_agent = false;
};

int OnProgress(const git_indexer_progress* stats, void* payload) {
  auto* session = static_cast<Session*>(payload);
  if (session->options.cancelled && session->options.cancelled()) return GIT_EUSER;
  const unsigned total = stats->total_objects;
  const int percent = total == 0 ? 0 : static_cast<int>(100ull * stats->received_objects / total);
  if (session->options.progress && percent != session->last_percent) {
    session->last_percent = percent;
    session->options.progress(fmt::format("fetching: {} % of {} objects", percent, total));
  }
  return 0;
}

int OnCredentials(git_credential** out, const char* /*url*/, const char* user, unsigned allowed,
                  void* payload) {
  auto* session = static_cast<Session*>(payload);
  // Once: a server that refuses the agent's keys would ask again forever.
  if ((allowed & GIT_CREDENTIAL_SSH_KEY) == 0 || session->offered_agent) return GIT_EAUTH;
  session->offered_agent = true;
  return git_credential_ssh_key_from_agent(out, user != nullptr ? user : "git");
}

git_remote_callbacks Callbacks(Session& session) {
  git_remote_callbacks callbacks = GIT_REMOTE_CALLBACKS_INIT;
  callbacks.transfer_progress = OnProgress;
  callbacks.credentials = OnCredentials;
  callbacks.payload = &session;
  return callbacks;
}

/// The server's name for the requested ref.
struct RemoteRef {
  std::string name;
  git_oid id{};
};

std::vector<RemoteRef> ListRefs(git_remote* remote) {
  const git_remote_head** heads = nullptr;
  std::size_t count = 0;
  std::vector<RemoteRef> refs;
  if (git_remote_ls(&heads, &count, remote) != 0) return refs;
  for (std::size_t i = 0; i < count; ++i) refs.push_back({heads[i]->name, heads[i]->oid});
  return refs;
}

std::optional<RemoteRef> Choose(const std::vector<RemoteRef>& refs, std::string_view wanted) {
  const std::string name(wanted.empty() ? "HEAD" : wanted);
  for (const std::string& candidate :
       {name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name}) {
    for (const RemoteRef& ref : refs) {
      if (ref.name == candidate) return ref;
    }
  }
  return std::nullopt;
}

Error UnknownRef(const std::string& url, std::string_view wanted,
                 const std::vector<RemoteRef>& refs) {
  const std::string address = WithoutCredentials(url);
  if (refs.empty()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("fetching {}: the repository is empty", address)};
  }
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("fetching {}: unknown ref '{}'", address, wanted),
               .hint = fmt::format("'git ls-remote {}' shows the names", address)};
}

// The commit behind an id that is in the repository; tags are followed.
std::optional<ObjectId> PeeledCommit(git_repository* repository, const git_oid& id) {
  git_object* found = nullptr;
  if (git_object_lookup(&found, repository, &id, GIT_OBJECT_ANY) != 0) return std::nullopt;
  const Object object(found);
  git_object* peeled = nullptr;
  if (git_object_peel(&peeled, object.get(), GIT_OBJECT_COMMIT) != 0) return std::nullopt;
  const Object commit(peeled);
  return ObjectId::FromRaw(reinterpret_cast<const char*>(git_object_id(commit.get())->id));
}

Status Download(git_remote* remote, const std::string& refspec, const std::string& url,
                Session& session) {
  git_fetch_options fetch = GIT_FETCH_OPTIONS_INIT;
  fetch.callbacks = Callbacks(session);
  fetch.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
  if (!session.options.git_settings.empty()) fetch.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
  std::string mutable_spec = refspec;
  char* specs[] = {mutable_spec.data()};
  const git_strarray list{specs, 1};
  const int result = git_remote_fetch(remote, &list, &fetch, nullptr);
  if (result == GIT_EUSER) {
    return Error{.kind = ErrorKind::kCancelled, .message = "fetching: cancelled"};
  }
  return result == 0 ? Status() : Status(Failure(url));
}

Result<ObjectId> FetchWithLibrary(const std::filesystem::path& mirror, const std::string& url,
                                  std::string_view ref, const FetchOptions& options) {
  // Counted by the library; never shut down, since threads may outlive main.
  git_libgit2_init();
  git_repository* opened = nullptr;
  if (git_repository_open_bare(&opened, mirror.c_str()) != 0) return Failure(mirror.string());
  const OpenRepository repository(opened);
  git_remote* made = nullptr;
  if (git_remote_create_anonymous(&made, repository.get(), url.c_str()) != 0) return Failure(url);
  const Remote remote(made);

  Session session{options};
  git_remote_connect_options connect = GIT_REMOTE_CONNECT_OPTIONS_INIT;
  connect.callbacks = Callbacks(session);
  if (!options.git_settings.empty()) connect.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
  if (git_remote_connect_ext(remote.get(), GIT_DIRECTION_FETCH, &connect) != 0) {
    return Failure(url);
  }
  const std::vector<RemoteRef> refs = ListRefs(remote.get());
  std::optional<RemoteRef> wanted = Choose(refs, ref);
  std::string refspec = "+refs/*:refs/remotes/origin/*";
  if (wanted) {
    refspec = fmt::format("+{}:refs/remotes/origin/{}", wanted->name, wanted->name);
  } else if (ObjectId::FromHex(ref)) {
    // libgit2 cannot ask for a bare id: everything is fetched, then it is here or not.
    wanted = RemoteRef{std::string(ref), {}};
    git_oid_fromstr(&wanted->id, std::string(ref).c_str());
  } else {
    return UnknownRef(url, ref, refs);
  }
  if (const std::optional<ObjectId> here = PeeledCommit(repository.get(), wanted->id)) {
    return *here;
  }
  SIBYL_TRY(Download(remote.get(), refspec, url, session));
  const std::optional<ObjectId> commit = PeeledCommit(repository.get(), wanted->id);
  if (!commit) return UnknownRef(url, ref, refs);
  return *commit;
}

}  // namespace

Result<ObjectId> FetchCommit(const std::filesystem::path& mirror, const std::string& url,
                             std::string_view ref, const FetchOptions& options) {
  if (options.network == Network::kForbidden) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("fetching {}: this command does not use the network",
                               WithoutCredentials(url)),
        .hint = "'sibyl source sync' fetches, unless --offline or SIBYL_OFFLINE forbids it"};
  }
  if (HasCredentials(url)) return CredentialsRefused(url);
  if (HasGitProgram()) return FetchWithGit(mirror, url, ref, options);
  // A shallow commit would be treated as complete, and the server would omit
  // missing objects.
  std::error_code ignored;
  if (std::filesystem::exists(mirror / "shallow", ignored)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("fetching {}: no such program in PATH: git",
                                        WithoutCredentials(url)),
                 .hint = "install git; this source was fetched with it before"};
  }
  return FetchWithLibrary(mirror, url, ref, options);
}

}  // namespace sibyl::git
