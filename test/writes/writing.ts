/** Journals, contexts and requests for tests of writes. */

import { type Clock, systemClock } from "../../src/api/clock.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { askGuard, barOf } from "../../src/writes/guard.ts";
import { type Journal, openJournal } from "../../src/writes/journal/open-journal.ts";
import type { Override } from "../../src/writes/journal/override.ts";
import type { Operation } from "../../src/writes/kinds/kind.ts";
import { type ProcessLife, processLife } from "../../src/writes/owner.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { findingsOf, planResend } from "../../src/writes/resend.ts";
import type {
  SubmitEvent,
  SubmitOptions,
  WriteContext,
  WriteService,
} from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import type { FakeClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { type Act, openService } from "../helpers/service.ts";
import { type TestCredentials, writeService } from "./write-service.ts";

export async function journalIn(where: string): Promise<Journal> {
  const journal = await openJournal({ folder: where });
  onTestFinished(() => journal.close());
  return journal;
}

export interface ContextOptions {
  readonly folder?: string;
  readonly clock?: Clock | undefined;
  readonly process?: ProcessLife;
  readonly credentials?: TestCredentials;
  readonly service?: WriteService;
  readonly profile?: string;
}

/** The parts of writes to a server at `baseUrl`. */
export async function contextFor(
  baseUrl: string,
  options: ContextOptions = {},
): Promise<WriteContext> {
  const clock = options.clock ?? systemClock;
  const journal = await journalIn(options.folder ?? journalFolder());
  let { service } = options;
  if (service === undefined) {
    const made = writeService(baseUrl, options.credentials ?? { token: "test-token" }, clock);
    onTestFinished(() => made.close());
    service = made;
  }
  return {
    journal,
    service,
    process: options.process ?? processLife(process.pid),
    clock,
    profile: options.profile ?? "test",
    team: null,
    teamRefusal: null,
    random: () => 0.5,
  };
}

/**
 * Options that skip every countdown, and the events that were reported. A wait that the service asks
 * for cannot be skipped: it passes on a fake clock.
 */
export function hurried(
  extra: Partial<SubmitOptions> = {},
  clock?: FakeClock,
): {
  readonly options: SubmitOptions;
  readonly events: SubmitEvent[];
} {
  const events: SubmitEvent[] = [];
  const options: SubmitOptions = {
    signal: new AbortController().signal,
    ...extra,
    onEvent: (event) => {
      events.push(event);
      extra.onEvent?.(event);
      if (event.kind !== "waiting") return;
      if (event.skip !== null) event.skip();
      else if (clock) setImmediate(() => clock.advance(event.until - clock.now()));
    },
  };
  return { options, events };
}

export const account = { import_supplier: "ACME", external_account_number: "EXT-0000001" };

export function request(
  operation: Operation,
  body: unknown,
  query?: Readonly<Record<string, string>>,
): WriteRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  return { operation, body: bytes, ...(query === undefined ? {} : { query }) };
}

export const notes = (...bodies: string[]) =>
  request("notes create", { ...account, notes: bodies.map((body) => ({ body })) });

export const transaction = (id: string, extra: object = {}) => ({
  transaction_id: id,
  transaction_date: "2025-11-20",
  amount: 12.5,
  type: "CHARGE",
  reason: "IMPORTED_CHARGE",
  ...extra,
});

export const transactions = (ids: readonly string[], query?: Readonly<Record<string, string>>) =>
  request(
    "transactions create",
    { ...account, transactions: ids.map((id) => transaction(id)) },
    query,
  );

export const statement = () =>
  request("statements create", {
    ...account,
    statements: [
      {
        bill_period_from_date: "2025-10-01",
        bill_period_to_date: "2025-10-31",
        statement_id: "ST-1",
        issued_date: "2025-11-01",
        number: "1",
        gross_amount: 10,
      },
    ],
  });

export const instruction = (vendor = "GOODPAY", reference = "R-1") =>
  request("payment-instructions create", { ...account, vendor, reference, type: "CARD" });

export const supplyPoint = (identifier = "SP-NEW") =>
  request("supply-points create", {
    payload: { import_supplier: "ACME", supply_point: { identifier }, accounts: [] },
  });

/** Returns an override of everything that the guard finds about a write now. */
export function overrideFor(
  { journal, service: { baseUrl } }: WriteContext,
  request: WriteRequest,
  reason = "meant",
): Override {
  const write = prepareWrite(request);
  const bar = barOf(journal.read((rows) => askGuard(rows, { baseUrl, write })));
  return { reason, passes: bar?.findings ?? [] };
}

/** Returns an override of everything that a resend of an entry needs a reason for now. */
export function resendOverrideFor(context: WriteContext, id: number, reason = "meant"): Override {
  return { reason, passes: findingsOf(planResend(context, id)) };
}

/** The answer of a service that added notes. */
export const noted = (...bodies: string[]) => ({
  status: 201,
  body: bodies.map((body) => ({ body, status: "NOTE_CREATION_SUCCESS" })),
});

interface SentOptions {
  /** The answers to lookups. Default: nothing is found. */
  readonly reads?: readonly Act[];
  readonly clock?: FakeClock;
  readonly credentials?: TestCredentials;
  /** The acts answer calls for a token as well. */
  readonly ownTokens?: boolean;
}

/** Sends a write to a service that does what the acts say, and returns what came of it. */
export async function sent(
  acts: readonly Act[],
  write: WriteRequest = notes("one"),
  { reads = [], ownTokens, clock, ...options }: SentOptions = {},
) {
  const server = await openService({ writes: acts, reads }, { ownTokens });
  const context = await contextFor(server.baseUrl, { clock, ...options });
  const { options: given, events } = hurried({}, clock);
  const result = await submit(context, write, given);
  const id = result.journalId;
  const shown = showActivity(context.journal, id);
  return { server, context, options: given, events, result, id, shown };
}
