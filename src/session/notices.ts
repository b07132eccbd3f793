/** The notices of the console: short sentences above the footer. */
import type { Clock } from "../api/clock.ts";
import type { Tone } from "../theme.tsx";
import { isSamePlace } from "./place-words.ts";
import type { Place } from "./places.ts";
import { createStore, type ReadStore } from "./store.ts";

export interface Notice {
  readonly id: number;
  readonly at: number;
  readonly text: string;
  readonly tone: Tone;
}

export type EndNotice = () => void;

interface Subject {
  readonly place: Place;
  /** True if the place shows the same information, so that the notice is hidden there. */
  readonly isShownThere: boolean;
}

/**
 * The time in milliseconds for which a passing notice is shown. A notice that stays is shown for at
 * least this time before a key dismisses it.
 */
const noticeMs = 6_000;

export const maxNotices = 50;

/** Tones of notices that stay until a key, because data was left out, refused or failed. */
const stayingTones: ReadonlySet<Tone> = new Set<Tone>(["waiting", "unknown", "bad", "danger"]);

interface OpenNotice extends Notice {
  readonly endsWith: "nothing" | "screen" | "box";
  readonly about: Subject | null;
  readonly keyCount: number;
}

export function createNotices(clock: Clock, here: () => Place | undefined) {
  const shown = createStore<readonly Notice[]>([]);
  const staying = createStore<readonly OpenNotice[]>([]);
  const log = createStore<readonly Notice[]>([]);
  const suppressed = new Map<string, number>();
  let passing: OpenNotice | null = null;
  /** The shown notices that stay. The value identifies the timer that a notice was shown with. */
  const visibleStaying = new Map<OpenNotice, object>();
  const dismissible = new Set<OpenNotice>();
  let keyCount = 0;
  let lastId = 0;
  const isShownByScreen = ({ about }: OpenNotice) => {
    const place = here();
    return about?.isShownThere === true && place !== undefined && isSamePlace(about.place, place);
  };
  const endEarlier = (about: Subject) => {
    for (const notice of staying.get())
      if (notice.about !== null && isSamePlace(notice.about.place, about.place)) end(notice);
  };
  const update = () => {
    const all = staying.get();
    const visible = new Set([...all.slice(0, 1), ...all.slice(-1)]);
    for (const notice of visibleStaying.keys())
      if (!visible.has(notice)) visibleStaying.delete(notice);
    for (const notice of visible) {
      if (visibleStaying.has(notice)) continue;
      const timer = {};
      visibleStaying.set(notice, timer);
      void clock.sleep(noticeMs).then(() => {
        if (visibleStaying.get(notice) === timer) dismissible.add(notice);
      });
    }
    const candidates = passing === null ? [...visible] : [...visible, passing];
    const next = candidates.filter(({ text }) => !suppressed.has(text));
    const before = shown.get();
    const isSame =
      next.length === before.length && next.every((notice, index) => notice === before[index]);
    if (!isSame) shown.set(next);
  };
  const end = (notice: OpenNotice) => {
    if (passing === notice) passing = null;
    dismissible.delete(notice);
    staying.set(staying.get().filter((other) => other !== notice));
    update();
  };
  const add = (
    content: Pick<OpenNotice, "text" | "tone" | "endsWith" | "about">,
    stays: boolean,
  ): EndNotice => {
    lastId += 1;
    const notice: OpenNotice = { ...content, id: lastId, at: clock.now(), keyCount };
    if (notice.about !== null) endEarlier(notice.about);
    if (isShownByScreen(notice)) return () => {};
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
  /** Ends the passing notice, unless the key that is handled now has shown it. */
  const endEarlierThan = (endings: readonly OpenNotice["endsWith"][]) => {
    if (passing && endings.includes(passing.endsWith) && passing.keyCount < keyCount) end(passing);
  };
  const report = (content: Pick<OpenNotice, "text" | "tone" | "endsWith" | "about">): EndNotice => {
    const { text, tone } = content;
    const endNotice = add(content, stayingTones.has(tone));
    log.set([{ id: lastId, at: clock.now(), text, tone }, ...log.get()].slice(0, maxNotices));
    return endNotice;
  };
  return {
    /** The notices to show: the oldest and the newest notice that stay, then the passing notice. */
    shown: shown as ReadStore<readonly Notice[]>,
    staying: staying as ReadStore<readonly Notice[]>,
    log: log as ReadStore<readonly Notice[]>,
    /** Reports something about the screen on top. A passing notice disappears with the screen. */
    show: (text: string, tone: Tone = "plain") =>
      report({ text, tone, endsWith: "screen", about: null }),
    /**
     * Reports an event in the background. The notice outlives the screen, and replaces an earlier
     * report about the same place.
     */
    announce: (text: string, tone: Tone = "plain", about: Subject | null = null) =>
      report({ text, tone, endsWith: "nothing", about }),
    /**
     * Explains why a key does nothing. The notice disappears after a while or with the box in front of
     * the screen, and is not in the log.
     */
    explain: (text: string) => add({ text, tone: "waiting", endsWith: "box", about: null }, false),
    /** Hides notices with a sentence of the screen. Returns a function that ends this. */
    suppress(text: string) {
      suppressed.set(text, (suppressed.get(text) ?? 0) + 1);
      update();
      return () => {
        const remaining = (suppressed.get(text) ?? 1) - 1;
        if (remaining === 0) suppressed.delete(text);
        else suppressed.set(text, remaining);
        update();
      };
    },
    /** Called for each pressed key. Dismisses the staying notices that were shown long enough. */
    keyPressed() {
      keyCount++;
      for (const notice of [...dismissible]) end(notice);
    },
    /** Removes the reason for which a key did nothing, because a box was opened or closed. */
    boxChanged: () => endEarlierThan(["box"]),
    /** Removes notices that no longer apply, because another screen is on top. */
    screenChanged() {
      endEarlierThan(["screen", "box"]);
      for (const notice of [passing, ...staying.get()]) {
        if (notice !== null && isShownByScreen(notice)) end(notice);
      }
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
