import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@heliograph/fault-kit';
import { patiently, untilServed } from '../patience.ts';
import { type House, LINK, PATIENCE_MS } from './house.ts';
import type { Blow, ConsoleBlow, Plan } from './kill-plan.ts';

/** Maximum segments that a crash may leave uncertain: a window of each bind, and answers that are not recorded yet. */
const UNCERTAIN_A_KILL = LINK.binds * LINK.window_size + Math.max(LINK.window_size, 500) + 10;

const WAITING = 200;
const CAMPAIGN = 100;
const SMALL_CAMPAIGN = 15;
/** Throttled messages in each small campaign. There are few, because each one slows the link down for seconds. */
const THROTTLED = 1;

/** Work that must be finished at the end. */
const LEFT = `
  SELECT 'messages that wait' AS what, coalesce(sum(size - cursor), 0)::bigint AS count FROM chunk WHERE state = 'open'
  UNION ALL SELECT 'segments to try again', count(*) FROM retry
  UNION ALL SELECT 'campaigns ' || state, count(*) FROM campaign WHERE state NOT IN ('completed', 'stopped') GROUP BY state
  UNION ALL SELECT 'imports ' || state, count(*) FROM import WHERE finished_at IS NULL GROUP BY state`;

/** One task of a person, continued after any process died. */
interface Errand {
  quoteId?: number | undefined;
  campaignId?: number;
}

/** Runs all planned kills and looks for contradictions after each; throws at the first. */
export class Killing {
  readonly #house: House;
  readonly #random: Random;
  readonly #errands: Errand[] = [];
  #uncertain = 0;
  #blowsSince = 0;
  #failed = false;
  #checks: Promise<void> = Promise.resolve();
  #fault: Error | undefined;
  /** Kills until now, by victim and place. */
  readonly done: string[] = [];

  constructor(house: House) {
    this.#house = house;
    this.#random = house.random;
  }

