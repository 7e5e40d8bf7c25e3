// SPDX-License-Identifier: Apache-2.0
#include "field/field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/strings.h"
#include "field/tables.h"

namespace sibyl::field {
namespace {

TEST(Gpu, IsFoundByNameNumberOrArchitecture) {
  EXPECT_EQ(FindGpu("h200")->number, 90U);
  EXPECT_EQ(FindGpu("NVIDIA GeForce RTX 4090")->number, 89U);
  EXPECT_EQ(FindGpu("Tesla T4")->number, 75U);
  EXPECT_EQ(FindGpu("sm_103")->number, 103U);
  EXPECT_EQ(FindGpu("12.0")->number, 120U);
  EXPECT_EQ(FindGpu("sm_90a")->name, "sm_90");
  EXPECT_EQ(FindGpu("sm_120f")->number, 120U);
  EXPECT_EQ(FindGpu("sm_80a").error().message, "there is no sm_80a");
  EXPECT_NE(FindGpu("H20O").error().message.find("did you mean"), std::string::npos);
}

TEST(Gpu, IsFoundAsPeopleWriteIt) {
  const std::pair<const char*, unsigned> written[] = {
      {"4090", 89},
      {"3090", 86},
      {"RTX4090", 89},
      {"RTX 4090 Laptop GPU", 89},
      {"2080 Ti", 75},
      {"GTX 1660 Ti", 75},
      {"H100 PCIe", 90},
      {"H100 SXM5 80GB", 90},
      {"NVIDIA A100-SXM4-80GB", 80},
      {"Tesla V100-SXM2-16GB", 70},
      {"NVIDIA H100 80GB HBM3", 90},
      {"A6000", 86},
      {"L40S", 89},
      {"Orin", 87},
      {"GB200", 100},
      {"RTX 6000 Ada Generation", 89},
      {"RTX PRO 6000 Blackwell Server Edition", 120},
      {"sm90", 90},
      {"SM 9.0", 90},
      {"compute_90", 90},
      {"compute capability 9.0", 90},
      {"8.9", 89},
      {"A100 80 GB", 80},
      {"A100 40G", 80},
      {"3060Ti", 86},
      {"RTX 4070 Ti SUPER", 89},
      {"4090D", 89},
      {"RTX 5090 D V2", 120},
      {"GTX 1050Ti", 61},
      {"GT 1030", 61},
      {"MX450", 75},
      {"NVIDIA GeForce RTX 2050", 86},
      {"Titan X Pascal", 61},
      {"Quadro P2000", 61},
      {"P1000", 61},
      {"Quadro T2000 with Max-Q", 75},
      {"Quadro RTX A6000", 86},
      {"RTX A2000 Laptop GPU", 86},
      {"RTX6000 Ada", 89},
      {"RTX 6000 Blackwell", 120},
      {"RTX 6000 PRO", 120},
      {"PRO 6000 Max-Q", 120},
      {"RTX PRO 2000 Blackwell Laptop GPU", 120},
      {"RTX 2000 Ada Laptop", 89},
      {"GB200 NVL72", 100},
      {"GB10 Grace Blackwell Superchip", 121},
      {"GH200 Grace Hopper", 90},
      {"DGX H100", 90},
      {"B300 SXM6", 103},
      {"Orin AGX 64GB", 87},
      {"Jetson Orin Nano Super Developer Kit", 87},
      {"AGX Thor", 110},
      {"Jetson TX2", 62}};
  for (const auto& [text, number] : written) {
    const Result<GpuTarget> gpu = FindGpu(text);
    ASSERT_TRUE(gpu.ok()) << text;
    EXPECT_EQ(gpu->number, number) << text;
  }
}

TEST(Gpu, IsNeverAnArchitectureThatDoesNotExist) {
  EXPECT_EQ(FindGpu("sm_4090").error().message, "unknown architecture 'sm_4090'");
  EXPECT_EQ(FindGpu("9.5").error().hint, "the nearest known ones are sm_90 and sm_100");
  EXPECT_FALSE(FindGpu("9999").ok());
  EXPECT_EQ(FindGpu("6000").error().hint, "say which: Quadro RTX 6000, RTX 6000 Ada, RTX PRO 6000");
  EXPECT_EQ(FindGpu("RTX 4000").error().hint,
            "say which: Quadro RTX 4000, RTX 4000 Ada, RTX 4000 SFF Ada, RTX PRO 4000");
  EXPECT_EQ(FindGpu("Titan X").error().hint, "say which: GTX Titan X, Titan X Pascal");
  for (const char* gpu : {"RTX 4090 Blackwell", "GTX 4090", "RTX 3090 SUPER", "H100D", ""}) {
    EXPECT_FALSE(FindGpu(gpu).ok()) << gpu;
  }
}

// Issue 23: each of these is known, or refused with the nearest.
TEST(Gpu, KnowsTheGpusThatPeopleAskFor) {
  const std::pair<const char*, std::uint32_t> known[] = {
      {"sm_103", 103},
      {"sm_110", 110},
      {"sm_120", 120},
      {"sm_121", 121},
      {"Thor", 110},
      {"T4", 75},
      {"Jetson Orin Nano", 87},
      {"Jetson AGX Thor", 110},
      {"B200", 100},
      {"B300", 103},
      {"GB300", 103},
      {"RTX 5090", 120},
      {"L4", 89},
      {"V100", 70},
      {"RTX PRO 6000", 120},
      {"DGX Spark", 121},
      {"A10G", 86},
      {"A30", 80},
      {"H20", 90},
      {"H800", 90},
      {"GH200", 90},
      {"GH200 480GB", 90},
      {"L20", 89},
      {"RTX 4000 SFF Ada", 89},
      {"NVIDIA RTX PRO 6000 Blackwell Server Edition", 120},
      {"NVIDIA H100 80GB HBM3", 90},
      {"Tesla V100-SXM2-32GB", 70},
      {"NVIDIA GeForce RTX 4090 Laptop GPU", 89}};
  for (const auto& [text, number] : known) {
    const Result<GpuTarget> gpu = FindGpu(text);
    ASSERT_TRUE(gpu.ok()) << text << ": " << gpu.error().message;
    EXPECT_EQ(gpu->number, number) << text;
  }
}

// CUDA 13 renamed the GPU of Thor: code for sm_101 and sm_110 is never for two GPUs.
TEST(Gpu, ANameThatCudaGaveUpIsRefusedWithTheNewOne) {
  EXPECT_EQ(FindGpu("sm_101").error().message,
            "'sm_101' is an old name: CUDA 13.0 calls it sm_110");
  EXPECT_EQ(FindGpu("10.1").error().hint.substr(0, 45),
            "give the GPU as sm_110 or by its name (sm_110");
}

TEST(Gpu, AGenerationIsNotAGpu) {
  EXPECT_EQ(FindGpu("Hopper").error().message, "'Hopper' is a generation, not a GPU");
  EXPECT_EQ(FindGpu("Hopper").error().hint,
            "give one of its GPUs or architectures (sm_90: H100, H200, H800, H20 and 1 more); "
            "'sibyl inspect --gpus' lists those that are known");
  EXPECT_EQ(FindGpu("NVIDIA Grace Hopper").error().message,
            "'NVIDIA Grace Hopper' is a generation, not a GPU");
  EXPECT_NE(FindGpu("Ada Lovelace").error().hint.find("sm_89: L4"), std::string::npos);
  EXPECT_NE(FindGpu("Ada").error().hint.find("sm_89: L4, L40, L40S"), std::string::npos);
  EXPECT_EQ(FindGpu("blackwell").error().message, "'blackwell' is a generation, not a GPU");
  EXPECT_EQ(FindGpu("T1000")->number, 75U);
}

TEST(Gpu, TheNearestIsOfTheSameSeries) {
  const std::pair<const char*, const char*> written[] = {{"T1500", "T1200"},
                                                         {"Quadro T3000", "Quadro T2000"},
                                                         {"L2", "L4"},
                                                         {"A6500", "RTX A6000"},
                                                         {"4095", "RTX 4090"},
                                                         {"RTX 6090", "RTX 5090"},
                                                         {"RTX 5090 Ti", "RTX 5090"},
                                                         {"RTX 3090 SUPER", "RTX 3090"},
                                                         {"GTX 4090", "RTX 4090"},
                                                         {"GTX 1090", "GTX 1080"},
                                                         {"RTX PRO 7000", "RTX PRO 6000"},
                                                         {"H300", "H200"},
                                                         {"B400", "B300"},
                                                         {"Jetson T6000", "Jetson T5000"}};
  for (const auto& [text, nearest] : written) {
    EXPECT_EQ(FindGpu(text).error().message,
              "unknown GPU '" + std::string(text) + "'; did you mean '" + nearest + "'?");
  }
  EXPECT_EQ(FindGpu("MI300X").error().message, "unknown GPU 'MI300X'");
  EXPECT_EQ(FindGpu("MI300X").error().hint,
            "'sibyl inspect --gpus' lists those that are known; an architecture works too, such as "
            "sm_90 or 9.0");
}

TEST(Gpu, IsAGeForceByItsName) {
  for (const char* gpu :
       {"4090", "GTX 1080 Ti", "Titan V", "3060 Ti", "MX450", "GT 1030", "RTX 4080 SUPER"}) {
    EXPECT_TRUE(FindGpu(gpu)->is_geforce) << gpu;
  }
  for (const char* gpu :
       {"L4", "A6000", "RTX 6000 Ada", "RTX PRO 6000", "RTX 6000D", "T4", "sm_89"}) {
    EXPECT_FALSE(FindGpu(gpu)->is_geforce) << gpu;
  }
}

TEST(Gpu, IsOfADataCenterByItsName) {
  for (const char* gpu : {"H100", "L4", "L40S", "T4", "V100", "A10G", "GB200", "K80", "Tesla P6"}) {
    EXPECT_TRUE(FindGpu(gpu)->is_data_center) << gpu;
  }
  for (const char* gpu : {"4090", "T1000", "A6000", "DGX Spark", "GB10", "Orin", "MX450", "sm_90",
                          "RTX PRO 6000", "Titan V"}) {
    EXPECT_FALSE(FindGpu(gpu)->is_data_center) << gpu;
  }
}

TEST(Releases, KnowTheCudaOfATag) {
  EXPECT_EQ(FindImageRelease("nvidia/pytorch", "25.09-py3")->cuda, (CudaVersion{13, 0}));
  EXPECT_EQ(FindImageRelease("nvidia/pytorch", "25.06-py3-igpu")->cuda, (CudaVersion{12, 9}));
  EXPECT_EQ(FindImageRelease("nvidia/tritonserver", "25.09-trtllm-python-py3")->cuda,
            (CudaVersion{12, 9}));
  EXPECT_EQ(FindImageRelease("nvidia/pytorch", "19.01-py3"), nullptr);
  EXPECT_EQ(FindImageRelease("nvidia/pytorch", "25.09"), nullptr);
  EXPECT_TRUE(FindImageRelease("nvidia/pytorch", "25.12-py3")->receipts.is_confirmed);
  EXPECT_FALSE(FindImageRelease("nvidia/pytorch", "25.09-py3")->receipts.is_confirmed);
}

TEST(Gpu, HasTheProcessorOfItsHostWhereThereIsOnlyOneKind) {
  for (const char* gpu : {"GB200", "GH200", "Orin", "GB10", "DGX Spark", "sm_87", "sm_121"}) {
    EXPECT_EQ(FindGpu(gpu)->host, "aarch64") << gpu;
  }
  for (const char* gpu : {"B200", "H100", "4090", "sm_90", "sm_100", "sm_35"}) {
    EXPECT_EQ(FindGpu(gpu)->host, "") << gpu;
  }
}

TEST(Gpu, ComparesDriversAsFarAsTheyWereSaid) {
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("580.65")), (CudaVersion{13, 0}));
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("580")), (CudaVersion{13, 0}));
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("580.64")), (CudaVersion{12, 9}));
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("R525")), (CudaVersion{12, 0}));
  EXPECT_FALSE(ParseDriverVersion("new").has_value());
}

