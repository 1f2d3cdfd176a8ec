#include "app/shell/desktop/class_wire.h"

#include "core/run/protocol.h"

#include <libwebsockets.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr const char* kProtocol = "tilewalk-class";
// A server that is gone without a word is asked after 20 s of silence, and given up 25 s later.
constexpr lws_retry_bo_t kAlive{nullptr, 0, 0, 20, 45, 0};

class Wire : public ClassSocket {
 public:
  explicit Wire(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~Wire() override {
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
    }
    stir();
    if (thread_.joinable()) thread_.join();
  }

  void open(const std::string& address) override {
    {
      const std::lock_guard lock(mutex_);
      wanted_ = address;
      ++generation_;
      out_.clear();
      in_.clear();
    }
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
    stir();
  }
  void close() override {
    {
      const std::lock_guard lock(mutex_);
      wanted_.clear();
      ++generation_;
      out_.clear();
      in_.clear();
    }
    stir();
  }
  void send(const std::string& line) override {
    {
      const std::lock_guard lock(mutex_);
      out_.push_back(line);
    }
    stir();
  }
  std::vector<ClassEvent> take() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(in_, {});
  }

 private:
  void stir() {
    if (lws_context* made = context_.load()) lws_cancel_service(made);
  }

  // ---- in the thread

  void serve() {
    lws_set_log_level(0, nullptr);
    const lws_protocols protocols[] = {{kProtocol, on_event, 0, size_t{64} << 10, 0, nullptr, 0},
                                       {nullptr, nullptr, 0, 0, 0, nullptr, 0}};
    lws_context_creation_info info{};
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = protocols;
    info.user = this;
    info.gid = info.uid = gid_t(-1);
    info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info.retry_and_idle_policy = &kAlive;
    info.connect_timeout_secs = 8;
    lws_context* made = lws_create_context(&info);
    context_ = made;
    while (made && !stops()) {
      keep_to_wish(made);
      if (lws_service(made, 0) < 0) break;
    }
    context_ = nullptr;
    if (made) lws_context_destroy(made);
    if (!made) tell(ClassEvent::Kind::Ended, {});
  }

  bool stops() {
    const std::lock_guard lock(mutex_);
    return quit_;
  }

  // What is open is what was asked for last.
  void keep_to_wish(lws_context* made) {
    std::string address;
    {
      const std::lock_guard lock(mutex_);
      if (opened_ == generation_) {
        if (established_ && wsi_ && !out_.empty()) lws_callback_on_writable(wsi_);
        return;
      }
      opened_ = generation_;
      address = wanted_;
    }
    if (wsi_) lws_set_timeout(wsi_, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    wsi_ = nullptr;
    established_ = false;
    heard_.clear();
    if (!address.empty() && !connect(made, address)) tell(ClassEvent::Kind::Ended, {});
  }

  bool connect(lws_context* made, std::string address) {
    const char *scheme = nullptr, *host = nullptr, *path = nullptr;
    int port = 0;
    if (lws_parse_uri(address.data(), &scheme, &host, &port, &path) != 0) return false;
    const bool safe = std::string_view(scheme) == "wss";
    if (port == 0) port = safe ? 443 : 80;
    const std::string whole_path = std::string("/") + path;
    const bool usual = port == (safe ? 443 : 80);
    const std::string named = usual ? std::string(host) : std::string(host) + ":" + std::to_string(port);
    lws_client_connect_info info{};
    info.context = made;
    info.address = host;
    info.port = port;
    info.path = whole_path.c_str();
    info.host = named.c_str();
    info.protocol = kProtocol;
    info.ssl_connection = safe ? LCCSCF_USE_SSL : 0;
    info.opaque_user_data = reinterpret_cast<void*>(opened_);
    info.retry_and_idle_policy = &kAlive;
    wsi_ = lws_client_connect_via_info(&info);
    return wsi_ != nullptr;
  }

  void tell(ClassEvent::Kind kind, std::string line) {
    {
      const std::lock_guard lock(mutex_);
      if (opened_ != generation_) return;  // of a connection that nobody wants any more
      in_.push_back({kind, std::move(line)});
    }
    wake_();
  }

  bool is_current(lws* wsi) const { return reinterpret_cast<uint64_t>(lws_get_opaque_user_data(wsi)) == opened_; }

  bool receive(lws* wsi, const char* bytes, size_t length) {
    if (heard_.size() + length > kMostLine) return false;
    heard_.append(bytes, length);
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0)
      tell(ClassEvent::Kind::Line, std::exchange(heard_, {}));
    return true;
  }

  bool write(lws* wsi) {
    std::string line;
    bool more = false;
    {
      const std::lock_guard lock(mutex_);
      if (out_.empty()) return true;
      line = std::move(out_.front());
      out_.pop_front();
      more = !out_.empty();
    }
    std::vector<unsigned char> buffer(LWS_PRE + line.size());
    std::ranges::copy(line, buffer.begin() + LWS_PRE);
    if (lws_write(wsi, buffer.data() + LWS_PRE, line.size(), LWS_WRITE_TEXT) < int(line.size())) return false;
    if (more) lws_callback_on_writable(wsi);
    return true;
  }

  void gone() {
    wsi_ = nullptr;
    established_ = false;
    heard_.clear();
    tell(ClassEvent::Kind::Ended, {});
  }

  static int on_event(lws* wsi, lws_callback_reasons reason, void*, void* in, size_t length) {
    Wire& wire = *static_cast<Wire*>(lws_context_user(lws_get_context(wsi)));
    const bool current = wire.wsi_ == wsi || (wsi && wire.is_current(wsi));
    switch (reason) {
      case LWS_CALLBACK_CLIENT_ESTABLISHED:
        if (!current) return -1;
        wire.established_ = true;
        wire.tell(ClassEvent::Kind::Opened, {});
        return 0;
      case LWS_CALLBACK_CLIENT_RECEIVE:
        return current && wire.receive(wsi, static_cast<const char*>(in), length) ? 0 : -1;
      case LWS_CALLBACK_CLIENT_WRITEABLE: return current && wire.write(wsi) ? 0 : -1;
      case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      case LWS_CALLBACK_CLIENT_CLOSED:
        if (current) wire.gone();
        return 0;
      default: return 0;
    }
  }

  std::function<void()> wake_;
  std::mutex mutex_;  // of the next five
  std::string wanted_;
  uint64_t generation_ = 0;
  bool quit_ = false;
  std::deque<std::string> out_;
  std::vector<ClassEvent> in_;
  std::atomic<lws_context*> context_{nullptr};
  // The thread's own; `opened_` is read under the lock.
  uint64_t opened_ = 0;
  lws* wsi_ = nullptr;
  bool established_ = false;
  std::string heard_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<ClassSocket> make_class_socket(std::function<void()> wake) {
  return std::make_unique<Wire>(std::move(wake));
}

}  // namespace tilewalk
