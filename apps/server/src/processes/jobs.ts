import type { Job } from '#platform/jobs';

/** Every kind of background work there is; their queues are made with the migrations. */
export const JOBS: readonly Job[] = [];