TEST(FieldTables, EveryRowParses) {
  EXPECT_EQ(Join(ReadTables().errors, "\n"), "");
  for (const TableFile& file : TableFiles()) {
    EXPECT_TRUE(file.text.starts_with("# SPDX")) << file.path;
  }
  EXPECT_GT(Products().size(), 100U);
  EXPECT_GT(Toolkits().size(), 20U);
}

TEST(FieldTables, EveryReceiptIsUsedAndDated) {
  std::set<std::string_view> used;
  const auto use = [&](const ReceiptList& list) {
    for (const Receipt* receipt : list.all) used.insert(receipt->id);
  };
  for (const Abbreviation& abbreviation : Abbreviations()) use(abbreviation.receipts);
  for (const Program& program : Programs()) use(program.receipts);
  for (const NumberFormat& format : NumberFormats()) use(format.receipts);
  for (const Image& image : Images()) use(image.receipts);
  for (const ImageRelease& release : ImageReleases()) use(release.receipts);
  for (const TagPart& part : TagParts()) use(part.receipts);
  for (const WheelIndex& index : WheelIndexes()) use(index.receipts);
  for (const TorchBuild& build : TorchBuilds()) use(build.receipts);
  for (const HostCompiler& host : HostCompilers()) use(host.receipts);
  for (const ImagePatch& patch : ImagePatches()) use(patch.receipts);
  for (const SystemToolkit& toolkit : SystemToolkits()) use(toolkit.receipts);
  for (const System& system : Systems()) use(system.receipts);
  for (const TorchCompanions& row : TorchCompanionRows()) use(row.receipts);
  for (const Framework& row : Frameworks()) use(row.receipts);
  for (const ImageRequirement& each : ImageRequirements()) use(each.receipts);
  for (const Product& product : Products()) use(product.receipts);
  for (const Toolkit& toolkit : Toolkits()) use(toolkit.receipts);
  for (const ArchitectureLife& life : Architectures()) use(life.receipts);
  for (const Receipt& receipt : Receipts()) {
    EXPECT_TRUE(used.contains(receipt.id)) << receipt.id;
    EXPECT_TRUE(receipt.read.starts_with("202")) << receipt.id;
    EXPECT_FALSE(receipt.says.empty()) << receipt.id;
  }
}

