// SPDX-License-Identifier: Apache-2.0
#include "gate/source_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "evidence/snapshot.h"
#include "statement/folded_text.h"

namespace sibyl::gate {
namespace {

// The search text: the words of the judgement as they would appear in a line.
std::string NeedleOf(const statement::Judgement& judgement) {
  std::string_view text = Trim(judgement.text);
  if (text.ends_with("…")) text.remove_suffix(std::string_view("…").size());
  return std::string(Trim(text));
}

struct Wanted {
  statement::Judgement* judgement = nullptr;
  std::string needle;
};

// The first file, by path, that has each; threads race, so the smallest number
// wins and the answer is the same every time.
class FirstPlaces {
 public:
  explicit FirstPlaces(std::size_t count) : places_(count) {}

  void Add(std::size_t wanted, std::size_t document, std::size_t line) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (document < places_[wanted].document) places_[wanted] = {document, line};
  }

  struct Place {
    std::size_t document = std::numeric_limits<std::size_t>::max();
    std::size_t line = 0;
  };
  std::vector<Place> Take() SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return std::move(places_);
  }

 private:
  Mutex mutex_;
  std::vector<Place> places_ SIBYL_GUARDED_BY(mutex_);
};

void LookIn(const evidence::Pin& pin, const std::vector<Wanted>& wanted,
            const CitationResolver& resolver) {
  const auto objects = resolver.ObjectsOf(pin);
  if (objects == nullptr) return;
  const auto snapshot = evidence::Snapshot::List(objects, *pin.tree, pin.filter);
  if (!snapshot.ok()) return;
  FirstPlaces places(wanted.size());
  snapshot->Scan({}, [&](const evidence::ScannedFile& file) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto at = FindWholeWord(file.text, wanted[i].needle);
      if (!at) continue;
      const auto begin = file.text.begin();
      const auto lines = std::count(begin, begin + static_cast<std::ptrdiff_t>(*at), '\n');
      places.Add(i, file.number, static_cast<std::size_t>(lines) + 1);
    }
  });
  const std::vector<FirstPlaces::Place> found = places.Take();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    statement::Judgement& judgement = *wanted[i].judgement;
    if (found[i].line == 0) {
      judgement.reason +=
          fmt::format("{}it is nowhere in {}", judgement.reason.empty() ? "" : "; ", pin.name);
      continue;
    }
    const std::string& path = snapshot->files()[found[i].document].path;
    judgement.message += fmt::format("; it is in {} of {}", path, pin.name);
    judgement.nearest = fmt::format("{}:{}", path, found[i].line);
  }
}

}  // namespace

void SearchSources(const std::vector<statement::Judgement*>& judgements,
                   const CitationResolver& resolver, std::size_t limit) {
  constexpr std::size_t kShortest = 4;
  std::map<std::string, std::vector<Wanted>> by_source;
  for (statement::Judgement* judgement : judgements) {
    if (judgement->verdict != statement::Verdict::kAbsent || judgement->source.empty() ||
        limit == 0)
      continue;
    std::string needle = NeedleOf(*judgement);
    if (needle.size() < kShortest) continue;
    by_source[judgement->source].push_back({judgement, std::move(needle)});
    --limit;
  }
  for (const auto& [source, wanted] : by_source) {
    const evidence::Pin* pin = resolver.lock().Find(source);
    if (pin != nullptr && pin->tree) LookIn(*pin, wanted, resolver);
  }
}

}  // namespace sibyl::gate
