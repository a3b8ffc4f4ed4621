// The functions of one MPI library, by its binary interface.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "mpi/mpi.hpp"

namespace streamgage::engine {

// Finds symbols that a library exports, and notes the first that it lacks.
class Symbols {
 public:
  // `find` returns the address of a symbol, or nullptr.
  explicit Symbols(std::function<void*(const char*)> find) : find_(std::move(find)) {}

  [[nodiscard]] bool has(const char* name) const { return find_(name) != nullptr; }

  template <class Function>
  void bind(Function& function, const char* name) {
    function = reinterpret_cast<Function>(look_up(name));
  }

  // A handle is the address of an object of the library, or a constant.
  std::uintptr_t handle(const char* name) {
    return reinterpret_cast<std::uintptr_t>(look_up(name));
  }
  template <class Handle>
  Handle handle(Handle constant) {
    return constant;
  }

  // Returns the first missing symbol. Empty if none is missing.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* look_up(const char* name) {
    void* const found = find_(name);
    if (found == nullptr && missing_.empty()) {
      missing_ = name;
    }
    return found;
  }

  std::function<void*(const char*)> find_;
  std::string missing_;
};

// Reports why the process ends if the library ends it during its start.
class StartGuard {
 public:
  explicit StartGuard(std::string name);
  StartGuard(const StartGuard&) = delete;
  StartGuard& operator=(const StartGuard&) = delete;
  StartGuard(StartGuard&&) = delete;
  StartGuard& operator=(StartGuard&&) = delete;
  ~StartGuard();
};

template <class Abi>
class BoundMpi final : public Mpi {
 public:
  // `file` is the name by which the library was opened.
  BoundMpi(Symbols& symbols, std::string file)
      : file_(std::move(file)),
        world_(symbols.handle(Abi::kWorld)),
        byte_(symbols.handle(Abi::kByte)) {
    symbols.bind(init_thread_, "MPI_Init_thread");
    symbols.bind(finalize_, "MPI_Finalize");
    symbols.bind(abort_, "MPI_Abort");
    symbols.bind(comm_rank_, "MPI_Comm_rank");
    symbols.bind(comm_size_, "MPI_Comm_size");
    symbols.bind(isend_, "MPI_Isend");
    symbols.bind(irecv_, "MPI_Irecv");
    symbols.bind(ibarrier_, "MPI_Ibarrier");
    symbols.bind(test_, "MPI_Test");
    symbols.bind(request_free_, "MPI_Request_free");
    symbols.bind(iprobe_, "MPI_Iprobe");
    symbols.bind(get_count_, "MPI_Get_count");
    symbols.bind(recv_, "MPI_Recv");
    symbols.bind(error_string_, "MPI_Error_string");
    symbols.bind(get_library_version_, "MPI_Get_library_version");
  }

  [[nodiscard]] std::string name() const override {
    constexpr std::size_t kMostBytes = 8192;  // MPI_MAX_LIBRARY_VERSION_STRING, where it is longest
    std::array<char, kMostBytes> text{};
    int bytes = 0;
    (void)get_library_version_(text.data(), &bytes);
    return fmt::format("{} ({})", first_words(text.data()), file_);
  }

  Result<void> start() override {
    int provided = 0;
    {
      const StartGuard guard(name());
      if (const int error = init_thread_(nullptr, nullptr, Abi::kThreadFunneled, &provided);
          error != 0) {
        return failure(fmt::format("{} does not start: {}", name(), reason(error)));
      }
    }
    if (provided < Abi::kThreadFunneled) {
      finish();
      return failure(
          fmt::format("{} does not support threads (it gives less than MPI_THREAD_FUNNELED); use "
                      "an MPI that was built with thread support",
                      name()));
    }
    return {};
  }

  void finish() override { (void)finalize_(); }

  void abort(int status) override { (void)abort_(world_, status); }

  [[nodiscard]] int rank() const override {
    int rank = 0;
    (void)comm_rank_(world_, &rank);
    return rank;
  }