TEST(FieldTables, ReleasesAreUniqueAndTheirCudaIsKnown) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const ImageRelease& release : ImageReleases()) {
    EXPECT_NE(FindToolkit(release.cuda), nullptr) << release.image << ' ' << release.tag;
    EXPECT_TRUE(seen.insert({release.image, release.tag}).second) << release.tag;
  }
  EXPECT_GT(seen.size(), 100U);
}

TEST(FieldTables, IndexesOfWheelsAscend) {
  EXPECT_TRUE(std::ranges::is_sorted(WheelIndexes(), {}, &WheelIndex::name));
  for (const WheelIndex& index : WheelIndexes()) {
    EXPECT_EQ(index.name.size(), 5U) << index.name;
    if (index.last.empty()) continue;
    EXPECT_LE(CompareVersions(index.first, index.last), 0) << index.name;
  }
}

TEST(FieldTables, RangesOfFrameworksAscendAndDoNotOverlap) {
  const Framework* last = nullptr;
  for (const Framework& row : Frameworks()) {
    EXPECT_LE(CompareVersions(row.first, row.last), 0) << row.package << ' ' << row.first;
    EXPECT_LE(CompareVersions(row.first_python, row.last_python), 0) << row.first;
    if (last != nullptr && last->package == row.package) {
      EXPECT_LT(CompareVersions(last->last, row.first), 0) << row.package << ' ' << row.first;
    }
    last = &row;
  }
  EXPECT_EQ(FindFramework("tensorflow", "2.15.1")->cuda, (CudaVersion{12, 2}));
  EXPECT_EQ(FindFramework("torch", "2.10.0")->first_python, "3.10");
  EXPECT_EQ(FindFramework("torch", "1.5.0"), nullptr);
}

