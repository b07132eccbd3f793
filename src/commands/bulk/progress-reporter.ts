import type { Clock } from "../../api/clock.ts";
import type { RunProgress } from "../../bulk/progress.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitise.ts";
import { drawnLine } from "../drawn-line.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { movesCursor, speaksUnicode } from "../terminal-abilities.ts";
import { progressLine, progressSentence, runActivity } from "./progress-words.ts";

export interface ProgressReporter {
  /** Rows of an input that have been checked. */
  checking(name: string, rows: number, problems: number): void;
  /** Rows that have been written down. */
  recording(rows: number, all: number): void;
  running(progress: RunProgress): void;
  /** Takes away what is drawn, so that something else can be said. */
  clear(): void;
}

/** Minimum milliseconds between two lines on an output on which no line can be drawn again. */
const betweenLinesMs = 10_000;

/**
 * Returns a reporter that draws one line again and again if stderr is a terminal, or else prints a
 * line now and then and at every transition. It prints nothing with `--quiet`, nor beside the one
 * error object that a script reads.
 */
export function progressReporterFor({ io, globals }: Invocation): ProgressReporter {
  const isTerminal = io.stderr.isTTY === true;
  if (globals.quiet || (speaksJson(globals) && !isTerminal)) return silent;
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

/** Sentences now and then. */
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

/** One line, drawn in place. */
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
