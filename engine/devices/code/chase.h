/* The kernel NAME, for one work-item: it follows so many links from byte `start` on, and leaves in
 * `end` the byte where it ended. A link is an offset in bytes, which one instruction adds to the
 * address; an index would take two. */
__kernel void NAME(__global const uchar *links, const ulong start, const ulong loads,
                   __global ulong *end) {
  ulong place = start;
  for (ulong load = 0; load < loads; ++load) place = *(__global const ulong *)(links + place);
  *end = place;
}
