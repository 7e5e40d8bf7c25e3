// SPDX-License-Identifier: Apache-2.0
#include "gate/resolver.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "gate/cited/cited_pages.h"
#include "gate/tree_paths.h"
#include "git/object_reader.h"
#include "git/origin.h"
#include "passages/line_table.h"

namespace sibyl::gate {
namespace {

using evidence::SourceCitation;
using git::ObjectDatabase;
using git::ObjectId;
using State = Resolution::State;
using Anchor = SourceCitation::Anchor;

// All citations of one blob in one mirror.
struct BlobGroup {
  ObjectId blob;
  std::size_t pin = 0;
  git::ObjectPlace place;  // for reading a pack from its front to its back
  std::vector<std::size_t> citations;
};

// All citations of one path in one commit or tree.
struct PathGroup {
  std::size_t pin = 0;
  ObjectId root;  // a commit or a tree
  std::string_view path_view;
  bool is_anchor = false;  // or the pin's own tree
  std::vector<std::size_t> citations;
  // What was found there.
  bool is_known = false;  // the store has the commit
  std::optional<ObjectId> blob;
};

// Calls work(begin, end) for one stretch of [0, count) on each thread. Not for
// small ones in turn: neighbours in the list share folders and delta bases, and
// each thread has its own caches.
void ForEachStretch(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t, std::size_t)>& work) {
  constexpr std::size_t kSmallest = 64;
  const std::size_t stretches = std::min(threads, (count + kSmallest - 1) / kSmallest);
  ForEachInParallel(stretches, {.threads = stretches}, [&](std::size_t i) {
    work(count * i / stretches, count * (i + 1) / stretches);
  });
}

void CutLines(const SourceCitation& citation, const passages::LineTable& lines,
              Resolution& resolution) {
  resolution.file_lines = lines.count();
  const std::string_view file = *resolution.file;
  if (citation.lines.IsWhole()) {
    resolution.state = State::kResolved;
    resolution.span_view = file;
    return;
  }
  const auto [first, last] = citation.lines;
  if (first > last || last > lines.count()) {
    resolution.state = State::kBadLines;
    return;
  }
  const std::size_t begin = lines.begin(first - 1);
  const std::size_t end = lines.end(last - 1);
  if (citation.words && (citation.words->first < begin || citation.words->last >= end)) {
    resolution.state = State::kBadWords;
    return;
  }
  resolution.state = State::kResolved;
  resolution.span_view = file.substr(begin, end - begin);
  if (citation.words) {
    resolution.words_view = file.substr(citation.words->first, citation.words->size());
  }
}

}  // namespace

CitationResolver::CitationResolver(evidence::Lock lock, const evidence::Store& store,
                                   const Options& options)
    : lock_(std::make_unique<const evidence::Lock>(std::move(lock))),
      pages_(std::make_unique<CitedPages>(*lock_, store)),
      options_(options) {
  constexpr std::size_t kMostThreads = 8;
  if (options_.threads == 0) {
    options_.threads = std::min<std::size_t>(MachineThreads(), kMostThreads);
  }
}

CitationResolver::CitationResolver(CitationResolver&&) noexcept = default;
CitationResolver& CitationResolver::operator=(CitationResolver&&) noexcept = default;
CitationResolver::~CitationResolver() = default;

CitationResolver CitationResolver::Open(evidence::Lock lock, const evidence::Surroundings& around,
                                        const Options& options) {
  CitationResolver resolver(std::move(lock), around.store, options);
  for (const evidence::Pin& pin : resolver.lock_->pins) {
    const evidence::Mirror mirror =
        around.store.MirrorOf(pin.kind, evidence::StoreOrigin(pin.origin, around.oracle));
    std::shared_ptr<const ObjectDatabase> objects;
    if (mirror.Exists()) {
      auto opened = mirror.Open();
      if (opened.ok() && pin.tree && (*opened)->Contains(*pin.tree)) objects = *std::move(opened);
    }
    resolver.objects_.push_back(std::move(objects));
  }
  return resolver;
}

OtherAnswer CitationResolver::ResolvePage(const evidence::WebCitation& citation) const {
  return pages_->Resolve(citation);
}

