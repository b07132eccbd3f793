/** Defines the invariants of the entries of a bulk run. */

import { createHash } from "node:crypto";
import { type RunKind, writeKindOf } from "../driver-input.ts";
import { type EntryEvidence, landings, placeOf } from "../evidence.ts";
import type { Invariant } from "../invariants/invariant.ts";
import { composeWrite } from "../writes.ts";

export interface RunInput {
  readonly of: RunKind;
  readonly mark: string;
  readonly rows: number;
  /** It has been carried out to its end, without faults. */
  readonly ended?: boolean;
}

export function runRules(
  mark: string,
  { of, rows, ended = false }: RunInput,
): readonly Invariant[] {
  const wanted = new Map(
    Array.from({ length: rows }, (_, n) => {
      const { body } = composeWrite(writeKindOf[of], mark, n).request;
      return [n + 2, createHash("sha256").update(body).digest("hex")] as const;
    }),
  );
  return [
    {
      name: "run is of its input",
      promise: "every entry of a run holds its line's own bytes, and no line has two",
      broken: ({ entries }) => {
        const mine = entries.filter(({ run }) => run !== null);
        const twice = mine.length - new Set(mine.map(({ line }) => line)).size;
        return [
          ...mine
            .filter(({ line, sha256 }) => wanted.get(line ?? 0) !== sha256)
            .map(({ id, line }) => `entry ${id} is not what line ${line} says`),
          ...(twice > 0 ? [`${twice} lines have two entries`] : []),
        ];
      },
    },
    {
      name: "a resumed run ends",
      promise: "after a resume without faults every row is settled, or cannot be read back",
      broken: ({ entries, effects }) => {
        if (!ended) return [];
        const tookEffect = landings(effects);
        const mine = entries.filter(({ run }) => run !== null);
        // A supply point that does not exist might still be created.
        const cannotBeKnown = ({ state, identifier }: EntryEvidence) => {
          if (state !== "unknown" || of === "notes" || of === "transactions") return false;
          return of !== "supply-points" || !tookEffect.has(placeOf(identifier, identifier));
        };
        const open = mine.filter((one) => one.state !== "confirmed" && !cannotBeKnown(one));
        return [
          ...open.map(({ id, state }) => `entry ${id} is ${state}`),
          ...(mine.length === rows ? [] : [`${mine.length} of ${rows} rows are in the journal`]),
        ];
      },
    },
  ];
}
