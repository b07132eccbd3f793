import { describe, expect, it } from "vitest";
import type { Operation } from "../../src/writes/kinds/kind.ts";
import { kindOf } from "../../src/writes/kinds/kinds.ts";
import type { WriteRequest } from "../../src/writes/prepare.ts";
import type { Rule, Situation } from "../../src/writes/retry-table.ts";
import { submit } from "../../src/writes/submit.ts";
import { type Act, scriptedServer } from "./scripted-server.ts";
import {
  account,
  contextFor,
  hurried,
  instruction,
  notes,
  request,
  statement,
  supplyPoint,
  transactions,
} from "./writing.ts";

/** What makes each situation, on the wire. */
const faults: Readonly<Record<Exclude<Situation, "never-sent">, readonly Act[]>> = {
  "no-answer": ["reset", "cut-short", { status: 201, body: "<html>" }, { status: 200, body: "[]" }],
  "400": [{ status: 400, body: { code: "account_failed_validation", errors: [] } }],
  "401": [{ status: 401, body: { detail: "no" } }],
  "403": [{ status: 403, body: { detail: "no" } }],
  "404": [{ status: 404, body: { detail: "no", code: "not_found" } }],
  "429": [{ status: 429, headers: { "retry-after": "1" } }],
  "3xx": [{ status: 302, headers: { location: "/elsewhere/" } }],
  "4xx": [{ status: 405 }, { status: 413 }],
  "500": [{ status: 500 }],
  "5xx": [{ status: 502 }, { status: 503 }, { status: 504 }],
};

interface Sample {
  readonly name: string;
  readonly operation: Operation;
  readonly deduplicated: boolean;
  readonly write: WriteRequest;
  readonly success: Act;
}

const documentOnly = request("notes create", {
  ...account,
  notes: [{ document_paths: [{ document_path: "a.pdf" }] }],
});

const samples: readonly Sample[] = [
  {
    name: "notes",
    operation: "notes create",
    deduplicated: true,
    write: notes("one"),
    success: { status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] },
  },
  {
    name: "notes, one of documents alone",
    operation: "notes create",
    deduplicated: false,
    write: documentOnly,
    success: { status: 201, body: [{ body: "", status: "NOTE_CREATION_SUCCESS" }] },
  },
  {
    name: "transactions",
    operation: "transactions create",
    deduplicated: true,
    write: transactions(["T-1"]),
    success: { status: 201, body: { results: [{ status: "TRANSACTION_ADDED_TO_ACCOUNT" }] } },
  },
  {
    name: "transactions, unchecked",
    operation: "transactions create",
    deduplicated: false,
    write: transactions(["T-1"], { check_previously_added: "false" }),
    success: { status: 201, body: { results: [{ status: "TRANSACTION_ADDED_TO_ACCOUNT" }] } },
  },
  {
    name: "statements",
    operation: "statements create",
    deduplicated: false,
    write: statement(),
    success: { status: 200, body: { ...account, statements: [{}] } },
  },
  {
    name: "a payment instruction",
    operation: "payment-instructions create",
    deduplicated: false,
    write: instruction(),
    success: { status: 201, body: { service_account_number: "A-1", reference: "R-1" } },
  },
  {
    name: "a supply point",
    operation: "supply-points create",
    deduplicated: false,
    write: supplyPoint(),
    success: { status: 201 },
  },
];

type Letter = "R" | "RC" | "U" | "V" | "X" | "block" | "wait";

/** The table as it was agreed upon, written down a second time. */
const agreed: Readonly<Record<Operation, Readonly<Record<Situation, Letter>>>> = {
  "notes create": row("R RC X X RC RC"),
  "transactions create": row("R RC X X RC RC"),
  "statements create": row("R U X X U U"),
  "payment-instructions create": row("R U block X R U"),
  "supply-points create": row("R V X X V V"),
};

function row(letters: string): Readonly<Record<Situation, Letter>> {
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
    "3xx": "X",
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

it.each(Object.keys(agreed) as Operation[])("the row of %s is as agreed", (operation) => {
  const rules = Object.entries(agreed[operation]).map(([key, letter]) => [key, words[letter]]);
  expect(kindOf(operation).retries).toEqual(Object.fromEntries(rules));
});

const situations = Object.keys(faults) as (keyof typeof faults)[];
const cells = samples.flatMap((sample) =>
  situations.flatMap((situation) =>
    faults[situation].map((act) => ({ sample, situation, act, wire: JSON.stringify(act) })),
  ),
);

/** How many POSTs a cell comes to when the fault lasts, and the outcome. */
function lasting({ sample, situation }: (typeof cells)[number]): [number, string] {
  switch (agreed[sample.operation][situation]) {
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
      return [1, situation === "3xx" ? "retryable" : "rejected"];
  }
}

describe("a fault that lasts", () => {
  it.each(cells)("$sample.name, $situation: $wire", async (cell) => {
    const { sample, act } = cell;
    const server = await scriptedServer({ writes: [act], reads: [{ status: 404 }] });
    const context = await contextFor(server.baseUrl);
    const { options } = hurried();
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
  it.each(passing)("$sample.name, $situation: $wire", async (cell) => {
    const { sample, act } = cell;
    const [sent, outcome] = lasting(cell);
    const server = await scriptedServer({
      writes: [act, sample.success],
      reads: [{ status: 404 }],
    });
    const context = await contextFor(server.baseUrl);
    const result = await submit(context, sample.write, hurried().options);
    expect(result.outcome).toBe(sent > 1 ? "confirmed" : outcome);
    expect(server.writes()).toHaveLength(Math.min(sent, 2));
    expect(new Set(server.writes().map(({ sha256 }) => sha256)).size).toBe(1);
  });
});

describe("never sent", () => {
  it.each(samples)("$name: sent again when the service is there", async ({ write, success }) => {
    const server = await scriptedServer({ writes: [success], reads: [{ status: 404 }] });
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

  it.each(samples)("$name: ends as unsent when no server listens", async ({ write }) => {
    const server = await scriptedServer({});
    const context = await contextFor(server.baseUrl);
    await server.refuse();
    const { options, events } = hurried();
    const result = await submit(context, write, options);
    expect(result).toMatchObject({ outcome: "unsent", reason: "never-sent" });
    const sent = events.filter(({ kind }) => kind === "sending").length;
    expect(sent).toBe(write.operation === "supply-points create" ? 0 : 4);
  });
});
