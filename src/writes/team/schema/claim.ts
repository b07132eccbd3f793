/** The SQL functions with which a member claims entries before they are sent, and renews a claim. */
import { claimGoodMs } from "../ledger.ts";
import { functionSettings } from "./session.ts";
import type { LedgerNames } from "./tables.ts";

const goodForSeconds = claimGoodMs / 1_000;

/** Minutes after which other entries of the account need not wait for an entry that is being sent. */
const leaseMinutes = 3;

const earlierPerItem = 20;

export const claimFunctions = ({ schema }: LedgerNames) => `
-- Returns the earlier entries of the items of a claim. An item is judged by its head, the first entry
-- that no override passes: an effect before a refusal, doubt before certainty, the latest first. Heads
-- come first, the most severe first, as in the journal's guard.
CREATE FUNCTION ${schema}.findings(c jsonb, p_journal uuid, p_except bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  -- Most items are new, which a short question shows.
  IF NOT EXISTS (SELECT FROM jsonb_array_elements(c->'items') i CROSS JOIN LATERAL (
      SELECT FROM ${schema}.item t WHERE t.key = i->>'key' AND t.service = c->>'service'
        AND t.entry IS DISTINCT FROM p_except LIMIT 1) t) THEN
    RETURN '[]';
  END IF;
  RETURN (SELECT coalesce(jsonb_agg(jsonb_build_object('position', h.position, 'kind', h.kind, 'state', h.state,
      'earlier', h.earlier, 'isPassed', h.passed, 'isHead', h.head)
    ORDER BY h.head DESC, CASE h.kind WHEN 'sent-before' THEN 4 WHEN 'refused-before' THEN 3 ELSE 1 END
      + CASE WHEN h.kind <> 'refused-before' AND h.state <> 'confirmed' THEN 1 ELSE 0 END DESC,
      h.position, h.rank), '[]')
  FROM (
    SELECT g.*, NOT g.passed AND row_number() OVER (PARTITION BY g.position ORDER BY g.passed, g.rank) = 1 AS head
    FROM (
      SELECT k.*, ${schema}.named(b) AS earlier, EXISTS (
          SELECT FROM jsonb_array_elements(coalesce(c->'override'->'passes', '[]')) p
          WHERE p->>'key' = k.key AND p->>'kind' = k.kind AND CASE p->'entry'->>'of'
            WHEN 'ledger' THEN (p->'entry'->>'id')::bigint = b.id
            ELSE b.journal = p_journal AND (p->'entry'->>'id')::bigint = b.local_id END) AS passed
      FROM (
        SELECT i.ordinality - 1 AS position, i.value->>'key' AS key, x.entry, x.state, x.rank,
          CASE WHEN x.refused THEN 'refused-before' WHEN (i.value->>'isRecognized')::boolean THEN 'reported'
            ELSE 'sent-before' END AS kind
        FROM jsonb_array_elements(c->'items') WITH ORDINALITY i
        CROSS JOIN LATERAL (
          SELECT r.*, row_number() OVER (ORDER BY r.refused, r.confirmed NULLS FIRST, r.entry DESC) AS rank FROM (
            SELECT t.entry, t.state, t.state = 'confirmed' AS confirmed,
              t.blocked AND t.state IS DISTINCT FROM 'confirmed' AS refused
            FROM ${schema}.item t
            WHERE t.key = i.value->>'key' AND t.service = c->>'service' AND t.entry IS DISTINCT FROM p_except
              AND (t.state IS NOT NULL OR t.blocked)
            ORDER BY refused, confirmed NULLS FIRST, t.entry DESC LIMIT ${earlierPerItem}) r) x) k
      JOIN ${schema}.entry b ON b.id = k.entry) g) h);
END $$;

-- Returns the reason why this state folder must not send an entry that the ledger knows, or null.
CREATE FUNCTION ${schema}.known_bar(e ${schema}.entry, c jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE
    -- The state folder was copied, or was restored and then used.
    WHEN e.sha256 <> c->>'sha256' OR e.recorded_at <> to_timestamp((c->>'recordedAt')::float8 / 1000) THEN 'copied'
    WHEN e.token = (c->>'token')::uuid THEN CASE
      WHEN e.state = 'sending' AND e.claimed_at > clock_timestamp() - interval '${goodForSeconds} seconds' THEN NULL
      ELSE 'given-up' END
    -- The state folder is older than its own claims, so it proves nothing.
    WHEN e.state IN ('confirmed', 'closed', 'sending') OR e.attempts > (c->>'attempts')::int THEN 'recorded'
  END;
END $$;

-- Stores claims that are granted, each with its findings, and returns the IDs of their entries by the
-- IDs of the journal. They are of different accounts.
CREATE FUNCTION ${schema}.store_claims(p_self jsonb, p_granted jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE v_ids jsonb; v_now timestamptz := clock_timestamp();
BEGIN
  WITH stored AS (
    INSERT INTO ${schema}.entry AS o (journal, local_id, token, claim_number, service, profile, operation, moves_money,
        import_supplier, external_account_number, external_identifier, run, line, machine, person, sha256,
        recorded_at, claimed_at, lease_until, state, attempts)
      SELECT (p_self->>'journal')::uuid, (c->>'localId')::bigint, (c->>'token')::uuid, (c->>'claimNumber')::bigint, c->>'service',
        c->>'profile', c->>'operation', (c->>'movesMoney')::boolean, c->>'importSupplier', c->>'externalAccountNumber',
        c->>'externalIdentifier', c->>'run', (c->>'line')::int, p_self->>'machine', p_self->>'person', c->>'sha256',
        to_timestamp((c->>'recordedAt')::float8 / 1000), v_now, v_now + interval '${leaseMinutes} minutes',
        'sending', (c->>'attempts')::int
      FROM jsonb_array_elements(p_granted) c
      ON CONFLICT (journal, local_id) DO UPDATE SET token = excluded.token,
        claim_number = excluded.claim_number, state = 'sending', claimed_at = v_now,
        lease_until = excluded.lease_until, machine = excluded.machine, person = excluded.person,
        login = session_user, attempts = excluded.attempts, settled_at = NULL, reason = NULL,
        changed = pg_current_xact_id()
      RETURNING o.local_id, o.id),
  ids AS (SELECT jsonb_object_agg(local_id, id) AS v FROM stored),
  items AS (
    INSERT INTO ${schema}.item (entry, position, service, key, name, recognized, passed, state)
      SELECT (ids.v->>(c->>'localId'))::bigint, i.ordinality - 1, c->>'service', i.value->>'key', i.value->>'name',
        (i.value->>'isRecognized')::boolean, EXISTS (SELECT FROM jsonb_array_elements(c->'findings') f
          WHERE (f->>'position')::int = i.ordinality - 1 AND (f->>'isPassed')::boolean), 'sending'
      FROM ids, jsonb_array_elements(p_granted) c, jsonb_array_elements(c->'items') WITH ORDINALITY i
      ON CONFLICT (entry, position) DO UPDATE SET passed = item.passed OR excluded.passed,
        state = CASE item.state WHEN 'confirmed' THEN item.state ELSE 'sending' END),
  locks AS (
    INSERT INTO ${schema}.account_lock (service, account, entry)
      SELECT c->>'service', c->>'account', (ids.v->>(c->>'localId'))::bigint
      FROM ids, jsonb_array_elements(p_granted) c
      ON CONFLICT (service, account) DO UPDATE SET entry = excluded.entry)
  SELECT v INTO v_ids FROM ids;
  IF jsonb_path_exists(p_granted, '$[*].findings[*] ? (@.isPassed == true)') THEN
    INSERT INTO ${schema}.event (entry, person, machine, kind, reason, facts)
      SELECT (v_ids->>(c->>'localId'))::bigint, p_self->>'person', p_self->>'machine', 'override',
        c->'override'->>'reason', c->'findings'
      FROM jsonb_array_elements(p_granted) c
      WHERE jsonb_path_exists(c, '$.findings[*] ? (@.isPassed == true)');
  END IF;
  RETURN v_ids;
END $$;

-- Decides one claim, whose account is locked. A claim that is granted has no ID yet, unless it was
-- granted before.
CREATE FUNCTION ${schema}.decide_claim(p_self jsonb, c jsonb, p_restored boolean) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE e ${schema}.entry; o ${schema}.entry; v_bar text; v_findings jsonb; v_approval jsonb;
  v_self uuid := (p_self->>'journal')::uuid;
BEGIN
  SELECT * INTO e FROM ${schema}.entry WHERE journal = v_self AND local_id = (c->>'localId')::bigint FOR UPDATE;
  IF FOUND THEN
    v_bar := ${schema}.known_bar(e, c);
    IF v_bar IS NOT NULL THEN
      RETURN jsonb_build_object('kind', 'barred', 'why', v_bar, 'findings', '[]'::jsonb, 'entry', ${schema}.named(e));
    END IF;
    IF e.token = (c->>'token')::uuid THEN
      RETURN jsonb_build_object('kind', 'claimed', 'id', e.id, 'findings', '[]'::jsonb);
    END IF;
  END IF;
  IF p_restored AND EXISTS (SELECT FROM jsonb_array_elements(c->'items') i WHERE NOT (i->>'isRecognized')::boolean) THEN
    RETURN jsonb_build_object('kind', 'barred', 'why', 'restored', 'findings', '[]'::jsonb, 'entry', NULL);
  END IF;
  v_findings := ${schema}.findings(c, v_self, e.id);
  IF v_findings <> '[]' THEN
    SELECT f->>'kind' INTO v_bar FROM jsonb_array_elements(v_findings) WITH ORDINALITY x(f, n)
      WHERE f->>'kind' <> 'reported' AND (f->>'isHead')::boolean ORDER BY n LIMIT 1;
  END IF;
  IF v_bar IS NOT NULL THEN
    RETURN jsonb_build_object('kind', 'barred', 'why', v_bar, 'findings', v_findings, 'entry', NULL);
  END IF;
  v_approval := ${schema}.approval_bar(v_self, c);
  IF v_approval IS NOT NULL THEN
    RETURN jsonb_build_object('kind', 'barred', 'why', 'unapproved', 'findings', v_findings, 'entry', NULL,
      'approval', v_approval);
  END IF;
  -- The account comes after the guard: an entry with the same item is reported at once.
  SELECT b.* INTO o FROM ${schema}.account_lock k JOIN ${schema}.entry b ON b.id = k.entry
    WHERE k.service = c->>'service' AND k.account = c->>'account' AND b.id IS DISTINCT FROM e.id
      AND b.lease_until > clock_timestamp();
  IF FOUND THEN
    RETURN jsonb_build_object('kind', 'busy', 'entry', ${schema}.named(o));
  END IF;
  PERFORM ${schema}.use_rows(v_self, (c->>'localId')::bigint, clock_timestamp());
  RETURN jsonb_build_object('kind', 'claimed', 'findings', v_findings);
END $$;

-- Claims entries. Answers in any order, each with its token. Claims of different accounts are decided and
-- stored together, because a statement costs more than its rows. A claim of the same account as an earlier
-- one is decided after that is stored.
CREATE FUNCTION ${schema}.claim(p_version int, p_keys int, p_self jsonb, p_claims jsonb) RETURNS jsonb
${functionSettings} AS $$
DECLARE l ${schema}.ledger; j ${schema}.journal; c jsonb; a jsonb; v_restored boolean; v_answers jsonb := '[]';
  v_granted jsonb; v_known jsonb; v_ids jsonb; v_left jsonb := p_claims; v_self uuid := (p_self->>'journal')::uuid;
BEGIN
  l := ${schema}.check_session(p_version, p_keys);
  j := ${schema}.contact(p_self);
  v_restored := ${schema}.check_restored(p_self, l);
  IF j.left_at IS NOT NULL THEN
    UPDATE ${schema}.journal SET left_at = NULL WHERE id = j.id;
  END IF;
  INSERT INTO ${schema}.run AS r (journal, run, service, profile, operation, requests, machine, person)
    SELECT DISTINCT ON (value->>'run') v_self, value->>'run', value->>'service', value->>'profile',
      value->>'operation', (value->>'runRequests')::int, p_self->>'machine', p_self->>'person'
    FROM jsonb_array_elements(p_claims) WHERE value->>'run' IS NOT NULL
    ON CONFLICT (journal, run) DO UPDATE SET last_at = clock_timestamp(),
      requests = coalesce(excluded.requests, r.requests), machine = excluded.machine, person = excluded.person, login = session_user;
  PERFORM ${schema}.lock_accounts(l.id, p_claims);
  WHILE v_left <> '[]' LOOP
    -- What the ledger knows nothing about is granted. The others are decided one by one.
    SELECT coalesce(jsonb_agg(claim || '{"findings": []}') FILTER (WHERE n = 1 AND is_new), '[]'),
        coalesce(jsonb_agg(claim) FILTER (WHERE n = 1 AND NOT is_new), '[]'),
        coalesce(jsonb_agg(claim) FILTER (WHERE n > 1), '[]')
      INTO v_granted, v_known, v_left FROM (
        SELECT claim, row_number() OVER (PARTITION BY claim->>'service', claim->>'account' ORDER BY place) AS n,
          -- Each question is asked with an index. EXISTS could be answered from a table that was read as a whole.
          NOT v_restored AND coalesce(
            (SELECT false FROM ${schema}.entry e
              WHERE e.journal = v_self AND e.local_id = (claim->>'localId')::bigint LIMIT 1),
            (SELECT false FROM jsonb_array_elements(claim->'items') i CROSS JOIN LATERAL (
              SELECT FROM ${schema}.item t WHERE t.key = i->>'key' AND t.service = claim->>'service' LIMIT 1) t LIMIT 1),
            (SELECT false FROM ${schema}.account_lock k
              WHERE k.service = claim->>'service' AND k.account = claim->>'account' LIMIT 1),
            (SELECT false FROM ${schema}.policy p WHERE p.service = claim->>'service' LIMIT 1),
            (SELECT false FROM ${schema}.approval_row r
              WHERE r.journal = v_self AND r.local_id = (claim->>'localId')::bigint LIMIT 1), true) AS is_new
        FROM jsonb_array_elements(v_left) WITH ORDINALITY AS each(claim, place)) judged;
    FOR c IN SELECT value FROM jsonb_array_elements(v_known) LOOP
      a := ${schema}.decide_claim(p_self, c, v_restored) || jsonb_build_object('token', c->>'token');
      IF a->>'kind' = 'claimed' AND a->'id' IS NULL THEN
        v_granted := v_granted || (c || jsonb_build_object('findings', a->'findings'));
      ELSE
        v_answers := v_answers || a;
      END IF;
    END LOOP;
    IF v_granted <> '[]' THEN
      v_ids := ${schema}.store_claims(p_self, v_granted);
      SELECT v_answers || jsonb_agg(jsonb_build_object('kind', 'claimed', 'id', v_ids->(value->>'localId'),
          'findings', value->'findings', 'token', value->>'token'))
        INTO v_answers FROM jsonb_array_elements(v_granted);
    END IF;
  END LOOP;
  RETURN jsonb_build_object('answers', v_answers, 'epoch', (SELECT epoch FROM ${schema}.ledger),
    'newest', coalesce((SELECT max(id) FROM ${schema}.entry), 0));
END $$;

-- Returns the findings of each question, in order. Nothing is locked or stored.
CREATE FUNCTION ${schema}.ask(p_version int, p_keys int, p_self jsonb, p_questions jsonb) RETURNS jsonb
${functionSettings} AS $$
DECLARE v_self uuid := (p_self->>'journal')::uuid;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  RETURN (SELECT coalesce(jsonb_agg(${schema}.findings(q.value, v_self,
      (SELECT id FROM ${schema}.entry WHERE journal = v_self AND local_id = (q.value->>'localId')::bigint))
      ORDER BY q.ordinality), '[]')
    FROM jsonb_array_elements(p_questions) WITH ORDINALITY q);
END $$;

-- Extends the leases of entries that are being sent, and stores their attempts so far. Returns the
-- tokens of those that still have their account.
CREATE FUNCTION ${schema}.renew(p_version int, p_keys int, p_tokens jsonb) RETURNS jsonb
${functionSettings} AS $$
DECLARE v_out jsonb;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  WITH renewed AS (
    UPDATE ${schema}.entry e SET lease_until = clock_timestamp() + interval '${leaseMinutes} minutes',
        attempts = greatest(e.attempts, t.attempts)
      FROM ${schema}.account_lock k, jsonb_to_recordset(p_tokens) AS t(journal uuid, "localId" bigint, token uuid, attempts int)
      WHERE e.journal = t.journal AND e.local_id = t."localId" AND e.token = t.token AND k.entry = e.id
        AND e.state = 'sending' AND e.login = session_user
      RETURNING e.token)
  SELECT coalesce(jsonb_agg(token), '[]') INTO v_out FROM renewed;
  RETURN v_out;
END $$;
`;
