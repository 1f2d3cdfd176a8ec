// The schedules that there are (what one is: core/machine/program.h), found by id or by name, and their steps.
#pragma once

#include "core/machine/program.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilewalk {

std::span<const Schedule> schedules();  // the forward ones that the papers compare
std::span<const Schedule> backward_schedules();
std::span<const Schedule> all_schedules();             // forward, backward, then relatives: split-kv
const Schedule& schedule_of(Method method);            // whose text it walks
const Schedule* schedule_named(std::string_view key);  // or null
std::string_view name_of(VariantId variant);           // "paper", "kernel"
std::optional<VariantId> variant_named(std::string_view name);

Plan make_plan(const Schedule& schedule, const Problem& problem, VariantId variant);

// All steps, in order. The caller has made sure of their number (core/schedules/count.h).
std::vector<Step> steps_of(const Schedule& schedule, const Plan& plan);

// A schedule of a program that a person wrote: in one form, in the order of the paper.
Schedule own_schedule(WalkProgram program);

}  // namespace tilewalk
