/** The requests and approvals of a service, over the statements of its ledger. */
import * as z from "zod/mini";
import {
  type Approvals,
  approval,
  approvalRow,
  decisionAnswer,
  fourEyes,
  maxRequests,
} from "./approvals.ts";
import type { Asker } from "./asker.ts";
import { approvalFacts, policyOf } from "./schema/approvals.ts";

/** Maximum number of rows of one call. */
const pageSize = 500;

/** Returns the requests of a service. `self` returns the facts of this state folder. */
export function sqlApprovals(
  { schema, service, query, call }: Omit<Asker, "names">,
  self: () => { readonly journal: string },
): Approvals {
  const facts = `json_build_object(${approvalFacts(schema, "a")})`;
  /** SQL for the requests that everyone sees. */
  const visible = `${schema}.approval a WHERE a.service = $1 AND a.state <> 'preparing'`;
  const found = z.nullable(approval);
  const changes: Approvals["changes"] = async (mark, open) => {
    const [epoch = "", changed = "0"] = mark?.split(" ") ?? [];
    const answer = await query(
      z.object({ epoch: z.string(), floor: z.string(), requests: z.array(approval) }),
      changesSql(schema, facts),
      ...[service, changed, JSON.stringify(open)],
    );
    // The ledger was restored from a backup, so its numbers start again.
    if (mark !== null && epoch !== answer.epoch) return changes(null, []);
    const { requests, floor } = answer;
    return { requests, isWhole: mark === null, mark: `${answer.epoch} ${floor}` };
  };
  return {
    changes,
    ofRun: (run) =>
      query(
        z.object({ fourEyes: z.enum(fourEyes), request: found }),
        `SELECT json_build_object(
           'fourEyes', ${policyOf(schema)},
           'request', (SELECT ${facts} FROM ${visible} AND a.journal = $2::uuid AND a.run = $3
             ORDER BY a.id DESC LIMIT 1)) AS r`,
        ...[service, self().journal, run],
      ),
    async ask(request, pages) {
      let chain = "";
      for await (const page of pages)
        for (let at = 0; at < page.length; at += pageSize) {
          const rows = page.slice(at, at + pageSize);
          chain = rows.at(-1)?.chain ?? chain;
          const sent = rows.map(({ chain: _, ...row }) => row);
          await call(z.object({ id: z.int() }), "request", self(), request, sent);
        }
      return call(approval, "request", self(), { ...request, chain, isComplete: true }, []);
    },
    list: () =>
      query(
        z.array(approval),
        `SELECT coalesce(json_agg(f.facts ORDER BY f.id DESC), '[]') AS r FROM (
           SELECT a.id, ${facts} AS facts FROM ${visible} ORDER BY a.id DESC LIMIT ${maxRequests}) f`,
        service,
      ),
    find: (id) =>
      query(found, `SELECT (SELECT ${facts} FROM ${visible} AND a.id = $2) AS r`, service, id),
    rows: (id, after) => query(z.array(approvalRow), rowsSql(schema, visible), service, id, after),
    decide: (id, decision) => call(decisionAnswer, "decide", self(), service, id, decision),
  };
}

/** Transactions that run now can commit changes from before the next mark, so it is the oldest of them. */
const changesSql = (schema: string, facts: string) => `WITH changed AS (
    SELECT c.id FROM ${schema}.approval c WHERE c.service = $1 AND c.changed >= $2::text::xid8 AND c.state <> 'preparing'
      ORDER BY c.id DESC LIMIT ${maxRequests}),
  stands AS (
    SELECT b.id FROM jsonb_to_recordset($3::jsonb) AS o(id bigint, standing text, "left" int)
      JOIN ${schema}.approval b ON b.id = o.id
      WHERE ${schema}.standing(b) <> o.standing OR ${schema}.rows_left(b.id) <> o."left")
  SELECT json_build_object('epoch', (SELECT epoch FROM ${schema}.ledger),
    'floor', pg_snapshot_xmin(pg_current_snapshot())::text,
    'requests', (SELECT coalesce(json_agg(${facts} ORDER BY a.id DESC), '[]') FROM ${schema}.approval a
      WHERE a.id IN (SELECT id FROM changed UNION SELECT id FROM stands))) AS r`;

const rowsSql = (
  schema: string,
  visible: string,
) => `SELECT coalesce(json_agg(f.facts ORDER BY f.position), '[]') AS r FROM (
    SELECT t.position, json_build_object('position', t.position, 'localId', t.local_id, 'line', t.line,
      'content', t.content, 'importSupplier', t.import_supplier, 'externalAccountNumber', t.external_account_number,
      'amount', t.amount, 'reference', t.reference, 'day', t.day, 'itemId', t.item_id, 'again', t.again,
      'isUsed', t.used_at IS NOT NULL) AS facts
    FROM ${schema}.approval_row t WHERE t.approval = (SELECT a.id FROM ${visible} AND a.id = $2) AND t.position > $3
    ORDER BY t.position LIMIT ${pageSize}) f`;
