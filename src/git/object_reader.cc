// SPDX-License-Identifier: Apache-2.0
#include "git/object_reader.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "git/delta.h"

namespace sibyl::git {
namespace {

ObjectView Corrupt(std::string_view problem) {
  return ObjectView{.state = ReadState::kCorrupt, .problem = problem};
}

ObjectView TooLarge(std::uint64_t size) {
  return ObjectView{.state = ReadState::kTooLarge, .size = size};
}

// "blob 123\0": what a loose object starts with.
ObjectView SplitLoose(std::string_view bytes) {
  const std::size_t nul = bytes.substr(0, 32).find('\0');
  const std::size_t space = bytes.substr(0, 32).find(' ');
  if (nul == std::string_view::npos || space > nul) return Corrupt("a loose object has no header");
  std::uint64_t size = 0;
  const char* end = bytes.data() + nul;
  const auto [stop, error] = std::from_chars(bytes.data() + space + 1, end, size);
  ObjectView view{.state = ReadState::kRead, .size = size, .bytes = bytes.substr(nul + 1)};
  if (error != std::errc() || stop != end || size != view.bytes.size()) {
    return Corrupt("a loose object does not have its declared length");
  }
  for (const ObjectType type :
       {ObjectType::kBlob, ObjectType::kTree, ObjectType::kCommit, ObjectType::kTag}) {
    if (bytes.substr(0, space) == ObjectTypeName(type)) view.type = type;
  }
  return view.type == ObjectType::kNone ? Corrupt("a loose object of unknown type") : view;
}

}  // namespace

ObjectReader::ObjectReader(const ObjectDatabase& database, const ReaderLimits& limits)
    : database_(&database), limits_(limits), cache_(limits.cache_bytes) {}

ObjectView ObjectReader::Read(const ObjectId& id, std::uint64_t max_bytes) {
  if (const std::optional<ObjectPlace> place = database_->Find(id)) {
    return ReadAt(*place, max_bytes);
  }
  return ReadLoose(id, max_bytes);
}

ObjectView ObjectReader::ReadVerified(const ObjectId& id, std::uint64_t max_bytes) {
  const ObjectView view = Read(id, max_bytes);
  if (!view.ok() || HashObject(view.type, view.bytes) == id) return view;
  return Corrupt("the object does not match its sha1");
}

ObjectView ObjectReader::ReadAt(ObjectPlace place, std::uint64_t max_bytes) {
  return ReadPlace(place, max_bytes, Wanted::kAnything);
}

ObjectView ObjectReader::ReadText(const ObjectId& id, std::uint64_t max_bytes) {
  if (const std::optional<ObjectPlace> place = database_->Find(id)) {
    return ReadTextAt(*place, max_bytes);
  }
  return ReadLoose(id, max_bytes);
}

ObjectView ObjectReader::ReadTextAt(ObjectPlace place, std::uint64_t max_bytes) {
  return ReadPlace(place, max_bytes, Wanted::kText);
}

ObjectView ObjectReader::ReadPlace(ObjectPlace place, std::uint64_t max_bytes, Wanted wanted) {
  Bottom bottom;
  if (const char* problem = FindBottom(place, bottom)) return Corrupt(problem);
  if (!chain_.empty()) return ReadChain(bottom, max_bytes);
  if (bottom.cached == nullptr) return ReadWhole(bottom.entry, max_bytes, wanted);
  const std::string_view bytes = bottom.cached->bytes.view();
  if (bytes.size() > max_bytes) return TooLarge(bytes.size());
  return {ReadState::kRead, bottom.cached->type, bytes.size(), bytes};
}

ObjectView ObjectReader::ReadWhole(const PackEntry& entry, std::uint64_t max_bytes, Wanted wanted) {
  if (entry.size > max_bytes) return TooLarge(entry.size);
  // For shorter ones the check is not worth it.
  constexpr std::uint64_t kWorthALook = std::uint64_t{16} << 10;
  if (wanted == Wanted::kText && entry.type == ObjectType::kBlob && entry.size >= kWorthALook &&
      inflater_.BeginsWithNul(entry.compressed)) {
    return ObjectView{.state = ReadState::kBinary, .type = entry.type, .size = entry.size};
  }
  const auto size = static_cast<std::size_t>(entry.size);
  const std::optional<std::size_t> used =
      inflater_.FillCounting(entry.compressed, result_.Prepare(size), size);
  if (!used) return Corrupt("a packed object does not inflate");
  return {ReadState::kRead, entry.type, size, result_.view(), entry.compressed.substr(0, *used)};
}

const char* ObjectReader::FindBottom(ObjectPlace place, Bottom& bottom) {
  chain_.clear();
  while (true) {
    bottom.place = place;
    bottom.cached = cache_.Find(place);
    if (bottom.cached != nullptr) return nullptr;
    const std::optional<PackEntry> entry = database_->data(place.pack).Entry(place.offset);
    if (!entry) return "no object at the offset given by the index";
    if (entry->storage == PackEntry::Storage::kWhole) {
      bottom.entry = *entry;
      return nullptr;
    }
    if (entry->size > limits_.max_base_bytes) return "a delta exceeds the size limit";
    chain_.push_back({place, *entry});
    if (chain_.size() > limits_.max_chain) return "a chain of deltas is too long or circular";
    const std::optional<ObjectPlace> base = BaseOf(place, *entry);
    if (!base) return "a delta's base is not in the packs";
    place = *base;
  }
}

std::optional<ObjectPlace> ObjectReader::BaseOf(ObjectPlace place, const PackEntry& entry) const {
  if (entry.storage == PackEntry::Storage::kOffsetDelta) {
    return ObjectPlace{place.pack, entry.base_offset};
  }
  const std::optional<ObjectPlace> near = database_->FindIn(place.pack, entry.base_id);
  return near ? near : database_->Find(entry.base_id);
}

const DeltaCache::Base* ObjectReader::UnpackBottom(const Bottom& bottom) {
  if (bottom.cached != nullptr) return bottom.cached;
  if (bottom.entry.size > limits_.max_base_bytes) return nullptr;
  DeltaCache::Base base{bottom.place, bottom.entry.type, cache_.TakeBuffer()};
  const auto size = static_cast<std::size_t>(bottom.entry.size);
  if (!inflater_.Fill(bottom.entry.compressed, base.bytes.Prepare(size), size)) return nullptr;
  return cache_.Put(std::move(base));
}

bool ObjectReader::MayMake(std::uint64_t more, std::uint64_t& chain_bytes) {
  chain_bytes += more;
  made_bytes_ += more;
  return chain_bytes <= limits_.max_chain_bytes && made_bytes_ <= limits_.max_total_bytes;
}

ObjectView ObjectReader::ReadChain(const Bottom& bottom, std::uint64_t max_bytes) {
  // The outermost delta has the object's size: check it first.
  const auto first_size = static_cast<std::size_t>(chain_.front().entry.size);
  if (!inflater_.Fill(chain_.front().entry.compressed, first_delta_.Prepare(first_size),
                      first_size)) {
    return Corrupt("a delta does not inflate");
  }
  std::string_view first = first_delta_.view();
  const std::optional<DeltaSizes> final_sizes = ReadDeltaSizes(first);
  if (!final_sizes) return Corrupt("a delta does not give its lengths");
  if (final_sizes->result > max_bytes) return TooLarge(final_sizes->result);

  const DeltaCache::Base* base = UnpackBottom(bottom);
  if (base == nullptr) return Corrupt("the base of a delta does not inflate, or is too large");
  const ObjectType type = base->type;
  std::uint64_t chain_bytes = 0;
  for (std::size_t i = chain_.size(); i-- > 0;) {
    std::string_view instructions = first;
    std::optional<DeltaSizes> sizes = final_sizes;
    if (i > 0) {
      const PackEntry& entry = chain_[i].entry;
      const auto size = static_cast<std::size_t>(entry.size);
      if (!inflater_.Fill(entry.compressed, delta_.Prepare(size), size)) {
        return Corrupt("a delta does not inflate");
      }
      instructions = delta_.view();
      sizes = ReadDeltaSizes(instructions);
    }
    const std::string_view base_bytes = base->bytes.view();
    if (!sizes || sizes->base != base_bytes.size() || sizes->result > limits_.max_base_bytes) {
      return Corrupt("a delta does not fit its base");
    }
    if (!MayMake(sizes->result + instructions.size(), chain_bytes)) {
      return Corrupt("its deltas exceed the size limit");
    }
    ByteBuffer made = i > 0 ? cache_.TakeBuffer() : std::exchange(result_, ByteBuffer());
    char* out = made.Prepare(static_cast<std::size_t>(sizes->result));
    if (!ApplyDelta(instructions, base_bytes, out, sizes->result)) {
      return Corrupt("a delta reaches outside its base");
    }
    if (i > 0) {
      base = cache_.Put({chain_[i].place, type, std::move(made)});
    } else {
      result_ = std::move(made);
    }
  }
  return {ReadState::kRead, type, result_.view().size(), result_.view()};
}

ObjectView ObjectReader::ReadLoose(const ObjectId& id, std::uint64_t max_bytes) {
  constexpr std::size_t kHeaderRoom = 32;
  for (const Root& objects : database_->loose_folders()) {
    const std::filesystem::path path = LoosePath(id);
    if (!objects.IsFile(path)) continue;
    const Result<std::string> compressed = objects.Read(path, {.max_bytes = max_bytes + 4096});
    if (!compressed.ok()) return TooLarge(0);
    const std::size_t most = static_cast<std::size_t>(max_bytes) + kHeaderRoom;
    for (std::size_t room = compressed->size() * 4 + kHeaderRoom;; room *= 4) {
      room = std::min(room, most);
      std::size_t size = 0;
      char* out = result_.Prepare(room);
      const Inflater::Ended ended = inflater_.FillUpTo(*compressed, out, room, size);
      if (ended == Inflater::Ended::kBroken) return Corrupt("a loose object does not inflate");
      if (ended == Inflater::Ended::kWhole) {
        const ObjectView view = SplitLoose({out, size});
        return view.ok() && view.size > max_bytes ? TooLarge(view.size) : view;
      }
      if (room == most) return TooLarge(0);
    }
  }
  return {};
}

}  // namespace sibyl::git
