#include "core/run/ceilings.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/run/ceilings_fields.h"
#include "core/run/run_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tilewalk {
namespace {

using enum CeilingId;

constexpr std::array<CeilingInfo, kCeilingCount> kCeilings{{
    {DramCopy, "dram-copy", "DRAM, copy", CeilingUnit::Bytes, false, 8, 0, false},
    {DramRead, "dram-read", "DRAM, read", CeilingUnit::Bytes, false, 8, 0, false},
    {L2Read, "l2-read", "L2 to SM", CeilingUnit::Bytes, false, 8, 0, false},
    {SharedRead, "shared-read", "shared memory, read", CeilingUnit::Bytes, true, 8, 0, false},
    {Wgmma, "wgmma", "matrix products, wgmma", CeilingUnit::Flop, true, 9, 0, true},
    {MmaSync, "mma-sync", "matrix products, mma.sync", CeilingUnit::Flop, true, 8, 0, false},
    {Exponential, "exp2", "exponentials", CeilingUnit::Exponentials, true, 8, 0, false},
    {Fp32, "fp32", "fp32 multiply-adds", CeilingUnit::Flop, true, 8, 0, false},
    {Launch, "launch", "kernel launches", CeilingUnit::Launches, false, 8, 0, false},
}};

constexpr bool in_order() {
  for (size_t k = 0; k < kCeilings.size(); ++k)
    if (kCeilings[k].id != CeilingId(k)) return false;
  return true;
}
static_assert(in_order(), "info_of() indexes the table by CeilingId");

constexpr const char* kCeilingsHead = "tilewalk_ceilings";

}  // namespace

std::span<const CeilingInfo> ceilings() { return kCeilings; }
const CeilingInfo& info_of(CeilingId id) { return kCeilings[size_t(id)]; }

std::optional<CeilingId> ceiling_named(std::string_view key) {
  for (const CeilingInfo& info : kCeilings)
    if (info.key == key) return info.id;
  return std::nullopt;
}

const Ceiling* Ceilings::find(CeilingId id) const {
  for (const Ceiling& ceiling : ceilings)
    if (ceiling.id == id) return &ceiling;
  return nullptr;
}

double per_clock(const CeilingRate& rate, const Provenance& gpu) {
  const double clocks = rate.clock * 1e6 * gpu.multiprocessors;
  return clocks > 0 ? rate.median / clocks : 0;
}

void check(const CeilingRate& r, const std::string& place) {
  for (const auto& [name, value] : {std::pair("median", r.median), {"p10", r.p10}, {"p90", r.p90}, {"clock", r.clock}})
    if (!(value >= 0) || std::isinf(value))
      throw JsonFault(place + "." + name, fmt::format("must be finite and not below zero, and is {}", value));
  if (r.p10 <= 0 || r.count < 1)
    throw JsonFault(place, fmt::format("says {} a second from {} launches, which cannot be", r.p10, r.count));
  if (r.p10 > r.median || r.median > r.p90) throw JsonFault(place, "must go up from p10 over median to p90");
}

void check(const Ceiling& c, const std::string& place) {
  if (c.unavailable.empty() != (c.rested && c.sustained))
    throw JsonFault(place, "must have both rates, or say why it is unavailable");
}

void check(const Ceilings& c, const std::string& place) {
  for (size_t k = 0; k < c.ceilings.size(); ++k)
    if (c.find(c.ceilings[k].id) != &c.ceilings[k])
      throw JsonFault(fmt::format("{}ceilings[{}]", place.empty() ? "" : place + ".", k),
                      fmt::format("is \"{}\" once more", info_of(c.ceilings[k].id).key));
}

std::string ceilings_text(const Ceilings& measured) {
  const auto line = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  const Json schema = FieldWriter::write(Schema{Ceilings::kSchemaMajor, Ceilings::kSchemaMinor});
  std::string out = fmt::format("{{\"{}\": {},\n\"provenance\": {},\n\"ceilings\": [", kCeilingsHead, line(schema),
                                line(FieldWriter::write(measured.provenance)));
  for (size_t k = 0; k < measured.ceilings.size(); ++k)
    out += fmt::format("{}\n {}", k ? "," : "", line(FieldWriter::write(measured.ceilings[k])));
  return out + "]}\n";
}

std::optional<Ceilings> read_ceilings(std::string_view text, std::string& fault) {
  try {
    const Json json = parse_limited(text);
    check_schema(json, kCeilingsHead, "is no file of ceilings", Ceilings::kSchemaMajor, Ceilings::kSchemaMinor);
    Ceilings out;
    FieldReader::read(json, "", out);
    return out;
  } catch (const JsonFault& error) {
    fault = error.what();
    return std::nullopt;
  }
}

Ceilings load_ceilings(const std::filesystem::path& path) {
  std::string fault;
  auto measured = read_ceilings(read_file(path, kMostRecording), fault);
  if (!measured) throw IoError(fmt::format("{}: {}.", printable_path(path), fault));
  return std::move(*measured);
}

void save_ceilings(const std::filesystem::path& path, const Ceilings& measured) {
  write_file(path, ceilings_text(measured));
}

}  // namespace tilewalk
