/** The versions of a team's ledger, and the SQL that creates or upgrades it. */
import { approvalFunctions, approvalRights, approvalTables, policyFunctions } from "./approvals.ts";
import { claimFunctions } from "./claim.ts";
import { cohortRights, cohortTables } from "./cohorts.ts";
import { listFunctions, listRights, listTables } from "./lists.ts";
import { ownerFunctions, rights, roles } from "./owner.ts";
import { publishFunctions } from "./publish.ts";
import { sessionFunctions } from "./session.ts";
import { type LedgerNames, tables } from "./tables.ts";

/**
 * The version of the item keys (item-keys.ts). Programs with different keys do not recognize each
 * other's items, so one ledger has one version.
 */
export const keysVersion = 1;

/** The parts of the first version. A function can call one of a later part. */
const parts: readonly ((names: LedgerNames) => string)[] = [
  tables,
  approvalTables,
  listTables,
  cohortTables,
  sessionFunctions,
  approvalFunctions,
  claimFunctions,
  publishFunctions,
  listFunctions,
  policyFunctions,
  ownerFunctions,
  rights,
  approvalRights,
  listRights,
  cohortRights,
];

/** Returns the SQL of each version, in order. A released step never changes. */
const steps: readonly ((names: LedgerNames) => string)[] = [
  (names) =>
    parts.map((part) => part(names)).join("") +
    `INSERT INTO ${names.schema}.ledger (version, keys) VALUES (1, ${keysVersion});\n`,
];

/** The version of the ledger. A program refuses a ledger with another version. */
export const ledgerVersion = steps.length;

/** Returns the quoted names of the ledger in a schema whose name was checked. */
export function namesIn(schema: string): LedgerNames {
  return { schema: `"${schema}"`, team: `"${schema}_team"`, ci: `"${schema}_ci"` };
}

export function rolesSql(schema: string): string {
  return roles(namesIn(schema));
}

export function stepsAfter(schema: string, version: number): readonly string[] {
  return steps.slice(version).map((step) => step(namesIn(schema)));
}
