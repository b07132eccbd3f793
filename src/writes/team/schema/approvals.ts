/**
 * The tables and SQL functions for two people: the policy of a service, the requests that one person
 * publishes, and the approvals of another, without which `claim` lets no money through.
 */
import { functionSettings } from "./session.ts";
import { type LedgerNames, ms } from "./tables.ts";

/** Hours after which a request, approved or not, allows nothing. */
const requestHours = 24;

/** Days after which a request and its rows are removed, as entries are. */
const requestRetentionDays = 730;

/** Returns SQL for the facts of a request: the arguments of json_build_object. */
export const approvalFacts = (schema: string, a: string) =>
  `'id', ${a}.id, 'operation', ${a}.operation, 'profile', ${a}.profile, 'run', ${a}.run, 'source', ${a}.source,
    'reading', ${a}.reading, 'rows', ${a}.row_count, 'sum', ${a}.sum::text, 'suppliers', to_jsonb(${a}.suppliers),
    'overrides', ${a}.overrides, 'chain', coalesce(${a}.chain, ''), 'left', ${schema}.rows_left(${a}.id),
    'journal', ${a}.journal, 'person', ${a}.person, 'machine', ${a}.machine, 'login', ${a}.login,
    'isMine', ${a}.login = session_user, 'at', ${ms(`${a}.at`)},
    'expiresAt', ${ms(`${a}.expires_at`)}, 'standing', ${schema}.standing(${a}),
    'decidedBy', ${a}.decided_by, 'decider', ${a}.decider, 'reason', ${a}.reason,
    'decidedAt', ${ms(`${a}.decided_at`)}`;

/** Returns SQL for the policy of the service of the first parameter. */
export const policyOf = (schema: string) =>
  `coalesce((SELECT four_eyes FROM ${schema}.policy WHERE service = $1), 'none')`;

/** Returns the SQL that creates the tables. */
export const approvalTables = ({ schema }: LedgerNames) => `
-- A service without a row has no policy.
CREATE TABLE ${schema}.policy (
  service text PRIMARY KEY,
  four_eyes text NOT NULL CHECK (four_eyes IN ('money')),
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A request is published in several calls. Until the last one it is in preparation, and no one sees it.
CREATE TABLE ${schema}.approval (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token uuid NOT NULL UNIQUE,
  journal uuid NOT NULL,
  service text NOT NULL,
  profile text NOT NULL,
  operation text NOT NULL,
  run text,
  source text,
  reading jsonb,
  chain text,
  row_count int NOT NULL DEFAULT 0,
  sum numeric,
  suppliers text[] NOT NULL DEFAULT '{}',
  overrides int NOT NULL DEFAULT 0,
  machine text NOT NULL,
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL DEFAULT clock_timestamp() + interval '${requestHours} hours',
  state text NOT NULL DEFAULT 'preparing' CHECK (state IN ('preparing', 'waits', 'approved', 'refused')),
  decided_by name,
  decider text,
  decided_at timestamptz,
  reason text,
  changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CHECK (state <> 'approved' OR decided_by <> login)
);
CREATE INDEX approval_service ON ${schema}.approval (service, id);
CREATE INDEX approval_changed ON ${schema}.approval (service, changed);
CREATE INDEX approval_run ON ${schema}.approval (journal, run, id);
CREATE INDEX approval_at ON ${schema}.approval (at);

-- One row per item. The rows of one entry have one content: the hash of its exact bytes. again is the
-- override of the entry, or null. used_at is the time of the claim that used the row.
CREATE TABLE ${schema}.approval_row (
  approval bigint NOT NULL REFERENCES ${schema}.approval,
  position int NOT NULL,
  journal uuid NOT NULL,
  local_id bigint NOT NULL,
  line int,
  content text NOT NULL,
  import_supplier text,
  external_account_number text,
  amount text,
  reference text,
  day text,
  item_id text,
  again jsonb,
  used_at timestamptz,
  PRIMARY KEY (approval, position)
);
CREATE INDEX approval_row_entry ON ${schema}.approval_row (journal, local_id, approval);
CREATE INDEX approval_row_left ON ${schema}.approval_row (approval) WHERE used_at IS NULL;
`;