TEST(FieldTables, ACompanionBelongsToOneTorch) {
  std::set<std::string_view> seen;
  for (const TorchCompanions& row : TorchCompanionRows()) {
    for (const std::string_view each : row.torchvision) EXPECT_TRUE(seen.insert(each).second);
  }
  EXPECT_EQ(FindTorchCompanions("2.1.2")->torchvision[0], "0.16.2");
  EXPECT_EQ(FindTorchCompanions("9.9.9"), nullptr);
  EXPECT_EQ(FindSystem("ubuntu", "22.04")->python, "3.10");
}

TEST(FieldTables, BuildsOfTorchAreInTheirIndexAndDoNotOverlap) {
  const TorchBuild* last = nullptr;
  for (const TorchBuild& build : TorchBuilds()) {
    const std::string row = std::string(build.index) + ' ' + std::string(build.first);
    const auto index = std::ranges::find(WheelIndexes(), build.index, &WheelIndex::name);
    ASSERT_NE(index, WheelIndexes().end()) << row;
    EXPECT_GE(CompareVersions(build.first, index->first), 0) << row;
    if (!index->last.empty()) {
      EXPECT_LE(CompareVersions(build.last, index->last), 0) << row;
    }
    EXPECT_LE(CompareVersions(build.first, build.last), 0) << row;
    EXPECT_TRUE(std::ranges::is_sorted(build.cubins)) << row;
    for (const Architecture& cubin : build.cubins) EXPECT_NE(LifeOf(cubin), nullptr) << row;
    if (last != nullptr && last->index == build.index) {
      EXPECT_LT(CompareVersions(last->last, build.first), 0) << row;
    }
    last = &build;
  }
  EXPECT_EQ(FindTorchBuilds("cu124", "2.5.1").size(), 1U);
  EXPECT_EQ(FindTorchBuilds("cu124", "").size(), 2U);
  EXPECT_TRUE(FindTorchBuilds("cu124", "2.7.0").empty());
}

