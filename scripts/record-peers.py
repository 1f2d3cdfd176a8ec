#!/usr/bin/env python3
"""Records PyTorch's attention back ends on this GPU, as a recording that Tilewalk opens.

For three shapes, forward: the time of each back end, taken as `tilewalk-gpu` takes it (single launches between two events, in
short bursts that are held back until they are queued, with rests between them; L2 holds what the launch before left),
the names of the CUDA kernels it launches, and its bytes by Nsight Compute where `ncu` is there and may read the
counters. With --backward for twelve shapes the backward pass alone, from O as the same back end left it, with --widths
forward for twelve shapes of d = 96 and 256; no bytes.
Results are checked against float64 on sampled rows first; one that fails has no time.

Needs torch with CUDA. Clocks and the driver's version need nvidia-ml-py.
Usage: record-peers.py [--backward | --widths] OUT.json
"""
import csv, datetime, io, json, shutil, statistics, subprocess, sys, time

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

TOKENS, HIDDEN = 16384, 2048  # B * N and H * d
SHAPES = [(1024, 128, False), (4096, 128, False), (4096, 64, True)]  # N, d, causal
# Label, the kernel whose algorithm it follows, PyTorch's name of the back end.
PEERS = [
    ("PyTorch eager", "standard", None),
    ("PyTorch mem-efficient", "fa2", SDPBackend.EFFICIENT_ATTENTION),
    ("PyTorch FA2", "fa2", SDPBackend.FLASH_ATTENTION),
    ("PyTorch cuDNN", "fa3", SDPBackend.CUDNN_ATTENTION),
]
BACKWARD_SHAPES = [(n, d, causal) for d in (128, 64) for causal in (False, True) for n in (1024, 4096, 16384)]
WIDTH_SHAPES = [(n, d, causal) for d in (96, 256) for causal in (False, True) for n in (1024, 4096, 16384)]
BACKWARD_PEERS = [
    ("PyTorch eager", "standard-backward", None),
    ("PyTorch FA2", "fa2-backward", SDPBackend.FLASH_ATTENTION),
    ("PyTorch cuDNN", "fa3-backward", SDPBackend.CUDNN_ATTENTION),
]
METRICS = {  # member of Counters: metric
    "dram_read": "dram__bytes_read.sum",
    "dram_written": "dram__bytes_write.sum",
    "l2_to_sm": "l1tex__m_xbar2l1tex_read_bytes.sum",
    "sm_to_l2": "l1tex__m_l1tex2xbar_write_bytes.sum",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "exponentials": "sm__inst_executed_pipe_xu.sum",
}
UNITS = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}  # anything else is a count
SEED = 4
WARMUPS = 10
NCU_SECONDS = 240
ROW_LIMIT, WHOLE_LIMIT = 2e-3, 1e-3  # relative L2 errors in fp16
BACKWARD_ROW_LIMIT = 4e-3  # eager rounds P, dP and dS to fp16 in memory, one after the other


