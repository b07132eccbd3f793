/** A journal that was restored from a backup or copied sends nothing again. */
import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { account, bulkWorld, errorOf, runIn } from "../helpers/desk.ts";
import { eventually } from "../helpers/eventually.ts";

/** Statements for `count` accounts, one each, which the service does not recognize when repeated. */
function statementsCsv(count: number): string {
  const head =
    "import_supplier,external_account_number,statement_id,number,bill_period_from_date,bill_period_to_date,issued_date,gross_amount";
  const rows = Array.from(
    { length: count },
    (_, at) => `BULK,${account(at + 1)},ST-${at + 1},${at + 1},2025-10-01,2025-10-31,2025-11-01,10`,
  );
  return `${head}\n${rows.join("\n")}\n`;
}

const rows = 30;
const resumed = ["--settle", "0s"];

/** A run of statements that was stopped, a backup of that moment, and its rest sent afterward. */
async function deskWithBackup() {
  const desk = await bulkWorld("latency=40ms@statements");
  const { folders, run, landed } = desk;
  await desk.file("st.csv", statementsCsv(rows));
  const started = await desk.start([
    "bulk",
    "run",
    "statements",
    "--from",
    "st.csv",
    "--concurrency",
    "2",
  ]);
  await eventually(() => expect(landed().length).toBeGreaterThan(4));
  started.kill("SIGINT");
  const id = runIn(await started.result);
  desk.service.setFaults([]);
  const backup = join(folders.home, "backup");
  const copy = (from: string, to: string) =>
    cp(from, join(to), { recursive: true, preserveTimestamps: true });
  await copy(folders.state, join(backup, "state"));
  await copy(folders.config, join(backup, "config"));
  expect((await run(["bulk", "resume", id, ...resumed])).code).toBe(0);
  expect(landed()).toHaveLength(rows);
  const restore = async (name: "state" | "config") => {
    await rm(folders[name], { recursive: true });
    await copy(join(backup, name), folders[name]);
  };
  const resume = (...words: string[]) => run(["bulk", "resume", id, ...resumed, ...words]);
  return { ...desk, id, restore, resume };
}

test.each([
  ["the state folder", ["state"]],
  ["the state and the config folder", ["state", "config"]],
] as const)("a run is not resumed after %s was restored", async (_, names) => {
  const { run, restore, resume, landed } = await deskWithBackup();
  for (const name of names) await restore(name);
  const refused = await resume("--json");
  expect(refused.code).toBe(2);
  expect(errorOf(refused)).toMatchObject({ kind: "older-journal" });
  // The next process finds the same, although more was recorded since. A reason passes nothing.
  const again = ["--again", "--reason", "checked"];
  await run(["notes", "create", "BULK", account(1), "--body", "one", ...again]);
  expect(await resume(...again)).toMatchObject({ code: 2 });
  expect(landed()).toHaveLength(rows + 1);
});

