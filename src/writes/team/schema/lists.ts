/**
 * The history of the lists that the machines of a team have read: one numbered sequence of observations for
 * each supplier of a service, and a snapshot of its accounts from which a machine begins.
 */
import { functionSettings } from "./session.ts";
import type { LedgerNames } from "./tables.ts";

/** Days for which the data of changes is stored, so that a machine that was away reads no snapshot. */
const contentsDays = 7;

/** Days for which changes are stored, as on a machine. */
const changeDays = 90;

/** Seconds for which a machine that publishes a snapshot keeps the others from doing the same. */
const foldSeconds = 120;

/** Observations since a snapshot after which the next one is due, as on a machine. */
const foldAfter = 300;

/** Returns the SQL that creates the tables. */
export const listTables = ({ schema }: LedgerNames) => `
-- number and token are those of the newest observation, 0 and null before the first. Times of lists are
-- epoch milliseconds of the service. Observations up to contents_after are without their data.
CREATE TABLE ${schema}.list (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service text NOT NULL,
  supplier text NOT NULL,
  number bigint NOT NULL DEFAULT 0,
  token uuid,
  observations bigint NOT NULL DEFAULT 0,
  first_at bigint,
  snapshot uuid,
  snapshot_number bigint NOT NULL DEFAULT 0,
  snapshot_parts int NOT NULL DEFAULT 0,
  contents_after bigint NOT NULL DEFAULT 0,
  fold_by text,
  fold_until timestamptz NOT NULL DEFAULT '-infinity',
  UNIQUE (supplier, service)
);

-- facts are numbers, and bytes are compressed, in the order and the form of the program. Dates that an
-- earlier history of a machine knows are an observation without a list, and so is the time before which
-- accounts that left are forgotten by all machines.
CREATE TABLE ${schema}.observation (
  list bigint NOT NULL REFERENCES ${schema}.list,
  number bigint NOT NULL,
  token uuid NOT NULL,
  at bigint NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  machine text NOT NULL,
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  entries int NOT NULL,
  facts jsonb NOT NULL,
  pending_since jsonb,
  moves bytea,
  contents bytea,
  dates bytea,
  forget_before bigint,
  PRIMARY KEY (list, number)
);
ALTER TABLE ${schema}.observation ALTER COLUMN moves SET STORAGE EXTERNAL,
  ALTER COLUMN contents SET STORAGE EXTERNAL, ALTER COLUMN dates SET STORAGE EXTERNAL;

-- The list of a supplier that waits for a person to confirm it. It follows the newest observation.
CREATE TABLE ${schema}.held_list (
  list bigint PRIMARY KEY REFERENCES ${schema}.list,
  token uuid NOT NULL,
  at bigint NOT NULL,
  machine text NOT NULL,
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  entries int NOT NULL,
  facts jsonb NOT NULL,
  pending_since jsonb,
  moves bytea,
  contents bytea
);

-- The parts of a snapshot. Those of another snapshot than the list's are not in use.
CREATE TABLE ${schema}.list_part (
  list bigint NOT NULL REFERENCES ${schema}.list,
  snapshot uuid NOT NULL,
  part int NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  bytes bytea NOT NULL,
  PRIMARY KEY (snapshot, part)
);
ALTER TABLE ${schema}.list_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX list_part_list ON ${schema}.list_part (list);

-- The machines whose lists are in the history.
CREATE TABLE ${schema}.list_machine (
  list bigint NOT NULL REFERENCES ${schema}.list,
  machine text NOT NULL,
  last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (list, machine)
);
`;

