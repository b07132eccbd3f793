/** The functions that every call of a member begins with: version, isolation, restored ledgers, locks. */
import { noFolder } from "../ledger.ts";
import { entryFacts, type LedgerNames } from "./tables.ts";

/**
 * Settings of every function that changes the ledger. A plan of an empty table would read all of it later.
 * The forbidden plans count as costly, for which each call would be compiled to machine code.
 */
export const functionSettings = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET enable_material = off SET lock_timeout = '3s'`;

/** Days after which a state folder without contact is not waited for by a repair. */
const contactDays = 90;

/**
 * Returns the SQL of the shared functions. Members cannot execute them directly, so they run with
 * the settings of {@link functionSettings}.
 */
export const sessionFunctions = ({ schema }: LedgerNames) => `
-- Refuses a session in which the other functions would not be safe. SL001: another version of the
-- ledger. SL002: another version of the item keys. SL003: another isolation. SL004: the owner.
CREATE FUNCTION ${schema}.check_session(p_version int, p_keys int) RETURNS ${schema}.ledger
LANGUAGE plpgsql AS $$
DECLARE l ${schema}.ledger;
BEGIN
  SELECT * INTO l FROM ${schema}.ledger;
  IF l.version <> p_version THEN
    RAISE EXCEPTION 'another version of the ledger' USING ERRCODE = 'SL001', DETAIL = l.version;
  END IF;
  IF l.keys <> p_keys THEN
    RAISE EXCEPTION 'another version of the item keys' USING ERRCODE = 'SL002', DETAIL = l.keys;
  END IF;
  -- A snapshot from before the locks would miss the claims that the locks wait for.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'another transaction isolation' USING ERRCODE = 'SL003';
  END IF;
  IF session_user = current_user THEN
    RAISE EXCEPTION 'the owner of the ledger' USING ERRCODE = 'SL004';
  END IF;
  -- A claim that was answered must survive a crash of the database.
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  RETURN l;
END $$;

-- Stores that a state folder is in contact, and the highest number of its claims. A machine without a
-- journal has none.
CREATE FUNCTION ${schema}.contact(p_self jsonb) RETURNS ${schema}.journal
LANGUAGE plpgsql AS $$
DECLARE j ${schema}.journal;
BEGIN
  IF p_self->>'journal' = '${noFolder}' THEN RETURN j; END IF;
  INSERT INTO ${schema}.journal AS o (id, machine, person, seq)
    VALUES ((p_self->>'journal')::uuid, p_self->>'machine', p_self->>'person', (p_self->>'seq')::bigint)
    ON CONFLICT (id) DO UPDATE SET last_at = clock_timestamp(), machine = excluded.machine,
      person = excluded.person, login = session_user, seq = greatest(o.seq, excluded.seq)
    RETURNING * INTO j;
  RETURN j;
END $$;

-- Returns true if the ledger was restored from a backup and not every state folder has reported
-- back. A state folder that saw a later entry, or an epoch that the ledger does not know, proves a
-- restore, which starts a new epoch.
CREATE FUNCTION ${schema}.check_restored(p_self jsonb, l ${schema}.ledger) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF p_self->>'epoch' IS NOT NULL AND l.repair_since IS NULL AND (CASE
      WHEN (p_self->>'epoch')::uuid = l.epoch
        THEN (p_self->>'newest')::bigint > coalesce((SELECT max(id) FROM ${schema}.entry), 0)
      ELSE (p_self->>'epoch')::uuid <> ALL (l.earlier_epochs) END) THEN
    PERFORM ${schema}.begin_repair(p_self->>'person', p_self->>'machine', 'a machine has seen later entries');
    RETURN true;
  END IF;
  RETURN l.repair_since IS NOT NULL;
END $$;

CREATE FUNCTION ${schema}.begin_repair(p_person text, p_machine text, p_reason text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${schema}.ledger SET repair_since = clock_timestamp(), repair_reason = p_reason,
    earlier_epochs = earlier_epochs || epoch, epoch = gen_random_uuid();
  UPDATE ${schema}.journal SET owes = true WHERE last_at > clock_timestamp() - interval '${contactDays} days';
  INSERT INTO ${schema}.event (person, machine, kind, reason) VALUES (p_person, p_machine, 'restored', p_reason);
END $$;

-- Ends the repair if no state folder owes its entries.
CREATE FUNCTION ${schema}.end_repair(p_person text, p_machine text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ${schema}.journal WHERE owes) THEN RETURN; END IF;
  UPDATE ${schema}.ledger SET repair_since = NULL, repair_reason = NULL WHERE repair_since IS NOT NULL;
  IF FOUND THEN
    INSERT INTO ${schema}.event (person, machine, kind) VALUES (p_person, p_machine, 'repaired');
  END IF;
END $$;

-- Locks accounts until the end of the transaction. Equal items are of one account, so this is
-- enough for the guard. All callers use one order, so they do not wait for each other in a circle.
CREATE FUNCTION ${schema}.lock_accounts(p_ledger uuid, p_entries jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(k) FROM (
    SELECT DISTINCT hashtextextended(concat_ws(' ', p_ledger, value->>'service', value->>'account'), 0) AS k
    FROM jsonb_array_elements(p_entries) ORDER BY k) ordered;
END $$;

-- Returns an entry as an answer names it.
CREATE FUNCTION ${schema}.named(p_entry ${schema}.entry) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_build_object(${entryFacts("p_entry")});
END $$;
`;
