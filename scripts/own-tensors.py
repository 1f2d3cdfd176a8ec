# Takes Q, K and V of every attention call out of a PyTorch model, as the call gets them: behind norms, RoPE and the KV
# cache, with K and V in heads of their own where they have fewer than Q. A forward hook on q_proj sees Q before all
# that, so the hook here is on the call itself. README.md and the program quote the lines from the imports on.
#
# For models that call scaled_dot_product_attention, as Hugging Face's do with attn_implementation="sdpa". `model` and
# `tokens` are yours: put these lines behind them. One forward pass is enough, of any length.
#
# qkv.safetensors then has layer0.q [B, H, N, d], layer0.k and layer0.v [B, K/V heads, N, d], layer1.q and so on, in the
# model's own format. scripts/try-own-tensors.py tries it on models of several kinds.
import torch
from safetensors.torch import save_file

kept = {}
class Keep(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, call, types, args=(), kwargs=None):
        if call is torch.nn.functional.scaled_dot_product_attention:
            for name, x in zip("qkv", (*args, *(kwargs or {}).values())):
                kept[f"layer{len(kept) // 3}.{name}"] = x.contiguous().clone().cpu()
        return call(*args, **(kwargs or {}))
with torch.no_grad(), Keep():
    model(tokens)
save_file(kept, "qkv.safetensors")
