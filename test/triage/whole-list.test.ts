import type { ServerResponse } from "node:http";
import { rowOfBatch } from "../../src/accounts/ingest/batch.ts";
import type { ListRows } from "../../src/triage/observations/observations.ts";
import { readWholeList } from "../../src/triage/whole-list.ts";
import { connected, errorFrom, hastyClock } from "../api/connected.ts";
import { openService, type Received, reply } from "../helpers/service.ts";

type State = "all" | "pending" | "imported";
type Answer = (response: ServerResponse, request: Received) => void;

const status =
  (code: number): Answer =>
  (response) =>
    reply(response, code, { detail: "no" });

const imported = (...numbers: string[]) =>
  numbers.map((number) => ({
    external_account_number: number,
    service_account_number: `A-${number}`,
    account_created_at: "2026-11-20T08:00:00Z",
  }));

const pending = (...numbers: string[]) =>
  numbers.map((number) => ({
    external_account_number: number,
    service_account_number: null,
    account_created_at: null,
  }));

const rows =
  (...items: unknown[]): Answer =>
  (response) =>
    reply(response, 200, items);

/** Says that there is another page. */
const page =
  (...items: unknown[]): Answer =>
  (response) =>
    reply(response, 200, items, { link: '</?page=2>; rel="next"' });

/** Sends the beginning of a list and hangs up. */
const cutOff =
  (text: string): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "9999" });
    response.write(text, () => response.destroy());
  };

interface Recording {
  readonly events: string[];
  readonly startedAt: number[];
}

async function opened(answers: Record<State, Answer>) {
  const server = await openService((request, response) => {
    const state = /\/(all|pending|imported)-account/.exec(request.path)?.[1] as State;
    answers[state](response, request);
  });
  const clock = hastyClock();
  const { service } = connected(server.baseUrl, { clock });
  const recording: Recording = { events: [], startedAt: [] };
  const observations = {
    begin: (supplier: string, startedAt: number) => {
      recording.events.push(`begin ${supplier}`);
      recording.startedAt.push(startedAt);
      return {
        take: async ({ count }: ListRows) => {
          recording.events.push(`take ${count}`);
        },
        finish: async () => {
          recording.events.push("finish");
          return { kind: "recorded", first: true, changes: 0 } as const;
        },
        discard: () => void recording.events.push("discard"),
      };
    },
  };
  return {
    recording,
    asked: () => server.asked().map((path) => /\/(all|pending|imported)-/.exec(path)?.[1]),
    list: (signal?: AbortSignal) => readWholeList(service, "ACME", { clock, signal, observations }),
  };
}

async function read(list: ReturnType<typeof readWholeList>) {
  const found: string[] = [];
  for (;;) {
    const step = await list.next();
    if (step.done) return { found, end: step.value };
    for (let at = 0; at < step.value.count; at++) {
      const row = rowOfBatch(step.value, at);
      found.push(`${row.external_account_number} ${row.service_account_number}`);
    }
  }
}

const unused: Answer = (response) => response.destroy();

test("one list is enough, and is recorded when it is complete", async () => {
  const { list, asked, recording } = await opened({
    all: rows(...imported("1"), ...pending("2")),
    pending: unused,
    imported: unused,
  });
  const { found, end } = await read(list());
  expect(found).toEqual(["1 A-1", "2 null"]);
  expect(end).toMatchObject({ rows: 2, singleListError: null });
  expect(await end.recorded).toMatchObject({ kind: "recorded" });
  expect(recording).toEqual({
    events: ["begin ACME", "take 2", "finish"],
    startedAt: [end.listedAt],
  });
  expect(asked()).toEqual(["all"]);
});

test("an empty list is complete", async () => {
  const { list, recording } = await opened({ all: rows(), pending: unused, imported: unused });
  expect(await read(list())).toMatchObject({
    found: [],
    end: { rows: 0, unreadableRows: 0 },
  });
  expect(recording.events).toEqual(["begin ACME", "finish"]);
});

