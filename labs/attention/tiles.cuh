// SPDX-License-Identifier: Apache-2.0
// The two matrix instructions of attention, 64 rows of bf16 by kColumns (sm_90a): scores from two
// tiles in shared memory, and outputs from probabilities in registers. Every accumulator of a
// thread must be named in the instruction, hence the lists.
#pragma once

#include <cstdint>

namespace sibyl::lab::attention {

template <int kColumns>
struct Wgmma;

#define LAB_NAMES32_0                                                      \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define LAB_NAMES32_32                                                               \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define LAB_NAMES32_64                                                               \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define LAB_NAMES32_96                                                                           \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define LAB_NAMES8_32 "%32, %33, %34, %35, %36, %37, %38, %39"
#define LAB_SUMS8(i)                                                                          \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define LAB_SUMS32(i) LAB_SUMS8(i), LAB_SUMS8(i + 8), LAB_SUMS8(i + 16), LAB_SUMS8(i + 24)

/// Tiles: D (+)= A B^T; rows of both tiles run along what is summed. RegistersTile: the same with A
/// in registers. Registers: D += A B; rows of B run along the columns of D. The numbers are those
/// of the operands after D.
#define LAB_WGMMA(columns, names, sums, n0, n1, n2, n3, n4, n5)                                   \
  template <>                                                                                     \
  struct Wgmma<columns> {                                                                         \
    static __device__ __forceinline__ void Tiles(float (&d)[columns / 2], std::uint64_t a,        \
                                                 std::uint64_t b, int keep) {                     \
      asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %" #n2                                 \
                   ", 0;\nwgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" names \
                   "}, %" #n0 ", %" #n1 ", keep, 1, 1, 0, 0;\n}\n"                                \
                   : sums                                                                         \
                   : "l"(a), "l"(b), "r"(keep));                                                  \
    }                                                                                             \
    static __device__ __forceinline__ void Registers(float (&d)[columns / 2],                     \
                                                     const std::uint32_t* a, std::uint64_t b) {   \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" names       \
                   "}, {%" #n0 ", %" #n1 ", %" #n2 ", %" #n3 "}, %" #n4 ", 1, 1, 1, 1;\n"         \
                   : sums                                                                         \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));                         \
    }                                                                                             \
    static __device__ __forceinline__ void RegistersTile(float (&d)[columns / 2],                 \
                                                         const std::uint32_t* a, std::uint64_t b, \
                                                         int keep) {                              \
      asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %" #n5                                 \
                   ", 0;\nwgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" names \
                   "}, {%" #n0 ", %" #n1 ", %" #n2 ", %" #n3 "}, %" #n4 ", keep, 1, 1, 0;\n}\n"   \
                   : sums                                                                         \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));              \
    }                                                                                             \
  }
#define LAB_LIST(...) __VA_ARGS__
LAB_WGMMA(64, LAB_NAMES32_0, LAB_LIST(LAB_SUMS32(0)), 32, 33, 34, 35, 36, 37);
LAB_WGMMA(80, LAB_NAMES32_0 ", " LAB_NAMES8_32, LAB_LIST(LAB_SUMS32(0), LAB_SUMS8(32)), 40, 41, 42,
          43, 44, 45);
LAB_WGMMA(128, LAB_NAMES32_0 ", " LAB_NAMES32_32, LAB_LIST(LAB_SUMS32(0), LAB_SUMS32(32)), 64, 65,
          66, 67, 68, 69);
LAB_WGMMA(256, LAB_NAMES32_0 ", " LAB_NAMES32_32 ", " LAB_NAMES32_64 ", " LAB_NAMES32_96,
          LAB_LIST(LAB_SUMS32(0), LAB_SUMS32(32), LAB_SUMS32(64), LAB_SUMS32(96)), 128, 129, 130,
          131, 132, 133);
#undef LAB_LIST
#undef LAB_WGMMA

}  // namespace sibyl::lab::attention
