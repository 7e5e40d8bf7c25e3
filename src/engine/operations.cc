// SPDX-License-Identifier: Apache-2.0
// The table. Its order is that of help: first what people need first.
#include "engine/agent/agent_operations.h"
#include "engine/evidence_operations.h"
#include "engine/expand_operations.h"
#include "engine/gate_operations.h"
#include "engine/inspect_operations.h"
#include "engine/lab/lab_operations.h"
#include "engine/operation.h"
#include "engine/plan/plan_operations.h"
#include "engine/reading/reading_operations.h"
#include "engine/store/store_operations.h"
#include "engine/verify_operations.h"

namespace sibyl::engine {
namespace {

constexpr const Operation* kOperations[] = {
    &kInit,         &kSourceAdd,  &kSourceList,  &kSourceSync,    &kSourceRemove,  &kSourceExport,
    &kSourceImport, &kSourceRead, &kSourceFiles, &kSourceOutline, &kSourceSymbols, &kTrust,
    &kExpand,       &kWorker,     &kLaunch,      &kStatus,        &kAsk,           &kSearch,
    &kCard,         &kCite,       &kPageList,    &kPageShow,      &kVerify,        &kAudit,
    &kRefresh,      &kPlanShow,   &kPlanCheck,   &kPlanNew,       &kPlanSources,   &kPlanStatus,
    &kPartClaim,    &kPartDraft,  &kPartShow,    &kPartSubmit,    &kPartRelease,   &kPlanFinalize,
    &kPageCorrect,  &kInspect,    &kDoctor,      &kLabList,       &kLabRun,        &kLabKeep,
    &kLabShow,      &kLabCompare, &kLabResults,  &kStoreInit,     &kStoreCheck,    &kStoreGc,
    &kDump,
};

}  // namespace

std::span<const Operation* const> Operations() { return kOperations; }

const Operation* FindOperation(std::string_view name) {
  for (const Operation* operation : kOperations) {
    if (operation->name == name) return operation;
  }
  return nullptr;
}

}  // namespace sibyl::engine
