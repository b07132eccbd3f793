/** The notices of the console: short sentences above the footer that stay or pass. */
import type { Clock } from "../api/clock.ts";
import type { Tone } from "../theme.tsx";
import { isSamePlace, type Place } from "./places.ts";
import { createStore, type ReadStore } from "./store.ts";

/** A short sentence above the footer. */
export interface Notice {
  readonly id: number;
  /** Epoch milliseconds at which the notice was shown. */
  readonly at: number;
  readonly text: string;
  readonly tone: Tone;
}

/** Removes a notice early. Does nothing if it is no longer shown. */
export type EndNotice = () => void;

/** The place that a notice is about. */
interface Subject {
  readonly place: Place;
  /**
   * True if the place shows the same information, so that the notice is not shown on that screen.
   */
  readonly isShownThere: boolean;
}

/** The notices of the console. Some stay until a key dismisses them, and the others pass. */
export interface Notices {
  /** Reports something about the screen on top. A passing notice disappears with the screen. */
  show(text: string, tone?: Tone): EndNotice;
  /**
   * Reports an event in the background. The notice outlives the screen, and replaces an earlier
   * report about the same place.
   */
  announce(text: string, tone?: Tone, about?: Subject): EndNotice;
  /**
   * Answers a key that does nothing with the reason. The notice disappears after a while, and is
   * not in the log.
   */
  explain(text: string): EndNotice;
  /**
   * Registers a sentence of the screen, so that no notice repeats it. Returns a function that
   * removes it.
   */
  said(text: string): () => void;
  /**
   * Reports a pressed key. It dismisses notices, and later notices belong to the screen that it
   * opens.
   */
  keyPressed(): void;
  /** Removes notices that no longer apply, because another screen is on top. */
  screenChanged(): void;
  /** The notices to show: the oldest and the newest notice that stay, then the passing notice. */
  readonly shown: ReadStore<readonly Notice[]>;
  /** The notices that stay, shown or waiting. */
  readonly staying: ReadStore<readonly Notice[]>;
  /** The last notices of the session, newest first. */
  readonly log: ReadStore<readonly Notice[]>;
}

/** Milliseconds after which a passing notice ends, and a key can dismiss a notice that stays. */
const noticeMs = 6_000;

/** Maximum number of notices in the log. */
export const maxNotices = 50;

/**
 * Tones of notices that stay until a key dismisses them, because data was left out, refused or
 * failed.
 */
const stayingTones: ReadonlySet<Tone> = new Set<Tone>(["waiting", "unknown", "bad", "danger"]);

interface Held extends Notice {
  /** True if the notice ends with the screen that it was shown on. */
  readonly ofScreen: boolean;
  readonly about: Subject | null;
  /** The number of keys that had been pressed when it was shown. */
  readonly keys: number;
}

/** Creates the notices. `clock` times them, and `here` returns the place on top. */
export function createNotices(
  clock: Clock,
  here: () => Place | undefined = () => undefined,
): Notices {
  const shown = createStore<readonly Notice[]>([]);
  const staying = createStore<readonly Held[]>([]);
  const log = createStore<readonly Notice[]>([]);
  const said = new Map<string, number>();
  let passing: Held | null = null;
  /** The shown notices that stay, each with its timer. `read` has those that a key dismisses. */
  const seen = new Map<Held, object>();
  const read = new Set<Held>();
  let keys = 0;
  let lastId = 0;
  const isAt = ({ about }: Held) => {
    const place = here();
    return about?.isShownThere === true && place !== undefined && isSamePlace(about.place, place);
  };
  const endEarlier = (about: Subject) => {
    for (const one of staying.get())
      if (one.about !== null && isSamePlace(one.about.place, about.place)) end(one);
  };
  const update = () => {
    const all = staying.get();
    const visible = new Set([...all.slice(0, 1), ...all.slice(-1)]);
    for (const one of seen.keys()) if (!visible.has(one)) seen.delete(one);
    for (const one of visible) {
      if (seen.has(one)) continue;
      const start = {};
      seen.set(one, start);
      void clock.sleep(noticeMs).then(() => {
        if (seen.get(one) === start) read.add(one);
      });
    }
    const both = passing === null ? [...visible] : [...visible, passing];
    const next = both.filter(({ text }) => !said.has(text));
    const before = shown.get();
    const isSame = next.length === before.length && next.every((one, at) => one === before[at]);
    if (!isSame) shown.set(next);
  };
  const end = (notice: Held) => {
    if (passing === notice) passing = null;
    read.delete(notice);
    staying.set(staying.get().filter((one) => one !== notice));
    update();
  };
  const put = (
    of: Pick<Held, "text" | "tone" | "ofScreen" | "about">,
    stays: boolean,
  ): EndNotice => {
    lastId += 1;
    const notice: Held = { ...of, id: lastId, at: clock.now(), keys };
    if (notice.about !== null) endEarlier(notice.about);
    if (isAt(notice)) return () => {};
    if (stays) {
      const others = staying.get().filter(({ text }) => text !== notice.text);
      staying.set([...others, notice].slice(-maxNotices));
    } else {
      passing = notice;
      void clock.sleep(noticeMs).then(() => end(notice));
    }
    update();
    return () => end(notice);
  };
  const report = (of: Pick<Held, "text" | "tone" | "ofScreen" | "about">): EndNotice => {
    const ended = put(of, stayingTones.has(of.tone));
    const { text, tone } = of;
    log.set([{ id: lastId, at: clock.now(), text, tone }, ...log.get()].slice(0, maxNotices));
    return ended;
  };
  return {
    shown,
    staying,
    log,
    show: (text, tone = "plain") => report({ text, tone, ofScreen: true, about: null }),
    announce: (text, tone = "plain", about) =>
      report({ text, tone, ofScreen: false, about: about ?? null }),
    explain: (text) => put({ text, tone: "waiting", ofScreen: true, about: null }, false),
    said(text) {
      said.set(text, (said.get(text) ?? 0) + 1);
      update();
      return () => {
        const left = (said.get(text) ?? 1) - 1;
        if (left === 0) said.delete(text);
        else said.set(text, left);
        update();
      };
    },
    keyPressed() {
      keys++;
      for (const notice of [...read]) end(notice);
    },
    screenChanged() {
      if (passing?.ofScreen && passing.keys < keys) end(passing);
      for (const notice of [passing, ...staying.get()]) {
        if (notice !== null && isAt(notice)) end(notice);
      }
    },
  };
}
