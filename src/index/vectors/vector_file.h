// SPDX-License-Identifier: Apache-2.0
// The vectors of words and passages as one file of eight-bit numbers, mapped and read in
// place. docs/formats/index.md describes it.
//
// Nothing in it is trusted: damaged bytes give an error or another order of hits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/mapped_file.h"
#include "base/result.h"
#include "index/vectors/learned_texts.h"
#include "index/vectors/vector.h"

namespace sibyl::index {

/// Raise it when the same texts would give other bytes.
inline constexpr std::uint32_t kVectorVersion = 1;

/// The passages of one index.
struct VectorSource {
  std::string layout;  ///< LayoutOf(index)
  std::uint64_t rows = 0;
};

/// Says which segments an index has, in 40 characters: rows are numbered as its passages.
std::string LayoutOf(const Index& index);

/// The bytes of the file. Without vectors it has no words and no rows: nothing was learned.
std::string FormatVectors(const LearnedTexts& texts, const std::vector<Vector>& vectors,
                          const std::vector<VectorSource>& sources);

/// Immutable; may be shared between threads.
class VectorFile {
 public:
  /// kNotFound if there is none, kCorrupt if it is damaged or of another version.
  static Result<VectorFile> Open(const std::filesystem::path& path);

  /// The same for bytes in memory, which must outlive it and be aligned to eight.
  static Result<VectorFile> FromBytes(std::string_view bytes);

  std::size_t word_count() const { return word_ends_.size(); }
  std::size_t row_count() const { return row_scales_.size(); }

  /// How much of the glossary the sources know: little if they are of another field.
  std::uint32_t glossary_percent() const { return glossary_percent_; }

  /// The first row of an index; nothing if the file is of another one.
  std::optional<std::uint64_t> FirstRow(const Index& index) const;

  std::optional<std::uint32_t> FindWord(std::string_view word) const;
  /// sum += factor * its vector
  void AddWord(std::uint32_t word, float factor, Vector& sum) const;

  const std::int8_t* row(std::size_t number) const {
    return reinterpret_cast<const std::int8_t*>(rows_view_.data()) + number * kDimensions;
  }
  float row_scale(std::size_t number) const { return row_scales_[number]; }

 private:
  VectorFile() = default;
  Status Load(std::string_view bytes);
  std::string_view Word(std::size_t number) const;

  std::optional<MappedFile> file_;  // empty if the caller owns the bytes
  std::uint32_t glossary_percent_ = 0;
  std::string_view sources_view_;
  std::span<const std::uint32_t> word_ends_;
  std::span<const float> word_scales_;
  std::span<const float> row_scales_;
  std::string_view words_view_;  // vectors
  std::string_view rows_view_;
  std::string_view word_bytes_view_;
};

}  // namespace sibyl::index
