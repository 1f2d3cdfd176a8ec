// What the tests of core/io share: a folder that goes away, files made byte by byte, and the sentence of an error.
#pragma once

#include "core/io/file.h"
#include "core/io/printable.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct ScratchFolder {
  std::filesystem::path path;
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tilewalk-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path / name; }
  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path)) out.insert(entry.path().filename().string());
    return out;
  }
};

inline std::filesystem::path put(const std::filesystem::path& path, std::string_view bytes) {
  // Some file systems wait for the disk when a file is emptied and written again, but not when it is new.
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  REQUIRE(out.good());
  return path;
}

template <class T>
std::string bytes_of_values(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// A .npy file around any dictionary, padded to 64 bytes as NumPy does.
inline std::string npy_around(std::string dict, std::string_view data, int major = 1, int minor = 0) {
  const size_t before = major > 1 ? 12 : 10;
  while ((before + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += static_cast<char>(minor);
  for (size_t i = 0; i < (major > 1 ? 4u : 2u); ++i) out += static_cast<char>(dict.size() >> 8 * i & 0xFF);
  return out + dict + std::string(data);
}

inline std::string npy(std::string_view descr, std::string_view shape, std::string_view data, int major = 1) {
  const std::string dict =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
  return npy_around(dict, data, major);
}

inline std::string safetensors(std::string_view header, std::string_view data) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(uint64_t{header.size()} >> 8 * i & 0xFF);
  return out + std::string(header) + std::string(data);
}

// The sentence of the IoError that `act` must throw; checked for what every such sentence promises.
template <class Act>
std::string sentence_of(const std::filesystem::path& path, Act&& act) {
  try {
    act();
  } catch (const IoError& error) {
    const std::string sentence = error.what();
    CAPTURE(sentence);
    CHECK(sentence.ends_with("."));
    CHECK(sentence.find('\n') == std::string::npos);
    CHECK(sentence.find(". ") == std::string::npos);
    CHECK(sentence == printable(sentence));
    CHECK(sentence.find(printable_path(path)) == 0);
    CHECK(sentence.size() < printable_path(path).size() + 1000);
    return sentence;
  }
  FAIL_CHECK("no IoError for " << path.string());
  return {};
}

inline void check_words(const std::string& sentence, const std::vector<std::string>& words) {
  CAPTURE(sentence);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(sentence.find(word) != std::string::npos);
  }
}

// One to eight random changes: bytes flipped, replaced by telling ones, removed, repeated, or the end cut off.
inline std::string mutated(std::string bytes, std::mt19937& random) {
  auto below = [&](size_t n) { return n ? std::uniform_int_distribution<size_t>(0, n - 1)(random) : 0; };
  static constexpr std::string_view telling("\0\xFF\x7F{}[](),:'\"0198-. LTe\x80", 25);
  for (size_t i = 0, count = 1 + below(8); i < count && !bytes.empty(); ++i) {
    // Most changes fall on the header: there the reader decides.
    const size_t at = below(below(4) ? std::min<size_t>(bytes.size(), 300) : bytes.size());
    switch (below(6)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8)); break;
      case 1:
      case 2: bytes[at] = telling[below(telling.size())]; break;
      case 3: bytes.erase(at, 1 + below(4)); break;
      case 4: bytes.insert(at, bytes.substr(at, 1 + below(16))); break;
      case 5:
        if (below(4) == 0) bytes.resize(at);
        break;
    }
  }
  return bytes;
}

// Reads 4,000 files of broken bytes: each gives its values, or says in one printable sentence what is wrong with it.
template <class Next, class Read>
void read_broken_files(const std::filesystem::path& path, Next&& bytes, Read&& read) {
  int values = 0, sentences = 0;
  for (int i = 0; i < 4000; ++i) {
    try {
      read(put(path, bytes(i)));
      ++values;
    } catch (const IoError& error) {
      const std::string sentence = error.what();
      CHECK(sentence.ends_with("."));
      CHECK(sentence == printable(sentence));
      ++sentences;
    }
  }
  CHECK(values > 100);
  CHECK(sentences > 1000);
}

}  // namespace tilewalk
