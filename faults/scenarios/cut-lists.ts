/** Lists that break off: at every kind of boundary, however they travel, nothing of them is recorded. */
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { systemClock } from "../../src/api/clock.ts";
import type { ListState, Service } from "../../src/api/service.ts";
import { createAccountLists } from "../../src/session/account-lists.ts";
import { createObservedLists } from "../../src/session/observed-lists.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { readWholeList } from "../../src/triage/whole-list.ts";
import type { Violation } from "../invariants/invariant.ts";
import { openService } from "../service-client.ts";
import type { ScenarioOptions, ScenarioResult } from "./stage.ts";

const supplier = "ACME";
/** From this size on lists are cut off before each of their bytes. */
const everyByteFrom = 64;

/** Numbers with characters that a cut can part, in their JSON. */
const items = Array.from({ length: 12 }, (_, at) => ({
  external_account_number: ["EXT-", "É€-", 'a"b\\', "😀"][at % 4] + String(100 + at),
  service_account_number: at % 3 === 0 ? null : `A-É${at}`,
  account_created_at: at % 3 === 0 ? null : "2026-01-02T03:04:05Z",
}));

/** Every second row is written with escapes. */
function jsonOf(rows: readonly (typeof items)[number][]): string {
  const texts = rows.map((row, at) => {
    const text = JSON.stringify(row);
    if (at % 2 === 0) return text;
    return text.replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  });
  return `[${texts.join(", ")}]`;
}

const bodies: Readonly<Record<ListState, string>> = {
  all: jsonOf(items),
  pending: jsonOf(items.filter((item) => item.service_account_number === null)),
  imported: jsonOf(items.filter((item) => item.service_account_number !== null)),
};

const framings = ["length", "chunks", "until closed", "gzip"] as const;
type Framing = (typeof framings)[number];

/** A whole answer on the wire. */
function answerOf(body: string, framing: Framing): Buffer {
  const bytes = Buffer.from(body);
  const head = (...lines: readonly string[]) =>
    `${["HTTP/1.1 200 OK", "content-type: application/json", "connection: close", ...lines].join("\r\n")}\r\n\r\n`;
  switch (framing) {
    case "length":
      return Buffer.concat([Buffer.from(head(`content-length: ${bytes.length}`)), bytes]);
    case "until closed":
      return Buffer.concat([Buffer.from(head()), bytes]);
    case "gzip": {
      const packed = gzipSync(bytes);
      const lines = ["content-encoding: gzip", `content-length: ${packed.length}`];
      return Buffer.concat([Buffer.from(head(...lines)), packed]);
    }
    case "chunks": {
      const pieces = [Buffer.from(head("transfer-encoding: chunked"))];
      for (let at = 0; at < bytes.length; at += 300) {
        const chunk = bytes.subarray(at, at + 300);
        pieces.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
      }
      return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
    }
  }
}

/** Places in an answer, each with the number of bytes into it at which it is cut. */
const boundaries: readonly (readonly [RegExp, number])[] = [
  [/HTTP/g, 4],
  [/content-/g, 8],
  [/\r\n/g, 1],
  [/\r\n/g, 2],
  [/\r\n[0-9a-f]+\r\n/g, 3],
  [/external_account/g, 9],
  [/EXT-\d/g, 5],
  [/[\xc3\xe2\xf0]/g, 1],
  [/\xf0/g, 3],
  [/\\u[0-9a-f]/g, 1],
  [/\\u[0-9a-f]/g, 4],
  [/\\"/g, 1],
  [/null/g, 2],
  [/\}, \{/g, 1],
  [/\}, \{/g, 2],
  [/\}, \{/g, 3],
  [/\]/g, 0],
  [/\]/g, 1],
];

/** At how many bytes an answer is cut off: all of them, or one for each kind of boundary and some more. */
function cutsOf(answer: Buffer, isEvery: boolean): readonly number[] {
  const all = Array.from({ length: answer.length }, (_, at) => at);
  if (isEvery) return all;
  const text = answer.toString("latin1");
  const named = boundaries.flatMap(([place, into]) => {
    const found = [...text.matchAll(place)].map(({ index }) => index + into);
    return [found[0] ?? 0, found.at(-1) ?? 0].filter((at) => at < answer.length);
  });
  return [...new Set([...named, 0, 1, ...[1, 2, 3, 4, 8, 9, 20].map((n) => answer.length - n)])];
}

