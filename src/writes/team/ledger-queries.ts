/**
 * The SQL with which members read a team's ledger. Each query has one row with the answer as `r`. It is
 * json, because jsonb takes about twice the time for a page.
 */
import type { TeamFilter } from "./ledger.ts";
import type { DoneFilter } from "./ledger-views.ts";
import { policyOf } from "./schema/approvals.ts";
import { entryFacts, ms } from "./schema/tables.ts";

/** A query with the values of its parameters. */
export interface Query {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** SQL for the facts of a listed entry: the arguments of json_build_object. */
const listedFacts = `${entryFacts("e")},
      'service', e.service, 'profile', e.profile, 'operation', e.operation,
      'importSupplier', e.import_supplier, 'externalAccountNumber', e.external_account_number,
      'externalIdentifier', e.external_identifier, 'run', e.run, 'line', e.line, 'tookEffect', e.took_effect,
      'httpStatus', e.http_status, 'code', e.code, 'attempts', e.attempts,
      'settledAt', ${ms("e.settled_at")}`;

/** SQL for the outcome of an entry. One that is being sent counts as unknown after its lease. */
const outcome = `CASE WHEN e.state = 'sending' AND e.lease_until < clock_timestamp() THEN 'unknown' ELSE e.state END`;

/** The condition of a partial index, as the index has it. */
const isOpen = "e.state IN ('sending', 'unknown', 'retryable')";
const openStates: readonly unknown[] = ["sending", "unknown", "retryable"];

/**
 * Collects the conditions of a query. Only given conditions are part of its text, because the database
 * would not use an index for a condition that a parameter can switch off.
 */
class Conditions {
  readonly #parts: string[] = [];
  readonly #values: unknown[] = [];

