// SPDX-License-Identifier: Apache-2.0
// Of the tables of glossary_words.h, which says what a line is: building, packaging and containers.
#pragma once

#include <string_view>

namespace sibyl::index {

inline constexpr std::string_view kBuildGlossary = R"(
# Building with CMake
cmake toolchain file cross compiling system_name : build other different board phone processor machine compiling target platform differs host embedded arm make program another computer big desktop tiny foreign
find_package config module prefix path root hints : tell library dependency lives hand found wrong version show folder package search look detect point build custom installation nonstandard location see installed noticed finger
findcudatoolkit cudatoolkit_root nvcc compiler : locate toolkit installation compiler path detect discover installed several toolkits choose two machine take right
enable_language check_language cuda optional : gpu language only compiler present gracefully skip absent fallback project build machine without card half missing
cuda_architectures native all major : detect build card machine every supported generation only computer's board automatically list keyword
cuda_separable_compilation resolve_device_symbols : gpu code across files libraries link kernel calls function defined elsewhere static archive final undefined turn property target
unity build jumbo batch : glue lump many source files big file compiling fewer larger faster sources single amalgamate combine translation units reduce compile time too little slow build paste together
precompiled headers reuse_from : parse big includes once ahead reuse speed expensive compile common same headers read thousand times digest
compiler_launcher ccache : put program front compiler remember earlier results wrap invocations
interprocedural optimization lto ipo : whole program optimise across files link cross module inlining squeeze last percent over file borders end
compile_warning_as_error werror : make compiler stop fail anything suspicious doubtful treat diagnostics strict fatal sloppy code first doubt
position independent code pic : archive shared library anywhere address relocation error recompile flag static dynamic relocatable
rpath install_rpath build_rpath : program finds shared libraries start install moved loader path run time object found executed cannot open library runs elsewhere missing .so copying
install export config package version file : let other projects find library installation people ship copy headers system consumable downstream reuse pick up line project others write get libraries
interface library usage requirements target_link_libraries public private : header only pass include folders flags users propagate transitively reach links headers automatically passed whoever depends
generator expression config : depends configuration decided generating condition list conditional evaluated per value known only build files written
add_custom_command depends output byproducts : run script tool generate produce file during build only inputs change code generation step make compiled let write source compile older
fetchcontent externalproject download : get dependency source internet during configure build third party pull automatically user install dependencies first grab foreign code git while configuring
cmakepresets configure preset : store remember options file instead long command line share settings reusable named configurations colleagues team same prepare once option list stored types word
cache variable option cmakecache : user setting remembered between runs switch persisted toggle stale value stuck old answer delete start fresh override command line changed effect sticks
policy cmake_policy minimum_required : old behaviour new version warning compatibility deprecation nag silence keep compiling older projects behave release oldest supported newer tool project former
multi config generator build type debug release : several variants optimised symbols same folder visual studio ninja choose build configure time side debuggable next other
graphviz dependency graph : picture map diagram draw target needs depends visualise relationships targets boxes arrows
try_compile check_cxx_source_compiles feature test : find out compiler accepts system function header probe capability understands flag ask letting chew snippet
target_compile_features cxx_standard : require language version modern need c++20 least dialect std flag per target required extensions off gnu
object library sources : compile once several libraries without archive collection compiled pieces combine bigger intermediate hand two
symbol visibility hidden export header : functions others see shared library hide internals dll public decorate macro dllexport generate keep internal names myself
ctest add_test labels regex : run only those checks tests names match pattern select subset filter execute selected skip slow some name tag
ctest fixtures resource lock : preparation cleanup tests share database same time set up tear down order needed first setup teardown started stopped end
ctest timeout parallel rerun failed : test takes too long kill again tests forever limit seconds hung abort check never ends
coverage gcov dashboard cdash : lines executed tests report server code covered untested percentage exercised instrument flags html upload
cpack deb rpm installer component : bundle make archive package users distributable give install produce file customers double-click couple optional parts
file glob configure_depends : list files new file noticed wildcard collect sources automatically forgotten rerun directory listing added source ignored until configure again
configure_file template variables header : fill version numbers generate text substitute placeholders config.h at-signs written output defines put header
ninja job pools link memory : only few links once throttle heavy steps limit concurrency out ram while linking many big programs kills machine
depfile dependency scanning c++ modules : rebuild included file changed unchanged sources incremental only touched header edited recompile exactly needed list includes
compile_commands json clang-tidy iwyu : list compiler calls editors analysis lint database flags language server completion static checker feed editor complain style
out of source build directory binary dir : keep generated files separate sources folder clean tree several builds same checkout delete safely
superbuild vcpkg conan dependency provider : package manager fetch install libraries third party intercept lookups obtain prerequisites outer project let bring missing
debug find mode trace log level message : see configure print search fails look verbose diagnose lookups step quiet noisy pick
cuda language enable_language project cuda : declare project uses card compiler nvcc recognised first class language .cu files
cmake_cuda_architectures cudaarchs : default list card generations user says nothing environment variable initial value tell build configuring
cuda_runtime_library shared : link toolkit support library statically dynamically per target user need installed bundle executable
cmake_cuda_compiler cudacxx cmake_cuda_host_compiler cudahostcxx : nvcc executable host compiler behind pick variable environment wrong picked say exactly gcc call
cuda_ptx_compilation cuda_fatbin_compilation cuda_cubin_compilation cuda_optix_compilation : object library yields intermediate binary kernel files instead objects embed
cudatoolkit imported targets cuda::cudart cuda::cublas : link math libraries toolkit name without paths against imported target nvrtc cufft
findcuda deprecated cuda_add_executable : old style module replaced migrate away legacy macros native language support removed
compile_lang_and_id compile_language expression : flag only language vendor nvcc apply compiling kernels c++ sources conditional warnings chokes card compiler ordinary unaffected
cmake_cuda_separable_compilation linking libraries : card link archive archives symbols resolved containing device code final program links multiple
clang cuda compiler language : llvm instead nvcc kernels supported features alternative kernel compiler toolkit path required
nvcc threads cmake_cuda_flags cuda flags cudaflags : extra options kernels compile environment initial pass parallel architectures ptxas verbose
add_library imported alias : libraries built prebuilt binary header only second name wrap existing .so target nickname namespace interface
imported_location imported_implib imported_configurations : prebuilt library file lives per variant describe binary hand dll import release debug mapping
imported_global visibility scope : found library only visible subfolder make available everywhere target subdirectory invisible elsewhere directory scope promote
target_sources file_set headers base_dirs : list headers target install right folders automatically belong library installed preserving base directory
verify_interface_header_sets : check every public header compiles alone self-contained includes standalone
target_include_directories build_interface install_interface : different include folder while building installing path leaks differs source tree versus installed relocatable leak absolute error
system suppress warnings third party : diagnostics foreign headers treat external silence isystem code floods output keep strict flags own
target_link_options link_flags linker wrapper : pass options link step only flags linking forwarded linker driver rpath
link_library link_group rescan whole_archive feature : force objects archive circular archives frameworks weak every object registration symbols mutual dependency order groups
linker_type cmake_linker_type lld mold : choose different faster program linking switch linker alternative gold mold
add_dependencies ordering : built first linked ensure earlier nothing generated header race parallel target
add_custom_target always utility : command named goal part default docs format runs time convenience
depfile dyndep add_custom_command : generated rule reads list includes changes noticed custom generator tracked rebuild correctly hidden input
exclude_from_all optional targets : built default examples only request tests asked leave out ordinary make heavy benchmark
add_subdirectory dir vendored : include nested project folder bring same build vendored copy
include_guard cmake_module_path : load helper script only once searched scripts looked up module
macro scope argn : own commands difference variables leaking define reusable leak caller arguments list
scope_for propagate : temporary variables limited region local without function policy block
cmake_language defer eval : run command later end folder name configure dynamic invocation evaluate code call
filter transform sort : manipulate collections script remove duplicates sort modify elements semicolon separated
regex replace json : text manipulation parse script structured extract substring uppercase hash
defined version_greater exists : conditions script quoted variable expands unexpectedly condition evaluation surprising dereference compare versions
variable_watch unused uninitialized warn : find typo changes setting detect misspelled modifies unset warnings
find_library find_path find_file hints : search single file usual places suffixes lib64 individual header archive custom locations suffix hint result cached notfound
find_program validator : search executable tool version test locate required reject unsuitable
cmake_find_root_path sysroot staging : building other device search only files host picked up libraries mistake cross compiling restrict mode
cmake_find_package_prefer_config redirects package registry : own description file library preferred over bundled finder installed wins built-in preference
find_package components optional_components : only parts library acceptable numbers ask some pieces minimum maximum version optional range
find_dependency configure_package_config_file : installed description pulls own prerequisites relocatable paths package template pulling transitive relocation
write_basic_package_version_file compatibility samemajorversion : requested numbers count fitting version check file releases acceptable major minor exact
install export targets exportset : make targets usable other tree prefix double colon projects link prefixed names installation generated file
export build tree package install : library build folder directly consume without copying develop two projects together installing
find_package_handle_standard_args findmodule author : write own finder script result variables message author standard report missing
cmake_ignore_prefix_path : exclude wrong place conda homebrew picked accidentally copy anaconda locations
cmake_find_debug_mode : print every place searched chose candidate locations explain choice wrong library found
fetchcontent_declare fetchcontent_makeavailable : declare foreign source once pull build configure time repository download part
fetchcontent_source_dir_ override disconnected fully : local checkout offline network machine instead downloading prevent update copy library disk fetched internet
find_package_args override_find_package : installed copy download prefer fall back same name system version present otherwise fetch
externalproject_add steps configure_command build_always : build foreign project separate step own tool autotools custom commands during
git_tag git_shallow url_hash pin : exact revision checksum downloaded commit shallow clone reproducible dependencies
cmake_project_top_level_includes dependency provider : inject manager first project intercept find requests package injection
presets inherits hidden condition : personal file derived settings per machine inherit common base platform specific
presets workflow package steps : command configure build test pack single runs compile package
toolchain cmake_system_processor cmake_c_compiler_target : describe foreign compiler target triple description file processor prefix board
cmake_crosscompiling_emulator qemu launcher : run foreign binaries through simulator target while cross building tests
cmake_try_compile_target_type static_library : compiler check fails because cannot link bare metal sanity executable embedded
cmake_osx_architectures universal sysroot deployment : mac fat binaries oldest version apple silicon intel binary minimum system
msvc_runtime_library multithreaded dll : windows c runtime mismatch static crt dynamic debug link errors
windows_export_all_symbols dll implib : windows library without annotations shared nothing exported missing import lib
ninja multi-config cross configs : several variants single folder ninja debug release same tree chosen build
unix makefiles choose environment : low level tool runs build select backend ninja make default environment generator
cmake parallel clean-first : command portable number jobs build target verbose clean --build
cmake prefix component strip : copy results destination install step alternative only part --install
destdir prefix gnuinstalldirs : standard folders lib bin share staging root conventional lib64 packager relative install
runtime_dependencies runtime_dependency_set get_runtime_dependencies : copy needed dynamic libraries next program gather shared bundle executable portable install
build_with_install_rpath install_rpath_use_link_path origin : program finds libraries relative itself relocatable search path folder moved origin loader
skip_build_rpath cmake_skip_install_rpath : embed search path distribution packaging rules packagers forbid embedded paths strip
check_ipo_supported interprocedural_optimization : test whole program optimisation works enable detect support switch
unity_build_batch_size unity_build_mode skip_unity_build_inclusion : many files per lump exclude troublesome file name clashes merged sources batch count problematic clash anonymous static names
target_precompile_headers precompile_headers_reuse_from : shared parsed include set share common expensive includes among targets speed
cxx_compiler_launcher : caching wrapper every compile language prefix cache program variable environment cxx cuda
cxx_clang_tidy cxx_cppcheck cxx_include_what_you_use cpplint : run static checkers along compile analysis during style checks warnings per language
link_what_you_use ldd unused : warn unneeded libraries find linked needed superfluous shared objects
export_compile_commands cmake_export_compile_commands : json flags editor completion language server database clangd jump definition code navigation
cxx_scan_for_modules cxx_module_sets cxx_module_std : named modules order discovered compile standard library import ordering scanning interface
target_compile_definitions add_compile_definitions : preprocessor symbols per target folder macro define usage scope
properties compile_options object_depends : attribute single file generated special flags object rebuild extra dependency
cmake_build_type relwithdebinfo minsizerel flags : optimisation level default none slow program forgot because nothing optimised empty variant symbols
cmake_cxx_flags_debug init flags rules override : default flags per variant change variants initial compiler turn off assertions o2 o3 ndebug
runtime_output_directory archive_output_directory : programs folder put executables libraries common artefacts location collect binaries bin results land
output_name debug_postfix prefix suffix : file name differs d appended result called differently debug letter prefix
c_visibility_preset visibility_inlines_hidden : exported default hide functions smaller dynamic table names inside shared object meant others
try_run check_symbol_exists check_include_file cmakepushcheckstate : run small program probe platform test headers functions size type
check_compiler_flag check_linker_flag : option understood test accepted adding add warning only compiler knows
codemodel query reply : tools read targets sources json project structure machine-readable editors cmake-file-api
cmake-instrumentation timing hooks : record duration every compile step measure link steps collect build
cmake profiling-output google-trace : script line configure slow command trace viewer configuring takes ages find part
cmake configure log cmakeconfigurelog.yaml try_compile : check fail see compiler message failed unexpectedly error recorded file
cmake --trace-expand debugger dap : step through script see expanded follow execution print breakpoints debugging
cmake --fresh wipe : start over configuration discard old settings begin anew compiler changed cache
cmake_dependent_option option dependency : switch only shown other option visible another enabled conditional toggle
feature_summary add_feature_info : overview enabled print end features missing packages list found switched
cmake_minimum_required policy_max cmake_policy_version_minimum : project too old error new release refuses compatibility version removed ancient configure
cmp0077 option normal variables policy : setting outside ignored subproject value set parent nested option
download upload tls_verify netrc : internet transfer certificate proxy fetch url progress checksum
cmake copy_if_different tar : portable shell commands cross-platform copy tar environment within rules env
execute_process result_variable command_error_is_fatal : program output during configure run external while configuring capture exit status text
configure git describe : embed revision hash commit binary regenerate every build version number git header time generated
set_tests_properties depends fixtures_setup fixtures_required : actions order start server tests stop cleanup share expensive preparation
pass_regular_expression fail_regular_expression will_fail skip_return_code : decide output text expected failure judge printed fail skipped code
run_serial resource_lock processors cost : together others heavy tests run simultaneously exclusive slots two checks fight over same port file
resource_groups ctest_resource_spec_file : many cards check needs distribute accelerators among concurrently running checks slots
environment_modification labels disabled : variables tag switch off path per test select disable
ctest --output-on-failure --rerun-failed --repeat until-fail : show log only broken flaky again repeat until fails failing tell printed went wrong quiet passing try several times unstable
ctest junit output-junit : report xml ci result continuous integration viewers feed results jenkins gitlab
ctest dashboard ctest_start ctest_submit nightly experimental : automatic run results web server nightly build publish dashboard script steps
ctest_coverage ctest_memcheck memorychecktype : measure lines executed sanitizers covered leaks sanitizer valgrind collect publish
gtest_discover_tests discovery_mode pre_test gtest_add_tests : register every case separately cross compiled fails individual cases build run time compile timeout
cpack generators nsis wix productbuild : installers windows mac setup program wizard exe msi dmg end users
cpack_debian_package_depends shlibdeps rpm : dependency list linux packages computed package dependencies automatically libraries requires
cpack_components_grouping archive external : split download parts runtime development separate files let user choose install
findpython python_add_library development.module sabimodule : build extension interpreter native python system headers abi
pkg_check_modules imported_target cmake_pkg_config : other description files .pc target library ships only pkg-config
findthreads pthread : thread library portable threads linking flag undefined reference functions
job_pool_compile job_pool_link job_pools : limit memory hungry steps concurrency classes heavy linking hold back linker eats parallel build
cmake_build_parallel_level verbose : default amount jobs without typing number environment flag cores automatically building env
analyzer compile_warning_as_error : treat doubtful fatal override user strictness warnings packagers warning --compile-no-warning-as-error
link_depends linker : relink map changes script exported rebuild executable editing
# Containers
dockerfile base image ngc from : start recipe ready container toolkit installed parent starting point image begin ready-made system picture
multi stage build copy from : compile big container ship only results small final image size smaller slim discard build tools leave compilers out shipped stay behind product box thin
layer cache buildkit mount cache : repeat unchanged steps recipe faster rebuild keep downloads order instructions reuse small change builds everything anew tiny edit repeats installs matters
nvidia container toolkit runtime gpus all : let program container see card devices driver expose hardware inside cannot find gpu box graphics
nvidia_visible_devices driver_capabilities : cards features container environment compute utility video expose subset
devel runtime base image cudnn variant : compiler only libraries choose smaller flavours need image headers nvcc needed while building pick slim
entrypoint cmd environment arg : runs container starts settings build argument default command override wrapper script start parameters box run
shm-size ulimit ipc host memlock : container needs more shared memory increase crash loading data workers helpers box bus error enlarge
cap-add privileged seccomp profiling container : permit allow profiler inside grant extra rights sys_admin ptrace debugger permitted security option
volume mount dataset workspace : files host visible inside folder bind share persist results outside vanish box ends
docker compose registry push tag : publish several services upload name version containers together share image colleagues
non root user permissions uid : run without administrator files owned root afterwards security user id created box belong wrong
apt pip requirements pin version install : packages inside same versions reproducible freeze dependency list clean cache lists tomorrow
enroot singularity slurm pyxis : containers clusters supercomputer hpc container without root import squash boxes
sbom signature scan vulnerabilities : security contents supply chain bill materials list everything inside
# More of building
cmake -e build install command line : run build without knowing tool portable commands copy delete touch compare same windows linux shell scripts
file api codemodel ide integration : editors ask targets sources tool machine readable description query reply json
gtest_discover_tests : list tests program automatically googletest every case own entry without listing hand parameterised
ctest resource spec gpu allocation : tests share cards assign scheduler board slots check takes describe machine two boards test
memcheck valgrind ctest : run tests under memory checker leaks invalid reads automatically report suppressions
findpython findmpi findopenmp findthreads module : locate interpreter common package version pick virtual environment headers libraries
pkg-config pkgconfig imported : .pc files description flags unix libraries without config
link whole archive link group order : undefined symbols static libraries objects needed cyclic linker drops unused registration initialisers circular
build_shared_libs static shared : choose library dynamic archive default specified user decides switch turns .a .so dll
soversion version soname : library file name numbers abi number symbolic links suffix
source properties set_source_files compile options per file : flags only file special treatment single source optimisation off
directory scope parent_scope function return propagate : variable visible outside set inside lost return pass value up
execute_process configure time command output : run program while configuring capture text tool result code build ask git python building
file download hash expected : get file internet check sum url checksum verify retry archive
cmake_parse_arguments keyword : function named options own command optional arguments parse helper accepts sources words lists
install components strip destdir : copy only part files runtime development separately staging packager headers programs
include what you use link what you use : unnecessary dependencies headers needed missing libraries linked nothing
emscripten android ndk ios toolchain : web phone browser wasm mobile handset apple tablet
cxx_modules fileset scan : import modules c++20 named interface units bmi dependency order
job server make parallel level : many once cores simultaneously tokens nested recursive builds share slots overloaded computer
verbose makefile rules messages : show full compiler commands exact command line flags passed print hidden were
cmake_cuda_flags host compiler xcompiler : pass option nvcc forward switch underlying gcc kernels warnings
cuda runtime library static shared cudart : link toolkit library program variant dependency ship installed target
cuda_ptx_compilation fatbin cubin target : only produce intermediate kernel files emit portable assembly file load run time embed array
cmake_prefix_path environment conda : libraries virtual environment additional places packages searched tell search installed stuff
libtorch find_package torch c++ application : framework own c++ project download zip link executable python
incremental build touch dependencies rebuild everything : compiled again nothing changed whole project compiles timestamps header
link time memory gold lld mold linker : linking slow other linker last step takes minutes eats ram quicker alternative
build time trace ftime nvcc threads split-compile : compile slow several architectures parallel file takes long heavy templates report profile
library size fatbin compress prune stripped : binary too large smaller shared object gigabytes reduce drop architectures
preload ld_library_path conflict multiple versions : wrong library loaded two copies same mixed taken picks system copy instead mine crash symbol lookup
reproducible builds source_date_epoch timestamps : same bytes every time bitwise output machine paths removed
# Containers and packaging
docker buildx multi-arch : image arm intel both same architectures emulate platform
dockerignore build context : too much sent building exclude folders context upload huge slow git data
mount=type ccache sccache docker : keep compiler results between image builds cache incremental buildkit
nvcr.io ngc container release : vendor image monthly tags tag framework preinstalled ready environment graphics pytorch
ubuntu manylinux builder image : old system result runs everywhere build distribution glibc binaries run
gpus docker nvidia-docker : command container sees cards make accelerators visible flag runtime missing
ulimit memlock ipc=host : limits communication library workers shared memory locked pages errors inside container stack
conda environment yml mamba channel : recipes environments packages scientific environment file channels solver recreate same set elsewhere
pyproject.toml build-system scikit-build : modern python package metadata backend isolated build requirements native code plus declared tool
setup.py develop extras_require : classic python package script editable development mode optional features install
pip wheel no-build-isolation find-links : install uses present framework while building build against installed isolated environment import error
bdist_wheel plat-name sdist : build installable file create distributable tags platform source archive
nvidia-cublas-cu12 pypi wheels : toolkit libraries python packages delivered pip preload versions runtime
auditwheel patchelf delocate : vendor libraries package fix search path copy foreign shared inside rename rewrite
git hash suffix : number plus build tag git local suffix development revision version.txt
actions workflow runner matrix : automatic builds server automation runners build matrix push every commit tested robot several systems github
ci docker image push : reuse image automation prebuilt images rebuild hash speed robots rebuilding environment cache
pre-commit clang-format flake8 : style commit formatting checks automatically tidy code refuse ugly
apt repository cuda-keyring toolkit : get compiler vendor system packages repository key install ubuntu
ld_library_path libcudart : program cannot load toolkit library loader error open shared object path found
windows visual studio vcvars : set up compiler shell environment windows script generator msvc build env
)";

}  // namespace sibyl::index
