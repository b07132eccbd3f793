/**
 * The part of the ledger's owner: roles, rights, retention, and the end of a restore. Members execute
 * functions and read, and change nothing else.
 */
import type { LedgerNames } from "./tables.ts";

/** Days for which an entry and its outcome are stored, as in the journal. */
const entryRetentionDays = 730;

/** Returns the SQL of the functions, which no member can execute. */
export const ownerFunctions = ({ schema }: LedgerNames) => `
-- Removes the oldest day of settled entries that are past their retention, and returns their number.
-- The guard's keys of items that move money stay, with the entry as a shell without personal data.
CREATE FUNCTION ${schema}.retain() RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_ids bigint[]; v_gone bigint[];
BEGIN
  PERFORM ${schema}.retain_approvals();
  PERFORM ${schema}.retain_lists();
  SELECT array_agg(id) INTO v_ids FROM (
    SELECT id, claimed_at, min(claimed_at) OVER () AS oldest FROM ${schema}.entry
    WHERE claimed_at < clock_timestamp() - interval '${entryRetentionDays} days' AND removed_at IS NULL
      AND state IN ('confirmed', 'rejected', 'closed', 'unsent')) d
    WHERE claimed_at < oldest + interval '1 day';
  IF v_ids IS NULL THEN RETURN 0; END IF;
  DELETE FROM ${schema}.event WHERE entry = ANY (v_ids);
  SELECT array_agg(id) INTO v_gone FROM ${schema}.entry e WHERE id = ANY (v_ids) AND NOT (moves_money
    AND EXISTS (SELECT FROM ${schema}.item t WHERE t.entry = e.id AND (t.state IS NOT NULL OR t.blocked)));
  DELETE FROM ${schema}.item WHERE entry = ANY (v_gone);
  DELETE FROM ${schema}.entry WHERE id = ANY (v_gone);
  UPDATE ${schema}.entry SET removed_at = clock_timestamp(), import_supplier = NULL, external_account_number = NULL,
    external_identifier = NULL, run = NULL, line = NULL, changed = pg_current_xact_id()
    WHERE id = ANY (v_ids);
  DELETE FROM ${schema}.journal j WHERE last_at < clock_timestamp() - interval '${entryRetentionDays} days'
    AND NOT EXISTS (SELECT FROM ${schema}.entry e WHERE e.journal = j.id);
  DELETE FROM ${schema}.run r WHERE last_at < clock_timestamp() - interval '${entryRetentionDays} days'
    AND NOT EXISTS (SELECT FROM ${schema}.entry e WHERE e.run = r.run AND e.journal = r.journal);
  RETURN cardinality(v_ids);
END $$;

-- Marks the ledger as restored, or dismisses the state folders of a machine that cannot report back.
-- Returns the machines that still owe their entries.
CREATE FUNCTION ${schema}.repair(p_person text, p_reason text, p_dismissed text DEFAULT NULL) RETURNS text[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_machine text := 'owner';
BEGIN
  IF p_dismissed IS NULL THEN
    PERFORM ${schema}.begin_repair(p_person, v_machine, p_reason);
  ELSE
    UPDATE ${schema}.journal SET owes = false WHERE machine = p_dismissed AND owes;
    IF FOUND THEN
      INSERT INTO ${schema}.event (person, machine, kind, reason, facts)
        VALUES (p_person, v_machine, 'dismissed', p_reason, jsonb_build_object('machine', p_dismissed));
    END IF;
  END IF;
  PERFORM ${schema}.end_repair(p_person, v_machine);
  RETURN ARRAY(SELECT DISTINCT machine FROM ${schema}.journal WHERE owes ORDER BY machine);
END $$;
`;

/** Returns the SQL that creates the roles if they do not exist. It needs the right to create roles. */
export const roles = ({ team, ci }: LedgerNames) => `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${bare(team)}') THEN
    CREATE ROLE ${team} NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${bare(ci)}') THEN
    CREATE ROLE ${ci} NOLOGIN IN ROLE ${team};
  END IF;
END $$;
`;

/** The columns of entries that members read: every column but the token, with which one publishes. */
const readableColumns = `id, journal, local_id, service, profile, operation, moves_money, import_supplier,
  external_account_number, external_identifier, run, line, machine, person, login, sha256, recorded_at, claimed_at,
  lease_until, state, took_effect, reason, doubt, http_status, code, attempts, settled_at, removed_at, changed`;

export const rights = ({ schema, team }: LedgerNames) => `
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;
GRANT USAGE ON SCHEMA ${schema} TO ${team};
GRANT SELECT ON ${schema}.ledger, ${schema}.journal, ${schema}.item, ${schema}.account_lock, ${schema}.event,
  ${schema}.run TO ${team};
GRANT SELECT (${readableColumns}) ON ${schema}.entry TO ${team};
GRANT EXECUTE ON FUNCTION ${schema}.claim, ${schema}.ask, ${schema}.renew, ${schema}.publish, ${schema}.close,
  ${schema}.leave TO ${team};
`;

function bare(name: string): string {
  return name.slice(1, -1);
}