/** Loads lists, by a command and by a console, that are cut off on the way. */
export async function cutLists(options: ScenarioOptions): Promise<ScenarioResult> {
  const violations: Violation[] = [];
  await using service = await openCutService();
  const client = withoutRetries(openService(service.baseUrl, "key", systemClock));
  const folder = mkdtempSync(join(options.where, "cut-lists-"));
  const open = { folder, origin: service.baseUrl, clock: systemClock, recording: true };
  const observations = await openObservations(open);
  /** Returns true if a reader of complete lists accepted the list. */
  const load = async (): Promise<boolean> => {
    const list = readWholeList(client, supplier, { clock: systemClock, observations });
    try {
      for (;;) {
        const step = await list.next();
        if (!step.done) continue;
        await step.value.recorded;
        return step.value.rows === items.length;
      }
    } catch {
      return false;
    }
  };
  if (!(await load())) violations.push(...campaignFault("the whole list was not read"));
  const first = await observations.ages(supplier);
  let injected = 0;
  const isEvery = options.size >= everyByteFrom;
  const states: readonly ListState[] = ["all", "pending", "imported"];
  for (const [state, framing] of states.flatMap((one) =>
    (isEvery || one === "all" ? framings : framings.slice(0, 1)).map((two) => [one, two] as const),
  )) {
    const answer = answerOf(bodies[state], framing);
    for (const bytes of cutsOf(answer, isEvery)) {
      injected += 1;
      const where = `${state} list by ${framing}, cut off at byte ${bytes} of ${answer.length}`;
      service.cut({ state, framing, bytes });
      const before = (await observations.stored())[0]?.observations;
      const isWhole = await load();
      const after = (await observations.stored())[0]?.observations;
      if (!isWhole && before !== after)
        violations.push({ invariant: "no part of a list is recorded", what: where });
      await loadInConsole(client, observations);
      violations.push(...(await changed(where)));
    }
  }
  service.cut(null);
  if (!(await load())) violations.push(...campaignFault("the last list was not read"));
  await observations.close();
  const reopened = await openObservations(open);
  const last = await reopened.ages(supplier);
  for (const { external_account_number: number } of items) {
    const since = [first, last].map((ages) => {
      const row = ages?.rowOf(number) ?? -1;
      return [ages?.firstSeen(row), ages?.pendingSince(row)].join(" ");
    });
    if (since[0] !== since[1]) violations.push({ invariant: "no age is lost", what: number });
  }
  if (last?.rows !== items.length)
    violations.push({ invariant: "no age is lost", what: `${last?.rows} accounts are stored` });
  await reopened.close();
  return { name: "cut-off lists", writes: injected * 2, injected, violations, recoveryMs: [] };

  async function changed(where: string): Promise<Violation[]> {
    const changes = await observations.changes(supplier, null);
    const gone = changes.filter(({ change }) => change === "gone" || change === "removed").length;
    if (changes.length === 0) return [];
    const what = `${changes.length} changes, ${gone} of them gone: ${where}`;
    return [{ invariant: "no account is wrongly gone", what }];
  }
}

function campaignFault(what: string): Violation[] {
  return [{ invariant: "the campaign itself", what }];
}

/** The same load as in the console: its rows are put into a table, and recorded from there. */
async function loadInConsole(
  service: Service,
  observations: Parameters<typeof createObservedLists>[0]["observations"],
): Promise<void> {
  const lists = createAccountLists(() => systemClock.now());
  const observed = createObservedLists({
    service,
    lists,
    observations,
    clock: systemClock,
    now: systemClock.now,
    report: () => {},
    readCohort: () => Promise.reject(new Error("no cohort is asked for")),
  });
  await observed.load(supplier, "all", new AbortController().signal);
  // The recording was decided with the load; it ends in a few turns of the event loop.
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
  observed.close();
  lists.dispose();
}

/** Returns a service that loads each list once, because a repeated request would hide the cut. */
function withoutRetries(service: Service): Service {
  const { accounts } = service;
  const list: typeof accounts.list = (code, state, options) =>
    accounts.list(code, state, { ...options, retries: 0 });
  return { ...service, accounts: { ...accounts, list } };
}

/** A list that is cut off; the lists before it in the order of 4.9, 4.10 and 4.11 are not found. */
interface Cut {
  readonly state: ListState;
  readonly framing: Framing;
  readonly bytes: number;
}

/** A service that closes a connection in the middle of an answer, at a byte that can be set. */
async function openCutService() {
  let cut: Cut | null = null;
  const notFound = "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
  const token = JSON.stringify({ data: { obtainToken: { token: "t" } } });
  const answerTo = (path: string): { readonly bytes: Buffer; readonly isWhole: boolean } => {
    const state = /\/(all|pending|imported)-account/.exec(path)?.[1] as ListState | undefined;
    if (state === undefined) return { bytes: answerOf(token, "length"), isWhole: true };
    if (cut === null || (cut.state !== "all" && state !== "all" && state !== cut.state))
      return { bytes: answerOf(bodies[state], "length"), isWhole: true };
    if (state !== cut.state) return { bytes: Buffer.from(notFound), isWhole: true };
    return { bytes: answerOf(bodies[state], cut.framing).subarray(0, cut.bytes), isWhole: false };
  };
  const server: Server = createServer((socket: Socket) => {
    let asked = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      asked += bytes.toString("latin1");
      if (!asked.includes("\r\n\r\n")) return;
      socket.end(answerTo(asked.slice(0, asked.indexOf("\r\n"))).bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    cut(next: Cut | null) {
      cut = next;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}
