// Connections to a class that have not said yet who they are: in the midst of a handshake, or silent. They take no
// place from those who joined, and of too many the oldest goes first, so that an honest page, which takes a moment,
// gets in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tilewalk {

struct SilentLimits {
  size_t of_address = 64;
  size_t of_unknown = 1024;  // of this computer, where a proxy speaks for everybody
  size_t of_all = 2048;
};

template <class Connection>
class Silent {
 public:
  explicit Silent(SilentLimits limits = {}) : limits_(limits) {}

  // `address`: what connections are counted by (core/classroom/door.h, network_of); empty: not told apart. Returns the
  // one that has to go for it.
  std::optional<Connection> came(Connection connection, std::string address) {
    const size_t most = address.empty() ? limits_.of_unknown : limits_.of_address;
    auto& own = of_address_[address];
    std::optional<Connection> goes;
    if (own.size() >= most)
      goes = own.begin()->second;
    else if (all_.size() >= limits_.of_all)
      goes = all_.begin()->second.connection;
    const uint64_t turn = next_++;
    own.emplace(turn, connection);
    all_.emplace(turn, Each{connection, address});
    turns_[connection] = turn;
    if (goes) went(*goes);
    return goes;
  }
  // It joined, was given a file, or is gone.
  void went(Connection connection) {
    const auto turn = turns_.find(connection);
    if (turn == turns_.end()) return;
    const auto each = all_.find(turn->second);
    const auto own = of_address_.find(each->second.address);
    own->second.erase(turn->second);
    if (own->second.empty()) of_address_.erase(own);
    all_.erase(each);
    turns_.erase(turn);
  }
  size_t count() const { return all_.size(); }

 private:
  struct Each {
    Connection connection;
    std::string address;
  };
  SilentLimits limits_;
  uint64_t next_ = 1;
  std::map<uint64_t, Each> all_;  // by when they came
  std::map<std::string, std::map<uint64_t, Connection>> of_address_;
  std::map<Connection, uint64_t> turns_;
};

}  // namespace tilewalk
