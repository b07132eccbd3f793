/** Lists recorded as observations: processes that are killed inside a commit, and eight at once. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/api/clock.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import type { Violation } from "../invariants/invariant.ts";
import { listBatch, type ObservingInput, observedOrigin } from "../observing-driver.ts";
import { type ClientBuild, runDriver } from "./run-driver.ts";
import type { ScenarioOptions, ScenarioResult } from "./stage.ts";

const supplier = "ACME";
/** More statements than a commit has. */
const mostStatements = 40;
const numbers = Array.from({ length: 300 }, (_, at) => `EXT-${at}`);

const nothingLost = "no observation is lost";
const noFalseGone = "no account is wrongly gone";

/** Kills a process before every statement of a commit: the file holds all of the list, or none of it. */
export async function killedObserving(options: ScenarioOptions): Promise<ScenarioResult> {
  const violations: Violation[] = [];
  let injected = 0;
  let recorded = 0;
  const before = { numbers, imported: 0 };
  const after = { numbers: numbers.slice(5), imported: 7 };
  for (let killAt = 1; killAt <= mostStatements; killAt++) {
    const folder = mkdtempSync(join(options.where, "observing-"));
    const input = { folder, suppliers: [supplier], lists: [before, after], killAt };
    const { signal, lines } = await drive(input, options.client);
    recorded += lines.length;
    if (signal === null) break;
    injected += 1;
    violations.push(...(await checkKilled(folder, `killed before statement ${killAt}`)));
  }
  if (injected < 5)
    violations.push({ invariant: "the campaign itself", what: "it was never killed" });
  return {
    name: "kill -9 while observing",
    writes: recorded,
    injected,
    violations,
    recoveryMs: [],
  };
}

async function checkKilled(folder: string, when: string): Promise<Violation[]> {
  const observations = await open(folder);
  const violations: Violation[] = [];
  const say = (invariant: string, what: string) =>
    violations.push({ invariant, what: `${what}, ${when}` });
  const changes = await observations.changes(supplier, null);
  const counts = (await observations.counts(supplier, null)).at(-1);
  const isOld = changes.length === 0 && counts?.pending === 300 && counts.gone === 0;
  const isNew = changes.length === 12 && counts?.pending === 288 && counts.gone === 5;
  if (!isOld && !isNew) say(nothingLost, `${changes.length} changes, ${JSON.stringify(counts)}`);
  const since = (await observations.ages(supplier))?.historySince;
  const recorder = observations.begin(supplier, systemClock.now());
  await recorder.take(listBatch(numbers, 0) as NonNullable<ReturnType<typeof listBatch>>);
  const { kind } = await recorder.finish();
  if (kind !== "recorded") say(nothingLost, `the next list is ${kind}`);
  const ages = await observations.ages(supplier);
  if ([...(ages?.gone() ?? [])].length > 0) say(noFalseGone, "accounts that are listed are gone");
  if (ages?.firstSeen(ages.rowOf("EXT-9")) !== since) say(nothingLost, "an age is lost");
  await observations.close();
  return violations;
}

/** Eight processes record lists of one supplier, and each of another one alone. */
export async function eightObserving(options: ScenarioOptions): Promise<ScenarioResult> {
  const folder = mkdtempSync(join(options.where, "observing-"));
  const violations: Violation[] = [];
  const lists = Array.from({ length: 8 }, (_, at) => ({ numbers, imported: at }));
  const processes = Array.from({ length: 8 }, (_, at) =>
    drive({ folder, suppliers: [`OWN-${at}`, supplier], lists, killAt: null }, options.client),
  );
  const lines = (await Promise.all(processes)).flatMap((ended) => ended.lines);
  const off = lines.filter((line) => line.startsWith("off") || line.startsWith("held-back"));
  for (const line of off) violations.push({ invariant: nothingLost, what: line });
  const observations = await open(folder);
  for (const one of await observations.stored()) {
    const reported = lines.filter((line) => line.startsWith(`recorded ${one.supplier} `)).length;
    if (one.observations !== reported) {
      const what = `${one.observations} observations of ${one.supplier} are stored, ${reported} were reported`;
      violations.push({ invariant: nothingLost, what });
    }
    const gone = [...((await observations.ages(supplier))?.gone() ?? [])].length;
    if (gone > 0) violations.push({ invariant: noFalseGone, what: `${gone} accounts` });
  }
  const own = lines.filter((line) => line.startsWith("recorded OWN-")).length;
  if (own !== 64) violations.push({ invariant: nothingLost, what: `${own} of 64 were recorded` });
  await observations.close();
  return { name: "eight observing", writes: lines.length, injected: 0, violations, recoveryMs: [] };
}

function open(folder: string) {
  return openObservations({ folder, origin: observedOrigin, clock: systemClock, recording: true });
}

/** Runs one process to its end, however that comes. */
async function drive(input: ObservingInput, client: ClientBuild) {
  const words = [JSON.stringify(input)];
  const { signal, stdout } = await runDriver("observing-driver.ts", words, client);
  return { signal, lines: stdout.split("\n").filter((line) => line !== "") };
}
