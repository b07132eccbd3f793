/** The tables of a team's ledger in PostgreSQL. Members read them; only functions change them. */

/** The names in the database that belong to one ledger, quoted for SQL. */
export interface LedgerNames {
  readonly schema: string;
  /** The role whose members claim and publish. */
  readonly team: string;
  /** The role of logins of CI, a member of `team`. */
  readonly ci: string;
}

/** SQL for the epoch milliseconds of an instant. */
export const ms = (instant: string) => `floor(extract(epoch FROM ${instant}) * 1000)`;

export const entryFacts = (entry: string) =>
  `'id', ${entry}.id, 'journal', ${entry}.journal, 'localId', ${entry}.local_id, 'person', ${entry}.person,
    'machine', ${entry}.machine, 'login', ${entry}.login, 'state', ${entry}.state,
    'at', ${ms(`${entry}.claimed_at`)},
    'isLeaseOver', ${entry}.lease_until < clock_timestamp(), 'isRemoved', ${entry}.removed_at IS NOT NULL`;

export const tables = ({ schema }: LedgerNames) => `
CREATE SCHEMA ${schema};
REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC;

-- One row. An epoch ends when the ledger was restored from a backup: a later read starts again.
CREATE TABLE ${schema}.ledger (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  version int NOT NULL,
  keys int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  earlier_epochs uuid[] NOT NULL DEFAULT '{}',
  repair_since timestamptz,
  repair_reason text
);

-- One row per state folder. seq is the number of its latest claim. owes is true while the folder
-- has not published everything again after the ledger was restored. left_at is the time at which a
-- person took the team from the folder's profile, until the folder claims again.
CREATE TABLE ${schema}.journal (
  id uuid PRIMARY KEY,
  machine text NOT NULL,
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  seq bigint NOT NULL DEFAULT 0,
  first_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  owes boolean NOT NULL DEFAULT false,
  left_at timestamptz
);

-- One row per bulk run of a state folder, as its latest claim described it. requests is their number,
-- which is larger than that of its entries while the run is under way.
CREATE TABLE ${schema}.run (
  journal uuid NOT NULL,
  run text NOT NULL,
  service text NOT NULL,
  profile text NOT NULL,
  operation text NOT NULL,
  requests int,
  machine text NOT NULL,
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  first_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (journal, run)
);
CREATE INDEX run_last ON ${schema}.run (service, last_at);

CREATE TABLE ${schema}.entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  journal uuid NOT NULL,
  local_id bigint NOT NULL,
  token uuid NOT NULL,
  claim_number bigint NOT NULL,
  service text NOT NULL,
  profile text NOT NULL,
  operation text NOT NULL,
  moves_money boolean NOT NULL,
  import_supplier text,
  external_account_number text,
  external_identifier text,
  run text,
  line int,
  machine text NOT NULL,
  person text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  sha256 text NOT NULL,
  recorded_at timestamptz NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN (
    'sending', 'unsent', 'confirmed', 'rejected', 'retryable', 'unknown', 'closed')),
  took_effect text CHECK (took_effect IN ('yes', 'no', 'unknown')),
  reason text,
  doubt text NOT NULL DEFAULT 'none',
  http_status int,
  code text,
  attempts int NOT NULL DEFAULT 0,
  settled_at timestamptz,
  removed_at timestamptz,
  changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
  UNIQUE (journal, local_id)
);
CREATE INDEX entry_changed ON ${schema}.entry (changed, id);
CREATE INDEX entry_claimed ON ${schema}.entry (claimed_at);
CREATE INDEX entry_service ON ${schema}.entry (service, id);
CREATE INDEX entry_open ON ${schema}.entry (service, id) WHERE state IN ('sending', 'unknown', 'retryable');
CREATE INDEX entry_rejected ON ${schema}.entry (service, id) WHERE state = 'rejected';
-- Retention removes the texts, so the indexes have the entries of two years only.
CREATE INDEX entry_account ON ${schema}.entry (external_account_number, id) WHERE external_account_number IS NOT NULL;
CREATE INDEX entry_identifier ON ${schema}.entry (external_identifier, id) WHERE external_identifier IS NOT NULL;
CREATE INDEX entry_run ON ${schema}.entry (run, journal, state) WHERE run IS NOT NULL;

-- state is null if the item cannot have taken effect. passed is true if an override passed an
-- earlier entry of the same item. Rows are only added with their entry, so a reference is not checked.
CREATE TABLE ${schema}.item (
  entry bigint NOT NULL,
  position int NOT NULL,
  service text NOT NULL,
  key text NOT NULL,
  name text,
  recognized boolean NOT NULL,
  passed boolean NOT NULL DEFAULT false,
  state text,
  -- The index has this column: an update of the state alone changes no index.
  live boolean NOT NULL GENERATED ALWAYS AS (state IS NOT NULL) STORED,
  blocked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (entry, position)
);
-- The key comes first, because every row can be of one service.
CREATE INDEX item_key ON ${schema}.item (key, service);
-- The second line of defense, if a lock was missing: an item that the service would not recognize
-- is live only once, unless an override passed the others.
CREATE UNIQUE INDEX item_once ON ${schema}.item (key, service)
  WHERE live AND NOT recognized AND NOT passed;

-- A row exists only while an entry is being sent to the account.
CREATE TABLE ${schema}.account_lock (
  service text NOT NULL,
  account text NOT NULL,
  entry bigint NOT NULL,
  PRIMARY KEY (service, account)
);
CREATE INDEX account_lock_entry ON ${schema}.account_lock (entry);

-- Acts of people and breaches of the promise. Rows are only added.
CREATE TABLE ${schema}.event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entry bigint REFERENCES ${schema}.entry,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  person text NOT NULL,
  machine text NOT NULL,
  login name NOT NULL DEFAULT session_user,
  kind text NOT NULL CHECK (kind IN ('override', 'closed', 'verified', 'twice', 'left', 'restored',
    'dismissed', 'repaired', 'policy', 'requested', 'approved', 'refused')),
  reason text,
  facts jsonb
);
CREATE INDEX event_entry ON ${schema}.event (entry);
`;