TEST(FieldTables, HostCompilersDoNotOverlapAndNewerToolkitsAcceptNewerOnes) {
  const auto all = HostCompilers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_LE(all[i].first, all[i].last);
    EXPECT_NE(FindToolkit(all[i].first), nullptr) << Format(all[i].first);
    if (i == 0) continue;
    EXPECT_GT(all[i - 1].first, all[i].last) << Format(all[i].first);
    EXPECT_GE(all[i - 1].gcc, all[i].gcc) << Format(all[i].first);
  }
  EXPECT_EQ(FindHostCompiler({12, 4})->gcc, 13U);
  EXPECT_EQ(FindHostCompiler({13, 0})->gcc, 15U);
  EXPECT_EQ(FindHostCompiler({14, 0}), nullptr);
}

TEST(FieldTables, RequirementsAreOfKnownToolkitsAndDrivers) {
  for (const ImageRequirement& each : ImageRequirements()) {
    EXPECT_NE(FindToolkit(each.cuda), nullptr) << Format(each.cuda);
    EXPECT_TRUE(std::ranges::is_sorted(each.branches)) << Format(each.cuda);
    EXPECT_FALSE(each.branches.empty()) << Format(each.cuda);
  }
}

TEST(FieldTables, PatchesAreOfKnownToolkits) {
  for (const ImagePatch& patch : ImagePatches()) {
    EXPECT_NE(FindToolkit(patch.cuda), nullptr) << patch.newest;
    EXPECT_EQ(ParseCudaVersion(patch.newest), patch.cuda) << patch.newest;
    EXPECT_EQ(std::ranges::count(patch.newest, '.'), 2) << patch.newest;
  }
  for (const SystemToolkit& toolkit : SystemToolkits()) {
    EXPECT_NE(FindToolkit(toolkit.cuda), nullptr) << toolkit.image;
  }
}