/** Returns the SQL of the functions. */
export const listFunctions = ({ schema }: LedgerNames) => `
-- Returns the list of a supplier, locked until the end of the transaction. Creates it if it is new.
CREATE FUNCTION ${schema}.lock_list(p_service text, p_supplier text) RETURNS ${schema}.list
LANGUAGE plpgsql AS $$
DECLARE h ${schema}.list;
BEGIN
  INSERT INTO ${schema}.list (service, supplier) VALUES (p_service, p_supplier) ON CONFLICT DO NOTHING;
  SELECT * INTO h FROM ${schema}.list WHERE service = p_service AND supplier = p_supplier FOR UPDATE;
  RETURN h;
END $$;

-- Makes a snapshot the one of the list, if all of its parts are stored.
CREATE FUNCTION ${schema}.use_snapshot(h ${schema}.list, p_snapshot uuid, p_parts int, p_number bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM ${schema}.list_part WHERE snapshot = p_snapshot AND list = h.id) <> p_parts THEN
    RETURN false;
  END IF;
  UPDATE ${schema}.list SET snapshot = p_snapshot, snapshot_parts = p_parts, snapshot_number = p_number,
    fold_until = '-infinity' WHERE id = h.id;
  -- A machine can be storing the parts of another one.
  DELETE FROM ${schema}.list_part WHERE list = h.id AND snapshot <> p_snapshot
    AND (snapshot IS NOT DISTINCT FROM h.snapshot OR stored_at < clock_timestamp() - interval '1 hour');
  WITH emptied AS (
    UPDATE ${schema}.observation SET contents = NULL WHERE list = h.id AND number <= p_number
      AND number > h.contents_after AND recorded_at < clock_timestamp() - interval '${contentsDays} days'
      RETURNING number)
  UPDATE ${schema}.list SET contents_after = greatest(contents_after, coalesce((SELECT max(number) FROM emptied), 0))
    WHERE id = h.id;
  RETURN true;
END $$;

-- Appends observations to a list whose newest one has the expected number and token. The first of all
-- come with a snapshot. Rows have the lengths of their bytes, which are in their order in p_bytes. Returns
-- false if another machine was faster.
CREATE FUNCTION ${schema}.append(p_version int, p_keys int, p_self jsonb, p_list jsonb, p_rows jsonb, p_bytes bytea)
RETURNS jsonb ${functionSettings} AS $$
DECLARE h ${schema}.list; r jsonb; v_last jsonb; v_moves int; v_contents int; v_dates int; v_at int := 1;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  h := ${schema}.lock_list(p_list->>'service', p_list->>'supplier');
  IF h.number <> (p_list->>'number')::bigint OR h.token IS DISTINCT FROM (p_list->>'token')::uuid THEN
    RETURN jsonb_build_object('isAppended', false);
  END IF;
  IF h.number = 0 AND NOT ${schema}.use_snapshot(h, (p_list->>'snapshot')::uuid, (p_list->>'parts')::int,
      (p_rows->-1->>'number')::bigint) THEN
    RETURN jsonb_build_object('isAppended', false);
  END IF;
  FOR r IN SELECT value FROM jsonb_array_elements(p_rows) LOOP
    v_moves := (r->>'moves')::int;
    v_contents := (r->>'contents')::int;
    v_dates := (r->>'dates')::int;
    INSERT INTO ${schema}.observation (list, number, token, at, machine, person, entries, facts, pending_since, moves,
        contents, dates, forget_before)
      VALUES (h.id, (r->>'number')::bigint, (r->>'token')::uuid, (r->>'at')::bigint, p_self->>'machine',
        p_self->>'person', (r->>'entries')::int, r->'facts', nullif(r->'pendingSince', 'null'),
        substring(p_bytes FROM v_at FOR v_moves),
        substring(p_bytes FROM v_at + coalesce(v_moves, 0) FOR v_contents),
        substring(p_bytes FROM v_at + coalesce(v_moves, 0) + coalesce(v_contents, 0) FOR v_dates),
        (r->>'forgetBefore')::bigint);
    v_at := v_at + coalesce(v_moves, 0) + coalesce(v_contents, 0) + coalesce(v_dates, 0);
  END LOOP;
  v_last := p_rows->-1;
  UPDATE ${schema}.observation SET pending_since = NULL WHERE list = h.id AND number = h.number
    AND pending_since IS NOT NULL AND v_last->'pendingSince' <> 'null';
  UPDATE ${schema}.list SET number = (v_last->>'number')::bigint, token = (v_last->>'token')::uuid,
    observations = observations + coalesce((p_list->>'observations')::bigint, jsonb_array_length(p_rows)),
    first_at = least(first_at, (p_list->>'firstAt')::bigint),
    contents_after = CASE h.number WHEN 0 THEN (v_last->>'number')::bigint ELSE contents_after END WHERE id = h.id;
  DELETE FROM ${schema}.held_list WHERE list = h.id;
  INSERT INTO ${schema}.list_machine (list, machine) VALUES (h.id, p_self->>'machine')
    ON CONFLICT (list, machine) DO UPDATE SET last_at = clock_timestamp();
  RETURN jsonb_build_object('isAppended', true,
    'machines', (SELECT count(*) FROM ${schema}.list_machine WHERE list = h.id));
END $$;

-- Stores the list that waits to be confirmed. Returns false if another machine was faster.
CREATE FUNCTION ${schema}.hold_back(p_version int, p_keys int, p_self jsonb, p_list jsonb, r jsonb, p_bytes bytea)
RETURNS jsonb ${functionSettings} AS $$
DECLARE h ${schema}.list;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  h := ${schema}.lock_list(p_list->>'service', p_list->>'supplier');
  IF h.number <> (p_list->>'number')::bigint OR h.token IS DISTINCT FROM (p_list->>'token')::uuid THEN
    RETURN to_jsonb(false);
  END IF;
  DELETE FROM ${schema}.held_list WHERE list = h.id;
  INSERT INTO ${schema}.held_list (list, token, at, machine, person, entries, facts, pending_since, moves, contents)
    VALUES (h.id, (r->>'token')::uuid, (r->>'at')::bigint, p_self->>'machine', p_self->>'person', (r->>'entries')::int,
      r->'facts', nullif(r->'pendingSince', 'null'), substring(p_bytes FROM 1 FOR (r->>'moves')::int),
      substring(p_bytes FROM 1 + coalesce((r->>'moves')::int, 0) FOR (r->>'contents')::int));
  RETURN to_jsonb(true);
END $$;

-- Appends the list that waits to be confirmed, for all machines. Returns false if it is another one.
CREATE FUNCTION ${schema}.confirm_list(p_version int, p_keys int, p_self jsonb, p_list jsonb, p_token uuid)
RETURNS jsonb ${functionSettings} AS $$
DECLARE h ${schema}.list; w ${schema}.held_list;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  h := ${schema}.lock_list(p_list->>'service', p_list->>'supplier');
  SELECT * INTO w FROM ${schema}.held_list WHERE list = h.id AND token = p_token;
  IF NOT FOUND THEN RETURN to_jsonb(false); END IF;
  INSERT INTO ${schema}.observation (list, number, token, at, machine, person, entries, facts, pending_since, moves,
      contents)
    VALUES (h.id, h.number + 1, w.token, w.at, p_self->>'machine', p_self->>'person', w.entries, w.facts,
      w.pending_since, w.moves, w.contents);
  UPDATE ${schema}.observation SET pending_since = NULL WHERE list = h.id AND number = h.number;
  UPDATE ${schema}.list SET number = h.number + 1, token = w.token, observations = observations + 1 WHERE id = h.id;
  DELETE FROM ${schema}.held_list WHERE list = h.id;
  RETURN to_jsonb(true);
END $$;

-- Stores a part of a snapshot, which no machine reads before the snapshot is in use.
CREATE FUNCTION ${schema}.put_part(p_version int, p_keys int, p_list jsonb, p_snapshot uuid, p_part int, p_bytes bytea)
RETURNS jsonb ${functionSettings} AS $$
DECLARE h ${schema}.list;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  h := ${schema}.lock_list(p_list->>'service', p_list->>'supplier');
  INSERT INTO ${schema}.list_part (list, snapshot, part, bytes)
    VALUES (h.id, p_snapshot, p_part, p_bytes) ON CONFLICT DO NOTHING;
  RETURN to_jsonb(true);
END $$;

-- Returns true if a snapshot of the observation with this number is due, and no other machine is
-- publishing one.
CREATE FUNCTION ${schema}.begin_fold(p_version int, p_keys int, p_self jsonb, p_list jsonb) RETURNS jsonb
${functionSettings} AS $$
DECLARE h ${schema}.list; v_due boolean;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  h := ${schema}.lock_list(p_list->>'service', p_list->>'supplier');
  IF h.snapshot IS NULL OR h.fold_until > clock_timestamp() THEN RETURN to_jsonb(false); END IF;
  SELECT count(*) >= ${foldAfter} OR sum(entries) > greatest(4096, (p_list->>'rows')::bigint / 32)
      OR min(recorded_at) < clock_timestamp() - interval '1 day'
    INTO v_due FROM ${schema}.observation WHERE list = h.id AND number > h.snapshot_number
      AND number <= (p_list->>'number')::bigint;
  IF v_due IS NOT TRUE THEN RETURN to_jsonb(false); END IF;
  UPDATE ${schema}.list SET fold_by = p_self->>'machine',
    fold_until = clock_timestamp() + interval '${foldSeconds} seconds' WHERE id = h.id;
  RETURN to_jsonb(true);
END $$;

-- Makes a published snapshot the one from which machines begin. Returns false if it is not that of a
-- later observation, or not complete.
CREATE FUNCTION ${schema}.end_fold(p_version int, p_keys int, p_list jsonb, p_snapshot uuid, p_parts int)
RETURNS jsonb ${functionSettings} AS $$
DECLARE h ${schema}.list;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  h := ${schema}.lock_list(p_list->>'service', p_list->>'supplier');
  IF h.snapshot_number >= (p_list->>'number')::bigint OR NOT EXISTS (SELECT FROM ${schema}.observation
      WHERE list = h.id AND number = (p_list->>'number')::bigint AND token = (p_list->>'token')::uuid) THEN
    RETURN to_jsonb(false);
  END IF;
  RETURN to_jsonb(${schema}.use_snapshot(h, p_snapshot, p_parts, (p_list->>'number')::bigint));
END $$;

-- Removes changes that are past their retention: of older lists, one observation a day stays.
CREATE FUNCTION ${schema}.retain_lists() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM ${schema}.observation o USING ${schema}.list h WHERE h.id = o.list
    AND o.recorded_at < clock_timestamp() - interval '${changeDays} days' AND o.number < h.snapshot_number
    AND EXISTS (SELECT FROM ${schema}.observation n WHERE n.list = o.list AND n.number > o.number
      AND n.recorded_at::date = o.recorded_at::date);
  UPDATE ${schema}.list h SET contents_after = greatest(contents_after, (SELECT coalesce(max(number), 0)
    FROM ${schema}.observation o WHERE o.list = h.id AND number <= h.snapshot_number
      AND recorded_at < clock_timestamp() - interval '${changeDays} days'));
  UPDATE ${schema}.observation o SET moves = NULL, contents = NULL, dates = NULL FROM ${schema}.list h
    WHERE h.id = o.list AND o.recorded_at < clock_timestamp() - interval '${changeDays} days'
      AND o.number <= h.snapshot_number AND o.moves IS NOT NULL;
END $$;
`;

/** Returns the SQL that grants the rights. It comes after the revocation of all rights. */
export const listRights = ({ schema, team }: LedgerNames) => `
GRANT SELECT ON ${schema}.list, ${schema}.observation, ${schema}.held_list, ${schema}.list_part, ${schema}.list_machine
  TO ${team};
GRANT EXECUTE ON FUNCTION ${schema}.append, ${schema}.hold_back, ${schema}.confirm_list, ${schema}.put_part,
  ${schema}.begin_fold, ${schema}.end_fold TO ${team};
`;
