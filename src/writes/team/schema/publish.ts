/** The SQL functions with which a member publishes outcomes and closes an entry. */
import { functionSettings } from "./session.ts";
import type { LedgerNames } from "./tables.ts";

export const publishFunctions = ({ schema }: LedgerNames) => `
-- Returns true if the ledger takes an outcome for an entry that it has: confirmed stays confirmed, a
-- person's decision gives way to certainty only, and an older state folder proves nothing. The outcome of
-- a later claim is taken although that claim was barred or did not arrive, and bars it if it arrives late.
-- A folder that made an attempt which the ledger does not know is not older than the claim, and without
-- such an attempt its doubt does not replace an answer.
CREATE FUNCTION ${schema}.is_taken(e ${schema}.entry, o jsonb, p_is_behind boolean) RETURNS boolean
LANGUAGE sql AS $$
  SELECT (e.token = (o->>'token')::uuid
      OR ((o->>'claimNumber')::bigint > e.claim_number AND e.state <> 'sending' AND NOT p_is_behind))
    AND e.login = session_user AND e.sha256 = o->>'sha256' AND (o->>'attempts')::int >= e.attempts AND CASE e.state
      WHEN 'confirmed' THEN o->>'state' = 'confirmed'
      WHEN 'sending' THEN o->>'state' <> 'unsent' OR (o->>'attempts')::int > e.attempts OR NOT p_is_behind
      WHEN 'unknown' THEN o->>'state' <> 'unsent'
      WHEN 'closed' THEN o->>'state' IN ('confirmed', 'rejected', 'closed')
      ELSE o->>'state' <> 'unknown' OR (o->>'attempts')::int > e.attempts END;
$$;

-- Stores the items of an outcome of which the ledger does not have each one as live. A confirmed item stays
-- confirmed. The facts are stored although a colleague has sent the same item: then it was sent twice.
CREATE FUNCTION ${schema}.store_items(p_self jsonb, o jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE v_twice jsonb; v_id bigint := (o->>'id')::bigint;
BEGIN
  SELECT jsonb_agg(jsonb_build_object('position', (i->>'position')::int, 'entry', x.entry)) INTO v_twice
    FROM jsonb_array_elements(o->'items') i
    CROSS JOIN LATERAL (SELECT t.entry FROM ${schema}.item t WHERE t.key = i->>'key' AND t.service = o->>'service'
      AND t.entry <> v_id AND t.state IS NOT NULL AND NOT t.recognized AND NOT t.passed LIMIT 1) x
    WHERE i->>'state' IS NOT NULL AND NOT (i->>'isRecognized')::boolean AND NOT EXISTS (SELECT FROM ${schema}.item t
      WHERE t.entry = v_id AND t.position = (i->>'position')::int AND t.passed);
  INSERT INTO ${schema}.item (entry, position, service, key, name, recognized, passed, state, blocked)
    SELECT v_id, (i->>'position')::int, o->>'service', i->>'key', i->>'name', (i->>'isRecognized')::boolean,
      EXISTS (SELECT FROM jsonb_array_elements(coalesce(v_twice, '[]')) w
        WHERE (w->>'position')::int = (i->>'position')::int), i->>'state', (i->>'isBlocked')::boolean
    FROM jsonb_array_elements(o->'items') i
    ON CONFLICT (entry, position) DO UPDATE SET blocked = excluded.blocked, passed = item.passed OR excluded.passed,
      state = CASE item.state WHEN 'confirmed' THEN item.state ELSE excluded.state END;
  IF v_twice IS NOT NULL THEN
    INSERT INTO ${schema}.event (entry, person, machine, kind, facts)
      VALUES (v_id, p_self->>'person', p_self->>'machine', 'twice', v_twice);
  END IF;
END $$;

-- Adds the entries of outcomes that the ledger does not have: they were given up before their claims arrived,
-- or were lost with a restored ledger. Their rows bar late claims. Returns their outcomes.
CREATE FUNCTION ${schema}.add_missing(p_self jsonb, p_outcomes jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE v_self uuid := (p_self->>'journal')::uuid; v_missing jsonb;
BEGIN
  SELECT coalesce(jsonb_agg(o ORDER BY n), '[]') INTO v_missing
    FROM jsonb_array_elements(p_outcomes) WITH ORDINALITY AS each(o, n) WHERE NOT EXISTS (
      SELECT FROM ${schema}.entry e WHERE e.journal = v_self AND e.local_id = (o->>'localId')::bigint);
  INSERT INTO ${schema}.entry (journal, local_id, token, claim_number, service, profile, operation, moves_money,
      import_supplier, external_account_number, external_identifier, run, line, machine, person, sha256, recorded_at,
      lease_until, state)
    SELECT v_self, (o->>'localId')::bigint, (o->>'token')::uuid, (o->>'claimNumber')::bigint, o->>'service',
      o->>'profile', o->>'operation', (o->>'movesMoney')::boolean, o->>'importSupplier', o->>'externalAccountNumber',
      o->>'externalIdentifier', o->>'run', (o->>'line')::int, p_self->>'machine', p_self->>'person', o->>'sha256',
      to_timestamp((o->>'recordedAt')::float8 / 1000), clock_timestamp(), o->>'state'
    FROM jsonb_array_elements(v_missing) o;
  RETURN v_missing;
END $$;

-- Stores outcomes of entries that the ledger has, whose accounts are locked, and frees the accounts. Returns
-- those that it takes, each with the ID of its entry. They are stored together, because a statement costs more
-- than its rows.
CREATE FUNCTION ${schema}.store_outcomes(p_self jsonb, p_outcomes jsonb, p_is_behind boolean) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE v_self uuid := (p_self->>'journal')::uuid; v_taken jsonb; v_stored int; v_items int;
BEGIN
  WITH judged AS MATERIALIZED (
    SELECT o, e.id FROM jsonb_array_elements(p_outcomes) o CROSS JOIN LATERAL (
      SELECT * FROM ${schema}.entry WHERE journal = v_self AND local_id = (o->>'localId')::bigint FOR UPDATE) e
    WHERE ${schema}.is_taken(e, o, p_is_behind)),
  taken AS (
    UPDATE ${schema}.entry e SET token = (o->>'token')::uuid, claim_number = (o->>'claimNumber')::bigint,
        state = o->>'state', reason = o->>'reason', doubt = o->>'doubt',
        took_effect = CASE o->>'state' WHEN 'closed' THEN coalesce(o->>'tookEffect', e.took_effect, 'unknown') END,
        http_status = (o->>'httpStatus')::int, code = o->>'code', attempts = (o->>'attempts')::int,
        settled_at = clock_timestamp(), changed = pg_current_xact_id()
      FROM judged WHERE e.id = judged.id
      RETURNING e.id, o),
  live AS (
    -- An item that is live is the only one of its key, so no other is asked for.
    UPDATE ${schema}.item t SET blocked = (i->>'isBlocked')::boolean,
        state = CASE t.state WHEN 'confirmed' THEN t.state ELSE i->>'state' END
      FROM taken CROSS JOIN LATERAL jsonb_array_elements(taken.o->'items') i
      WHERE t.entry = taken.id AND t.position = (i->>'position')::int AND (t.state IS NOT NULL OR i->>'state' IS NULL)
      RETURNING 1),
  freed AS (DELETE FROM ${schema}.account_lock k USING taken WHERE k.entry = taken.id)
  SELECT coalesce(jsonb_agg(o || jsonb_build_object('id', id) ORDER BY id), '[]'),
      coalesce(sum(jsonb_array_length(o->'items')), 0), (SELECT count(*) FROM live)
    INTO v_taken, v_items, v_stored FROM taken;
  IF v_stored < v_items THEN
    PERFORM ${schema}.store_items(p_self, o) FROM jsonb_array_elements(v_taken) o;
  END IF;
  -- Certainly nothing took effect, so the approval of such an entry is not used.
  IF v_taken @? '$[*] ? (@.state == "unsent" || @.state == "retryable")' THEN
    PERFORM ${schema}.use_rows(v_self, (o->>'localId')::bigint, NULL) FROM jsonb_array_elements(v_taken) o
      WHERE o->>'state' = 'unsent' OR (o->>'state' = 'retryable' AND o->>'doubt' = 'none');
  END IF;
  RETURN v_taken;
END $$;

-- Publishes outcomes. Returns the local IDs of those that the ledger did not take.
CREATE FUNCTION ${schema}.publish(p_version int, p_keys int, p_self jsonb, p_outcomes jsonb) RETURNS jsonb
${functionSettings} AS $$
DECLARE l ${schema}.ledger; j ${schema}.journal; v_is_behind boolean; v_taken jsonb := '[]'; v_refused jsonb := '[]';
BEGIN
  l := ${schema}.check_session(p_version, p_keys);
  j := ${schema}.contact(p_self);
  PERFORM ${schema}.check_restored(p_self, l);
  v_is_behind := (p_self->>'seq')::bigint < j.seq;
  IF p_outcomes <> '[]' THEN
    PERFORM ${schema}.lock_accounts(l.id, p_outcomes);
    v_taken := ${schema}.store_outcomes(p_self, p_outcomes, v_is_behind);
  END IF;
  IF jsonb_array_length(v_taken) < jsonb_array_length(p_outcomes) THEN
    v_taken := v_taken || ${schema}.store_outcomes(p_self, ${schema}.add_missing(p_self, p_outcomes), v_is_behind);
    SELECT coalesce(jsonb_agg(o->'localId'), '[]') INTO v_refused FROM jsonb_array_elements(p_outcomes) o
      WHERE NOT v_taken @> jsonb_build_array(jsonb_build_object('localId', o->'localId'));
  END IF;
  IF j.owes AND (p_self->>'isComplete')::boolean THEN
    -- A folder that has not seen the restore does not know what it owes.
    UPDATE ${schema}.journal SET owes = false
      WHERE id = j.id AND (p_self->>'epoch')::uuid = (SELECT epoch FROM ${schema}.ledger);
    IF FOUND THEN PERFORM ${schema}.end_repair(p_self->>'person', p_self->>'machine'); END IF;
  END IF;
  RETURN jsonb_build_object('refused', v_refused, 'epoch', (SELECT epoch FROM ${schema}.ledger),
    'newest', coalesce((SELECT max(id) FROM ${schema}.entry), 0));
END $$;

-- Closes an entry whose outcome is open, with a reason. p_act is 'closed' for a person's decision, and
-- 'verified' if the service showed the effect. Returns the entry if it is not open.
CREATE FUNCTION ${schema}.close(p_version int, p_keys int, p_self jsonb, p_entry bigint, p_reason text,
  p_took_effect text, p_act text)
RETURNS jsonb ${functionSettings} AS $$
DECLARE l ${schema}.ledger; e ${schema}.entry;
BEGIN
  l := ${schema}.check_session(p_version, p_keys);
  PERFORM ${schema}.contact(p_self);
  SELECT * INTO e FROM ${schema}.entry WHERE id = p_entry FOR UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('kind', 'not-found'); END IF;
  IF NOT (e.state IN ('unknown', 'retryable') OR (e.state = 'sending' AND e.lease_until < clock_timestamp())) THEN
    RETURN jsonb_build_object('kind', 'not-open', 'entry', ${schema}.named(e));
  END IF;
  UPDATE ${schema}.entry SET state = 'closed', took_effect = p_took_effect, reason = 'closed-by-operator',
    settled_at = clock_timestamp(), changed = pg_current_xact_id() WHERE id = e.id;
  UPDATE ${schema}.item SET state = CASE p_took_effect WHEN 'yes' THEN 'confirmed' WHEN 'unknown' THEN 'closed' END
    WHERE entry = e.id AND state IS NOT NULL AND state <> 'confirmed';
  DELETE FROM ${schema}.account_lock WHERE entry = e.id;
  INSERT INTO ${schema}.event (entry, person, machine, kind, reason, facts) VALUES (e.id, p_self->>'person',
    p_self->>'machine', CASE p_act WHEN 'verified' THEN 'verified' ELSE 'closed' END, p_reason,
    jsonb_build_object('tookEffect', p_took_effect));
  RETURN jsonb_build_object('kind', 'closed');
END $$;

-- Stores that a person took the team from the profile of this state folder at a time (epoch milliseconds by
-- its clock): it sends without claims until it claims again.
CREATE FUNCTION ${schema}.leave(p_version int, p_keys int, p_self jsonb, p_service text, p_at float8) RETURNS jsonb
${functionSettings} AS $$
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  PERFORM ${schema}.contact(p_self);
  UPDATE ${schema}.journal SET left_at = to_timestamp(p_at / 1000) WHERE id = (p_self->>'journal')::uuid;
  INSERT INTO ${schema}.event (person, machine, kind, facts) VALUES (p_self->>'person', p_self->>'machine', 'left',
    jsonb_build_object('journal', p_self->>'journal', 'service', p_service, 'at', p_at));
  RETURN 'true';
END $$;
`;
