import { readFileSync } from "node:fs";
import { type Client, fakeClock, json, noon, opened, paths } from "./client.ts";

const longToken = ["token-life=999999m"];

/** A row of a list: pending rows have nulls (INTERFACE 4.10). */
interface Row {
  readonly external_account_number: string;
  readonly service_account_number: string | null;
  readonly account_created_at: string | null;
}

const list = async (client: Client, state = "all"): Promise<readonly Row[]> =>
  json(await client.get(paths.list(state, "NORTH")));
const named = (nth: number) => `NORTH-${String(1200 + nth).padStart(7, "0")}`;
const statusOf = async (client: Client, nth: number): Promise<string> => {
  const response = await client.get(paths.account(named(nth), "NORTH"));
  return response.status === 404 ? "404" : (await json(response)).status;
};
/** An account of today's wave in the lists, and the answer of 4.8. */
async function seen(client: Client, nth: number): Promise<string> {
  const rows = await list(client);
  const row = rows.find((one) => one.external_account_number === named(nth));
  const listed =
    row === undefined ? "absent" : row.service_account_number === null ? "pending" : "imported";
  return `${listed} ${await statusOf(client, nth)}`;
}

async function day(scenario?: "migration-day") {
  const clock = fakeClock();
  const client = await opened({ now: clock.now, faults: longToken, ...(scenario && { scenario }) });
  let reached = scenario === undefined ? 360 : 0;
  return {
    client,
    clock,
    /** Goes on to a second of the day. */
    until: (seconds: number) => {
      clock.pass(seconds - reached);
      reached = seconds;
    },
  };
}

describe("the supplier with a history", () => {
  test("its earlier waves were imported in working hours, with quiet weekends and a pause", async () => {
    const client = await opened();
    const past = (await list(client)).slice(0, 1200);
    const created = past.flatMap((row) => row.account_created_at ?? []);
    expect(past.length - created.length).toBe(4);
    const instants = created.map((text) => new Date(text));
    expect(instants.every((at) => at.getUTCHours() >= 6 && at.getUTCHours() < 20)).toBe(true);
    const perDay = new Map<string, number>();
    for (const text of created) {
      const date = text.slice(0, 10);
      perDay.set(date, (perDay.get(date) ?? 0) + 1);
    }
    const days = Array.from({ length: 28 }, (_, ago) => new Date(noon - (28 - ago) * 86_400_000));
    const counts = days.map((at) => perDay.get(at.toISOString().slice(0, 10)) ?? 0);
    expect(counts.slice(11, 16)).toEqual([0, 0, 0, 0, 0]);
    const isWeekend = days.map((at) => [0, 6].includes(at.getUTCDay()));
    const working = counts.filter((_, at) => !isWeekend[at] && (at < 11 || at >= 16));
    expect(Math.min(...working)).toBeGreaterThan(40);
    expect(Math.max(...counts.filter((_, at) => isWeekend[at]))).toBeLessThan(15);
  });

  test("today's bursts are of this morning, the last of them two hours ago", async () => {
    const client = await opened();
    const today = (await list(client, "imported")).filter(
      ({ external_account_number: number }) => number >= named(1) && number <= named(80),
    );
    expect(today).toHaveLength(63);
    const hours = today.map((row) => (noon - Date.parse(row.account_created_at ?? "")) / 3_600_000);
    expect(Math.max(...hours)).toBeLessThan(5);
    expect(Math.min(...hours)).toBeGreaterThan(2);
  });

  test("nothing moves before its first list, or at speed 0", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now, faults: longToken });
    const still = await opened({ now: clock.now, faults: longToken, speed: 0 });
    await list(still);
    clock.pass(3600);
    expect(await statusOf(client, 65)).toBe("UNKNOWN");
    expect(await statusOf(still, 65)).toBe("UNKNOWN");
    await list(client);
    clock.pass(3600);
    expect(await statusOf(client, 65)).toBe("404");
    expect(await statusOf(still, 65)).toBe("UNKNOWN");
  });
});

