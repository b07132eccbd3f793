import { formKinds } from "../../src/forms/forms.ts";
import { kindOf, operationOf } from "../../src/writes/kinds/kinds.ts";
import type { AttemptFailure, Rule } from "../../src/writes/retry-table.ts";
import { submit } from "../../src/writes/submit.ts";
import { fakeClock } from "../helpers/clock.ts";
import { samples } from "../helpers/kinds.ts";
import { type Act, openService } from "../helpers/service.ts";
import { contextFor, hurried, request } from "./writing.ts";

/** The answers that cause each situation. */
const faults: Readonly<Record<Exclude<AttemptFailure, "never-sent">, readonly Act[]>> = {
  "no-answer": [
    "reset",
    "cut-short",
    { status: 201, body: "<html>" },
    { status: 200, body: "[]" },
    ...[408, 425, 444, 460, 499].map((status) => ({ status })),
  ],
  "400": [{ status: 400, body: { code: "account_failed_validation", errors: [] } }],
  "401": [{ status: 401, body: { detail: "no" } }],
  "403": [{ status: 403, body: { detail: "no" } }],
  "404": [{ status: 404, body: { detail: "no", code: "not_found" } }],
  "429": [{ status: 429, headers: { "retry-after": "1" } }],
  "3xx": [302, 303].map((status) => ({
    status,
    headers: { location: "/elsewhere/" },
  })),
  "409": [{ status: 409 }, { status: 423 }],
  "4xx": [{ status: 405 }, { status: 413 }],
  "500": [{ status: 500 }],
  "5xx": [{ status: 502 }, { status: 503 }, { status: 504 }],
};

const kinds = formKinds.map((kind) => ({ operation: operationOf(kind), ...samples[kind] }));

const writes = kinds.flatMap(({ operation, writes }) =>
  writes.map(({ body, query, ...sample }) => ({
    ...sample,
    operation,
    write: request(operation, body, query),
  })),
);

type Letter = "R" | "RC" | "U" | "V" | "X" | "block" | "wait";

function row(letters: string): Readonly<Record<AttemptFailure, Letter>> {
  const [neverSent, noAnswer, s400, s404, s500, s5xx] = letters.split(" ") as Letter[];
  return {
    "never-sent": neverSent ?? "X",
    "no-answer": noAnswer ?? "X",
    "400": s400 ?? "X",
    "404": s404 ?? "X",
    "500": s500 ?? "X",
    "5xx": s5xx ?? "X",
    "401": "X",
    "403": "X",
    "3xx": "U",
    "409": "X",
    "4xx": "X",
    "429": "wait",
  };
}

const words: Readonly<Record<Letter, Rule>> = {
  R: "resend",
  RC: "resend-if-deduplicated",
  U: "unknown",
  V: "look-up",
  X: "stop",
  block: "stop-and-block",
  wait: "wait-and-resend",
};

const agreed = new Map(kinds.map(({ operation, retries }) => [operation, row(retries)]));

test.each([...agreed])("the retry rule of %s matches the agreed table", (operation, letters) => {
  const rules = Object.entries(letters).map(([key, letter]) => [key, words[letter]]);
  expect(kindOf(operation).retries).toEqual(Object.fromEntries(rules));
});

const situations = Object.keys(faults) as (keyof typeof faults)[];
const cells = writes.flatMap((sample) =>
  situations.flatMap((situation) =>
    faults[situation].map((act) => ({ sample, situation, act, wire: JSON.stringify(act) })),
  ),
);

/** The number of POSTs of a cell if the fault lasts, and the outcome. */
function lasting({ sample, situation }: (typeof cells)[number]): [number, string] {
  switch (agreed.get(sample.operation)?.[situation]) {
    case "R":
      return [3, "retryable"];
    case "RC":
      return sample.deduplicated ? [4, "unknown"] : [1, "unknown"];
    case "wait":
      return [4, "retryable"];
    case "U":
    case "V":
      return [1, "unknown"];
    default:
      return [1, "rejected"];
  }
}

describe("a fault that lasts", () => {
  test.each(cells)("$sample.name, $situation: $wire", async (cell) => {
    const { sample, act } = cell;
    const server = await openService({ writes: [act], reads: [{ status: 404 }] });
    const clock = fakeClock();
    const context = await contextFor(server.baseUrl, { clock });
    const { options } = hurried({}, clock);
    const result = await submit(context, sample.write, options);
    const [sent, outcome] = lasting(cell);
    expect(result.outcome).toBe(outcome);
    // A token that is given is tried again after a 401, since the key may have changed meanwhile.
    // Waits for a 429 use up no resends: the ten minutes that they may take in all end them.
    if (cell.situation === "429") expect(server.writes().length).toBeGreaterThan(sent);
    else if (cell.situation !== "401") expect(server.writes()).toHaveLength(sent);
    expect(new Set(server.writes().map(({ sha256 }) => sha256)).size).toBe(1);
  });
});

describe("a fault that passes", () => {
  const passing = cells.filter(({ situation }) => situation !== "401");
  test.each(passing)("$sample.name, $situation: $wire", async (cell) => {
    const { sample, act } = cell;
    const [sent, outcome] = lasting(cell);
    const server = await openService({
      writes: [act, sample.success],
      reads: [{ status: 404 }],
    });
    const clock = fakeClock();
    const context = await contextFor(server.baseUrl, { clock });
    const result = await submit(context, sample.write, hurried({}, clock).options);
    expect(result.outcome).toBe(sent > 1 ? "confirmed" : outcome);
    expect(server.writes()).toHaveLength(Math.min(sent, 2));
    expect(new Set(server.writes().map(({ sha256 }) => sha256)).size).toBe(1);
  });
});

describe("never sent", () => {
  test.each(writes)("$name: sent again when the service is there", async ({ write, success }) => {
    const server = await openService({ writes: [success], reads: [{ status: 404 }] });
    const context = await contextFor(server.baseUrl);
    await server.refuse();
    let accepting: Promise<void> | null = null;
    const result = await submit(context, write, {
      signal: new AbortController().signal,
      onEvent: (event) => {
        if (event.kind !== "waiting") return;
        accepting ??= server.accept();
        accepting.then(event.skip);
      },
    });
    // A supply point whose look-up finds no service is not sent at all.
    const looksFirst = write.operation === "supply-points create";
    expect(result.outcome).toBe(looksFirst ? "unsent" : "confirmed");
    expect(server.writes()).toHaveLength(looksFirst ? 0 : 1);
  });

  test.each(writes)("$name: ends as unsent when no server listens", async ({ write }) => {
    const server = await openService({});
    const context = await contextFor(server.baseUrl);
    await server.refuse();
    const { options, events } = hurried();
    const result = await submit(context, write, options);
    expect(result).toMatchObject({ outcome: "unsent", reason: "never-sent" });
    const sent = events.filter(({ kind }) => kind === "sending").length;
    expect(sent).toBe(write.operation === "supply-points create" ? 0 : 4);
  });
});
