/** Reads the state of a team's ledger: version, rights, clocks, machines and open entries. */
import * as z from "zod/mini";
import type { Clock } from "../../api/clock.ts";
import type { TeamAddress } from "../../settings/team-address.ts";
import { fourEyes } from "./approvals.ts";
import { type Connect, type SqlConnection, withConnection } from "./connection.ts";
import { missingLedger, unreadableAnswer, wrongVersion } from "./failures.ts";
import { policyOf } from "./schema/approvals.ts";
import { ledgerVersion, namesIn } from "./schema/schema.ts";
import { ms } from "./schema/tables.ts";

const instant = z.int();

const statusShape = z.object({
  serverVersion: z.string(),
  keys: z.int(),
  createdAt: instant,
  now: instant,
  restoredAt: z.nullable(instant),
  isMember: z.boolean(),
  isCi: z.boolean(),
  isOwner: z.boolean(),
  fourEyes: z.enum(fourEyes),
  /** Number of requests that wait for a second person. */
  waiting: z.int(),
  unknown: z.int(),
  sending: z.int(),
  machines: z.array(
    z.object({
      machine: z.string(),
      person: z.string(),
      login: z.string(),
      lastAt: instant,
      unknown: z.int(),
      owes: z.boolean(),
      leftAt: z.nullable(instant),
    }),
  ),
});

/** The state of a ledger. Instants are epoch milliseconds by the clock of the database. */
export interface LedgerStatus extends z.output<typeof statusShape> {
  readonly version: number;
  readonly login: string;
  /** The version of TLS, or null on loopback without TLS. */
  readonly tls: string | null;
  /** Milliseconds until the answer to one question. */
  readonly latencyMs: number;
  /** Milliseconds by which the clock of the database is ahead of this machine's. */
  readonly clockAheadMs: number;
}

const maxMachines = 100;

/**
 * Reads the state of the ledger for a service. Rejects with a team error: `team-not-set-up` without
 * a ledger or rights, and `team-version` for another version.
 */
export function readLedgerStatus(
  connect: Connect,
  address: Pick<TeamAddress, "host" | "schema">,
  service: string,
  clock: Clock,
): Promise<LedgerStatus> {
  return withConnection(connect, address.host, (connection) =>
    readStatus(connection, address, service, clock),
  );
}

async function readStatus(
  connection: SqlConnection,
  { host, schema }: Pick<TeamAddress, "host" | "schema">,
  service: string,
  clock: Clock,
): Promise<LedgerStatus> {
  // A later version can have other tables, so its number is read first.
  const [ledger] = await connection.query(`SELECT version FROM "${schema}".ledger`);
  if (ledger === undefined) throw missingLedger();
  const version = Number(ledger.version);
  if (version !== ledgerVersion) throw wrongVersion(version);
  const askedAt = clock.now();
  const [clockRow] = await connection.query("SELECT 1 AS r");
  const latencyMs = clock.now() - askedAt;
  const [row] = await connection.query(statusSql(schema), [service, maxMachines]);
  const parsed = z.safeParse(statusShape, row?.r);
  if (!parsed.success || clockRow === undefined) throw unreadableAnswer(host);
  const { tls, user: login } = connection;
  const clockAheadMs = parsed.data.now - clock.now();
  return { ...parsed.data, version, login, tls, latencyMs, clockAheadMs };
}

/** SQL for the number of entries of a service that are open, `sending` only past their lease. */
const openCount = (schema: string, condition: string) =>
  `(SELECT count(*) FROM ${schema}.entry e WHERE e.service = $1 AND ${condition})`;

const isUnknown = `(e.state = 'unknown' OR (e.state = 'sending' AND e.lease_until < clock_timestamp()))`;
const isSending = `(e.state = 'sending' AND e.lease_until >= clock_timestamp())`;

function statusSql(name: string): string {
  const { schema, team, ci } = namesIn(name);
  const has = (role: string) => `pg_has_role(session_user, '${role.slice(1, -1)}', 'MEMBER')`;
  return `SELECT jsonb_build_object('serverVersion', current_setting('server_version'), 'keys', l.keys,
    'createdAt', ${ms("l.created_at")}, 'now', ${ms("clock_timestamp()")}, 'restoredAt', ${ms("l.repair_since")},
    'isMember', ${has(team)}, 'isCi', ${has(ci)},
    'isOwner', (SELECT nspowner = (SELECT oid FROM pg_roles WHERE rolname = session_user)
      FROM pg_namespace WHERE nspname = '${name}'),
    'fourEyes', ${policyOf(schema)},
    'waiting', (SELECT count(*) FROM ${schema}.approval a WHERE a.service = $1 AND a.state = 'waits'
      AND a.expires_at > clock_timestamp()),
    'unknown', ${openCount(schema, isUnknown)}, 'sending', ${openCount(schema, isSending)},
    'machines', (SELECT coalesce(jsonb_agg(m.facts ORDER BY m.last_at DESC), '[]') FROM (
      SELECT j.last_at, jsonb_build_object('machine', j.machine, 'person', j.person, 'login', j.login,
        'lastAt', ${ms("j.last_at")}, 'owes', j.owes, 'leftAt', ${ms("j.left_at")},
        'unknown', ${openCount(schema, `e.journal = j.id AND ${isUnknown}`)}) AS facts
      FROM ${schema}.journal j ORDER BY j.last_at DESC LIMIT $2) m)) AS r FROM ${schema}.ledger l`;
}
