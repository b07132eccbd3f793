import { createHash } from "node:crypto";
import { checkRows } from "../../src/bulk/check.ts";
import { readPlanned } from "../../src/bulk/input/read-planned.ts";
import { hashWhileReading } from "../../src/bulk/source.ts";
import { ExactSum } from "../../src/forms/decimals.ts";
import type { FormKind } from "../../src/forms/forms.ts";
import * as fc from "../helpers/fast-check.ts";
import { bodyText, inPieces, options } from "./input/inputs.ts";

const signal = new AbortController().signal;
const money =
  "import_supplier,external_account_number,transaction_id,transaction_date,amount,type\n";
const notes = "import_supplier,external_account_number,body\n";
const row = (id: string, amount: string) => `ACME,E1,${id},2026-11-20,${amount},CHARGE\n`;

const unguarded = { signal, guard: null };

function check(kind: FormKind, input: string, group: "none" | "account" = "none") {
  return checkRows(inPieces(input), options(kind, { group }), unguarded);
}

describe("an issue of a row that can be read", () => {
  const subjects = async (kind: FormKind, input: string, known: readonly string[]) => {
    const { issues } = await checkRows(inPieces(input), options(kind), {
      signal,
      guard: null,
      suppliers: known,
    });
    return issues.first.map(({ severity, line, supplier, account }) => [
      severity,
      line,
      supplier,
      account,
    ]);
  };
  const point = (identifier: string) =>
    JSON.stringify({ import_supplier: "ACME", supply_point: { identifier } });

  test.each<
    readonly [what: string, kind: FormKind, input: string, known: readonly string[], unknown[]]
  >([
    ["an error of a field", "transactions", money + row("T1", "x"), [], ["error", 2, "ACME", "E1"]],
    [
      "a missing account",
      "transactions",
      `${money}ACME,,T1,2026-11-20,1,CHARGE\n`,
      [],
      ["error", 2, "ACME", null],
    ],
    [
      "a missing supplier",
      "transactions",
      `${money},E1,T1,2026-11-20,1,CHARGE\n`,
      [],
      ["error", 2, null, "E1"],
    ],
    ["a repeated row", "notes", `${notes}ACME,E1,x\nACME,E1,x\n`, [], ["warning", 3, "ACME", "E1"]],
    ["an unknown supplier", "notes", `${notes}ACNE,E1,x\n`, ["ACME"], ["warning", 2, "ACNE", "E1"]],
    [
      "a warning of a supply point",
      "supply-points",
      point("MP1"),
      [],
      ["warning", 1, "ACME", "MP1"],
    ],
  ])("names its supplier and its account: %s", async (_, kind, input, known, expected) => {
    expect(await subjects(kind, input, known)).toContainEqual(expected);
  });
});

describe("the suppliers that rows name", () => {
  const rowOf = (supplier: string, at: number) =>
    `${supplier},E${at},T${at},2026-11-20,1.00,CHARGE\n`;
  const inputOf = (suppliers: readonly string[]) => money + suppliers.map(rowOf).join("");
  const warningsOf = async (rows: readonly string[], known: readonly string[] = []) => {
    const found = await checkRows(inPieces(inputOf(rows)), options("transactions"), {
      ...unguarded,
      suppliers: known,
    });
    return found.issues.firstWarnings
      .filter(({ column }) => column === "import_supplier")
      .map(({ line, account, message }) => [line, account, message]);
  };
  const many = (supplier: string, rows: number) => Array.from({ length: rows }, () => supplier);

  test("one that only a few of many rows name is a warning with its lines", async () => {
    const rows = [...many("ACME", 60), "ACNE", ...many("ACME", 60), "ACNE"];
    expect(await warningsOf(rows)).toEqual([
      [62, "E60", 'Only 2 of 122 rows name "ACNE". Did you mean "ACME"?'],
      [123, "E121", 'Only 2 of 122 rows name "ACNE". Did you mean "ACME"?'],
    ]);
    expect(await warningsOf(rows, ["ACME", "ACNE"])).toHaveLength(2);
  });

  test("one that the profile does not know is a warning in each of its rows", async () => {
    const rows = [...many("ACNE", 30), ...many("ACME", 30)];
    const found = await warningsOf(rows, ["ACME", "NORTH"]);
    expect(found.map(([line]) => line)).toEqual(Array.from({ length: 30 }, (_, at) => at + 2));
    expect(new Set(found.map(([, , message]) => message))).toEqual(
      new Set(['The profile has no supplier "ACNE". Did you mean "ACME"?']),
    );
    const only = await warningsOf([...many("ACME", 200), "ACNE"], ["ACME"]);
    expect(only.map(([line]) => line)).toEqual([202]);
  });

  test("several that share a small input are no warning", async () => {
    expect(await warningsOf(["ACME", "EAST", "WEST"])).toEqual([]);
    expect(await warningsOf(["ACNE"], [])).toEqual([]);
    expect(await warningsOf([...many("ACME", 94), ...many("EAST", 6)])).toEqual([]);
  });
});

