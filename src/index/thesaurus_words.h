// SPDX-License-Identifier: Apache-2.0
// The table behind thesaurus.h. A line is a rule: groups of words, parted by
// plus signs, of each of which the question must have one, then a colon and
// the words of the sources. Forms of a word are found by its stem; the order
// of the words in the question does not matter.
#pragma once

#include <string_view>

namespace sibyl::index {

inline constexpr std::string_view kThesaurus = R"(
# The machine
card cards chip board accelerator + graphics graphic video gpu nvidia : gpu device
card cards accelerator : gpu device
graphics : gpu
chip : gpu architecture
generation model family kind age older newer + card gpu chip graphics hardware processor : architecture capability sm
runs run work works support target + generation older newer every card gpu chips cards : architecture arch capability
multiprocessor core : sm multiprocessor
threads warps blocks + hold fit resident keep busy many enough : occupancy multiprocessor
launch block grid + size shape configuration pick choose suggest : occupancy block grid launch
idle busy waste wasted unused full + gpu card multiprocessor hardware cores : occupancy utilization
matrix + unit engine hardware instruction circuit special : tensor core mma wmma
multiply multiplication product + matrix matrices : gemm matmul
multiply + matrices matrix + hardware instruction fast special : mma wmma tensor core
# Memory of the device
chip block near local fast small + memory scratch storage : shared memory smem
scratchpad : shared memory smem
same one + bank column slot row + threads thread memory collide collision fight conflict stop : bank conflict shared memory
fight collide collision clash contention stumble + memory threads thread bank column : bank conflict
pad padding extra shift skew + row column array memory : padding bank conflict skew
rearrange permute scramble reorder xor shuffle + address addresses layout memory storage : swizzle layout bank
neighbour neighbouring neighbor neighboring adjacent consecutive + address addresses memory threads load : coalesced coalescing
main host cpu system ordinary + memory ram : host cpu memory
locked lock fixed pin swap swapped swapping paged evict + memory page buffer buffers host out : pinned page locked pin_memory
upload uploads upload transfer copy move send + faster fast quick quicker speed + card gpu device host : pinned host device transfer async
upload : host device copy h2d
download : device host copy d2h
pointer address addresses space + same one single both + cpu host gpu card processor : unified managed uva
pages page + move migrate travel fault + demand card gpu automatically : unified memory managed prefetch advise
hint hints advice + memory page pages location : advise prefetch managed memory
without no avoid + copy copying copies duplicate : zero copy mapped shared ipc
process processes program programs application applications + share shared sharing both two separate another between other different + memory buffer data tensor pointer copy copying : ipc interprocess handle sharing multiprocessing
card cards gpu gpus device devices + directly straight without another other two between + cpu host memory copy talk read write : peer p2p access nvlink
alloc allocate allocation memory + hole holes scatter scattered gap gaps slivers pieces : fragmentation split segments
keep reuse recycle hold + freed memory blocks allocations buffers + later next again : caching allocator cache pool
grow extend enlarge + memory segment buffer allocation : expandable segments
memory + who which what where + ask asked use used take taken eat hold : memory snapshot profiler allocations
memory allocation allocations + picture image plot graph look view see draw show : memory snapshot visualizer timeline viz
memory allocation allocations + log record history trace write track : memory snapshot history record
run ran running + out + memory : oom out memory allocation
move park put store keep stash push spill + main host cpu ram + memory later until back backward needed : offload offloading cpu
needed need + backward later again + store keep park hold save stash : saved tensors activations offload
# Threads
threads thread lane lanes + group bundle set pack 32 neighbours neighbors : warp lane
value values register registers data + exchange hand pass swap trade give send + thread threads lane lanes other : shuffle shfl warp
one single + behalf all group neighbours neighbors : aggregated elect leader warp
count counter increment add bump + threads thread lane lanes many : atomic counter aggregated
safely race clash lost + add increment update write + threads thread same : atomic
wait waits meet stop hold + each other all everyone everybody every + thread threads block process : barrier synchronize sync
say announce signal arrive + arrived wait later + thread threads : arrive wait barrier mbarrier
threads thread + different differently + path branch way : divergence divergent warp
work tiles blocks + even evenly balance leftover remainder tail share : scheduler stream persistent tile
stay alive live long resident + block blocks kernel thread : persistent kernel scheduler
kernel + start launch call + kernel device gpu : dynamic parallelism device launch
# Copies and pipelines
copy copying load loading fetch fetching + background meanwhile while overlap during compute computing : async cp_async memcpy_async pipeline
fetch load + ahead early before next advance : prefetch pipeline stages
double two several many + buffers buffer stages + compute load : pipeline stages multistage
producer consumer loader worker + warp warps role roles different separate : warp specialized producer consumer
big bulk block tensor tile + copy load move + hardware engine single one instruction : tma tensor memory accelerator bulk
same one + data tile load + several many blocks neighbours cluster : multicast cluster
queue line sequence order + work commands kernels operations : stream
same time once concurrently simultaneously + kernels kernel copies work : concurrent streams overlap
# Launch overhead, graphs, fusion
record capture note write tape + once one + work kernels launches gpu operations run again later : cuda graph capture replay
play repeat rerun run replay + again back later recorded cheap cheaply often every : replay graph capture
cpu driver launch launching + cost overhead expensive time slow cheap cheaply : overhead graph launch
one single few fewer + launch launches kernel call : fused fusion multi tensor foreach
merge join combine glue fuse fold + kernels kernel operations operators steps ops : fused fusion fuse
update step + all every many + weights weight parameters arrays tensors at once single one : fused optimizer multi tensor apply foreach
after end tail following + multiplication product gemm matmul : epilogue
# Numbers
derivative derivatives slope slopes : gradient gradients
weights weight : parameters
array arrays : tensor
half short sixteen 16 + precision floats float bits bit numbers : fp16 float16 half bfloat16 mixed
eight 8 one byte + bit bits byte numbers values precision floats : fp8 float8 int8 quantize
four 4 + bit bits + numbers values precision floats : fp4 int4 nvfp4
squeeze shrink pack compress convert cram + numbers values weights floats byte bits : quantize quantization scale
large big biggest largest magnitude range + recent recently past last previous history seen remember remembering : amax history scaling
largest biggest maximum peak + value values number magnitude : amax max
tiny small smallest + gradient gradients derivative derivatives numbers values + zero vanish vanishing lost lose disappear flush : underflow loss scaling scaler
vanish vanishing disappear zero + half precision float16 fp16 gradients derivatives : underflow loss scaling
number nan infinite infinity garbage invalid broken overflow blow + update step batch weights gradient gradients skip ignore throw away drop discard : inf nan skip scaler found_inf
multiply scale + loss error + gradients small half : loss scaling scaler
share common one same + scale factor exponent + block group elements 32 sixteen : block scaling mxfp8 microscaling
exact precise accurate full + copy version + weights model parameters second : master weights fp32
add sum accumulate collect gather + several small many few + batches batch steps : gradient accumulation accumulate
rounding rounded round + error errors random : stochastic rounding precision
automatic automatically + precision half type : autocast amp
two half 50 + every each + four 4 : sparsity structured semi sparse
drop remove prune cut zero + values weights connections : sparsity pruning mask sparse
zero zeros empty mostly + matrix values weights skip : sparse sparsity
# Training
second again twice redo recompute + forward activations computation + memory save less : checkpoint checkpointing recompute activation
save reduce less lower + memory + forward activations activation intermediate : checkpointing recompute activation offload
split divide slice spread part shard partition + optimizer moments adam states state parameters weights model + workers ranks processes gpus machines all : sharded shard zero redundancy fsdp distributed
moments : optimizer state
hide overlap cover mask + traffic network communication talk exchange + gradient gradients backward compute computing computation : overlap bucket allreduce communication
traffic network + workers machines nodes gradient gradients : communication allreduce nccl
add sum average mean combine + workers machines ranks gpus processes nodes all + gradient gradients : allreduce reduce ddp
workers worker machines : ranks processes distributed
unused untouched missing no + parameters weights layers gradient gradients + distributed workers ddp : unused parameters find_unused_parameters
stuck hang hangs hung freeze frozen wait forever never deadlock + workers worker process processes job collective rank training : timeout watchdog hang nccl
behind late missing mismatch different blame which + process worker rank call calls : desync monitored_barrier rank mismatch
call calls order + same all different match + process processes workers ranks : collective mismatch desync debug
dump write print trace + hang stuck timeout crash : flight recorder dump debug
restart resume continue recover + crash failure lost dead worker node : elastic checkpoint resume rendezvous
data batches batch samples examples images + read load feed fetch supply prepare + ahead workers processes helper parallel wait waits disk background never : dataloader workers prefetch loader num_workers
decode augment resize + images pictures + gpu card : dali pipeline
randomness random answer answers result results output outcome numbers + same differ different change changes vary repeat repeatable identical + run runs time times every again : deterministic reproducible seed nondeterministic
forbid forbids ban disallow refuse prevent + random change changes vary different : deterministic algorithms
quickest fastest best quick + try trying tried test measure all + algorithm algorithms convolution kernel way : benchmark autotune algorithm cudnn
choose pick select find + automatically itself self best fastest : heuristic auto autotune
attention : softmax sdpa
look looks compare + words tokens every + other : attention
picture pictures photo : image
speech voice sound : audio
pass passes + data whole : epoch
# Looking at it
time slow slowest long seconds + where which what most find spend goes takes take + operators operator operations function functions kernel kernels device gpu program : profiler profiling profile bottleneck
measure timing clock stopwatch + kernel kernels gpu device : event elapsed timing profiler
timeline picture chart + operations kernels run trace : trace profiler chrome
name label mark annotate + region range part section : nvtx range annotate record_function
counters counter + hardware gpu : cupti metrics profiler
stop halt catch check + error wrong mistake illegal : assert check error
# Compiling at run time
translate compile turn convert + machine assembly binary code + running run runtime fly start while : ptx jit nvrtc runtime compile
assembly : ptx sass
intermediate portable + code form : ptx ir
newer future later unknown + gpu card cards gpus architecture devices chips + run work compile : ptx forward compatibility jit
# Building
many several all + source sources files file + one single big : unity build
glue join merge paste lump concatenate + source sources files file : unity build batch
again over repeat redo + compile compiling build building rebuild : ccache cache incremental rebuild launcher
change changed touched modified unchanged + files file sources source + compile build rebuild again only : incremental rebuild ccache dependency depfile
cache remember reuse keep + compiler compile compiled object objects build : ccache sccache launcher
compile parse read + headers header + once ahead before first : precompiled headers pch
other different another foreign + processor machine board target platform cpu architecture + build compile compiling : cross compiling toolchain crosscompiling
phone tablet embedded board : cross compiling toolchain android
tell say give show hint set + where location place path folder + package library dependency : prefix_path root find_package hints
find search locate look discover detect + library package dependency toolkit compiler header : find_package find_library find_path
hand manually explicitly + where location path package : root prefix_path hints
several many parallel same + build compile jobs processes memory : jobs parallel max_jobs ninja
limit cap fewer less + build compile jobs parallel memory : max_jobs parallel jobs
optional only missing present available + language compiler : check_language enable_language
link linking + device gpu cuda kernel + library libraries files separate : device link separable relocatable resolve
function functions kernel code + other another different + file files object unit + device gpu cuda : separable compilation relocatable device code
download get fetch pull + code sources dependency project : fetchcontent externalproject download
install copy put ship + files library headers system : install export package
switch turn set + feature part on off : option enable disable
condition depends depending evaluated + build configuration generate : generator expression
container image + start begins based base recipe built : dockerfile base image from
container containers : docker image
own custom new my + operator operators op kernel layer : custom op extension register library
call use + cpp cuda native + python : extension pybind cpp_extension binding
compile load + extension module + needed demand first use run : load jit inline extension
write save store + model weights state disk : state_dict save serialize checkpoint
# More of the device
urgent important first precedence priority + work kernel kernels stream before rest : priority stream
call called notify tell + back when once finished done + cpu host gpu : callback host function stream
draw show display render screen window + kernel gpu computed result : interop opengl vulkan graphics
many thousands several lots + small tiny + matrix matrices products problems : batched grouped gemm
different + sizes shapes + matrix matrices products problems : grouped gemm
sum total add reduce + all array elements values numbers thread : reduction reduce sum
running cumulative partial + sum sums total totals : scan prefix sum
sort order arrange + numbers values keys : sort radix bitonic
count how many + bins buckets values fall : histogram
darts random guess chance + estimate area integral price quantity : monte carlo random
frequency frequencies wave spectrum : fft fourier
picture image filter blur smooth edges : convolution filter
lookup interpolate hardware + image table read : texture sampler
blocks groups + neighbours cluster talk together distributed : cluster distributed shared
all whole every + blocks grid wait synchronize meet : grid sync cooperative groups
part slice portion fraction + gpu card multiprocessors reserve give : green context mps partition
compute capability feature support query ask what can + card device gpu : device query properties capability
# More of training
average mean subtract centre center + row spread divide deviation variance : layer norm normalization variance mean
clip limit cap + gradient gradients : clip grad norm
speed rate + learning lower decay schedule : learning rate scheduler lr
randomly drop switch ignore + neurons units activations : dropout
small student smaller + teacher model network imitate copy : distillation
table tables lookup words categories + big large huge split spread several card cards : embedding sharded hybrid parallel
expert experts specialist + route choose token tokens : mixture experts moe
layers layer + different several split + cards card gpus machines : pipeline tensor parallel
sequence long text context + split several cards gpus : context sequence parallel
past earlier previous + keys values tokens generate generation : kv cache inference
export convert save turn + other another frameworks programs runtime format file : onnx export
trace script freeze + model python without : torchscript export
break stop split + compile graph python : graph break dynamo
shape size sizes + change changes vary different + compile recompile : dynamic shapes recompile guards
example examples samples + one per each at + gradient function vectorize : vmap per sample
watch intercept run + gradient backward ready computed : hook autograd
numbers rounding pretend simulate + training integer int8 : quantization aware fake quant
# More of building
warning warnings suspicious doubtful + stop fail failure error compiler : warning error compile_warning_as_error
map diagram picture draw graph + targets target libraries depend dependencies needs : graphviz dependency
names name pattern match + tests checks test run only : ctest regex tests filter
test tests + needs before after set up clean : fixtures ctest
test tests + too long forever limit time : timeout ctest
remember store write + options settings configure command line : presets cache cmakepresets
separate outside other + folder directory build source clean : out source binary directory
debug release + same one build several : multi config configuration
find where path + library libraries run time start loader : rpath install_rpath
whole all program + optimise optimize link files : interprocedural optimization lto ipo
one library archive + address anywhere shared position : position independent code pic
other projects people + use find import my library package : export config package install
header headers only + library : interface library
run generate produce + script tool command + build file : custom command add_custom_command
old new behaviour behavior + version change keep compatibility : policy cmake_policy
bundle installer archive + users ship release : cpack package
which what + lines code tests covered executed : coverage gcov
wrong bad invalid + memory access address read write : sanitizer memcheck asan
version language standard + compiler require : compile features standard cxx_standard
several steps stages smaller + image container dockerfile : multi stage dockerfile
layer layers cache + image container docker : docker cache layer
image container + push publish upload + registry : docker push registry
# Short for
smem : shared memory
shmem : shared memory
gmem : global memory
tmem : tensor memory
ddp : distributeddataparallel
fsdp : fullyshardeddataparallel
amp : autocast mixed
pch : precompiled header
rdc : relocatable separable
p2p : peer
ipc : interprocess
jit : just time
aot : ahead
oom : memory
hang hangs : timeout deadlock
)";

}  // namespace sibyl::index
