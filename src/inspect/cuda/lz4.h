// SPDX-License-Identifier: Apache-2.0
// LZ4 as fatbins hold it: a bare block, or a frame of blocks.
//
// An own decoder, since a block here is trusted for nothing: it may be cut,
// lie about its length, or be asked for its first bytes only, which liblz4
// offers in a form that needs the exact output size. The format is a page long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::inspect {

/// Decodes until the block ends, `most` bytes are out, or the block is found
/// damaged; appends to `out`. False when it is damaged.
bool UnpackLz4Block(std::string_view block, std::size_t most, std::string& out);

/// The same for a frame (magic 04 22 4D 18); checksums are not looked at.
bool UnpackLz4Frame(std::string_view frame, std::size_t most, std::string& out);

}  // namespace sibyl::inspect
