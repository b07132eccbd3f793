/** The matrix: each fault at each endpoint, with a seed of its own. */
import { createHash } from "node:crypto";
import type { Endpoint } from "../../src/sandbox/endpoints.ts";
import { type WriteKind, writeKinds } from "../writes.ts";
import { type CampaignFault, campaignFaults } from "./fault-list.ts";

/** One fault injected at one endpoint while something is written. */
export interface Cell {
  readonly fault: string;
  readonly endpoint: Endpoint;
  readonly kind: WriteKind | "validation";
  /** The seed of the sandbox, derived from the campaign's seed. */
  readonly seed: number;
  readonly writes: number;
}

export interface PlanOptions {
  readonly seed: number;
  /** Writes for each fault, over all endpoints. */
  readonly writes: number;
  /** Names of faults, or their first words; all when empty. */
  readonly only: readonly string[];
  /** All when empty. */
  readonly endpoints: readonly string[];
}

const endpointOf: Readonly<Record<WriteKind, Endpoint>> = {
  notes: "notes",
  documents: "notes",
  transactions: "transactions",
  "unchecked transactions": "transactions",
  "transactions with one refused": "transactions",
  statements: "statements",
  "payment instructions": "payment-instructions",
  "supply points": "supply-points-create",
};

const places: readonly Pick<Cell, "endpoint" | "kind">[] = [
  ...writeKinds.map((kind) => ({ kind, endpoint: endpointOf[kind] })),
  { kind: "validation", endpoint: "supply-points-validate" },
  { kind: "supply points", endpoint: "supply-point-status" },
  // A fault of the token call affects every write alike; of these two one may be sent again and one may not.
  { kind: "payment instructions", endpoint: "token" },
  { kind: "notes", endpoint: "token" },
];

/** The names of the faults that `--only` chooses. */
export function chosenFaults(only: readonly string[]): readonly CampaignFault[] {
  if (only.length === 0) return campaignFaults;
  return campaignFaults.filter(({ name }) =>
    only.some((wanted) => name === wanted || name.split("=")[0] === wanted),
  );
}

export function faultNamed(name: string): CampaignFault {
  const found = campaignFaults.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`There is no fault "${name}".`);
  return found;
}

/** The cells of a campaign; the same for the same options. */
export function planCells(options: PlanOptions): readonly Cell[] {
  const { seed, writes, only, endpoints } = options;
  return chosenFaults(only).flatMap(({ name, notAt = [] }) => {
    const at = places.filter(({ endpoint }) => !notAt.includes(endpoint));
    const each = Math.max(1, Math.ceil(writes / at.length));
    return at
      .filter(({ endpoint }) => endpoints.length === 0 || endpoints.includes(endpoint))
      .map(({ endpoint, kind }): Cell => {
        const own = seedOf(`${seed} ${name} ${endpoint} ${kind}`);
        return { fault: name, endpoint, kind, seed: own, writes: each };
      });
  });
}

function seedOf(words: string): number {
  return createHash("sha256").update(words).digest().readUInt32BE(0);
}
