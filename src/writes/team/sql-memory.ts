/** The memory of a team over a connection to its database. */
import * as z from "zod/mini";
import { type Asker, type AskerOptions, askerOver } from "./asker.ts";
import type { LedgerConnection } from "./connection.ts";
import {
  bytes,
  newestOfSupplier,
  observedRow,
  type Position,
  type SharedCohorts,
  type SharedLists,
  type SharedRow,
  sharedCohort,
  sharedPage,
  type TeamMemory,
} from "./memory.ts";

/** Bytes of the observations of one answer, in which the first one is always. */
const pageBytes = 1 << 20;
/** Maximum number of observations of one answer. */
const pageRows = 500;

/** Opens the memory over a connection, which the memory closes. */
export function sqlMemory(connection: LedgerConnection, options: AskerOptions): TeamMemory {
  const asker = askerOver(connection, options);
  return {
    lists: sqlLists(asker),
    cohorts: sqlCohorts(asker),
    close: () => connection.close(),
  };
}

const appended = z.object({ isAppended: z.boolean(), machines: z.optional(z.int()) });

function sqlLists({ schema, service, names, query, call }: Asker): SharedLists {
  const of = (supplier: string, more: object = {}) => ({ service, supplier, ...more });
  return {
    newest: async (suppliers) => {
      const all = await query(
        z.array(newestOfSupplier),
        newestSql(schema),
        service,
        JSON.stringify(suppliers),
      );
      return new Map(all.map(({ supplier, ...newest }) => [supplier, newest]));
    },
    since: async (supplier, at, held) =>
      // A query without a row has no answer.
      (await query(
        z.optional(z.nullable(sharedPage)),
        sinceSql(schema),
        ...[service, supplier, at?.number ?? 0, at?.token ?? null, held],
      )) ?? null,
    earlier: (supplier, below) =>
      query(z.array(observedRow), earlierSql(schema), service, supplier, below),
    part: async (snapshot, part) =>
      (await query(
        z.optional(bytes),
        `SELECT ${base64("bytes")} AS r FROM ${schema}.list_part WHERE snapshot = $1 AND part = $2`,
        ...[snapshot, part],
      )) ?? null,
    putPart: async (supplier, snapshot, part, content) => {
      await call(z.boolean(), "put_part", of(supplier), snapshot, part, content);
    },
    append: async (supplier, expected, rows, { firstAt, beginning = {} }) => {
      const list = of(supplier, { ...at(expected), firstAt, ...beginning });
      const content = Buffer.concat(rows.flatMap(bytesOf));
      const answer = await call(appended, "append", names, list, rows.map(asJson), content);
      return answer.isAppended ? (answer.machines ?? 1) : null;
    },
    holdBack: (supplier, expected, held) =>
      call(
        z.boolean(),
        "hold_back",
        ...[names, of(supplier, at(expected)), asJson(held), Buffer.concat(bytesOf(held))],
      ),
    confirm: (supplier, held) => call(z.boolean(), "confirm_list", names, of(supplier), held),
    beginFold: (supplier, number, accounts) =>
      call(z.boolean(), "begin_fold", names, of(supplier, { number, rows: accounts })),
    endFold: async (supplier, expected, snapshot, parts) => {
      await call(z.boolean(), "end_fold", of(supplier, at(expected)), snapshot, parts);
    },
  };
}

function at(position: Position | null) {
  return { number: position?.number ?? 0, token: position?.token ?? null };
}

/** Returns the facts of a row, with the lengths of its bytes. */
function asJson({ moves, contents, dates, ...facts }: SharedRow) {
  const length = (content: Uint8Array | null) => content?.length ?? null;
  return { ...facts, moves: length(moves), contents: length(contents), dates: length(dates) };
}

function bytesOf({ moves, contents, dates }: SharedRow): readonly Uint8Array[] {
  return [moves, contents, dates].filter((content) => content !== null);
}

/** SQL for bytes as text without the line breaks that PostgreSQL adds. */
const base64 = (bytes: string) => `translate(encode(${bytes}, 'base64'), E'\\n', '')`;

const newestSql = (schema: string) => `SELECT coalesce(jsonb_agg(jsonb_build_object(
    'supplier', l.supplier, 'number', l.number, 'token', l.token,
    'held', (SELECT w.token FROM ${schema}.held_list w WHERE w.list = l.id))), '[]') AS r
  FROM ${schema}.list l WHERE l.service = $1 AND l.number > 0
    AND l.supplier IN (SELECT jsonb_array_elements_text($2::jsonb))`;

