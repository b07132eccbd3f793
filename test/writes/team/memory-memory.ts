/** The memory of a team without a database, with the contract of the real one. */
import { AppError } from "../../../src/errors/app-error.ts";
import type {
  Beginning,
  ObservedRow,
  Observer,
  Position,
  SharedCohort,
  SharedLists,
  TeamMemory,
} from "../../../src/writes/team/memory.ts";

interface List {
  rows: ObservedRow[];
  firstAt: number;
  observations: number;
  snapshot: { readonly id: string; readonly parts: number; readonly number: number };
  held: ObservedRow | null;
  readonly machines: Set<string>;
}

/** A database in memory, which does not answer while `isAway`. */
export class TestMemory {
  isAway = false;
  /** Called before each answer, to interrupt a machine between two calls. */
  onCall: (name: string) => void | Promise<void> = () => {};
  readonly calls: string[] = [];
  readonly lists = new Map<string, List>();
  readonly parts = new Map<string, Uint8Array>();
  readonly cohorts = new Map<string, { cohort: SharedCohort; bytes: Uint8Array }>();

  /** Returns the memory as one machine uses it. */
  as(machine: string): TeamMemory {
    const by: Observer = { machine, person: `person of ${machine}` };
    const lists = this.#lists(by);
    const checked = <T extends object>(port: T): T =>
      Object.fromEntries(
        Object.entries(port).map(([name, work]) => [
          name,
          async (...given: readonly unknown[]) => {
            this.calls.push(name);
            await this.onCall(name);
            if (this.isAway)
              throw new AppError(
                "team",
                "team-unavailable",
                "the team's database test does not answer",
              );
            return work(...given);
          },
        ]),
      ) as T;
    return {
      lists: checked(lists),
      cohorts: checked({
        list: async () => [...this.cohorts.values()].map(({ cohort }) => cohort),
        read: async (name: string) => this.cohorts.get(name) ?? null,
        add: async (cohort: SharedCohort, bytes: Uint8Array) => {
          const known = this.cohorts.get(cohort.name);
          if (known === undefined)
            this.cohorts.set(cohort.name, { cohort: { ...cohort, ...by }, bytes });
          return (known ?? { cohort }).cohort.sha256 === cohort.sha256;
        },
      }),
      close: async () => {},
    };
  }

  #lists(by: Observer): SharedLists {
    const newestOf = (list: List): ObservedRow => list.rows.at(-1) as ObservedRow;
    const isExpected = (list: List, { number, token }: Position) =>
      newestOf(list).number === number && newestOf(list).token === token;
    return {
      newest: async (suppliers) =>
        new Map(
          suppliers.flatMap((supplier) => {
            const list = this.lists.get(supplier);
            if (list === undefined) return [];
            const { number, token } = newestOf(list);
            return [[supplier, { number, token, held: list.held?.token ?? null }] as const];
          }),
        ),
      since: async (supplier, position, held) => {
        const list = this.lists.get(supplier);
        if (list === undefined) return null;
        const from = list.rows.findIndex(
          ({ number, token }) => number === position?.number && token === position.token,
        );
        const continues = from >= 0;
        const { number, token } = newestOf(list);
        const first = list.rows.findIndex((row) => row.number === list.snapshot.number);
        return {
          newest: { number, token },
          firstAt: list.firstAt,
          observations: list.observations,
          machines: list.machines.size,
          snapshot: continues ? null : list.snapshot,
          rows: (continues ? list.rows.slice(from + 1) : list.rows.slice(first)).slice(0, 3),
          held:
            list.held === null
              ? null
              : { token: list.held.token, row: list.held.token === held ? null : list.held },
        };
      },
      earlier: async (supplier, below) =>
        (this.lists.get(supplier)?.rows ?? [])
          .filter(({ number }) => number < below)
          .toReversed()
          .slice(0, 3)
          .map((row) => ({ ...row, contents: null })),
      part: async (snapshot, part) => this.parts.get(`${snapshot} ${part}`) ?? null,
      putPart: async (_, snapshot, part, bytes) => {
        this.parts.set(`${snapshot} ${part}`, bytes.slice());
      },
      append: async (supplier, expected, rows, { firstAt, beginning }) => {
        const list = this.lists.get(supplier);
        const added = rows.map((row) => ({ ...row, ...by }));
        if (list === undefined) {
          if (expected !== null || beginning === undefined) return null;
          this.lists.set(supplier, begun(added, firstAt, beginning, by));
          return 1;
        }
        if (expected === null || !isExpected(list, expected)) return null;
        list.rows.push(...added);
        list.observations += rows.length;
        list.firstAt = Math.min(list.firstAt, firstAt);
        list.held = null;
        list.machines.add(by.machine);
        return list.machines.size;
      },
      holdBack: async (supplier, expected, row) => {
        const list = this.lists.get(supplier);
        if (list === undefined || !isExpected(list, expected)) return false;
        list.held = { ...row, ...by };
        return true;
      },
      confirm: async (supplier, held) => {
        const list = this.lists.get(supplier);
        if (list === undefined || list.held?.token !== held) return false;
        list.rows.push({ ...list.held, ...by, number: newestOf(list).number + 1 });
        list.observations += 1;
        list.held = null;
        return true;
      },
      beginFold: async (supplier, number) =>
        number >= (this.lists.get(supplier)?.snapshot.number ?? number) + 3,
      endFold: async (supplier, { number }, id, parts) => {
        const list = this.lists.get(supplier);
        if (list !== undefined) list.snapshot = { id, parts, number };
      },
    };
  }
}

function begun(rows: ObservedRow[], firstAt: number, beginning: Beginning, by: Observer): List {
  const { snapshot: id, parts, observations } = beginning;
  const number = rows.at(-1)?.number ?? 0;
  const snapshot = { id, parts, number };
  return { rows, firstAt, observations, snapshot, held: null, machines: new Set([by.machine]) };
}
