#include "tests/classroom/class_learners.h"

#include "app/gpu/run_plan.h"
#include "core/classroom/attendance.h"
#include "core/roofline/drawing.h"
#include "tests/classroom/page_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <poll.h>

namespace tilewalk {
namespace {

RunSpec small_run(uint64_t seed) {
  RunSpec spec;
  Problem& p = spec.problem;
  p.n_q = p.n_k = 512;
  p.d = 64;
  p.heads = 16;
  p.br = p.bc = 64;
  p.seed = seed;
  spec.kernels = {Method::Fa2};
  spec.inputs.hash = input_hash(spec);
  return spec;
}

class Learner {
 public:
  Learner(int port, const std::string& code, uint64_t seed) : port_(port), with_({code, "", ""}), random_(seed) {
    runs_at_ = between(20, 200);
  }

  void turn(double now) {
    connect(now);
    if (!wire_) return;
    wire_->read(0);
    for (const std::string& line : std::exchange(wire_->messages, {})) with_.heard(line);
    for (const auto& news : with_.take_runs()) answered_ += !news.line.empty(), refused_ += !news.refused.empty();
    if (with_.in()) act(now);
    for (const std::string& line : with_.take_out()) wire_->send_text(line);
    if (!wire_->open() || now > lost_at_) with_.ended(now), wire_.reset(), lost_at_ = 1e18;
  }

  const Attendance& with() const { return with_; }
  int votes() const { return votes_; }
  int answered() const { return answered_; }
  int refused() const { return refused_; }
  int losses() const { return losses_; }
  bool locked() const { return locked_; }

 private:
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }

  void connect(double now) {
    if (!with_.wants_connection(now)) return;
    with_.connecting();
    wire_ = std::make_unique<PageClient>(port_);
    if (wire_->upgraded()) with_.opened();
    if (losses_ < 2 && between(0, 1) < 0.1) lost_at_ = now + between(30, 300), ++losses_;
  }
  void act(double now) {
    if (with_.led().step > 0) with_.stands_at(with_.led().link, false);
    if (!with_.gpu().empty() && !ran_ && now - began_ > runs_at_) ran_ = true, with_.ask_run(1, small_run(random_()));
    draw(now);
    const auto& poll = with_.poll();
    if (!poll || !poll->open || with_.my_vote()) return void(answers_at_ = 0);
    if (answers_at_ == 0) answers_at_ = now + between(1, 15);
    if (now < answers_at_) return;
    ++votes_;
    if (poll->asked.options == 0)
      with_.vote(-1, std::exp2(between(-1, 1)) * 4, Sure::Rather);
    else  // after talking it over more of them agree
      with_.vote(between(0, 1) < 0.3 + 0.3 * poll->round ? 1 % poll->asked.options
                                                         : int(between(0, poll->asked.options - 0.01)),
                 std::nullopt, Sure(int(between(0, 2.99))));
  }

  // On the board as it opens: what H100's roofs are taken for, and where FA2 is put under them.
  void draw(double now) {
    if (locked_ || !with_.led().link.starts_with("tilewalk://board/draw")) return;
    if (draws_at_ == 0) draws_at_ = now + between(10, 60);
    if (now < draws_at_) return;
    Drawing drawing;
    drawing.roofs = {{Roof::Dram, 3.35e12 * std::exp2(between(-1, 1))},
                     {Roof::Tensor, 989e12 * std::exp2(between(-1, 1))}};
    drawing.points = {{.method = Method::Fa2, .intensity = 2000 * std::exp2(between(-3, 1))}};
    locked_ = with_.lock_roofline({"8192.128.h100", words_of_roofs(drawing), words_of_points(drawing)});
  }

  int port_;
  Attendance with_;
  std::mt19937_64 random_;
  std::unique_ptr<PageClient> wire_ = nullptr;
  double began_ = steady_seconds(), runs_at_ = 0, answers_at_ = 0, draws_at_ = 0, lost_at_ = 1e18;
  bool ran_ = false, locked_ = false;
  int votes_ = 0, answered_ = 0, refused_ = 0, losses_ = 0;
};

}  // namespace

int play_learners(int port, const std::string& code, int pages, double seconds) {
  std::vector<Learner> all;
  for (int k = 0; k < pages; ++k) all.emplace_back(port, code, uint64_t(k + 1));
  const auto over = [](const Learner& page) {
    return page.with().state() == Attendance::State::Over || page.with().state() == Attendance::State::Refused;
  };
  int64_t step = 0;
  for (const double until = steady_seconds() + seconds; steady_seconds() < until; poll(nullptr, 0, 5)) {
    for (Learner& page : all) page.turn(steady_seconds());
    for (const Learner& page : all) step = std::max(step, page.with().led().step);
    if (std::ranges::all_of(all, over)) break;
  }
  int votes = 0, answered = 0, refused = 0, losses = 0, drawn = 0, behind = 0;
  for (const Learner& page : all) {
    votes += page.votes(), answered += page.answered(), refused += page.refused(), losses += page.losses();
    drawn += page.locked();
    behind += page.with().led().step != step;
  }
  fmt::print(
      "{} pages, {} steps of the class: {} not at the last; {} votes, {} runs answered and {} refused, {} "
      "rooflines locked, {} connections lost on purpose; {}\n",
      pages, step, behind, votes, answered, refused, drawn, losses,
      std::ranges::all_of(all, over) ? all[0].with().why() : "the class goes on");
  return behind == 0 && refused == 0 ? 0 : 1;
}

}  // namespace tilewalk
