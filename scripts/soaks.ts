/** A test that runs longer than in `npm test`. */
export interface Soak {
  name: string;
  about: string;
  /** Test files, from the root; each round is one run of them with another FAULT_SEED. */
  files: readonly string[];
  rounds: number;
  /** Minutes after which a round has failed. */
  minutesARound: number;
  /** Variables that make the tests longer than usual. */
  environment?: Readonly<Record<string, string>>;
}

/** All tests that are worth a night; add a line for a test of your own. */
export const SOAKS: readonly Soak[] = [
  {
    name: 'kills',
    about: '1,020 kills in 17 houses: sender, worker, API, database, carrier',
    files: ['apps/server/test/faults/kills.test.ts'],
    rounds: 17,
    minutesARound: 15,
  },
  {
    name: 'http-kills',
    about: '600 kills in 10 houses with a carrier over HTTP, also of the API at its callbacks',
    files: ['apps/server/test/http-links/http-kills.test.ts'],
    rounds: 10,
    minutesARound: 15,
    environment: { FAULT_HTTP_KILLS: 'all' },
  },
  {
    name: 'money',
    about:
      '1,000,000 top-ups, vouchers, refunds, chargebacks, transfers, sends, invoices and credit notes with killed sessions',
    files: ['apps/server/test/top-ups/money.test.ts'],
    rounds: 1,
    minutesARound: 60,
    environment: { MONEY_OPERATIONS: '1000000' },
  },
  {
    name: 'nodes',
    about:
      '100 faults of 4 senders, 2 SMPP servers, 2 workers and 2 APIs over a database that fails over twice, while 1,000,000 messages leave and a program submits 30,000',
    files: ['apps/server/test/nodes/chaos.test.ts'],
    rounds: 1,
    minutesARound: 30,
    environment: {
      FAULT_NODES_MESSAGES: '1000000',
      FAULT_NODES_FAULTS: '100',
      FAULT_NODES_BREATH_MS: '5000',
      FAULT_NODES_PROMOTIONS: '2',
      FAULT_NODES_OTHERS: '2',
      FAULT_NODES_SUBMITS: '30000',
      FAULT_NODES_RATE: '400',
    },
  },
  {
    name: 'agreement',
    about: '1,000 random filters: summary, dashboard, history, transactions, their file and a naive count agree',
    files: ['apps/server/test/reports/reports.test.ts'],
    rounds: 1,
    minutesARound: 15,
    environment: { AGREEMENT_RUNS: '1000' },
  },
  {
    name: 'inbound',
    about: '80 kills while phones write: each message stored once, each answered once',
    files: ['apps/server/test/faults/inbound-kills.test.ts'],
    rounds: 4,
    minutesARound: 10,
    environment: { FAULT_INBOUND_ROUNDS: '5' },
  },
  {
    name: 'idempotency',
    about: '200 parallel posts of 500 keys while the API is killed: one message and one answer each',
    files: ['apps/server/test/api/idempotency.test.ts'],
    rounds: 1,
    minutesARound: 30,
    environment: { IDEMPOTENCY_KEYS: '500' },
  },
  {
    name: 'api-fuzz',
    about: '300 requests of each call of the public API by each role: no fault of ours, no reply off the document',
    files: ['apps/server/test/api/fuzz.test.ts'],
    rounds: 5,
    minutesARound: 10,
    environment: { FUZZ_REQUESTS: '300' },
  },
  {
    name: 'mutants',
    about: '5,000,000 mutated PDUs in either role',
    files: ['packages/smpp/test/mutants.test.ts'],
    rounds: 5,
    minutesARound: 20,
    environment: { FAULT_MUTANTS: '1000000' },
  },
  {
    name: 'protocol',
    about: 'id rules, chunkings, ends at any octet, Wireshark and segments with ten more seeds',
    files: [
      'packages/smpp/test/endings.test.ts',
      'packages/smpp/test/id-rules.test.ts',
      'packages/smpp/test/chunkings.test.ts',
      'packages/smpp/test/tshark.test.ts',
      'apps/server/test/faults/segments.test.ts',
    ],
    rounds: 10,
    minutesARound: 5,
  },
  {
    name: 'smpp-server',
    about:
      '100,000 mutated PDUs of a bound program, a program that comes and goes 100 times, 100 customers beside one that misbehaves, Kannel with 50,000 messages',
    files: [
      'apps/server/test/smpp-server/receipts.test.ts',
      'apps/server/test/smpp-server/neighbours.test.ts',
      'apps/server/test/smpp-server/kannel.test.ts',
    ],
    rounds: 1,
    minutesARound: 30,
    environment: {
      FAULT_SMPP_MUTANTS: '100000',
      FAULT_SMPP_ROUNDS: '100',
      FAULT_SMPP_CUSTOMERS: '100',
      FAULT_SMPP_SUBMITS: '50',
      FAULT_SMPP_KANNEL: '50000',
    },
  },
  {
    name: 'intake',
    about: '140 kills of API and SMPP server around their commits: what was acknowledged stands, with its reserve',
    files: ['apps/server/test/intake/intake-kills.test.ts'],
    rounds: 1,
    minutesARound: 20,
    environment: { FAULT_INTAKE_ROUNDS: '20' },
  },
  {
    name: 'journeys',
    about: '60 kills of workers that lead 60,000 people: no step twice, nobody lost, ledger in step',
    files: ['apps/server/test/journeys/journey-kills.test.ts'],
    rounds: 3,
    minutesARound: 20,
    environment: { FAULT_JOURNEY_PEOPLE: '20000', FAULT_JOURNEY_KILLS: '16' },
  },
  {
    name: 'lifecycles',
    about: '10,000 random lives of campaigns',
    files: ['apps/server/test/campaigns/lifecycle-model.test.ts'],
    rounds: 5,
    minutesARound: 40,
    environment: { FAULT_LIFECYCLES: '2000' },
  },
  {
    name: 'failover',
    about:
      '20 promotions of the standby while a campaign leaves and people quote others; 5 more, and frozen primaries, while programs submit',
    files: ['failover', 'failover-sessions', 'failover-programs', 'pooler-moves'].map(
      (name) => `apps/server/test/operate/${name}.test.ts`,
    ),
    rounds: 5,
    minutesARound: 15,
    environment: { FAILOVER_ROUNDS: '4', FAILOVER_MESSAGES: '3000' },
  },
  {
    name: 'log',
    about: '300 ways of tampering with 10,000 entries of the activity log',
    files: ['apps/server/test/audit/chain.test.ts'],
    rounds: 1,
    minutesARound: 15,
    environment: { FAULT_LOG_TRIALS: '300' },
  },
  {
    name: 'refreshes',
    about: '100 rounds of 50 renewals of a session at once',
    files: ['apps/server/test/identity/sessions.test.ts'],
    rounds: 1,
    minutesARound: 10,
    environment: { FAULT_REFRESH_ROUNDS: '100' },
  },
  {
    name: 'operator',
    about:
      "a made-up operator's month of 5,000,000 messages: costs, prices and margins as the carriers' files have them",
    files: ['apps/server/test/margins/operator.test.ts'],
    rounds: 1,
    minutesARound: 120,
    environment: { OPERATOR_MESSAGES: '5000000' },
  },
  {
    name: 'ledger',
    about: '640,000 random operations of money over 64 connections on five accounts',
    files: ['apps/server/test/billing/ledger.test.ts'],
    rounds: 1,
    minutesARound: 120,
    environment: { FAULT_OPERATIONS: '640000' },
  },
  {
    name: 'guides',
    about: 'the pages of operators typed as they stand, and an upgrade from the oldest tree with a campaign under way',
    files: [
      'apps/server/test/operate/oldest-tree.soak.ts',
      'apps/server/test/operate/guide-database.test.ts',
      'apps/server/test/operate/guide-backup.test.ts',
    ],
    rounds: 1,
    minutesARound: 20,
  },
  {
    name: 'n8n',
    about: 'the nodes of n8n within n8n itself, which is installed on first use (2.8 GB)',
    files: ['apps/server/test/api/n8n.soak.ts'],
    rounds: 1,
    minutesARound: 30,
  },
  {
    name: 'stops',
    about: '2,000 stops and pauses at full rate',
    files: ['apps/server/test/faults/stops.test.ts'],
    rounds: 10,
    minutesARound: 5,
  },
  {
    name: 'opt-outs',
    about: '500 people opting out of a campaign of a million that runs at full rate',
    files: ['apps/server/test/delivery/opt-outs.test.ts'],
    rounds: 1,
    minutesARound: 15,
    environment: { FAULT_OPT_OUTS: '500' },
  },
  {
    name: 'receipts',
    about: '50,000 receipts up to 5 s before and behind their responses, on two binds, with senders that change',
    files: ['apps/server/test/delivery/receipts.test.ts'],
    rounds: 5,
    minutesARound: 15,
    environment: { RECEIPTS_TOTAL: '50000', RECEIPTS_SPREAD_MS: '5000' },
  },
  {
    name: 'window',
    about: '2,000,000 submits with answers lost, late and doubled',
    files: ['packages/smpp/test/window-faults.test.ts'],
    rounds: 5,
    minutesARound: 15,
    environment: { WINDOW_SUBMITS: '2000000' },
  },
  {
    name: 'walls',
    about:
      'every call by every role against all that is foreign to it, and 20,000 requests of 20 tenants by row level security alone',
    files: ['apps/server/test/walls/walker.test.ts', 'apps/server/test/walls/row-security-alone.test.ts'],
    rounds: 1,
    minutesARound: 30,
    environment: { WALLS_ALL: 'true', WALLS_REQUESTS: '20000' },
  },
  {
    name: 'second-tries',
    about: 'one-time codes and uncertain messages, 20 times',
    files: ['apps/server/test/delivery/otp.test.ts', 'apps/server/test/delivery/uncertain.test.ts'],
    rounds: 20,
    minutesARound: 5,
  },
  {
    name: 'composer',
    about: 'a file of 100,000 texts of their own through the browser',
    files: ['e2e/composer.test.ts'],
    rounds: 1,
    minutesARound: 15,
    environment: { COMPOSER_ROWS: '100000' },
  },
];
