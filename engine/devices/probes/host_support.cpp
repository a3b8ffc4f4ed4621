// What a kernel that is compiled for the host finds around it; the driver sets it.
#include "host_words.h"

HostIndex threadIdx, blockIdx, blockDim, gridDim;
void (*streamgage_barrier)() = nullptr;
HostBulk streamgage_bulk{};
// The shared memory of a group, by the name that the kernels give it.
extern "C" {
alignas(64) unsigned char part[1 << 16];
}
