// The worker program as the window starts it, with every GPU hidden: it starts anyway, says what is missing, survives
// rubbish and ends when it is told to.
#include "core/io/file.h"
#include "core/run/protocol.h"

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

namespace tilewalk::test_worker {
namespace {

struct Left {
  int code;
  std::string out, err;
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::istringstream text(out);
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }
};

// The shell gives the words to the program; `input` comes on standard input, which then ends.
Left worker(const std::string& words, const std::string& input = "") {
  char name[] = "/tmp/tilewalk-worker-XXXXXX";
  const std::filesystem::path folder = mkdtemp(name);
  write_file(folder / "in", input);
  const std::string command = "CUDA_VISIBLE_DEVICES= timeout 60 '" TILEWALK_GPU "' " + words + " <" + name + "/in >" +
                              name + "/out 2>" + name + "/err";
  const int status = std::system(command.c_str());
  Left left{WEXITSTATUS(status), read_file(folder / "out"), read_file(folder / "err")};
  std::filesystem::remove_all(folder);
  return left;
}

FromWorker message(const std::string& line) {
  std::string fault;
  const std::optional<FromWorker> read = from_worker(line, fault);
  REQUIRE_MESSAGE(read, fault << ": " << line);
  return *read;
}

bool has_driver() { return dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) != nullptr; }

std::string run_line() {
  RunRequest request{.id = 7, .spec = {}, .anyway = false};
  request.spec.problem = {.n_q = 64, .n_k = 64, .d = 32};
  request.spec.kernels = {Method::Fa2};
  return line_of(ToWorker(request));
}

}  // namespace

TEST_CASE("info says what is missing, and leaves with 3") {
  for (const char* words : {"info", "info --json"}) {
    const Left left = worker(words);
    CHECK(left.code == 3);
    CHECK(left.err.find(has_driver() ? "CUDA_VISIBLE_DEVICES" : "libcuda.so.1") != std::string::npos);
  }
  CHECK(worker("info --json").out.find(has_driver() ? "\"no-device\"" : "\"no-driver\"") != std::string::npos);
  for (const char* words :
       {"run --n 64", "try fa2", "try naive --n 64 --causal", "ladder", "ladder --switches",
        "try fa3 --without pingpong", "try fa2 --without skipping --causal", "try fa2 --with any-rise --d 64",
        "decode --sweep", "fp8", "fp8 --rotate --tensor-scale --inputs outliers --causal", "ceilings", "ring",
        "ring --gpus 4 --zigzag --causal --transfer nccl", "ring --sweep",
        "record /dev/null --real-head " TILEWALK_SOURCE_DIR "/assets/inputs/induction-head.safetensors"})
    CHECK(worker(words).code == 3);
}

TEST_CASE("options at fault leave with 2, unreadable files with 4") {
  for (const char* words : {"",
                            "run --n many",
                            "run --n 0",
                            "run --d 300",
                            "run --kernels fa9",
                            "try",
                            "try fa9",
                            "try fa1-0.1",
                            "try fa2 --n 0",
                            "try fa2 --kernels fa3",
                            "try fa2 --without pingpong",
                            "try fa3 --without swizzle",
                            "try fa3 --with pingpong",
                            "try fa3 --without skipping",
                            "try fa3 --with q128",
                            "try fa2 --with raised",
                            "try fa3 --without pingpong --format bf16",
                            "try fa3 --without pingpong --with q64",
                            "try fa3 --without pingpong --json --format bf16",
                            "try fa1 --without swizzle",
                            "decode --group 17",
                            "decode --d 96",
                            "decode --splits 129",
                            "decode --n 0",
                            "decode --format fp8",
                            "fp8 --n 0",
                            "fp8 --inputs small",
                            "fp8 --batch 70000",
                            "run --format fp32x",
                            "info --wrong",
                            "run --layer layer1",
                            "run --input /nowhere.npy --seed 5",
                            "run --input /nowhere.npy --n 64",
                            "record /dev/null --set all",
                            "ring --gpus 1",
                            "ring --gpus 3 --n 1000",
                            "ring --zigzag --gpus 4 --n 1004",
                            "ring --transfer mail",
                            "ring --kernel fa9",
                            "ring --stall 4@0 --gpus 4",
                            "ring --trap 1",
                            "ring --rounds 0",
                            "ring --limit 0",
                            "ring --spare -1",
                            "ring --format fp31"}) {
    CAPTURE(words);
    const Left left = worker(words);
    CHECK(left.code == 2);
    CHECK(left.err.find('.') != std::string::npos);
    CHECK(left.out.empty());
  }
  for (const char* words :
       {"run --input /nowhere.npy", "record /dev/null --set lessons --real-head /nowhere",
        "record /nowhere/x.json --real-head " TILEWALK_SOURCE_DIR "/assets/inputs/induction-head.safetensors"}) {
    CAPTURE(words);
    CHECK(worker(words).code == 4);
  }
}

