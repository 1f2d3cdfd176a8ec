#!/usr/bin/env python3
"""Tries scripts/own-tensors.py on randomly initialised models: what it saves is what the model attends with.

Llama with grouped heads, Llama with one K/V head, Llama with a head each, and GPT-2, in fp16 and bf16, made from their
configurations alone: nothing is downloaded. The lines of own-tensors.py are run as they stand. Then, for every layer:

  model    attention of the saved tensors, in float64, against what the model handed to its output projection
  control  the same with every Q head paired with the next K/V head: must be far off, or the check would see nothing
  walk     `tilewalk walk` opens a head of the file and finds the float64 reference (where --tilewalk is given)
  kernels  `tilewalk-gpu run` on that head: its O against the model's (where --tilewalk-gpu is given)

Needs torch, transformers and safetensors; a GPU only for --tilewalk-gpu. Prints a table; leaves with 1 where anything
is off, and with 2 where a package is missing.
Usage: try-own-tensors.py --out FOLDER [--tilewalk-gpu PATH] [--tilewalk PATH] [--device cpu|cuda]
"""
import argparse, base64, json, os, pathlib, subprocess, sys

os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is read
try:
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModelForCausalLM, GPT2Config, LlamaConfig
except ImportError as missing:
    sys.exit(print(f"try-own-tensors: {missing}", file=sys.stderr) or 2)

SNIPPET = pathlib.Path(__file__).resolve().parent / "own-tensors.py"
TOKENS, BATCH, LAYERS, VOCABULARY = 300, 2, 2, 512  # 300 is no multiple of any tile
SPREAD = 0.06  # of the weights: scores then vary by about 2, so that a wrong pairing shows
# Relative to the largest element of O: O itself is rounded to the model's format, and so is P in most kernels.
LIMITS = {torch.float16: 4e-3, torch.bfloat16: 3e-2}
CHECKS = ("model", "control", "walk", "kernels")


def llama(heads, kv_heads, d):
    return LlamaConfig(vocab_size=VOCABULARY, hidden_size=heads * d, intermediate_size=1024, num_hidden_layers=LAYERS,
                       num_attention_heads=heads, num_key_value_heads=kv_heads, max_position_embeddings=1024,
                       initializer_range=SPREAD)


def gpt2(heads, d):
    return GPT2Config(vocab_size=VOCABULARY, n_embd=heads * d, n_layer=LAYERS, n_head=heads, n_positions=1024,
                      initializer_range=SPREAD)


MODELS = [
    ("Llama, 8 heads, 2 of K/V", llama(8, 2, 64)),
    ("Llama, 8 heads, 1 of K/V", llama(8, 1, 64)),
    ("Llama, 4 heads", llama(4, 4, 128)),
    ("GPT-2, 6 heads", gpt2(6, 64)),
]


class Off(Exception):
    """Something is not as it should be; a sentence."""


def outputs_of(model, run):
    """What each layer hands to its output projection while `run` runs: [B, N, H * d], in order."""
    seen, hooks = [], []
    for name, module in model.named_modules():
        if name.endswith("self_attn.o_proj") or name.endswith("attn.c_proj"):
            keep = lambda _, given: seen.append(given[0].detach().double().cpu())
            hooks.append(module.register_forward_pre_hook(keep))
    run()
    for hook in hooks:
        hook.remove()
    return seen


def attention(q, k, v, shift=0):
    """Causal softmax attention in float64. Q head h goes with K/V head h // (H / H of K/V), plus `shift`."""
    q, k, v = q.double(), k.double(), v.double()
    heads, kv_heads = q.shape[1], k.shape[1]
    pair = (torch.arange(heads) // (heads // kv_heads) + shift) % kv_heads
    scores = q @ k[:, pair].transpose(-1, -2) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), float("-inf"))
    return scores.softmax(-1) @ v[:, pair]


def gap(o, expected):
    return float((o - expected).abs().max() / expected.abs().max())


