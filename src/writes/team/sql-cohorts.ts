/** The cohorts that a team shares, over its database. */
import * as z from "zod/mini";
import type { Asker } from "./asker.ts";
import type { SharedCohort, SharedCohorts } from "./memory.ts";

const facts = {
  name: z.string(),
  supplier: z.string(),
  sha256: z.string(),
  rows: z.int(),
  accounts: z.int(),
  column: z.nullable(z.string()),
  layout: z.string(),
  createdAt: z.int(),
  machine: z.string(),
  person: z.string(),
};
const cohort: z.ZodMiniType<SharedCohort> = z.object(facts);

const cohortFacts = `'name', name, 'supplier', supplier, 'sha256', sha256, 'rows', rows, 'accounts', accounts,
  'column', column_name, 'layout', layout, 'createdAt', created_at, 'machine', machine, 'person', person`;

/** Returns the cohorts of a service. */
export function sqlCohorts({ schema, service, names, query, call }: Asker): SharedCohorts {
  const table = `${schema}.cohort`;
  return {
    list: () =>
      query(
        z.array(cohort),
        `SELECT coalesce(jsonb_agg(jsonb_build_object(${cohortFacts}) ORDER BY name COLLATE "C"), '[]') AS r
          FROM ${table} WHERE service = $1`,
        service,
      ),
    read: async (name) => {
      const found = await query(
        z.optional(z.object({ ...facts, bytes: z.string() })),
        `SELECT jsonb_build_object(${cohortFacts}, 'bytes', encode(bytes, 'base64')) AS r
          FROM ${table} WHERE service = $1 AND name = $2`,
        ...[service, name],
      );
      if (found === undefined) return null;
      const { bytes, ...shared } = found;
      return { cohort: shared, bytes: new Uint8Array(Buffer.from(bytes, "base64")) };
    },
    add: (added, bytes) => call(z.boolean(), "add_cohort", names, service, added, bytes),
  };
}
