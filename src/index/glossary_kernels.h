// SPDX-License-Identifier: Apache-2.0
// Of the tables of glossary_words.h, which says what a line is: kernels, their numbers and CUTLASS.
#pragma once

#include <string_view>

namespace sibyl::index {

inline constexpr std::string_view kKernelGlossary = R"(
# Numbers and their formats
mixed precision amp autocast : run parts sixteen bit automatically choose type per operation half short floats faster less memory float16 fp16 reduced lower precision arithmetic safe keep sensitive full train quicker without ruining accuracy half-size harmless pick
grad scaler loss scaling underflow : multiply enlarge loss tiny small derivatives gradients vanish become zero half precision magnitudes flushed preserve numerically updates blow up error backwards little slopes survive divide later
dynamic loss scale backoff growth found_inf skip step : infinite nan number overflow throw update away discard batch lower factor raise again bad step ignored non finite detected back off ruins weights keeps halving many steps thrown
master weights fp32 copy : keep second exact full precision copy parameters while computing short floats accumulate high
bfloat16 tf32 allow_tf32 precision : trade accuracy speed matrix multiplications fewer mantissa bits allow nineteen bit single precision products rounded switch results slightly off ampere default
fp8 e4m3 e5m2 float8 : eight bit byte numbers training formats range exponent ultra low precision quarter size smaller half single floating two flavours
amax history delayed scaling recipe : remember large values recently were largest magnitude last steps choose factor track running maxima over window scaling past range guessed previous keep note biggest numbers iterations guess next
current scaling per tensor quantize : compute factor present data now instead past time two passes look actual largest magnitude history
block scaling mxfp8 microscaling nvfp4 : small group elements share common scale exponent fine grained shared per 32 every thirty-two sixteen neighbours own multiplier
transpose cache columnwise rowwise quantized : keep both orientations low precision tensor backward second layout flipped duplicate needed reverse direction matrix unit other orientation
stochastic rounding : round up down random small updates lost average dice unbiased tiny increments vanish low precision weights
int8 quantization post training calibration observer : shrink weights integers training look sample data ranges smaller faster inference cram compress squeeze pack numbers floats convert fewer bits integer arithmetic model size deployment less room finished lighter make whole telephone without retraining show some examples
quantization aware training fake quantize : pretend simulate rounding while training learn integer error anticipate quantisation noise during learning let network get accustomed coarse numbers
weight only int4 dequantize gptq awq : compress model few bits unpack fly four bit storage expand multiplying keep activations wide shrink llm
scale zero point affine per channel : integer real mapping offset factor row number stored step size shift asymmetric quantised parameters
numerics nan detect anomaly : find first infinite number appears broken backward bad value origin track down source nans derivative shows up operation caused
determinism deterministic algorithms reproducible seed : same answer every run repeatable identical results forbid random order varying operations change differ different time vary nondeterministic bit bitwise consistent losses nothing changed exactly digits twice row starting number insist repeatability
accumulate fp32 accumulator reduced precision reduction : sums kept wider type error grows adding thousands short numbers loses digits sum precision partial drift
nvfp4 fp4 int4 : four 4 bit bits numbers values floats precision weights half byte nibble tiny e2m1 pack two per
float8_e4m3fn float8_e5m2 : one-byte float more digits versus range forward gradients format greater precision larger exponent activations dtype
float8_e8m0fnu ue8m0 scale factor : factor stored only power two exponent byte power-of-two multiplier block microscaling
float_ue4m3_t nvfp4 : four bit values groups sixteen own small float factor plus global block
random hadamard transform rht : spread outliers mixing squeezing few bits large values evenly multiply orthogonal plus minus pattern
outlier smoothing activation : few huge values ruin range others single giant activation spoils quantisation redistribute migrate difficulty weights
saturate finite clamp overflow satfinite : too large values stick largest instead infinite out range conversion sticks maximum becoming inf overflow behaviour
round nearest rn rz : rule ties half truncation half-way truncate toward zero direction conversion
ulp relative absolute tolerance rtol atol : different two results acceptable difference comparing floats close enough threshold
catastrophic cancellation numerical stability logsumexp : subtracting nearly equal numbers lose digits exponent overflow subtract maximum first large minus loses trick biggest
kahan compensated summation : carry lost digits along sum remains exact long lists sums lose small addends keep correction term
float32_matmul_precision set_float32_matmul_precision highest medium : global knob exactly single precision products done matrix units
cublas_workspace_config deterministic : scratch setting vendor products repeat same bits matrix library repeatable workspace environment variable
fp16 overflow 65504 : sixteen bit format largest value exceeded becomes infinite bf16 avoids values exceed representable become inf activations blow up range
emulated bf16x9 fp32 emulation : imitate wide precision several narrow products single many short accuracy emulation faster native
int8 symmetric asymmetric quint8 qint8 : signed unsigned whole number storage zero offset formats exactly represented
# Kernels of CUTLASS
cute layout shape stride composition : describe coordinates map memory nested sizes steps index mapping algebra tensor laid out formula position
tiled copy tiled mma atom partition : divide tile among threads copies multiplies thread value arrangement handles element repeat instruction over bigger block
collective builder mainloop epilogue gemm universal : assemble choose parts matrix multiplication kernel automatically pick mainloop let library give types sizes picks
epilogue visitor tree evt fusion : add bias activation scaling product without extra pass compose own operations custom post processing output fuse more result leaves chip tinker while registers written out bit
ping pong cooperative schedule : two groups warps alternate share tile consumer warpgroups alternating
tile shape cluster shape stage count carveout : block sizes many buffers fit automatically pipeline depth chosen remaining scratchpad m n k dimensions
threadblock swizzle raster order : order blocks visit tiles better cache reuse traversal locality
grouped gemm batched pointer array : thousands many small matrix products different sizes launch numerous independent multiplications varying lots little matrices bag unequal
implicit gemm convolution conv2d fprop dgrad wgrad : picture filter matrix multiplication express filters without building expanded activations gradient data iterator
mixed input gemm upcast : multiply different types small weights large activations narrow operand widened registers quantised int4 bf16 shuffle layout
predicate residue out of bounds tile : sizes multiple tile edge handle ragged border mask guard last incomplete block read past end
alignment requirements can_implement : problem size supported check launching arguments rejected status error divisible leading dimension reason kernel runnable
cutlass profiler manifest library instance : measure list available kernels pick best size sweep benchmark configurations race
python dsl cutedsl cutlass jit : write kernels python without templates decorators compile call c++ faster iteration device code
fused multi head attention example fmha : attention kernel sample two products back transformer score softmax value single forward backward variable lengths
b2b gemm back to back fusion : two multiplications kernel keep intermediate chip chained product feeds next directly register scratchpad resident consecutive products middle never written memory
gather scatter gemm indexed : rows picked index multiply permuted input output list positions without copying first
complex planar gemm tensorop emulation 3xtf32 : more exact result several low precision products split big number high part recover single separate real imaginary
fusion fuse fused kernels pointwise : merge join combine glue fold several operations steps kernel avoid writing intermediate results out reading back memory traffic
cute engine make_tensor : pointer together arrangement view slice nothing copied over data non-owning reshape plus description shape
cute logical_divide zipped_divide tiled_divide : cut arrangement tiles rest hierarchical chop partition blocks remainder mode tile iterate chopping
cute logical_product blocked_product raked_product : repeat small arrangement across larger tile pattern build bigger smaller replicate threads over values
cute coalesce flatten layout : simplify nested description merge neighbouring modes fewer dimensions same mapping collapse contiguous vector width filter
crd2idx idx2crd coordinate : position tuple number back multi index linear offset conversion column-major
integral_constant integer _128 : sizes known compiler types mixed run time fixed compiling versus constants encoded type
local_tile local_partition inner_partition outer_partition : block's part thread's pick slice big array portion belongs block thread divide work slicing global
identity make_identity_tensor cute predication : array coordinates compare limit know elements exist bounds checking edges compared limits skip outside partial tiles
print_latex print_layout visualize layout : draw table thread owns element picture arrangement ownership debugging plot colours
copy_atom copy_traits autovectorizing : describe hardware copy instruction thread data mapping choose widest automatically
mma_atom mma_traits : describe multiply instruction thread holds metadata hardware owns operand value layouts shape
make_tiled_copy thrcopy partition_s partition_d : source destination pieces thread copier worker share assignment vector width
make_tiled_mma permutationmnk thrmma partition_fragment_c : spread instruction over warps enlarge tile registers accumulators single hardware product whole block repeat across
swizzle sw128 k_major layout atom : scratchpad pattern required matrix unit row column contiguous selection conflict free arrangement canonical 128 byte hardware
cutlass collectivemma dispatchpolicy mainloopsm90tmagmmawarpspecialized : part kernel loops over inner dimension chosen policy type
collectiveepilogue epilogueschedule : part loop writes out results scaling chosen tile finishing stage multiply store choose automatic builder
kernelschedule kernelscheduleauto pingpong cooperative : tag selecting warps divide labour share alternate together policy select
gemmuniversaladapter gemmuniversal workspace : host handle check arguments get scratch size initialise run launch matrix product object bytes update
gemm coord gemmshape threadblockshape warpshape instructionshape : three level tile sizes second generation interface old template parameters block warp instruction hierarchical tiling
threadblock mma multistage mmapipelined : classic loop several stages ampere two turing main variants number buffers asynchronous pre-ampere generation
predicatedtileiterator tile iterator : walks over global tiles checks borders advances pointer moving window memory masks out-of-range loads add offset advance
linearcombination alpha beta epilogue : scale product add scaled old output elementwise equals alpha times plus beta existing matrix source finishing thread
sm90evt visitor sm90accfetch sm90auxstore rowbroadcast : tree nodes compose own after-product maths load row vector store side output
epilogue visitor trace emit evt : write after-product maths python function translated describe finishing arithmetic ordinary expression fusion compiler
staticpersistenttilescheduler persistenttileschedulersm90 tilescheduler : decides output piece comes next per block hand out tiles long living blocks static assignment
staticpersistentgrouptilescheduler groupproblemshape ptr_array : different sized products list walker device side sizes problems own pointers walk through experts single launch
cutlass_library_kernels cutlass_library_operations : build only chosen kernels filter names regex generation huge compile time limit get generated takes hours name wildcard
cutlass_profiler gemm verification providers : command line tool times compares against vendor library csv sweep sizes benchmark verify reference report gflops best configuration operation
heuristics nvmatmulheuristics : predict good kernels given sizes without measuring everything estimate best kernel analytically choose candidates reduce search
hosttensor host_tensor tensorview tensorref : utility pair host card array examples plus accelerator copy matrix convenience sync tests
reference gemm host tensorequals : slow simple check result correct compare naive trusted calculation validate output correctness loops
dump_reg_shmem dump_fragment dump_shmem : print registers scratchpad contents tile kernel look shared debugging per thread debug
layout rowmajor columnmajor tensornhwc interleaved : index runs fastest storage order types row column leading dimension
conv problem conv2dproblemsize stride dilation padding : description filter operation sizes height width channels size step border describing image
iteratoralgorithm analytic optimized fewchannels fixedchannels : addresses windows computed small channel count first layer sliding window generated few input channels special case
cute.jit cute.kernel cute.compile dsl : decorators python device function compile cache launch mark run card explicit grid
dsl dynamic control flow range_constexpr : python executed while tracing becomes device code meta evaluated versus generated branches loops unrolled programming values constexpr
from_dlpack cute framework integration : pass torch array python written kernel without copy mark dynamic layout runtime
dsl jit caching cute_dsl_cache_dir : avoid compiling python kernels again recompiling written disk memory hash
dsl autotuning benchmark : try tile sizes measure python kernels choose search automatically timing best testing
cute dsl aot : ship python written kernel object without interpreter file header ahead c++ program export compile
pycutlass cutlass_cppgen plan : high level python call emits compiles c++ kernel generates instantiates templates product op.gemm
cutlass emitter emit extension : generate source framework extension python description produce module wrapping generated kernel torch pytorch
efficient gemm hierarchy threadblock warp : explanation nested loops tiles global registers over blocks reuse dram theory thread
# Kernel techniques
persistent threads atomic queue counter : blocks keep grabbing next job number until none left dynamic load balance uneven sizes work
warp scheduler stall eligible issue slot : processor cannot find ready instruction waiting reasons too little independent work issue warps long scoreboard selected
register pressure lmem : variables overflow slow off-chip area array indexed dynamically per thread private local memory
loop unrolling unroll : copy body several times remove counter compile-time trip count known expand fewer branches more independent instructions pragma
coalescing structure arrays aos : fields interleaved versus separate lists neighbours touch rearrange records split columns layout transformation neighbouring threads consecutive addresses memory
alignedtypes __align__ : structure size rounding lets compiler single wide access struct padding load four eight sixteen bytes copying speed types
caching ld.global.nc __ldg : read-only path data never changes during kernel constant whole texture hint compiler faster loads cache global
evict_first evict_last : mark data disposable precious cache per access hint lines throw away first protect reuse pattern
cudaaccesspolicywindow hitratio persisting : set aside part second level buffer repeated reads hit
smem pipe stage phase : alternate between buffers filled another consumed slot counter flips parity double buffer write read index
cuda pipeline producer_acquire consumer_wait pipeline_state : stages handed over between fills uses commit release slot hand full buffers ring acquire loaders workers threads synchronise
mbarrier try_wait parity expect_tx : wait until announced bytes landed phase bit flips spinning asynchronous transaction count spin hardware copy completes
cp_async_wait commit_group cp.async : wait only oldest batch background loads leave newer running batches transfers flight until most n pending tile
cuda arrive token simpleawbarrier : say wait later two phase meeting split point independent work between arriving waiting
cutensormapencodetiled tensormap cutensormap : prepare descriptor hardware box copier host side sizes strides swizzle element type
tma descriptor prefetch tensormap_replace : fetch descriptor early modify inside kernel different sized problems rewrite hardware copy description fly grouped addresses update
tma reduce cp_reduce_async_bulk_global_shared_cta : write whole tile out add destination instruction hardware adds block atomically store
im2col tma im2col : convolution windows gathered hardware copier without making expanded matrix filter sliding patches addressing halo
multicast mask tma_load_multicast : fetch lands scratchpads several neighbours bit per receiver broadcast same block data read many destinations saves cache bandwidth
elect_one_sync elect : choose exactly thread bundle issue command single representative executes leader issues
warpgroup arrive warpgroup_fence_operand warpgroup_wait : order registers asynchronous multiply many outstanding matrix instruction touched commit drain running
smem descriptor matrix descriptor gmma : encode operand lies scratchpad layout bits start address leading offset
tmem allocation tmem_allocator tcgen05.alloc : reserve columns special accumulator storage give back permission dedicated accumulators permit release free exit
2sm mma cta_group : two neighbouring processors multiply together share operand pair blocks cooperate bigger product halves loads leader peer
scaled mma scale factor atom : hardware multiplies small group factors layout memory interleaved tiny accompany low bit operands lie arrangement expects block
wmma load_matrix_sync fragment store_matrix_sync : easy c++ interface sixteen products matrix units beginner friendly tensor unit programming load multiply store 16x16 pieces whole warp
imma integer core : eight bit whole number products matrix units quantised numbers accumulate thirty-two bits
bf16tensorcoregemm tf32tensorcoregemm : sample multiplies short floats matrix units asynchronous staging brain float kernel demonstrates staged background copies hardware
bit packing subbyte iterator sub_byte : elements smaller byte addressing pointer arithmetic nibble four bit two half bytes pointers nibbles
lop3 prmt byte permute : combine bits three words shuffle bytes quick number conversion trick convert packed small integers floats quickly bit tricks
fast divmod fastdivmod : integer division replaced multiply shift precomputed divisor index decomposition avoid slow modulo remainder precompute reciprocal map linear coordinates
numericarrayconverter numeric_conversion : convert several values between types once rounding saturate change type whole register array round clamp packed fp32 fp8
epilogue tile smem reuse : results staged through scratchpad writes out wide rearranged leaving chip stores coalesced shared memory staging store
tile rasterization along along swizzle : visiting direction neighbouring blocks share inputs cache walk order tiles column first row group hits locality
splitk serial parallel reduction workspace semaphore : several blocks add same output tile turn order lock extra pass
streamk fixup partial tile : pieces computed different blocks stitched added together several contribute same tile add up partial products stitch
stride strided batched : many equal sized products constant distance between matrices equally spaced batch launch same-shape offset
gemv matrix vector : multiply matrix single vector memory limited decode skinny product column token generation reading weights bandwidth
syrk syr2k trmm symm hermitian : symmetric triangular matrix products half result only lower triangle computed linear algebra rank update
dual gemm dual_gemm : two products same left input computed together gated activation gate up projection share swiglu weights once
gemm_softmax gemm layernorm fusion : normalisation statistics computed while multiplying partial maximum sums combine matrix product row finish second small kernel
gemm permute : store result rearranged dimensions avoid separate transpose reshape heads while storing output index shuffled avoids extra pass
operand reduction reduction : sums along rows input produced by-product multiplication bias gradient row free during product additional vector output
depthwise group convolution : every channel own filter few multiplications mobile networks per groups separate little arithmetic
transposed conv2d deconvolution strided dgrad : enlarging filter opposite direction upsample upsampling generator network reverse fractional step
gett contraction : products over many-dimensional arrays without reshaping generalised multi-index sums einsum arbitrary modes higher order
distgemm distributedgemm : matrix product over several boards exchange pieces inside kernels overlap between cards peer buffers tensor parallel native
groupwise blockwise scaling fp8 deepseek : factor per 128 square row strip promote accumulate fine grained factors squares strips float eight deepseek style rescaling
fp8 fast accumulation promotion interval : short accumulator drifts periodically add wide precision loss eight bit accumulators moved full width
low latency gqa decode mla : single query token many cached keys split over blocks generation small batch attention long cache divide merge partial
)";

}  // namespace sibyl::index
