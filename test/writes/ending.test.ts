/** Tests requests that are in flight when the program has to end. */
import { createRateLimit } from "../../src/api/rate-limit.ts";
import { Ending, shutdownGraceMs } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { fakeClock } from "../helpers/clock.ts";
import { contextFor, instruction } from "./writing.ts";

const confirmed = {
  httpStatus: 201,
  body: JSON.stringify({ service_account_number: "A-1", reference: "R-1" }),
};

/** One payment on a clock moved by hand: its headers leave when `leave` is called. */
async function inFlight() {
  const clock = fakeClock();
  const answer = Promise.withResolvers<typeof confirmed>();
  const leaves = Promise.withResolvers<() => void>();
  const aborted: number[] = [];
  const context = await contextFor("http://127.0.0.1:9", {
    clock,
    service: {
      baseUrl: "http://127.0.0.1:9",
      rateLimit: createRateLimit(clock),
      renewConnections: () => {},
      accounts: { status: () => Promise.reject(new Error("not asked")) },
      trustedNow: () => null,
      clockAheadMs: () => null,
      supplyPoints: { status: () => Promise.reject(new Error("not asked")) },
      post: (_request, { signal, onHeadersSent }) => {
        signal.addEventListener("abort", () => {
          aborted.push(clock.now());
          answer.reject(new Error("cut off"));
        });
        leaves.resolve(onHeadersSent);
        return answer.promise;
      },
    },
  });
  const ending = new AbortController();
  const result = submit(context, instruction(), { signal: ending.signal });
  const leave = await leaves.promise;
  return { clock, answer, leave, ending, result, aborted };
}

test("an answer within the time to settle is the outcome", async () => {
  const { clock, answer, leave, ending, result } = await inFlight();
  leave();
  ending.abort(new Ending("hang-up", shutdownGraceMs));
  await clock.advance(shutdownGraceMs - 1);
  answer.resolve(confirmed);
  expect(await result).toMatchObject({ outcome: "confirmed" });
});

test("without an answer it is cut off when that time is over, and unknown", async () => {
  const { clock, leave, ending, result, aborted } = await inFlight();
  const began = clock.now();
  leave();
  ending.abort(new Ending("hang-up", shutdownGraceMs));
  await clock.advance(shutdownGraceMs - 1);
  expect(aborted).toEqual([]);
  await clock.advance(1);
  expect(await result).toMatchObject({ outcome: "unknown", reason: "cancelled" });
  expect(aborted[0]).toBe(began + shutdownGraceMs);
});

test("what has not left is cut off at once, and so is everything at Ctrl-C", async () => {
  const first = await inFlight();
  first.ending.abort(new Ending("hang-up", shutdownGraceMs));
  await first.result;
  expect(first.aborted).toHaveLength(1);
  const second = await inFlight();
  second.leave();
  second.ending.abort();
  expect(await second.result).toMatchObject({ outcome: "unknown" });
});
