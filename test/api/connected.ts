/** A service under test, with credentials in memory and waits that cost no time. */
import { rowOfBatch } from "../../src/accounts/ingest/batch.ts";
import { readAccountList } from "../../src/accounts/ingest/read-list.ts";
import { createService } from "../../src/api/client.ts";
import type { Clock } from "../../src/api/clock.ts";
import { isServiceError, type ServiceError } from "../../src/api/errors.ts";
import type { CallOptions, ListState, Service, ServiceOptions } from "../../src/api/service.ts";
import { clockOf, fakeClock } from "../helpers/clock.ts";

export interface Connected {
  readonly service: Service;
  /** The waits between attempts so far, in milliseconds. */
  readonly waits: readonly number[];
  /** The values that the service asked to store, oldest first. */
  readonly keptTokens: readonly (string | null)[];
  readonly keptForms: readonly ("token" | "bare")[];
}

export type Given = Partial<Omit<ServiceOptions, "knownForm">> & {
  /** Default `token`; null when none is known. */
  readonly knownForm?: "token" | "bare" | null;
  /** Default: a given token and no key. */
  readonly apiKey?: string | null;
  readonly token?: { readonly token: string; readonly given: boolean } | null;
};

export const start = Date.parse("2026-01-15T09:00:00Z");
export const givenToken = { token: "given-token", given: true };

/** Deadlines are far longer than any wait between attempts. */
const deadlinesFromMs = 20_000;

/** Waits between attempts are over at once, moving the time; deadlines never come. */
export function hastyClock(): Clock & { readonly waits: readonly number[] } {
  let now = start;
  const waits: number[] = [];
  const sleep: Clock["sleep"] = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (ms >= deadlinesFromMs) return;
      waits.push(ms);
      now += ms;
      setImmediate(resolve);
    });
  return { waits, ...clockOf({ now: () => now, sleep }) };
}

/** A clock that stands still, and a promise of the first wait between two attempts. */
export function waitingClock() {
  const clock = fakeClock(start);
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  const sleep: Clock["sleep"] = (ms, signal) => {
    if (ms < deadlinesFromMs) resolve();
    return clock.sleep(ms, signal);
  };
  return { clock: { ...clock, sleep }, waiting };
}

export function connected(baseUrl: string, given: Given = {}): Connected {
  const { apiKey = null, token = apiKey === null ? givenToken : null, ...more } = given;
  const { knownForm = "token", ...options } = more;
  const clock = hastyClock();
  const keptTokens: (string | null)[] = [];
  const keptForms: ("token" | "bare")[] = [];
  const service = createService({
    baseUrl,
    clock,
    ...(knownForm === null ? {} : { knownForm }),
    credentials: {
      apiKey: async () => apiKey,
      secrets: () => (apiKey === null ? [] : [apiKey]),
      token: async () => token,
      storeToken: async (kept) => {
        keptTokens.push(kept);
      },
      storeForm: async (form) => {
        keptForms.push(form);
      },
    },
    ...options,
  });
  onTestFinished(() => service.close());
  return { service, waits: clock.waits, keptTokens, keptForms };
}

/** The ServiceError a call ends with; anything else fails the test. */
export async function errorFrom(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

export interface Listed {
  readonly rows: ReturnType<typeof rowOfBatch>[];
  readonly end: { readonly rows: number; readonly unreadableRows: number } | null;
  readonly error: unknown;
}

/** A whole list: its rows in order, and how it ended. */
export async function listed(
  service: Service,
  supplier: string,
  state: ListState,
  options?: CallOptions,
): Promise<Listed> {
  const rows: ReturnType<typeof rowOfBatch>[] = [];
  const batches = readAccountList(service, supplier, state, options);
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done) return { rows, end: next.value, error: null };
      const batch = next.value;
      for (let row = 0; row < batch.count; row++) rows.push(rowOfBatch(batch, row));
    }
  } catch (error) {
    return { rows, end: null, error };
  }
}
