// SPDX-License-Identifier: Apache-2.0
// The vectors of an oracle's sources: learned from all of them together when one has a history,
// kept in index/vectors of the object store, and given to the indexes that are searched.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "evidence/sync.h"
#include "oracle/source_index.h"

namespace sibyl::oracle {

/// Changes whenever the same passages and messages would give other vectors.
inline constexpr std::string_view kVectorRules = "vectors-1";

struct VectorPlaces {
  std::filesystem::path root;  ///< Of all indexes in the store.
  std::string key;             ///< Names the pins that the vectors are learned from.
};

/// Gives the vectors to the indexes. If they are not there yet, they are learned from
/// `indexes` where `is_complete`, and from what `open_all` opens otherwise. kNotFound if a
/// source that they are learned from is not on this machine.
Status AttachVectors(const VectorPlaces& places, const evidence::Surroundings& around,
                     bool is_complete, const std::function<Result<SourceIndexes>()>& open_all,
                     SourceIndexes& indexes);

}  // namespace sibyl::oracle
