/** Runs, resumes and discards bulk runs as tasks of a session, and describes their end. */
import { discardRun, recordRows } from "../bulk/record.ts";
import { runBulk } from "../bulk/run.ts";
import { isUnsent, type RunEnd, type RunRecord } from "../bulk/run-record.ts";
import { countsText, endSentence, heldBackText, leftWords } from "../bulk/run-words.ts";
import { readRun } from "../bulk/runs.ts";
import type { RowSource } from "../bulk/source.ts";
import { isAppError } from "../errors/app-error.ts";
import { errorLine } from "../errors/error-words.ts";
import type { KeyWords } from "../keys/keymap.ts";
import type { Tone } from "../theme.tsx";
import type { WriteContext } from "../writes/send/events.ts";
import type { Here } from "./app.ts";
import type { Finished, RunStage, RunTask, TaskControls } from "./tasks.ts";

const profileEveryMs = 1_000;

/**
 * Does the work of a run's task: records the rows of the run from `source`, then sends them. If
 * `source` is null, all rows are already recorded, and the unsent ones are sent. `refusal` is called
 * before each request.
 */
export async function carryOutRun(
  context: WriteContext,
  run: string,
  source: RowSource | null,
  { stop, cutOff, update }: TaskControls<RunStage>,
  refusal: () => string | null,
): Promise<RunEnd> {
  if (source !== null)
    await recordRows(context, run, source, {
      // Nothing is in flight yet, so the first cancel ends the recording at once.
      signal: stop,
      onProgress: (recorded) => update(() => ({ kind: "recording", recorded })),
    });
  return runBulk(context, run, {
    stop,
    signal: cutOff,
    refusal,
    onProgress: (progress) => update(() => ({ kind: "sending", progress })),
  });
}

/**
 * Carries out a run in the background of the session. A notice reports the end on any screen, and
 * `onEnd` receives the ended run. Returns false if the run is already running in this console.
 */
export function runInBackground(
  { app, session }: Here,
  context: WriteContext,
  run: string,
  source: RowSource | null,
  onEnd: (record: RunRecord) => void = () => {},
): boolean {
  const { notices, inFlight, key, lock } = app;
  // Ctrl-C works on every screen: once to stop the run, twice to cut it off.
  const removeCancel = inFlight.add(() => session.tasks.runs.cancel(run));
  let refused: string | null = null;
  const refusal = () => {
    if (refused !== null) return refused;
    refused = lock.refusal();
    if (refused !== null) {
      const task = session.tasks.runs.all.get().get(run);
      // A second cancel would cut off the requests in flight.
      if (task?.kind === "running" && !task.stopping) session.tasks.runs.cancel(run);
      notices.show(`${refused} Run ${run} is stopping.`, "bad");
    }
    return refused;
  };
  const finished = session.tasks.runs.start(run, { kind: "sending", progress: null }, (controls) =>
    carryOutRun(context, run, source, controls, refusal),
  );
  if (finished === null) {
    removeCancel();
    return false;
  }
  const ended = new AbortController();
  void refuseRegularly(app, refusal, ended.signal);
  void finished.then((task) => {
    removeCancel();
    ended.abort();
    try {
      const record = readRun(context, run);
      // The run's screen has the counts, but not the reason why the run stopped.
      const sentAllRows = task.kind === "ended" && task.end.kind === "ended";
      const [text, tone] = runEndWords(record, task, key);
      notices.announce(text, tone, { place: { kind: "run", id: run }, isShownThere: sentAllRows });
      onEnd(record);
    } catch {
      // The journal is closed with the session, so no one can read a message. A draft that
      // could not be removed is offered again.
    }
  });
  return true;
}

/** Calls `refusal` regularly, because a run can also wait without starting a request. */
async function refuseRegularly(
  { clock }: Pick<Here["app"], "clock">,
  refusal: () => string | null,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted && refusal() === null)
    await clock.sleep(profileEveryMs, ended).catch(() => {});
}

export function resumeRun(here: Here, run: string): void {
  const { notices } = here.app;
  here.session
    .writes()
    .then(({ context }) => {
      if (!runInBackground(here, context, run, null))
        notices.explain(`Run ${run} is running here already.`);
    })
    .catch((error: unknown) =>
      notices.show(errorLine(error, { doing: `resuming run ${run}` }), "bad"),
    );
}

export function discardEmptyRun(
  { app, session }: Here,
  run: string,
  onDiscarded: () => void,
): void {
  const { notices } = app;
  session
    .writes()
    .then(({ context }) => discardRun(context, run))
    .then(
      () => {
        notices.show(`Run ${run} is discarded. Nothing was sent.`, "ok");
        onDiscarded();
      },
      (error: unknown) => notices.show(errorLine(error, { doing: `discarding run ${run}` }), "bad"),
    );
}

export function runEndWords(
  record: RunRecord,
  task: Finished<RunTask>,
  key: KeyWords,
): readonly [text: string, tone: Tone] {
  const { id, counts } = record;
  if (task.kind === "ended" && task.end.kind === "ended") {
    const isAllConfirmed = counts.confirmed + counts.exists === record.rows;
    const { leftAlone } = record;
    const held = leftAlone.heldBack === 0 ? "" : ` ${heldBackText(leftAlone)}.`;
    return [
      `Run ${id} has ended: ${countsText(counts)}.${held} ${key("runs")} shows it.`,
      isAllConfirmed ? "ok" : "waiting",
    ];
  }
  if (isUnsent(record)) {
    if (task.kind === "failed" && isAppError(task.error, "run")) return [task.error.message, "bad"];
    const words = `Run ${id} was not fully recorded, so nothing was sent. ${key("runs")} shows it.`;
    return [words, "waiting"];
  }
  const why =
    task.kind === "ended"
      ? endSentence(task.end)
      : errorLine(task.error, { doing: `sending the rows of run ${id}` });
  return [`${leftWords(record, why)} ${key("runs")} shows it.`, "waiting"];
}
