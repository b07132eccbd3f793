import type { ErrorContext } from "../../errors/app-error.ts";
import { errorWords } from "../../errors/error-words.ts";
import { asciiCells } from "../../text/ascii-cells.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { formatDuration, wholeSeconds } from "../../text/durations.ts";
import { notFound } from "../../watch/transitions.ts";
import type { Invocation } from "../invocation.ts";
import { showsColour, speaksUnicode, wantsLinear } from "../terminal-abilities.ts";
import type { Change, Outcome } from "./follow.ts";
import { liveBlock } from "./live-block.ts";
import { countWords, type LiveRoom, type LiveRow, liveLines, rowLines } from "./live-lines.ts";

/** What happens to the things followed, as a table of them shows it. */
export interface LiveTable<T> {
  changed(change: Change<T>): Promise<void>;
  troubled(id: string, error: unknown): void;
  recovered(id: string): void;
  ended(outcome: Outcome): void;
  /** Shows a sentence below the rows, until another one or null. */
  say(sentence: string | null): void;
  /**
   * Draws it for the last time and leaves it on the terminal: every row of it, of many those that are
   * not done.
   */
  close(): Promise<void>;
}

/** How a noun is shown. */
export interface LiveForm<T> {
  readonly ids: readonly string[];
  readonly until: string;
  words(state: string): StatusWords;
  note(value: T): string;
  context(id: string): ErrorContext;
  /** How often each is looked at now, in milliseconds. */
  everyMs(): number;
}

/** Changes that come together are drawn together; the figures below move on this often. */
const drawnAfterMs = 100;
const tickMs = 5_000;
/** Of more rows, those that are done are only counted at the end. */
const mostAtEnd = 200;
/** More rows than this are not held for a table. */
const mostRows = 10_000;

/** Whether several things are followed by someone who sits at a terminal that can be drawn on. */
export function wantsLiveTable({ io, globals }: Invocation, things: number): boolean {
  return (
    things > 1 &&
    things <= mostRows &&
    io.stdout.isTTY === true &&
    globals.format === "table" &&
    !wantsLinear(io.env, globals.accessible)
  );
}

/** A table at the end of the terminal that is drawn over in place. */
export function liveTable<T>(invocation: Invocation, form: LiveForm<T>): LiveTable<T> {
  const { io, globals, out } = invocation;
  const { stdout, clock } = io;
  const ascii = globals.ascii || !speaksUnicode(io.env);
  // What something is called may hold more than ASCII as well.
  const shown = (text: string) => (ascii ? asciiCells(text) : text);
  const block = liveBlock((text) => void stdout.write(shown(text)));
  const rows = new Map<string, LiveRow>(
    form.ids.map((id) => [
      id,
      { id, words: null, since: null, first: true, note: "not checked yet", kind: "open" },
    ]),
  );
  const notes = new Map<string, string>();
  const startedAt = clock.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([io.signal, stop.signal]);
  let due: AbortController | null = null;
  let said: string | null = null;

  const room = (): LiveRoom => ({
    columns: Math.max(20, stdout.columns || 80),
    rows: stdout.rows || 24,
    ascii,
    colour: globals.color && showsColour(io.env),
  });
  const summary = (hidden: number) =>
    [
      countWords([...rows.values()], form.until),
      ...(hidden > 0 ? [`${hidden} not shown`] : []),
      `every ${formatDuration(Math.round(form.everyMs() / 100) * 100)}`,
      `for ${wholeSeconds(clock.now() - startedAt)}`,
      ...(said === null ? [] : [said]),
    ].join("  ");
  const draw = () => {
    due?.abort();
    due = null;
    if (!signal.aborted) block.draw(liveLines([...rows.values()], summary, room()));
  };
  const drawSoon = () => {
    if (due !== null || signal.aborted) return;
    const mine = new AbortController();
    due = mine;
    clock.sleep(drawnAfterMs, AbortSignal.any([signal, mine.signal])).then(draw, () => {});
  };
  const tick = async () => {
    while (!signal.aborted) {
      draw();
      await clock.sleep(tickMs, signal);
    }
  };
  const resized = () => {
    block.startOver();
    draw();
  };
  const continued = () => {
    block.leave();
    draw();
  };
  stdout.on("resize", resized);
  const forget = io.onContinued(continued);
  tick().catch(() => {});

  const set = (id: string, patch: Partial<LiveRow>) => {
    const row = rows.get(id);
    if (row) rows.set(id, { ...row, ...patch });
    drawSoon();
  };
  return {
    async changed({ id, at, state, previous, value }) {
      const note = value === null ? "" : form.note(value);
      notes.set(id, note);
      if (state === previous) set(id, { note, kind: "open" });
      else {
        const first = previous === null;
        set(id, { words: form.words(state), since: at, first, note, kind: "open" });
      }
    },
    troubled: (id, error) =>
      set(id, { note: errorWords(error, form.context(id)).sentence, kind: "failing" }),
    recovered: (id) => set(id, { note: notes.get(id) ?? "", kind: "open" }),
    ended(outcome) {
      const { id, kind } = outcome;
      if (kind === "reached") set(id, { kind: "done" });
      else if (kind === "missing")
        set(id, { kind: "ended", words: form.words(notFound), since: clock.now(), note: "" });
      else if (kind === "other-final-state") set(id, { kind: "ended" });
    },
    say(sentence) {
      said = sentence;
      drawSoon();
    },
    async close() {
      stop.abort();
      stdout.off("resize", resized);
      forget();
      if (io.signal.aborted) return;
      block.clear();
      const all = [...rows.values()];
      const left = all.length > mostAtEnd ? all.filter(({ kind }) => kind !== "done") : all;
      for (const line of rowLines(left, room())) await out.line(shown(line));
      if (left.length < all.length) await out.line(countWords(all, form.until));
    },
  };
}
