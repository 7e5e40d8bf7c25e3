// SPDX-License-Identifier: Apache-2.0
// One layer of an image by itself: which files it brings, what they hold, what
// it deletes of the layers below. Layers are read each on its own, so several
// threads can; image.h lays them over each other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/device_code.h"
#include "inspect/pages.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

struct ImageFile {
  std::uint64_t bytes = 0;
  std::size_t layer = 0;
  std::string sha256;  ///< Of files that are large enough to matter.
  std::string soname;
  bool is_elf = false;
};

struct LayerContent {
  std::map<std::string, ImageFile> files;
  std::map<std::string, DeviceCode> code;  ///< By the path of its file.
  std::vector<std::string> opaque;         ///< Folders that hide all that was in them.
  std::vector<std::string> deleted;
  std::size_t escapes = 0;  ///< Paths that lead outside; they are left out.
  std::uint64_t bytes = 0;  ///< Of the plain tar.
  std::string digest;       ///< sha256 of the plain tar: what a configuration names.
  bool is_whole = false;    ///< It unpacked to its end.
};

/// Never fails: of a damaged layer it gives what came before the damage, and of
/// one that exceeds the budget what came before that.
LayerContent ReadLayer(std::string_view stored, Memory memory, Budget& budget);

}  // namespace sibyl::inspect