describe("the afternoon of a migration day", () => {
  // 4.8: "returned whenever the import process exists, whether or not an account has been created";
  // 404: "no account for the given import supplier and external account number".
  test.each([
    ["one has failed", 61, ["absent UNKNOWN", "absent UNKNOWN"]],
    ["one is being created and off the list", 62, ["absent IN_PROGRESS", "absent IN_PROGRESS"]],
    ["one was withdrawn", 63, ["absent 404", "absent 404"]],
    ["one fails and leaves the list", 64, ["pending UNKNOWN", "absent UNKNOWN"]],
    ["one disappears", 65, ["pending UNKNOWN", "absent 404"]],
    ["one disappears and returns", 66, ["pending UNKNOWN", "absent 404", "pending UNKNOWN"]],
    [
      "one leaves the list and is imported",
      67,
      ["pending UNKNOWN", "absent IN_PROGRESS", "imported COMPLETED"],
    ],
    ["an imported one is removed", 69, ["imported COMPLETED", "imported COMPLETED", "absent 404"]],
    [
      "an imported one is staged again",
      70,
      ["imported COMPLETED", "imported COMPLETED", "pending UNKNOWN"],
    ],
    ["one is staged late", 71, ["absent 404", "pending UNKNOWN", "imported COMPLETED"]],
    ["one stays pending", 80, ["pending UNKNOWN", "pending UNKNOWN", "pending UNKNOWN"]],
  ])("%s", async (_, nth, states) => {
    const { client, until } = await day();
    for (const [at, state] of states.entries()) {
      expect(await seen(client, nth)).toBe(state);
      until([425, 600][at] ?? 600);
    }
    expect(await seen(client, nth)).toBe(states.at(-1));
  });

  test("one gets another service account number and another instant of creation", async () => {
    const { client, until } = await day();
    const row = async () =>
      (await list(client)).find((one) => one.external_account_number === named(68));
    const before = await row();
    until(450);
    const after = await row();
    expect(after?.service_account_number).toMatch(/^A-[0-9A-F]{8}$/);
    expect(after?.service_account_number).not.toBe(before?.service_account_number);
    expect(after?.account_created_at).toBe("2025-11-21T12:01:30Z");
    const status = await json(await client.get(paths.account(named(68), "NORTH")));
    expect(status.service_account_number).toBe(after?.service_account_number);
  });
});

describe("the scenario migration-day", () => {
  test("stages two lots, imports in bursts and pauses between them", async () => {
    const { client, until } = await day("migration-day");
    const size = async (state: string) => (await list(client, state)).length;
    expect([await size("pending"), await size("imported")]).toEqual([4, 1196]);
    expect(await seen(client, 1)).toBe("absent 404");
    until(15);
    expect(await size("pending")).toBe(44);
    until(30);
    expect(await size("pending")).toBe(83);
    until(120);
    const afterOne = await size("imported");
    expect(afterOne).toBe(1196 + 31);
    until(180);
    expect(await size("imported")).toBe(afterOne);
    until(239);
    expect(await size("imported")).toBe(1196 + 63);
    until(600);
    expect([await size("pending"), await size("imported")]).toEqual([4 + 7, 1196 + 67]);
  });

  test("its lists are empty for a while, then too short, while statuses stay", async () => {
    const { client, until } = await day("migration-day");
    await list(client);
    until(239);
    const before = await list(client);
    const sizes: number[] = [];
    for (const seconds of [240, 269, 270, 299]) {
      until(seconds);
      sizes.push((await list(client)).length);
      expect(await statusOf(client, 1)).toBe("COMPLETED");
    }
    expect(sizes).toEqual([0, 0, 100, 100]);
    until(300);
    expect(await list(client)).toEqual(before);
  });

  test("plays the same twice", async () => {
    const played = async () => {
      const { client, until } = await day("migration-day");
      const lists = [];
      for (const seconds of [0, 100, 200, 300, 400, 500, 600]) {
        lists.push(await list(client));
        until(seconds);
      }
      return lists;
    };
    expect(await played()).toEqual(await played());
  });

  test("another scenario is refused by name", async () => {
    await expect(opened({ scenario: "tuesday" as "migration-day" })).rejects.toThrow(
      'Sandbox scenario "tuesday": migration-day is expected.',
    );
  });
});

test("the example file has the wave, with typos, duplicates, an empty number and strangers", async () => {
  const text = readFileSync(new URL("../../examples/migration-day.csv", import.meta.url), "utf8");
  const [header, ...lines] = text.trimEnd().split("\n");
  expect(header).toBe("external_account_number,batch");
  const numbers = lines.map((line) => line.split(",")[0] ?? "");
  const wave = Array.from({ length: 80 }, (_, at) => named(at + 1));
  const missing = wave.filter((number) => !numbers.includes(number));
  expect(missing).toEqual([named(15), named(21), named(32)]);
  const strange = [...new Set(numbers)].filter((number) => !wave.includes(number));
  expect(strange).toEqual([
    "north-0001215",
    "NORTH-001221",
    "NORTH-O001232",
    "NORTH-0077001",
    "",
    "NORTH-0077002",
  ]);
  expect(numbers.length - new Set(numbers).size).toBe(2);
  const client = await opened();
  for (const number of strange.filter((one) => one !== "")) {
    expect((await client.get(paths.account(number, "NORTH"))).status).toBe(404);
  }
});
