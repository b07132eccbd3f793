/** The ledger of a team over a connection to its database. */
import * as z from "zod/mini";
import { type LedgerPlace, statementsOver, withTeamErrors } from "./asker.ts";
import type { LedgerConnection } from "./connection.ts";
import { canceledClaim, canPass, teamError, unreadableAnswer } from "./failures.ts";
import {
  type Away,
  type ClaimAnswer,
  type ClaimRequest,
  claimAnswers,
  closeAnswer,
  type Ledger,
  type LedgerOptions,
  listedEntry,
  type Page,
  publishAnswer,
  type TeamFinding,
  teamFinding,
} from "./ledger.ts";
import {
  actsQuery,
  closingsQuery,
  doneQuery,
  listQuery,
  openQuery,
  pageQuery,
  type Query,
  runsQuery,
} from "./ledger-queries.ts";
import { colleagueClosing, doneOfPerson, ledgerAct, openWork, teamRun } from "./ledger-views.ts";
import { sqlApprovals } from "./sql-approvals.ts";

interface SqlLedgerOptions extends LedgerOptions, LedgerPlace {
  /** Returns the milliseconds of a clock that is never set. Default: that of the process. */
  readonly steady?: () => number;
  /** Time for which a claim is asked again, in milliseconds. Default: 12 s. */
  readonly patienceMs?: number;
}

const maxClaims = 64;

/**
 * Time after which waiting claims are sent although earlier ones have no answer, in milliseconds. A
 * database that is near answers sooner, and fewer calls cost it less.
 */
const furtherClaimsMs = 5;
const maxOutcomes = 256;

const maxQuestions = 500;

const pageSize = 500;

interface WaitingClaim {
  readonly request: ClaimRequest;
  readonly resolve: (answer: ClaimAnswer) => void;
}