/** Returns the SQL of the functions. */
export const approvalFunctions = ({ schema, ci }: LedgerNames) => `
-- Returns the number of rows that no claim has used.
CREATE FUNCTION ${schema}.rows_left(p_id bigint) RETURNS int
LANGUAGE sql STABLE AS $$
  SELECT count(*)::int FROM ${schema}.approval_row WHERE approval = p_id AND used_at IS NULL;
$$;

-- Returns the standing of a request. An hour that is over counts before a missing decision.
CREATE FUNCTION ${schema}.standing(a ${schema}.approval) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE
    WHEN a.state = 'refused' THEN 'refused'
    WHEN a.state = 'approved' AND ${schema}.rows_left(a.id) = 0 THEN 'used'
    WHEN a.expires_at <= clock_timestamp() THEN 'expired'
    ELSE a.state END;
END $$;

-- Publishes a part of a request: the rows of some entries of the caller's state folder. The last part
-- counts the rows, so that the facts which a person approves are those of the rows. Returns the request.
CREATE FUNCTION ${schema}.request(p_version int, p_keys int, p_self jsonb, p_request jsonb, p_rows jsonb) RETURNS jsonb
${functionSettings} AS $$
DECLARE a ${schema}.approval;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  PERFORM ${schema}.contact(p_self);
  SELECT * INTO a FROM ${schema}.approval WHERE token = (p_request->>'token')::uuid FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO ${schema}.approval (token, journal, service, profile, operation, run, source, reading, machine, person)
      VALUES ((p_request->>'token')::uuid, (p_self->>'journal')::uuid, p_request->>'service', p_request->>'profile',
        p_request->>'operation', p_request->>'run', p_request->>'source', NULLIF(p_request->'reading', 'null'),
        p_self->>'machine', p_self->>'person')
      RETURNING * INTO a;
  END IF;
  -- A repeated call whose answer was lost adds nothing, and no other login or folder adds a row.
  IF a.state = 'preparing' AND a.login = session_user AND a.journal = (p_self->>'journal')::uuid THEN
    INSERT INTO ${schema}.approval_row (approval, position, journal, local_id, line, content, import_supplier,
        external_account_number, amount, reference, day, item_id, again)
      SELECT a.id, (r->>'position')::int, a.journal, (r->>'localId')::bigint, (r->>'line')::int, r->>'content',
        r->>'importSupplier', r->>'externalAccountNumber', r->>'amount', r->>'reference', r->>'day', r->>'itemId',
        NULLIF(r->'again', 'null')
      FROM jsonb_array_elements(p_rows) r
      ON CONFLICT (approval, position) DO NOTHING;
    IF (p_request->>'isComplete')::boolean THEN
      UPDATE ${schema}.approval SET state = 'waits', chain = p_request->>'chain', at = clock_timestamp(),
          changed = pg_current_xact_id(),
          expires_at = clock_timestamp() + interval '${requestHours} hours', row_count = t.rows, sum = t.sum,
          suppliers = t.suppliers, overrides = t.overrides
        FROM (SELECT count(*)::int AS rows, sum(r.amount::numeric) AS sum, count(r.again)::int AS overrides,
            array_agg(DISTINCT r.import_supplier) FILTER (WHERE r.import_supplier IS NOT NULL) AS suppliers
          FROM ${schema}.approval_row r WHERE r.approval = a.id) t
        WHERE id = a.id AND t.rows > 0
        RETURNING approval.* INTO a;
      IF NOT FOUND THEN RAISE EXCEPTION 'a request without rows'; END IF;
      INSERT INTO ${schema}.event (person, machine, kind, facts) VALUES (p_self->>'person', p_self->>'machine',
        'requested', jsonb_build_object('approval', a.id, 'rows', a.row_count, 'sum', a.sum::text, 'chain', a.chain));
    END IF;
  END IF;
  RETURN jsonb_build_object(${approvalFacts(schema, "a")});
END $$;

-- Approves or refuses a request. The approval is of another login than the request, which is no login
-- of CI, and names the number of rows and the sum. Whoever sees a request may refuse it.
CREATE FUNCTION ${schema}.decide(p_version int, p_keys int, p_self jsonb, p_service text, p_id bigint, p_decision jsonb)
RETURNS jsonb ${functionSettings} AS $$
DECLARE a ${schema}.approval; v_now text; v_approves boolean := p_decision->>'kind' = 'approve'; v_kind text;
BEGIN
  PERFORM ${schema}.check_session(p_version, p_keys);
  PERFORM ${schema}.contact(p_self);
  SELECT * INTO a FROM ${schema}.approval
    WHERE id = p_id AND service = p_service AND state <> 'preparing' FOR UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('kind', 'not-found'); END IF;
  v_now := ${schema}.standing(a);
  v_kind := CASE
    WHEN v_now <> 'waits' AND (v_approves OR v_now <> 'approved') THEN 'not-open'
    WHEN NOT v_approves THEN NULL
    WHEN pg_has_role(session_user, '${ci.slice(1, -1)}', 'MEMBER') THEN 'ci'
    WHEN a.login = session_user THEN 'own'
    WHEN (p_decision->>'rows')::int IS DISTINCT FROM a.row_count
      OR (p_decision->>'sum')::numeric IS DISTINCT FROM a.sum THEN 'other-amounts' END;
  IF v_kind IS NULL THEN
    v_kind := CASE WHEN v_approves THEN 'approved' ELSE 'refused' END;
    UPDATE ${schema}.approval SET state = v_kind, decided_by = session_user, decider = p_self->>'person',
      decided_at = clock_timestamp(), reason = p_decision->>'reason', changed = pg_current_xact_id()
      WHERE id = a.id RETURNING * INTO a;
    INSERT INTO ${schema}.event (person, machine, kind, reason, facts) VALUES (p_self->>'person',
      p_self->>'machine', v_kind, p_decision->>'reason',
      jsonb_build_object('approval', a.id, 'rows', a.row_count, 'sum', a.sum::text, 'chain', a.chain));
  END IF;
  RETURN jsonb_build_object('kind', v_kind, 'approval', jsonb_build_object(${approvalFacts(schema, "a")}));
END $$;

-- Returns the reason why two people have not agreed to a claim, or null. The latest request that has
-- the entry decides.
CREATE FUNCTION ${schema}.approval_bar(p_journal uuid, c jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE a ${schema}.approval; v_why text;
BEGIN
  IF NOT coalesce((c->>'movesMoney')::boolean, true)
    OR NOT EXISTS (SELECT FROM ${schema}.policy p WHERE p.service = c->>'service') THEN RETURN NULL; END IF;
  SELECT b.* INTO a FROM ${schema}.approval_row r JOIN ${schema}.approval b ON b.id = r.approval
    WHERE r.journal = p_journal AND r.local_id = (c->>'localId')::bigint AND b.service = c->>'service'
      AND b.state <> 'preparing'
    ORDER BY r.approval DESC LIMIT 1 FOR SHARE OF b;
  IF NOT FOUND THEN RETURN jsonb_build_object('why', 'none', 'request', NULL); END IF;
  SELECT CASE
      WHEN bool_or(r.content IS DISTINCT FROM c->>'content' OR r.again IS DISTINCT FROM NULLIF(c->'override', 'null'))
        THEN 'changed'
      WHEN a.state = 'refused' THEN 'refused'
      WHEN a.state = 'approved' AND bool_or(r.used_at IS NOT NULL) THEN 'used'
      WHEN a.expires_at <= clock_timestamp() THEN 'expired'
      WHEN a.state = 'approved' AND a.decided_by <> a.login THEN NULL
      ELSE 'waits' END
    INTO v_why FROM ${schema}.approval_row r
    WHERE r.approval = a.id AND r.journal = p_journal AND r.local_id = (c->>'localId')::bigint;
  IF v_why IS NULL THEN RETURN NULL; END IF;
  RETURN jsonb_build_object('why', v_why, 'request', jsonb_build_object(${approvalFacts(schema, "a")}));
END $$;

-- Marks the rows of an entry as used by its claim, or as not used after all. Only the latest request
-- that has the entry can have been used.
CREATE FUNCTION ${schema}.use_rows(p_journal uuid, p_local_id bigint, p_used timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${schema}.approval_row SET used_at = p_used WHERE journal = p_journal AND local_id = p_local_id
    AND approval = (SELECT max(r.approval) FROM ${schema}.approval_row r
      WHERE r.journal = p_journal AND r.local_id = p_local_id);
END $$;
`;

