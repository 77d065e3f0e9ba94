import { WAL_OCTETS } from './figures.ts';
import type { Demand, Plan } from './plan.ts';

/** Hosts, disks and cost of a plan. */
export interface Installation {
  /** Hosts of all clusters; each cluster has a primary, a synchronous standby, and one more for reports and for the next failure. */
  database: { hosts: number; cores: number; memory_gb: number; drives: number; disk: number };
  /** Hosts of senders, workers, api and SMPP servers, one to spare. */
  process: { hosts: number; cores: number; memory_gb: number };
  /** Partitions of all kept days in one cluster. */
  partitions: number;
  /** Octets a second from a primary to both standbys at the peak. */
  replication_a_second: number;
  /** Octets of WAL of a week and of two base backups. */
  archive: number;
  cost_a_month: number;
  cost_a_million: number;
}

// These are set and not measured, and the page says so.
const DATABASES = 3;
const PROCESS_CORES = 8;
const MEMORY_GB_A_CORE = { database: 8, process: 2 };
/** As many cores again for vacuum, closing of days, checkpoints and reports. */
const OTHER_WORK = 2;
const LEAST_CORES = 8;
const DRIVE = 7.68e12;
const FULL = 0.8;
/** Tables with a partition for each day, and days for which partitions are made ahead. */
const TABLES_BY_DAY = 6;
const DAYS_AHEAD = 7;
const ARCHIVED_DAYS = 7;
const BASE_BACKUPS = 2;
const HOUR = 3_600;
const DAYS_A_MONTH = 30;

/** Returns what to buy for a plan. */
export function installationOf(demand: Demand, plan: Plan): Installation {
  const { cores, clusters } = plan;
  const needed = Math.max(LEAST_CORES, (OTHER_WORK * cores.postgres) / clusters);
  const disk = (plan.disk_most / clusters + plan.wal_a_second * HOUR) / FULL;
  const drives = Math.ceil(disk / DRIVE);
  const database = {
    hosts: DATABASES * clusters,
    // Machines come with 4, 8, 16 … cores.
    cores: 2 ** Math.ceil(Math.log2(needed)),
    memory_gb: 2 ** Math.ceil(Math.log2(needed)) * MEMORY_GB_A_CORE.database,
    drives,
    disk: drives * DRIVE,
  };
  const busy = cores.sender + cores.worker + cores.api + cores.smpp;
  const process = {
    hosts: Math.max(1, Math.ceil(busy / PROCESS_CORES)) + 1,
    cores: PROCESS_CORES,
    memory_gb: PROCESS_CORES * MEMORY_GB_A_CORE.process,
  };
  const archive = ARCHIVED_DAYS * WAL_OCTETS * demand.messages_a_day + BASE_BACKUPS * plan.disk_most;
  const cost_a_month =
    demand.core_month * (database.hosts * database.cores + process.hosts * process.cores) +
    (demand.terabyte_month / 1e12) * (database.hosts * database.disk + archive);
  return {
    database,
    process,
    partitions: TABLES_BY_DAY * (demand.kept_days + DAYS_AHEAD),
    replication_a_second: (DATABASES - 1) * (plan.wal_a_second / clusters),
    archive,
    cost_a_month,
    cost_a_million: cost_a_month / ((demand.messages_a_day * DAYS_A_MONTH) / 1e6),
  };
}
