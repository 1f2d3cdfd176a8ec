#!/usr/bin/env python3
"""Records what PyTorch's attention back ends do on this GPU, in the form of tilewalk-gpu's recordings.

For each shape and back end: times of separate launches with L2 emptied before each (triton.testing.do_bench), the error
of sampled rows against float64, the names of the CUDA kernels that one call launches (torch.profiler), and, where
Nsight Compute (ncu) is at hand and may read counters, its bytes and instructions, summed over those kernels.

Needs torch and triton with CUDA. Inputs are N(0,1), of PyTorch's own generator, so their hash is left at 0.
Usage: record-peers.py FILE [--n 1024,4096,16384] [--d 128] [--causal] [--tokens 16384] [--hidden 2048]
"""
import argparse, csv, datetime, io, json, os, shutil, subprocess, sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

# Name on the command line, label in the recording, which of our kernels it is nearest to, PyTorch's back end.
PEERS = [
    ("eager", "PyTorch eager", "standard", None),
    ("efficient", "PyTorch mem-efficient", "fa2", SDPBackend.EFFICIENT_ATTENTION),
    ("flash2", "PyTorch FA2", "fa2", SDPBackend.FLASH_ATTENTION),
    ("cudnn", "PyTorch cuDNN", "fa3", SDPBackend.CUDNN_ATTENTION),
]
COUNTERS = {  # member of the recording: metric of ncu
    "dram_read": "dram__bytes_read.sum",
    "dram_written": "dram__bytes_write.sum",
    "l2_to_sm": "l1tex__m_xbar2l1tex_read_bytes.sum",
    "sm_to_l2": "l1tex__m_l1tex2xbar_write_bytes.sum",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "exponentials": "sm__inst_executed_pipe_xu.sum",
    "tensor_instructions": "sm__inst_executed_pipe_tensor.sum",
}


class Shape:
    def __init__(self, n, d, causal, tokens, hidden):
        self.n, self.d, self.causal = n, d, causal
        self.batch, self.heads = max(1, tokens // n), hidden // d

    def inputs(self):
        torch.manual_seed(4)
        return [torch.randn(self.batch, self.heads, self.n, self.d, device="cuda", dtype=torch.float16) for _ in range(3)]

    def arguments(self):
        return ["--n", str(self.n), "--d", str(self.d), "--tokens", str(self.batch * self.n),
                "--hidden", str(self.heads * self.d)] + (["--causal"] if self.causal else [])


def call_of(peer, shape, q, k, v):
    """A function that runs one forward pass."""
    _, _, _, backend = peer
    if backend is None:
        hidden = torch.ones(shape.n, shape.n, dtype=torch.bool, device="cuda").triu(1) if shape.causal else None

        def eager():
            s = (q @ k.transpose(-1, -2)) * shape.d**-0.5
            if hidden is not None:
                s = s.masked_fill(hidden, float("-inf"))
            return torch.softmax(s, -1) @ v

        return eager

    def fused():
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(q, k, v, is_causal=shape.causal)

    return fused


def errors_of(o, shape, q, k, v, rows=64):
    """Relative L2 errors of rows of one head, spread over all heads."""
    worst, difference, reference = 0.0, 0.0, 0.0
    total = shape.batch * shape.heads * shape.n
    for at in range(rows):
        row = at * total // rows + (at * 7919) % (total // rows)
        head, r = divmod(row, shape.n)
        b, h = divmod(head, shape.heads)
        keys = r + 1 if shape.causal else shape.n
        s = k[b, h, :keys].double() @ q[b, h, r].double() * shape.d**-0.5
        want = torch.softmax(s, 0) @ v[b, h, :keys].double()
        gap, size = (o[b, h, r].double() - want).square().sum().item(), want.square().sum().item()
        worst, difference, reference = max(worst, (gap / size) ** 0.5), difference + gap, reference + size
    whole = (difference / reference) ** 0.5
    return {"rows": rows, "worst_row": worst, "whole": whole, "lse": "nan", "passed": worst <= 2e-3 and whole <= 1e-3}


def timing_of(call):
    from triton.testing import do_bench
    times = sorted(do_bench(call, warmup=50, rep=300, return_mode="all"))
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    return {"median": at(0.5), "p10": at(0.1), "p90": at(0.9), "best": times[0], "count": len(times), "warmups": max(1, int(50 / at(0.5))),
            "flushed": True, "clock_before": 0, "clock_after": 0, "back_to_back": 0.0}


def launched_by(call):
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as prof:
        call()
        torch.cuda.synchronize()
    cuda = torch.autograd.DeviceType.CUDA
    return [e.name for e in prof.events() if e.device_type == cuda and not e.name.startswith("Mem")]


def counters_of(peer, shape):
    """Counters of one call in a process of its own under ncu; or why there are none."""
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not os.path.exists(ncu):
        return None, "Nsight Compute (ncu) was not found."
    command = [ncu, "--csv", "--clock-control", "none", "--profile-from-start", "off", "--print-units", "base",
               "--metrics", ",".join(COUNTERS.values()), sys.executable, os.path.abspath(__file__), "--once", peer[0]]
    done = subprocess.run(command + shape.arguments(), capture_output=True, text=True, timeout=300)
    text = done.stdout[done.stdout.find('"ID"'):] if '"ID"' in done.stdout else ""
    sums = {}
    for row in csv.DictReader(io.StringIO(text)):
        for member, metric in COUNTERS.items():
            if row.get("Metric Name") == metric:
                sums[member] = sums.get(member, 0.0) + float(row["Metric Value"].replace(",", ""))
    if not sums:
        return None, "ncu gave no counters: " + (done.stdout + done.stderr).strip().splitlines()[-1][:200]
    return sums, ""


def version_number(words):
    major, minor = (words.split(".") + ["0"])[:2]
    return int(major) * 1000 + int(minor) * 10


def provenance():
    p = torch.cuda.get_device_properties(0)
    return {"gpu": p.name, "major": p.major, "minor": p.minor, "multiprocessors": p.multi_processor_count,
            "memory_bytes": p.total_memory, "l2_bytes": p.L2_cache_size, "driver": 0,
            "cuda": version_number(torch.version.cuda),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "program": "record-peers.py",
            "note": f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}; times by triton.testing.do_bench,"
                    " counters by ncu"}


