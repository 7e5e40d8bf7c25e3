// SPDX-License-Identifier: Apache-2.0
// Of the tables of glossary_words.h, which says what a line is: the device, and looking at
// programs.
#pragma once

#include <string_view>

namespace sibyl::index {

inline constexpr std::string_view kDeviceGlossary = R"(
# The device and how work is put on it
cuda graph capture replay instantiate : record tape remember sequence list batch launches kernels operations once run play repeat again later many times every iteration step lower cpu launch cost overhead cheap submit whole sequences bundled submitted single call avoid driver per-launch pre-recorded macro thousands little cannot keep up launching rehearse choreography same steps frame hand cut dispatch host barely involved
cuda graph conditional node while : loop branch decide inside recorded work gpu itself condition without returning host repeat until converged device decision
graph update exec : change parameters arguments recorded work patch without rebuilding recording swap pointers new inputs keep instantiated other addresses sequence again buffers
cuda stream priority : urgent important first precedence ahead rest queue high low work jump preempt latency sensitive favour task scheduled sooner let short overtake
cuda stream concurrent : queue order sequence independent work run same time simultaneously side parallel kernels line commands multiple lanes pipelines asynchronous several tasks interleave two once card conveyor belts another unrelated
cuda event record elapsed : stopwatch timing time measure duration long between two points gpu milliseconds marker clock profile snippet accurately put flag find out many piece took
stream callback host function launchhostfunc : call back notify cpu function gpu finished done reached point queue trigger code completes signal
stream wait event dependency : make queue wait another order across queues until finished dependencies between asynchronous tasks join fork
default stream legacy per thread : implicit queue zero synchronizes everything blocks others null hidden shared lane named stop threads queueing behind same unexpectedly serialised host thread own
synchronize devicesynchronize : wait until finished everything done gpu block cpu complete make sure reading results numbers look hold host card idle
spin blocking sync yield schedule flag : cpu burns busy waiting hundred percent core while gpu works sleep instead
occupancy maxactiveblocks launch bounds : many threads blocks fit hold resident multiprocessor pick choose good block size keep busy full waste idle unused cores hardware enough work best number per utilisation saturate hide waiting fill every compute unit big groups rule calculator
launch bounds maxrregcount register spill : too many registers per thread limit cap local memory slow spilling compiler uses pressure
cooperative groups grid sync : blocks whole grid wait meet other kernel wide barrier synchronise entire launch global across reach same line anyone proceeds without ending threads arrived
thread block cluster distributed shared memory dsmem : neighbouring blocks talk read other on-chip memory group cooperate adjacent share scratchpad
dynamic parallelism device launch cdp : kernel starts launches another gpu itself without cpu nested recursion spawn child work tree refine needed
programmatic dependent launch griddepcontrol : start next kernel previous finished early overlap prologue tail back kernels end warms up while last finishes
persistent kernel tile scheduler : stay alive resident loop pull fetch take more work instead exiting block per multiprocessor long-lived over tiles launched once workers never home next chore list
stream k split k decomposition : uneven leftover last wave tail idle multiprocessors divide inner dimension balance work evenly tall skinny matrices few tiles enough parallelism leave chip mostly empty output pieces long loop share piece among many processors
grid stride loop : kernel handles length size array fixed number threads thread several elements
warp lane simt : group bundle 32 threads lockstep together march scheduling unit execute same instruction simultaneously thirty-two members index within
warp divergence branch : threads group take different paths serial slow branching hurts conditional lanes inactive half sit out while others other branch
warp shuffle shfl_sync : threads exchange pass hand swap registers values neighbours directly without memory data inside group register broadcast whisper value neighbour bundle scratchpad
warp vote ballot any all activemask : ask threads group agree condition true poll bits show hands active bit every lane predicate unanimous
warp aggregated atomics elect leader : thread behalf group adds counter fewer collisions increment together elected leader single lane bump neighbours
warp reduce reduction cub block reduce : add up sum total maximum array elements threads tree parallel combine collapse many values number out
scan prefix sum cub : running cumulative totals partial sums position offsets accumulate output start exclusive inclusive parallel addition
compaction partition select stream : keep only elements passing test remove filter gaps squeeze together positions throw out rejected items close
histogram bins atomics : count often values fall buckets frequency distribution tally occurrences grey levels collisions many threads bump same bin private sub-histograms marks per bucket
radix sort merge sort bitonic : put numbers keys order arrange ascending sorting large arrays key value pairs network compare exchange digits descending rank millions quickly
atomic add compare and swap cas : safely update same location many threads once race lost increment concurrent updates correct counter lock free mutex writers variable thousands write cell
memory fence threadfence memory order acquire release : make writes visible other threads order flag publish see ordering guarantee visibility stale values thread wrote seen others write data raise reader first message
mbarrier arrive wait transaction barrier : say announce arrived wait later phase bytes expected split barrier asynchronous
named barrier bar_sync : only some threads warps block wait subset partial synchronisation producers consumers rendezvous numbered id arrive without blocking
race condition racecheck synccheck compute-sanitizer : find hazards threads read write same shared memory missing synchronisation tool bug two touch location nondeterministic
memcheck compute sanitizer illegal memory access : out bounds invalid address read write beyond array wrong pointer crash find bug tool segfault card illegal overrun diagnose program crashes randomly gpu garbage reads past end culprit line equivalent valgrind
device assert printf kernel : print message check condition stop inside gpu code debug trace values log threads diagnose wrong index text kernel
cuda error check getlasterror peekatlasterror : failure reported late asynchronous return code status macro check every call silent wrong results launch succeed nothing message kernel silently find out returned
cuda launch blocking : errors show right place line make calls wait another debugging environment variable stack trace points wrong message blames
cooperative multi device peer access p2p nvlink : cards read write other memory directly straight without cpu host between two gpus direct exchange bridge boards skip system moving board fetches sister detour through main ram
device query properties compute capability : card features limits number multiprocessors ask hardware version list details installed generation print everything board
multi gpu setdevice visible devices : choose select card hide restrict only some number index pin job jobs box see other's cards
mps multi process service : several programs processes share card same time simultaneously together concurrent clients slicing users' little once single board
mig multi instance gpu partition : slice cut card several isolated smaller ones isolate tenants hardware slices fence off customers cannot disturb other
green context sm resource : reserve give part portion fraction multiprocessors task dedicate cores latency critical work isolate rest background partition inside process some processors chip customer another
ipc memory handle cudaipc : two separate programs processes share same gpu memory buffer without copying pass handle interprocess another application different pointer between export allocation import elsewhere cross-process hand process second box reads results straight graphics ram chunk
virtual memory management cumemcreate cumemmap reserve address : map physical memory later grow extend buffer keep address reserve range array without copying grows moving
memory pool stream ordered mallocasync : allocate free queue order cheap reuse recycle freed memory quickly without synchronising frequent allocations slow instead driver malloc inside loop asking returning buffers time stalls everything keep stock
pinned page locked memory hostalloc : host buffer fixed cannot swapped paged out faster upload transfer dma quicker device copies locked ram non-pageable staging speed up transfers bandwidth operating system move stays put copying engine work itself uploads twice quick
zero copy mapped host memory : kernel reads host ram directly over bus without explicit transfer avoid duplicate copies
unified managed memory migration page fault : same pointer cpu gpu pages move automatically demand single address both processors host card shared space access either side explicit copies worry data lives works everywhere system shuttles back forth touched
prefetch memadvise hint : tell say move pages beforehand ahead data preferred location avoid faults bring advance
oversubscription eviction managed : more memory card larger fits working set bigger board spill thrash swap back forth exceed physical capacity
memcpy2d pitch cudamallocpitch : copy rows padding aligned two dimensional array width line starts nice boundary rectangle submatrix stride between gap bytes picture sub-region
asynchronous memcpy overlap transfer compute : hide upload download behind computing copy while kernel runs same time keep card busy during transfers chunks wait copies compute meanwhile
coalesced global memory access : neighbouring adjacent consecutive threads read addresses few transactions wide efficient access pattern strided uncoalesced inefficient merge reads waste bandwidth arrangement data strides jump around memory scattered most fetched line neighbours
vectorized load float4 128 bit : read several elements once wide instruction sixteen bytes per thread
alignment misaligned address : address multiple divisible bytes boundary pointer offset sixteen cast wider type crash odd start structure padding aligned
bank conflict shared memory padding : threads hit collide fight same column slot on-chip memory serialise slow extra same-bank accesses serialised slowdowns scratchpad scratch slower expected queue up drawer locker thirty-two doors add dummy
swizzle layout xor smem : rearrange permute scramble addresses rows columns both read without collision interleave remap pattern avoid clashes shuffle cleverly neither nor collide
shared memory carveout dynamic smem opt in : more 48 kilobytes on-chip scratch per block attribute limit raise usual maximum scratchpad ask extra
constant memory : small read only table broadcast same value threads cached coefficients unchanging every thread reads together
texture object sampler interpolation surface : read image hardware filtering interpolate between pixels lookup border clamp sample fetch grid points let blend
l2 cache persistence access policy window : keep data resident cache frequently pin hot set aside stay read again reserve shelf needed constantly lookup table remain near
cache hint eviction policy streaming load : tell hardware read only once keep pass-through data pollute evict first last
async copy cp.async memcpy_async pipeline : bring fetch load next tile on-chip memory background while computing current without registers stalling staging overlap global shared multiplying keep math units fed order portion finished chewing present
tma tensor memory accelerator bulk tensor descriptor : hardware engine copies whole tile box thread single instruction multi-dimensional address descriptor based block transfers dedicated unit command moves entire rectangle arithmetic done
multicast cluster tma : load same tile once deliver several blocks data many neighbours
multistage pipeline stages double buffering : several buffers flight load next while computing hide latency prefetching successive tiles circular ring buffer keep math units fed never starve carousel
warp specialization producer consumer : some warps only load others multiply different roles divide labour dedicate dedicated threads loading vs math split jobs between loaders workers waiters cooks fetchers calculators within block
setmaxnreg register reallocation : give registers loaders math warps more fewer donate budget threads compute need those move dynamically redistribute quota
tensor core mma wmma fragment : hardware matrix unit multiply small tiles instruction dedicated dot product units matrices low precision heavy work special speed up circuits products own kernel
wgmma warpgroup mma async hopper : four warps together multiply straight shared memory asynchronous h100 128 threads issue big product operands stay on-chip fence commit wait group
tcgen05 umma tmem blackwell : fifth generation newest matrix instruction accumulators own memory single thread issues
ldmatrix stmatrix : load small matrices eight shared memory registers layout matrix unit
sparse tensor core structured 2:4 sparsity : two every four values zero dropped skip half twice speed multiply weights zeroed pattern pruned accelerate regular
ptx inline asm : write machine assembly instruction hand inside kernel handwritten low level embed intermediate code special opcode intrinsic available constraints volatile
ptx jit nvrtc runtime compilation : compile kernel source string text while program running start fly generate code dynamically time build user typed writes turns itself
nvjitlink ptxas linking lto : link device code run time combine several modules optimise user supplied function callback joined while running intermediate representation
cubin fatbin cuobjdump sass disassemble : look real final machine instructions inside binary architectures contained embedded contents extract dump chips code compiled file generated function see assembly compiler output verify vectorised
ptx forward compatibility virtual architecture : old binary works newer future cards known compiled load later gpus devices chips intermediate portable form jit run hardware released compatibility proof chip exist program built
gencode arch sm compute cuda_architectures : choose pick generation graphics cards code run target build card only supported hardware restrict shrink targets compute level binary needs work name generations machine produced leave out old tell compiler driver produce
architecture specific feature sm_90a sm_100a : instructions only work exactly chip suffix letter accelerated non-portable code breaks next generation hopper blackwell
separable compilation relocatable device code rdc : kernel function file calls device another source call across translation units separately compiled linker complains cannot find functions defined helper lives other .cu
device link nvlink dlink : second extra link step gpu code libraries final combine objects host linker undefined reference registration symbols archive
nvcc host compiler ccbin unsupported gcc version : gcc toolkit accept too new compiler error refuse incompatible version c++ complains cannot digest modern refuses host
driver version insufficient forward compat minor version : toolkit newer installed driver mismatch run too old customers older drivers work ship customer's machine ancient program start
lazy loading modules cuda_module_loading : start faster less memory load kernels only first startup footprint shave seconds start-up right away everything bring needed slow hundreds megabytes
fast math use_fast_math intrinsics ftz : less exact quicker sine division approximations flush tiny numbers sloppy sin exp sqrt reciprocal speed over correctness compiler switch hardware approximate trade digits root
fma contraction denormal rounding mode : multiply add rounding results differ slightly cpu last digit mismatch host comparison ulp subnormal tiny fused disable bit identical numbers come out different card versus processor
half2 bfloat16 fp16 intrinsics : sixteen bit short floats arithmetic two once paired packed two-byte values simd convert float back
curand philox random generator : random numbers gpu per thread reproducible seed offset generate noise parallel every own dice same sequence again
cufft fft fourier : frequencies spectrum signal wave transform time domain frequency audio plan batched inverse periodic components library
cublas cublaslt gemm heuristic workspace : library matrix multiplication choose algorithm scratch memory vendor blas routine fastest product handle column major leading dimension tune
cusparse csr spmv sparse matrix : mostly zeros matrix store only nonzero rows almost empty compressed row storage times vector indices pointers irregular
cusolver lu cholesky qr svd : solve linear equations decompose factor matrix eigenvalues least squares dense system factorisation library unknowns invert orthogonal singular
conjugate gradient iterative solver : solve large system step residual without factoring equations symmetric positive converge iterations preconditioner sparse approximate answer improves
cudnn convolution algorithm benchmark find : try time several choose fastest convolution first call auto tune search implementation iteration slow afterwards quick
npp nvjpeg image processing : resize filter decode pictures photos library jpg encode decoder colour conversion edge detection ready-made routines
opengl interop vulkan external memory semaphore : draw show display picture computed kernel screen window without trip through cpu visualise directly graphics pipeline share buffer frame
thrust device_vector transform : standard template algorithms containers without writing kernels stl sort reduce iterators high level functor parallel one-liners vectors card
monte carlo option pricing pi estimate : random throws samples simulate estimate price area probability darts many trials simulation circle statistical finance integrate
nbody simulation particles : bodies attract gravity stars forces pairs galaxy astronomy interaction every body other physics
stencil finite difference jacobi heat : grid point neighbours repeat until converge wave fluid temperature spreading halo exchange simulation partial differential equation
matrix transpose tile : swap rows columns efficiently flip mirror across diagonal turn reads fine writes scattered staging block
convolution separable filter blur : smooth image edges neighbours weights rows columns two passes horizontal vertical kernel radius apron halo gaussian box
black scholes binomial options : finance price contract stock market european call put fair money trading tree
bandwidth test bandwidthtest : fast gigabytes per second copy between host card measure bus speed
simple vector add template sample : first beginner hello world program smallest example tutorial started two arrays element minimal skeleton new project
cudahostregister cudahostunregister : make ordinary malloc block exists transferable full speed fact lock pages place without reallocating
cudahostallocwritecombined cu_memhostalloc_writecombined : host area only cpu fills card reads skip caches slow read back faster uploads over bus
cudapointergetattributes cupointergetattribute : given some address find out lives host board allocated pointer belongs
cudamemgetinfo mem_get_info : ask many bytes free right now board remaining capacity total versus left available room
cudamemset memset : fill buffer zeros byte value clear blank wipe initialise region quickly
cudamemcpytosymbol getsymboladdress : put values global variable declared kernel file write device-side constant host symbol name
cudamemcpy3d extent cudamalloc3d : box shaped volume copy depth slices three dimensional array move sub-cube cuboid stack planes volumetric upload width height
cudamemcpypeer peer : send buffer straight board another copy between two gpus
cudadevicecanaccesspeer enablepeeraccess : ask two boards reach other switch direct reading pointers work pair support matrix
p2pbandwidthlatencytest peer bandwidth : measure speed delay between every pair boards matrix link quality gigabytes
cudadevicegetp2pattribute topologyquery : boards wired links exist native atomics supported ranking connections topology layout machine
cudadeviceprop warpsize multiprocessorcount totalglobalmem : numbers describing hardware size scratchpad clock count cores much ram specification sheet read run time
cudadevicegetattribute : query single capability cheaply instead whole structure card support feature yes
cudasetdeviceflags cudadeviceschedulespin : behaviour host thread while waiting choose first poll versus sleep configuration process
cudastreamcreatewithflags nonblocking cudastreamnonblocking : make lane implicitly wait unnamed independent side queue run regardless legacy null avoid hidden waiting
cudastreamquery cudaeventquery : peek work finished without stopping poll progress done non-waiting
cudastreamaddcallback cudalaunchhostfunc : ordinary function invoked host lane chain cpu task notification
cudaeventcreatewithflags cudaeventdisabletiming : cheap marker only ordering without stopwatch lower cost synchronization point
cudaipcgeteventhandle interprocess : order work between two programs signal marker across processes wait other application finish
culaunchattribute cudalaunchkernelex launch attributes : start kernel extra properties cluster size priority extensible configuration structure
cudaoccupancymaxpotentialblocksize suggested : let runtime recommend thread count fills chip automatic block size chooser
cudaoccupancymaxactiveclusters cluster occupancy : many groups blocks resident same time check cluster fits
cudafuncsetattribute cudafuncattributemaxdynamicsharedmemorysize : kernel refuses start because asks too much scratchpad raise allowance launching per function setting
cudafuncgetattributes cudafuncattributes : many registers stack bytes compiler give kernel inspect resources run time
cudafuncsetcacheconfig cudafunccacheprefershared : prefer bigger first-level cache scratchpad trade split configurable carve same physical silicon preference hint per function
cudadevicesetlimit cudalimitmallocheapsize : raise device heap recursion depth print buffer kernel needs deeper stack setting limit
delete malloc heap : allocate objects inside kernel card itself threads request memory dynamically c++ object creation
large parameter 4kb : pass big structure argument kernel more bytes parameters limit without constant upload
grid_constant kernel parameter : read-only argument struct stays parameter space take address without local duplicate
virtual polymorphism vtable : inheritance objects card method override built host crash called abstract base class pointer table wrong side object-oriented dispatch functions
extended lambda expt-extended-lambda nvstd : nameless inline function passed kernel compile switch capture closures device host
__host__ __device__ annotation : same function compiled both sides shared code cpu gpu decorate host
cudacc __cuda_arch__ macro : code depends generation compile time branch preprocessor host pass versus device different path newer chips
__syncthreads barrier : threads block wait other continuing meet point filling scratchpad
__syncwarp mask syncwarp : small group reconverge memory ordering among thirty two members divergence independent thread scheduling volta
independent scheduling volta convergence : members bundle longer run step implicit lockstep assumption broke old code thread
coalesced_threads tiled_partition thread_block_tile : form smaller teams threads size four eight sixteen sub-groups collective functions tile
labeled_partition binary_partition : split team value predicate those same answer form own
this_grid grid_group cudalaunchcooperativekernel : launch entire grid meet resident simultaneously special start call
cluster rank cluster_dims cluster_sync : blocks grouped guaranteed same neighbourhood dimension attribute meet barrier among adjacent size declared group neighbours query own position inside block
map_shared_rank mapa remote : get address scratchpad belonging neighbour block read write distributed peek adjacent directly exchange partial results without through main memory shared
cluster launch control clc clusterlaunchcontrol : running block cancels takes over started steal work dynamic scheduling hardware queue
preferred cluster fallback cluster : ask large group accept smaller chip cannot fit leftover processors
cuda atomic_ref thread_scope_system thread_scope_block : standard style atomic objects range visibility block device whole system
systemwideatomics atomicadd_system : update counter both cpu several boards share touch same variable concurrently across machine
__threadfence_system visibility : make result seen cpu other boards setting flag while kernel runs memory host
threadfencereduction last block done : final total launch block ends last sums partial results counter ticket
atomiccas spin lock mutex : critical section kernel only thread time protect deadlock busy loop
volatile polling flag producer : thread keeps looking variable compiler cache stale value register waits change
cub blockscan devicescan decoupled lookback : running sums over entire array single pass offsets output
cub devicereduce segmented : library call totals per segment groups rows handwritten tree row separately variable length lists minimum section
cub deviceselect deviceradixsort temp_storage : ask size scratch first call ready-made primitive keep flagged items order keys
__shfl_down_sync __shfl_xor_sync butterfly : fold values across bundle halving distance tree without scratchpad sum maximum
reductionmultiblockcg reduction : sum long array cooperative every block adds combined total
sequential addressing reduction unroll : improve summation step successive optimisations idle half threads conflicts tutorial classic optimise adding numbers halving round first version slow
scan inclusive exclusive uniform : position total everything left work efficient up-sweep down-sweep parallel cumulative sum blelloch offsets allocation phases update
mergesort ranks sampled : combine ordered pieces longer key value stable ordering tournament halves merge sorted runs
histogram256 histogram64 warp : count pixel brightness sub-tallies per group combine avoid contention counters image tally collisions private copy bundle merging end bins
transpose bank conflict padding tile_dim : extra dummy column reads hit same slot skew array width plus flip rows columns scratchpad stalls serialised accesses
tiling blocking matrixmul : cut matrices squares keep square chip many times less traffic classic shared memory
register tiling microkernel tile : every thread computes small patch output reuse values kept registers outer product
fdtd3d finite difference domain stencil : wave propagation volume neighbours three directions halo radius plane sweep physics simulation acoustic grid marching planes reading large time
cudagraphsperfscaling cudagraphinstantiate : cost preparing recorded sequence start up time recording long chains
cudagraphaddkernelnode cudagraphaddmemcpynode : build sequence hand node explicitly describing depends instead recording
cudagraphexecupdate cudagraphexeckernelnodesetparams : swap arguments prepared sequence place cheaper preparing again topology unchanged
cudastreambegincapture cudastreamendcapture : switch recorder off lane everything between noted executed start stop taping launches sequence begin finish recording
cudagraphaddchildgraphnode child graph : nest recorded sequence inside another reuse building block hierarchical compose subroutine sub-sequence embed
cudagraphdebugdotprint dot : draw recorded sequence picture boxes arrows print structure graphviz debugging
graph launch cudagraphinstantiateflagdevicelaunch : kernel itself fires prepared sequence without host involvement tail fire forget
graphmemoryfootprint cudadevicegraphmemtrim : prepared sequence keeps memory reserved give back between runs reuse same physical pages
cudamempoolcreate cudamempool mempool : take buffers own reservoir separate reservoirs per purpose tune much kept
cudamempoolattrreleasethreshold release threshold : much freed memory stays cached back system high water keep avoid repeated driver trips
cudamempoolsetaccess streamorderedallocationp2p : let another board read buffers reservoir access rights peer permission pool readable second device
cudamempoolexporttoshareablehandle streamorderedallocationipc : pass reservoir another program file descriptor share allocations interprocess hand over pool import pointer socket transfer two applications
cumemaddressreserve cumemmap cumemsetaccess : reserve number range first attach physical pieces afterwards several boards striped grow later
cumemexporttoshareablehandle memmapipcdrv : hand over physical allocation different program through operating system handle descriptor
cumemgetallocationgranularity granularity : smallest unit sizes rounded two megabytes multiples mapping physical
cudacompressiblememory compression generic : data stored squeezed hardware saves bandwidth transparent compressible allocation save traffic transparently shrink zeros faster effective throughput l2
cumulticastcreate nvls multicast : same write many boards once switch adds up fabric object
cudamemprefetchasync cudamemadvise : push pages toward board host touched say mostly read preferred home
cudamemattachglobal cudastreamattachmemasync : tie shared pointer lane host touch others meanwhile older boards
concurrentmanagedaccess pageablememoryaccess : host card touch same pointer simultaneously ordinary malloc usable inside kernel system allocated
unifiedmemoryperf : compare cost automatic page movement against explicit copies sharing quickest
hmm heterogeneous management ats : plain malloc pointer works directly card special allocation operating system integration memory
simplezerocopy cudahostallocmapped cudahostgetdevicepointer : kernel works right host ram integrated chip copy device-side alias pointer
cudatextureobject cudacreatetextureobject cudaresourcedesc : describe picture memory hardware lookup handle created run time filter wrap settings
bindlesstexture : many pictures without fixed slots array handles chosen dynamically kernel
surface surf2dwrite cudasurfaceobject : kernel writes image memory later sampled output pixels store render target write back picture two dimensional
cudaarray cudamallocarray channel : opaque picture storage optimised two dimensional neighbourhood reads image layout locality filtering hidden tiling linear pointer upload format
cucontext cuctxcreate cuctxpushcurrent : own environment board per library switch current stack environments threads low level
cudeviceprimaryctxretain : share same environment runtime api mix low level high calls interoperate
cugreenctxcreate cudevsmresourcesplitbycount : dedicate part chip urgent work leave rest others spatial partition processors
cudart_static driver entry point cudagetdriverentrypoint : look up driver function address run time link against library optional symbols
matrixmuldynlinkjit dlopen libcuda : program starts machine without driver load dynamically check presence
cuinit driver initialization : first call fails card found nothing installed graceful detection detect absence hardware laptop program continue without accelerator zero devices api
cudaerrorinsufficientdriver cudadrivergetversion cudaruntimegetversion : compare version installed driver program too old message query both numbers start explain user update needed
cuda compat libcuda compatibility package : extra library lets new toolkit run above old driver data centre forward
cudaerrornokernelimagefordevice image : program contains code card generation error first launch missing architecture works newer kernel
cudaerrorinvalidconfiguration launch failure : too many threads dimension zero kernel never starts wrong block grid numbers
cudaerrorillegaladdress sticky : crash every later call fails too process restarted context corrupted
cudaerrorlaunchtimeout : kernel took too long killed display driver resets windows desktop freeze computation watchdog two seconds limit split
checkcudaerrors helper_cuda getlastcudaerror : wrapper macro prints file line text call returns failure examples
cudageterrorstring cudageterrorname : turn numeric code readable text message name human explanation number mean print failure
cuda-gdb cuda gdb breakpoint : step through kernel thread stop line inspect variables debugger interactive single stepping focus warp watch hang
lineinfo generate-line-info debug -g : connect machine instructions source lines tools without switching optimisation off
trap __trap brkpt : abort kernel deliberately inside stop everything condition broken assertion emergency exit kill grid program point
simpleprintf printf fifo : text output threads buffer size appears only waiting lost lines order
nvrtccompileprogram nvrtcgetptx : hand source text library receive machine code run time options headers logs
nvrtcaddnameexpression lowered : find mangled name template kernel run time instantiate symbol templates look up function created string
ptxjit culinkadddata culinkcomplete : driver turns intermediate text machine code load options log buffer optimisation level
jitlto nvjitlink lto ir : join pieces separately run time optimise over cross file inlining fly
libnvvm nvvm ir : write own compiler language emits code card llvm bitcode designers front end generate intermediate representation without c++ source
fatbinary cuobjdump elf architectures : check generations library holds list embedded code card supported binary missing image inspect shipped executable tool
nvdisasm sass control flow : read final instructions kernel stalls hand inspection register usage disassembler assembly hand-check compiler produced spills instruction listing
culibraryloaddata culibrarygetkernel : load kernel collection independent environment lazily per board context module handle loaded once devices newer api
cumoduleloaddata cumodulegetfunction : get kernel name binary file run time handle function
cudaprofilerstart cudaprofilerstop : only collect during interesting part run switch measuring off program
hyperq simplehyperq connections cuda_device_max_connections : more hardware queues small kernels false dependencies between lanes run simultaneously sixteen tasks together ordering channels increase
simplemulticopy engine : upload compute download once two dma units both directions pipelined chunks
asyncapi overlap : processor own work while card busy returns immediately once useful host meantime non-blocking calls polling event cpu gpu
cuda mps active percentage pipe : limit share chip per client server daemon control several ranks board thread directory
exclusive process prohibited : only program board lock out others administrator setting exclusive single user refuse second process default shared nvidia-smi compute mode
cudaopenmp threads multi : cpu thread drives board parallel loop pragma host binds different drive many cards process gpu
simplempi mpi cuda aware : programs different machines exchange messages own board cluster program combine message passing library accelerators ranks scatter data
nvlink nvswitch fabric : fast private wires connecting boards speed bridge switch connected bandwidth between interconnect faster pcie
pcie bus cudadevicegetpcibusid : physical slot number match board system listing order numbering identify monitoring tool address string domain
cuda_device_order pci_bus_id : board numbers differ monitoring tool enumeration order consistent numbering differs between tools index zero another card ordering
tegra jetson integrated dla : small embedded computer shares ram between processor card robots edge device robot camera board unified physical memory low power
nvscibuf nvscisync : hand buffers signals between engines camera encoder without copy car platform
d3d11 d3d12 direct3d interop : windows graphics share buffer texture kernels render result microsoft game textures fences frame
cudaimportexternalmemory cudaimportexternalsemaphore : memory signals came graphics interface import handle timeline vulkan direct3d allocation visible kernels wait signal fence
cudagraphicsglregisterbuffer cudagraphicsmapresources pbo : let kernel write vertex pixel buffer owned drawing api map unmap frame
nv12 yuv bgr colour conversion : video frames decoder red green blue resize camera movie surface planes luminance chroma batch preprocessing
imagedenoising nlm knn : clean grainy noisy photo remove speckle photograph grain smoothing averaging similar patches preserve edges
particles collision uniform grid : balls bounce against other neighbours found cells sort billiard spheres physics grid hashing search simulation
randomfog mersenne twister mersennetwistergp11213 : quality pseudo random numbers visualise classic generator states statistical randomness parameters many streams period visual test
# Looking at programs
cupti activity api callback profiler : collect gather kernel times counters programmatically library behind tools tracing interface trace api runtime hooks instrumentation timestamps build own profiler see every launch write measuring tool
cupti range profiler metrics counters : hardware events measure cache hits throughput per kernel numbers collect performance replay passes user-defined regions programmatically
cupti subscriber conflict multiple : two profilers tools once cannot both attach only tool allowed
nsight compute ncu roofline : analyse kernel detail slow memory bound compute limit examine inspect single bottleneck microscope waiting stalls limited arithmetic traffic
nsight systems nsys timeline : see whole program cpu gpu busy idle gaps picture chart overview big run bird's eye view running holes
nvtx range push pop annotate : name label mark regions code show timeline custom markers sections visible phases appear viewer give names own program sticky labels coloured bars picture run
profiling permission err_nvgpuctrperm counters admin cap_sys_admin : allowed read hardware counters root container privileges denied access insufficient rights permission problem performance inside docker
torch profiler kineto trace schedule : operators functions take spend most time slow training step slowest longest kernels find expensive device program measure breakdown costliest hot spots per layer culprit burns minutes spot
chrome trace export perfetto tensorboard : view open timeline browser json file interactive visual look run web recorded
record_function profiler label : give own name part model shows up results section heading measured table region context
memory snapshot record_memory_history visualizer : asked allocated piece gpu memory picture plot log stack occupying consuming vram over time leak hunt line code eats fills grows uses movie allocations requested trap moment runs out owner
memory summary stats max_memory_allocated peak : much gpu memory most highest report numbers vram high water mark
flop counter flops utilization mfu : many arithmetic operations percent peak speed achieved teraflops efficiency close theoretical machine maximum count multiply-adds model
bottleneck utilization idle starvation : gpu waits busy low usage sits half time nothing
benchmark timer warmup synchronize : measure speed properly repeat average first runs slower fair timing microseconds statistics noise median compare two versions forget wait gives nonsense
ncu section launch-skip : profile only kernel skip first launches choose measurements replay restrict profiling warm collect sections metrics full kernel-name
nsys profile trace cuda nvtx osrt capture-range : command collecting timeline limited part run record only region interest line capture start stop
nsys stats report : table summing time per kernel recording sum textual csv recorded timeline most expensive
torch.cuda.nvtx emit_nvtx : framework operators appear named vendor timeline operator names annotate autograd automatically link forward backward
perf worker linux perf flamegraph : processor side hot functions stack sampling cpu call stacks host time visual
py-spy faulthandler dump : python hang look outside print stack live process frozen script stuck attach without restarting
bandwidth bound dram throughput percent peak : limited reading writing arithmetic achieved versus data movement close theoretical gigabytes per second memory
achieved occupancy theoretical : resident fraction measured lower computed residency imbalance between warps explanation
launch latency overhead microseconds : tiny kernels dominated starting cost host limited launching costs more executing cpu bound small batches kernel
idle gaps bound : card waits python between launches timeline holes host too slow feed overhead accelerator starving gpu
lock clocks nvidia-smi lgc boost : constant frequency repeatable measurement thermal stable measurements fix throttling variation between runs
energy power consumption nvml : joules watts run electricity usage per training efficiency measure
# More of the device
hostregister mlock existing pointer : pin lock memory allocated malloc afterwards third party buffer file mapping make transferable
gpudirect rdma peermem nic : network card reads writes gpu memory directly without host copy infiniband adapter bypass cpu cluster latency kernel module straight packets land board visiting
gpudirect storage cufile gds : read file disk straight gpu memory bypass cpu nvme dataset loading skip bounce buffer system ram
nvshmem symmetric memory put get : kernels themselves send write other cards memory sided remote writes inside partitioned global address space signal
numa affinity cpu binding : processor cores close card socket bind pin processes memory local slow because wrong side machine tie process beside board
nvml nvidia-smi power clock temperature persistence : watts heat frequency watch limit card state monitoring throttling too hot consumption query tool throttle fan
ecc uncorrectable xid error : card memory faults hardware broken kernel log dmesg row remapping bit flips board defective replace retired pages
wddm tdr watchdog kernel timeout : screen freezes long kernel killed windows display driver reset desktop two seconds
driver api cumodule culaunchkernel context : load kernel file name run time low level handle get function explicit environment beneath runtime
primary context cuctx device reset : state card per process create destroy clean environment allocated first call tear down release resources restart
clock64 globaltimer nanosleep : read time cycles inside kernel sleep back off measure part stopwatch device-side nanoseconds spin politely
popc clz ffs brev bit intrinsics : count ones leading zeros bits position many set word first reverse order population
dp4a dp2a integer dot : four small integers multiply add instruction eight bit inner product accumulate quantised older cards
match_any_sync reduce_sync : threads equal value find other group same key within bundle hardware sum
restrict ldg read only cache : promise compiler pointers alias overlap qualifier lets optimiser reorder loads independent arrays
pragma unroll ilp instruction level parallelism : repeat loop body several independent operations flight more progress per thread hide latency without occupancy
template specialisation kernel type dispatch switch : same kernel several types chosen run time instantiate compile float half avoid branches
function pointer device callback : pass function kernel choose operation user chosen inside indirect table functions
half precision atomics red vector atomics : add short floats several threads accumulate sixteen bit gradients concurrently packed pair
fp64 double precision emulation : exact wide arithmetic slow consumer cards scientific accuracy sixteen digits throughput ratio geforce
integer overflow index 64 bit indexing : array too long more two billion elements int32 wraps huge tensor illegal address large offsets
mandelbrot fractal : zoom picture complex iterate set colour plane escape
marching cubes isosurface volume rendering : surface three dimensional scan show ray medical density triangles mesh raycasting scalar field
fluid smoke ocean simulation fft : water waves liquids real time height field particles shadows visual effect navier stokes
sobel bilateral recursive gaussian filter : edges smooth keep image detect outlines denoise preserving borders blur photo
dct jpeg walsh transform : compress image blocks frequency quantise eight squares cosine hadamard
optical flow stereo disparity : motion between pictures depth two cameras movement vectors video left right view
sobol quasirandom sequence : evenly spread numbers better random low discrepancy integration converge faster dimensions
eigenvalues tridiagonal bisection : spectrum matrix characteristic roots symmetric interval search
nvscisync egl stream interop : share between engines embedded car board camera producer consumer frames automotive zero copy
stream capture mode relaxed thread local : forbidden unsafe call while recording other thread capture invalidated error allocation permitted during library interferes
graph memory nodes alloc free : allocate inside recorded work temporary buffer lifetime within sequence reused replay
thread block size multiple of warp size : 128 256 threads choose partial bundle waste lanes rule thumb count per block
latency hiding arithmetic intensity roofline : enough work cover waiting memory bound operations per byte ceiling plot compute bandwidth limited
wave quantization tail effect : last blocks leave most chip idle slightly more tiles processors extra round efficiency drop staircase
)";

}  // namespace sibyl::index
