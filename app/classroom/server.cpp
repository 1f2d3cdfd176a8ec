#include "app/classroom/server.h"

#include "app/classroom/silent.h"
#include "app/classroom/site.h"
#include "app/classroom/workers.h"
#include "core/io/file.h"

#include <fmt/format.h>
#include <libwebsockets.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

namespace tilewalk {
namespace {

constexpr const char* kProtocol = "tilewalk-class";
constexpr size_t kMostUnsent = size_t{8} << 20;  // bytes that wait for a page that does not read
constexpr int kTick = 100;                       // milliseconds
constexpr unsigned short kHeaders = 2048 + 256;
constexpr double kKeepEvery = 0.5;  // seconds between one writing of the class's file and the next
// Who says nothing for a while is asked whether it is there, and let go where it does not answer.
constexpr lws_retry_bo_t kAlive{nullptr, 0, 0, 20, 45, 0};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string header_of(lws* wsi, lws_token_indexes header) {
  const int length = lws_hdr_total_length(wsi, header);
  if (length <= 0 || length > 512) return {};
  std::string text(size_t(length) + 1, '\0');
  lws_hdr_copy(wsi, text.data(), length + 1, header);
  text.resize(size_t(length));
  return text;
}

// A page of another site says so; programs that are no browsers name none.
bool from_here(lws* wsi) {
  const std::string origin = header_of(wsi, WSI_TOKEN_ORIGIN), host = header_of(wsi, WSI_TOKEN_HOST);
  if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) <= 0) return true;
  const size_t begin = origin.find("://");
  return begin != origin.npos && !host.empty() && origin.substr(begin + 3) == host;
}

std::string peer_of(lws* wsi) {
  char name[64] = "";
  lws_get_peer_simple(wsi, name, sizeof name);
  return name;
}

// A proxy on this computer speaks for everybody: what holds for an address holds for none then.
bool is_this_computer(const std::string& address) {
  return address == "::1" || address.starts_with("127.") || address.starts_with("::ffff:127.");
}

}  // namespace

struct ClassServer::Loop {
  struct Link {
    lws* wsi = nullptr;
    std::string heard;  // a message whose end has not come
    std::deque<std::shared_ptr<const std::string>> unsent;
    size_t bytes = 0;
    bool last = false;  // the connection ends behind what is unsent
  };

  ServerSettings settings;
  std::function<void(const std::string&)> say;
  Site site;
  Room room;
  std::atomic<bool> stopped{false};
  std::atomic<lws_context*> context{nullptr};
  Workers workers;
  lws_vhost* vhost = nullptr;
  lws_protocols protocols[3];
  struct Timer {
    lws_sorted_usec_list_t due;  // first: it is what a timer's callback is given
    Loop* loop;
  } timer{{}, this};
  std::map<ConnId, Link> links;
  Silent<lws*> silent;
  ConnId next = 1;
  std::vector<char> buffer;
  uint64_t kept = 0, moves = 0;  // of the room, when it was written last
  double kept_at = -1000;
  std::string cert, key;  // as libwebsockets wants them: texts that stay

  Loop(ServerSettings all, std::string code, std::string teacher, std::function<void(const std::string&)> tell)
      : settings(std::move(all)),
        say(std::move(tell)),
        site(settings.site),
        room(
            std::move(code), std::move(teacher),
            [random = std::make_shared<std::random_device>()] {
              return (uint64_t((*random)()) << 32) | uint64_t((*random)());
            },
            settings.limits),
        workers(
            {.commands = settings.workers}, room, [this] { wake(); }, [this](const std::string& words) { say(words); }),
        protocols{{"http", on_http, sizeof(bool), 0, 0, nullptr, 0},
                  {kProtocol, on_class, sizeof(ConnId), kMostFromPage, 0, nullptr, 0},
                  {nullptr, nullptr, 0, 0, 0, nullptr, 0}} {
    resume();
    open();
  }
  ~Loop() {
    if (lws_context* made = context.exchange(nullptr)) lws_context_destroy(made);
  }