const evidence::Pin* CitationResolver::PinOf(std::string_view origin) const {
  for (const evidence::Pin& pin : lock_->pins) {
    if (pin.origin == origin) return &pin;
  }
  for (const evidence::Pin& pin : lock_->pins) {
    if (git::SameOrigin(pin.origin, origin)) return &pin;
  }
  return nullptr;
}

std::shared_ptr<const ObjectDatabase> CitationResolver::ObjectsOf(const evidence::Pin& pin) const {
  const auto index = static_cast<std::size_t>(&pin - lock_->pins.data());
  return index < objects_.size() ? objects_[index] : nullptr;
}

namespace {

// One call of Resolve.
class Batch {
 public:
  Batch(const CitationResolver& resolver, const std::vector<SourceCitation>& citations,
        const CitationResolver::Options& options)
      : resolver_(resolver), citations_(citations), options_(options), answers_(citations.size()) {}

  std::vector<Resolution> Run() {
    FindBlobs();
    ForEachStretch(blobs_.size(), options_.threads,
                   [this](std::size_t begin, std::size_t end) { ReadBlobs(begin, end); });
    GroupPaths();
    ForEachStretch(paths_.size(), options_.threads,
                   [this](std::size_t begin, std::size_t end) { LookUpPaths(begin, end); });
    for (const PathGroup& group : paths_) JudgePath(group);
    return std::move(answers_);
  }

 private:
  const std::vector<evidence::Pin>& pins() const { return resolver_.lock().pins; }
  const ObjectDatabase* Objects(std::size_t pin) const {
    return resolver_.ObjectsOf(pins()[pin]).get();
  }

  std::optional<std::size_t> IndexOf(std::string_view origin) {
    const auto [at, is_new] = pin_of_origin_.try_emplace(std::string(origin));
    if (is_new) {
      const evidence::Pin* pin = resolver_.PinOf(origin);
      if (pin != nullptr) at->second = static_cast<std::size_t>(pin - pins().data());
    }
    return at->second;
  }

  // The pin of the citation's own origin first; then all others, since the hash
  // decides and not the address.
  std::optional<std::size_t> Holder(const SourceCitation& citation, Resolution& answer) {
    const std::optional<std::size_t> own = IndexOf(citation.origin);
    const auto holds = [&](std::size_t pin) {
      return Objects(pin) != nullptr && Objects(pin)->Contains(citation.blob);
    };
    if (own && holds(*own)) return own;
    for (std::size_t pin = 0; pin < pins().size(); ++pin) {
      if (holds(pin)) return pin;
    }
    answer.state = !own                       ? State::kUnpinned
                   : Objects(*own) == nullptr ? State::kNoStore
                                              : State::kNoBlob;
    if (own) answer.pin = &pins()[*own];
    return std::nullopt;
  }

  void FindBlobs() {
    struct BlobOfOrigin {
      ObjectId blob;
      std::string_view origin_view;
      bool operator==(const BlobOfOrigin&) const = default;
    };
    struct Hash {
      std::size_t operator()(const BlobOfOrigin& key) const {
        return std::hash<ObjectId>()(key.blob) ^ std::hash<std::string_view>()(key.origin_view);
      }
    };
    std::unordered_map<BlobOfOrigin, std::optional<std::size_t>, Hash> groups;
    for (std::size_t i = 0; i < citations_.size(); ++i) {
      const auto [at, is_new] =
          groups.try_emplace({citations_[i].blob, citations_[i].origin}, std::nullopt);
      if (is_new) {
        if (const auto holder = Holder(citations_[i], answers_[i])) {
          at->second = blobs_.size();
          blobs_.push_back({.blob = citations_[i].blob, .pin = *holder});
          const auto place = Objects(*holder)->Find(citations_[i].blob);
          if (place) blobs_.back().place = *place;
        }
      }
      if (at->second) {
        blobs_[*at->second].citations.push_back(i);
      } else if (!is_new) {
        Holder(citations_[i], answers_[i]);
      }
    }
    std::sort(blobs_.begin(), blobs_.end(), [](const BlobGroup& a, const BlobGroup& b) {
      return std::tie(a.pin, a.place) < std::tie(b.pin, b.place);
    });
  }

