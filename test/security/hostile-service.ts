/** A service every text of which is an attack on the terminal that shows it. */
import type { ServerResponse } from "node:http";
import { openService, reply, tokenAnswer } from "../helpers/service.ts";
import { attacks, hostile, misfits } from "./attacks.ts";

export interface HostileService {
  readonly env: Record<string, string>;
  readonly baseUrl: string;
  /** The payload that statuses and refusals carry from now on. */
  payload: string;
  /** The answers to the next writes. */
  writes: "accepted" | "refused" | "failing";
  /** The answers to the next reads of a status. */
  reads: "answered" | "refused" | "failing";
  /** Rows of a list: one for every payload. */
  readonly rows: Row[];
}

interface Row {
  readonly external_account_number: string;
  readonly service_account_number: string | null;
  readonly account_created_at: string | null;
}

const payloads = { ...attacks, ...misfits };

/** Half a surrogate pair makes a row unreadable, so no row has one. */
function rowsOfAll(): Row[] {
  return Object.entries(payloads).flatMap(([what, payload], n) =>
    payload.isWellFormed()
      ? [
          {
            external_account_number: hostile(`${n}-${what}`, payload),
            service_account_number: `A${payload}~svc`,
            account_created_at: "2026-01-15T09:00:00Z",
          },
        ]
      : [],
  );
}

/** Starts one; it closes with the test. */
export async function hostileService(): Promise<HostileService> {
  const rows = rowsOfAll();
  const state: {
    payload: string;
    writes: HostileService["writes"];
    reads: HostileService["reads"];
  } = {
    payload: "",
    writes: "refused",
    reads: "answered",
  };
  const said = (name: string) => `${name}${state.payload}~${name}`;
  const refusal = () => ({
    detail: said("detail"),
    code: said("code"),
    errors: [{ attr: said("attr"), code: said("errorcode"), detail: said("errordetail") }],
    [said("field")]: [said("message")],
  });
  const fail = (response: ServerResponse, status: number) =>
    reply(response, status, refusal(), { "x-odd": "odd" });
  const { baseUrl } = await openService(
    (request, response) => {
      const { method, path } = request;
      if (path.includes("/graphql/")) return reply(response, 200, tokenAnswer("token-12345678"));
      if (path.includes("-account-import-processes/")) {
        const state = /\/(all|pending|imported)-/.exec(path)?.[1];
        return reply(response, 200, state === "pending" ? [] : rows);
      }
      if (method === "POST") {
        if (state.writes === "failing") return fail(response, 500);
        if (state.writes === "refused") return fail(response, 400);
        const { notes = [] } = JSON.parse(request.body) as { notes?: { body: string }[] };
        return reply(
          response,
          201,
          notes.map(({ body }) => ({
            created_at: said("at"),
            body,
            status: "NOTE_CREATION_SUCCESS",
          })),
        );
      }
      if (state.reads === "failing") return fail(response, 500);
      if (state.reads === "refused") return fail(response, 403);
      if (path.includes("/supply-points/")) {
        return reply(response, 200, {
          status: said("state"),
          service_identifier: said("identifier"),
          created_at: said("created"),
          modified_at: said("modified"),
          latest_error: {
            code: said("errorcode"),
            detail: said("errordetail"),
            domain: said("domain"),
          },
          [said("extra")]: said("extravalue"),
        });
      }
      reply(response, 200, {
        status: state.payload === "" ? "COMPLETED" : said("state"),
        service_account_number: said("number"),
        [said("extra")]: said("extravalue"),
      });
    },
    { ownTokens: true },
  );
  return Object.assign(state, {
    baseUrl,
    rows,
    env: { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_API_KEY: "key-12345678" },
  });
}
