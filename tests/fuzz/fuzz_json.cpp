// JSON changed as a tree: values that a reader may trip over, members gone, twice or a hundred thousand times, and
// nests.
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>

namespace tilewalk {
namespace {

using Json = nlohmann::ordered_json;

// Every place of the tree.
void places(Json& at, std::vector<Json*>& out) {
  out.push_back(&at);
  if (at.is_structured())
    for (Json& child : at) places(child, out);
}

Json odd_number(Dice& dice) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  static const std::vector<Json> numbers{0,
                                         -1,
                                         1,
                                         2,
                                         65536,
                                         2147483647,
                                         -2147483648LL,
                                         2147483648LL,
                                         4294967296LL,
                                         9007199254740992LL,
                                         9007199254740993LL,
                                         -9007199254740992LL,
                                         std::numeric_limits<int64_t>::max(),
                                         std::numeric_limits<int64_t>::min(),
                                         std::numeric_limits<uint64_t>::max(),
                                         5e-324,
                                         1e308,
                                         -1e308,
                                         0.5,
                                         -0.0,
                                         1e18,
                                         inf};  // written as null
  return dice.any(numbers);
}

Json odd_value(const std::vector<Json*>& all, Dice& dice) {
  switch (dice.below(9)) {
    case 0: return nullptr;
    case 1: return dice.one_in(2);
    case 2:
      return std::string(dice.any(std::array<const char*, 9>{"", "nan", "inf", "-inf", "\x1b]0;x\x07", "\xEE\x80\x80",
                                                             "AAAA", "2026-11-22T00:00:00Z", "../../x"}));
    case 3: return std::string(dice.below(dice.one_in(20) ? 100000 : 300), char('a' + dice.below(26)));
    case 4: return Json::array();
    case 5: return Json::object();
    case 6: {
      Json nest = odd_number(dice);
      for (size_t depth = dice.below(40); depth > 0; --depth) nest = dice.one_in(2) ? Json{{"a", nest}} : Json{nest};
      return nest;
    }
    case 7: return *dice.any(all);
    default: return odd_number(dice);
  }
}

void change(Json& at, const std::vector<Json*>& all, Dice& dice) {
  if (!at.is_structured() || dice.one_in(6)) {
    at = at.is_number() && !dice.one_in(3) ? odd_number(dice) : odd_value(all, dice);
  } else if (at.is_array()) {
    switch (dice.below(4)) {
      case 0: at.push_back(odd_value(all, dice)); break;
      case 1:
        if (!at.empty()) at.erase(dice.below(at.size()));
        break;
      case 2:
        if (!at.empty()) at.push_back(Json(at[dice.below(at.size())]));
        break;
      default: {  // again and again
        if (at.empty()) break;
        const Json one = at[dice.below(at.size())];
        const size_t many = dice.one_in(30) ? 400000 / (1 + one.dump().size()) : dice.below(50);
        for (size_t k = 0; k < many; ++k) at.push_back(one);
      }
    }
  } else {
    const auto any_member = [&] { return std::next(at.begin(), std::ptrdiff_t(dice.below(at.size()))); };
    switch (dice.below(3)) {
      case 0:
        if (!at.empty()) at.erase(any_member());
        break;
      case 1: at[std::string(1 + dice.below(3), char('a' + dice.below(26)))] = odd_value(all, dice); break;
      default:
        if (!at.empty()) *any_member() = odd_value(all, dice);
    }
  }
}

// Members of names of their own, put in as text: as a tree they would take too long.
std::string with_members(std::string text, Dice& dice) {
  const size_t at = text.find('{', dice.below(text.size()));
  if (at == std::string::npos) return text;
  const char* value = dice.any(std::array<const char*, 4>{"1", "{}", "[]", "{\"a\":[1,2]}"});
  std::string many;
  for (size_t k = 0, count = 10 + dice.below(30000); k < count; ++k)
    many.append("\"u").append(std::to_string(k)).append("\":").append(value).append(",");
  return text.insert(at + 1, many);
}

}  // namespace

std::string changed_json(const std::string& text, Dice& dice) {
  Json tree = Json::parse(text, nullptr, false);
  if (tree.is_discarded()) return text;
  for (size_t changes = 1 + dice.below(4); changes > 0; --changes) {
    std::vector<Json*> all;
    places(tree, all);
    Json* const at = dice.any(all);
    change(*at, all, dice);
  }
  std::string out = tree.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (dice.one_in(40)) out = with_members(std::move(out), dice);
  return out;
}

std::string changed_json(const FuzzedReader& reader, Dice& dice) {
  const std::string& seed = dice.any(reader.seeds);
  return dice.one_in(5) ? changed_text(seed, reader, dice) : changed_json(seed, dice);
}

}  // namespace tilewalk