  /** Returns the place of a value in the query. */
  place(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  /** Adds a condition, unless its value is undefined. */
  add(value: unknown, condition: (place: string) => string): void {
    if (value === undefined) return;
    this.#parts.push(condition(this.place(value)));
  }

  addText(condition: string): void {
    this.#parts.push(condition);
  }

  /** Returns the conditions, joined. */
  get where(): string {
    return this.#parts.join(" AND ");
  }

  get values(): readonly unknown[] {
    return this.#values;
  }
}

/** Returns the query for a page of entries of a service, the newest claim first. */
export function listQuery(schema: string, service: string, filter: TeamFilter): Query {
  const of = new Conditions();
  of.add(service, (at) => `e.service = ${at}`);
  of.add(filter.id, (at) => `e.id = ${at}::bigint`);
  of.add(filter.below, (at) => `e.id < ${at}::bigint`);
  of.add(filter.exceptFolder, (at) => `e.journal <> ${at}::uuid`);
  if (filter.isOfRun !== undefined)
    of.addText(filter.isOfRun ? "e.run IS NOT NULL" : "e.run IS NULL");
  const { outcomes } = filter;
  if (outcomes !== undefined) {
    if (outcomes.every((one) => openStates.includes(one))) of.addText(isOpen);
    else if (outcomes.every((one) => one === "rejected")) of.addText("e.state = 'rejected'");
    of.add(JSON.stringify(outcomes), (at) => `${at}::jsonb ? (${outcome})`);
  }
  of.add(filter.importSupplier, (at) => `e.import_supplier = ${at}`);
  of.add(filter.externalAccountNumber, (at) => `e.external_account_number = ${at}`);
  of.add(filter.externalIdentifier, (at) => `e.external_identifier = ${at}`);
  of.add(filter.profile, (at) => `e.profile = ${at}`);
  of.add(filter.run, (at) => `e.run = ${at}`);
  of.add(filter.since, (at) => `e.claimed_at >= to_timestamp(${at}::float8 / 1000)`);
  of.add(filter.before, (at) => `e.claimed_at < to_timestamp(${at}::float8 / 1000)`);
  of.add(filter.person, (at) => `(e.person = ${at} OR e.login = ${at}::text)`);
  of.add(filter.machine, (at) => `e.machine = ${at}`);
  const sql = `SELECT coalesce(json_agg(f.facts ORDER BY f.id DESC), '[]') AS r FROM (
    SELECT e.id, json_build_object(${listedFacts}) AS facts FROM ${schema}.entry e
    WHERE ${of.where} ORDER BY e.id DESC LIMIT ${of.place(filter.limit)}) f`;
  return { sql, values: of.values };
}

/** Returns the query for the entries of a service that changed after a row, and the oldest open transaction. */
export function pageQuery(
  schema: string,
  service: string,
  after: { readonly changed: string; readonly id: number },
  limit: number,
): Query {
  const sql = `SELECT json_build_object(
  'epoch', (SELECT epoch FROM ${schema}.ledger),
  'floor', pg_snapshot_xmin(pg_current_snapshot())::text,
  'entries', (SELECT coalesce(json_agg(json_build_object('changed', e.changed::text, 'entry', e.facts)
      ORDER BY e.changed, e.id), '[]') FROM (
    SELECT e.changed, e.id, json_build_object(${listedFacts}) AS facts
    FROM ${schema}.entry e WHERE (e.changed, e.id) > ($1::text::xid8, $2::bigint) AND e.service = $3
    ORDER BY e.changed, e.id LIMIT $4) e)) AS r`;
  return { sql, values: [after.changed, after.id, service, limit] };
}

/** SQL for an author: the arguments of json_build_object. */
const authorFacts = (of: string) =>
  `'person', ${of}.person, 'machine', ${of}.machine, 'login', ${of}.login`;

/** Returns the query for the closings of a folder's entries by colleagues. */
export function closingsQuery(schema: string, folder: string, localIds: readonly number[]): Query {
  const sql = `SELECT coalesce(json_agg(json_build_object('localId', e.local_id, 'tookEffect', e.took_effect,
      'act', v.kind, 'author', json_build_object(${authorFacts("v")}), 'reason', v.reason)
    ORDER BY e.local_id), '[]') AS r
  FROM ${schema}.entry e CROSS JOIN LATERAL (
    SELECT * FROM ${schema}.event WHERE entry = e.id AND kind IN ('closed', 'verified') ORDER BY id DESC LIMIT 1) v
  WHERE e.journal = $1::uuid AND e.local_id = ANY ($2::bigint[]) AND e.state = 'closed'`;
  return { sql, values: [folder, `{${localIds.join(",")}}`] };
}

/** Returns the query for the acts on an entry. */
export function actsQuery(schema: string, entry: number): Query {
  const sql = `SELECT coalesce(json_agg(json_build_object('kind', v.kind, ${authorFacts("v")}, 'reason', v.reason,
      'at', ${ms("v.at")}) ORDER BY v.id), '[]') AS r
  FROM ${schema}.event v WHERE v.entry = $1::bigint AND v.kind IN ('override', 'closed', 'verified', 'twice')`;
  return { sql, values: [entry] };
}

/** Returns the query for the latest runs of other folders, with their entries by outcome. */
export function runsQuery(schema: string, service: string, folder: string, limit: number): Query {
  const sql = `SELECT coalesce(json_agg(json_build_object('journal', r.journal, 'run', r.run, 'profile', r.profile,
      'operation', r.operation, 'requests', r.requests, ${authorFacts("r")},
      'firstAt', ${ms("r.first_at")}, 'lastAt', ${ms("r.last_at")},
      'counts', c.counts) ORDER BY r.last_at DESC), '[]') AS r
  FROM (SELECT * FROM ${schema}.run WHERE service = $1 AND journal <> $2::uuid ORDER BY last_at DESC LIMIT $3) r
  CROSS JOIN LATERAL (
    -- Only the few entries that are being sent are read from the table; the index has the others.
    SELECT coalesce(json_object_agg(n.outcome, n.n), '{}') AS counts FROM (
      SELECT m.outcome, sum(m.n) AS n FROM (
        SELECT e.state AS outcome, count(*) AS n FROM ${schema}.entry e
          WHERE e.run = r.run AND e.journal = r.journal AND e.state <> 'sending' GROUP BY 1
        UNION ALL
        SELECT ${outcome}, count(*) FROM ${schema}.entry e
          WHERE e.run = r.run AND e.journal = r.journal AND e.state = 'sending' GROUP BY 1) m
      GROUP BY 1) n) c`;
  return { sql, values: [service, folder, limit] };
}

/** Returns the query for the open entries of other folders, by person, machine and supplier, and the policy. */
export function openQuery(schema: string, service: string, folder: string): Query {
  const sql = `SELECT json_build_object(
    'fourEyes', ${policyOf(schema)},
    'people', coalesce(json_agg(json_build_object(${authorFacts("o")}, 'importSupplier', o.supplier,
      'unknown', o.unknown, 'retryable', o.retryable) ORDER BY o.person, o.machine, o.login, o.supplier), '[]')) AS r
  FROM (
    SELECT e.person, e.machine, e.login, coalesce(e.import_supplier, '') AS supplier,
      count(*) FILTER (WHERE e.state <> 'retryable') AS unknown,
      count(*) FILTER (WHERE e.state = 'retryable') AS retryable
    FROM ${schema}.entry e WHERE e.service = $1 AND ${isOpen} AND e.journal <> $2::uuid
      AND NOT (e.state = 'sending' AND e.lease_until >= clock_timestamp())
    GROUP BY 1, 2, 3, 4) o`;
  return { sql, values: [service, folder] };
}

/** Returns the query for the sums of the entries of other folders, by person. */
export function doneQuery(
  schema: string,
  service: string,
  folder: string,
  filter: DoneFilter,
): Query {
  const of = new Conditions();
  of.add(service, (at) => `e.service = ${at}`);
  of.add(folder, (at) => `e.journal <> ${at}::uuid`);
  of.addText("e.removed_at IS NULL");
  of.add(filter.importSupplier, (at) => `e.import_supplier = ${at}`);
  of.add(filter.run, (at) => `e.run = ${at}`);
  of.add(filter.profile, (at) => `e.profile = ${at}`);
  of.add(filter.since, (at) => `e.claimed_at >= to_timestamp(${at}::float8 / 1000)`);
  of.add(filter.before, (at) => `e.claimed_at < to_timestamp(${at}::float8 / 1000)`);
  // An item can be confirmed in an entry that is not, and the other way round.
  const itemOutcome = `CASE WHEN e.state = 'closed' THEN 'closed' WHEN t.state = 'confirmed' THEN 'confirmed'
      WHEN e.state = 'confirmed' THEN 'rejected' ELSE ${outcome} END`;
  const effect = `CASE WHEN t.state = 'confirmed' THEN 'yes' WHEN t.state IS NULL THEN 'no' ELSE 'unknown' END`;
  const sql = `SELECT coalesce(json_agg(json_build_object(${authorFacts("d")}, 'operation', d.operation,
      'importSupplier', d.supplier, 'outcome', d.outcome, 'tookEffect', d.effect, 'entries', d.entries, 'rows', d.rows)
    ORDER BY d.person, d.machine, d.login), '[]') AS r
  FROM (
    SELECT e.person, e.machine, e.login, e.operation, coalesce(e.import_supplier, '') AS supplier,
      ${itemOutcome} AS outcome, ${effect} AS effect, count(DISTINCT e.id) AS entries, count(*) AS rows
    FROM ${schema}.entry e JOIN ${schema}.item t ON t.entry = e.id
    WHERE ${of.where} GROUP BY 1, 2, 3, 4, 5, 6, 7) d`;
  return { sql, values: of.values };
}
