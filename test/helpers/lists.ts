import { join } from "node:path";
import { fakeClock } from "./clock.ts";
import { runCommand } from "./command.ts";
import { openFolders } from "./folders.ts";
import { type Handler, openService, reply } from "./service.ts";

const hour = 3_600_000;

/** An account of a list: pending, or imported under a service account number. */
export type ListedAccount = readonly [external: string, service?: string, createdAt?: string];

/** A service whose lists are set by hand; all else is unknown to it. */
export async function openLists() {
  const lists = new Map<string, string | readonly ListedAccount[]>();
  const answer: Handler = (request, response) => {
    const { pathname } = new URL(request.path, "http://service");
    const [, state, supplier = ""] =
      /(all|pending|imported)-account-import-processes\/([^/]+)\/$/.exec(pathname) ?? [];
    const list = lists.get(decodeURIComponent(supplier));
    if (list === undefined) return reply(response, 404, { detail: "Not found." });
    if (typeof list === "string") {
      response.writeHead(200, { "content-type": "application/json" }).end(list);
      return;
    }
    const rows = list.filter(
      ([, number]) => state === "all" || (state === "pending") === (number === undefined),
    );
    reply(response, 200, rows.map(itemOf));
  };
  const service = await openService(answer);
  return {
    ...service,
    /** Sets the list of a supplier. A text is the whole body. */
    set: (supplier: string, list: string | readonly ListedAccount[]) => {
      lists.set(supplier, list);
    },
  };
}

function itemOf([external, service, createdAt = "2026-11-20T10:00:00Z"]: ListedAccount) {
  return {
    external_account_number: external,
    service_account_number: service ?? null,
    account_created_at: service === undefined ? null : createdAt,
  };
}

/** A machine that observes such a service, and whose clock is moved by hand. */
export async function openObserver(
  service: Awaited<ReturnType<typeof openLists>>,
  extra: Record<string, string> = {},
) {
  const folders = await openFolders();
  const clock = fakeClock("2026-11-20T12:00:00Z");
  const env = { ...service.env, ...extra };
  return {
    folders,
    clock,
    observations: join(folders.state, "observations.sqlite"),
    run: (...words: string[]) => runCommand(words, { folders, clock, env }),
    runWith: (more: Record<string, string>, ...words: string[]) =>
      runCommand(words, { folders, clock, env: { ...env, ...more } }),
    /** Lists a supplier after some hours. */
    async list(supplier: string, hours: number, accounts: string | readonly ListedAccount[]) {
      await clock.advance(hours * hour);
      service.set(supplier, accounts);
      return await runCommand(["accounts", "list", supplier, "--json"], { folders, clock, env });
    },
    [Symbol.asyncDispose]: () => folders[Symbol.asyncDispose](),
  };
}
