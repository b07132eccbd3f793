/** Reports the progress of a bulk run on stderr. */

import type { Clock } from "../../api/clock.ts";
import type { RunProgress } from "../../bulk/progress.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitise.ts";
import { drawnLine } from "../drawn-line.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { movesCursor, speaksUnicode } from "../terminal-abilities.ts";
import { progressLine, progressSentence, runActivity } from "./progress-words.ts";

export interface ProgressReporter {
  /** Reports the numbers of checked rows and of problems in an input. */
  checking(name: string, rows: number, problems: number): void;
  /** Reports the number of recorded rows. */
  recording(rows: number, all: number): void;
  running(progress: RunProgress): void;
  /** Removes the drawn line, so that other text can be written. */
  clear(): void;
}

/** Minimum milliseconds between two lines on an output that cannot redraw a line. */
const betweenLinesMs = 10_000;

/**
 * Returns a reporter that redraws one line if stderr is a terminal. Otherwise it prints a line at
 * most every ten seconds, and at every change of activity. It prints nothing with `--quiet`, or
 * with JSON if stderr is no terminal, because an error must be the only object there.
 */
export function progressReporterFor({ io, globals }: Invocation): ProgressReporter {
  const isTerminal = io.stderr.isTTY === true;
  if (globals.quiet || (printsJson(globals) && !isTerminal)) return silent;
  const isLinear = globals.accessible || io.env.INK_SCREEN_READER === "true";
  if (!isTerminal || isLinear || !movesCursor(io.env))
    return linesReporter(io.clock, (text) => void io.stderr.write(`supplyline: ${safe(text)}\n`));
  return drawnReporter(io.clock, {
    ascii: globals.ascii || !speaksUnicode(io.env),
    columns: () => io.stderr.columns ?? 80,
    write: (text) => void io.stderr.write(text),
  });
}

const silent: ProgressReporter = {
  checking: () => {},
  recording: () => {},
  running: () => {},
  clear: () => {},
};

/**
 * Returns a reporter that prints a sentence at most every ten seconds, and at every change of
 * activity.
 */
export function linesReporter(clock: Clock, say: (text: string) => void): ProgressReporter {
  let lastAt = clock.now();
  let turn: string | null = null;
  const sometimes = (words: () => string, now = false) => {
    if (!now && clock.now() - lastAt < betweenLinesMs) return;
    lastAt = clock.now();
    say(words());
  };
  return {
    checking: (name, rows, problems) => sometimes(() => checkingWords(name, rows, problems)),
    recording: (rows, all) => sometimes(() => recordingWords(rows, all)),
    running: (progress) => {
      const before = turn;
      turn = runActivity(progress);
      sometimes(() => `${progressSentence(progress, clock.now())}.`, turn !== before);
    },
    clear: () => {},
  };
}

/** Returns a reporter that redraws one line in place. */
export function drawnReporter(
  clock: Clock,
  drawing: Parameters<typeof drawnLine>[1],
): ProgressReporter {
  const line = drawnLine(clock, drawing);
  let turn: string | null = null;
  return {
    checking: (name, rows, problems) => line.draw(() => checkingWords(name, rows, problems)),
    recording: (rows, all) => line.draw(() => recordingWords(rows, all)),
    running: (progress) => {
      const before = turn;
      turn = runActivity(progress);
      const ended = progress.counts.waiting + progress.counts.sending === 0;
      line.draw(
        (width) => progressLine(progress, clock.now(), { width, ascii: drawing.ascii }),
        ended || turn !== before,
      );
    },
    clear: line.clear,
  };
}

function checkingWords(name: string, rows: number, problems: number): string {
  const wrong = problems === 0 ? "" : `, ${plural(problems, "problem")}`;
  return `Checking ${safe(name)}: ${plural(rows, "row")}${wrong}`;
}

function recordingWords(rows: number, all: number): string {
  return `Recording before the first is sent: ${count(rows)} of ${plural(all, "row")}`;
}
