/** The journal's tables. Each step takes a journal one version further; steps are never changed. */

/** Marks the file as this program's journal in its header ("SPLJ"). */
export const applicationId = 0x53504c4a;

const first = `
CREATE TABLE intent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT,
  line INTEGER,
  parent INTEGER REFERENCES intent (id) ON DELETE SET NULL,
  profile TEXT NOT NULL,
  base_url TEXT NOT NULL,
  operation TEXT NOT NULL,
  import_supplier TEXT NOT NULL,
  external_account_number TEXT,
  external_identifier TEXT,
  path TEXT NOT NULL,
  query TEXT NOT NULL,
  body BLOB,
  sha256 TEXT NOT NULL,
  form TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN (
    'intent', 'unsent', 'sending', 'confirmed', 'rejected', 'retryable', 'unknown', 'closed')),
  reason TEXT,
  doubt TEXT NOT NULL DEFAULT 'none' CHECK (doubt IN ('none', 'vendor', 'unknown')),
  looked_up TEXT,
  http_status INTEGER,
  code TEXT,
  owner TEXT,
  ended_at INTEGER
) STRICT;
CREATE INDEX intent_open ON intent (state) WHERE state IN ('intent', 'sending', 'unknown', 'retryable');
CREATE INDEX intent_created ON intent (created_at);
CREATE INDEX intent_bodies ON intent (created_at) WHERE body IS NOT NULL;
CREATE INDEX intent_owner ON intent (owner) WHERE owner IS NOT NULL;
CREATE INDEX intent_run ON intent (run, line) WHERE run IS NOT NULL;
CREATE INDEX intent_account ON intent (import_supplier, external_account_number, external_identifier);
CREATE INDEX intent_parent ON intent (parent) WHERE parent IS NOT NULL;

CREATE TABLE attempt (
  intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  headers_sent_at INTEGER,
  ended_at INTEGER,
  outcome TEXT NOT NULL,
  http_status INTEGER,
  code TEXT,
  response TEXT,
  PRIMARY KEY (intent, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE item (
  intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  label TEXT,
  outcome TEXT NOT NULL,
  status TEXT,
  PRIMARY KEY (intent, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE remark (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  intent INTEGER NOT NULL REFERENCES intent (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX remark_intent ON remark (intent);

CREATE TABLE blocked_form (
  base_url TEXT NOT NULL,
  form TEXT NOT NULL,
  intent INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (base_url, form)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (
  lane TEXT PRIMARY KEY,
  intent INTEGER NOT NULL,
  owner TEXT NOT NULL,
  renewed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const steps: readonly string[] = [first];
