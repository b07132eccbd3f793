/** Compares the ledgers of the service, of the team and of every machine. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type EntryEvidence, type Evidence, landings, placeOf, readJournal } from "../evidence.ts";
import { type Violation, violationsIn } from "../invariants/invariant.ts";
import { askedAgain, invariants, isWrite } from "../invariants/journal-and-ledger.ts";
import { reportedIn } from "../scenarios/stage.ts";
import type { StateFolder, TeamStage } from "./machines.ts";

/** The three figures that must be 0, as the report names them. */
export const teamFigures = ["effects twice", "wrong claims", "lost outcomes"] as const;

/** An entry of the team's ledger. */
interface LedgerEntry {
  readonly id: number;
  readonly journal: string;
  readonly localId: number;
  readonly sha256: string;
  readonly state: string;
  /** For each item, true if it bars an equal one. */
  readonly live: readonly boolean[];
}

/** A state folder with its journal. */
interface FolderEvidence {
  readonly folder: StateFolder;
  /** Its ID in the ledger. */
  readonly id: string;
  readonly entries: readonly EntryEvidence[];
  /** The entries that it claimed, with the number of changes that are not published. */
  readonly claims: ReadonlyMap<number, number>;
}

/** The invariants that hold for the journals of all machines together. */
const shared = [
  "no intent lost",
  "reported is recorded",
  "nothing unrecorded",
  "confirmed took effect",
  "confirmed was said",
  "refused form not resent",
  "doubt is kept",
  "items agree",
  "journal is sound",
];

const apart = 1_000_000;

/**
 * Returns the number of entries of all journals, and the contradictions of the ledgers. Every machine has
 * ended and has published.
 */
export async function compareLedgers(
  stage: TeamStage,
): Promise<{ readonly entries: number; readonly violations: readonly Violation[] }> {
  const folders = stage.folders.map(readFolder);
  const team = await readLedger(stage);
  const effects = stage.sandbox.ledger();
  const { seen } = stage.watch;
  const entries = folders.flatMap((one) => one.entries);
  const byPlace = new Map<string, EntryEvidence[]>();
  for (const entry of entries)
    for (const key of entry.keys) {
      const place = placeOf(entry.identifier, key);
      byPlace.set(place, [...(byPlace.get(place) ?? []), entry]);
    }
  const teamBySha = Map.groupBy(team, ({ sha256 }) => sha256);
  const found: Violation[] = [];
  const add = (invariant: (typeof teamFigures)[number], what: string) =>
    found.push({ invariant, what });

  for (const [place, n] of landings(effects)) {
    const of = byPlace.get(place) ?? [];
    const shas = [...new Set(of.map(({ sha256 }) => sha256))];
    const isPayment = of.some(({ operation }) => operation.startsWith("payment"));
    const asked = isPayment ? shas.reduce((sum, sha) => sum + askedAgain(sha, seen), 0) : 0;
    if (n > 1 + asked) add("effects twice", `${place} took effect ${n} times`);
    const isBarred = of.some(({ sha256, keys, identifier }) => {
      const position = keys.findIndex((key) => placeOf(identifier, key) === place);
      return teamBySha.get(sha256)?.some(({ live }) => live[position] === true) === true;
    });
    if (!isBarred) add("wrong claims", `${place} took effect, and the ledger would grant it`);
  }
  for (const { n, endpoint, sha256 } of seen)
    if (isWrite(endpoint) && sha256 !== null && !teamBySha.has(sha256))
      add("wrong claims", `arrival ${n} at ${endpoint} was never claimed`);
  const landed = landings(effects);
  const bySha = new Map(entries.map((entry) => [entry.sha256, entry]));
  for (const { id, state, sha256 } of team) {
    const { keys = [], identifier = "" } = bySha.get(sha256) ?? {};
    if (state === "sending") add("lost outcomes", `t${id} is still being sent`);
    if (state === "confirmed" && keys.some((key) => !landed.has(placeOf(identifier, key))))
      add("wrong claims", `t${id} is confirmed, and did not take effect`);
  }
  const byEntry = new Map(team.map((one) => [`${one.journal} ${one.localId}`, one]));
  for (const { folder, id, entries: own, claims } of folders)
    for (const entry of own) {
      const unpublished = claims.get(entry.id);
      if (unpublished === undefined) continue;
      const words = `entry ${entry.id} of ${folder.machine} (${entry.operation}) is ${entry.state}`;
      const at = byEntry.get(`${id} ${entry.id}`);
      if (unpublished > 0) add("lost outcomes", `${words}, which is not published`);
      else if (at?.state !== entry.state)
        add("lost outcomes", `${words}, and ${at?.state ?? "missing"} in the ledger`);
    }
  const others = violationsIn(union(stage, folders), invariants.filter(isShared));
  return { entries: entries.length, violations: [...found, ...others] };
}

const isShared = ({ name }: { readonly name: string }) => shared.includes(name);

/** Returns the evidence of all folders as that of one, with other IDs. */
function union(stage: TeamStage, folders: readonly FolderEvidence[]): Evidence {
  const numbered = folders.map((one, n) => ({ ...one, from: n * apart }));
  return {
    entries: numbered.flatMap(({ entries, from }) =>
      entries.map((entry) => ({ ...entry, id: from + entry.id })),
    ),
    claims: 0,
    journalCheck: "ok",
    effects: stage.sandbox.ledger(),
    seen: stage.watch.seen,
    reported: numbered.flatMap(({ folder, from }) =>
      folder.driven.flatMap(({ lines }) =>
        reportedIn(lines).map(({ journalId, word }) => ({ journalId: from + journalId, word })),
      ),
    ),
    secretsFound: [],
  };
}

function readFolder(folder: StateFolder): FolderEvidence {
  const path = join(folder.path, "journal.sqlite");
  const { entries } = readJournal(path);
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const id = String(database.prepare("SELECT id FROM team_self").get()?.id);
    const rows = database.prepare("SELECT intent, dirty FROM team_claim").all();
    const claims = new Map(rows.map(({ intent, dirty }) => [Number(intent), Number(dirty)]));
    return { folder, id, entries, claims };
  } finally {
    database.close();
  }
}

async function readLedger(stage: TeamStage): Promise<readonly LedgerEntry[]> {
  const rows = await stage.owner(
    `SELECT e.id::int, e.journal::text, e.local_id::int, e.sha256, e.state,
       array_agg(t.state IS NOT NULL ORDER BY t.position) AS live
     FROM LEDGER.entry e JOIN LEDGER.item t ON t.entry = e.id GROUP BY e.id`,
  );
  return rows.map((row) => ({
    id: Number(row.id),
    journal: String(row.journal),
    localId: Number(row.local_id),
    sha256: String(row.sha256),
    state: String(row.state),
    live: row.live as readonly boolean[],
  }));
}
