// SPDX-License-Identifier: Apache-2.0
// Of the tables of glossary_words.h, which says what a line is: training, and the frameworks it is
// done with.
#pragma once

#include <string_view>

namespace sibyl::index {

inline constexpr std::string_view kFrameworkGlossary = R"(
# Training
autograd backward graph gradient : derivatives computed automatically chain rule reverse compute slopes differentiation worked out
custom autograd function save_for_backward : write own derivative forward reverse hand define gradient formula
gradient checkpointing recompute activation : save memory throwing away intermediate results computing forward second time again trade compute drop activations rebuild model too big card forget work out back slower fits
activation offload saved tensors hooks cpu : park move intermediate results host main ram until reverse pass needs spill tensors system bring back lend space during forward
gradient accumulation no_sync microbatch : add up several small batches updating weights pretend larger batch effective size bigger virtual micro fit bites swallowing update once many portions
gradient clipping clip_grad_norm : limit cap exploding too large steps length magnitudes threshold sudden spikes global norm rescale stabilise recurrent
optimizer fused foreach multi tensor apply : update parameters weights single launch instead per array many small kernels few fewer call kernel list batch horizontally combined loop over weight takes too long hundreds tiny updates bundled step dominated launching
fusedadam fusedlamb apex optimizer : quicker step tensors once list chunks drop-in replacement optimiser single launch updates every weight faster moments
lamb lars large batch : train huge batches layerwise rate trust ratio sixty-four thousand examples per step per-layer scaling pretraining stays stable optimiser enormous batch without losing accuracy
learning rate scheduler warmup cosine : lower raise step size over time gradually plan decay ramp big first smaller later anneal schedule epochs gentle start glide down slowly fade learning
weight decay adamw regularization : pull weights towards zero shrink overfitting penalise big parameters keep modest generalise decoupled bias excluded
exponential moving average ema weights : smooth averaged copy model over time shadow slowly following version evaluation averaging past parameters
early stopping validation patience : quit longer improving halt training automatically metric stagnates best model several epochs without progress
dropout regularization : randomly switch off units neurons ignore drop activations overfitting noise random zeroing during training only evaluation mask
layer norm rms norm batch norm normalization : subtract mean average row divide spread deviation scale standardise centre features zero unit keep numbers sensible range between layers stable
sync batchnorm distributed statistics : mean variance over cards workers together statistics consistent across devices average only own little batch tiny per card
welford online variance : mean spread pass numerically stable merge partial running statistics streaming combine groups cancellation
fused softmax scale mask : exponentials normalised probabilities kernel attention scores upper triangular exponent rows warp half precision probability combine divide exponentiate
fused dense bias gelu epilogue : add bias apply activation same kernel matrix multiplication without extra trip memory end tail following product gemm matmul vector added clipped below zero negative cut
xentropy cross entropy label smoothing fused loss : classification loss kernel less memory classes logits targets fully soft labels avoid storing probabilities
focal loss transducer loss : loss rare classes speech alignment hard examples weigh more imbalance detection rnnt joint audio text
embedding table lookup sparse : map words categories ids vectors rows big dictionary categorical features row every word item
hybrid parallel embedding dlrm model parallel tables : lookup tables too large card spread over several recommendation huge categorical distribute
attention scaled dot product sdpa : word token looks every other compares queries keys values relate positions weigh relevance
flash attention memory efficient tiling softmax : attention without storing whole square score matrix long sequences blocks avoid materialising quadratic fused exact texts run out memory huge table never written down
attention mask causal padding bias : ignore hide future tokens shorter sentences prevent looking ahead triangular positions see blank filler
sliding window attention : look only recent nearby tokens limited distance neighbourhood local context last few thousand cheaper long documents
grouped query multi query attention : several query heads share key value head fewer shrink cached memory llama
kv cache paged attention inference decode : keep past earlier keys values while generating token reuse memory pages avoid recomputing tokens autoregressive new word slower reread whole conversation
rotary positional embedding rope : encode position order rotate token stands angle sine cosine pairs relative distance llm model knows sentence
variable length packed sequences cu_seqlens thd : batch sentences different lengths without wasted padding ragged concatenate texts back cumulative offsets filler tokens
speculative decoding beam search sampling : generate text several candidates guess ahead best first temperature top-k keep sentences draft model next token choice
mixture of experts moe router grouped gemm : send route token few specialists gating sparse activated subnetworks receptionist sends every word
lora adapter fine tuning : train small extra low rank matrices keep big model frozen cheap fine tune few parameters teach network cheaply additional weights
distillation teacher student : small network imitates learns large compress knowledge big model copies little pupil master
transfer pretrained backbone fine tune : start trained weights adapt own task reuse else's network downstream checkpoint continue small dataset
pruning mask sparsity : remove cut unimportant connections weights smaller zero out small magnitude lighter network lottery structured unstructured
label augmentation mixup cutout : vary change pictures artificially more data random crop flip rotate blend two images colours jitter robust
object detection bounding boxes ssd mask rcnn anchors nms : find pictures rectangles overlapping suppress locate cars people coco mean average precision proposals draw around
segmentation unet medical volume : label every pixel organs scans tumours brain mri ct outline per-pixel classes three dimensional encoder decoder
text to speech tacotron waveglow vocoder mel : voice speaking sound written text read aloud spectrogram synthesise natural sounding computer reads
speech recognition asr jasper quartznet : written text audio spoken transcribe microphone recordings word error librispeech dictation said
machine translation transformer bleu gnmt : sentences language another german english wmt quality score
language model bert pretraining mlm squad : guess hidden masked words read text answer questions wikipedia fill blank reading comprehension transformer encoder phases sequence lengths
recommendation ncf wide deep click : suggest items users ratings customer buy movies advertising probability criteo collaborative next
time series forecasting tft : predict future values past electricity traffic sensor history quantiles
graph neural network gnn dgl molecules : nodes edges chemistry neighbours message atoms bonds drug se3 rotation equivariant
tokenizer vocabulary bpe wordpiece : cut text pieces subwords ids sentence split numbers dictionary byte pair merges unknown word
dali pipeline gpu decode augmentation : read decode resize pictures card loader faster cpu image decoding preprocessing bottleneck accelerate input unpack jpegs graphics hardware processor cannot keep up
cosine annealing onecyclelr reducelronplateau lr_scheduler : learning step size follows curve falls rises lower metric stops improving shape over epochs
warmup poly lr schedule : begin gently small steps early training explode ramp decline zero linear
gradient_accumulation_steps accumulate : emulate bigger batch little memory several forward backward passes update many
clip_grad_norm_ clip_grad_value_ contrib clip_grad : derivatives blow up scale down common length limit one-off huge step
foreach capturable fused optimizer : three stepping loop list single kernel choose quickest usable inside recorded sequence implementation
zero_grad set_to_none : clear derivatives between iterations forgot reset pile up save memory dropping instead filling slopes last round
optimizer param_groups add_param_group : different step size layers bias decay split weights groups
optimizer state_dict hooks : save moments together weights resume optimiser exactly continue momentum checkpoint restore buffers mismatch groups load
swa swa_utils averagedmodel : average weights along end training flatter better generalisation final mean many epochs tail averaging batch statistics recomputed
lbfgs closure : optimiser calls loss several times curvature needs function reevaluation second order line search evaluates model repeatedly
weight tied embedding : input output tables same parameter share matrix between first last layer twice shared
nn.init trunc_normal xavier_uniform kaiming_normal : layers get first random values signals neither vanish nor explode skip_init
lazylinear uninitializedparameter lazy : layer finds input size first call need compute shapes hand modules
moduledict modulelist parameterlist : list layers registered properly optimiser sees python hides parameters missing device move weights trained forgot register
register_full_backward_hook register_forward_pre_hook : inspect alter enters leaves layer derivative capture activations modify inputs gradient per debugging visualise remove handle
register_post_accumulate_grad_hook : act soon derivative weight final update immediately free memory step backward
saved_tensors_hooks pack unpack save_on_cpu : intercept remembered reverse pass compress store elsewhere disk host
checkpoint use_reentrant preserve_rng_state : recompute variant differences randomness match second time dropout mismatch variants nested warning recommended false
checkpoint_sequential selective activation checkpoint : only cheap parts recomputed policy results kept chunks chain
torch.autograd.grad outputs allow_unused : derivative respect chosen quantity without touching stored ones none returned inputs
anomaly set_detect_anomaly : forward line produced broken reverse step traceback slow debugging backward nan operation debug find culprit mode
set_grad_enabled enable_grad no_grad locally : temporarily switch derivative tracking off evaluate without toggle inside function decorator context
autograd engine queue graph_task : threads executing reverse pass order nodes internals workers per card executor scheduling device priority ready
accumulategrad grad_fn next_functions : walk backwards recorded history nodes tensor traverse operation produced value node graph leaf sums
view inplace copy_on_write cow : changing slice changes original aliasing bookkeeping delayed duplicate lazily duplicated written views share until modified
version_counter _version saved modified inplace : error because remembered value overwritten runtime needed gradient computation modified in-place expected version
gradgradcheck gradcheck : verify own derivative formula including second order numerically perturb finite differences validate double precision
jacrev jacfwd hessian functional_call : full matrix partial derivatives stateless call given weights second forward over reverse
functional_call stack_module_state ensembling : run several copies model once stacked weights models same architecture evaluated together batched stateless
sample gradients opacus vmap grad : separate derivative example privacy influence own gradient clipping noise per
# Feeding data
dataloader num_workers prefetch_factor worker processes : read load batches ahead time background helper processes training never waits disk prepare feed supply examples images parallel input pipeline bottleneck feeding subprocesses prefetch card sits idle because isn't ready starved kitchen helpers next plates graphics hungry too slow
pin_memory non_blocking dataloader : hand batches card faster while computing page locked staging thread asynchronous upload overlap cuda travel previous computed
collate_fn batch padding : put samples different sizes together combine list examples stack custom ragged dictionary merge function
sampler distributed shard dataset epoch set_epoch : worker sees own different part data shuffle anew same order every epoch forgot duplicates between ranks divide samples get examples
iterable dataset streaming webdataset : data too large index read another archive endless sequential shards tar random access network storage
shared memory dev shm bus error docker shm-size : loader workers crash container too little shared space insufficient enlarge increase ipc killed batches passing
worker seed init random augmentations identical : every helper process produces same random numbers numpy duplicate crops subprocess worker_init_fn per epoch children distinct loader begin
tfrecord lmdb hdf5 format preprocessing : pack many small files few big ones container archive sequential reading images slow file system
epoch shuffle : pass over whole data set every sample seen once reorder examples randomly between passes complete sweep
persistent_workers worker restart epoch : keep helper processes alive between passes avoid start-up pause beginning every epoch hiccup whenever new pass begins
worker_init_fn get_worker_info : helper configures itself knows number splits iterable stream duplicates
batchsampler subsetrandomsampler weightedrandomsampler : order examples drawn oversample rare classes draw without replacement
randomsampler sequentialsampler shuffle : mix up order reproducibly every pass epoch random reproducible seed draw replacement generator
tensordataset concatdataset random_split subset : glue data sets cut off validation part wrap arrays split train two indices
default_collate default_convert : samples become batch nested dictionaries numbers dict list tuple stacked tensors conversion rules custom types
dataloader timeout worker exited unexpectedly killed : helper process died out memory signal segmentation hang killed waiting batch exited unexpectedly
too many open sharing strategy file_system set_sharing_strategy : descriptors exhausted passing tensors between processes ulimit descriptor limit exceeded ancillary data shared memory errors helper raise operating system handles
dataloader copy-on-access refcount growth : memory grows number helpers python lists duplicated creeps up every epoch many objects copied reference counts ram fills slowly
dali dataloader backend data-backend syntetic : choose between framework loader accelerated artificial data speed test command switch
# Many workers
distributed data parallel ddp bucket allreduce overlap : hide network traffic exchange gradients between workers behind computing backward average synchronise replicas communicate while differentiating train several cards once same model communication maths every card different examples share slopes calculating packages
find_unused_parameters reducer static graph : some layers parameters gradient iteration error waits untouched missing unused distributed branches skipped weights idle training complains part model take network sat out round
fsdp zero redundancy optimizer sharded shard : divide split optimizer moments states parameters over workers holds only slice full replica partition memory per device model fit card everything keeps borrows rest
tensor parallel column row sequence parallel : cut layer matrix over several cards computes part shard single matrices model too big card pieces saw weight strips different
pipeline parallel schedule 1f1b microbatches bubble : different layers cards pass batches along assembly line consecutive stages devices model fit put parts several first last conveyor
context parallel ring attention long sequence : split long text over cards hundred thousand tokens pass keys around circle neighbours holds piece load balance zigzag book-length input every card reads some pages passes notes
userbuffers communication gemm overlap : exchange pieces while multiplying hide communication tensor parallel chunked send computing bootstrap registered ub talk layers split over cards
allreduce allgather reduce scatter broadcast collective nccl : sum share distribute data among cards processes combine results every participant group communication
process group backend init rendezvous tcpstore : workers find meet other start address port rank setup handshake connect peers machines cannot reach beginning first machine
torchrun elastic launch restart : start process per card several machines recover failure node lost survive machine failures spawn jobs training many starter command processes comes back dies
nccl timeout watchdog heartbeat hang : job stuck frozen waits forever worker never arrives abort communication completes blocked peers kill runaway stops responding unresponsive give up minutes silent half hour everything killed progress waiting missing colleague
flight recorder desync debug dump : find process fell behind different call same collective mismatch hang stuck crash timeout write trace calls diagnose participant diverged stalled post mortem machine guilty black box out take part last freeze
monitored barrier rank straggler : late slow missing worker blame process show up report names timeout gloo
nccl debug environment interface ib socket : network card slow connection log verbose messages infiniband ethernet choose adapter falls back communication make talk
gloo mpi ucc backend cpu : communicate without gpu processors only laptop cards library choice collectives
rpc remote parameter server : call function other machine invoke method elsewhere reference object different host futures
device mesh dtensor placement : arrange cards grid lay out sharded tensors two dimensional arrangement replicate shard axes names global view split array chessboard rows purpose columns other
distributed checkpoint save load resharding : write model state parallel workers read different number huge job open again fewer machines other layout pieces combine later changed cluster size
state_dict checkpoint resume save : write model disk continue training interruption crash snapshot persist progress pick up left power cut without starting over scratch lose work interrupted put everything carry tomorrow same place
async checkpoint staging : save without stopping training background copy host first write thread pause while saving stall learning file written
local rank world size environment slurm : number many machines cluster job scheduler process index per node total variables
ddp bucket_cap_mb gradient_as_bucket_view : large packages derivatives sent together tune message size avoid second copy
ddp no_sync context accumulation : skip exchanging between several small steps only communicate last postpone communication micro-batches gradient accumulation synchronise end
ddp join uneven algorithms.join joinable : workers different amounts data finishes early others hang fewer samples batches rest stuck waiting runs out sooner leftover last epoch inputs
register_comm_hook ddp_comm_hooks powersgd fp16_compress_hook : compress derivatives sending reduce traffic low rank custom exchange bandwidth saving all-reduce half precision gradients low-rank callbacks slow network shrink sent
ddp broadcast_buffers sync : statistics non-trained values copied first worker step running mean stored kept equal rank zero forward
ddp delay_all_reduce sgd post_localsgd averaging : exchange rarely average weights every few steps infrequent synchronisation models periodically slower network local model
reducer autograd hook prepare_for_backward : internals ready derivatives trigger sending fires gradients package unused parameters marking
fully_shard fsdp2 mixedprecisionpolicy : newer per parameter splitting api keeps layer only while needed per-parameter division rewrite replaces flat version gathers required
shardingstrategy full_shard shard_grad_op hybrid_shard : much divided only derivatives weights within machine across choose trade between memory savings traffic levels zero two three
auto_wrap_policy transformer_auto_wrap_policy size_based : blocks become units splitting gather nesting submodules wrap transformer block
fsdp backward_prefetch forward_prefetch limit_all_gathers : fetch next layer's pieces early overlap memory rate limiter gather shard needed compute peak
fsdp cpuoffload offload_params : park pieces host ram parameters live system copy tiny card
fsdp state_dict_type full_state_dict sharded_state_dict : save whole pieces gather first worker out memory collecting checkpoint rank overflows ram local
summon_full_params unshard reshard : temporarily assemble complete weights looking reassemble full parameters inspect modify evaluate rank
zeroredundancyoptimizer consolidate_state_dict : optimiser memory divided among replicas moments split across gather onto saving
parallelize_module colwiseparallel rowwiseparallel : plan says layers cut columns rows dictionary layer name split style megatron
sequenceparallel preparemoduleinput loss_parallel : normalisation split along words, vocabulary loss norm dropout tokens vocabulary-parallel cross entropy
distribute_tensor shard replicate partial redistribute : change array split over cards convert between layouts another arrangement insert communication partial sums
local_tensor full_tensor from_local to_local : get own piece everything split array obtain rank materialise wrap existing local
init_device_mesh submesh mesh_dim_names : name axes data model two groups once grid ranks named hybrid
pipelining schedule1f1b scheduleinterleaved1f1b pipelinestage : stages micro batches ordering warm up idle bubble split points assembly line overlapping microbatches interleave virtual
splitpoint pipe_split pipeline frontend : cut model stages automatically markers network layer boundaries
batch_isend_irecv p2pop send recv : point messages between neighbouring workers grouped avoid deadlock neighbours send receive point-to-point bundle deadlocks
all_to_all_single all_to_all : sends different piece shuffle tokens experts personalised exchange pair chunk redistribution part tensor every worker other
reduce_scatter_tensor all_gather_into_tensor coalescing : sum keep only own slice collect slices flat part concatenate parts buffers zero style
async_op wait : start exchange continue computing later wait non-blocking communication early finish overlap object begin exchanging carry calculating collect afterwards work handle
broadcast_object_list all_gather_object : exchange python objects pickled between workers pickle dictionaries arbitrary share configuration metrics ranks
new_group new_subgroups split_group : smaller teams workers own communicator call subset ranks separate hierarchical every rank participate
barrier device_ids dist.barrier : waits continuing only first downloads dataset others hold until finished synchronise ranks
init_process_group init_method master_addr master_port : address variables first worker listens connect start workers startup port environment hang beginning dial contact env
tcpstore filestore hashstore prefixstore : small key value service through workers find other coordinator server shared file ranks discover
processgroupnccl nccl communicator abort shrink : internals error handling library destroy communicators safely communicator creation destruction abort lazily threads
torch_nccl_async_error_handling nccl_blocking_wait timeout : exchange never completes raise kill stuck communication exception tear down process seconds environment
torch_nccl_trace_buffer_size flightrecorder : keep ring last exchanges memory write out job freezes
torch_distributed_debug detail wrapper consistency : check workers call same shapes detect mismatched different order collectives between ranks extra checks slow
desync sequence collective mismatch : worker another exchange rest order differs ranks disagree operation next mismatch program stuck number
nccl_socket_ifname nccl_ib_disable nccl_p2p_disable : network names switch off features troubleshooting cluster hang start choose adapter disable infiniband peer environment
nccl_algo nccl_proto ring tree : sums travel circle tree tuning messages topology algorithm protocol low latency simple tune message sizes
ncclcommregister ncclmemalloc registration : memory prepared staging copies register buffers once zero-copy nvlink sharp network allocated communicator library
ncclgroupstart ncclgroupend : bundle several exchanges single thread drive many boards fuse operations devices avoid deadlock aggregate
symmetric_memory one_shot_all_reduce two_shot multimem : exchange written ordinary kernels writing neighbours lower latency small messages tiny sums between cards without library overhead decode
torchrun nnodes nproc_per_node rdzv_endpoint : command start processes machine number per meeting point line multi training node endpoint
elastic rendezvous c10d etcd rdzv_backend dynamic : machines join leave membership changes agree participates minimum maximum nodes during training min max re-form world
elastic agent localelasticagent max_restarts : supervisor restarts group worker dies monitor local workers restart whole failure attempts failed revived together friends
torchelastic record errorhandler childfailederror : find first failing worker traceback among many root cause ranks exception saved json decorator
torch.distributed.launch use_env migrate : old starting script replacement deprecated starter switch argument local-rank environment
local_rank rank world_size group_rank : numbers identifying process within machine overall identity globally total number
redirects tee log_dir : output worker separate file mixed up printing stdout stderr per files console filter
numa binding affinity gpu_affinity : bind process cores nearest board utility socket aware pin processes memory locality faster
rpc_sync rpc_async remote rref : run function get future remote reference garbage asynchronous procedure owner another computer
dcp distributed.checkpoint save_state_dict planner filesystemwriter : every worker writes own files metadata parallel storage file writing rank shard planner
dcp reshard state_dict_saver stateful : load checkpoint other number workers continue different cards repartition state reading
get_model_state_dict set_model_state_dict statedictoptions : uniform names independent wrapping checkpoint keys regardless wrappers optimiser name full split options
dcp_to_torch_save torch_save_to_dcp format_utils : convert between split directory single file offline conversion shards ordinary script parts every worker glued
launch slurm srun ntasks-per-node : job script starts task per card many computers queue scheduler start process accelerator several allocation cluster board
sbatch run.sub pyxis container-image : batch submission container cluster multi machine pretraining submit script node training queue
# PyTorch inside
caching allocator memory pool block split : keep freed gpu memory later instead returning driver reuse hold released blocks avoid costly calls stay occupied deleting tensors nvidia-smi shows framework hoards graphics ram return
fragmentation expandable_segments max_split_size_mb : memory pieces scattered holes plenty free cannot allocate large gaps slivers wasted between blocks enlarge extend grow segments unusable space out enough swiss cheese crumbs place big tensor
out of memory oom cuda : run out enough space allocation failed exceeded capacity card full
empty_cache garbage_collection_threshold : give back unused cached memory other programs release hand nvidia-smi high second process needs room trim
private pool graph memory : recorded work owns addresses stay same between replays separate reservoir frozen sequences keep alive shared captures remembers
make_graphed_callables warmup side stream static inputs : prepare model part recording fixed input places copy new data
pluggable allocator custom : replace supply own malloc free functions memory library rmm change obtained load shared object
record_stream tensor lifetime : tensor other queue freed reused too early memory handed out again while side reads corrupted
torch compile inductor triton codegen : speed up model line generate fused kernels automatically optimise time faster python make run without rewriting hand whole optimiser writes
dynamo graph break guard recompile : python code cannot captured falls back compiled again too often unsupported construct interrupts compiler gives up part model capture interrupted print statement builds
dynamic shapes symbolic mark_dynamic : input sizes lengths vary change without compiling again varying dimensions avoid respecialising length sentence differs time rebuild
compile cache fx graph cache inductor_cache_dir : second start quicker store reuse compiled kernels between runs warm persist artifacts yesterday afresh minutes first step translate keep results disk skip warm-up every launch
max-autotune autotuning gemm template : try variants measure pick fastest configuration heuristic best automatically itself select choose quickest benchmark candidates
aot autograd functionalization decomposition : trace forward backward ahead rewrite simple operations without mutation
aotinductor export package standalone : compile model ahead library run without python c++ deploy shared object script language finished
torch export exportedprogram : turn whole model fixed graph deployment ship without python code freeze piece checked ahead sealed
torchscript jit trace script freeze : save model run c++ without python interpreter load program
onnx exporter opset : convert trained network file other frameworks runtimes read interchange portable exchange format model elsewhere hand over different runtime neutral engines
tensorrt engine inference deployment : optimise trained model serving low latency compile network optimised plan onnx parser int8 faster predictions production squeeze out finished
triton inference server model repository : serve answer requests over network http many models config.pbtxt dynamic batching perf client deploy grpc endpoint put trained behind web address
fx graph transform symbolic trace : rewrite change model list operations pass replace layers programmatically nodes interpreter insert remove pattern matching
custom operator torch library register impl meta fake : add own new operation function kernels known compiler plug register user defined op teach framework survive compilation tell output size slope
dispatcher dispatch key backend select : call find right kernel cpu cuda sparse route implementation device signpost decides code serves
cpp extension cudaextension setup buildextension : compile own c++ cuda code python module install native functions call write kernels package build script gpu function kernel pip
load_inline jit extension ninja cache folder : compile extension first import demand while program runs build without install write kernel string notebook call
pybind11 binding module : call c++ python expose native functions classes scripts glue m.def
stable abi libtorch cxx11 abi : binary compatibility symbols undefined mismatch library versions extension built once works many releases old gcc string symbol missing import crashes upgrading
tensoriterator elementwise kernel gpu_kernel : pointwise operation over arrays broadcasting strides written loop elements layout output allocation type casting vectorised add new unary
native_functions yaml codegen structured kernel : operations declared generated code signature file declares operator dispatch table variants add function framework
strided tensor view contiguous memory_format channels_last : same data different shape without copying order dimensions transposed reshape shares storage offset steps per dimension permute nhwc
hooks register_hook backward forward : run watch intercept function gradient layer output ready observe intermediate outputs callback peek produced eavesdrop between layers tap values flows through without editing model's source
vmap functorch per sample gradients jacobian hessian : apply function over batch vectorise derivative example individual gradients dimension same every element without loop write single get free
forward mode jvp dual numbers : derivative along value forward pass directional few inputs many outputs tangent alongside
inference_mode no_grad : turn off derivative bookkeeping save memory speed only predicting skip tracking evaluation model training learning
meta device deferred fake tensor init : build huge model without allocating memory shapes only instantiate placeholder weights data load later structure storage
nested jagged tensor : batch rows different lengths ragged sentences padding offsets varying sized items together
sparse tensor coo csr semi structured : store only nonzero mostly zeros compressed indices coordinates matrix saves memory
complex fft linalg : imaginary decompositions solve real eigen inverse norm spectral functions
multiprocessing spawn fork shared tensors file descriptor : several processes pass tensors start method children cannot reinitialise cuda without copying queue hogwild
tensorboard summary writer logging : plot curves watch training progress graphs loss scalar histogram images events dashboard web page
rng state generator fork philox : save restore random numbers seed position reproducible per device checkpoint exactly continue sequence
cudnn benchmark deterministic flags : switch try fastest repeatable convolution picks algorithm first time varying input sizes slow toggle
cpu threads openmp mkl set_num_threads interop : many processor cores limit parallel too threads oversubscribed pool intra-op between operations env variable
torch build setup py develop use_cuda environment options : compile framework source switches turn features off own build repository toggles disable whole myself leave parts out pieces need compiling
max_jobs ninja parallel build memory : limit cap number compile jobs once machine runs out ram freezes many several fewer less processes simultaneously memory exhausted concurrency throttle build eats computer swaps death compiling too time
torch_cuda_arch_list : only build own card generations shorter compile smaller library limit targets time restrict generation hours minutes
sccache ccache compiler launcher wrapper : avoid compiling again files changed remember results rebuild fast reuse prior object skip recompilation speed repeated builds second build takes long first unchanged file taken drawer instead compiled
wheel manylinux auditwheel rpath packaging : make installable package libraries inside pip file bundle shared objects old linux distributions repair tag install
nightly release versions index url cuda variant : download matches toolkit pip build newest preview install command wheel matrix
rocm hip hipify : amd cards translate convert cuda source radeon instinct non-nvidia port script rewrite names make run
submodule third_party sync recursive : missing bundled dependency checkout fetch git clone nested repositories empty folder update init
dispatchkey dispatchkeyset autogradcuda fallthrough : layers handling real kernel runs order wrappers skip ordering handlers autograd autocast backend masks exclude include priority
torch_library torch_library_impl m.impl schema : declare operator attach implementations macro c++ register native implementation schema string per backend extension
custom_op register_fake register_autograd : python decorator opaque function known shape rule derivative make kernel work compile gradient rules torch.library
opcheck library custom op : verify registered operator correct schema fake gradient validate correctness registration automatically tests
torch_dispatch __torch_dispatch__ __torch_function__ : intercept every operation python subclass mode log operations override behaviour logging below autograd
torchdispatchmode torchfunctionmode : context observes changes operations within scoped interception observe every call counting
subclass wrapper _make_wrapper_subclass : own array type extra behaviour carries other arrays user defined holding quantised distributed
boxed fallback ivalue : generic handler operators arguments list catch-all works operator stack kernel
alias annotation schema mutates_args : declare inputs changed shared operator declares arguments writes aliasing annotations wrong schema
scalartype dispatch at_dispatch_floating_types : template many element types switch macro half over lambda double error implemented dtype
storage untyped_storage data_ptr : raw bytes underneath shared slices size underlying views resize pointer lifetime
as_strided stride expand squeeze : reinterpret bytes other steps overlapping windows copy broadcast size zero step
contiguous is_contiguous clone copy_ : make densely ordered duplicate required transposed input packed needed transpose performance copy
dlpack from_dlpack to_dlpack : share arrays numpy cupy jax without copying zero-copy exchange between libraries capsule protocol array interface
from_numpy from_blob external deleter : wrap existing buffer array without copy lifetime raw pointer copying ownership custom deleter memory
c10::cuda::cudaguard optionaldeviceguard : select board scope restore exit wrong device launch set current within multi-gpu extension kernel
getcurrentcudastream cudastreamguard : run own kernel lane framework launch same queue extension correct ordering
c10_cuda_check c10_cuda_kernel_launch_check : wrap runtime calls raise failure extension error macro kernel launches python exception
cudacachingallocator raw_alloc : internals cached blocks free try once more splitting rounding found split merged freed failure retry large small pools
pytorch_cuda_alloc_conf pytorch_alloc_conf backend:cudamallocasync : environment string tuning memory cached choose driver's own reservoir variable options tune caching backend split size
garbage_collection_threshold set_per_process_memory_fraction : cap share board process reclaim old blocks proactively limit portion card test small memory
pinned_use_background_threads pinned_num_register_threads cachinghostallocator : host side page locked cache settings cached page-locked buffers slow first allocation threads registering
_snapshot _dump_snapshot memory_viz : write pickle allocations open browser viewer dump allocation history file drag web timeline stack
memory_stats allocated_bytes inactive_split num_alloc_retries : counters meaning numbers reserved versus active fragmentation retries interpret figures allocator often flush
torch.cuda.mempool use_mem_pool : allocate block code own reservoir registered networking separate arena some allocations special allocator within scope
cudagraph graph_pool_handle capture_error_mode : record context shared reservoir strictness errors model step share pool between recordings strict error during capture tape training framework torch.cuda.graph
cudagraph_mark_step_begin cudagraph trees overwritten : error output overwritten subsequent run clone next need mark iteration
torch.cuda.stream wait_stream side stream : issue other lane order current second queue wait tensors synchronise lanes
cuda lazy init _lazy_init forked subprocess : cannot re-initialize child start method spawn re-initialise forked bad fork children processes crash graphics
is_available cudagetdevicecount nvml pytorch_nvml_based_cuda_check : ask boards without starting environment fork count creating context safe availability probe
torch.accelerator current_accelerator : write code independent vendor generic api neutral cuda rocm xpu mps same script
privateuse1 backend extension out-of-tree : add support new vendor hardware outside repository chip maker integrate without modifying main rename hooks
sdpa_kernel sdpbackend enable_flash_sdp enable_mem_efficient_sdp : force attention implementation chosen context manager forces kernel debug flash
weights_only add_safe_globals : refuse files execute code allow list unpickling error safe loading arbitrary allowlist classes untrusted stranger's file harm since upgrade refuses open old checkpoint torch.load
torch.save zipfile serialization mmap map_location : file format load onto other board memory mapped big slowly layout zip records memory-map lazily cpu tens gigabytes quickly
state_dict missing unexpected keys load_state_dict assign : names match module prefix wrapped keys mismatch wrapper size partial loading ignore strict
gradscaler unscale_ : order calls clipping divide first unscale iterations several optimisers skipped update step
amp o1 o2 opt_level keep_batchnorm_fp32 : old interface levels aggressive migrate legacy native automatic casting patch functions
quantization observer qconfig prepare convert : insert measuring swap layers three steps observers calibrate modules integer stage workflow
pt2e quantizer prepare_pt2e convert_pt2e : new flow exported graph annotate per backend specific lower integer
dynamic quantization quantize_dynamic : weights whole numbers activations fly lstm linear integer beforehand simplest language models cpu
torchao float8 int4 weight : separate package low bit low-bit training inference library repository successors
sparse_csr sparse_bsr to_sparse sampled_addmm : compressed rows blocks conversions products row block storage conversion layout mostly zero
semi_structured sparsesemistructuredtensor : two four accelerated linear layers out pruned speed
nested_tensor jagged layout offsets njt : ragged batch new arrangement compile friendly variable length without padding offsets attention
torch.func grad vmap in_dims randomness : transform functions instead objects batch automatically functional transforms compose derivative in_axes random behaviour
torch.compile fullgraph mode dynamic : options line speed up arguments decorator whole graph error reduce overhead autotune dynamic sizes
fail_on_recompile recompile_limit cache_size_limit : stops compiling too many variants sizes keep changing keeps again limit exceeded falls back eager integers
torch._dynamo.explain : list places tracing stopped reasons python count graphs report compile fell apart breaks
torch._dynamo.disable allow_in_graph nonstrict_trace : leave function out compilation treat opaque exclude compiler black box decorator
guards check_fn guard_failure shape_env : conditions under compiled code valid tested call validity checked reuse failure causes recompile
mark_dynamic mark_static maybe_mark_dynamic : tell compiler dimension varies fixed declare varying batch length compile avoid specialisation
symint symbool unbacked dependent : sizes depending values errors guard torch._check size depends tensor contents nonzero item error hints
torch.cond while_loop higher operators hop : branches loops inside captured graph depending data tensor values kept program order
frame evaluation pep 523 bytecode dynamo : python frames intercepted rewritten hook interpreter rewriting bytecode capture works
aotdispatch joint graph partitioner cut : split forward reverse decide keep recompute backward traced together activations saved recomputed memory budget min
post_grad_passes pattern_matcher joint_graph_passes : rewriting rules optimising graph replace patterns custom optimisation pass
inductor scheduler fusion loop ir : merging loops ordering nodes buffers reuse merged decision order memory planning generator
tlparse torch_trace structured logs : html report compilation time went analysing compile job logs share spent
torch_compile_debug depyf output_code : see generated source code inspect triton c++ dump directory debugging compiled model's stored end up
minifier repro_after accuracy : shrink failing program small script automatically reduce model minimal reproduction wrong numerics crash boil down few lines bug report debug
inductor coordinate_descent_tuning epilogue_fusion : knobs code generator slower compile faster run longer search kernels configuration patch
triton autotune configs num_warps num_stages : try block sizes python kernel candidates size warps stages pick fastest key
regional compilation repeated blocks nested_compile_region : compile layer once instead every time identical layers compiled reduce start big transformer same block hundred times alike handled separately takes forever
compiler cold warm mega save_cache_artifacts : compile machine reuse another share compiled artefacts between hosts first run slow bundle start cache
compile_threads worker subprocess parallel : kernels compiled several helper processes parallel kernel compilation pool speed first iteration compile
cudagraphs inductor skipped mutated : recording applied reasons reason skipped cpu tensors dynamic mutated warnings inputs
dynamic_shapes constraints draft_export : say sizes vary error suggestions varying dimension names ranges constraint violation suggested fixes export dim
aoti_compile_and_package aotimodelpackageloader : make library run c++ produce shared package load without interpreter inference
torch.onnx dynamo=true onnxprogram onnxscript : new converter registering own operators options custom operator translation report opset
onnx verification onnxruntime compare : check converted file gives same numbers numerically compare runtime outputs
torch.jit.trace check_trace control flow : record run data dependent branches lost example records operations frozen warnings generalise
torch.profiler schedule wait warmup active on_trace_ready : only record some steps skip first iterations few repeat callback handler long training
key_averages group_by_input_shape with_stack export_stacks : table per operator shapes python lines sort total time group source
profile_memory experimental_config with_flops : much operator allocated counted operations per-operator allocation floating modules
benchmark.timer blocked_autorange compare callgrind : statistics instruction count snippet proper timing compare implementations counts
instantiate_device_type_tests dtypes skipif : test written boards types single body generated every backend type skip decorators
faketensormode fake_tensor propagate : run model without data learn shapes memory propagate real estimate simulate
meta tensors device=meta to_empty : shapes only storage materialise big model build giant instantly fill checkpoint too large create cut up over cards
cpp_extension verbose extra_cuda_cflags build_directory : compile sources script starts flags folder import verbose time native code load
cudaextension buildextension ninja include_paths : setup script native module compile kernels setuptools wheel package ninja flags per compiler
torch_extensions_dir extension : demand builds stored lock file stuck on-demand location stale remove rebuild cache
py_limited_api abi3 extension agnostic : package many python versions wheel several interpreter stable limited interface
torch::stable shim aoti_torch : c interface independent release extension binary survives framework upgrades
libtorch cpp frontend : model training written c++ write network loop pure modules optimizers torch::nn module
inference torch::jit::load : run saved model natively load exported module predict native service
torchgen native_functions derivatives.yaml : generated operator code gradient formulas signatures live files yaml
add operator aten/src/aten/native : put implementation step contributing contribute new function places signature cpu kernels tests
dispatchstub capability avx2 avx512 vectorized : vector instructions chosen run time runtime selection instruction set compiled several times cpu
at::parallel_for grain_size : loop over cores split minimum chunk openmp multi-threaded processor code framework work per thread
use_cudnn use_nccl use_distributed build_test setup.py : switches leave pieces out building environment toggles disable components shorten compile custom build
debug=1 rel_with_deb_info build : build framework symbols debug rebuild only some files native debugger
torch_show_cpp_stacktraces backtrace : print native call chain error messages environment layer exception originate
torch_logs recompiles graph_breaks output_code : environment names print choose compiler prints recompile reasons guard
use_deterministic_algorithms warn_only fill_uninitialized_memory : error operation repeatable raise nondeterministic memory filling known problems turn off functions complain
manual_seed_all fork_rng get_rng_state : same random numbers every card local change temporarily different state isolate boards
gil release py::gil_scoped_release deadlock : interpreter lock held while waiting blocks other threads native thread callback deadlock release python freeze code waits
fork server multiprocess reductions rebuild_cuda_tensor : sending card arrays other process handle lifetime shared accelerator memory consumer producer processes reductions
# More of training
in-place version counter leaf modified : variable needed gradient changed overwritten error add_ relu_ destroyed value later raises cannot modify
retain_graph double backward create_graph : call reverse twice second derivative buffers freed time error gradient penalty keep graph alive
detach requires_grad freeze : cut stop derivatives flowing constant layers trained lock backbone only head learns exclude optimiser updates
gradcheck numerical finite differences : compare derivative small changes test correctness wrong formula detect double precision perturb inputs hand written nudge
weight initialization xavier kaiming : starting values random learning variance fan symmetric break exploding vanishing start
parametrization weight norm spectral norm : constrain rewrite weights reparameterise direction magnitude lipschitz constraint largest singular
module buffers parameters state register_buffer : tensors saved trained running mean moves model device persistent non-learnable
weights_only pickle unsafe load security : opening untrusted model file run code malicious checkpoint arbitrary execution allowlist refuse stranger's booby trapped
type promotion broadcasting rules : mixing numbers shapes match stretch integer plus float result size expands automatically
index_put scatter gather advanced indexing : pick write elements list positions look up index duplicates accumulate boolean mask select
torch_check warn error message c10 : raise report failure c++ code exception text assertion internal user input invalid argument
device guard stream guard : switch back previous card automatically scope temporarily current raii restore wrong board
torch_logs logging artifacts : print compiler debugging messages environment switch verbose recompiled peek tracing code generation step
opinfo test suite common device type : tests every operator type card sample inputs database generated gradients parametrised
assert_close tolerance : compare floating results nearly equal relative absolute mismatch message unit test numbers differ slightly
asan ubsan sanitizer build : find memory errors undefined behaviour c++ address leak free instrumentation compile flags
debug symbols rel_with_deb_info gdb : step through framework stack trace native debugger crash breakpoint core dump python frames
magma mkl onednn blas : libraries linear algebra processor matrix routines vendor backend choose
mps metal backend : apple laptop graphics macbook m1 silicon gpu training mac fallback unsupported operators
xpu intel sycl : other vendor cards oneapi arc data centre max gpu build run
xnnpack qnnpack mobile lite interpreter : run phone small android ios handset arm efficient kernels
selective build operators size : only include functions model uses smaller binary trim unused kernels app footprint list root ops
horovod tensorflow xla : other framework distributed google alternative ring reduce jit compile wrapper optimizer
throughput latency benchmark results table dgx : many images sentences per second performance numbers published speedup single eight cards
convergence accuracy stability results : good model training same quality final score short floats several seeds variance curves
dataset download preprocess script : get prepare training data fetch unpack convert first run folder structure
multi node slurm sbatch pyxis : train several machines cluster submit job many computers scheduler scaling
inference script batch latency : predict only trained model evaluate measure prediction speed checkpoint percentile
tensor cores shapes multiple of eight padding vocab : sizes make hardware matrix units usable dimensions divisible alignment pad dictionary size slow odd
channels last nhwc layout : put colour last order faster convolution memory images cudnn tensor speed permute convert model
fp8_autocast fp8 recipe module : switch eight bit layers context manager enabling narrow maths within block enabled flag
fp8 weight caching is_first_microbatch : convert weights only once per several small batches avoid repeated quantisation during accumulation reuse converted
amax reduction group : workers agree largest value same scale synchronise maxima across data tensor parallel ranks consistent factor
layernorm_linear layernormmlp fused module : normalise multiply block combined layer fewer memory trips feed-forward
dotproductattention backend nvte flash fused unfused : attention implementation choose environment selection logic priority ran disable variant forbid
delay wgrad weight gradient accumulation fusion main_grad : postpone compute later add directly wide buffer separate weight part input fp32 overlap pipeline bubbles
moe permute unpermute token dispatch : sort tokens expert back group rows specialist inverse ordering
asp automatic sparsity mask search permutation : make trained network two four sparse keep accuracy prune channels rearranged retrain 2:4 recover half weights gone accurate
peer memory halo exchange bottleneck spatial : split picture over cards exchange borders edges large images divided height neighbours overlap rows convolution
distributed fused adam contrib : optimizer state over workers overlap zero style partition update pieces reduce scatter
group norm instance norm nhwc : normalise channels groups small batches diffusion unet alternative batch statistics
multihead attention contrib fast : fused old self attention encoder decoder extension legacy single kernel
rnn lstm gru cudnn : recurrent sequence networks time steps hidden state gates weights flatten persistent
nccl allocator user buffer registration : memory registered zero copy communication special pool switch multicast staging fewer processors busy
syncbn welford parallel groupbn : batch statistics over cards small per-card normalisation shared mean variance convert layers
gradient bucket view flat buffer : gradients stored together long array avoid copies contiguous storage alias reduce memory peak communication
mixed precision fsdp policy reduce dtype : types communication cast parameters sums wide type buffers precision
cpu offload optimizer states : keep moments host ram save card memory step processor slow transfers big model single board
symmetric memory async tensor parallel micro pipeline : overlap matrix multiplication gather decompose split pieces hide communication peers
compiled autograd : reverse pass compiled capture whole gradient hooks larger graph accumulate
cudagraph trees mode reduce-overhead : compile record automatically cut launch cost several recordings shared pool small batch inference
triton kernel user defined autotune : own python written kernels custom gpu function called compiled model
flex attention block mask score_mod : write own attention variation python fast custom bias sliding document masking skip empty blocks compiled
nan check loss spike anomaly : training blows up diverges suddenly curve jumps number instability skip bad batch diagnose
seed everything worker manual_seed : start random generators identical experiment numpy python cuda fix randomness
memory leak reference cycle gc : usage grows every iteration never freed storing loss history keeps graph out memory hours
non deterministic atomicadd index_add cublas_workspace_config : operation adds varying order bits differ between runs floating addition
# Transformer Engine and apex
te.linear layernormlinear layernormmlp transformerlayer : ready layers run eight bit replace ordinary ones drop-in low precision capable nn modules transformer block
delayedscaling amax_history_len amax_compute_algo margin : recipe remembered maxima many steps safety factor choose history window most recent largest margin
float8currentscaling float8blockscaling mxfp8blockscaling nvfp4blockscaling : choose between recipes eight bit four recipe choice per tensor block hopper blackwell narrow formats
fp8_model_init quantized_model_init primary weights : keep weights only eight bit second copy memory saving stored narrow save high precision duplicate store wide predicting
fp8_calibration inference : observe ranges while running wide run without narrow maths gathering deployment
float8tensor float8quantizer quantizer : array class factor bytes conversion tensor subclass holds multiplier quantise dequantise
cast_transpose nvte_cast_transpose : convert flip kernel type change plus together single pass bandwidth saved
nvte_flash_attn nvte_fused_attn nvte_unfused_attn nvte_debug : environment select attention log flags selecting implementation debugging disabled
dotproductattention attn_mask_type qkv_format sbhd bshd thd : arrangement batch sequence dimension mask head order layouts padding causal options packed lengths
cp_comm_type p2p a2a all_gather context parallel : long sequence pieces exchanged ring exchange all-to-all choice dividing
kv caching inferenceparams paged : generation support cached keys paged allocation incremental decoding
ub_overlap_ag ub_overlap_rs initialize_ub : overlap split layer communication options enabling gather scatter products tensor parallel
fuse_wgrad_accumulation main_grad : weight derivative added straight wide buffer gradient accumulated directly fp32 megatron extra add
delay_wgrad_compute backward_dw : compute weight derivative later gradient fill pipeline bubbles
groupedlinear m_splits : many experts layer products different row counts module batch specialists' matrices once token
moe_permute moe_unpermute fused router aux : sort tokens experts back route gather expert restore order probabilities auxiliary balance
offloading get_cpu_offload_context : activations moved host asynchronously layers move during forward fetch back backward asynchronous cpu
te nvdlfw_inspect logtensorstats : inspect statistics low bit arrays switch layers high precision underflow per layer logging selectively disable narrow config yaml look many numbers debug
fuser te.ops sequential : small operations automatically combined automatic combining basic forward backward patterns
te flax custom partitioning shard_map : other framework usage sharding rules layers mesh axes jax
te llama gemma mixtral tutorial hf : convert community model accelerated layers take swap faster fine tuning generation
nvte_framework nvte_build_threads_per_job nvte_cuda_archs : install source options compile memory limits build select framework parallel jobs exhaustion
fp8 padding unpadding : dimensions divisible rows sixteen thirty-two requirement pad inputs experts multiple
rht stochastic rounding nvfp4 training : tricks train four bit recipe stable four-bit learning unbiased
normalization rmsnorm zero_centered_gamma sm_margin : scale stored offset leave processors communication gamma near zero some
apex amp initialize scale_loss : historic mixed mode usage deprecated precision levels replaced native
apex fusedlayernorm mixedfusedrmsnorm memory_efficient : normalisation recompute input fast affine mixed types memory efficient backward
apex fused_dense mlp : linear activation chain call matrix bias fused forward backward cublaslt epilogue
apex contrib flags cpp_ext cuda_ext : install extensions optional features compile installing pip flags environment missing module errors build
apex asp compute_sparse_masks permutation_search : prune two four retrain trained network pattern fine-tune optimiser masks reapplied
apex distributedfusedadam distributedfusedlamb : sharded optimiser overlap exchange overlapping reduce scatter gather mixed states
multi_tensor_applier multi_tensor_l2norm multi_tensor_scale : list arrays launch chunk norm scale operate many tensors chunks overflow flag axpby gradients shot
# Recipes
dle dlrm criteo preprocessing frequency_threshold : click log preparation terabyte prediction giant embeddings dataset conversion frequency limiting
triton dynamic_batching instance_group : group requests arriving together several copies board combine simultaneous batch wait microseconds instances per card throughput
analyzer perf_analyzer : load test server throughput latency percentile generator concurrency sweep model
navigator conversion accuracy deploy : convert verify select format choose best deployment automatically numerics model
benchmark train_throughput dllogger : log lines json speed structured metrics per iteration parse mode
allow_tf32 nvidia_tf32_override : forcing off new mode force full single precision environment override accelerator
tf_enable_auto_mixed_precision graph rewrite : automatic conversion variable tensorflow environment switch half floats without touching script
wikipedia bookcorpus download : corpus preparation download cleaning sharding pretraining text
imagenet prepare rec recordio : picture data set conversion convert pictures indexed record archive resize
hyperparameters learning rate scaling : adapt changing number cards linear scaling accelerators effective batch adjust rate warm up
docker interactive launch container : start environment recipe scripts mount datasets interactive shell build script
knowledge distillation soft targets temperature : student learns imitate big network outputs softened probabilities hint small
)";

}  // namespace sibyl::index