def called(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Off(f"{' '.join(map(str, command))} left with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def floats(text, rows):
    values = torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.float32).double()
    return values.reshape(rows, -1)


def walked(tilewalk, asked):
    walk = json.loads(called([tilewalk, "walk", *asked, "--arithmetic", "kernel", "--br", 64, "--bc", 64, "--at", "end",
                              "--json"]))
    return float(walk["largest_difference_from_float64"]), walk["problem"]["format"]


def measured(tilewalk_gpu, asked, expected, limit):
    """The largest gap of the kernels that ran; and their names."""
    text = called([tilewalk_gpu, "run", *asked, "--batch", 1, "--heads", 1, "--repeats", 3, "--warmups", 1, "--outputs",
                   "--json"])
    (result,) = json.loads(text)["results"]
    worst, ran = 0.0, []
    for kernel in result["kernels"]:
        if "refused" in kernel:
            continue
        if not kernel.get("errors", {}).get("passed"):
            raise Off(f"{kernel['kernel']} is off by {kernel.get('errors')} from its own float64 reference")
        off = gap(floats(kernel["o"], TOKENS), expected)
        if off > limit:
            raise Off(f"{kernel['kernel']}'s O is off by {off:.1e} from the model's")
        worst = max(worst, off)
        ran.append(kernel["kernel"])
    if not ran:
        raise Off("no kernel ran")
    return worst, ran, result["spec"]["problem"]["format"]


def tried(name, config, dtype, options):
    """One row of the table for every layer. Raises Off."""
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa").to(options.device, dtype).eval()
    tokens = torch.randint(0, VOCABULARY, (BATCH, TOKENS), device=options.device)
    word = "bf16" if dtype == torch.bfloat16 else "fp16"
    folder = options.out / f"{name.replace(',', '').replace('/', '').replace(' ', '-').lower()}-{word}"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "qkv.safetensors"
    file.unlink(missing_ok=True)

    def snippet():
        before = os.getcwd()
        os.chdir(folder)
        try:
            exec(compile(SNIPPET.read_text(), str(SNIPPET), "exec"), {"model": model, "tokens": tokens})
        finally:
            os.chdir(before)

    outputs = outputs_of(model, snippet)
    kept = load_file(file)
    if len(outputs) != LAYERS or len(kept) != 3 * LAYERS:
        raise Off(f"{len(outputs)} layers and {len(kept)} tensors, where {LAYERS} and {3 * LAYERS} were expected")
    limit, rows = LIMITS[dtype], []
    for layer in range(LAYERS):
        q, k, v = (kept[f"layer{layer}.{x}"] for x in "qkv")
        if {q.dtype, k.dtype, v.dtype} != {dtype}:
            raise Off(f"layer {layer} was saved in {q.dtype}, {k.dtype} and {v.dtype}, and the model is in {dtype}")
        heads, kv_heads, d = q.shape[1], k.shape[1], q.shape[3]
        asked_heads = getattr(config, "num_key_value_heads", config.num_attention_heads)
        if (heads, kv_heads) != (config.num_attention_heads, asked_heads):
            raise Off(f"{heads} heads of Q and {kv_heads} of K/V were saved")
        expected = outputs[layer].reshape(BATCH, TOKENS, heads, d).transpose(1, 2)
        row = {"model": gap(attention(q, k, v), expected)}
        if row["model"] > limit:
            raise Off(f"layer {layer}: attention of the saved tensors is off by {row['model']:.1e} from the model's")
        if kv_heads > 1:
            row["control"] = gap(attention(q, k, v, shift=1), expected)
            if row["control"] < 10 * limit:
                raise Off(f"layer {layer}: a wrong pairing of heads is off by {row['control']:.1e} only")

        head = heads - 2 + layer  # the last but one, then the last; the batch's first sequence
        asked = ["--input", file, "--layer", f"layer{layer}", "--head-index", head + 1, "--causal"]
        if options.tilewalk:
            row["walk"], found = walked(options.tilewalk, asked)
            if found != word or not 0 < row["walk"] < limit * float(expected.abs().max()):
                raise Off(f"layer {layer}: the walk in {found} is off by {row['walk']:.1e} from float64")
        if options.tilewalk_gpu:
            row["kernels"], row["ran"], found = measured(options.tilewalk_gpu, asked, expected[0, head], limit)
            if found != word:
                raise Off(f"layer {layer}: tilewalk-gpu ran it in {found}")
        rows.append((f"{name}, {word}", f"{layer}", f"{heads}/{kv_heads}", f"{head + 1}", row))
    return rows


def main():
    parser = argparse.ArgumentParser(description="Tries scripts/own-tensors.py on randomly initialised models.")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the files of tensors")
    parser.add_argument("--tilewalk-gpu", help="the GPU worker, to run the saved heads")
    parser.add_argument("--tilewalk", help="the program, to walk them")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    options.out = options.out.resolve()
    print(f"{'':<32}{'layer':>6}{'heads':>7}{'head':>6}" + "".join(f"{check:>10}" for check in CHECKS))
    off = 0
    for name, config in MODELS:
        for dtype in (torch.float16, torch.bfloat16):
            try:
                for *words, row in tried(name, config, dtype, options):
                    cells = "".join(f"{row[key]:>10.1e}" if key in row else f"{'-':>10}" for key in CHECKS)
                    print("{:<32}{:>6}{:>7}{:>6}".format(*words) + cells, *row.get("ran", []))
            except Exception as fault:  # a model that fails is a row, and the others are still tried
                off += 1
                print(f"{name}, {dtype}: {type(fault).__name__}: {fault}")
    print("Largest differences; model, control and kernels relative to the largest element of O.")
    print("All as it should be." if not off else f"{off} of {2 * len(MODELS)} are off.")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
