import * as contract from '@heliograph/contract/api/verification';
import type pg from 'pg';
import { findVerification, Verifier } from '#modules/verify';
import { createDatabase } from '#platform/database/db';
import type { KeyHolder } from './keyring.ts';
import { answerAccepted, mountPublicOperation, type PublicApi, programOf, tellThroughput } from './mount-public.ts';
import { idempotencyOf } from './send.ts';

const ownerOf = ({ caller, is_test }: KeyHolder) => ({ corporation_id: caller.corporation_id!, is_test });

/** Mounts the calls that verify phone numbers. `pool` has sessions of the role `intake`. */
export function verificationCalls(api: PublicApi, pool: pg.Pool, installationKey: () => Buffer): void {
  const { app, intake } = api;
  const verifier = new Verifier(createDatabase(pool), intake, app.clock, installationKey);
  mountPublicOperation(
    api,
    contract.startVerification,
    async ({ holder, body, request, reply }) => {
      const program = programOf(holder);
      const idempotency = idempotencyOf(request, contract.startVerification, body);
      tellThroughput(reply, await intake.allow(program, 1));
      const outcome = await verifier.start(program, body, idempotency);
      const id = outcome.answer && (JSON.parse(outcome.answer.body) as { id: string }).id;
      const answer = answerAccepted(reply, contract.startVerification, outcome, id === null ? null : Number(id));
      if (answer) return answer;
      throw outcome.results[0];
    },
    { brief: true },
  );
  mountPublicOperation(
    api,
    contract.checkVerification,
    ({ holder, params, body, read }) =>
      read((ctx) => verifier.check(ctx.db, ownerOf(holder), Number(params.id), body.code)),
    { brief: true },
  );
  mountPublicOperation(
    api,
    contract.resendVerification,
    async ({ holder, params, reply, read }) => {
      const program = programOf(holder);
      const owner = ownerOf(holder);
      tellThroughput(reply, await intake.allow(program, 1));
      const found = await read((ctx) => findVerification(ctx.db, owner, Number(params.id)));
      await verifier.resend(program, found);
      return read((ctx) => verifier.get(ctx.db, owner, Number(params.id)));
    },
    { brief: true },
  );
  mountPublicOperation(
    api,
    contract.cancelVerification,
    ({ holder, params, read }) => read((ctx) => verifier.cancel(ctx.db, ownerOf(holder), Number(params.id))),
    { brief: true },
  );
  mountPublicOperation(
    api,
    contract.getVerification,
    ({ holder, params, read }) => read((ctx) => verifier.get(ctx.db, ownerOf(holder), Number(params.id))),
    { brief: true },
  );
}