test("entries and new writes wait for the repair, whatever the reason, and the run continues after it", async () => {
  const { run, restore, resume, landed, json } = await deskWithBackup();
  await restore("state");
  const doctor = (await json(["doctor"])) as { check: string; result: string }[];
  expect(doctor.find(({ check }) => check === "journal")).toMatchObject({ result: "fail" });
  const [waiting] = (await json(["activity", "list", "--outcome", "unsent"])) as {
    journal_id: number;
  }[];
  const resend = ["activity", "resend", String(waiting?.journal_id)];
  const again = ["--again", "--reason", "checked"];
  expect(errorOf(await run([...resend, "--json"]))).toMatchObject({ kind: "older-journal" });
  expect(errorOf(await run([...resend, ...again, "--json"]))).toMatchObject({
    kind: "older-journal",
  });
  const payment = ["payment-instructions", "create", "BULK", account(1), "--vendor", "GOODPAY"];
  const pay = [...payment, "--reference", "R-9", "--type", "CARD"];
  expect(errorOf(await run([...pay, "--json"]))).toMatchObject({ kind: "older-journal" });
  expect(errorOf(await run([...pay, ...again, "--json"]))).toMatchObject({ kind: "older-journal" });
  const file = ["bulk", "run", "statements", "--from", "st.csv", "--yes", "--results", "new.csv"];
  expect(errorOf(await run([...file, ...again, "--json"]))).toMatchObject({
    kind: "older-journal",
  });
  expect(landed()).toHaveLength(rows);
  // The service recognizes a note with a text, so nothing can happen twice.
  const noted = await run(["notes", "create", "BULK", account(2), "--body", "two"]);
  expect(noted.code).toBe(0);
  expect(noted.stderr).toContain("older than this machine remembers");
  expect((await run(["activity", "repair"])).code).toBe(2);
  expect(await json(["activity", "repair", "--reason", "all compared"])).toMatchObject({
    repaired: true,
    reason: "all compared",
  });
  expect(await json(["activity", "repair", "--reason", "again"])).toMatchObject({
    repaired: false,
  });
  expect(await run(pay)).toMatchObject({ code: 0 });
  expect(await resume("--dry-run")).toMatchObject({ code: 0 });
  expect(await resume()).not.toMatchObject({ code: 2 });
});

test("an entry that is in doubt itself names the restored journal first", async () => {
  const { run, folders, service, json } = await bulkWorld();
  service.setFaults(["500@payment-instructionsx3"]);
  const payment = ["payment-instructions", "create", "BULK", account(1), "--vendor", "GOODPAY"];
  const pay = [...payment, "--reference", "R-1", "--type", "CARD", "--settle", "0s"];
  await run(pay);
  const backup = join(folders.home, "backup");
  await cp(folders.state, backup, { recursive: true });
  const resend = ["activity", "resend", "1"];
  expect(await run([...resend, "--again", "--reason", "now"])).toMatchObject({ code: 0 });
  await rm(folders.state, { recursive: true });
  await cp(backup, folders.state, { recursive: true });
  expect(errorOf(await run([...resend, "--json"]))).toMatchObject({ kind: "older-journal" });
  expect(errorOf(await run([...pay, "--json"]))).toMatchObject({ kind: "older-journal" });
  expect(await json(["activity", "list"])).toMatchObject([{ outcome: "retryable" }]);
});

test("a copy of the state folder beside the original is found, and the original stays usable", async () => {
  const { run, folders, file } = await bulkWorld();
  await file("st.csv", statementsCsv(2));
  await run(["bulk", "run", "statements", "--from", "st.csv"]);
  const copied = join(folders.home, "copied");
  await cp(folders.state, copied, { recursive: true });
  const send = (n: number, env = {}) =>
    run(
      [
        "payment-instructions",
        "create",
        "BULK",
        account(n),
        "--vendor",
        "GOODPAY",
        "--type",
        "CARD",
        "--reference",
        `R-${n}`,
      ],
      { env },
    );
  expect(await send(1, { SUPPLYLINE_STATE_DIR: copied })).toMatchObject({ code: 2 });
  expect(await send(2)).toMatchObject({ code: 0 });
});

test("a fresh config folder and one that cannot be written raise no alarm", async () => {
  const { run, folders, file, json } = await bulkWorld();
  await file("st.csv", statementsCsv(2));
  await run(["bulk", "run", "statements", "--from", "st.csv"]);
  await rm(folders.config, { recursive: true });
  const note = (text: string) => run(["notes", "create", "BULK", account(1), "--body", text]);
  expect(await note("one")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("copy") });
  await rm(join(folders.config, "journals"), { recursive: true });
  await writeFile(join(folders.config, "journals"), "", { mode: 0o600 });
  expect(await note("two")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("copy") });
  const doctor = (await json(["doctor"])) as { check: string; result: string }[];
  expect(doctor.find(({ check }) => check === "journal")).toMatchObject({ result: "warn" });
});
