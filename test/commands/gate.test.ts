/** Tests what a command without a terminal needs before it sends something. */
import { instruction, note, notesCsv, transactionsCsv } from "../helpers/desk.ts";
import { world } from "../helpers/world.ts";

type Environment = "sandbox" | "test" | "production";

const again = ["--again", "--reason", "lost"];
const bulk = (kind: string, file: string) => ["bulk", "run", kind, "--from", file];

/** The words of a command, and the flags that it lacks on test and on production; none in the sandbox. */
const table = {
  "one note": [note("--body", "b"), "", "--yes"],
  "a payment sent before": [instruction("GOODPAY", ...again), "--yes", "--yes"],
  "a resend in doubt with a reason": [["activity", "resend", "1", ...again], "--yes", "--yes"],
  "a verification that sends": [["activity", "verify", "2"], "", "--yes"],
  "many notes": [bulk("notes", "notes.csv"), "--yes", "--yes"],
  "many notes with a reason": [[...bulk("notes", "notes.csv"), ...again], "--yes", "--yes"],
  "many transactions": [
    bulk("transactions", "t.csv"),
    "--yes",
    "--yes and --expect-rows N and --expect-sum X",
  ],
} as const satisfies Record<string, readonly [readonly string[], string, string]>;

const whats = Object.keys(table) as readonly (keyof typeof table)[];

/** A world with an unknown payment as entry 1, and an unknown note as entry 2. */
async function worldInDoubt() {
  const desk = await world();
  await desk.file("notes.csv", notesCsv(2));
  await desk.file("t.csv", transactionsCsv("10.10", "-0.05"));
  desk.service.setFaults(["reset-after"]);
  await desk.run(instruction("GOODPAY"));
  await desk.run(note("--body", "a", "--settle", "0s"));
  desk.service.setFaults([]);
  const outcomes = await desk.json(["activity", "list"]);
  expect(outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    "unknown",
    "unknown",
  ]);
  return { ...desk, effects: desk.service.ledger().length };
}

/** The world of commands that are refused: they change nothing in it. */
let inDoubt: Awaited<ReturnType<typeof worldInDoubt>>;
beforeAll(async () => {
  inDoubt = await worldInDoubt();
});

const cells = whats.flatMap((what) => {
  const [words, onTest, onProduction] = table[what];
  return [
    { what, words, environment: "sandbox" as const, missing: "" },
    { what, words, environment: "test" as const, missing: onTest },
    { what, words, environment: "production" as const, missing: onProduction },
  ] satisfies {
    what: string;
    words: readonly string[];
    environment: Environment;
    missing: string;
  }[];
});

test.each(cells)(
  "$what on $environment lacks: $missing",
  async ({ words, environment, missing }) => {
    const desk = missing === "" ? await worldInDoubt() : inDoubt;
    const env = { SUPPLYLINE_ENVIRONMENT: environment };
    const { code, stderr } = await desk.run(words, { env });
    const isRefused = /needs to be confirmed/i.test(stderr);
    expect([isRefused, /Nothing was sent\. Give (.*) to go ahead/.exec(stderr)?.[1] ?? ""]).toEqual(
      [missing !== "", missing],
    );
    if (missing === "") {
      expect(code).not.toBe(2);
      return;
    }
    expect(code).toBe(2);
    expect(desk.service.ledger()).toHaveLength(desk.effects);
  },
);

test.each(whats)("%s is refused with --read-only, with --yes too: 2", async (what) => {
  const desk = inDoubt;
  const { code, stderr } = await desk.run([...table[what][0], "--read-only", "--yes"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/--read-only forbids .*Nothing was sent/);
  expect(desk.service.ledger()).toHaveLength(desk.effects);
});

test.each<Environment>(["sandbox", "test", "production"])(
  "a resend in doubt on %s takes a reason, with --yes too: 2",
  async (environment) => {
    const desk = inDoubt;
    const env = { SUPPLYLINE_ENVIRONMENT: environment };
    const { code, stderr } = await desk.run(["activity", "resend", "1", "--yes", "--json"], {
      env,
    });
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ kind: "duplicate", journal_id: 1 });
    expect(error.message).toMatch(/Nothing was sent.*--again --reason TEXT/);
    expect(desk.service.ledger()).toHaveLength(desk.effects);
  },
);
