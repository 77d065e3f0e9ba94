import { type DatabaseConnection, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely';

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0];

/**
 * Kysely's PostgreSQL, but a transaction accepts nothing more once its end is requested. Kysely itself refuses only
 * once the end is answered. Until then a statement that nobody awaits would run after ROLLBACK, and PostgreSQL would
 * commit it by itself.
 */
export class EndingDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new EndingDriver(this.#config);
  }
}

class EndingDriver extends PostgresDriver {
  override commitTransaction(connection: Connection): Promise<void> {
    return last(connection, super.commitTransaction(connection));
  }

  override rollbackTransaction(connection: Connection): Promise<void> {
    // If this fails as well, the session is thrown away; the reported error stays the reason of the rollback.
    return last(connection, super.rollbackTransaction(connection)).catch(() => undefined);
  }
}

/** Blocks other statements on a connection until its last one is done. */
async function last(connection: DatabaseConnection, ending: Promise<void>): Promise<void> {
  const { executeQuery } = connection;
  connection.executeQuery = () => Promise.reject(new Error('The transaction has ended: nothing more belongs to it.'));
  try {
    await ending;
  } finally {
    connection.executeQuery = executeQuery;
  }
}
