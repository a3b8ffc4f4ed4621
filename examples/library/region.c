/* Measures the traffic and the bandwidth of a region of its own, or says why there is no traffic to
 * tell. The arguments replay counters: the folder of a machine, and a recording of its counters. */
#include <streamgage/streamgage.h>

#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 1 << 22 };

typedef struct arrays {
  const streamgage_team *team;
  const double *from;
  double *to;
} arrays;

static double scale(int thread, void *context) {
  const arrays *all = context;
  const streamgage_range range =
      streamgage_part(ELEMENTS, sizeof(double), streamgage_team_size(all->team), thread);
  for (int64_t i = range.begin; i < range.end; ++i) all->to[i] = 2.0 * all->from[i];
  return 0.0;
}

static streamgage_buffer *make_array(const streamgage_team *team, streamgage_error *error) {
  streamgage_buffer *buffer =
      streamgage_buffer_create(ELEMENTS * sizeof(double), true, NULL, 0, error);
  if (buffer != NULL &&
      streamgage_buffer_touch(buffer, team, ELEMENTS, sizeof(double), error) != STREAMGAGE_OK) {
    streamgage_buffer_free(buffer);
    return NULL;
  }
  return buffer;
}

static void tell_traffic(const streamgage_region *region) {
  streamgage_error error;
  streamgage_traffic traffic;
  if (streamgage_region_traffic(region, &traffic, &error) != STREAMGAGE_OK) {
    printf("no traffic: %s\n", error.message);
    printf("what would help: %s\n", streamgage_region_remedy(region));
    return;
  }
  printf("traffic  %8.1f MB  %6.2f GB/s  by %s\n", traffic.total / 1e6,
         traffic.total / traffic.seconds / 1e9, streamgage_region_source(region));
  if (!isnan(traffic.read)) {
    printf("         %8.1f MB read, %.1f MB written\n", traffic.read / 1e6, traffic.written / 1e6);
  }
}

static int measure(streamgage_team *team, streamgage_region *region, streamgage_error *error) {
  streamgage_buffer *from = make_array(team, error);
  streamgage_buffer *to = from == NULL ? NULL : make_array(team, error);
  if (to != NULL) {
    arrays all = {team, streamgage_buffer_data(from), streamgage_buffer_data(to)};
    streamgage_region_start(region);
    const streamgage_timing timing = streamgage_team_time(team, scale, &all);
    streamgage_region_stop(region);
    const double nominal = 2.0 * sizeof(double) * ELEMENTS;
    printf("%d threads, %d of them moved\n", streamgage_team_size(team), timing.moved);
    printf("nominal  %8.1f MB  %6.2f GB/s\n", nominal / 1e6, nominal / timing.seconds / 1e9);
    tell_traffic(region);
  }
  streamgage_buffer_free(to);
  streamgage_buffer_free(from);
  return to == NULL ? error->status : STREAMGAGE_OK;
}

int main(int count, char **arguments) {
  streamgage_error error = {STREAMGAGE_OK, ""};
  streamgage_placement *placement = NULL;
  streamgage_team *team = NULL;
  streamgage_region *region = NULL;
  streamgage_machine *machine = streamgage_machine_discover(&error);
  if (machine != NULL) placement = streamgage_placement_choose(machine, NULL, 0, &error);
  if (placement != NULL) team = streamgage_team_assemble(placement, &error);
  if (team != NULL && streamgage_team_prove(team, &error) == STREAMGAGE_OK) {
    region = count == 3 ? streamgage_region_open_replay(arguments[1], arguments[2], &error)
                        : streamgage_region_open(&error);
  }
  if (region != NULL) measure(team, region, &error);
  if (error.status != STREAMGAGE_OK) fprintf(stderr, "region: %s\n", error.message);
  streamgage_region_free(region);
  streamgage_team_free(team);
  streamgage_placement_free(placement);
  streamgage_machine_free(machine);
  return (int)error.status;
}
