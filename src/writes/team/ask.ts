/** Asks a team's ledger what colleagues have of the items of writes, before anything is recorded. */
import { serviceKey } from "../../api/url.ts";
import type { Finding } from "../journal/override.ts";
import { isRecognized } from "../kinds/kinds.ts";
import type { PreparedWrite } from "../prepare.ts";
import type { WriteContext } from "../send/events.ts";
import type { Question, TeamFinding } from "./ledger.ts";

export interface AskedWrite {
  readonly write: Pick<PreparedWrite, "operation" | "query" | "keys" | "facts">;
  /** The ID of its entry, or null if it is not recorded. */
  readonly id: number | null;
}

export interface TeamBar {
  readonly worst: TeamFinding;
  /** The most severe entry that bars each item, in any order. */
  readonly byItem: readonly TeamFinding[];
  readonly findings: readonly Finding[];
}

/**
 * Asks about writes, in order. Each answer is null if no colleague's entry bars the write. Entries of
 * this state folder are left out, because the guard of the journal knows them. Rejects with a team error.
 * Without a team, nothing is asked.
 */
export async function askTeam(
  {
    team,
    service,
  }: Pick<WriteContext, "team"> & { readonly service: { readonly baseUrl: string } },
  writes: readonly AskedWrite[],
): Promise<readonly (TeamBar | null)[]> {
  if (team === null) return writes.map(() => null);
  const key = serviceKey(service.baseUrl);
  const answers = await team.ledger.ask(writes.map((asked) => questionOf(key, asked)));
  return writes.map(({ write }, at) => barIn(write, answers[at] ?? [], team.folder));
}

function questionOf(service: string, { write, id }: AskedWrite): Question {
  const { operation, query, keys, facts } = write;
  const items = keys.map(({ content, name }, position) => ({
    key: content,
    name,
    isRecognized: isRecognized(operation, query, [facts.items[position]]),
  }));
  return { service, items, localId: id };
}

export function findingsOfTeam(
  keys: PreparedWrite["keys"],
  found: readonly TeamFinding[],
): readonly Finding[] {
  return found.flatMap(({ position, kind, state, earlier, isPassed }): readonly Finding[] => {
    const item = keys[position]?.content;
    if (item === undefined || isPassed || kind === "reported") return [];
    const inDoubt = state === "confirmed" ? "confirmed" : "in-doubt";
    const known = kind === "refused-before" ? "refused" : inDoubt;
    return [{ item, kind: known, earlier: `t${earlier.id}` }];
  });
}

function barIn(
  { keys }: AskedWrite["write"],
  found: readonly TeamFinding[],
  folder: string,
): TeamBar | null {
  const barring = found.filter(
    ({ kind, earlier }) => kind !== "reported" && earlier.journal !== folder,
  );
  const [worst] = barring;
  if (worst === undefined) return null;
  const findings = findingsOfTeam(keys, barring);
  const byItem = [...new Map(barring.toReversed().map((one) => [one.position, one])).values()];
  return { worst, byItem, findings };
}