TEST_CASE("the ladder's tables come out of a recording without a GPU, or it is said what is missing") {
  const std::string folder = TILEWALK_SOURCE_DIR "/assets/recordings/";
  const Left rungs = worker("ladder --from " + folder + "h200-ladder.json"),
             switches = worker("ladder --switches --from " + folder + "h200-ladder.json"),
             other = worker("ladder --from " + folder + "h200-decode.json");
  CHECK(rungs.code == 0);
  CHECK(switches.code == 0);
  // The lines of kernels/README.md.
  const std::string page = read_file(TILEWALK_SOURCE_DIR "/kernels/README.md");
  std::istringstream lines(switches.out.substr(switches.out.find("| **fa2")));
  int rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) CHECK_MESSAGE(page.find(line) != std::string::npos, line);
  CHECK(rows > 50);
  CHECK(rungs.out.find("| [fa2](fa2.cu) |") != std::string::npos);
  CHECK(switches.out.find("| --with every-tile | ") != std::string::npos);
  CHECK(other.code == 4);
  CHECK(other.err.find("h200-decode.json") != std::string::npos);
  CHECK(other.err.find("record FILE --set ladder") != std::string::npos);
}

TEST_CASE("try names every switch, and a wrong name gets those that the kernel has") {
  const Left help = worker("try --help"), wrong = worker("try fa3 --without swizzle");
  for (const char* name : {"producer", "pingpong", "overlap", "one-stage", "skipping", "q64", "longest-first", "expf",
                           "polynomial", "risen", "raised", "rescale", "wrong-order", "max"}) {
    CAPTURE(name);
    CHECK(help.out.find(name) != std::string::npos);
    CHECK(wrong.err.find(name) != std::string::npos);
  }
  CHECK(help.out.find("swizzle") != std::string::npos);
}

TEST_CASE("a file's own format is taken, and numbers too large for another are refused") {
  // One head of one row of 8 numbers, 2^17 in bf16, as Q, K and V.
  const std::string header = R"({"x":{"dtype":"BF16","shape":[1,8],"data_offsets":[0,16]}})";
  std::string file(8, '\0');
  file[0] = char(header.size());
  file += header;
  for (int k = 0; k < 8; ++k) file += {'\0', '\x48'};
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tilewalk-large-" + std::to_string(getpid()) + ".safetensors");
  write_file(path, file);
  CHECK(worker("run --input " + path.string()).code == 3);  // fit to run, were there a GPU
  const Left left = worker("run --format fp16 --input " + path.string());
  CHECK(left.code == 2);
  CHECK(left.err.find("too large for fp16; take --format bf16.") != std::string::npos);
  std::filesystem::remove(path);
}

TEST_CASE("serve says hello first, with the trouble, and ends when its input does") {
  const Left left = worker("serve");
  CHECK(left.code == 0);
  REQUIRE(left.lines().size() == 1);
  const FromWorker first = message(left.lines()[0]);
  REQUIRE(std::holds_alternative<Hello>(first));
  const Hello& hello = std::get<Hello>(first);
  CHECK(hello.protocol == kProtocolVersion);
  CHECK(hello.trouble == (has_driver() ? GpuTrouble::NoDevice : GpuTrouble::NoDriver));
  CHECK(!hello.reason.empty());
  CHECK(!hello.no_counters.empty());
  CHECK(hello.kernels.size() == all_kernels().size());
  for (const KernelOffer& offer : hello.kernels) CHECK(!offer.unavailable.empty());
}

TEST_CASE("rubbish gets an answer each, and requests after it are answered") {
  std::string input = "rubbish\n{\"type\":\"dance\"}\n\xff\xfe\n\n[1,2]\n";
  input += run_line() + "\n{\"type\":\"cancel\",\"id\":99}\n{\"type\":\"ceilings\",\"id\":8}\n{\"type\":\"quit\"}\n";
  input += run_line() + "\n";
  const Left left = worker("serve", input);
  CHECK(left.code == 0);
  const std::vector<std::string> lines = left.lines();
  REQUIRE(lines.size() == 7);  // hello, four faults, the run and the ceilings; what follows quit is not read
  for (size_t k = 1; k < lines.size(); ++k) {
    const FromWorker answer = message(lines[k]);
    REQUIRE(std::holds_alternative<Failure>(answer));
    const Failure& failure = std::get<Failure>(answer);
    CHECK(failure.code == (k < 5 ? "request" : "launch"));
    CHECK(failure.id == (k < 5 ? 0 : k == 5 ? 7 : 8));
    CHECK(failure.message.ends_with('.'));
  }
}

TEST_CASE("a line that is too long is passed over") {
  const Left left = worker("serve", std::string(kMostLine + 100, 'x') + "\n" + run_line() + "\n");
  CHECK(left.code == 0);
  REQUIRE(left.lines().size() == 3);
  CHECK(left.lines()[1].find("\"request\"") != std::string::npos);
  CHECK(left.lines()[2].find("\"launch\"") != std::string::npos);
}

TEST_CASE("the program is linked against no library of NVIDIA's") {
  FILE* pipe = popen("ldd '" TILEWALK_GPU "'", "r");
  REQUIRE(pipe);
  std::string libraries;
  for (char chunk[4096]; size_t count = fread(chunk, 1, sizeof chunk, pipe);) libraries.append(chunk, count);
  CHECK(pclose(pipe) == 0);
  CHECK(libraries.find("libc.so") != std::string::npos);
  for (const char* name : {"libcuda", "libcupti", "libcublas", "libnvidia", "libnvperf"}) {
    CAPTURE(name);
    CHECK(libraries.find(name) == std::string::npos);
  }
}

}  // namespace tilewalk::test_worker
