import type { Clock } from "../api/clock.ts";
import type { Tone } from "../theme.tsx";
import { createStore, type Store } from "./store.ts";

/**
 * A short sentence above the footer that disappears after a while, or when it no longer applies.
 */
export interface Notice {
  readonly text: string;
  readonly tone: Tone;
  /** About the program rather than the screen that it was shown on. */
  readonly lasting: boolean;
  /** The number of keys that had been pressed when it was shown. */
  readonly keys: number;
}

/** Removes a notice early; does nothing when another one is shown. */
export type EndNotice = () => void;

export interface Notices {
  /** Says something about the screen on top; it disappears with the screen. */
  show(text: string, tone?: Tone): EndNotice;
  /** Says something that happened in the background; it stays when the screen changes. */
  announce(text: string, tone?: Tone): EndNotice;
  /** A key was pressed: notices from now on belong to the screen that it opens. */
  keyPressed(): void;
  /** Another screen is on top: removes a notice that is older than the key that opened it. */
  screenChanged(): void;
  readonly current: Store<Notice | null>;
}

/** The time for which a notice stays, in milliseconds: enough to read it over a slow link. */
const noticeMs = 6_000;

/** Notices that are timed by this clock. */
export function createNotices(clock: Clock): Notices {
  const current = createStore<Notice | null>(null);
  let keys = 0;
  const put = (text: string, tone: Tone, lasting: boolean): EndNotice => {
    const notice: Notice = { text, tone, lasting, keys };
    const end = () => {
      if (current.get() === notice) current.set(null);
    };
    current.set(notice);
    void clock.sleep(noticeMs).then(end);
    return end;
  };
  return {
    current,
    show: (text, tone = "plain") => put(text, tone, false),
    announce: (text, tone = "plain") => put(text, tone, true),
    keyPressed() {
      keys++;
    },
    screenChanged() {
      const notice = current.get();
      if (notice !== null && !notice.lasting && notice.keys < keys) current.set(null);
    },
  };
}
