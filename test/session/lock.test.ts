import type { Clock } from "../../src/api/clock.ts";
import type { App } from "../../src/session/app.ts";
import type { Session } from "../../src/session/open-session.ts";
import type { Prompt } from "../../src/session/overlays.ts";
import { adHocName, sandboxProfile } from "../../src/settings/sandbox-profile.ts";
import { appOf } from "../helpers/app.ts";
import { clockOf, fakeClock } from "../helpers/clock.ts";

const minuteMs = 60_000;

/** An app with an open session of production, whose profile is in no file. */
function inProduction(clock: Clock, options: { readonly readOnly?: boolean } = {}): App {
  const app = appOf({ clock, ...options });
  const profile = {
    ...sandboxProfile,
    name: adHocName,
    baseUrl: "https://api.example.com",
    environment: "production",
  };
  const session = { id: "1", profile, outdated: null } as unknown as Session;
  app.sessions.state.set({ kind: "open", session });
  return app;
}

/** Unlocks as an operator does: with the name of the profile. */
function unlock({ lock, overlays }: App, typed: string): ReturnType<Prompt["onSubmit"]> {
  lock.state.get().action?.run();
  const asked = overlays.current.get();
  if (asked?.kind !== "prompt") throw new Error("nothing is asked");
  return asked.onSubmit(typed);
}

test("production is locked until the name of its profile is typed, and again after 15 minutes", async () => {
  const clock = fakeClock();
  const app = inProduction(clock);
  expect(app.lock.words()).toMatch(/locked/);
  expect(unlock(app, "another")).toMatch(/still locked/);
  expect(app.lock.refusal()).toMatch(/locked/);
  expect(unlock(app, adHocName)).toBeNull();
  expect(app.lock.state.get()).toMatchObject({ locked: false, until: clock.now() + 15 * minuteMs });
  await clock.advance(14 * minuteMs);
  expect(app.lock.words()).toBeNull();
  await clock.advance(minuteMs);
  expect(app.lock.words()).toMatch(/locked/);
  expect(app.notices.staying.get().map(({ text }) => text)).toEqual(["Writes are locked again."]);
});

test("writes are refused if the 15 minutes ended before any timer could fire", () => {
  let now = 0;
  const app = inProduction(clockOf({ now: () => now, sleep: () => new Promise(() => {}) }));
  unlock(app, adHocName);
  expect(app.lock.refusal()).toBeNull();
  now = 15 * minuteMs;
  expect(app.lock.refusal()).toMatch(/locked/);
});

test("another session is locked, whatever was unlocked before", () => {
  const app = inProduction(fakeClock());
  unlock(app, adHocName);
  const state = app.sessions.state.get();
  if (state.kind !== "open") throw new Error("no session is open");
  app.sessions.state.set({ kind: "open", session: { ...state.session, id: "2" } });
  expect(app.lock.state.get().locked).toBe(true);
});

test("a console that was started read-only has no way to unlock", () => {
  const { lock } = inProduction(fakeClock(), { readOnly: true });
  expect(lock.words()).toMatch(/read-only/);
  expect(lock.state.get().action).toMatchObject({ disabled: lock.words() });
});
