/** The session of a console waits by the clock of the console. */
import { fakeClock, passing } from "../helpers/clock.ts";
import { eventually } from "../helpers/eventually.ts";
import { reply } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

test("a call that failed is made again when the clock of the console says so", async () => {
  const clock = fakeClock();
  const { service, at } = await world({ service: (_, response) => reply(response, 503) });
  const { app } = await at([{ kind: "connect", edit: null }], { clock });
  const session = await eventually(() => {
    const state = app.sessions.state.get();
    if (state.kind !== "open") throw new Error("it is not open yet");
    return state.session;
  });
  const before = clock.pending();
  const limits = { signal: new AbortController().signal, retries: 1 };
  const call = session.service.accounts.status("ACME", "EXT-1", limits);
  call.catch(() => {});
  await eventually(() => service.asked().length === 1);
  // Its time limit, and the wait before it is made again.
  await clock.untilSleeping(before + 2);
  await expect(passing(clock, call)).rejects.toMatchObject({ kind: "unavailable" });
  expect(service.asked()).toHaveLength(2);
});