  void ReadBlobs(std::size_t begin, std::size_t end) {
    std::unordered_map<std::size_t, git::ObjectReader> readers;
    for (std::size_t i = begin; i < end; ++i) {
      const BlobGroup& group = blobs_[i];
      const ObjectDatabase& objects = *Objects(group.pin);
      git::ObjectReader& reader = readers.try_emplace(group.pin, objects).first->second;
      const git::ObjectView view = reader.ReadVerified(group.blob, options_.max_file_bytes);
      const bool is_blob = view.ok() && view.type == git::ObjectType::kBlob;
      const auto file = is_blob ? std::make_shared<const std::string>(view.bytes) : nullptr;
      std::optional<passages::LineTable> lines;
      if (file != nullptr) lines.emplace(*file);
      for (const std::size_t citation : group.citations) {
        Resolution& answer = answers_[citation];
        answer.pin = &pins()[group.pin];
        answer.file = file;
        if (lines) {
          CutLines(citations_[citation], *lines, answer);
        } else {
          answer.state =
              view.state == git::ReadState::kTooLarge ? State::kTooLarge : State::kNoBlob;
        }
      }
    }
  }

  // What must be looked up: the path at the anchor, and at the pin where that
  // is another.
  void GroupPaths() {
    std::map<std::tuple<std::size_t, ObjectId, std::string_view, bool>, std::size_t> groups;
    const auto add = [&](std::size_t pin, const ObjectId& root, std::size_t citation,
                         bool is_anchor) {
      const std::string_view path = citations_[citation].path;
      const auto [at, is_new] = groups.try_emplace({pin, root, path, is_anchor}, paths_.size());
      if (is_new) {
        paths_.push_back({.pin = pin, .root = root, .path_view = path, .is_anchor = is_anchor});
      }
      paths_[at->second].citations.push_back(citation);
    };
    for (std::size_t i = 0; i < citations_.size(); ++i) {
      const SourceCitation& citation = citations_[i];
      if (!answers_[i].ok() || citation.path.empty()) continue;
      const auto holder = static_cast<std::size_t>(answers_[i].pin - pins().data());
      if (citation.anchor != Anchor::kNone) add(holder, citation.anchor_id, i, true);
      // Where no pin has its origin there is nothing that could have moved.
      const std::optional<std::size_t> own = IndexOf(citation.origin);
      if (!own || Objects(*own) == nullptr) continue;
      const evidence::Pin& pin = pins()[*own];
      const bool is_there = (pin.commit && *pin.commit == citation.anchor_id) ||
                            (pin.tree && *pin.tree == citation.anchor_id);
      if (!is_there && citation.anchor != Anchor::kNone) add(*own, *pin.tree, i, false);
    }
    std::sort(paths_.begin(), paths_.end(), [](const PathGroup& a, const PathGroup& b) {
      return std::tie(a.pin, a.root, a.path_view) < std::tie(b.pin, b.root, b.path_view);
    });
  }

  void LookUpPaths(std::size_t begin, std::size_t end) {
    std::unordered_map<std::size_t, TreePaths> trees;
    for (std::size_t i = begin; i < end; ++i) {
      PathGroup& group = paths_[i];
      TreePaths& paths = trees.try_emplace(group.pin, *Objects(group.pin)).first->second;
      const std::optional<ObjectId> tree = paths.TreeOf(group.root);
      if (!tree) continue;  // that commit is not in the store: only the hash decides
      group.is_known = true;
      group.blob = paths.Find(*tree, group.path_view);
    }
  }

  void JudgePath(const PathGroup& group) {
    for (const std::size_t citation : group.citations) {
      if (!group.is_known || group.blob == citations_[citation].blob) continue;
      Resolution& answer = answers_[citation];
      if (!group.is_anchor) {
        answer.is_stale = true;
      } else {
        answer.state = group.blob ? State::kOtherBytes : State::kNoPath;
      }
    }
  }

  const CitationResolver& resolver_;
  const std::vector<SourceCitation>& citations_;
  const CitationResolver::Options& options_;
  std::vector<Resolution> answers_;
  std::vector<BlobGroup> blobs_;
  std::vector<PathGroup> paths_;
  std::unordered_map<std::string, std::optional<std::size_t>> pin_of_origin_;
};

}  // namespace

std::vector<Resolution> CitationResolver::Resolve(
    const std::vector<SourceCitation>& citations) const {
  return Batch(*this, citations, options_).Run();
}

}  // namespace sibyl::gate