/** Returns the SQL of the owner's functions, which no member can execute. */
export const policyFunctions = ({ schema }: LedgerNames) => `
-- Sets the policy of a service, or lifts it with null.
CREATE FUNCTION ${schema}.set_policy(p_service text, p_person text, p_four_eyes text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM ${schema}.policy WHERE service = p_service;
  IF p_four_eyes IS NOT NULL THEN
    INSERT INTO ${schema}.policy (service, four_eyes, person) VALUES (p_service, p_four_eyes, p_person);
  END IF;
  INSERT INTO ${schema}.event (person, machine, kind, facts) VALUES (p_person, 'owner', 'policy',
    jsonb_build_object('service', p_service, 'fourEyes', coalesce(p_four_eyes, 'none')));
END $$;

-- Removes the requests that are past their retention. Events about them stay.
CREATE FUNCTION ${schema}.retain_approvals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_ids bigint[];
BEGIN
  SELECT array_agg(id) INTO v_ids FROM ${schema}.approval
    WHERE at < clock_timestamp() - interval '${requestRetentionDays} days';
  DELETE FROM ${schema}.approval_row WHERE approval = ANY (v_ids);
  DELETE FROM ${schema}.approval WHERE id = ANY (v_ids);
END $$;
`;

/** Returns the SQL that grants the rights of members. */
export const approvalRights = ({ schema, team }: LedgerNames) => `
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;
GRANT SELECT ON ${schema}.policy, ${schema}.approval, ${schema}.approval_row TO ${team};
GRANT EXECUTE ON FUNCTION ${schema}.request, ${schema}.decide, ${schema}.rows_left, ${schema}.standing TO ${team};
`;
