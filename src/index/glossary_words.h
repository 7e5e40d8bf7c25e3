// SPDX-License-Identifier: Apache-2.0
// The table behind glossary.h. A line is an entry: what the sources call a thing, a
// colon, and words in which somebody who does not know the name might speak of it.
// Order and forms of the words do not matter; the rarer a word is in the table, the
// more it says. New entries come from what the field knows, not from the questions of the
// ranking evaluation. Long because the field is: split it before it has 800 lines.
#pragma once

#include <string_view>

namespace sibyl::index {

inline constexpr std::string_view kGlossary = R"(
# The device and how work is put on it
cuda graph capture replay instantiate : record tape remember sequence list batch of launches kernels operations once run play repeat again later many times every iteration step lower cpu launch cost overhead cheap submit whole sequences bundled submitted single call avoid driver per-launch pre-recorded macro thousands of little kernels cpu cannot keep up launching
cuda graph conditional node while : loop branch decide if inside recorded work gpu itself condition without returning host repeat until converged on device decision
graph update exec : change parameters arguments recorded work patch without rebuilding recording swap pointers new inputs keep instantiated
cuda stream priority : urgent important first precedence ahead before rest queue high low work jump ahead preempt latency sensitive favour task scheduled sooner
cuda stream concurrent : queue order sequence independent work run same time simultaneously side by side parallel kernels line commands multiple lanes pipelines asynchronous several tasks interleave do two independent things at once on the card
cuda event record elapsed : stopwatch timing time measure duration how long between two points gpu milliseconds marker clock profile snippet accurately
stream callback host function launchhostfunc : call back notify cpu function when gpu finished done reached point queue trigger cpu code after completes signal
stream wait event dependency : make one queue wait for another order across queues until finished dependencies between asynchronous tasks join fork
default stream legacy per thread : implicit queue zero synchronizes everything blocks others null
synchronize devicesynchronize : wait until finished everything done gpu block cpu complete make sure finished before reading results
spin blocking sync yield schedule flag : cpu burns busy waiting hundred percent core while gpu works sleep instead
occupancy maxactiveblocks launch bounds : how many threads blocks fit hold resident multiprocessor pick choose good block size keep busy full waste idle unused cores hardware enough work best number of threads per block utilisation saturate not enough threads to hide waiting
launch bounds maxrregcount register spill : too many registers per thread limit cap local memory slow spilling compiler uses too many registers pressure
cooperative groups grid sync : all blocks of whole grid wait meet each other kernel wide barrier synchronise entire launch global barrier across blocks
thread block cluster distributed shared memory dsmem : neighbouring blocks talk read each other on-chip memory group of blocks cooperate adjacent blocks share scratchpad
dynamic parallelism device launch cdp : kernel starts launches another kernel from gpu itself without cpu nested recursion gpu spawn child work itself
programmatic dependent launch griddepcontrol : start next kernel before previous finished early overlap prologue tail back to back kernels overlap end and start
persistent kernel tile scheduler : stay alive resident loop pull fetch take more work instead of exiting one block per multiprocessor long-lived loop over tiles launched once
stream k split k decomposition : uneven leftover last wave tail idle multiprocessors divide inner dimension balance work evenly tall skinny matrices few tiles not enough parallelism last few tiles leave chip mostly empty
grid stride loop : kernel handles any length size array with fixed number of threads each thread several elements
warp lane simt : group bundle of 32 threads lockstep together
warp divergence branch : threads of group take different paths if else serial slow branching hurts conditional lanes inactive
warp shuffle shfl_sync : threads exchange pass hand swap registers values neighbours directly without memory swap data inside group register to register broadcast
warp vote ballot any all activemask : ask threads of group whether any all agree condition true poll bits
warp aggregated atomics elect leader : one thread on behalf of group adds counter fewer collisions increment together elected leader single lane bump all neighbours
warp reduce reduction cub block reduce : add up sum total maximum of array all elements threads tree parallel combine collapse many values into one parallel one number out of many
scan prefix sum cub : running cumulative totals partial sums each position offsets before accumulate offsets
compaction partition select stream : keep only elements passing test remove filter gaps squeeze together positions
histogram bins atomics : count how often values fall buckets frequency distribution tally occurrences
radix sort merge sort bitonic : put numbers keys in order arrange ascending
atomic add compare and swap cas : safely update same location many threads at once race lost increment concurrent updates correct counter lock free mutex many writers one variable
memory fence threadfence memory order acquire release : make writes visible to other threads order before flag publish see ordering guarantee visibility stale values what one thread wrote seen by others before they go on
mbarrier arrive wait transaction barrier : say announce have arrived wait later phase bytes expected split barrier asynchronous
named barrier bar_sync : only some threads warps of block wait subset partial synchronisation
race condition racecheck synccheck compute-sanitizer : find hazards threads read write same shared memory missing synchronisation tool bug two threads touch same location nondeterministic bug
memcheck compute sanitizer illegal memory access : out of bounds invalid address read write beyond array wrong pointer crash find bug tool segfault on card illegal pointer overrun diagnose program crashes randomly on gpu garbage
device assert printf kernel : print message check condition stop from inside gpu code debug
cuda error check getlasterror peekatlasterror : failure reported late asynchronous return code status macro check every call silent failure wrong results did launch succeed nothing happens no message
cuda launch blocking : errors show at right place line make calls wait one after another debugging environment variable stack trace points to wrong place
cooperative multi device peer access p2p nvlink : cards read write each other memory directly straight without cpu host between two gpus direct exchange bridge two boards skip system memory skip host when moving between boards
device query properties compute capability : what can this card do features limits number multiprocessors ask hardware version list hardware details installed
multi gpu setdevice visible devices : choose select which card use hide restrict only some number index pin job to particular card jobs on one box should not see each other's cards
mps multi process service : several programs processes share one card at same time simultaneously together concurrent clients time slicing
mig multi instance gpu partition : slice cut one card into several isolated smaller ones isolate tenants hardware slices
green context sm resource : reserve give part portion fraction of multiprocessors to one task
ipc memory handle cudaipc : two separate programs processes share use same gpu memory buffer without copying pass handle interprocess another application different pointer between export allocation import elsewhere cross-process hand buffer to another process
virtual memory management cumemcreate cumemmap reserve address : map physical memory later grow extend buffer keep address reserve range grow array without copying
memory pool stream ordered mallocasync : allocate free in queue order cheap reuse recycle freed memory quickly without synchronising frequent allocations slow reuse instead of going to driver malloc free slow inside loop
pinned page locked memory hostalloc : host buffer fixed cannot be swapped paged out faster upload transfer dma quicker device copies locked ram non-pageable staging speed up transfers bandwidth operating system may not move buffer
zero copy mapped host memory : kernel reads host ram directly over bus without explicit transfer avoid duplicate no copies
unified managed memory migration page fault : one same pointer for cpu and gpu pages move automatically on demand single address both processors host card shared address space access from either side no explicit copies not worry about where data lives
prefetch memadvise hint : tell say move pages beforehand ahead where data will be used preferred location avoid faults bring data in advance
oversubscription eviction managed : use more memory than card has larger than fits
memcpy2d pitch cudamallocpitch : copy rows with padding aligned two dimensional array width
asynchronous memcpy overlap transfer compute : hide upload download behind computing copy while kernel runs same time keep card busy during transfers chunks not wait for copies compute meanwhile
coalesced global memory access : neighbouring adjacent consecutive threads read consecutive addresses few transactions wide efficient access pattern strided uncoalesced inefficient merge reads waste bandwidth arrangement of data
vectorized load float4 128 bit : read several elements at once wide instruction sixteen bytes per thread
alignment misaligned address : address must be multiple divisible of bytes boundary
bank conflict shared memory padding : threads hit collide fight same column slot on-chip memory serialise slow extra column same-bank accesses serialised slowdowns scratchpad scratch memory slower than expected
swizzle layout xor smem : rearrange permute scramble addresses so that rows and columns both read without collision interleave remap pattern avoid clashes
shared memory carveout dynamic smem opt in : use more than 48 kilobytes on-chip scratch per block attribute limit raise
constant memory : small read only table broadcast same value to all threads cached coefficients unchanging
texture object sampler interpolation surface : read image hardware filtering interpolate between pixels lookup border clamp sample image fetch
l2 cache persistence access policy window : keep data resident in cache frequently used pin hot set aside hot data stay data read again and again
cache hint eviction policy streaming load : tell hardware will be read only once do not keep
async copy cp.async memcpy_async pipeline : bring fetch load next tile into on-chip memory background while computing current without registers without stalling staging overlap global to shared load while multiplying keep math units fed
tma tensor memory accelerator bulk tensor descriptor : hardware engine copies whole tile box with one thread single instruction multi-dimensional address descriptor based block transfers dedicated unit
multicast cluster tma : load same tile once deliver to several blocks one data many neighbours
multistage pipeline stages double buffering : several buffers in flight load next while computing this hide latency prefetching successive tiles circular ring buffer keep math units fed never starve
warp specialization producer consumer : some warps only load others only multiply different roles divide labour dedicate dedicated threads loading vs math split jobs between loaders and workers
setmaxnreg register reallocation : give registers from loaders to math warps more fewer
tensor core mma wmma fragment : hardware matrix unit multiply small tiles instruction dedicated dot product units small matrices low precision heavy matrix work special units speed up
wgmma warpgroup mma async hopper : four warps together multiply straight from shared memory asynchronous
tcgen05 umma tmem blackwell : fifth generation newest matrix instruction accumulators own memory single thread issues
ldmatrix stmatrix : load small matrices eight by eight from shared memory into registers in layout for matrix unit
sparse tensor core structured 2:4 sparsity : two of every four values zero dropped skip half twice speed multiply half of weights zeroed pattern pruned accelerate regular pattern half the weights
ptx inline asm : write machine assembly instruction by hand inside kernel
ptx jit nvrtc runtime compilation : compile kernel source string text while program running at start on the fly generate code dynamically compile from string just in time build kernel from text user typed
nvjitlink ptxas linking lto : link device code at run time combine several modules optimise
cubin fatbin cuobjdump sass disassemble : look at real final machine instructions inside binary which architectures contained embedded binary contents extract dump for which chips has code look inside compiled file
ptx forward compatibility virtual architecture : old binary works on newer future cards not yet known compiled at load later gpus devices chips intermediate portable form jit run on hardware released later compatibility future proof chip that did not exist when program was built
gencode arch sm compute cuda_architectures : choose pick which generation of graphics cards code will run on target build for my card only supported hardware restrict shrink build targets compute level binary only needs to work on my card
architecture specific feature sm_90a sm_100a : instructions that only work on exactly one chip suffix letter accelerated
separable compilation relocatable device code rdc : kernel function in one file calls device function in another source file call across translation units separately compiled linker complains cannot find functions defined in another file
device link nvlink dlink : second extra link step for gpu code libraries
nvcc host compiler ccbin unsupported gcc version : which gcc does toolkit accept too new compiler error refuse incompatible version c++ compiler toolkit complains about my gcc
driver version insufficient forward compat minor version : toolkit newer than installed driver mismatch does it still run installed driver too old customers older drivers still work ship
lazy loading modules cuda_module_loading : start faster less memory load kernels only when first used startup memory footprint shave seconds start-up right away not everything
fast math use_fast_math intrinsics ftz : less exact quicker sine division approximations flush tiny numbers
fma contraction denormal rounding mode : multiply add one rounding results differ slightly from cpu
half2 bfloat16 fp16 intrinsics : sixteen bit short floats arithmetic two at once
curand philox random generator : random numbers on gpu per thread reproducible seed offset generate noise parallel
cufft fft fourier : frequencies spectrum signal wave transform
cublas cublaslt gemm heuristic workspace : library matrix multiplication choose algorithm scratch memory
cusparse csr spmv sparse matrix : mostly zeros matrix store only nonzero rows
cusolver lu cholesky qr svd : solve linear equations decompose factor matrix eigenvalues least squares
conjugate gradient iterative solver : solve large system step by step residual without factoring
cudnn convolution algorithm benchmark find : try time several ways choose fastest convolution first call auto tune search fastest implementation
npp nvjpeg image processing : resize filter decode pictures photos library
opengl interop vulkan external memory semaphore : draw show display picture computed by kernel on screen window without trip through cpu visualise directly graphics pipeline share buffer frame
thrust device_vector transform : standard template algorithms containers without writing kernels
monte carlo option pricing pi estimate : random throws samples simulate estimate price area probability darts
nbody simulation particles : bodies attract gravity stars forces all pairs
stencil finite difference jacobi heat : grid each point from neighbours repeat until converge wave fluid
matrix transpose tile : swap rows and columns efficiently
convolution separable filter blur : smooth image edges neighbours weights rows columns
black scholes binomial options : finance price contract
bandwidth test bandwidthtest : how fast gigabytes per second copy between host and card measure bus speed
simple vector add template sample : first beginner hello world program smallest example
# Looking at programs
cupti activity api callback profiler : collect gather kernel times counters programmatically library behind tools tracing interface trace api runtime hooks instrumentation timestamps build own profiler see every launch
cupti range profiler metrics counters : hardware events measure cache hits throughput per kernel numbers
cupti subscriber conflict multiple : two profilers tools at once cannot both attach already in use only one tool allowed
nsight compute ncu roofline : analyse one kernel detail why slow memory bound compute bound limit examine inspect single kernel bottleneck
nsight systems nsys timeline : see whole program when cpu gpu busy idle gaps picture chart overview where gaps big picture of run
nvtx range push pop annotate : name label mark regions of code so that they show in timeline custom markers sections visible phases appear viewer give names own program
profiling permission err_nvgpuctrperm counters admin cap_sys_admin : not allowed to read hardware counters root container privileges denied access insufficient rights permission problem performance counters inside docker
torch profiler kineto trace schedule : which operators functions take spend most time slow where does time go training step slowest longest kernels find expensive device program measure breakdown costliest hot spots where time goes per layer which layer is the culprit why training slow
chrome trace export perfetto tensorboard : view open timeline in browser json file interactive visual timeline open look at run in web browser
record_function profiler label : give own name to part of model shows up in results
memory snapshot record_memory_history visualizer : who asked for allocated each piece of gpu memory picture plot where did it go log stack what is occupying consuming vram over time leak hunt line of code eats fills grows who uses
memory summary stats max_memory_allocated peak : how much gpu memory used at most highest report numbers vram high water mark
flop counter flops utilization mfu : how many arithmetic operations percent of peak speed achieved
bottleneck utilization idle starvation : gpu waits not busy why low usage sits half the time nothing to do
benchmark timer warmup synchronize : measure speed properly repeat average first runs slower
# Numbers and their formats
mixed precision amp autocast : run parts in sixteen bit automatically choose type per operation half short floats faster less memory float16 fp16 reduced lower precision arithmetic where safe keep sensitive in full train with less memory and quicker without ruining accuracy
grad scaler loss scaling underflow : multiply enlarge loss so tiny small derivatives gradients do not vanish become zero in half precision small magnitudes flushed preserve numerically tiny updates vanish in half precision
dynamic loss scale backoff growth found_inf skip step : infinite nan not a number overflow throw update away discard batch lower factor raise again bad step ignored non finite detected back off one bad batch ruins weights
master weights fp32 copy : keep second exact full precision copy of parameters while computing in short floats accumulate in high precision
bfloat16 tf32 allow_tf32 precision : trade accuracy for speed matrix multiplications fewer mantissa bits allow
fp8 e4m3 e5m2 float8 : eight bit one byte numbers training formats range exponent ultra low precision quarter size even smaller than half precision
amax history delayed scaling recipe : remember how large values recently were largest magnitude last steps to choose factor track running maxima over window scaling from past range guessed from previous steps
current scaling per tensor quantize : compute factor from present data now instead of past
block scaling mxfp8 microscaling nvfp4 : small group of elements share one common scale exponent fine grained shared exponent per 32
transpose cache columnwise rowwise quantized : keep both orientations of low precision tensor for backward
stochastic rounding : round up or down at random so that small updates are not lost on average
int8 quantization post training calibration observer : shrink weights to integers after training look at sample data ranges smaller faster inference cram compress squeeze pack numbers floats convert fewer bits smaller integer arithmetic model size deployment less room finished model lighter
quantization aware training fake quantize : pretend simulate rounding while training learn with integer error anticipate quantisation noise during learning
weight only int4 dequantize gptq awq : compress model to few bits unpack on the fly
scale zero point affine per channel : integer to real mapping offset factor for each row
numerics nan detect anomaly : find where first infinite not a number appears broken backward bad value origin track down source of nans
determinism deterministic algorithms reproducible seed : same answer every run repeatable identical results forbid random order varying operations results change differ different each time vary nondeterministic bit for bit identical bitwise consistent different losses each time although nothing changed
accumulate fp32 accumulator reduced precision reduction : sums kept in wider type error grows
# Training
autograd backward graph gradient : derivatives computed automatically chain rule reverse compute slopes automatically differentiation slopes worked out for me
custom autograd function save_for_backward : write own derivative forward and reverse by hand define own gradient formula
gradient checkpointing recompute activation : save memory by throwing away intermediate results and computing forward second time again trade compute for memory drop activations rebuild them model activations too big for card
activation offload saved tensors hooks cpu : park move intermediate results to host main ram until reverse pass needs them spill tensors to system ram bring back
gradient accumulation no_sync microbatch : add up several small batches before updating weights pretend larger batch effective batch size bigger virtual micro batch does not fit
gradient clipping clip_grad_norm : limit cap exploding too large steps length exploding magnitudes threshold
optimizer fused foreach multi tensor apply : update all parameters weights with one single launch instead of one per array many small kernels few fewer call kernel list batch update kernels horizontally combined loop over parameters weight update takes too long
fusedadam fusedlamb apex optimizer : quicker step for all tensors at once list chunks
lamb lars large batch : train with huge batches layerwise rate trust ratio
learning rate scheduler warmup cosine : lower raise step size over time gradually plan decay ramp
weight decay adamw regularization : pull weights towards zero shrink overfitting
exponential moving average ema weights : smooth averaged copy of model over time
early stopping validation patience : quit when no longer improving
dropout regularization : randomly switch off units neurons ignore drop activations overfitting noise
layer norm rms norm batch norm normalization : subtract mean average of row divide by spread deviation scale standardise centre features zero unit keep numbers sensible range between layers stable
sync batchnorm distributed statistics : mean and variance over all cards workers together statistics consistent across devices
welford online variance : mean and spread in one pass numerically stable merge partial
fused softmax scale mask : exponentials normalised probabilities one kernel attention scores
fused dense bias gelu epilogue : add bias apply activation in same kernel after matrix multiplication without extra trip to memory end tail following product gemm matmul
xentropy cross entropy label smoothing fused loss : classification loss in one kernel less memory
focal loss transducer loss : loss for rare classes speech alignment
embedding table lookup sparse : map words categories ids to vectors rows big dictionary categorical features
hybrid parallel embedding dlrm model parallel tables : lookup tables too large for one card spread over several recommendation huge categorical tables distribute
attention scaled dot product sdpa : each word token looks at every other compares queries keys values relate positions each token weigh relevance
flash attention memory efficient tiling softmax : attention without storing whole square score matrix long sequences blocks avoid materialising quadratic fused exact long texts run out of memory
attention mask causal padding bias : ignore hide future tokens shorter sentences
sliding window attention : look only at recent nearby tokens limited distance
grouped query multi query attention : several query heads share one key value head
kv cache paged attention inference decode : keep past earlier keys values while generating token by token reuse memory pages avoid recomputing earlier tokens autoregressive each new word slower
rotary positional embedding rope : encode position order rotate
variable length packed sequences cu_seqlens thd : batch sentences of different lengths without wasted padding ragged different lengths
speculative decoding beam search sampling : generate text several candidates guess ahead best first
mixture of experts moe router grouped gemm : send route each token to few specialists gating sparse activated subnetworks
lora adapter fine tuning : train small extra low rank matrices keep big model frozen cheap fine tune few parameters
distillation teacher student : small network imitates learns from large one compress knowledge big to small small model copies large
transfer pretrained backbone fine tune : start from already trained weights adapt to own task
pruning mask sparsity : remove cut unimportant connections weights smaller
label augmentation mixup cutout : vary change pictures artificially more data
object detection bounding boxes ssd mask rcnn anchors nms : find things in pictures rectangles overlapping suppress
segmentation unet medical volume : label every pixel organs scans
text to speech tacotron waveglow vocoder mel : voice speaking sound from written text
speech recognition asr jasper quartznet : written text from audio spoken
machine translation transformer bleu gnmt : sentences from one language to another
language model bert pretraining mlm squad : guess hidden masked words read text answer questions
recommendation ncf wide deep click : suggest items users ratings
time series forecasting tft : predict future values from past
graph neural network gnn dgl molecules : nodes edges chemistry neighbours message
tokenizer vocabulary bpe wordpiece : cut text into pieces subwords ids
dali pipeline gpu decode augmentation : read decode resize pictures on card loader faster than cpu image decoding preprocessing bottleneck accelerate input
# Feeding data
dataloader num_workers prefetch_factor worker processes : read load batches ahead of time in background helper processes so that training never waits disk prepare feed supply examples images parallel input pipeline bottleneck background feeding subprocesses prefetch card sits idle because input isn't ready starved
pin_memory non_blocking dataloader : hand batches to card faster while computing
collate_fn batch padding : put samples of different sizes together into one
sampler distributed shard dataset epoch set_epoch : each worker sees own different part of data shuffle anew
iterable dataset streaming webdataset : data too large to index read one after another from archive
shared memory dev shm bus error docker shm-size : loader workers crash in container too little shared space container insufficient
worker seed init random augmentations identical : every helper process produces same random numbers
tfrecord lmdb hdf5 format preprocessing : pack many small files into few big ones
# Many workers
distributed data parallel ddp bucket allreduce overlap : hide network traffic exchange of gradients between workers behind computing backward average synchronise replicas communicate while still differentiating train on several cards at once same model communication while maths going on
find_unused_parameters reducer static graph : some layers parameters not used got no gradient this iteration error waits untouched missing unused distributed branches skipped some weights idle training complains part of model did not take part
fsdp zero redundancy optimizer sharded shard : divide split optimizer moments states parameters over all workers so that each holds only slice no full replica each partition states memory per device model does not fit on one card
tensor parallel column row sequence parallel : cut one layer matrix over several cards each computes part shard single layer matrices model too big for one card pieces on several
pipeline parallel schedule 1f1b microbatches bubble : different layers on different cards pass batches along like assembly line consecutive layers stages devices model does not fit put parts on several cards
context parallel ring attention long sequence : split very long text over cards
userbuffers communication gemm overlap : exchange pieces while multiplying hide communication
allreduce allgather reduce scatter broadcast collective nccl : sum share distribute data among all cards processes combine results every participant group communication
process group backend init rendezvous tcpstore : workers find meet each other at start address port rank setup handshake connect peers machines cannot reach each other
torchrun elastic launch restart : start one process per card on several machines recover after failure node lost survive machine failures spawn jobs start training on many machines
nccl timeout watchdog heartbeat hang : job stuck frozen waits forever one worker never arrives abort communication never completes blocked peers kill runaway stops responding unresponsive give up after minutes silent
flight recorder desync debug dump : find which process fell behind made different call not same collective mismatch hang stuck crash timeout write trace of calls diagnose which participant diverged stalled post mortem which machine is guilty of hang
monitored barrier rank straggler : who is late slow missing worker blame
nccl debug environment interface ib socket : which network card used slow connection log
gloo mpi ucc backend cpu : communicate without gpu processors
rpc remote parameter server : call function on other machine
device mesh dtensor placement : arrange cards in grid lay out sharded tensors
distributed checkpoint save load resharding : write model state in parallel from all workers read with different number
state_dict checkpoint resume save : write model to disk continue training after interruption crash snapshot persist progress pick up where left power cut without starting over from scratch lose work interrupted
async checkpoint staging : save without stopping training background
local rank world size environment slurm : which number am i how many machines cluster job scheduler
# PyTorch inside
caching allocator memory pool block split : keep freed gpu memory for later instead of returning to driver reuse hold on to released blocks avoid costly driver calls why does memory stay occupied after deleting tensors nvidia-smi shows used
fragmentation expandable_segments max_split_size_mb : memory in pieces scattered holes plenty free but cannot allocate large gaps slivers wasted between blocks enlarge extend grow segments unusable scattered free space out of memory although enough is free
out of memory oom cuda : run out not enough space allocation failed exceeded capacity what to do when card is full
empty_cache garbage_collection_threshold : give back unused cached memory to other programs release hand back
private pool graph memory : recorded work owns addresses must stay same between replays
make_graphed_callables warmup side stream static inputs : prepare model part for recording fixed input places copy new data in
pluggable allocator custom : replace supply own malloc free functions memory
record_stream tensor lifetime : tensor used on other queue must not be freed reused too early
torch compile inductor triton codegen : speed up model one line generate fused kernels automatically optimise model automatically just in time faster python make python model run faster without rewriting
dynamo graph break guard recompile : python code cannot be captured falls back compiled again too often unsupported python construct interrupts compiler gives up on part of model
dynamic shapes symbolic mark_dynamic : input sizes lengths vary change without compiling again varying input dimensions avoid respecialising
compile cache fx graph cache inductor_cache_dir : second start quicker store reuse compiled kernels between runs warm start persist compiled artifacts
max-autotune autotuning gemm template : try variants measure pick fastest configuration heuristic best automatically itself select choose quickest benchmark candidates
aot autograd functionalization decomposition : trace forward and backward ahead rewrite into simple operations without mutation
aotinductor export package standalone : compile model ahead into library run without python c++ deploy without python shared object
torch export exportedprogram : turn whole model into one fixed graph for deployment ship model without its python code
torchscript jit trace script freeze : save model run from c++ without python interpreter load model in c++ program
onnx exporter opset : convert trained network into file other frameworks runtimes read interchange portable interchange exchange format use model elsewhere
tensorrt engine inference deployment : optimise trained model for serving low latency
triton inference server model repository : serve answer requests over network http many models
fx graph transform symbolic trace : rewrite change model as list of operations pass
custom operator torch library register impl meta fake : add own new operation function with kernels known to compiler plug in register user defined op teach framework a new operation
dispatcher dispatch key backend select : how does call find right kernel for cpu cuda sparse route call implementation device
cpp extension cudaextension setup buildextension : compile own c++ cuda code as python module install use native functions call write own kernels package native module build script call my own gpu function from script
load_inline jit extension ninja cache folder : compile extension at first import on demand while program runs build on first use without install
pybind11 binding module : call c++ from python
stable abi libtorch cxx11 abi : binary compatibility symbols undefined mismatch library versions
tensoriterator elementwise kernel gpu_kernel : pointwise operation over arrays broadcasting strides how written
native_functions yaml codegen structured kernel : where operations are declared generated code
strided tensor view contiguous memory_format channels_last : same data different shape without copying order of dimensions
hooks register_hook backward forward : run watch intercept function when gradient or layer output is ready observe intermediate outputs callback peek at what layer produced
vmap functorch per sample gradients jacobian hessian : apply function over batch vectorise derivative for each example individual gradients batch dimension same function over every element without loop
forward mode jvp dual numbers : derivative along with value in one forward pass
inference_mode no_grad : turn off derivative bookkeeping save memory speed when only predicting skip tracking evaluation only using model not training it
meta device deferred fake tensor init : build huge model without allocating memory shapes only instantiate without memory
nested jagged tensor : batch of rows with different lengths
sparse tensor coo csr semi structured : store only nonzero
complex fft linalg : imaginary decompositions solve
multiprocessing spawn fork shared tensors file descriptor : several processes pass tensors start method
tensorboard summary writer logging : plot curves watch training progress
rng state generator fork philox : save restore random numbers
cudnn benchmark deterministic flags : switch try all fastest repeatable
cpu threads openmp mkl set_num_threads interop : how many processor cores used limit parallel
torch build setup py develop use_cuda environment options : compile framework from source switches turn features on off own build from repository toggles disable features compile whole framework myself leave parts out
max_jobs ninja parallel build memory : limit cap number of compile jobs at once machine runs out of ram freezes many several fewer less processes simultaneously memory exhausted concurrency throttle compile processes build eats all memory and machine freezes
torch_cuda_arch_list : only build for my own card generations shorter compile smaller library limit targets compile time
sccache ccache compiler launcher wrapper : avoid compiling again files that have not changed remember results rebuild fast reuse prior object files skip recompilation speed repeated builds second build takes as long as first
wheel manylinux auditwheel rpath packaging : make installable package with libraries inside
nightly release versions index url cuda variant : which download matches my toolkit
rocm hip hipify : amd cards translate convert cuda source
submodule third_party sync recursive : missing bundled dependency checkout fetch
# Kernels of CUTLASS
cute layout shape stride composition : describe how coordinates map to memory nested sizes steps index mapping algebra how is tensor laid out
tiled copy tiled mma atom partition : divide tile among threads who copies multiplies what
collective builder mainloop epilogue gemm universal : assemble choose parts of matrix multiplication kernel automatically pick mainloop automatically let library choose kernel parts
epilogue visitor tree evt fusion : add bias activation scaling after product without extra pass compose own operations custom post processing output fuse do more with result before it leaves chip
ping pong cooperative schedule : two groups of warps alternate or share tile consumer warpgroups alternating
tile shape cluster shape stage count carveout : block sizes how many buffers fit automatically
threadblock swizzle raster order : order in which blocks visit tiles better cache reuse traversal locality
grouped gemm batched pointer array : thousands many small matrix products different sizes one launch numerous independent multiplications varying lots of little matrices
implicit gemm convolution conv2d fprop dgrad wgrad : picture filter as matrix multiplication express filters
mixed input gemm upcast : multiply different types small weights large activations
predicate residue out of bounds tile : sizes not multiple of tile edge handle
alignment requirements can_implement : problem size not supported check before launching
cutlass profiler manifest library instance : measure list all available kernels pick best for size sweep benchmark configurations
python dsl cutedsl cutlass jit : write kernels in python without templates
fused multi head attention example fmha : attention kernel sample two products back to back
b2b gemm back to back fusion : two multiplications in one kernel keep intermediate on chip
gather scatter gemm indexed : rows picked by index multiply
complex planar gemm tensorop emulation 3xtf32 : more exact result using several low precision products
# Building with CMake
cmake toolchain file cross compiling system_name : build for other different board phone processor than machine doing compiling target platform differs host embedded arm make program for another kind of computer
find_package config module prefix path root hints : tell where library dependency lives by hand not found wrong version show folder package search look detect point build at custom installation nonstandard location build does not see library that is installed
findcudatoolkit cudatoolkit_root nvcc compiler : locate toolkit installation compiler path not on path detect discover installed several toolkits installed choose one
enable_language check_language cuda optional : use gpu language only if compiler there present gracefully skip when absent fallback project should still build on machine without card
cuda_architectures native all major : detect build for card in this machine
cuda_separable_compilation resolve_device_symbols : gpu code across files libraries link
unity build jumbo batch : glue lump many source files into one big file before compiling fewer larger faster all sources single file amalgamate combine translation units reduce compile time too many little files slow build
precompiled headers reuse_from : parse big includes once ahead reuse for all speed expensive includes compile common once same headers read thousand times
compiler_launcher ccache : put program in front of compiler remember earlier results wrap invocations
interprocedural optimization lto ipo : whole program optimise across files at link cross module inlining squeeze last percent
compile_warning_as_error werror : make compiler stop fail at anything suspicious doubtful treat diagnostics strict fatal
position independent code pic : archive goes into shared library anywhere address
rpath install_rpath build_rpath : program finds its shared libraries at start after install moved loader where path libraries run time shared object not found when executed program does not start cannot open library
install export config package version file : let other projects find use my library after installation other people ship copy headers system consumable downstream reuse pick up with one line in their project
interface library usage requirements target_link_libraries public private : header only pass on include folders flags to users propagate transitively flags reach everybody who links
generator expression config : depends on configuration decided when generating condition in list conditional evaluated per configuration
add_custom_command depends output byproducts : run script tool generate produce file during build only when inputs change code generation step make file before it is compiled
fetchcontent externalproject download : get dependency source from internet during configure build third party pull automatically user should not install dependencies first
cmakepresets configure preset : store remember options in file instead of long command line share settings reusable named configurations colleagues team everyone same settings prepare once
cache variable option cmakecache : user setting remembered between runs switch
policy cmake_policy minimum_required : old behaviour new version warning compatibility
multi config generator build type debug release : several variants optimised or with symbols same folder
graphviz dependency graph : picture map diagram draw which target needs depends on which visualise relationships targets
try_compile check_cxx_source_compiles feature test : find out whether compiler accepts system has function header probe capability whether compiler understands flag
target_compile_features cxx_standard : require language version modern
object library sources : compile once use in several libraries without archive
symbol visibility hidden export header : which functions others can see shared library
ctest add_test labels regex : run only those checks tests whose names match pattern select subset filter execute selected skip slow tests
ctest fixtures resource lock : preparation before cleanup after tests share database not at same time set up before tear down order needed first setup teardown
ctest timeout parallel rerun failed : test takes too long kill again tests forever limit seconds hung test abort
coverage gcov dashboard cdash : which lines executed by tests report server which code covered untested
cpack deb rpm installer component : bundle make archive package for users distributable give users something to install
file glob configure_depends : list all files new file not noticed
configure_file template variables header : fill in version numbers generate from text
ninja job pools link memory : only few links at once
depfile dependency scanning c++ modules : rebuild when included file changed unchanged changed sources incremental only touched
compile_commands json clang-tidy iwyu : list of compiler calls for editors analysis lint
out of source build directory binary dir : keep generated files separate from sources folder
superbuild vcpkg conan dependency provider : package manager fetch install libraries
debug find mode trace log level message : see what configure is doing print why search fails
# Containers
dockerfile base image ngc from : start recipe from ready made container with toolkit installed parent starting point which ready image to begin with
multi stage build copy from : compile in big container ship only results in small final image size smaller slim final discard build tools leave compilers out of shipped image
layer cache buildkit mount cache : not repeat unchanged steps of recipe faster rebuild keep downloads order instructions reuse small change builds everything anew
nvidia container toolkit runtime gpus all : let program in container see use card devices driver expose hardware inside container cannot find gpu
nvidia_visible_devices driver_capabilities : which cards and features container gets
devel runtime base image cudnn variant : with compiler or only libraries choose smaller flavours need compiler in image
entrypoint cmd environment arg : what runs when container starts settings build argument
shm-size ulimit ipc host memlock : container needs more shared memory increase crash in container when loading data with workers
cap-add privileged seccomp profiling container : permit allow profiler inside grant extra rights
volume mount dataset workspace : files from host visible inside folder
docker compose registry push tag : publish several services upload name version
non root user permissions uid : run without administrator
apt pip requirements pin version install : packages inside same versions reproducible
enroot singularity slurm pyxis : containers on clusters supercomputer
sbom signature scan vulnerabilities : security contents
# More of the device
hostregister mlock existing pointer : pin lock memory that was already allocated with malloc afterwards
gpudirect rdma peermem nic : network card reads writes gpu memory directly without host copy
gpudirect storage cufile gds : read file from disk straight into gpu memory bypass cpu
nvshmem symmetric memory put get : kernels themselves send to write other cards memory one sided
numa affinity cpu binding : processor cores close to card socket bind pin processes
nvml nvidia-smi power clock temperature persistence : watts heat frequency watch limit card state
ecc uncorrectable xid error : card memory faults hardware broken kernel log
wddm tdr watchdog kernel timeout : screen freezes long kernel killed windows
driver api cumodule culaunchkernel context : load kernel from file by name at run time low level
primary context cuctx device reset : state of card per process create destroy clean
clock64 globaltimer nanosleep : read time cycles inside kernel sleep back off
popc clz ffs brev bit intrinsics : count ones leading zeros bits position
dp4a dp2a integer dot : four small integers multiply add one instruction
match_any_sync reduce_sync : threads with equal value find each other group
restrict ldg read only cache : promise compiler pointers do not alias overlap
pragma unroll ilp instruction level parallelism : repeat loop body several independent operations in flight
template specialisation kernel type dispatch switch : same kernel for several types chosen at run time
function pointer device callback : pass function to kernel choose operation
half precision atomics red vector atomics : add short floats several threads
fp64 double precision emulation : exact wide arithmetic slow consumer cards
integer overflow index 64 bit indexing : array too long more than two billion elements
mandelbrot fractal : zoom picture complex
marching cubes isosurface volume rendering : surface from three dimensional scan show ray
fluid smoke ocean simulation fft : water waves liquids real time
sobel bilateral recursive gaussian filter : edges smooth keep image
dct jpeg walsh transform : compress image blocks
optical flow stereo disparity : motion between pictures depth two cameras
sobol quasirandom sequence : evenly spread numbers better than random
eigenvalues tridiagonal bisection : spectrum of matrix
nvscisync egl stream interop : share between engines on embedded car board
stream capture mode relaxed thread local : forbidden unsafe call while recording other thread
graph memory nodes alloc free : allocate inside recorded work
thread block size multiple of warp size : why 128 256 threads choose
latency hiding arithmetic intensity roofline : enough work to cover waiting memory bound
wave quantization tail effect : last blocks leave most of chip idle
# More of training
in-place version counter leaf modified : variable needed for gradient has been changed overwritten error
retain_graph double backward create_graph : call reverse twice second derivative
detach requires_grad freeze : cut stop derivatives from flowing constant layers not trained
gradcheck numerical finite differences : compare derivative with small changes test correctness
weight initialization xavier kaiming : starting values random before learning
parametrization weight norm spectral norm : constrain rewrite weights
module buffers parameters state register_buffer : tensors that are saved but not trained
weights_only pickle unsafe load security : opening untrusted model file may run code
type promotion broadcasting rules : mixing kinds of numbers shapes that do not match stretch
index_put scatter gather advanced indexing : pick or write elements by list of positions
torch_check warn error message c10 : raise report failure in c++ code
device guard stream guard : switch back to previous card automatically scope
torch_logs logging artifacts : print what compiler does debugging messages
opinfo test suite common device type : tests for every operator type card
assert_close tolerance : compare floating results nearly equal
asan ubsan sanitizer build : find memory errors undefined behaviour in c++
debug symbols rel_with_deb_info gdb : step through framework stack trace
magma mkl onednn blas : libraries for linear algebra on processor
mps metal backend : apple laptop graphics
xpu intel sycl : other vendor cards
xnnpack qnnpack mobile lite interpreter : run on phone small
selective build operators size : only include functions that model uses smaller binary
horovod tensorflow xla : other framework distributed
throughput latency benchmark results table dgx : how many images sentences per second
convergence accuracy stability results : how good model gets after training same quality
dataset download preprocess script : get prepare training data
multi node slurm sbatch pyxis : train on several machines cluster
inference script batch latency : predict only use trained model
tensor cores shapes multiple of eight padding vocab : sizes that make hardware matrix units usable
channels last nhwc layout : put colour last order faster convolution
fp8_autocast fp8 recipe module : switch on eight bit for layers
fp8 weight caching is_first_microbatch : convert weights only once per several small batches
amax reduction group : all workers agree on largest value same scale
layernorm_linear layernormmlp fused module : normalise then multiply in one block
dotproductattention backend nvte flash fused unfused : which attention implementation is used choose by environment
delay wgrad weight gradient accumulation fusion main_grad : postpone compute later add directly into wide buffer
moe permute unpermute token dispatch : sort tokens by expert and back
asp automatic sparsity mask search permutation : make trained network two of four sparse keep accuracy
peer memory halo exchange bottleneck spatial : split picture over cards exchange borders edges
distributed fused adam contrib : optimizer state over workers overlap
group norm instance norm nhwc : normalise channels groups
multihead attention contrib fast : fused old self attention
rnn lstm gru cudnn : recurrent sequence networks
nccl allocator user buffer registration : memory registered for zero copy communication
syncbn welford parallel groupbn : batch statistics over cards
gradient bucket view flat buffer : gradients stored together one long array avoid copies
mixed precision fsdp policy reduce dtype : types for communication
cpu offload optimizer states : keep moments in host ram
symmetric memory async tensor parallel micro pipeline : overlap matrix multiplication with gather
compiled autograd : reverse pass also compiled
cudagraph trees mode reduce-overhead : compile and record automatically
triton kernel user defined autotune : own python written kernels
flex attention block mask score_mod : write own attention variation in python fast
nan check loss spike anomaly : training blows up diverges suddenly
seed everything worker manual_seed : start random generators
memory leak reference cycle gc : usage grows every iteration never freed
non deterministic atomicadd index_add cublas_workspace_config : operation adds in varying order
# More of building
cmake -e build install command line : run build without knowing tool portable commands
file api codemodel ide integration : editors ask for targets sources
gtest_discover_tests : list tests of program automatically
ctest resource spec gpu allocation : tests share cards assign
memcheck valgrind ctest : run tests under memory checker
findpython findmpi findopenmp findthreads module : locate interpreter common package
pkg-config pkgconfig imported : use .pc files
link whole archive link group order : undefined symbols static libraries all objects needed cyclic
build_shared_libs static shared : choose kind of library
soversion version soname : library file name numbers
source properties set_source_files compile options per file : flags for only one file
directory scope parent_scope function return propagate : variable not visible outside
execute_process configure time command output : run program while configuring
file download hash expected : get file from internet check sum
cmake_parse_arguments keyword : function with named options
install components strip destdir : copy only part of files
include what you use link what you use : unnecessary dependencies
emscripten android ndk ios toolchain : web phone
cxx_modules fileset scan : import modules
job server make parallel level : how many at once
verbose makefile rules messages : show full compiler commands
cmake_cuda_flags host compiler xcompiler : pass option to nvcc
cuda runtime library static shared cudart : link toolkit library into program
cuda_ptx_compilation fatbin cubin target : only produce intermediate kernel files
cmake_prefix_path environment conda : libraries in virtual environment
libtorch find_package torch c++ application : use framework in own c++ project
incremental build touch dependencies rebuild everything : why is all compiled again
link time memory gold lld mold linker : linking slow other linker
build time trace ftime nvcc threads split-compile : what makes compile slow several architectures in parallel
library size fatbin compress prune stripped : binary too large smaller
preload ld_library_path conflict multiple versions : wrong library loaded
reproducible builds source_date_epoch timestamps : same bytes every time
nvfp4 fp4 int4 : four 4 bit bits numbers values floats precision weights half a byte
epoch shuffle : one pass over whole data set every sample seen once
fusion fuse fused kernels pointwise : merge join combine glue fold several operations steps into one kernel avoid writing intermediate results out and reading back memory traffic
)";

}  // namespace sibyl::index