  async run(plan: Plan): Promise<void> {
    // Neither side continues to kill when the other has found a fault. The house is closed when both have stopped.
    const stopped = (error: unknown) => {
      this.#failed = true;
      throw error;
    };
    const sides = [this.#killDelivery(plan.delivery), this.#killConsole(plan.console)];
    for (const ended of await Promise.allSettled(sides.map((side) => side.catch(stopped)))) {
      if (ended.status === 'rejected') throw ended.reason;
    }
    await this.#checks;
    if (this.#fault) throw this.#fault;
    await this.#recover();
  }

  /**
   * Looks for contradictions after a kill while the next victim starts. Only one look runs at a time, because both
   * sides share the data read from the carrier's file. Throws the contradictions that earlier looks have found.
   */
  async #check(after: string): Promise<void> {
    await this.#checks;
    if (this.#fault) throw this.#fault;
    if (this.#failed) return;
    this.done.push(after);
    if (process.env.FAULT_TRACE) process.stderr.write(`${(performance.now() / 1000).toFixed(1)} ${after}\n`);
    this.#checks = this.#look(after).catch((error: Error) => {
      this.#failed = true;
      this.#fault ??= error;
    });
  }

  async #look(after: string): Promise<void> {
    const found = await patiently(() => this.#house.truth.contradictions());
    if (found.length > 0) throw new Error(`after ${after}:\n  ${found.join('\n  ')}`);
  }

  async #killDelivery(blows: readonly Blow[]): Promise<void> {
    for (const blow of blows) {
      if (this.#failed) return;
      while ((await this.#house.waiting()) < WAITING) await this.#house.queue(CAMPAIGN);
      await this.#house.queue(SMALL_CAMPAIGN, blow.victim === 'sender' ? THROTTLED : 0);
      if (blow.victim === 'sender') await this.#killSender(blow.place);
      else await this.#killUnderTheSender(blow.victim);
    }
  }

  /** Waits until `segments` more segments have reached the carrier. */
  async #traffic(segments: number): Promise<void> {
    const { log } = this.#house;
    log.read();
    const enough = log.accepted.length + segments;
    await untilServed('segments reach the carrier', async () => {
      log.read();
      if (log.accepted.length < enough && (await this.#house.waiting()) < segments) await this.#house.queue(CAMPAIGN);
      return log.accepted.length >= enough;
    });
  }

  async #killSender(place: string | undefined): Promise<void> {
    const house = this.#house;
    const present = house.victims.get('sender');
    const sender = present?.alive ? present : await house.start('sender', place);
    if (place) {
      await untilServed(`the sender dies at ${place}`, async () => {
        if (sender.alive && (await house.waiting()) < WAITING / 2) await house.queue(SMALL_CAMPAIGN, THROTTLED);
        return !sender.alive;
      });
    } else {
      await this.#traffic(20 + this.#random.below(80));
      await sleep(this.#random.below(30));
      await sender.kill();
    }
    await house.sessionsEnded('sender');
    this.#blowsSince++;
    const uncertain = await patiently(() => house.truth.uncertain());
    const most = this.#uncertain + this.#blowsSince * UNCERTAIN_A_KILL;
    if (uncertain > most) throw new Error(`${uncertain} segments are uncertain, and ${most} may be at most`);
    this.#uncertain = uncertain;
    this.#blowsSince = 0;
    await this.#check(`sender ${place ?? 'at random'}`);
  }

  async #killUnderTheSender(victim: 'database' | 'carrier'): Promise<void> {
    const house = this.#house;
    if (!house.victims.get('sender')?.alive) await house.start('sender');
    await this.#traffic(20 + this.#random.below(80));
    this.#blowsSince++;
    if (victim === 'database') await house.killDatabase();
    else {
      await house.victims.get('carrier')?.kill();
      await house.startCarrier();
    }
    // The living sender itself must recover.
    await this.#traffic(20);
    await this.#check(victim);
  }

  async #killConsole(blows: readonly ConsoleBlow[]): Promise<void> {
    const house = this.#house;
    for (const { victim, place } of blows) {
      if (this.#failed) return;
      const other = victim === 'api' ? 'worker' : 'api';
      if (!house.victims.get(other)?.alive) await house.start(other);
      const target = await house.start(victim, place);
      const atRandom = place ? undefined : sleep(100 + this.#random.below(600)).then(() => target.kill());
      const deadline = performance.now() + PATIENCE_MS;
      const goesOn = () => target.alive && performance.now() < deadline;
      while (goesOn()) {
        await this.#errand(goesOn, /^import/.test(place ?? ''), /^cancel/.test(place ?? ''));
      }
      await atRandom;
      if (target.alive || (await target.gone) !== 'SIGKILL')
        throw new Error(`the ${victim} did not pass ${place}; last refusal: ${house.refusal}`);
      await this.#check(`${victim} ${place ?? 'at random'}`);
    }
    // Over HTTP, receipts reach the sender through the API.
    if (house.takesCallbacks && !house.victims.get('api')?.alive) await house.start('api');
  }

  /** Imports a list, or quotes and sends a campaign and perhaps stops it, for as long as the victim lives. */
  async #errand(goesOn: () => boolean, imports: boolean, stops: boolean): Promise<void> {
    if (imports) {
      await this.#import(goesOn);
      return;
    }
    const errand: Errand = {};
    this.#errands.push(errand);
    await this.#advance(errand, goesOn);
    if (stops && errand.campaignId) {
      // A campaign that still waits for an undo cannot be stopped, and one that runs cannot be undone.
      for (const action of ['undo', 'stop'])
        await this.#house.call('POST', `/api/v1/campaigns/${errand.campaignId}/${action}`, {});
      await sleep(40);
    }
  }

  async #import(goesOn: () => boolean): Promise<void> {
    const house = this.#house;
    const list = await house.call<{ id: number }>('POST', '/api/v1/number-lists', {
      name: `List ${this.#random.below(1e9)}`,
      department_id: house.departmentId,
      corporation_id: house.stage.corporationId,
    });
    if (list?.status !== 201) return void (await sleep(50));
    const form = new FormData();
    const rows = house.numbers(20).map((number) => `${number}\n`);
    form.append('file', new Blob([`number\n${rows.join('')}`], { type: 'text/csv' }), 'numbers.csv');
    await house.call('POST', `/api/v1/number-lists/${list.data.id}/imports`, form);
    for (let i = 0; i < 100 && goesOn(); i++) await sleep(40);
  }

  /** Does the remaining steps of an errand; every step may be repeated. */
  async #advance(errand: Errand, goesOn: () => boolean): Promise<void> {
    const house = this.#house;
    if (errand.quoteId === undefined) {
      const quote = await house.call<{ id: number }>('POST', '/api/v1/campaigns/quotes', {
        sender_id: house.senderId,
        content: 'Hello',
        custom_numbers: house.numbers(20).join(','),
      });
      if (quote?.status !== 202) return void (await sleep(50));
      errand.quoteId = quote.data.id;
    }
    while (errand.campaignId === undefined && goesOn()) {
      const { quoteId } = errand;
      const row = await patiently(() =>
        house.stage.one<{ state: string; campaign: number | null }>(
          'SELECT q.state, (SELECT id FROM campaign c WHERE c.quote_id = q.id) AS campaign FROM quote q WHERE q.id = $1',
          [quoteId],
        ),
      );
      if (row.campaign !== null) errand.campaignId = row.campaign;
      else if (row.state === 'failed') {
        await this.#hasUsedUpItsTries(quoteId!);
        // The person reads that it failed, and asks again.
        errand.quoteId = undefined;
        return;
      } else if (row.state === 'ready') {
        // A repeated request after a lost answer leads to the same campaign or to a refusal.
        const body = { quote_id: quoteId, name: 'C', undo: true };
        const made = await house.call<{ id: number }>('POST', '/api/v1/campaigns', body);
        if (made?.status === 201) errand.campaignId = made.data.id;
      }
      if (errand.campaignId === undefined) await sleep(40);
    }
  }

  /** Throws if a quote has failed for another reason than that its workers died too often. */
  async #hasUsedUpItsTries(quoteId: number): Promise<void> {
    const { tries } = await patiently(() =>
      this.#house.stage.one<{ tries: number }>(
        `SELECT count(*) AS tries FROM jobs.job WHERE name = 'count-quote' AND data ->> 'quote_id' = $1::text
           AND state = 'failed' AND retry_count = retry_limit`,
        [quoteId],
      ),
    );
    if (tries === 0) throw new Error(`the quote ${quoteId} failed`);
  }

  /** Starts every process again and waits until all work has ended. */
  async #recover(): Promise<void> {
    const house = this.#house;
    for (const name of ['sender', 'worker', 'api'] as const) {
      if (!house.victims.get(name)?.alive) await house.start(name);
    }
    const deadline = performance.now() + PATIENCE_MS;
    const goesOn = () => performance.now() < deadline;
    for (const errand of this.#errands) {
      while (errand.campaignId === undefined && goesOn()) await this.#advance(errand, goesOn);
      if (errand.campaignId === undefined)
        throw new Error(`the quote ${errand.quoteId} leads to no campaign; last refusal: ${house.refusal}`);
    }
    const left = async () => {
      // A message that a carrier refused repeatedly may wait for a minute by now. That wait is not tested here.
      await house.stage.owner.query('UPDATE retry SET not_before = now() WHERE not_before > now()');
      const { rows } = await house.stage.owner.query<{ what: string; count: number }>(LEFT);
      return rows.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`);
    };
    await untilServed('everything has come to its end', async () => (await left()).length === 0).catch(
      async (error: Error) => {
        throw new Error(`${error.message}: there are ${(await left()).join(', ')}`);
      },
    );
    await this.#look('the recovery');
    const states = await house.stage.states();
    const known = ['delivered', 'submitted', 'failed_submit', 'failed_other', 'cancelled'];
    const strange = Object.keys(states).filter((state) => !known.includes(state));
    if (strange.length > 0) throw new Error(`in the end there are messages ${strange.join(', ')}`);
  }
}
