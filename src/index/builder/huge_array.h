// SPDX-License-Identifier: Apache-2.0
// Zeroed memory for large tables with random access. Requests huge pages, because otherwise
// most accesses miss the TLB. Huge pages must be aligned, so large arrays start on a huge page
// boundary.
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

  /// Grows the array; new elements are zero. Pages are remapped, not copied.
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
  // In smaller arrays the alignment wastes more memory than it is worth.
  static constexpr std::size_t kLeastAligned = kHugePage / 2;

  static std::size_t MappedBytes(std::size_t bytes) {
    const std::size_t page = bytes < kLeastAligned ? kSmallPage : kHugePage;
    return (bytes + page - 1) / page * page;
  }

  static void* Map(std::size_t bytes) {
    const std::size_t mapped = MappedBytes(bytes);
    // Maps one huge page more, then unmaps what is before and after the aligned range.
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
    ::madvise(memory, mapped, MADV_HUGEPAGE);  // only advice; small pages work too
    return memory;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An append-only list.
template <typename T>
class HugeList {
 public:
  std::size_t size() const { return size_; }
  T* data() { return room_.data(); }
  const T* data() const { return room_.data(); }
  T& operator[](std::size_t i) { return room_[i]; }
  const T& operator[](std::size_t i) const { return room_[i]; }

  void Append(const T& value) { *AppendRoom(1) = value; }

  /// Appends `count` elements for the caller to fill.
  T* AppendRoom(std::size_t count) {
    if (size_ + count > room_.size()) Grow(size_ + count);
    T* place = room_.data() + size_;
    size_ += count;
    return place;
  }

  /// Grows to `size` elements; new ones are zero.
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
