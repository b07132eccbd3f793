/** Classifies one response to a write that was sent once, without a service. */
import type { Entry } from "../../src/writes/journal/entry.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import {
  type ClassifiedResponse,
  classifyResponse,
} from "../../src/writes/send/classify-response.ts";
import { limitsOf } from "../../src/writes/send/events.ts";
import type { Sent } from "../../src/writes/send/request.ts";
import { type Moment, type SendFacts, sendFactsOf } from "../../src/writes/send/state.ts";

export const at = Date.parse("2026-01-15T09:00:00Z");
export const moment: Moment = {
  now: at,
  elapsed: at,
  random: 0.5,
  limitedUntil: null,
  stopped: null,
};

export function entryOf(write: WriteRequest, extra: Partial<Entry> = {}): Entry {
  const { operation, path, query, body, sha256, facts } = prepareWrite(write);
  return {
    id: 7,
    run: null,
    line: null,
    parent: null,
    profile: "test",
    baseUrl: "http://a.test",
    operation,
    target: facts.target,
    path,
    query,
    body,
    sha256,
    createdAt: at - 60_000,
    state: "intent",
    reason: null,
    doubt: "none",
    tookEffect: null,
    lookedUp: null,
    httpStatus: null,
    code: null,
    owner: null,
    endedAt: null,
    ...extra,
  };
}

export function known(
  write: WriteRequest,
  extra: Partial<SendFacts> = {},
  entry: Partial<Entry> = {},
): SendFacts {
  const signal = new AbortController().signal;
  const last = { n: 0, endedAt: 0 };
  const limits = limitsOf({ signal });
  return {
    ...sendFactsOf(entryOf(write, entry), prepareWrite(write), limits, last, false, moment),
    ...extra,
  };
}

/** A body that is no text is sent as JSON. */
export const answer = (httpStatus: number, body: unknown): Sent => ({
  kind: "answer",
  answer: { httpStatus, body: typeof body === "string" ? body : JSON.stringify(body) },
  headersSentAt: at,
});

/** The first attempt of a write, classified by its response. */
export function classified(
  write: WriteRequest,
  httpStatus: number,
  body: unknown,
): ClassifiedResponse {
  return classifyResponse(known(write, { n: 1, made: 1 }), answer(httpStatus, body), at, moment);
}
