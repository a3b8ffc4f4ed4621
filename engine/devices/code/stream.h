/* A kernel of the catalogue for devices, in one access shape: OpenCL C, of which cuda.h makes CUDA
 * C++ and HIP C++. Before it stand
 *   NAME       the name of the kernel
 *   T          the type of an element
 *   LANES      the elements of a vector, which is one load or store of a work-item
 *   LOADS      loads of each array that a work-item has in flight
 *   STREAMING  1: nothing that is loaded or stored is to stay in the caches
 *   RING       1: a ring of bulk copies brings the arrays into the memory of the group; see bulk.h
 *   FORMULA    what stands right of "=" or "+=" in the catalogue
 *   READS      the arrays that it reads: 1 for a, 2 for b, 4 for c, 8 for d
 *   REDUCES    0: the formula is stored in a; 1: it is added up, and each group leaves a sum
 *
 * It works on the vectors `first` to `first + count - 1`, so many times as there are passes. In
 * each pass a group has the tiles that another group had before, which is mostly on another compute
 * unit. So the cache of a unit does not have what a pass loads because the pass before loaded it
 * there. Where a is read and stored, a group keeps its tiles: what another one stored may not be
 * seen. Their number is odd: a reduction takes turns in adding and taking away, so that its value
 * is that of one pass. The work-items of a group that reduces are a power of two. */
/* clang-format off */
#define V VECTOR_OF(T, LANES)
#define PLACE (i + (ulong)j * items)
#if STREAMING
#ifndef LOAD_STREAMING
#error "this compiler has no loads and stores that pass by the caches"
#endif
#define FETCH(place) LOAD_STREAMING(place)
#define PUT(place, value) STORE_STREAMING(place, value)
#else
#define FETCH(place) (*(place))
#define PUT(place, value) *(place) = (value)
#endif
#if RING
/* A stage of the ring has a tile of each array that is read, one behind the other. */
#define COUNT(bits) (((bits) & 1) + ((bits) >> 1 & 1) + ((bits) >> 2 & 1) + ((bits) >> 3 & 1))
#define TILE(number, bit) \
  (ring + ((ulong)(number) * COUNT(READS) + COUNT(READS & (bit - 1))) * tile)
#define HOLD(operand, bit) \
  if (READS & bit) held_##operand[j] = TILE(stage, bit)[get_local_id(0) + (ulong)j * items];
#define COPY(operand, bit) \
  if (READS & bit) bulk_copy(TILE(to, bit), &p##operand[from], bytes, &arrived[to]);
/* One work-item has the tile at a place copied into a stage. */
#define BRING(place, number) { \
    const ulong from = (place); \
    const uint to = (number); \
    if (from < end) { \
      const uint bytes = (uint)((end - from < tile ? end - from : tile) * sizeof(V)); \
      bulk_expect(&arrived[to], bytes * COUNT(READS)); \
      COPY(a, 1) COPY(b, 2) COPY(c, 4) COPY(d, 8) \
    } \
  }
#else
#define HOLD(operand, bit) \
  if (READS & bit) held_##operand[j] = FETCH(&p##operand[PLACE]);
#endif
#define TAKE(operand, bit) \
  V operand; \
  if (READS & bit) { \
    LOADED(held_##operand[j]) \
    operand = held_##operand[j]; \
  }
#define LOAD(operand, bit) \
  V operand; \
  if (READS & bit) operand = FETCH(&p##operand[PLACE]);
#if REDUCES
#define COMPUTE x += (V)(FORMULA);
#else
#define COMPUTE PUT(&pa[PLACE], (V)(FORMULA));
#endif

__kernel void AT_MOST_256_ITEMS NAME(__global V *restrict pa, __global const V *restrict pb,
                                     __global const V *restrict pc, __global const V *restrict pd,
                                     const T s, const ulong first, const ulong count,
                                     const uint passes
#if RING
                                     , const uint stages
#endif
#if REDUCES
                                     , __global T *restrict sums SHARED_PARAMETER(T, part)
#endif
) {
  const ulong items = get_local_size(0);
  const ulong tile = items * LOADS;
  const ulong groups = get_num_groups(0);
  const ulong step = groups * tile;
  ulong place = get_group_id(0);
  const ulong end = first + count;
  V held_a[LOADS];
  V held_b[LOADS];
  V held_c[LOADS];
  V held_d[LOADS];
#if RING || REDUCES
  SHARED_ARRAY(T, part)
#endif
#if REDUCES
  V x = (V)(0);
#endif
#if RING
  V *const ring = (V *)part;
  bulk_barrier *const arrived = (bulk_barrier *)TILE(stages, 1);
  uint stage = 0;
  uint turn = 0;
  if (get_local_id(0) == 0) {
    for (uint each = 0; each < stages; ++each) bulk_begin(&arrived[each]);
  }
#endif
  for (uint pass = 0; pass < passes; ++pass) {
    const ulong begin = first + place * tile;
#if REDUCES || !(READS & 1)
    /* As many passes as may be lie between two in which a unit has the same tiles. */
    place += (groups * 3 >> 3) + 1;
    if (place >= groups) place -= groups;
#endif
#if REDUCES
    x = -x;
#endif
#if RING
    /* The copies of this pass find what the passes before it stored. */
    bulk_fence();
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      for (uint each = 0; each < stages; ++each) BRING(begin + each * step, (stage + each) % stages)
    }
#endif
    for (ulong start = begin; start < end; start += step) {
      const ulong i = start + get_local_id(0);
#if RING
      bulk_wait(&arrived[stage], turn);
#pragma unroll
      for (int j = 0; j < LOADS; ++j) {
        if (PLACE < end) {
          HOLD(a, 1) HOLD(b, 2) HOLD(c, 4) HOLD(d, 8)
        }
      }
      /* All have what they need of this stage, so that it can have another tile. */
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0) BRING(start + stages * step, stage)
      if (++stage == stages) {
        stage = 0;
        turn ^= 1;
      }
#pragma unroll
      for (int j = 0; j < LOADS; ++j) {
        if (PLACE < end) {
          TAKE(a, 1) TAKE(b, 2) TAKE(c, 4) TAKE(d, 8)
          COMPUTE
        }
      }
#else
      if (start + tile <= end) {
        /* All loads come before the first use. */
#pragma unroll
        for (int j = 0; j < LOADS; ++j) {
          HOLD(a, 1) HOLD(b, 2) HOLD(c, 4) HOLD(d, 8)
        }
#pragma unroll
        for (int j = 0; j < LOADS; ++j) {
          TAKE(a, 1) TAKE(b, 2) TAKE(c, 4) TAKE(d, 8)
          COMPUTE
        }
      } else {
        /* Behind the last whole tile: as little code as may be. */
#pragma unroll 1
        for (int j = 0; j < LOADS; ++j) {
          if (PLACE < end) {
            LOAD(a, 1) LOAD(b, 2) LOAD(c, 4) LOAD(d, 8)
            COMPUTE
          }
        }
      }
#endif
    }
  }
#if REDUCES
  T sum = 0;
#pragma unroll
  for (int lane = 0; lane < LANES; ++lane) {
    sum += ((const T *)&x)[lane];
  }
  const uint item = (uint)get_local_id(0);
  part[item] = sum;
  for (uint width = (uint)items / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] += part[item + width];
  }
  if (item == 0) sums[get_group_id(0)] = part[0];
#endif
}

#undef V
#undef PLACE
#undef FETCH
#undef PUT
#undef HOLD
#undef COUNT
#undef TILE
#undef COPY
#undef BRING
#undef TAKE
#undef LOAD
#undef COMPUTE
/* clang-format on */
