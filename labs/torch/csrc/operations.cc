// SPDX-License-Identifier: Apache-2.0
// The operations sibyl::texture, texture_backward, topk, fold_weights and score: shapes and types
// are checked here, kernels run on PyTorch's current stream, memory comes from PyTorch's allocator.
// Nothing synchronises, so all of them can be captured into CUDA graphs.
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/library.h>

#include "differentiable_texture.h"
#include "relevance/relevance.h"
#include "texture/texture.h"
#include "topk/topk.h"

namespace sibyl::vision {
namespace {

namespace relevance = sibyl::lab::relevance;
namespace texture = sibyl::lab::texture;
namespace topk = sibyl::lab::topk;

void Check(cudaError_t status, const char* doing) {
  TORCH_CHECK(status == cudaSuccess, doing, ": ", cudaGetErrorString(status));
}

cudaStream_t Stream() { return at::cuda::getCurrentCUDAStream().stream(); }

int ComputeCapability() {
  const cudaDeviceProp* properties = at::cuda::getCurrentDeviceProperties();
  return properties->major * 10 + properties->minor;
}

void CheckImage(const at::Tensor& rgb) {
  TORCH_CHECK(rgb.is_cuda() && rgb.dim() == 4 && rgb.size(3) == 3,
              "texture: wants images on a GPU as [N, H, W, 3], got ", rgb.sizes());
}

ImageShape ShapeOf(const at::Tensor& rgb) {
  return {rgb.size(0), static_cast<int>(rgb.size(1)), static_cast<int>(rgb.size(2))};
}

at::Tensor Texture(const at::Tensor& images) {
  CheckImage(images);
  const c10::cuda::CUDAGuard guard(images.device());
  const at::Tensor rgb = images.contiguous();
  const std::vector<std::int64_t> sizes = {rgb.size(0), 9, rgb.size(1), rgb.size(2)};
  if (rgb.scalar_type() == at::kByte) {
    at::Tensor out = at::empty(sizes, rgb.options().dtype(at::kHalf));
    if (out.numel() == 0) return out;
    const texture::Shape shape = {rgb.size(0), rgb.size(1), rgb.size(2)};
    const texture::Variant variant = texture::Best(shape, ComputeCapability());
    const char* why = texture::WhyNot(variant, shape, ComputeCapability());
    TORCH_CHECK(*why == '\0', "texture: ", why);
    Check(texture::Extract(variant, rgb.data_ptr<std::uint8_t>(),
                           static_cast<std::uint16_t*>(out.data_ptr()), shape, Stream()),
          "launching texture");
    return out;
  }
  at::Tensor out = at::empty(sizes, rgb.options());
  if (out.numel() == 0) return out;
  AT_DISPATCH_FLOATING_TYPES(rgb.scalar_type(), "texture", [&] {
    Check(TextureForward<scalar_t>(rgb.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), ShapeOf(rgb),
                                   Stream()),
          "launching texture");
  });
  return out;
}

at::Tensor TextureGradient(const at::Tensor& grad, const at::Tensor& images) {
  CheckImage(images);
  const c10::cuda::CUDAGuard guard(images.device());
  const at::Tensor rgb = images.contiguous();
  const at::Tensor upstream = grad.contiguous();
  at::Tensor drgb = at::empty_like(rgb);
  if (drgb.numel() == 0) return drgb;
  at::Tensor slopes = at::empty({rgb.size(0), 2, rgb.size(1), rgb.size(2)}, rgb.options());
  AT_DISPATCH_FLOATING_TYPES(rgb.scalar_type(), "texture_backward", [&] {
    Check(TextureBackward<scalar_t>(rgb.data_ptr<scalar_t>(), upstream.data_ptr<scalar_t>(),
                                    slopes.data_ptr<scalar_t>(), drgb.data_ptr<scalar_t>(),
                                    ShapeOf(rgb), Stream()),
          "launching texture_backward");
  });
  return drgb;
}

std::tuple<at::Tensor, at::Tensor> TopK(const at::Tensor& input, std::int64_t k) {
  TORCH_CHECK(input.is_cuda() && input.dim() == 2 && input.scalar_type() == at::kFloat,
              "topk: wants a float32 matrix on a GPU, got ", input.scalar_type(), " ",
              input.sizes());
  const topk::Shape shape = {input.size(0), input.size(1), k};
  TORCH_CHECK(*topk::WhyNot(shape) == '\0', "topk: ", topk::WhyNot(shape));
  const c10::cuda::CUDAGuard guard(input.device());
  const at::Tensor rows = input.contiguous();
  at::Tensor values = at::empty({shape.rows, k}, rows.options());
  at::Tensor columns = at::empty({shape.rows, k}, rows.options().dtype(at::kLong));
  if (shape.rows > 0) {
    Check(topk::Select(topk::Variant::kPruned, rows.data_ptr<float>(), shape,
                       values.data_ptr<float>(), columns.data_ptr<std::int64_t>(), Stream()),
          "launching topk");
  }
  return {values, columns};
}

const std::uint16_t* Bf16(const at::Tensor& tensor) {
  return static_cast<const std::uint16_t*>(tensor.data_ptr());
}

at::Tensor FoldWeights(const at::Tensor& w1, const at::Tensor& b1, const at::Tensor& w2,
                       const at::Tensor& b2) {
  using relevance::kChannels;
  using relevance::kFeatures;
  using relevance::kHidden;
  const auto wants = [](const at::Tensor& tensor, at::IntArrayRef sizes, const char* name) {
    TORCH_CHECK(tensor.is_cuda() && tensor.scalar_type() == at::kBFloat16 &&
                    tensor.is_contiguous() && tensor.sizes() == sizes,
                "fold_weights: ", name, " must be contiguous bf16 ", sizes, " on a GPU, got ",
                tensor.scalar_type(), " ", tensor.sizes());
  };
  wants(w1, {kHidden, kChannels}, "w1");
  wants(b1, {kHidden}, "b1");
  wants(w2, {kFeatures, kHidden}, "w2");
  wants(b2, {kFeatures}, "b2");
  const c10::cuda::CUDAGuard guard(w1.device());
  at::Tensor folded = at::zeros({static_cast<std::int64_t>(sizeof(relevance::Folded))},
                                w1.options().dtype(at::kByte));
  const relevance::Weights weights = {Bf16(w1), Bf16(b1), Bf16(w2), Bf16(b2)};
  Check(relevance::Fold(weights, reinterpret_cast<relevance::Folded*>(folded.data_ptr()), Stream()),
        "launching fold_weights");
  return folded;
}

at::Tensor Score(const at::Tensor& folded, const at::Tensor& patches, const at::Tensor& queries) {
  TORCH_CHECK(folded.is_cuda() && folded.scalar_type() == at::kByte &&
                  folded.numel() == static_cast<std::int64_t>(sizeof(relevance::Folded)),
              "score: the first argument must come from fold_weights");
  TORCH_CHECK(patches.is_cuda() && patches.dim() == 3 && patches.size(2) == relevance::kChannels &&
                  patches.scalar_type() == at::kBFloat16,
              "score: wants bf16 patches [B, N, 13] on a GPU, got ", patches.scalar_type(), " ",
              patches.sizes());
  TORCH_CHECK(queries.is_cuda() && queries.dim() == 2 && queries.size(0) == patches.size(0) &&
                  queries.size(1) == relevance::kFeatures && queries.scalar_type() == at::kBFloat16,
              "score: wants bf16 queries [B, 1536] on a GPU, got ", queries.scalar_type(), " ",
              queries.sizes());
  const relevance::Shape shape = {patches.size(0), patches.size(1)};
  TORCH_CHECK(*relevance::WhyNot(shape) == '\0', "score: ", relevance::WhyNot(shape));
  const c10::cuda::CUDAGuard guard(patches.device());
  const at::Tensor x = patches.contiguous();
  const at::Tensor q = queries.contiguous();
  at::Tensor scores = at::empty({shape.images, shape.patches}, x.options().dtype(at::kFloat));
  if (scores.numel() == 0) return scores;
  Check(relevance::Score(reinterpret_cast<const relevance::Folded*>(folded.data_ptr()), Bf16(x),
                         Bf16(q), scores.data_ptr<float>(), shape, Stream()),
        "launching score");
  return scores;
}

}  // namespace

TORCH_LIBRARY(sibyl, library) {
  library.def("texture(Tensor rgb) -> Tensor");
  library.def("texture_backward(Tensor grad, Tensor rgb) -> Tensor");
  library.def("topk(Tensor input, int k) -> (Tensor values, Tensor indices)");
  library.def("fold_weights(Tensor w1, Tensor b1, Tensor w2, Tensor b2) -> Tensor");
  library.def("score(Tensor folded, Tensor patches, Tensor queries) -> Tensor");
}

TORCH_LIBRARY_IMPL(sibyl, CUDA, library) {
  library.impl("texture", Texture);
  library.impl("texture_backward", TextureGradient);
  library.impl("topk", TopK);
  library.impl("fold_weights", FoldWeights);
  library.impl("score", Score);
}

}  // namespace sibyl::vision
