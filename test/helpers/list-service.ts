import { openService, reply } from "./service.ts";

/** Accounts of a supplier by number: a service account number once imported, or null. */
type Accounts = ReadonlyMap<string, string | null>;

/** One account more than are watched by their statuses. */
export const numbers = Array.from({ length: 51 }, (_, at) => `EXT-${at + 1}`);
export const listOf = (pending: readonly string[], imported: readonly string[] = []): Accounts =>
  new Map([
    ...pending.map((one) => [one, null] as const),
    ...imported.map((one) => [one, `A-${one}`] as const),
  ]);

interface Script {
  /** The lists one by one; the last one stays. A number is an error status, "page" the first of two. */
  readonly lists: readonly (Accounts | number | "cut" | "page")[];
  /** Statuses by number (INTERFACE 4.8): one by one, the last one stays; 404 for the others. */
  readonly statuses?: Readonly<Record<string, readonly string[]>>;
}

/** A service of lists that come one by one. */
export async function openListService({ lists, statuses = {} }: Script) {
  let listed = 0;
  const looked = new Map<string, number>();
  const service = await openService((request, response) => {
    const path = decodeURIComponent(request.path);
    if (path.includes("/all-account-import-processes/")) {
      const list = lists[Math.min(listed++, lists.length - 1)] ?? 500;
      if (typeof list === "number") return reply(response, list, { detail: "Not now." });
      const rows = [...(typeof list === "string" ? listOf(numbers) : list)].map(
        ([external, service]) => ({
          external_account_number: external,
          service_account_number: service,
          account_created_at: service === null ? null : "2026-11-20T12:00:00Z",
        }),
      );
      const total = { "x-total-count": String(2 * rows.length) };
      if (list !== "cut") return reply(response, 200, rows, list === "page" ? total : {});
      const body = JSON.stringify(rows);
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(body.slice(0, body.length / 2));
    }
    const number = /account-transfer-status\/ACME\/([^/]+)\//.exec(path)?.[1] ?? "";
    const answers = statuses[number];
    if (answers === undefined) return reply(response, 404, { detail: "Not found." });
    const nth = looked.get(number) ?? 0;
    looked.set(number, nth + 1);
    const status = answers[Math.min(nth, answers.length - 1)];
    const given = status === "COMPLETED" ? `A-${number}` : "";
    reply(response, 200, { status, service_account_number: given });
  });
  const count = (part: string) => service.asked().filter((path) => path.includes(part)).length;
  return {
    ...service,
    listRequests: () => count("/all-account-import-processes/"),
    lookUps: () => count("/account-transfer-status/"),
  };
}
