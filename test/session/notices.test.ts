import { expect, test } from "vitest";
import { createNotices } from "../../src/session/notices.ts";
import { fakeClock } from "../helpers/clock.ts";

test("a notice of a screen goes with it, and one that the same key showed stays", () => {
  const notices = createNotices(fakeClock());
  notices.keyPressed();
  notices.show("Nothing to review yet");
  notices.keyPressed();
  notices.screenChanged();
  expect(notices.current.get()).toBeNull();
  notices.keyPressed();
  notices.show("The draft is discarded.");
  notices.screenChanged();
  expect(notices.current.get()?.text).toBe("The draft is discarded.");
});

test("what happened in the background stays whatever screen comes", () => {
  const notices = createNotices(fakeClock());
  notices.announce("EXT-1: COMPLETED");
  notices.keyPressed();
  notices.screenChanged();
  expect(notices.current.get()?.text).toBe("EXT-1: COMPLETED");
});

test("a notice is ended by who showed it, and never another's", () => {
  const notices = createNotices(fakeClock());
  const end = notices.show("Loading; Ctrl-C cancels.");
  notices.show("Another");
  end();
  expect(notices.current.get()?.text).toBe("Another");
  notices.show("Loading; Ctrl-C cancels.")();
  expect(notices.current.get()).toBeNull();
});
