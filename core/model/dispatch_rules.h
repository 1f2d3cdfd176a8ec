// For every back end: why it cannot run a call, in one sentence; empty where it can. dispatch.cpp asks them in order.
#pragma once

#include "core/model/dispatch.h"

namespace tilewalk {

// PyTorch's own back ends.
std::string why_not_flash(const AttentionCall& call, const TorchRelease& release);  // FA1 to 2.1, FA2 from 2.2
std::string why_not_efficient(const AttentionCall& call, const TorchRelease& release);
std::string why_not_cudnn(const AttentionCall& call, const TorchRelease& release);

// The packages.
std::string why_not_fa2_package(const AttentionCall& call);
std::string why_not_fa3_package(const AttentionCall& call);
std::string why_not_fa4_package(const AttentionCall& call);
std::string why_not_xformers(Backend backend, const AttentionCall& call);

std::string cc_text(int cc);  // "8.0"
int installed_cudnn(const AttentionCall& call, const TorchRelease& release);
std::string cudnn_text(int version);  // "9.19.0"

}  // namespace tilewalk
