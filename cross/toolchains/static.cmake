# What the toolchains share: static programs, which the emulators run without a foreign root.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
