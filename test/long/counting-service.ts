/** A service that counts effects, for tests of what may take effect twice. */
import type { ServerResponse } from "node:http";
import { openService, type Received } from "../helpers/service.ts";

export type Kind = "transactions" | "statements" | "payment-instructions";

/** The service's answer to a request. */
export type Act =
  | "accept"
  /** Its effect takes place, or none does; no answer comes either way. */
  | "lost-after"
  | "lost-before"
  | "500"
  | "404"
  | "400"
  /** The items before the last take effect, the last is refused (transactions). */
  | "partly";

interface Parsed {
  readonly kind: Kind;
  readonly ids: readonly string[];
  readonly isChecked: boolean;
}

function parsed({ path, body }: Received): Parsed {
  const payload = JSON.parse(body);
  if (path.includes("/transactions/")) {
    const ids = payload.transactions.map((one: { transaction_id: string }) => one.transaction_id);
    return { kind: "transactions", ids, isChecked: !path.includes("check_previously_added=false") };
  }
  if (path.includes("/historical-statements/")) {
    const ids = payload.statements.map((one: { statement_id: string }) => one.statement_id);
    return { kind: "statements", ids, isChecked: false };
  }
  return { kind: "payment-instructions", ids: [payload.reference], isChecked: false };
}

/** A service that counts effects, and the items that a client must take for possible effects. */
export async function countingService() {
  const effects = new Map<string, number>();
  const possible = new Set<string>();
  const blocked = new Set<string>();
  let script: Act[] = ["accept"];
  const take = ({ ids, isChecked }: Parsed) =>
    ids.map((id) => {
      possible.add(id);
      const before = effects.get(id) ?? 0;
      if (isChecked && before > 0) return "TRANSACTION_ALREADY_EXISTS";
      effects.set(id, before + 1);
      return "TRANSACTION_ADDED_TO_ACCOUNT";
    });
  const answer = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const accepted = (response: ServerResponse, one: Parsed) => {
    const statuses = take(one);
    const results = one.ids.map((transaction_id, at) => ({
      status: statuses[at],
      transaction_data: { transaction_id },
    }));
    const statements = one.ids.map((statement_id) => ({ statement_id }));
    const [reference] = one.ids;
    const bodies = {
      transactions: { results },
      statements: { statements },
      "payment-instructions": { a_account_number: "A-1", reference },
    };
    answer(response, 201, bodies[one.kind]);
  };
  const service = await openService((received, response) => {
    const one = parsed(received);
    const [act = "accept", ...others] = script;
    if (others.length > 0) script = others;
    switch (act) {
      case "accept":
        return accepted(response, one);
      case "lost-after":
        take(one);
        return response.socket?.destroy();
      case "lost-before":
        for (const id of one.ids) possible.add(id);
        return response.socket?.destroy();
      case "500":
        for (const id of one.ids) possible.add(id);
        return answer(response, 500, {});
      case "404":
        return answer(response, 404, { detail: "not found" });
      case "400":
        if (one.kind === "payment-instructions") blocked.add(one.ids.join());
        return answer(response, 400, { errors: [{ attr: "x", code: "invalid", detail: "no" }] });
      case "partly": {
        if (one.kind !== "transactions" || one.ids.length === 1) return accepted(response, one);
        const last = one.ids.at(-1);
        take({ ...one, ids: one.ids.slice(0, -1) });
        const data = { transaction_id: last };
        return answer(response, 400, {
          status: "TRANSACTION_IMPORT_ERROR",
          transaction_data: data,
        });
      }
    }
  });
  return {
    baseUrl: service.baseUrl,
    effects,
    possible,
    blocked,
    follow: (next: readonly Act[]) => {
      script = [...next];
    },
  };
}