  [[nodiscard]] int size() const override {
    int size = 0;
    (void)comm_size_(world_, &size);
    return size;
  }

  Request send(const std::string& message, int to, int tag) override {
    Handle request{};
    (void)isend_(message.data(), static_cast<int>(message.size()), byte_, to, tag, world_,
                 &request);
    return started(request);
  }

  Request send_sign(int to, int tag) override {
    Handle request{};
    (void)isend_(nullptr, 0, byte_, to, tag, world_, &request);
    return started(request);
  }

  Request receive_sign(int from, int tag) override {
    Handle request{};
    (void)irecv_(nullptr, 0, byte_, from, tag, world_, &request);
    return started(request);
  }

  Request barrier() override {
    Handle request{};
    (void)ibarrier_(world_, &request);
    return started(request);
  }

  bool test(Request& request) override {
    if (!request.is_done) {
      auto handle = static_cast<Handle>(request.handle);
      int is_done = 0;
      Status status{};
      (void)test_(&handle, &is_done, &status);
      request = {static_cast<std::uintptr_t>(handle), is_done != 0};
    }
    return request.is_done;
  }

  void forget(Request request) override {
    if (!request.is_done) {
      auto handle = static_cast<Handle>(request.handle);
      (void)request_free_(&handle);
    }
  }

  std::optional<PendingMessage> probe(std::optional<int> from, int tag) override {
    int is_here = 0;
    Status status{};
    (void)iprobe_(from.value_or(Abi::kAnySource), tag, world_, &is_here, &status);
    if (is_here == 0) {
      return std::nullopt;
    }
    PendingMessage found{status.source, status.tag, 0};
    (void)get_count_(&status, byte_, &found.bytes);
    return found;
  }

  std::string receive(const PendingMessage& found) override {
    std::string message(static_cast<std::size_t>(found.bytes), '\0');
    Status status{};
    (void)recv_(message.data(), found.bytes, byte_, found.from, found.tag, world_, &status);
    return message;
  }

 private:
  using Handle = typename Abi::Handle;
  using Status = typename Abi::Status;

  static Request started(Handle handle) { return {static_cast<std::uintptr_t>(handle), false}; }

  [[nodiscard]] std::string reason(int error) const {
    constexpr std::size_t kMostBytes = 512;  // MPI_MAX_ERROR_STRING, where it is longest
    std::array<char, kMostBytes> text{};
    int bytes = 0;
    (void)error_string_(error, text.data(), &bytes);
    return first_words(text.data());
  }

  // Returns the first words of a text that has several lines or clauses.
  static std::string first_words(const char* text) {
    std::string words;
    for (; *text != '\0' && *text != '\n' && *text != ','; ++text) {
      const bool is_blank = *text == ' ' || *text == '\t';
      if (!is_blank) {
        words += *text;
      } else if (!words.empty() && words.back() != ' ') {
        words += ' ';
      }
    }
    return words;
  }

  std::string file_;
  Handle world_{};
  Handle byte_{};
  int (*init_thread_)(int*, char***, int, int*) = nullptr;
  int (*finalize_)() = nullptr;
  int (*abort_)(Handle, int) = nullptr;
  int (*comm_rank_)(Handle, int*) = nullptr;
  int (*comm_size_)(Handle, int*) = nullptr;
  int (*isend_)(const void*, int, Handle, int, int, Handle, Handle*) = nullptr;
  int (*irecv_)(void*, int, Handle, int, int, Handle, Handle*) = nullptr;
  int (*ibarrier_)(Handle, Handle*) = nullptr;
  int (*test_)(Handle*, int*, Status*) = nullptr;
  int (*request_free_)(Handle*) = nullptr;
  int (*iprobe_)(int, int, Handle, int*, Status*) = nullptr;
  int (*get_count_)(const Status*, Handle, int*) = nullptr;
  int (*recv_)(void*, int, Handle, int, int, Handle, Status*) = nullptr;
  int (*error_string_)(int, char*, int*) = nullptr;
  int (*get_library_version_)(char*, int*) = nullptr;
};

}  // namespace streamgage::engine