describe("the check of an input", () => {
  test("counts rows and requests, adds up the amounts and keeps the first and the last", async () => {
    const input =
      money + row("T1", "0.1") + row("T2", "0.20") + row("T3", "-100000000000000000000");
    const found = await check("transactions", input, "account");
    expect(found).toMatchObject({
      rows: 3,
      requests: 1,
      issues: { errors: 0, warnings: 0 },
      sum: "-99999999999999999999.70",
    });
    const alone = await check("transactions", input);
    expect(alone).toMatchObject({ rows: 3, requests: 3, sum: "-99999999999999999999.70" });
    expect(alone.first[0] && bodyText(alone.first[0])).toContain('"T1"');
    expect(alone.last && bodyText(alone.last)).toContain('"T3"');
  });

  test("counts what goes to each supplier", async () => {
    const input =
      money + row("T1", "1.5") + row("T2", "2").replace("ACME", "NORTH") + row("T3", "3");
    const found = await check("transactions", input);
    expect(found.suppliers).toEqual([
      { supplier: "ACME", contents: "2 CHARGE of 4.5 in all" },
      { supplier: "NORTH", contents: "1 CHARGE of 2" },
    ]);
    expect(found.contents).toBe("3 CHARGE of 6.5 in all");
  });

  test("has no sum where nothing is added up", async () => {
    const notes = "import_supplier,external_account_number,body\nACME,E1,x\n";
    expect(await check("notes", notes)).toMatchObject({ rows: 1, sum: null });
    expect(await check("transactions", money)).toMatchObject({
      rows: 0,
      sum: null,
      first: [],
      last: null,
    });
  });

  test("keeps the first problems and warnings and counts them all", async () => {
    const bad = Array.from({ length: 60 }, (_, at) => row(`T${at}`, "x").replace("CHARGE", ""));
    const twice = row("T", "1").repeat(111);
    const found = await check("transactions", money + bad.join("") + twice);
    const { firstErrors, firstWarnings } = found.issues;
    expect(firstErrors.slice(0, 5).map(({ line, column }) => `${line} ${column}`)).toEqual([
      "2 amount",
      "2 type",
      "3 amount",
      "3 type",
      "4 amount",
    ]);
    expect(found).toMatchObject({ rows: 171, issues: { errors: 120, warnings: 110 } });
    // The input was read to its end, so that its good rows can be sent.
    expect(found.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect([firstErrors.length, firstWarnings.length]).toEqual([100, 100]);
  });

  test("reports its progress from time to time", async () => {
    const input = money + Array.from({ length: 5_001 }, (_, at) => row(`T${at}`, "1")).join("");
    const told: number[] = [];
    await checkRows(inPieces(input), options("transactions"), {
      ...unguarded,
      onProgress: ({ rows }) => told.push(rows),
    });
    expect(told).toEqual([5000]);
  });

  test("ends on request, although the input never arrives", async () => {
    let isWaitedFor = () => {};
    const asked = new Promise<void>((resolve) => {
      isWaitedFor = resolve;
    });
    async function* never(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(money);
      isWaitedFor();
      await new Promise(() => {});
    }
    const stop = new AbortController();
    const waiting = checkRows(never(), options("transactions"), {
      signal: stop.signal,
      guard: null,
    });
    await asked;
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });

  test("does not begin when it was ended before", async () => {
    let isRead = false;
    async function* input(): AsyncGenerator<Uint8Array> {
      isRead = true;
      yield new TextEncoder().encode(money);
    }
    const before = { signal: AbortSignal.abort(new Error("before")), guard: null };
    const waiting = checkRows(input(), options("transactions"), before);
    await expect(waiting).rejects.toThrow("before");
    expect(isRead).toBe(false);
  });

  test("rejects with what the input rejects with", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(money + row("T1", "1"));
      throw new Error("the disk was removed");
    }
    const waiting = checkRows(broken(), options("transactions"), unguarded);
    await expect(waiting).rejects.toThrow("the disk was removed");
  });

  test("the check closes an input that it stops reading", async () => {
    let isClosed = false;
    async function* bytes(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new TextEncoder().encode("no header,here\n");
      } finally {
        isClosed = true;
      }
    }
    const found = await checkRows(bytes(), options("notes"), unguarded);
    expect(found.issues.errors).toBe(1);
    expect(isClosed).toBe(true);
  });
});

describe("the sum of decimals", () => {
  const cents = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
  const written = (units: bigint, places: number) => {
    const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places);
    return `${units < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${digits.slice(-places)}`}`;
  };

  test("is exact, whatever the places", () => {
    const number = fc.record({ units: cents, places: fc.nat(8) });
    fc.assert(
      fc.property(fc.array(number, { maxLength: 20 }), (numbers) => {
        const sum = new ExactSum();
        for (const { units, places } of numbers) sum.add(written(units, places));
        const places = Math.max(0, ...numbers.map((one) => one.places));
        const total = numbers.reduce(
          (all, one) => all + one.units * 10n ** BigInt(places - one.places),
          0n,
        );
        expect(sum.text()).toBe(written(total, places));
      }),
    );
  });

  test.each([
    [["0.1", "0.2"], "0.3"],
    [["-0.05", "0.00"], "-0.05"],
    [["1.10", "-1.1"], "0.00"],
    [["-0.00"], "0.00"],
    [[], "0"],
  ])("of %j is %s", (numbers, total) => {
    const sum = new ExactSum();
    for (const number of numbers) sum.add(number);
    expect(sum.text()).toBe(total);
  });
});

describe("the hash of an input", () => {
  test("is that of its bytes, and there is none before the end", async () => {
    const text = money + row("T1", "1");
    const { bytes, digest } = hashWhileReading(inPieces(text, [7]));
    expect(digest).toThrow("not been read to its end");
    await Array.fromAsync(readPlanned(bytes, options("transactions")));
    expect(digest()).toBe(createHash("sha256").update(text).digest("hex"));
  });
});
