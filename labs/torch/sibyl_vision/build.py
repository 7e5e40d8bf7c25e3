# SPDX-License-Identifier: Apache-2.0
"""What the extension is built from; shared by setup.py and the build on first import. Paths are relative
to labs/."""


def sources():
    return ["torch/csrc/operations.cc", "torch/csrc/differentiable_texture.cu",
            "texture/texture.cu", "texture/rows.cu", "texture/strips.cu", "topk/topk.cu", "relevance/fold.cu", "relevance/score.cu"]


def flags(compiler):
    common = ["-O3", "-std=c++20"]
    return common + ["--expt-relaxed-constexpr", "-lineinfo"] if compiler == "nvcc" else common
