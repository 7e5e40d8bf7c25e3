// SPDX-License-Identifier: Apache-2.0
#include "inspect/rules.h"

namespace sibyl::inspect {
namespace {

constexpr FindingRule kRules[] = {
    {"inspect/unreadable", "a file or folder could not be read"},
    {"inspect/unknown-kind", "the file is of no kind that can be looked into"},
    {"elf/cut", "an ELF file ends before the place its headers point to"},
    {"cuda/damaged", "device code whose headers or payload do not hold together"},
    {"cuda/too-many", "there are more images than are listed"},
    {"gpu/does-not-run", "no image in the file can be used on the GPU with the driver"},
    {"gpu/runs-partly",
     "some translation units have no image that the GPU can use, by design or by mistake"},
    {"cmake/half-found", "of a header and its library only one was found"},
    {"cmake/stale-path", "the cache names a file that does not exist"},
    {"cmake/dangling-link", "the cache names a link whose target does not exist"},
    {"cmake/elsewhere", "the cache was made in another folder, machine or container"},
    {"cmake/wrong-machine", "a library is for another machine than the compiler"},
    {"cmake/stub-as-driver", "the toolkit's stub of the driver is on a run path"},
    {"cmake/version-disagreement", "compiler, package and headers are of different CUDA releases"},
    {"cmake/architectures", "an architecture was asked for and is in no built file"},
    {"torch/switch", "a switch of PyTorch's build leaves something out of the result"},
    {"docker/copy-not-in-base", "COPY --from takes a library that its source cannot hold"},
    {"docker/missing-siblings", "a library is copied without those that it loads"},
    {"docker/cupti-path", "CUPTI is looked for where the packages do not put it"},
    {"docker/cuda-mismatch", "libraries of one CUDA major go into an image of another"},
    {"docker/devel-last", "the image that is shipped holds compilers and headers"},
    {"docker/cuda-twice", "CUDA is in the base image and again in Python wheels"},
    {"docker/stub-on-path", "the stub of libcuda is where the driver should be found"},
    {"docker/compat-on-path", "the compat libcuda is forced instead of chosen"},
    {"docker/cupti-in-runtime", "CUPTI is expected in an image that has none"},
    {"docker/no-cache-mount", "an expensive step has no cache that outlives its layer"},
    {"docker/cache-defeated", "a cache mount is given and not used"},
    {"docker/arg-spoils-cache", "an ARG that changes stands above layers that do not need it"},
    {"docker/arch-unset", "device code is compiled without naming a GPU architecture"},
    {"wheel/damaged", "a wheel that does not unpack to what it says"},
    {"wheel/path-escape", "a member would be written outside its folder"},
    {"wheel/record-mismatch", "files and RECORD of a wheel differ"},
    {"wheel/bundles-driver", "a wheel brings a library that belongs to the driver"},
    {"wheel/cuda-twice", "a wheel brings CUDA libraries that it also requires"},
    {"wheel/files-missing", "files of an installed package are gone"},
    {"wheel/requirement-missing", "a required nvidia-* package is not installed"},
    {"wheel/requirement-version", "a required nvidia-* package is installed in another version"},
    {"machine/no-gpu", "there is no GPU and no driver"},
    {"machine/no-driver", "a GPU is on the bus and no driver is installed"},
    {"machine/driver-not-injected", "the kernel has a driver whose libraries are not here"},
    {"machine/driver-not-loaded", "the driver's libraries are here, its kernel module is not"},
    {"machine/driver-mismatch", "kernel module and libraries of the driver differ"},
    {"machine/no-device", "the driver is here and no GPU is visible"},
    {"machine/driver-too-old", "the driver is older than CUDA's major needs"},
    {"machine/stub-first", "the loader takes the toolkit's stub for the driver"},
    {"machine/compat-first", "the loader takes the compat library before the driver's own"},
    {"machine/which-toolkit", "several toolkits, and nothing chooses one"},
    {"machine/two-toolkits", "CUDA_HOME and PATH choose different toolkits"},
    {"machine/cupti-half", "the toolkit has CUPTI's header without its library"},
    {"machine/no-cupti", "something here uses CUPTI, and there is none"},
    {"machine/cupti-mismatch", "CUPTI and toolkit are of different CUDA majors"},
    {"machine/torch-cpu", "PyTorch is a build for CPUs on a machine with a GPU"},
    {"machine/counters-forbidden", "hardware counters are for administrators only"},
    {"machine/no-profiler", "no profiler is installed"},
};

}  // namespace

std::span<const FindingRule> FindingRules() { return kRules; }

}  // namespace sibyl::inspect
