/* Behind a kernel of the name KERNEL: calls it for one work-item, by the addresses of its
 * arguments. */
template <class... Arguments, class... Places>
void call_with(void (*kernel)(Arguments...), Places... places) {
  kernel(*static_cast<Arguments *>(places)...);
}
template <int Left>
struct Caller {
  template <class Function, class... Places>
  static void call(Function kernel, void **arguments, Places... places) {
    Caller<Left - 1>::call(kernel, arguments, arguments[Left - 1], places...);
  }
};
template <>
struct Caller<0> {
  template <class Function, class... Places>
  static void call(Function kernel, void **, Places... places) {
    call_with(kernel, places...);
  }
};
template <class... Arguments>
void call_by_places(void (*kernel)(Arguments...), void **arguments) {
  Caller<static_cast<int>(sizeof...(Arguments))>::call(kernel, arguments);
}
extern "C" void streamgage_call(void **arguments) { call_by_places(&KERNEL, arguments); }
