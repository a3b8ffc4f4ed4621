// What hwloc asks of libraries that the portable engine does without: devices' names from udev, and
// plugins, which would bring another hwloc along.
#include <stddef.h>

#define INSIDE __attribute__((visibility("hidden")))

INSIDE void* udev_new(void) { return NULL; }
INSIDE void* udev_unref(void* udev) { return udev; }
INSIDE void* udev_device_new_from_subsystem_sysname(void* udev, const char* subsystem,
                                                    const char* name) {
  (void)udev, (void)subsystem, (void)name;
  return NULL;
}
INSIDE void* udev_device_unref(void* device) { return device; }
INSIDE const char* udev_device_get_property_value(void* device, const char* key) {
  (void)device, (void)key;
  return NULL;
}

// In the place of dlopen(): see portable.cmake.
INSIDE void* streamgage_no_plugin(const char* path, int mode) {
  (void)path, (void)mode;
  return NULL;
}