TEST(FieldTables, NamesAreUnique) {
  std::set<std::string> names;
  for (const Product& product : Products()) {
    EXPECT_TRUE(names.insert(LowerCase(product.name)).second) << product.name;
  }
}

TEST(FieldTables, AbbreviationsAreSortedAndTheirMeaningsBeginLikeThem) {
  EXPECT_TRUE(std::ranges::is_sorted(Abbreviations(), {}, &Abbreviation::letters));
  for (const Abbreviation& abbreviation : Abbreviations()) {
    for (const std::string_view meaning : abbreviation.meanings) {
      EXPECT_EQ(meaning[0], abbreviation.letters[0]) << abbreviation.letters;
    }
  }
}

TEST(FieldTables, EveryProductHasAnArchitectureOfTheTable) {
  for (const Product& product : Products()) {
    EXPECT_NE(LifeOf(product.number), nullptr) << product.name;
  }
}

TEST(FieldTables, ArchitecturesAscendAndEveryToolkitOfThemIsKnown) {
  EXPECT_TRUE(std::ranges::is_sorted(Architectures(), {}, &ArchitectureLife::architecture));
  for (const ArchitectureLife& life : Architectures()) {
    const std::string name = Format(life.architecture);
    if (life.first >= CudaVersion{10, 0}) {
      EXPECT_NE(FindToolkit(life.first), nullptr) << name;
    }
    if (life.last == CudaVersion{}) continue;
    EXPECT_NE(FindToolkit(life.last), nullptr) << name;
    EXPECT_LE(life.first, life.last) << name;
  }
}

TEST(FieldTables, AVariantBelongsToTheGenerationOfItsArchitecture) {
  for (const ArchitectureLife& life : Architectures()) {
    if (life.architecture.suffix == 0) continue;
    const ArchitectureLife* plain = LifeOf(life.architecture.number);
    ASSERT_NE(plain, nullptr) << Format(life.architecture);
    EXPECT_EQ(plain->generation, life.generation);
    EXPECT_LE(plain->first, life.first);
  }
}

TEST(FieldTables, NewerToolkitsNeedNewerDriversAndWriteNewerPtx) {
  const auto all = Toolkits();
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_GT(all[i - 1].version, all[i].version);
    EXPECT_GE(all[i - 1].ptx, all[i].ptx) << Format(all[i].version);
    EXPECT_GT(Compare(*ParseDriverVersion(all[i - 1].driver), all[i].driver), 0)
        << Format(all[i].version);
    if (all[i - 1].version.major == all[i].version.major) {
      EXPECT_EQ(all[i - 1].floor, all[i].floor) << Format(all[i].version);
    }
  }
}

TEST(FieldTables, TheFloorOfAMajorVersionIsTheDriverOfItsFirstToolkitOrALittleNewer) {
  for (const Toolkit& toolkit : Toolkits()) {
    if (toolkit.version.minor != 0 || toolkit.floor.empty()) continue;
    EXPECT_GE(Compare(*ParseDriverVersion(toolkit.floor), toolkit.driver), 0);
    EXPECT_EQ(CudaOfDriver(*ParseDriverVersion(toolkit.floor)), toolkit.version);
  }
}

TEST(FieldTables, RowsWithoutADocumentAreNotConfirmed) {
  EXPECT_FALSE(LifeOf(35)->receipts.is_confirmed);
  EXPECT_TRUE(LifeOf(89)->receipts.is_confirmed);
  EXPECT_NE(Show(LifeOf(89)->receipts).find("nvcc 13.0"), std::string::npos);
}

}  // namespace
}  // namespace sibyl::field
