// SPDX-License-Identifier: Apache-2.0
// Zeroed memory for large tables that are read at random: asks the system for
// huge pages, without which each look also costs a walk of the page tables. Only
// what lies on the border of one can have them, so that arrays of some size begin there.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace sibyl::index {

template <typename T>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HugeArray() = default;
  explicit HugeArray(std::size_t size) : size_(size) {
    if (size > 0) data_ = static_cast<T*>(Map(size * sizeof(T)));
  }
  HugeArray(HugeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HugeArray& operator=(HugeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~HugeArray() {
    if (data_ != nullptr) ::munmap(data_, MappedBytes(size_ * sizeof(T)));
  }

  /// Longer, with zeroes at the end. The pages move; nothing is copied.
  void Extend(std::size_t size) {
    void* memory = data_ == nullptr ? Map(size * sizeof(T))
                                    : ::mremap(data_, MappedBytes(size_ * sizeof(T)),
                                               MappedBytes(size * sizeof(T)), MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    size_ = size;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  static constexpr std::size_t kSmallPage = std::size_t{4} << 10;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  // Smaller arrays would rather waste memory than save time.
  static constexpr std::size_t kLeastAligned = kHugePage / 2;

  static std::size_t MappedBytes(std::size_t bytes) {
    const std::size_t page = bytes < kLeastAligned ? kSmallPage : kHugePage;
    return (bytes + page - 1) / page * page;
  }

  static void* Map(std::size_t bytes) {
    const std::size_t mapped = MappedBytes(bytes);
    // One huge page more, of which what lies before and behind is given back.
    const std::size_t spare = bytes < kLeastAligned ? 0 : kHugePage;
    void* all =
        ::mmap(nullptr, mapped + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    char* memory = static_cast<char*>(all);
    if (spare > 0) {
      const std::size_t before = (0 - reinterpret_cast<std::uintptr_t>(memory)) % kHugePage;
      if (before > 0) ::munmap(memory, before);
      memory += before;
      ::munmap(memory + mapped, spare - before);
    }
    ::madvise(memory, mapped, MADV_HUGEPAGE);  // a wish; small pages serve too
    return memory;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A list that only grows at its end.
template <typename T>
class HugeList {
 public:
  std::size_t size() const { return size_; }
  T* data() { return room_.data(); }
  const T* data() const { return room_.data(); }
  T& operator[](std::size_t i) { return room_[i]; }
  const T& operator[](std::size_t i) const { return room_[i]; }

  void Append(const T& value) { *AppendRoom(1) = value; }

  /// Room for `count` more, to be filled in.
  T* AppendRoom(std::size_t count) {
    if (size_ + count > room_.size()) Grow(size_ + count);
    T* place = room_.data() + size_;
    size_ += count;
    return place;
  }

  /// Zeroes up to there.
  void GrowTo(std::size_t size) {
    if (size > room_.size()) Grow(size);
    size_ = std::max(size_, size);
  }

 private:
  static constexpr std::size_t kFirstBytes = std::size_t{64} << 10;

  void Grow(std::size_t least) {
    room_.Extend(std::max({least, 2 * room_.size(), kFirstBytes / sizeof(T)}));
  }

  HugeArray<T> room_;
  std::size_t size_ = 0;
};

}  // namespace sibyl::index