/** SQL for the facts of an observation: the arguments of jsonb_build_object. */
const rowFacts = (
  from: string,
  contents: string,
  number = `${from}.number`,
  dates = "dates",
  forgetBefore = "forget_before",
) =>
  `'number', ${number}, 'token', ${from}.token, 'at', ${from}.at, 'machine', ${from}.machine,
    'person', ${from}.person, 'entries', ${from}.entries, 'facts', ${from}.facts,
    'pendingSince', ${from}.pending_since, 'moves', ${base64(`${from}.moves`)},
    'contents', ${contents}, 'dates', ${base64(dates)}, 'forgetBefore', ${forgetBefore}`;

/** A machine whose last observation is known, and whose next ones have their data, needs no snapshot. */
const sinceSql = (schema: string) => `SELECT jsonb_build_object(
    'newest', jsonb_build_object('number', l.number, 'token', l.token), 'firstAt', l.first_at,
    'observations', l.observations,
    'machines', (SELECT count(*) FROM ${schema}.list_machine m WHERE m.list = l.id),
    'snapshot', CASE WHEN NOT c.continues THEN jsonb_build_object(
      'id', l.snapshot, 'parts', l.snapshot_parts, 'number', l.snapshot_number) END,
    'held', (SELECT jsonb_build_object('token', w.token, 'row', CASE WHEN w.token IS DISTINCT FROM $5::uuid THEN
        jsonb_build_object(${rowFacts("w", base64("w.contents"), "l.number + 1", "NULL::bytea", "NULL")}) END)
      FROM ${schema}.held_list w WHERE w.list = l.id),
    'rows', (SELECT coalesce(jsonb_agg(jsonb_build_object(${rowFacts("p", base64("p.contents"))})
        ORDER BY p.number), '[]') FROM (
      SELECT o.*, row_number() OVER w AS n, sum(coalesce(length(o.moves), 0) + coalesce(length(o.contents), 0)
          + coalesce(length(o.dates), 0)) OVER w AS size
        FROM (SELECT * FROM ${schema}.observation o WHERE o.list = l.id
          AND o.number > CASE WHEN c.continues THEN $3::bigint ELSE l.snapshot_number - 1 END
          ORDER BY o.number LIMIT ${pageRows}) o WINDOW w AS (ORDER BY o.number)) p
      WHERE p.n = 1 OR p.size <= ${pageBytes})) AS r
  FROM ${schema}.list l CROSS JOIN LATERAL (SELECT l.contents_after <= $3::bigint AND EXISTS (
      SELECT FROM ${schema}.observation o WHERE o.list = l.id AND o.number = $3::bigint AND o.token = $4::uuid)
    AS continues) c
  WHERE l.service = $1 AND l.supplier = $2 AND l.number > 0`;

const earlierSql = (schema: string) => `SELECT coalesce(jsonb_agg(jsonb_build_object(
    ${rowFacts("p", "NULL")}) ORDER BY p.number DESC), '[]') AS r FROM (
  SELECT o.*, row_number() OVER w AS n, sum(coalesce(length(o.moves), 0)) OVER w AS size
    FROM (SELECT o.* FROM ${schema}.observation o JOIN ${schema}.list l ON l.id = o.list
      WHERE l.service = $1 AND l.supplier = $2 AND o.number < $3::bigint
      ORDER BY o.number DESC LIMIT ${pageRows}) o WINDOW w AS (ORDER BY o.number DESC)) p
  WHERE p.n = 1 OR p.size <= ${pageBytes}`;

const cohortFacts = `'name', name, 'supplier', supplier, 'sha256', sha256, 'rows', rows, 'accounts', accounts,
  'column', column_name, 'layout', layout, 'createdAt', created_at, 'machine', machine, 'person', person`;

/** Returns the cohorts of a service. */
function sqlCohorts({ schema, service, names, query, call }: Asker): SharedCohorts {
  const table = `${schema}.cohort`;
  return {
    list: () =>
      query(
        z.array(sharedCohort),
        `SELECT coalesce(jsonb_agg(jsonb_build_object(${cohortFacts}) ORDER BY name COLLATE "C"), '[]') AS r
          FROM ${table} WHERE service = $1`,
        service,
      ),
    read: async (name) => {
      const found = await query(
        z.optional(z.object({ ...sharedCohort.shape, bytes })),
        `SELECT jsonb_build_object(${cohortFacts}, 'bytes', encode(bytes, 'base64')) AS r
          FROM ${table} WHERE service = $1 AND name = $2`,
        ...[service, name],
      );
      if (found === undefined) return null;
      const { bytes: list, ...cohort } = found;
      return { cohort, bytes: list };
    },
    add: (added, bytes) => call(z.boolean(), "add_cohort", names, service, added, bytes),
  };
}