test.each([
  ["a 404", status(404), 1, "not-found"],
  ["a 5xx after retries", status(503), 4, "unavailable"],
  ["no answer after retries", unused, 4, "unreachable"],
])("%s is answered with the two other lists", async (_what, all, tries, kind) => {
  const { list, asked, recording } = await opened({
    all,
    pending: rows(...pending("1", "2", "3")),
    imported: rows(...imported("4", "2")),
  });
  const { found, end } = await read(list());
  // The account that was imported between the lists is imported.
  expect(found).toEqual(["4 A-4", "2 A-2", "1 null", "3 null"]);
  expect(end).toMatchObject({ rows: 4, singleListError: { kind } });
  expect(asked()).toEqual([...Array(tries).fill("all"), "pending", "imported"]);
  expect(recording.events).toEqual([
    "begin ACME",
    "discard",
    "begin ACME",
    "take 2",
    "take 2",
    "finish",
  ]);
  expect(recording.startedAt.at(-1)).toBe(end.listedAt);
});

test("404 of the imported list alone means that none is imported", async () => {
  const { list } = await opened({
    all: status(404),
    pending: rows(...pending("1")),
    imported: status(404),
  });
  expect(await read(list())).toMatchObject({ found: ["1 null"], end: { rows: 1 } });
});

test("rows of an imported list without numbers are imported", async () => {
  const { list, recording } = await opened({
    all: status(404),
    pending: rows(),
    imported: rows({ external_account_number: "1" }, { external_account_number: "2" }),
  });
  expect((await read(list())).end.rows).toBe(2);
  expect(recording.events).toEqual(["begin ACME", "discard", "begin ACME", "take 2", "finish"]);
});

test.each<[string, Record<State, Answer>, string]>([
  [
    "every list is a 404",
    { all: status(404), pending: status(404), imported: status(404) },
    "not-found",
  ],
  [
    "the first fails and the second is a 404",
    { all: status(500), pending: status(404), imported: rows() },
    "unavailable",
  ],
  [
    "the imported list fails: the pending one alone says too little",
    { all: status(404), pending: rows(...pending("1")), imported: status(500) },
    "unavailable",
  ],
  [
    "the credentials are refused: no other list is asked for",
    { all: status(403), pending: rows(), imported: rows() },
    "forbidden",
  ],
  [
    "the list is cut off: its rows cannot be taken back",
    { all: cutOff('[{"external_account_number":"1"},'), pending: rows(), imported: rows() },
    "unreadable",
  ],
  [
    "an element names no account",
    { all: rows(...pending("1"), { x: 1 }), pending: rows(), imported: rows() },
    "unreadable",
  ],
  [
    "the list is one page",
    { all: page(...pending("1")), pending: rows(), imported: rows() },
    "unreadable",
  ],
  [
    "the imported list is one page",
    { all: status(404), pending: rows(...pending("1")), imported: page(...imported("2")) },
    "unreadable",
  ],
  [
    "an element of the pending list names no account",
    { all: status(404), pending: rows(...pending("1"), 7), imported: rows(...imported("2")) },
    "unreadable",
  ],
  [
    "the imported list is cut off",
    { all: status(404), pending: rows(...pending("1")), imported: cutOff('["2","3"') },
    "unreadable",
  ],
])("nothing is complete and nothing is recorded when %s", async (_what, answers, kind) => {
  const { list, recording } = await opened(answers);
  expect((await errorFrom(read(list()))).kind).toBe(kind);
  expect(recording.events).not.toContain("finish");
  if (recording.events.length > 0) expect(recording.events.at(-1)).toBe("discard");
});

test("a list that is cut off at any byte is never complete", async () => {
  const body = JSON.stringify([...imported("1"), ...pending("2", "é")]);
  let length = 0;
  const { list, recording } = await opened({
    all: (response) => response.writeHead(200).end(Buffer.from(body).subarray(0, length)),
    pending: rows(),
    imported: rows(),
  });
  for (; length < Buffer.byteLength(body); length++) {
    expect((await errorFrom(read(list()))).kind).toBe("unreadable");
  }
  expect(recording.events).not.toContain("finish");
  expect((await read(list())).end.rows).toBe(3);
});

test("a reader that leaves early, or cancels, records nothing", async () => {
  const stop = new AbortController();
  const { list, recording } = await opened({
    all: (response) => response.writeHead(200).write(`[${JSON.stringify(pending("1")[0])},`),
    pending: unused,
    imported: unused,
  });
  const left = list();
  await left.next();
  await left.return({
    rows: 0,
    unreadableRows: 0,
    listedAt: 0,
    singleListError: null,
    recorded: null,
  });
  expect(recording.events).toEqual(["begin ACME", "take 1", "discard"]);
  const canceled = list(stop.signal);
  await canceled.next();
  const waiting = errorFrom(canceled.next());
  stop.abort();
  expect((await waiting).kind).toBe("cancelled");
  expect(recording.events.at(-1)).toBe("discard");
});
