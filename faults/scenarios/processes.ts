/** Several processes on one journal, and a process that is killed while it opens the journal. */
import type { Evidence } from "../evidence.ts";
import type { Invariant, Violation } from "../invariants/invariant.ts";
import { writeKinds } from "../writes.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";
import { pause } from "./stopped.ts";

const howMany = 8;

/** Writes to one account or supply point never overlap, whichever process makes them. */
const oneAtATime: Invariant = {
  name: "one at a time",
  promise: "attempts for one account follow one another",
  broken: ({ entries }: Evidence) => {
    const spans = Map.groupBy(
      entries.flatMap(({ id, identifier, attempts }) =>
        attempts.map(({ startedAt, endedAt }) => ({ id, identifier, startedAt, endedAt })),
      ),
      ({ identifier }) => identifier,
    );
    return [...spans].flatMap(([identifier, attempts]) => {
      const ordered = attempts.toSorted((one, other) => one.startedAt - other.startedAt);
      return ordered.flatMap((attempt, index) => {
        const before = ordered[index - 1];
        const overlaps = (before?.endedAt ?? 0) > attempt.startedAt;
        return overlaps ? [`entries ${before?.id} and ${attempt.id} of ${identifier}`] : [];
      });
    });
  },
};

/** Eight processes write to the same accounts at once, while the service fails now and then. */
export async function eightProcesses(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, ["503@writes%10", "reset-after@writes%10"]);
  const writes = options.size;
  const drivers = Array.from({ length: howMany }, (_, p) =>
    stage.drive({
      task: { kind: "write", mark: `p${p}`, kinds: writeKinds, writes, together: 8 },
    }),
  );
  await Promise.all(drivers.map(({ ended }) => ended));
  await stage.watch.quiet();
  const { ms, violations } = await stage.recover();
  const reported = drivers.flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith("queued")),
  );
  const all = writes * howMany;
  const short: Violation[] =
    reported.length === all
      ? []
      : [{ invariant: "no intent lost", what: `${reported.length} of ${all} writes were queued` }];
  return {
    name: `${howMany} processes on one journal`,
    writes: all,
    injected: stage.watch.seen.filter(({ fault }) => fault !== null).length,
    violations: [
      ...short,
      ...violations,
      ...stage.check("recovered", [oneAtATime]),
      ...(await stage.summary()),
    ],
    recoveryMs: [ms],
  };
}

/** Two processes send the same entries, which a third had recorded before it was killed. */
export async function sameEntries(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, ["latency=20ms@writes"]);
  const writes = options.size;
  const kinds = ["statements", "unchecked transactions", "payment instructions"] as const;
  const task = { kind: "write", mark: "s", kinds, writes, together: writes } as const;
  await stage.drive({ task, at: "intent-committed", time: writes }).ended;
  const { ms, violations } = await stage.recover();
  const ids = Array.from({ length: writes }, (_, n) => n + 1);
  const drivers = Array.from({ length: 3 }, () => stage.drive({ task: { kind: "send", ids } }));
  await Promise.all(drivers.map(({ ended }) => ended));
  await stage.watch.quiet();
  return {
    name: "three processes, the same entries",
    writes,
    injected: 1,
    violations: [...violations, ...stage.check("recovered"), ...(await stage.summary())],
    recoveryMs: [ms],
  };
}

/** The program is killed while it opens the journal after another was killed, again and again. */
export async function killedRecovery(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, ["hang@writes%30"]);
  const writes = options.size;
  const task = { kind: "write", mark: "r", kinds: writeKinds, writes, together: 16 } as const;
  const first = stage.drive({ task, at: "attempt-committed", time: Math.min(12, writes) });
  await first.ended;
  let killed = 1;
  // Where in the start each kill falls is left to chance: every moment must do.
  for (let n = 0; n < 6; n++) {
    const opening = stage.drive({ task: { kind: "open" } });
    await pause(60 + ((options.seed + n * 37) % 160));
    if (opening.child.kill("SIGKILL")) killed += 1;
    await opening.ended;
  }
  const { ms, violations } = await stage.recover();
  stage.sandbox.setFaults(["503@writes%30", "reset-after@writes%20"]);
  await stage.drive({ task: { kind: "verify" }, at: "answered", time: 2 }).ended;
  const again = await stage.recover();
  await stage.drive({ task: { kind: "verify" } }).ended;
  await stage.watch.quiet();
  return {
    name: "kill -9 and faults during recovery",
    writes,
    injected: killed + 1 + stage.watch.seen.filter(({ fault }) => fault !== null).length,
    violations: [
      ...violations,
      ...again.violations,
      ...stage.check("recovered"),
      ...(await stage.summary()),
    ],
    recoveryMs: [ms, again.ms],
  };
}