  void wake() {
    if (lws_context* made = context.load()) lws_cancel_service(made);
  }

  void resume() {
    std::error_code error;
    if (settings.keep.empty() || !std::filesystem::exists(settings.keep, error)) return;
    if (std::filesystem::is_empty(settings.keep, error)) return;
    if (const std::string fault = room.resume(read_file(settings.keep)); !fault.empty())
      throw std::runtime_error(fmt::format("{} Move {} away to begin a new class.", fault, settings.keep.string()));
    kept = room.changes();
    say(fmt::format("The class of {} goes on.", settings.keep.string()));
  }

  void open() {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
      files.rlim_cur = files.rlim_max;
      setrlimit(RLIMIT_NOFILE, &files);
    }
    static std::string fault;  // what libwebsockets says when it gives no context
    fault.clear();
    lws_set_log_level(LLL_ERR, [](int, const char* line) {
      fault = line;
      while (!fault.empty() && fault.back() == '\n') fault.pop_back();
    });
    lws_context_creation_info info{};
    info.port = settings.port;
    info.iface = settings.address == "0.0.0.0" ? nullptr : settings.address.c_str();
    info.protocols = protocols;
    info.user = this;
    info.gid = info.uid = gid_t(-1);
    info.retry_and_idle_policy = &kAlive;
    info.timeout_secs = 10;
    info.keepalive_timeout = 30;
    // A connection holds one until its handshake is over; as many as may be silent, and those of files besides.
    info.max_http_header_pool = kHeaders;
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    if (settings.address.find(':') == settings.address.npos) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    if (!settings.certificate.empty()) {
      cert = settings.certificate.string(), key = settings.key.string();
      info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
      info.ssl_cert_filepath = cert.c_str();
      info.ssl_private_key_filepath = key.c_str();
    }
    lws_context* made = lws_create_context(&info);
    vhost = made ? lws_get_vhost_by_name(made, "default") : nullptr;
    if (!made || !vhost || lws_get_vhost_listen_port(vhost) <= 0) {
      if (made) lws_context_destroy(made);
      throw std::runtime_error(
          fmt::format("The class cannot be served at {} port {}{}: choose another address or port with --listen{}.",
                      settings.address, settings.port, fault.empty() ? "" : " (" + fault + ")",
                      settings.certificate.empty() ? "" : ", and look at the certificate's files"));
    }
    context = made;
    tick();
  }

  // ---- time

  static void on_timer(lws_sorted_usec_list_t* timer) { reinterpret_cast<Timer*>(timer)->loop->tick(); }
  void tick() {
    const double now = seconds_now();
    workers.poll(now);
    room.tick(now);
    keep(now, false);
    flush();
    lws_sul_schedule(context.load(), 0, &timer.due, on_timer, kTick * LWS_US_PER_MS);
  }
  void keep(double now, bool at_once) {
    if (settings.keep.empty() || room.changes() == kept || (!at_once && now - kept_at < kKeepEvery)) return;
    kept_at = now;
    moves = room.moves();
    try {
      std::error_code ignored;  // write_file() says what is wrong
      if (!std::filesystem::exists(settings.keep, ignored)) {
        // It names the teacher's secret: its owner's alone before there is anything in it.
        write_file(settings.keep, "");
        std::filesystem::permissions(settings.keep,
                                     std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
      }
      write_file(settings.keep, room.file());
      kept = room.changes();
    } catch (const IoError& error) {
      say(fmt::format("The class is not kept: {}", error.what()));
      kept_at = now + 10;
    }
  }

  // ---- pages

  void flush() {
    for (Room::Out& out : room.take_out()) {
      const auto found = links.find(out.to);
      if (found == links.end() || found->second.last) continue;
      Link& link = found->second;
      link.bytes += out.text->size();
      link.unsent.push_back(std::move(out.text));
      link.last = out.close;
      if (link.bytes > kMostUnsent)
        lws_set_timeout(link.wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
      else
        lws_callback_on_writable(link.wsi);
    }
  }

  // A connection that nothing is known of yet.
  void knocks(lws* wsi) {
    const std::string address = peer_of(wsi);
    const auto goes = silent.came(wsi, is_this_computer(address) ? std::string() : network_of(address));
    if (goes) lws_set_timeout(*goes, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  }

  bool came(lws* wsi, ConnId& conn) {
    conn = next++;
    std::string address = peer_of(wsi);
    if (settings.log_addresses) say(fmt::format("A page connects from {}.", address));
    if (is_this_computer(address)) address = fmt::format("{}", conn);
    if (!room.opened(conn, std::move(address), seconds_now())) return false;
    links[conn].wsi = wsi;
    return true;
  }
  void went(ConnId conn) {
    if (links.erase(conn) == 0) return;
    room.closed(conn);
    flush();
  }
  // False: the connection is to end.
  bool heard(lws* wsi, ConnId conn, std::string_view part) {
    const auto found = links.find(conn);
    if (found == links.end() || lws_frame_is_binary(wsi)) return false;
    Link& link = found->second;
    if (link.last) return true;  // it was told, and is on its way out
    if (link.heard.size() + part.size() > kMostFromPage) return false;
    link.heard += part;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) return true;
    const std::string message = std::exchange(link.heard, {});
    room.said(conn, message, seconds_now());
    if (room.has_joined(conn)) silent.went(wsi);
    if (room.moves() != moves) keep(seconds_now(), true);  // before anybody is told
    flush();
    return true;
  }
  bool may_write(lws* wsi, ConnId conn) {
    const auto found = links.find(conn);
    if (found == links.end()) return false;
    Link& link = found->second;
    if (link.unsent.empty()) return !link.last;
    const std::shared_ptr<const std::string> text = std::move(link.unsent.front());
    link.unsent.pop_front();
    link.bytes -= text->size();
    buffer.resize(LWS_PRE + text->size());
    std::ranges::copy(*text, buffer.begin() + LWS_PRE);
    auto* bytes = reinterpret_cast<unsigned char*>(buffer.data()) + LWS_PRE;
    if (lws_write(wsi, bytes, text->size(), LWS_WRITE_TEXT) < int(text->size())) return false;
    if (!link.unsent.empty() || link.last) lws_callback_on_writable(wsi);
    return true;
  }

  static Loop& of(lws* wsi) { return *static_cast<Loop*>(lws_context_user(lws_get_context(wsi))); }

  static int on_class(lws* wsi, lws_callback_reasons reason, void* user, void* in, size_t length) {
    ConnId& conn = *static_cast<ConnId*>(user);
    switch (reason) {
      case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return from_here(wsi) ? 0 : -1;
      case LWS_CALLBACK_ESTABLISHED: return of(wsi).came(wsi, conn) ? 0 : -1;
      case LWS_CALLBACK_RECEIVE: return of(wsi).heard(wsi, conn, {static_cast<const char*>(in), length}) ? 0 : -1;
      case LWS_CALLBACK_SERVER_WRITEABLE: return of(wsi).may_write(wsi, conn) ? 0 : -1;
      case LWS_CALLBACK_CLOSED: return of(wsi).went(conn), 0;
      case LWS_CALLBACK_WSI_DESTROY: return of(wsi).silent.went(wsi), 0;
      default: return 0;
    }
  }

  // ---- files

  // The front page says that a class is here, so that it asks for the code: from memory, since no file of the site
  // does.
  int serve_front(lws* wsi) {
    unsigned char head[LWS_PRE + 1024];
    unsigned char *begin = head + LWS_PRE, *at = begin, *end = head + sizeof head;
    const auto header = [&](const char* name, std::string_view value) {
      return lws_add_http_header_by_name(wsi, reinterpret_cast<const unsigned char*>(name),
                                         reinterpret_cast<const unsigned char*>(value.data()), int(value.size()), &at,
                                         end) != 0;
    };
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "text/html; charset=utf-8", site.front().size(), &at, end) ||
        header("cache-control:", "no-cache") || header("x-content-type-options:", "nosniff") ||
        lws_finalize_write_http_header(wsi, begin, &at, end))
      return -1;
    *static_cast<bool*>(lws_wsi_user(wsi)) = true;
    lws_callback_on_writable(wsi);
    return 0;
  }
  int write_front(lws* wsi) {
    bool& waits = *static_cast<bool*>(lws_wsi_user(wsi));
    if (!std::exchange(waits, false)) return 0;
    buffer.resize(LWS_PRE + site.front().size());
    std::ranges::copy(site.front(), buffer.begin() + LWS_PRE);
    auto* bytes = reinterpret_cast<unsigned char*>(buffer.data()) + LWS_PRE;
    if (lws_write(wsi, bytes, site.front().size(), LWS_WRITE_HTTP_FINAL) < int(site.front().size())) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
  }

  int serve(lws* wsi, std::string_view path) {
    if (site.empty())
      return lws_return_http_status(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE,
                                    "The page for browsers is not here: ./run --web --no-serve builds it.");
    if (path == "/" || path == "/index.html") return serve_front(wsi);
    const SiteFile* file = site.find(path, header_of(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING));
    if (!file) return lws_return_http_status(wsi, HTTP_STATUS_NOT_FOUND, nullptr);
    std::string headers =
        file->lasting ? "cache-control: public, max-age=31536000, immutable\r\n" : "cache-control: no-cache\r\n";
    headers += "vary: accept-encoding\r\nx-content-type-options: nosniff\r\n";
    if (!file->encoding.empty()) headers += "content-encoding: " + file->encoding + "\r\n";
    const int sent =
        lws_serve_http_file(wsi, file->file.c_str(), file->type.c_str(), headers.c_str(), int(headers.size()));
    return sent < 0 || (sent > 0 && lws_http_transaction_completed(wsi)) ? -1 : 0;
  }

  static int on_http(lws* wsi, lws_callback_reasons reason, void* user, void* in, size_t length) {
    switch (reason) {
      case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: return of(wsi).knocks(wsi), 0;
      case LWS_CALLBACK_WSI_DESTROY: of(wsi).silent.went(wsi); break;
      case LWS_CALLBACK_HTTP: {
        of(wsi).silent.went(wsi);
        if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0) {
          const int left = lws_return_http_status(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, nullptr);
          return left;
        }
        const std::string path(static_cast<const char*>(in), length);
        return of(wsi).serve(wsi, path);
      }
      case LWS_CALLBACK_HTTP_WRITEABLE: return of(wsi).write_front(wsi);
      case LWS_CALLBACK_HTTP_FILE_COMPLETION: return lws_http_transaction_completed(wsi) ? -1 : 0;
      case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1;  // a WebSocket names its protocol
      case LWS_CALLBACK_EVENT_WAIT_CANCELLED: {
        Loop& loop = of(wsi);
        loop.workers.poll(seconds_now());
        loop.flush();
        return 0;
      }
      default: break;
    }
    return lws_callback_http_dummy(wsi, reason, user, in, length);
  }

  bool over() const { return stopped || (room.ended() && links.empty()); }
  void run() {
    while (!over() && lws_service(context.load(), 0) >= 0) {
    }
    keep(seconds_now(), true);
  }
};

ClassServer::ClassServer(ServerSettings settings, std::string code, std::string teacher,
                         std::function<void(const std::string&)> say)
    : loop_(std::make_unique<Loop>(std::move(settings), std::move(code), std::move(teacher), std::move(say))) {}
ClassServer::~ClassServer() = default;

int ClassServer::port() const { return lws_get_vhost_listen_port(loop_->vhost); }
const Room& ClassServer::room() const { return loop_->room; }
void ClassServer::invite(std::string join, std::vector<std::string> qr) {
  loop_->room.invite(std::move(join), std::move(qr));
}
void ClassServer::run() { loop_->run(); }
void ClassServer::stop() {
  loop_->stopped = true;
  loop_->wake();
}

bool can_serve_classes() { return true; }

}  // namespace tilewalk
