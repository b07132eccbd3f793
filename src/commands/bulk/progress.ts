import type { Clock } from "../../api/clock.ts";
import {
  pauseLine,
  type RunProgress,
  rateText,
  slowWords,
  timeLeftText,
} from "../../bulk/progress.ts";
import { endedText } from "../../bulk/run-words.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { truncate, widthOf } from "../../text/width.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { type DrawnLine, progressLine } from "../progress-line.ts";

export interface ProgressReporter {
  checking(name: string, rows: number, problems: number): void;
  recording(rows: number, all: number): void;
  running(progress: RunProgress): void;
  clear(): void;
}

/** Minimum time between two lines on an output that cannot redraw a line, in milliseconds. */
const lineGapMs = 10_000;

/**
 * Returns a reporter that redraws one line if stderr is a terminal. Otherwise it prints a line at
 * most every ten seconds, and at every change of activity. It prints nothing with `--quiet`, or
 * with JSON if stderr is no terminal, because an error must be the only object there.
 */
export function progressReporterFor(invocation: Invocation): ProgressReporter {
  const { io, globals } = invocation;
  if (globals.quiet || (printsJson(globals) && io.stderr.isTTY !== true)) return silent;
  const line = progressLine(invocation);
  return line === null
    ? linesReporter(io.clock, (text) => void io.stderr.write(`supplyline: ${safe(text)}\n`))
    : drawnReporter(io.clock, line);
}

const silent: ProgressReporter = {
  checking: () => {},
  recording: () => {},
  running: () => {},
  clear: () => {},
};

/** Prints a sentence at most every ten seconds, and at every change of activity. */
export function linesReporter(clock: Clock, print: (text: string) => void): ProgressReporter {
  let lastAt = clock.elapsed();
  return reporterOf({
    draw(text, { isTransition = false } = {}) {
      if (!isTransition && clock.elapsed() - lastAt < lineGapMs) return;
      lastAt = clock.elapsed();
      print(text(Number.POSITIVE_INFINITY));
    },
    progressText: (progress) => `${progressSentence(progress, clock.now())}.`,
    clear: () => {},
  });
}

export function drawnReporter(clock: Clock, line: DrawnLine): ProgressReporter {
  const { ascii, clear } = line;
  return reporterOf({
    draw: (text, { isTransition = false, isOver = false } = {}) =>
      line.draw(text, isTransition || isOver),
    progressText: (progress, width) => runProgressLine(progress, clock.now(), { width, ascii }),
    clear,
  });
}

interface Drawing {
  /** Draws a text that is `width` cells wide at most. */
  draw(
    text: (width: number) => string,
    change?: { readonly isTransition?: boolean; readonly isOver?: boolean },
  ): void;
  progressText(progress: RunProgress, width: number): string;
  clear(): void;
}

/** Creates a reporter from an output. A change of activity while sending is a transition. */
function reporterOf({ draw, progressText, clear }: Drawing): ProgressReporter {
  let activity: string | null = null;
  return {
    checking: (name, rows, problems) => draw(() => checkingWords(name, rows, problems)),
    recording: (rows, all) => draw(() => recordingWords(rows, all)),
    running(progress) {
      const before = activity;
      activity = runActivity(progress);
      const { waiting, sending } = progress.counts;
      draw((width) => progressText(progress, width), {
        isTransition: activity !== before,
        isOver: waiting + sending === 0,
      });
    },
    clear,
  };
}

function checkingWords(name: string, rows: number, problems: number): string {
  const problemText = problems === 0 ? "" : `, ${plural(problems, "problem")}`;
  return `Checking ${safe(name)}: ${plural(rows, "row")}${problemText}`;
}

function recordingWords(rows: number, all: number): string {
  return `Recording before the first is sent: ${count(rows)} of ${plural(all, "row")}`;
}

interface LineStyle {
  /** Width in cells. */
  readonly width: number;
  readonly ascii: boolean;
}

const [maxBarCells, minBarCells] = [24, 8];

