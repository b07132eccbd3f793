/** The cohorts that a team shares, over its database. */
import * as z from "zod/mini";
import type { Asker } from "./asker.ts";
import { bytes, type SharedCohorts, sharedCohort } from "./memory.ts";

const cohortFacts = `'name', name, 'supplier', supplier, 'sha256', sha256, 'rows', rows, 'accounts', accounts,
  'column', column_name, 'layout', layout, 'createdAt', created_at, 'machine', machine, 'person', person`;

/** Returns the cohorts of a service. */
export function sqlCohorts({ schema, service, names, query, call }: Asker): SharedCohorts {
  const table = `${schema}.cohort`;
  return {
    list: () =>
      query(
        z.array(sharedCohort),
        `SELECT coalesce(jsonb_agg(jsonb_build_object(${cohortFacts}) ORDER BY name COLLATE "C"), '[]') AS r
          FROM ${table} WHERE service = $1`,
        service,
      ),
    read: async (name) => {
      const found = await query(
        z.optional(z.object({ ...sharedCohort.shape, bytes })),
        `SELECT jsonb_build_object(${cohortFacts}, 'bytes', encode(bytes, 'base64')) AS r
          FROM ${table} WHERE service = $1 AND name = $2`,
        ...[service, name],
      );
      if (found === undefined) return null;
      const { bytes: list, ...cohort } = found;
      return { cohort, bytes: list };
    },
    add: (added, bytes) => call(z.boolean(), "add_cohort", names, service, added, bytes),
  };
}
