#include "app/gpu/class_gpu.h"

#include "core/io/background.h"

#include <deque>
#include <map>
#include <mutex>
#include <utility>

namespace tilewalk {
namespace {

std::string with_id(int64_t id, const std::string& line) {
  std::string fault;
  std::optional<FromWorker> message = from_worker(line, fault);
  if (!message) return line;  // the reader will say why
  std::visit(
      [&](auto& each) {
        if constexpr (requires { each.id; }) each.id = id;
      },
      *message);
  return line_of(*message);
}

// What a worker says that stops before anything was measured.
FromWorker nothing_measured(const ToWorker& request, const Provenance& gpu) {
  if (const ProgramRequest* program = std::get_if<ProgramRequest>(&request)) {
    ProgramDone done{program->id, {}, true};
    done.run.provenance = gpu;
    done.run.spec = program->spec;
    return done;
  }
  const RunRequest& run = std::get<RunRequest>(request);
  return Done{run.id, {gpu, run.spec, {}}, true};
}

int64_t id_of(const ToWorker& request) {
  return std::visit(
      [](const auto& each) {
        if constexpr (requires { each.id; })
          return each.id;
        else
          return int64_t{0};
      },
      request);
}

}  // namespace

// An answer as it came: read, and given the asker's number, beside the window.
struct ClassGpu::Said {
  int64_t id = 0;
  std::string line;
};

struct ClassGpu::Mail {
  std::string hello;
  Provenance gpu;
  std::vector<ToWorker> asked;
  std::vector<Said> said;
  std::map<int64_t, ToWorker> on;  // requests that are not answered
  std::optional<RunPlace> place;

  bool settle(int64_t id) {  // false: nobody waits for it
    place.reset();
    return on.erase(id) > 0;
  }
};

class ClassGpu::Pipe : public WorkerPipe {
 public:
  Pipe(std::shared_ptr<Mail> mail, Reader reader, std::function<void()> wake)
      : mail_(std::move(mail)), reader_(std::move(reader)), wake_(std::move(wake)) {
    mail_->said = {{0, mail_->hello}};
  }

  void send(std::string line) override {
    std::string fault;
    std::optional<ToWorker> request = to_worker(line, fault);
    if (!request) return;
    if (const CancelRequest* cancel = std::get_if<CancelRequest>(&*request)) return stop(cancel->id);
    if (!std::holds_alternative<RunRequest>(*request) && !std::holds_alternative<ProgramRequest>(*request)) return;
    mail_->on.emplace(id_of(*request), *request);
    mail_->asked.push_back(*std::move(request));
  }
  void expect_large(bool) override {}

  std::vector<std::shared_ptr<const void>> take() override {
    std::vector<std::shared_ptr<const void>> out;
    const bool more = !mail_->said.empty();
    {
      const std::lock_guard lock(mutex_);
      for (Said& each : mail_->said) unread_.push_back(std::move(each));
      out = std::exchange(read_, {});
    }
    mail_->said.clear();
    if (more) background_.wake();
    return out;
  }
  std::optional<ChildEnd> ended() const override { return std::nullopt; }
  std::string last_error() const override { return {}; }
  std::vector<std::string> last_errors() const override { return {}; }
  std::string last_rubbish() const override { return {}; }
  void end() override {
    while (!mail_->on.empty()) stop(mail_->on.begin()->first);
    mail_->said.clear();
  }
  bool reaped() const override { return true; }
  int pid() const override { return -1; }
  std::optional<RunPlace> place() const override { return mail_->place; }

 private:
  void stop(int64_t id) {
    const auto request = mail_->on.find(id);
    if (request == mail_->on.end()) return;
    mail_->asked.push_back(CancelRequest{id});
    mail_->said.push_back({id, line_of(nothing_measured(request->second, mail_->gpu))});
    mail_->settle(id);
  }

  bool read_one() {
    Said said;
    {
      const std::lock_guard lock(mutex_);
      if (unread_.empty()) return false;
      said = std::move(unread_.front());
      unread_.pop_front();
    }
    std::shared_ptr<const void> heard = reader_(with_id(said.id, said.line));
    {
      const std::lock_guard lock(mutex_);
      if (heard) read_.push_back(std::move(heard));
    }
    if (wake_) wake_();
    return true;
  }

  std::shared_ptr<Mail> mail_;
  Reader reader_;
  std::function<void()> wake_;
  std::mutex mutex_;  // of the two that follow
  std::deque<Said> unread_;
  std::vector<std::shared_ptr<const void>> read_;
  Background background_{[this] { return read_one(); }};  // ends first
};

ClassGpu::ClassGpu(std::string hello) : mail_(std::make_shared<Mail>()) {
  std::string fault;
  if (const auto message = from_worker(hello, fault))
    if (const Hello* said = std::get_if<Hello>(&*message)) mail_->gpu = said->gpu;
  mail_->hello = std::move(hello);
}

const std::string& ClassGpu::hello() const { return mail_->hello; }

std::vector<ToWorker> ClassGpu::take_asked() { return std::exchange(mail_->asked, {}); }

void ClassGpu::waits(int64_t id, const RunPlace& place) {
  if (mail_->on.contains(id)) mail_->place = place;
}

void ClassGpu::answered(int64_t id, std::string line) {
  if (mail_->settle(id)) mail_->said.push_back({id, std::move(line)});
}

void ClassGpu::refused(int64_t id, std::string why) {
  if (mail_->settle(id)) mail_->said.push_back({id, line_of(FromWorker(Failure{id, "request", std::move(why)}))});
}

std::unique_ptr<WorkerPipe> ClassGpu::open(WorkerPipe::Reader reader, std::function<void()> wake) {
  return std::make_unique<Pipe>(mail_, std::move(reader), std::move(wake));
}

void carry_runs(Attendance& with, ClassGpu& gpu) {
  for (Attendance::RunNews& news : with.take_runs())
    if (news.waits)
      gpu.waits(news.id, {size_t(news.waits->ahead), news.waits->seconds, news.waits->running, news.waits->starting});
    else if (news.refused.empty())
      gpu.answered(news.id, std::move(news.line));
    else
      gpu.refused(news.id, std::move(news.refused));
  for (ToWorker& asked : gpu.take_asked())
    if (RunRequest* run = std::get_if<RunRequest>(&asked))
      with.ask_run(run->id, std::move(run->spec));
    else if (ProgramRequest* program = std::get_if<ProgramRequest>(&asked))
      with.ask_program(program->id, std::move(program->spec));
    else if (const CancelRequest* cancel = std::get_if<CancelRequest>(&asked))
      with.cancel_run(cancel->id);
}

}  // namespace tilewalk
