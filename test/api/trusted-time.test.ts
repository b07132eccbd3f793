/** Promise: only a clock that an answer of this process has confirmed is one to delete by. */
import { fakeClock } from "../helpers/clock.ts";
import { openService, reply } from "../helpers/service.ts";
import { connected } from "./connected.ts";

const minute = 60_000;

test("the time is trusted within an hour of the Date header of the last answer, and never before one", async () => {
  const clock = fakeClock("2026-11-20T12:00:00Z");
  let date: string | null = null;
  const server = await openService((_, response) => {
    if (date !== null) response.setHeader("date", date);
    reply(response, 200, { status: "COMPLETED", service_account_number: "A-1" });
  });
  const { service } = connected(server.baseUrl, { clock });
  const after = async (header: string | null) => {
    date = header;
    await service.accounts.status("ACME", "EXT-1");
    return service.trustedNow();
  };
  expect(service.trustedNow()).toBeNull();
  expect(await after(null)).toBeNull();
  expect(await after("Fri, 20 Nov 2026 13:00:00 GMT")).toBe(clock.now());
  expect(await after("Fri, 20 Nov 2026 11:00:00 GMT")).toBe(clock.now());
  // Time goes on, or is put forward, after the answer.
  await clock.advance(minute);
  expect(service.trustedNow()).toBeNull();
  expect(await after("Sat, 21 Nov 2026 12:00:00 GMT")).toBeNull();
  expect(await after("yesterday")).toBeNull();
});

test("a clock is wrong by its distance from the last Date header if that is more than an hour", async () => {
  const clock = fakeClock("2026-11-20T12:00:00Z");
  let date = "";
  const server = await openService((_, response) => {
    if (date !== "") response.setHeader("date", date);
    reply(response, 200, { status: "COMPLETED", service_account_number: "A-1" });
  });
  const { service } = connected(server.baseUrl, { clock });
  const after = async (header: string) => {
    date = header;
    await service.accounts.status("ACME", "EXT-1");
    return service.wrongByMs();
  };
  expect(service.wrongByMs()).toBe(0);
  expect(await after("")).toBe(0);
  expect(await after("Fri, 20 Nov 2026 13:00:00 GMT")).toBe(0);
  expect(await after("Fri, 20 Nov 2026 14:00:00 GMT")).toBe(-120 * minute);
  expect(await after("Fri, 20 Nov 2026 10:00:00 GMT")).toBe(120 * minute);
});