/**
 * Returns the progress line of a run, at most `style.width` cells wide. The least important parts
 * are left out first.
 */
export function runProgressLine(progress: RunProgress, now: number, style: LineStyle): string {
  const { rows, counts } = progress;
  const done = rows - counts.waiting - counts.sending;
  const total = `${count(done)}/${count(rows)}`;
  const dot = style.ascii ? " | " : " · ";
  const line = (parts: readonly string[]) => parts.filter((part) => part !== "").join(dot);
  const interruption = interruptionWords(progress, now);
  const [full, short] = [endedText(counts), shortWords(progress)];
  const choices =
    interruption === null
      ? [
          line([total, full, rate(progress), timeLeftText(progress)]),
          line([total, short, rate(progress), timeLeftText(progress)]),
          line([total, short, timeLeftText(progress)]),
          line([total, short]),
        ]
      : [
          line([total, full, interruption.long]),
          line([total, short, interruption.long]),
          line([total, interruption.long]),
        ];
  // The bar is left out before the remaining time, because the count has the same information.
  const text =
    choices.slice(0, 3).find((text) => widthOf(text) <= style.width - minBarCells - 1) ??
    choices.find((text) => widthOf(text) <= style.width) ??
    (interruption === null ? total : line([total, interruption.short]));
  const room = Math.min(maxBarCells, style.width - widthOf(text) - 1);
  const bar = room < minBarCells ? "" : `${barOf(done, rows, room, style.ascii)} `;
  return truncate(`${bar}${text}`, style.width, { ascii: style.ascii });
}

function progressSentence(progress: RunProgress, now: number): string {
  const { rows, counts, perSecond } = progress;
  const done = rows - counts.waiting - counts.sending;
  const interruption = interruptionWords(progress, now);
  const speed = perSecond > 0 ? [rate(progress), timeLeftText(progress)] : [];
  const details = [endedText(counts), ...(interruption === null ? speed : [interruption.long])];
  return [
    `${count(done)} of ${plural(rows, "row")}`,
    ...details.filter((part) => part !== ""),
  ].join("; ");
}

/** Returns the activity of a run other than sending rows, or null if it sends rows. */
function runActivity({ pause, stopping }: RunProgress): string | null {
  if (stopping) return "stopping";
  return pause === null ? null : `paused ${pause.since}`;
}

function interruptionWords(
  { pause, stopping, inFlight }: RunProgress,
  now: number,
): { readonly long: string; readonly short: string } | null {
  if (stopping) {
    // Without requests in flight, there is nothing to wait for and nothing to cancel.
    if (inFlight === 0) return { long: "stopping", short: "stopping" };
    const waitedFor = `stopping: finishing ${plural(inFlight, "request")}`;
    return {
      long: `${waitedFor}, Ctrl-C again cancels`,
      short: `stopping: ${count(inFlight)} left, Ctrl-C cancels`,
    };
  }
  return pause && pauseLine(pause, now);
}

function shortWords({ counts }: RunProgress): string {
  const { confirmed, exists, rejected, retryable, unknown } = counts;
  const parts: readonly (readonly [number, string])[] = [
    [unknown, "unknown"],
    [rejected, "rejected"],
    [retryable, "retry"],
    [confirmed, "ok"],
    [exists, "exist"],
  ];
  return parts
    .filter(([n]) => n > 0)
    .map(([n, word]) => `${count(n)} ${word}`)
    .join(" ");
}

function rate(progress: RunProgress): string {
  const { perSecond } = progress;
  if (perSecond <= 0) return "";
  const why = slowWords(progress);
  return `${rateText(progress)}/s${why === null ? "" : ` (${why})`}`;
}

/** Returns a progress bar. It is full only if all rows are done. */
function barOf(done: number, all: number, cells: number, ascii: boolean): string {
  const [full, empty] = ascii ? ["#", "-"] : ["█", "░"];
  const filled = all === 0 ? cells : Math.floor((done / all) * cells);
  return full.repeat(filled) + empty.repeat(cells - filled);
}
