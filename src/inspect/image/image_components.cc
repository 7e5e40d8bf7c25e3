// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/image_components.h"

#include <string_view>

namespace sibyl::inspect {
namespace {

struct Component {
  std::string_view sign;
  std::string_view component;
};

// By SONAME; by file name only if a library has none.
constexpr Component kComponents[] = {
    {"libcudnn", "cuDNN"},
    {"libnccl", "NCCL"},
    {"libcupti", "CUPTI"},
    {"libnvperf", "CUPTI"},
    {"libtorch", "PyTorch"},
    {"libc10", "PyTorch"},
    {"libcudart", "CUDA libraries"},
    {"libcublas", "CUDA libraries"},
    {"libcufft", "CUDA libraries"},
    {"libcurand", "CUDA libraries"},
    {"libcusolver", "CUDA libraries"},
    {"libcusparse", "CUDA libraries"},
    {"libnvrtc", "CUDA libraries"},
    {"libnvJitLink", "CUDA libraries"},
    {"libnpp", "CUDA libraries"},
    {"libnvjpeg", "CUDA libraries"},
    {"libnvvm", "CUDA compiler"},
    {"libcuda.so", "driver"},
};

}  // namespace

std::string ComponentOf(const std::string& path, const ImageFile& file) {
  if (!file.is_elf) return {};
  const bool in_nsight = path.find("nsight") != std::string::npos;
  const std::string name = file.soname.empty() ? path.substr(path.rfind('/') + 1) : file.soname;
  for (const Component& part : kComponents) {
    if (!name.starts_with(part.sign)) continue;
    if (part.component == "CUPTI" && in_nsight) return "CUPTI, private to Nsight";
    if (part.component == "CUPTI" && path.find("/triton/") != std::string::npos) {
      return "CUPTI, private to Triton";
    }
    return std::string(part.component);
  }
  return in_nsight ? "Nsight" : std::string();
}

}  // namespace sibyl::inspect