def inputs(n, d):
    torch.manual_seed(SEED)
    return [torch.randn(TOKENS // n, HIDDEN // d, n, d, device="cuda", dtype=torch.float16) for _ in range(3)]


def attention(backend, q, k, v, causal):
    if backend is not None:
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    scores = (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5
    if causal:
        n = q.shape[-2]
        scores = scores.masked_fill(torch.ones(n, n, device=q.device, dtype=torch.bool).triu(1), float("-inf"))
    return torch.softmax(scores, -1) @ v


def errors(o, q, k, v, causal):
    """Against float64, on every 61st row of the first and the last head."""
    rows = torch.arange(0, q.shape[-2], 61, device=q.device)
    difference, wanted = [], []
    for b, h in ((0, 0), (q.shape[0] - 1, q.shape[1] - 1)):
        scores = q[b, h, rows].double() @ k[b, h].double().T * q.shape[-1] ** -0.5
        if causal:
            scores.masked_fill_(torch.arange(k.shape[-2], device=q.device) > rows[:, None], float("-inf"))
        exact = torch.softmax(scores, -1) @ v[b, h].double()
        difference.append(o[b, h, rows].double() - exact)
        wanted.append(exact)
    difference, wanted = torch.cat(difference), torch.cat(wanted)
    worst = (difference.norm(dim=-1) / wanted.norm(dim=-1)).max().item()
    whole = (difference.norm() / wanted.norm()).item()
    passed = worst <= ROW_LIMIT and whole <= WHOLE_LIMIT
    return {"rows": len(wanted), "worst_row": worst, "whole": whole, "lse": "nan", "passed": passed}


def gradients_of_head(q, k, v, d_o, causal):
    """(dQ, dK, dV) of one head in float64, each with what a relative error of one in each P and dS would make of its
    rows' lengths: dS = P (dP - D) may cancel to nothing, and what is left of it is then rounding."""
    q, k, v, d_o = (x.double() for x in (q, k, v, d_o))
    scale = q.shape[-1] ** -0.5
    scores = q @ k.T * scale
    if causal:
        scores.masked_fill_(torch.ones_like(scores, dtype=torch.bool).triu_(1), float("-inf"))
    p = torch.softmax(scores, -1)
    o, dp = p @ v, d_o @ v.T
    ds = p * (dp - (d_o * o).sum(-1, keepdim=True)) * scale
    size = (p * (dp.abs_() + (d_o * o).norm(dim=-1, keepdim=True)) * scale).square_()
    square = lambda x: x.square().sum(-1)
    return [(ds @ k, (size @ square(k)).sqrt()), (ds.T @ q, (size.T @ square(q)).sqrt()),
            (p.T @ d_o, (p.square().T @ square(d_o)).sqrt())]


def gradient_errors(gradients, q, k, v, d_o, causal):
    """Against float64, on every row of the first head: the largest of dQ, dK and dV."""
    worst = whole = 0.0
    exact = gradients_of_head(*(x[0, 0] for x in (q, k, v, d_o)), causal)
    for gradient, (wanted, size) in zip(gradients, exact):
        off = (gradient[0, 0].double() - wanted).norm(dim=-1)
        length = torch.hypot(wanted.norm(dim=-1), size)
        worst = max(worst, (off / length).max().item())
        whole = max(whole, (off.norm() / length.norm()).item())
    passed = worst <= BACKWARD_ROW_LIMIT and whole <= WHOLE_LIMIT
    return {"rows": q.shape[-2], "worst_row": worst, "whole": whole, "lse": 0, "passed": passed}


def nvml():
    """The library and the GPU's handle, or None."""
    try:
        import pynvml
        pynvml.nvmlInit()
        return pynvml, pynvml.nvmlDeviceGetHandleByIndex(0)
    except Exception:
        return None


def sm_clock():
    library = nvml()
    return library[0].nvmlDeviceGetClockInfo(library[1], library[0].NVML_CLOCK_SM) if library else 0


# Where each multiprocessor's clock stands, at out[%smid]: cycles and nanoseconds, as in kernels/worker/timing.cu.
SAMPLE = r"""
extern "C" __global__ void sample(long long* out) {
  unsigned sm;
  long long cycles, nanoseconds;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u64 %0, %%clock64; mov.u64 %1, %%globaltimer;" : "=l"(cycles), "=l"(nanoseconds));
  if (sm < 256) out[2 * sm] = cycles, out[2 * sm + 1] = nanoseconds;
}"""


class ClockMeter:
    """The SM clock over a burst, in MHz: what NVML says while one begins is the clock before the power limit acts."""

    def __init__(self):
        self.bursts = []
        try:
            self.kernel = torch.cuda._compile_kernel(SAMPLE, "sample")
        except Exception:  # a PyTorch without it: then the clock is not known
            self.kernel = None

    def sample(self, into):
        if self.kernel:
            self.kernel(grid=(256, 1, 1), block=(1, 1, 1), args=[into])

    def add(self, begin, end):
        both = [(a, b) for a, b in zip(begin.view(-1, 2).tolist(), end.view(-1, 2).tolist()) if a[1] and b[1] > a[1]]
        if both:
            self.bursts.append(statistics.median(1e3 * (b[0] - a[0]) / (b[1] - a[1]) for a, b in both))


def burst(call, count, meter, running=lambda: None):
    """Times of `count` launches in ms, queued while the GPU is kept waiting, so that none waits for the processor."""
    time.sleep(0.01)
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
    begin, end = torch.zeros(2, 512, dtype=torch.int64, device="cuda")
    torch.cuda._sleep(20_000_000)  # cycles, some 10 ms
    meter.sample(begin)
    for start, stop in events:
        start.record()
        call()
        stop.record()
    meter.sample(end)
    running()
    torch.cuda.synchronize()
    meter.add(begin, end)
    return [start.elapsed_time(stop) for start, stop in events]


def timing(call):
    """As kernels/worker/timing.cu: 10 launches to warm up, then at least 30, and as many as fill 300 ms."""
    each = min(min(burst(call, 1, ClockMeter())) for _ in range(WARMUPS))
    count = int(min(max(30, 300 / each, 3), max(3, 2000 / each), 1000))
    in_burst = int(min(max(10 / each, 1), 32))
    times, clocks, meter = [], [], ClockMeter()
    while len(times) < count:
        times += burst(call, min(in_burst, count - len(times)), meter, lambda: clocks.append(sm_clock()))
    times.sort()
    tenths = statistics.quantiles(times, n=10, method="inclusive")
    return {"median": statistics.median(times), "p10": tenths[0], "p90": tenths[-1], "best": times[0],
            "count": len(times), "warmups": WARMUPS, "flushed": False,
            "clock": statistics.median(meter.bursts) if meter.bursts else 0, "clock_before": clocks[0],
            "clock_after": clocks[-1]}


def launched(call):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        call()
        torch.cuda.synchronize()
    return [e.name for e in sorted(profile.events(), key=lambda e: e.time_range.start)
            if e.device_type == torch.autograd.DeviceType.CUDA]


def counters(shape, peer):
    """(Counters, why there are none), from this script run under ncu."""
    ncu = shutil.which("ncu")
    if not ncu:
        return None, "ncu was not found."
    # Eager attention holds gigabytes of scores: saving and restoring them for every pass takes longer than a new run.
    replay = "kernel" if PEERS[peer][2] is not None else "application"
    command = [ncu, "--csv", "--clock-control", "none", "--profile-from-start", "off", "--replay-mode", replay,
               "--metrics", ",".join(METRICS.values()), sys.executable, __file__, "--one", str(shape), str(peer)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=NCU_SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"ncu was not done after {NCU_SECONDS} s."
    table = "\n".join(line for line in run.stdout.splitlines() if line.startswith('"'))
    rows = list(csv.DictReader(io.StringIO(table)))
    sums = {}
    for member, metric in METRICS.items():
        values = [(r["Metric Value"].replace(",", ""), r["Metric Unit"]) for r in rows if r["Metric Name"] == metric]
        found = [float(value) * UNITS.get(unit, 1) for value, unit in values if value.replace(".", "").isdigit()]
        if found:
            sums[member] = sum(found)
    if not sums:
        return None, "ncu could not read the counters: " + (run.stdout + run.stderr).strip().splitlines()[-1][:200]
    return sums, ""


def profile_one(shape, peer):
    """The part that runs under ncu: one warm call, then one that is counted; ncu empties the caches itself."""
    n, d, causal = SHAPES[shape]
    q, k, v = inputs(n, d)
    attention(PEERS[peer][2], q, k, v, causal)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    attention(PEERS[peer][2], q, k, v, causal)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()


def forward_call(backend, n, d, causal):
    """(what is timed, what checks its result)"""
    q, k, v = inputs(n, d)
    return lambda: attention(backend, q, k, v, causal), lambda o: errors(o, q, k, v, causal)


def backward_call(backend, n, d, causal):
    q, k, v = (x.requires_grad_() for x in inputs(n, d))
    o = attention(backend, q, k, v, causal)
    d_o = torch.randn_like(o)  # laid out as O is: else FA2's form copies it in each call
    call = lambda: torch.autograd.grad(o, (q, k, v), d_o, retain_graph=True)
    return call, lambda gradients: gradient_errors(gradients, q.detach(), k.detach(), v.detach(), d_o, causal)


def record(path, backward=False, widths=False):
    counted = not backward and not widths
    device = torch.cuda.get_device_properties(0)
    library = nvml()
    version = tuple(int(x) for x in torch.version.cuda.split("."))
    provenance = {
        "gpu": device.name, "major": device.major, "minor": device.minor, "multiprocessors": device.multi_processor_count,
        "memory_bytes": device.total_memory, "l2_bytes": device.L2_cache_size,
        "driver": 0, "driver_version": library[0].nvmlSystemGetDriverVersion() if library else "", "cuda": version[0] * 1000 + version[1] * 10,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "program": "record-peers.py",
        "note": f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}; times of single launches, as "
                "this program's own; " + ("kernel names by the PyTorch profiler; the backward pass alone, by autograd"
                                          if backward else
                                          "kernel names by the PyTorch profiler; eager is softmax(Q K^T scale) V as "
                                          "written" if widths else
                                          "bytes and kernel names by ncu and the PyTorch profiler; eager is softmax(Q "
                                          "K^T scale) V as written: the scale is a pass of its own over S, and a mask "
                                          "is made in each call"),
    }
    results = []
    peers, prepare = (BACKWARD_PEERS, backward_call) if backward else (PEERS, forward_call)
    for n, d, causal in BACKWARD_SHAPES if backward else WIDTH_SHAPES if widths else SHAPES:
        kernels = []
        for label, algorithm, backend in peers:
            kernel = {"kernel": algorithm, "label": label}
            try:
                call, check = prepare(backend, n, d, causal)
                kernel["errors"] = check(call())
                kernel["launched"] = launched(call)
                if kernel["errors"]["passed"]:
                    kernel["timing"] = timing(call)
            except RuntimeError as error:
                kernel = {"kernel": algorithm, "label": label, "refused": str(error).splitlines()[0]}
            call = check = None
            torch.cuda.empty_cache()
            kernels.append(kernel)
            print(json.dumps({"N": n, "d": d, "causal": causal, **{x: kernel.get(x) for x in ("label", "timing", "refused")}}),
                  flush=True)
        problem = {"batch": TOKENS // n, "heads": HIDDEN // d, "n_q": n, "n_k": n, "d": d, "br": 64, "bc": 64,
                   "mask": "causal" if causal else "full", "align": "bottom-right", "format": "fp16",
                   "arithmetic": "kernel", "distribution": "normal", "seed": SEED, "scale": 0}
        spec = {"problem": problem, "inputs": {"kind": "generated", "hash": "0" * 16, "source": f"torch.randn, seed {SEED}"},
                "kernels": sorted({a for _, a, _ in peers}), "warmups": WARMUPS, "launches": 30, "counters": counted}
        results.append({"provenance": provenance, "spec": spec, "kernels": kernels})
        save(path, results)  # what there is, should the counters take too long
    if not counted:
        return
    for s, result in enumerate(results):
        for p, kernel in enumerate(result["kernels"]):
            if "refused" in kernel:
                continue
            found, why = counters(s, p)
            kernel.update({"counters": found} if found else {"no_counters": why})
            print(json.dumps({x: kernel.get(x) for x in ("label", "counters", "no_counters")}), flush=True)
            save(path, results)


def save(path, results):
    head = json.dumps({"major": 1, "minor": 0})
    lines = [f'{{"provenance": {json.dumps(r["provenance"])},\n"spec": {json.dumps(r["spec"])},\n"kernels": ['
             + ",".join("\n " + json.dumps(k) for k in r["kernels"]) + "]}" for r in results]
    with open(path, "w") as f:
        f.write(f'{{"tilewalk_recording": {head},\n"results": [\n' + ",\n".join(lines) + "]}\n")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        profile_one(int(sys.argv[2]), int(sys.argv[3]))
    elif len(sys.argv) == 3 and sys.argv[1] == "--backward" and not sys.argv[2].startswith("-"):
        record(sys.argv[2], backward=True)
    elif len(sys.argv) == 3 and sys.argv[1] == "--widths" and not sys.argv[2].startswith("-"):
        record(sys.argv[2], widths=True)
    elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        record(sys.argv[1])
    else:
        sys.exit(__doc__)
