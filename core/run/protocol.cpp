#include "core/run/protocol.h"

#include "core/run/ceilings_fields.h"
#include "core/run/message_lines.h"
#include "core/run/program_fields.h"

#include <fmt/format.h>

namespace tilewalk {

template <class Visitor, Like<KernelOffer> T>
void fields(Visitor& visit, T& o) {
  visit("kernel", o.kernel);
  visit.maybe("unavailable", o.unavailable);
}

template <class Visitor, Like<Hello> T>
void fields(Visitor& visit, T& h) {
  visit("program", h.program);
  visit("trouble", h.trouble);
  visit.maybe("reason", h.reason);
  visit("gpu", h.gpu);
  visit.maybe("memory_free", h.memory_free);
  visit.maybe("busy", h.busy);
  visit("kernels", h.kernels);
  visit.maybe("no_counters", h.no_counters);
}

template <class Visitor, Like<Progress> T>
void fields(Visitor& visit, T& p) {
  visit("id", p.id);
  visit("kernel", p.kernel);
  visit.maybe("switch", p.with);
  visit("stage", p.stage);
  visit("done", p.done);
  visit("of", p.of);
}

template <class Visitor, Like<Partial> T>
void fields(Visitor& visit, T& p) {
  visit("id", p.id);
  visit("result", p.result);
}

template <class Visitor, Like<Done> T>
void fields(Visitor& visit, T& d) {
  visit("id", d.id);
  visit.maybe("cancelled", d.cancelled);
  visit("result", d.result);
}

template <class Visitor, Like<Failure> T>
void fields(Visitor& visit, T& f) {
  visit("id", f.id);
  visit("code", f.code);
  visit("message", f.message);
  visit.maybe("needed", f.needed);
  visit.maybe("free", f.free);
  visit.maybe("largest_n", f.largest_n);
}

template <class Visitor, Like<RunRequest> T>
void fields(Visitor& visit, T& r) {
  visit("id", r.id);
  visit("spec", r.spec);
  visit.maybe("anyway", r.anyway);
}

template <class Visitor, Like<CeilingDone> T>
void fields(Visitor& visit, T& d) {
  visit("id", d.id);
  visit("done", d.done);
  visit("of", d.of);
  visit("ceiling", d.ceiling);
}

template <class Visitor, Like<CeilingsDone> T>
void fields(Visitor& visit, T& d) {
  visit("id", d.id);
  visit.maybe("cancelled", d.cancelled);
  visit("result", d.result);
}

template <class Visitor, Like<CeilingsRequest> T>
void fields(Visitor& visit, T& r) {
  visit("id", r.id);
  visit.maybe("anyway", r.anyway);
}

template <class Visitor, Like<ProgramRequest> T>
void fields(Visitor& visit, T& r) {
  visit("id", r.id);
  visit("spec", r.spec);
  visit.maybe("anyway", r.anyway);
}

template <class Visitor, Like<ProgramDone> T>
void fields(Visitor& visit, T& d) {
  visit("id", d.id);
  visit.maybe("cancelled", d.cancelled);
  visit("run", d.run);
}

template <class Visitor, Like<CancelRequest> T>
void fields(Visitor& visit, T& r) {
  visit("id", r.id);
}

template <class Visitor, Like<QuitRequest> T>
void fields(Visitor&, T&) {}

namespace {

// The "type" of each message, in the order of the variants.
constexpr const char* kFromWorker[] = {"hello",   "progress", "partial",  "done",
                                       "failure", "ceiling",  "ceilings", "program"};
constexpr const char* kToWorker[] = {"run", "ceilings", "program", "cancel", "quit"};

template <class Variant, size_t Count>
std::string line_with(const Variant& message, const char* const (&names)[Count]) {
  Json out = json_of_message(message, names);
  if constexpr (std::is_same_v<Variant, FromWorker>)
    if (const Hello* hello = std::get_if<Hello>(&message)) out["protocol"] = hello->protocol;
  return line_of_json(out);
}

// A worker of another protocol still gets its number and program through, so that the app can say what to install.
struct ReadMessage : ReadFields {
  using ReadFields::operator();
  void operator()(const Json& json, Hello& hello) const {
    if (!json.contains("protocol")) throw JsonFault("protocol", "is missing");
    FieldReader::read(json["protocol"], "protocol", hello.protocol);
    if (hello.protocol == kProtocolVersion)
      FieldReader::read(json, "", hello);
    else if (json.contains("program"))
      FieldReader::read(json["program"], "program", hello.program);
  }
};

template <class Variant, size_t Count>
std::optional<Variant> message_of(std::string_view line, const char* const (&names)[Count], std::string_view from,
                                  std::string& fault) {
  try {
    return message_of_line<Variant>(line, names, kMostLine, ReadMessage{});
  } catch (const JsonFault& error) {
    fault = fmt::format("A line from {} cannot be used: {}.", from, error.what());
    return std::nullopt;
  }
}

}  // namespace

std::string line_of(const FromWorker& message) { return line_with(message, kFromWorker); }
std::string line_of(const ToWorker& message) { return line_with(message, kToWorker); }

std::optional<FromWorker> from_worker(std::string_view line, std::string& fault) {
  return message_of<FromWorker>(line, kFromWorker, "the GPU worker", fault);
}

std::optional<ToWorker> to_worker(std::string_view line, std::string& fault) {
  return message_of<ToWorker>(line, kToWorker, "the app", fault);
}

}  // namespace tilewalk