def result_of(shape):
    q, k, v = shape.inputs()
    kernels = []
    for peer in PEERS:
        name, label, nearest, _ = peer
        out = {"kernel": nearest, "label": label}
        try:
            call = call_of(peer, shape, q, k, v)
            out["errors"] = errors_of(call(), shape, q, k, v)
            if out["errors"]["passed"]:
                out["launched"] = launched_by(call)
                out["timing"] = timing_of(call)
        except RuntimeError as error:
            out = {"kernel": nearest, "label": label, "refused": str(error).splitlines()[0]}
        kernels.append(out)
        print(shape.n, label, out.get("timing", {}).get("median"), file=sys.stderr)
    del q, k, v
    torch.cuda.empty_cache()
    for peer, out in zip(PEERS, kernels):
        if "timing" in out:
            counters, why = counters_of(peer, shape)
            out.update({"counters": counters} if counters else {"no_counters": why})
    problem = {"batch": shape.batch, "heads": shape.heads, "n_q": shape.n, "n_k": shape.n, "d": shape.d, "br": 128,
               "bc": 128, "mask": "causal" if shape.causal else "full", "align": "bottom-right", "format": "fp16",
               "arithmetic": "exact", "distribution": "normal", "seed": 4, "scale": 0.0}
    spec = {"problem": problem, "inputs": {"kind": "generated", "source": "torch.randn", "hash": "0" * 16},
            "kernels": [p[2] for p in PEERS], "warmups": 1, "launches": 1, "flush_l2": True, "counters": True}
    return {"provenance": provenance(), "spec": spec, "kernels": kernels}


def once(name, shape):
    """One call between the profiler's marks, after one outside of them."""
    q, k, v = shape.inputs()
    call = call_of(next(p for p in PEERS if p[0] == name), shape, q, k, v)
    call()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    call()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("file", nargs="?", help="the recording to write")
    p.add_argument("--n", default="1024,4096,16384")
    p.add_argument("--d", type=int, default=128)
    p.add_argument("--causal", action="store_true")
    p.add_argument("--tokens", type=int, default=16384)
    p.add_argument("--hidden", type=int, default=2048)
    p.add_argument("--once", help=argparse.SUPPRESS)
    a = p.parse_args()
    shapes = [Shape(int(n), a.d, a.causal, a.tokens, a.hidden) for n in a.n.split(",")]
    if a.once:
        return once(a.once, shapes[0])
    if not a.file:
        p.error("FILE is missing.")
    results = [result_of(shape) for shape in shapes]
    lines = ",\n".join(json.dumps(result) for result in results)
    temporary = a.file + ".part"
    with open(temporary, "w", encoding="utf-8") as out:
        out.write('{"tilewalk_recording": {"major": 1, "minor": 0},\n"results": [\n' + lines + "\n]}\n")
    os.replace(temporary, a.file)


if __name__ == "__main__":
    main()
