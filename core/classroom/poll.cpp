#include "core/classroom/poll.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk {

std::string Poll::vote(uint64_t voter, const Vote& vote) {
  if (!open_) return "The question is closed.";
  if (asked_.options > 0 && (vote.option < 0 || vote.option >= asked_.options))
    return fmt::format("The question has {} options; this vote names none of them.", asked_.options);
  if (asked_.options == 0 && !(vote.number && std::isfinite(*vote.number)))
    return "The question asks for a number; this vote has none.";
  Vote& kept = votes_[voter] = vote;
  if (kept.number && *kept.number == 0) kept.number = 0;  // and not minus that
  return {};
}

std::optional<Vote> Poll::take_back(uint64_t voter) {
  const std::optional<Vote> vote = open_ ? vote_of(voter) : std::nullopt;
  if (vote) votes_.erase(voter);
  return vote;
}

std::optional<Vote> Poll::vote_of(uint64_t voter) const {
  const auto found = votes_.find(voter);
  return found == votes_.end() ? std::nullopt : std::optional(found->second);
}

Tally Poll::tally() const {
  Tally out;
  out.options.resize(size_t(asked_.options));
  for (const auto& [voter, vote] : votes_) {
    ++out.votes;
    if (asked_.options > 0)
      ++out.options[size_t(vote.option)][size_t(vote.sure)];
    else
      out.numbers.push_back(*vote.number);
  }
  std::ranges::sort(out.numbers);
  return out;
}

void Poll::close() {
  if (!open_) return;
  rounds_.back() = tally();
  votes_.clear();
  open_ = false;
}

void Poll::ask_again() {
  close();
  rounds_.emplace_back();
  open_ = true;
  counted_ = told_ = false;
}

std::vector<Tally> Poll::rounds() const {
  std::vector<Tally> all = rounds_;
  if (open_ && !all.empty()) all.back() = tally();
  return all;
}

Poll::Kept Poll::kept() const { return {asked_, rounds_, votes_, open_, counted_, told_}; }

Poll::Poll(Kept kept)
    : asked_(std::move(kept.asked)),
      rounds_(std::move(kept.rounds)),
      votes_(std::move(kept.votes)),
      open_(kept.open),
      counted_(kept.counted),
      told_(kept.told) {}

}  // namespace tilewalk