/** Opens the ledger over a connection, which the ledger closes. */
export function sqlLedger(connection: LedgerConnection, options: SqlLedgerOptions): Ledger {
  const { host, user, clock, random, service, patienceMs = 12_000 } = options;
  const { steady = () => performance.now() } = options;
  let waiting: WaitingClaim[] = [];
  let isAsking = false;
  const closed = new AbortController();

  const statements = statementsOver(connection, options);
  const { schema, query, call } = withTeamErrors(statements, host);
  const self = () => {
    const { state, ...position } = user.position();
    const { journal, machine, person } = user;
    const { epoch, newest } = state ?? { epoch: null, newest: 0 };
    return { journal, machine, person, epoch, newest, ...position };
  };
  const read = <T>(shape: z.ZodMiniType<T>, { sql, values }: Query) => query(shape, sql, ...values);

  /** Asks until there is an answer or the patience is over. The same tokens find a lost answer. */
  const askForClaims = async (requests: readonly ClaimRequest[]) => {
    const until = clock.now() + patienceMs;
    for (let tries = 1; ; tries++) {
      const askedAt = { wall: clock.now(), steady: steady() };
      try {
        // What the connection rejects with says if another try can help.
        const answer = await statements.call(claimAnswers, "claim", self(), requests);
        user.seen({ epoch: answer.epoch, newest: answer.newest });
        return new Map(
          answer.answers.map(({ token, ...one }): [string, ClaimAnswer] => [
            token,
            one.kind === "claimed" ? { ...one, askedAt } : one,
          ]),
        );
      } catch (error) {
        if (!canPass(error) || clock.now() >= until || closed.signal.aborted) throw error;
        const pauseMs = Math.min(1_000, 50 * 2 ** tries) * (0.5 + random() / 2);
        await clock.sleep(pauseMs, closed.signal);
      }
    }
  };
  const askWaiting = async () => {
    // Claims of one turn of the event loop share a transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxClaims);
      waiting = waiting.slice(maxClaims);
      const further = new AbortController();
      const pause = clock.sleep(furtherClaimsMs, further.signal).catch(() => {});
      await Promise.race([answerBatch(batch), pause]);
      further.abort();
    }
    isAsking = false;
  };
  /** Never rejects. */
  const answerBatch = async (batch: readonly WaitingClaim[]) => {
    try {
      const answers = await askForClaims(batch.map(({ request }) => request));
      for (const { request, resolve } of batch)
        resolve(answers.get(request.token) ?? away(unreadableAnswer(host)));
    } catch (error) {
      for (const { resolve } of batch) resolve(away(error));
    }
  };
  const away = (error: unknown): Away => ({ kind: "away", error: teamError(error, host) });

  return {
    connect: () => connection.open(),
    claim: (request, signal) =>
      new Promise((resolve) => {
        const onAbort = () => answered(away(canceledClaim()));
        const answered = (answer: ClaimAnswer) => {
          signal.removeEventListener("abort", onAbort);
          resolve(answer);
        };
        if (signal.aborted) return onAbort();
        signal.addEventListener("abort", onAbort, { once: true });
        waiting.push({ request, resolve: answered });
        if (isAsking) return;
        isAsking = true;
        void askWaiting();
      }),
    ask: async (questions) => {
      const found: (readonly TeamFinding[])[] = [];
      for (let at = 0; at < questions.length; at += maxQuestions) {
        const part = questions.slice(at, at + maxQuestions);
        const answers = await call(z.array(z.array(teamFinding)), "ask", self(), part);
        if (answers.length !== part.length) throw unreadableAnswer(host);
        found.push(...answers);
      }
      return found;
    },
    renew: async (claims) => new Set(await call(z.array(z.string()), "renew", claims)),
    publish: async (outcomes) => {
      const refused: number[] = [];
      let at = 0;
      do {
        const part = outcomes.slice(at, at + maxOutcomes);
        at += maxOutcomes;
        const isLast = at >= outcomes.length;
        const { isComplete, ...facts } = self();
        const sent = { ...facts, isComplete: isComplete && isLast };
        const answer = await call(publishAnswer, "publish", sent, part);
        user.seen({ epoch: answer.epoch, newest: answer.newest });
        refused.push(...answer.refused);
      } while (at < outcomes.length);
      return refused;
    },
    closeEntry: (id, { reason, tookEffect }, act) =>
      call(closeAnswer, "close", self(), id, reason, tookEffect, act),
    leave: async (at) => {
      await call(z.literal(true), "leave", self(), service, at);
    },
    rejoin: async () => {
      // A machine that claims, be it nothing, is back.
      await call(claimAnswers, "claim", self(), []);
    },
    list: (filter) => read(z.array(listedEntry), listQuery(schema, service, filter)),
    acts: (entry) => read(z.array(ledgerAct), actsQuery(schema, entry)),
    closings: (ids) => read(z.array(colleagueClosing), closingsQuery(schema, user.journal, ids)),
    runs: (limit) => read(z.array(teamRun), runsQuery(schema, service, user.journal, limit)),
    openWork: () => read(openWork, openQuery(schema, service, user.journal)),
    done: (filter) => read(z.array(doneOfPerson), doneQuery(schema, service, user.journal, filter)),
    approvals: sqlApprovals({ schema, service, query, call }, self),
    since: pageSince,
    close: async () => {
      closed.abort();
      await connection.close();
    },
  };

  async function pageSince(text: string | null): Promise<Page> {
    const mark = readWatermark(text);
    const page = await read(pageShape, pageQuery(schema, service, mark, pageSize));
    // The ledger was restored from a backup, so its numbers start again.
    if (mark.epoch !== null && mark.epoch !== page.epoch) return pageSince(null);
    const last = page.entries.at(-1);
    const hasMore = last !== undefined && page.entries.length === pageSize;
    // Transactions that run now can commit rows before the last one of this page.
    const floor = mark.floor ?? page.floor;
    const next = hasMore
      ? { epoch: page.epoch, floor, changed: last.changed, id: last.entry.id }
      : { epoch: page.epoch, floor: null, changed: floor, id: 0 };
    const entries = page.entries.map(({ entry }) => entry);
    return { entries, watermark: JSON.stringify(next), hasMore };
  }
}

const pageShape = z.object({
  epoch: z.string(),
  /** The oldest transaction that was running. Later ones can still commit. */
  floor: z.string(),
  entries: z.array(z.object({ changed: z.string(), entry: listedEntry })),
});

/**
 * The position of a reader. `changed` and `id` name the last row that was read, and `floor` is the
 * position after the last page of a series, or null at its beginning.
 */
const watermarkShape = z.object({
  epoch: z.nullable(z.string()),
  floor: z.nullable(z.string()),
  changed: z.string(),
  id: z.int(),
});

function readWatermark(text: string | null): z.output<typeof watermarkShape> {
  const start = { epoch: null, floor: null, changed: "0", id: 0 };
  if (text === null) return start;
  try {
    return z.parse(watermarkShape, JSON.parse(text));
  } catch {
    // An older version stored another form, so everything is read again.
    return start;
  }
}
