#include "measure/own/access_proof.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "kernels/own/fault.hpp"

namespace streamgage::engine {
namespace {

enum class PageState : unsigned char { kUntouched, kReadable, kOpen };

struct WatchedPages {
  std::span<std::byte> memory;
  std::vector<PageState> states;
  std::vector<std::uintptr_t> openers;  // the instruction of each page's first access
  bool is_written = false;
};

// A signal handler knows nothing but what is global; it knows of pages only while the proof runs.
std::span<WatchedPages> watched_pages;
std::uintptr_t page_bytes = 4096;

// A page that was not touched yet becomes readable. If the same instruction then fails again, it is
// a store; any other one has written what an earlier one had read.
bool note_access(std::uintptr_t address, std::uintptr_t instruction) {
  for (WatchedPages& pages : watched_pages) {
    const auto begin = reinterpret_cast<std::uintptr_t>(pages.memory.data());
    if (address < begin || address - begin >= pages.memory.size()) {
      continue;
    }
    const std::size_t page = (address - begin) / page_bytes;
    std::byte* start = pages.memory.data() + page * page_bytes;
    PageState& state = pages.states[page];
    if (state == PageState::kUntouched) {
      state = PageState::kReadable;
      pages.openers[page] = instruction;
      return mprotect(start, page_bytes, PROT_READ) == 0;
    }
    if (state == PageState::kReadable) {
      state = PageState::kOpen;
      pages.is_written = true;
      if (instruction != pages.openers[page]) {
        pages.openers[page] = 0;
      }
      return mprotect(start, page_bytes, PROT_READ | PROT_WRITE) == 0;
    }
    return false;
  }
  return false;
}

// Read is a page that never was written, or that another instruction was the first to touch than
// the one that wrote it.
Accesses seen(const WatchedPages& pages) {
  Accesses accesses;
  accesses.is_written = pages.is_written;
  for (std::size_t page = 0; page < pages.states.size(); ++page) {
    const bool only_read = pages.states[page] == PageState::kReadable;
    const bool read_first =
        pages.states[page] == PageState::kOpen && pages.openers[page] == 0 && knows_instructions();
    accesses.is_read = accesses.is_read || only_read || read_first;
  }
  return accesses;
}

void fill(const OwnArrays& arrays) {
  arrays.fill_plainly({0, arrays.iterations()});
  arrays.fill_by_kernel({0, arrays.iterations()});
}

template <class T>
void add_one(std::span<std::byte> memory) {
  for (std::size_t at = 0; at < memory.size(); at += sizeof(T)) {
    T element{};
    std::memcpy(&element, memory.data() + at, sizeof element);
    element += T{1};
    std::memcpy(memory.data() + at, &element, sizeof element);
  }
}

void add_one(ArrayType type, std::span<std::byte> memory) {
  switch (type) {
    case ArrayType::kDouble:
      return add_one<double>(memory);
    case ArrayType::kFloat:
      return add_one<float>(memory);
    case ArrayType::kInt32:
      return add_one<std::uint32_t>(memory);
    case ArrayType::kInt64:
      return add_one<std::uint64_t>(memory);
  }
}

using Bytes = std::vector<std::byte>;

// What all arrays hold after a run, and before it.
struct Contents {
  std::vector<Bytes> before;
  std::vector<Bytes> after;
};

// Runs once, with 1 added to every element of one array if `changed` names one; nothing where the
// kernel dies.
std::optional<Contents> contents_of_run(const OwnKernel& kernel, const OwnArrays& arrays,
                                        std::optional<std::size_t> changed) {
  Contents contents;
  fill(arrays);
  if (changed) {
    const GuardedArray& array = arrays.arrays()[*changed];
    add_one(kernel.arrays[*changed].type, {array.data(), array.bytes()});
  }
  for (const GuardedArray& array : arrays.arrays()) {
    contents.before.emplace_back(array.memory().begin(), array.memory().end());
  }
  const streamgage_call call = arrays.call({0, arrays.iterations()}, 0.5);
  if (try_call(arrays.watched(), [&] { kernel.run(&call); })) {
    return std::nullopt;
  }
  for (const GuardedArray& array : arrays.arrays()) {
    contents.after.emplace_back(array.memory().begin(), array.memory().end());
  }
  return contents;
}

// An instruction that adds to memory reads and writes it at once, and looks like a store: whether
// what the array held has any effect shows it. A kernel that dies of it has read it.
bool depends_on(const OwnKernel& kernel, const OwnArrays& arrays, std::size_t number) {
  const auto one = contents_of_run(kernel, arrays, std::nullopt);
  const auto other = contents_of_run(kernel, arrays, number);
  if (!one || !other) {
    return true;
  }
  for (std::size_t array = 0; array < kernel.arrays.size(); ++array) {
    const std::size_t size = size_of(kernel.arrays[array].type);
    for (std::size_t at = 0; at < one->after[array].size(); at += size) {
      const auto same = [&](const Bytes& left, const Bytes& right) {
        return std::memcmp(left.data() + at, right.data() + at, size) == 0;
      };
      const bool untouched = same(one->before[array], one->after[array]) &&
                             same(other->before[array], other->after[array]);
      if (!untouched && !same(one->after[array], other->after[array])) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Result<AccessProof> prove_accesses(const OwnKernel& kernel, const OwnArrays& arrays) {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::vector<WatchedPages> pages;
  for (const GuardedArray& array : arrays.arrays()) {
    const std::size_t count = array.pages().size() / page_bytes;
    pages.push_back({array.pages(), std::vector<PageState>(count, PageState::kUntouched),
                     std::vector<std::uintptr_t>(count, 0), false});
  }
  const auto protect = [&](int protection) {
    return std::all_of(pages.begin(), pages.end(), [protection](const WatchedPages& one) {
      return mprotect(one.memory.data(), one.memory.size(), protection) == 0;
    });
  };
  fill(arrays);
  if (!protect(PROT_NONE)) {
    (void)protect(PROT_READ | PROT_WRITE);
    return failure(
        fmt::format("the system refused to make pages inaccessible: {}", std::strerror(errno)));
  }
  AccessProof proof;
  const streamgage_call call = arrays.call({0, arrays.iterations()}, 0.5);
  watched_pages = pages;
  proof.death = try_call(
      arrays.watched(), [&] { kernel.run(&call); }, &note_access);
  watched_pages = {};
  (void)protect(PROT_READ | PROT_WRITE);
  for (const WatchedPages& one : pages) {
    proof.arrays.push_back(seen(one));
  }
  for (std::size_t number = 0; number < pages.size() && !proof.death; ++number) {
    Accesses& accesses = proof.arrays[number];
    if (accesses.is_written && !accesses.is_read) {
      accesses.is_read = depends_on(kernel, arrays, number);
    }
  }
  return proof;
}

std::optional<std::string> undeclared_access(const OwnKernel& kernel, const AccessProof& proof) {
  for (std::size_t number = 0; number < kernel.arrays.size(); ++number) {
    const OwnArray& declared = kernel.arrays[number];
    const Accesses& accesses = proof.arrays[number];
    const char* as = !declared.is_written ? "read" : declared.is_read ? "read-write" : "write";
    const auto complain = [&](const char* what) {
      return fmt::format("{} its array {}, which it declares as {}", what, declared.name, as);
    };
    if (accesses.is_written && !declared.is_written) {
      return complain("writes to");
    }
    if (!accesses.is_written && declared.is_written) {
      return complain("never writes to");
    }
    if (accesses.is_read && !declared.is_read) {
      return complain("reads");
    }
    if (!accesses.is_read && declared.is_read) {
      return complain("never reads");
    }
  }
  return std::nullopt;
}

}  // namespace streamgage::engine
