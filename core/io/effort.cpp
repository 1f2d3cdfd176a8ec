#include "core/io/effort.h"

namespace tilewalk {

thread_local Effort* Effort::innermost_ = nullptr;

namespace {
constexpr int64_t kBetweenLooks = 4096;  // units between two looks at the flags of other threads
}

Effort::Effort(int64_t units, const std::atomic<bool>* stop)
    : units_(units), left_(units), next_look_(units), stop_(stop), outer_(innermost_) {
  innermost_ = this;
}

Effort::~Effort() {
  innermost_ = outer_;
  if (outer_) outer_->left_ -= spent();  // says so at its own next spend()
}

void Effort::spend(int64_t units) {
  Effort* effort = innermost_;
  if (!effort) return;
  effort->left_ -= units;
  if (effort->left_ < 0) throw Spent();
  if (effort->left_ > effort->next_look_) return;
  effort->next_look_ = effort->left_ - kBetweenLooks;
  effort->look_around();
}

int64_t Effort::left() { return innermost_ ? innermost_->left_ : kUnbounded; }

bool Effort::first_time(const std::string& name) {
  return innermost_ && innermost_->ledger_ && innermost_->ledger_->insert(name).second;
}

void Effort::stop_if_wanted() {
  if (innermost_) innermost_->look_around();
}

void Effort::look_around() const {
  for (const Effort* effort = this; effort; effort = effort->outer_)
    if (effort->stop_ && effort->stop_->load(std::memory_order_relaxed)) throw Stopped();
}

}  // namespace tilewalk
