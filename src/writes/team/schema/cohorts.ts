/** The cohorts that a team shares. A cohort never changes, and is identified by the hash of its list. */
import { functionSettings } from "./session.ts";
import type { LedgerNames } from "./tables.ts";

/** Returns the SQL of the table and its functions. */
export const cohortTables = ({ schema }: LedgerNames) => `
-- bytes is the compressed list.
CREATE TABLE ${schema}.cohort (
  service text NOT NULL,
  name text NOT NULL,
  supplier text NOT NULL,
  sha256 text NOT NULL,
  rows bigint NOT NULL,
  accounts bigint NOT NULL,
  column_name text,
  layout text NOT NULL,
  created_at bigint NOT NULL,
  machine text NOT NULL,
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  bytes bytea NOT NULL,
  PRIMARY KEY (name, service)
);
ALTER TABLE ${schema}.cohort ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Stores a cohort. Returns false if the name has another list, or another supplier.
CREATE FUNCTION ${schema}.add_cohort(p_version int, p_keys int, p_self jsonb, p_service text, c jsonb, p_bytes bytea)
RETURNS jsonb ${functionSettings} AS $$
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  INSERT INTO ${schema}.cohort (service, name, supplier, sha256, rows, accounts, column_name, layout, created_at, machine,
      person, bytes)
    VALUES (p_service, c->>'name', c->>'supplier', c->>'sha256', (c->>'rows')::bigint, (c->>'accounts')::bigint,
      c->>'column', c->>'layout', (c->>'createdAt')::bigint, p_self->>'machine', p_self->>'person',
      p_bytes)
    ON CONFLICT DO NOTHING;
  RETURN to_jsonb(EXISTS (SELECT FROM ${schema}.cohort WHERE service = p_service AND name = c->>'name'
    AND sha256 = c->>'sha256' AND supplier = c->>'supplier' AND column_name IS NOT DISTINCT FROM c->>'column'));
END $$;
`;

/** Returns the SQL that grants the rights. It comes after the revocation of all rights. */
export const cohortRights = ({ schema, team }: LedgerNames) => `
GRANT SELECT ON ${schema}.cohort TO ${team};
GRANT EXECUTE ON FUNCTION ${schema}.add_cohort TO ${team};
`;
