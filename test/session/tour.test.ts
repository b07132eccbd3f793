import type { Session } from "../../src/session/open-session.ts";
import { createStore } from "../../src/session/store.ts";
import { resumedStep, tourSteps } from "../../src/session/tour.ts";
import { sandboxProfile } from "../../src/settings/sandbox-profile.ts";
import { recentlyUsed } from "../../src/state/used.ts";
import type { WatchSubject } from "../../src/watch/timeline.ts";
import { appOf } from "../helpers/app.ts";
import { fakeClock } from "../helpers/clock.ts";

/** An app in the sandbox, on the suppliers; `watch` puts one account on the watch list. */
function inSandbox() {
  const entries = createStore<readonly string[]>([]);
  const session = {
    id: "1",
    profile: sandboxProfile,
    outdated: null,
    watch: {
      subscribe: entries.subscribe,
      has: ({ number }: WatchSubject) => entries.get().includes(number),
    },
    tasks: { forms: { all: createStore(new Map()) } },
  } as unknown as Session;
  const app = appOf({ clock: fakeClock(), start: [{ kind: "suppliers" }] });
  app.sessions.state.set({ kind: "open", session });
  const number = () => app.tour.state.get().current?.number ?? null;
  return { app, number, watch: () => entries.set(["EXT-0000007"]) };
}

test("the tour advances with the places and with the watch list, and is saved", () => {
  const { app, number, watch } = inSandbox();
  expect(number()).toBeNull();
  app.tour.state.get().action.run();
  expect(number()).toBe(1);
  app.navigation.push({ kind: "overview", supplier: "ACME" });
  app.navigation.push({ kind: "accounts", supplier: "ACME", tab: "all" });
  expect(number()).toBe(3);
  app.navigation.push({ kind: "account", supplier: "ACME", account: "EXT-0000007" });
  expect(number()).toBe(4);
  watch();
  expect(number()).toBe(5);
  expect(recentlyUsed(app.history.state.get(), "tour")).toEqual(["4"]);
});

test("a tour that was paused resumes at its step, and leads to where that starts", () => {
  const { app, number } = inSandbox();
  app.tour.state.get().action.run();
  app.navigation.push({ kind: "overview", supplier: "ACME" });
  app.tour.state.get().action.run();
  expect(number()).toBeNull();
  app.navigation.go([{ kind: "profiles" }]);
  app.tour.state.get().action.run();
  expect(number()).toBe(2);
  expect(app.navigation.here()).toEqual({ kind: "overview", supplier: "ACME" });
});

test("the tour is off as long as another profile than the sandbox is open", () => {
  const { app, number } = inSandbox();
  app.tour.state.get().action.run();
  app.sessions.state.set({ kind: "none" });
  expect(number()).toBeNull();
  app.navigation.push({ kind: "overview", supplier: "ACME" });
  expect(recentlyUsed(app.history.state.get(), "tour")).toEqual(["0"]);
});

const words = tourSteps.map((step) => step.words((id) => `<${id}>`));

test("the steps of the tour name keys from the table only, the review's among them", () => {
  expect(words[5]).toContain("<review>");
  expect(words.join(" ")).not.toMatch(/\b(Enter|End|Esc|Ctrl-\w)\b/);
});

test("no step claims a state of an account that may have moved on since", () => {
  expect(words[3]).not.toMatch(/is being imported/);
});

test("a step that needs the result of the one before resumes there", () => {
  expect(resumedStep(6)).toBe(5);
  expect(resumedStep(4)).toBe(4);
  expect(resumedStep(99)).toBe(tourSteps.length - 1);
});
