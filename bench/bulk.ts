import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtProgram } from "../test/helpers/built-program.ts";
import { openFolders } from "../test/helpers/folders.ts";
import { startCli } from "../test/helpers/process.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { now, pause } from "./measure/clock.ts";
import { run, withInstalled } from "./measure/peers.ts";
import { memory } from "./measure/process-figures.ts";
import { isSkipped, type Skipped } from "./measure/rounds.ts";
import { accountsOf, type SandboxProcess, startSandboxProcess } from "./measure/sandbox-process.ts";

/** The number of writes of the shell loop. Its figure is for each write. */
const mostByCurl = 400;

/**
 * Notes for as many accounts through `bulk run`, each journalled on disk before it is sent, against
 * a sandbox in another process. Beside it what is done without: eight curls at a time.
 */
export const bulk: Benchmark = async ({ notes }) => {
  const skipped = { skipped: "this build has no bulk command" };
  const help = await run(process.execPath, [builtProgram(), "--help"]);
  await using sandbox = await startSandboxProcess(notes * 2 + 200);
  const accounts = (await accountsOf(sandbox, "imported")).slice(0, notes);
  const curl = withInstalled(["xargs", "curl"], () => byCurl(sandbox, accounts));
  const theirs = isSkipped(curl) ? curl : await curl();
  const hasBulk = /^\s+bulk\b/m.test(help.stdout);
  const ours = hasBulk ? await byBulk(sandbox, accounts, "Bench note", {}) : null;
  // With room to spare Node lets garbage lie; a small heap shows that it is nothing else.
  const small = { NODE_OPTIONS: "--max-old-space-size=64 --max-semi-space-size=4" };
  const bounded = hasBulk ? await byBulk(sandbox, accounts, "Bounded note", small) : null;
  return {
    "writes in a second": {
      ours: ours?.rate ?? skipped,
      peers: { "xargs -P 8 curl": theirs },
    },
    "memory at the end": {
      ours: ours?.atEnd ?? skipped,
      peers: { "memory at a quarter": ours?.atQuarter ?? skipped },
    },
    "memory at the end, heap of 64 MB": {
      ours: bounded?.atEnd ?? skipped,
      peers: { "memory at a quarter": bounded?.atQuarter ?? skipped },
    },
  };
};

async function byBulk(
  sandbox: SandboxProcess,
  accounts: readonly string[],
  text: string,
  env: Readonly<Record<string, string>>,
): Promise<{ rate: number; atQuarter: number | Skipped; atEnd: number | Skipped }> {
  await using folders = await openFolders();
  const file = join(folders.home, "notes.csv");
  const rows = accounts.map((account, n) => `ACME,"${account.replaceAll('"', '""')}",${text} ${n}`);
  await writeFile(file, `import_supplier,external_account_number,body\n${rows.join("\n")}\n`);
  const results = join(folders.home, "results.csv");
  const args = ["bulk", "run", "notes", "--from", file, "--results", results, "--yes"];
  const from = now();
  await using cli = await startCli(args, { env: { ...sandbox.env, ...env }, folders });
  let running = true;
  const ended = cli.result.finally(() => {
    running = false;
  });
  const samples: number[] = [];
  while (running) {
    // The process can end at any time, and then has no memory to read.
    try {
      const held = memory(cli.pid);
      if (!isSkipped(held)) samples.push(held);
    } catch {
      break;
    }
    await Promise.race([pause(50), ended]);
  }
  const { code, stderr } = await ended;
  const seconds = (now() - from) / 1000;
  if (code !== 0) throw new Error(`bulk run ended with ${code}: ${stderr}`);
  const none = { skipped: "its memory could not be looked at" };
  const at = (share: number) => samples[Math.floor((samples.length - 1) * share)] ?? none;
  return { rate: accounts.length / seconds, atQuarter: at(0.25), atEnd: at(1) };
}

/** Writes in a second, with a shell's own means. */
async function byCurl(sandbox: SandboxProcess, accounts: readonly string[]): Promise<number> {
  const bodies = accounts.slice(0, mostByCurl).map((account, n) =>
    JSON.stringify({
      import_supplier: "ACME",
      external_account_number: account,
      notes: [{ body: `Bench curl ${n}` }],
    }),
  );
  const { ms } = await run(
    "xargs",
    [
      "-0",
      "-P",
      "8",
      "-n",
      "1",
      "curl",
      "-sf",
      "-o",
      "/dev/null",
      "-H",
      `authorization: Token ${sandbox.token}`,
      "-H",
      "content-type: application/json",
      `${sandbox.baseUrl}/v1/data-import/notes/create/`,
      "--data-binary",
    ],
    { input: bodies.join("\0") },
  );
  return (bodies.length / ms) * 1000;
}
