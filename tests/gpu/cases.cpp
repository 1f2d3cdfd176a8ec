#include "tests/gpu/cases.h"

#include <utility>

namespace tilewalk::gpu::check {

namespace {

struct Pair {
  int n_q, n_k;
};

// Every N and every pair for every d given for it, both masks, both formats.
std::vector<Case> swept(std::initializer_list<int> square_d, std::initializer_list<int> sizes,
                        std::initializer_list<int> unequal_d, std::initializer_list<Pair> unequal) {
  std::vector<Case> cases;
  uint32_t state = 20240711;  // B, H and the inputs: a fixed walk through 1 to 8
  const auto up_to = [&](int most) {
    state = state * 1664525u + 1013904223u;
    return 1 + int((state >> 16) % uint32_t(most));
  };
  const auto add = [&](int n_q, int n_k, int d, bool causal, Element element) {
    Case c{.n_q = n_q, .n_k = n_k, .d = d, .causal = causal, .element = element};
    c.batch = up_to(n_q > 1024 ? 2 : 8);
    c.heads = up_to(8);
    c.values = up_to(4) == 1 ? Values::Outliers : Values::Normal;
    c.seed = cases.size() + 1;
    cases.push_back(c);
  };
  for (Element element : {Element::Half, Element::BFloat16})
    for (bool causal : {false, true}) {
      for (int d : square_d)
        for (int n : sizes) add(n, n, d, causal, element);
      for (int d : unequal_d)
        for (const auto& [n_q, n_k] : unequal) add(n_q, n_k, d, causal, element);
    }
  return cases;
}

}  // namespace

std::vector<Case> sweep() {
  std::vector<Case> cases =
      swept({16, 32, 64, 96, 128}, {1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 191, 1000, 4097}, {64, 128},
            {{1, 1000}, {1000, 1}, {64, 700}, {700, 64}, {17, 129}, {129, 17}, {300, 4097}, {4097, 3}, {193, 385}});
  for (Element element : {Element::Half, Element::BFloat16})
    for (bool causal : {false, true})
      for (int d : {64, 128})
        for (const auto& [n_q, n_k] : {std::pair{1000, 1000}, std::pair{129, 3000}})
          cases.push_back({2, 3, n_q, n_k, d, causal, element, Values::Below, cases.size() + 1});
  return cases;
}

std::vector<Case> width_sweep() {
  return swept({72, 96, 160, 256}, {1, 16, 63, 79, 80, 81, 129, 1000, 4097}, {96, 192, 256},
               {{1, 1000}, {1000, 1}, {17, 129}, {129, 17}, {300, 4097}, {4097, 3}, {193, 385}});
}

std::vector<Case> small_width_sweep() {
  std::vector<Case> cases;
  for (int d : {72, 96, 256})
    for (const auto& [n_q, n_k] : {std::pair{200, 300}, std::pair{300, 200}})
      cases.push_back({1, 3, n_q, n_k, d, n_q < n_k, d == 256 ? Element::BFloat16 : Element::Half, Values::Normal,
                       cases.size() + 1});
  return cases;
}

std::vector<Case> grouped_sweep() {
  std::vector<Case> cases;
  for (Element element : {Element::Half, Element::BFloat16})
    for (bool causal : {false, true})
      for (int d : {64, 128})
        for (int group : {2, 3, 4, 8})
          for (const auto& [n_q, n_k] :
               {std::pair{1, 1000}, std::pair{129, 17}, std::pair{193, 385}, std::pair{1000, 1000}}) {
            Case c{.n_q = n_q, .n_k = n_k, .d = d, .causal = causal, .element = element};
            c.batch = 1 + int(cases.size() % 3), c.heads = group * (1 + int(cases.size() % 2)), c.group = group;
            c.values = cases.size() % 5 == 4 ? Values::Outliers : Values::Normal;
            c.seed = cases.size() + 1;
            cases.push_back(c);
          }
  return cases;
}

std::vector<Case> small_sweep(bool fewer) {
  std::vector<Case> cases;
  if (fewer) {
    for (bool causal : {false, true})
      for (int d : {64, 128})
        cases.push_back(
            {1, 1, 130, 70, d, causal, d == 64 ? Element::Half : Element::BFloat16, Values::Normal, cases.size() + 1});
    return cases;
  }
  for (Element element : {Element::Half, Element::BFloat16})
    for (bool causal : {false, true})
      for (int d : {64, 128})
        for (const auto& [n_q, n_k] : {std::pair{200, 300}, std::pair{300, 200}})
          cases.push_back({1, 3, n_q, n_k, d, causal, element, Values::Normal, cases.size() + 1});
  // Rows long enough for standard attention to keep S in 16 bits.
  for (Element element : {Element::Half, Element::BFloat16})
    cases.push_back({1, 2, 20, 2050, 64, false, element, Values::Normal, cases.size() + 1});
  return cases;
}

std::vector<Case> gradient_sweep() {
  std::vector<Case> cases;
  uint32_t state = 20240712;
  const auto up_to = [&](int most) {
    state = state * 1664525u + 1013904223u;
    return 1 + int((state >> 16) % uint32_t(most));
  };
  const auto add = [&](int n_q, int n_k, int d, bool causal, Element element) {
    Case c{.n_q = n_q, .n_k = n_k, .d = d, .causal = causal, .element = element};
    const bool large = n_q > 400 || n_k > 400;
    c.batch = large ? 1 : up_to(4);
    c.heads = up_to(large ? 3 : 6);
    c.values = up_to(4) == 1 ? Values::Outliers : Values::Normal;
    c.seed = cases.size() + 1;
    cases.push_back(c);
  };
  for (Element element : {Element::Half, Element::BFloat16})
    for (bool causal : {false, true})
      for (int d : {64, 128}) {
        for (int n : {1, 15, 16, 63, 64, 65, 127, 128, 129, 191, 1000})
          add(n, n, d == 64 && n % 2 ? 32 : d, causal, element);
        const std::pair<int, int> unequal[] = {{1, 1000}, {1000, 1},   {64, 700}, {700, 64},  {17, 129},
                                               {129, 17}, {300, 4097}, {4097, 3}, {193, 385}, {385, 193}};
        for (const auto& [n_q, n_k] : unequal) add(n_q, n_k, n_q == 193 ? d - 32 : d, causal, element);
      }
  add(4097, 4097, 64, true, Element::Half);
  add(4097, 4097, 128, false, Element::Half);
  add(4097, 4097, 128, true, Element::BFloat16);
  return cases;
}

std::vector<Case> small_gradient_sweep() {
  std::vector<Case> cases;
  for (Element element : {Element::Half, Element::BFloat16})
    for (int d : {64, 128})
      for (const auto& [n_q, n_k] : {std::pair{200, 300}, std::pair{300, 200}})
        cases.push_back({1, 2, n_q, n_k, d, cases.size() % 2 == 0, element, Values::Normal, cases.size() + 1});
  return cases;
}

}  // namespace tilewalk::gpu::check
