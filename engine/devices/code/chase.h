/* The kernel NAME, for one work-item: it follows so many links from `start` on, and leaves in `end`
 * where it ended. LINK loads a link: in CUDA C++ and HIP C++ it is an address, so that a load
 * follows the other with nothing between them. OpenCL C knows no address before a kernel runs:
 * there it is an offset in bytes, which is added. */
__kernel void NAME(__global const uchar *links, const ulong start, const ulong loads,
                   __global ulong *end) {
  ulong place = start;
  for (ulong load = 0; load < loads; ++load) place = LINK(links, place);
  *end = place;
}
