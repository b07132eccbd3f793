import { createNotices, maxNotices } from "../../src/session/notices.ts";
import type { Place } from "../../src/session/places.ts";
import { fakeClock } from "../helpers/clock.ts";

/** Longer than a passing notice is shown. */
const longMs = 10_000;

function opened(here: () => Place | undefined = () => undefined) {
  const clock = fakeClock();
  const notices = createNotices(clock, here);
  return { clock, notices, texts: () => notices.shown.get().map(({ text }) => text) };
}

test("a notice of a screen goes with it, and one that the same key showed stays", () => {
  const { notices, texts } = opened();
  notices.keyPressed();
  notices.show("Sorted by status.");
  notices.keyPressed();
  notices.screenChanged();
  expect(texts()).toEqual([]);
  notices.keyPressed();
  notices.show("The draft is discarded.");
  notices.screenChanged();
  expect(texts()).toEqual(["The draft is discarded."]);
});

test("what happened in the background stays whatever screen comes", () => {
  const { notices, texts } = opened();
  notices.announce("EXT-1: COMPLETED");
  notices.keyPressed();
  notices.screenChanged();
  expect(texts()).toEqual(["EXT-1: COMPLETED"]);
});

test("a notice is ended by who showed it, and never another's", () => {
  const { notices, texts } = opened();
  const end = notices.show("Loading; Ctrl-C cancels.");
  notices.show("Another");
  end();
  expect(texts()).toEqual(["Another"]);
  notices.show("Loading; Ctrl-C cancels.")();
  expect(texts()).toEqual([]);
});

test.each(["waiting", "bad"] as const)("a passing notice never hides one that is %s", (tone) => {
  const { notices, texts } = opened();
  notices.show("1,228 left out.", tone);
  notices.announce("ACME/EXT-1 COMPLETED", "ok");
  expect(texts()).toEqual(["1,228 left out.", "ACME/EXT-1 COMPLETED"]);
});

test("a failure stays on any screen until a key is pressed after it could be read", async () => {
  const { clock, notices, texts } = opened();
  notices.show("1,228 left out.", "waiting");
  notices.keyPressed();
  notices.screenChanged();
  expect(texts()).toEqual(["1,228 left out."]);
  await clock.advance(longMs);
  expect(texts()).toEqual(["1,228 left out."]);
  notices.keyPressed();
  expect(texts()).toEqual([]);
});

test("the oldest and the newest failure are shown, each text once, and the others after them", async () => {
  const { clock, notices, texts } = opened();
  for (const text of ["one", "two", "three", "three"]) notices.announce(text, "bad");
  expect(notices.staying.get()).toHaveLength(3);
  expect(texts()).toEqual(["one", "three"]);
  notices.explain("j works on a list.");
  expect(texts()).toEqual(["one", "three", "j works on a list."]);
  await clock.advance(longMs);
  notices.keyPressed();
  expect(texts()).toEqual(["two"]);
  notices.keyPressed();
  expect(texts()).toEqual(["two"]);
  await clock.advance(longMs);
  notices.keyPressed();
  expect(texts()).toEqual([]);
});

test("the reason for which a key does nothing passes, and is not logged", async () => {
  const { clock, notices, texts } = opened();
  notices.explain("w works on an account.");
  expect(texts()).toEqual(["w works on an account."]);
  await clock.advance(longMs);
  expect(texts()).toEqual([]);
  expect(notices.log.get()).toEqual([]);
});

test("the reason for which a key does nothing leaves with the box, and other notices stay", () => {
  const { notices, texts } = opened();
  notices.explain("Tab does nothing here.");
  notices.keyPressed();
  notices.boxChanged();
  expect(texts()).toEqual([]);
  notices.show("Added ACME.");
  notices.keyPressed();
  notices.boxChanged();
  expect(texts()).toEqual(["Added ACME."]);
  notices.explain("The key of the box says why.");
  notices.boxChanged();
  expect(texts()).toEqual(["The key of the box says why."]);
});

test("a sentence of the screen is not repeated while it is there", () => {
  const { notices, texts } = opened();
  const remove = notices.suppress("No action is called x.");
  notices.explain("No action is called x.");
  expect(texts()).toEqual([]);
  remove();
  expect(texts()).toEqual(["No action is called x."]);
});

test("the end of a run is not reported on the screen of the run, and no longer once it is opened", () => {
  let place: Place = { kind: "run", id: "r1" };
  const { notices, texts } = opened(() => place);
  const run: Place = { kind: "run", id: "r1" };
  const about = { place: run, isShownThere: true };
  notices.announce("Run r1 has ended.", "waiting", about);
  expect(texts()).toEqual([]);
  expect(notices.log.get().map(({ text }) => text)).toEqual(["Run r1 has ended."]);
  place = { kind: "suppliers" };
  notices.announce("Run r1 has ended.", "waiting", about);
  expect(texts()).toEqual(["Run r1 has ended."]);
  place = run;
  notices.screenChanged();
  expect(texts()).toEqual([]);
});

test("a run that has ended takes back that it had stopped", () => {
  const place: Place = { kind: "run", id: "r1" };
  const { notices, texts } = opened(() => place);
  notices.announce("Run r1 has stopped.", "waiting", { place, isShownThere: false });
  notices.announce("Run r2 has stopped.", "waiting", {
    place: { kind: "run", id: "r2" },
    isShownThere: false,
  });
  expect(texts()).toEqual(["Run r1 has stopped.", "Run r2 has stopped."]);
  notices.announce("Run r1 has ended.", "ok", { place, isShownThere: true });
  expect(texts()).toEqual(["Run r2 has stopped."]);
});

test("the log has the last notices, newest first, with their times", async () => {
  const { clock, notices } = opened();
  for (let at = 1; at <= maxNotices + 1; at++) notices.show(`notice ${at}`);
  await clock.advance(longMs);
  notices.show("the last");
  const log = notices.log.get();
  expect(log).toHaveLength(maxNotices);
  expect(log[0]).toMatchObject({ text: "the last", at: clock.now() });
  expect(log.at(-1)?.text).toBe("notice 3");
});
