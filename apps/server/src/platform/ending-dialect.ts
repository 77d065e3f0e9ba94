import { type DatabaseConnection, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely';

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0];

/**
 * Kysely's PostgreSQL, except that a transaction takes nothing more once its end is asked for. Kysely itself refuses only
 * once the end is answered: until then a statement of work that was begun and not awaited would stand behind ROLLBACK,
 * where PostgreSQL commits it by itself.
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
    // Where that fails as well the session is thrown away; what is told is why the transaction was given up.
    return last(connection, super.rollbackTransaction(connection)).catch(() => undefined);
  }
}

/** Lets a connection do nothing else until what was asked of it last is done. */
async function last(connection: DatabaseConnection, ending: Promise<void>): Promise<void> {
  const { executeQuery } = connection;
  connection.executeQuery = () => Promise.reject(new Error('The transaction has ended: nothing more belongs to it.'));
  try {
    await ending;
  } finally {
    connection.executeQuery = executeQuery;
  }
}
