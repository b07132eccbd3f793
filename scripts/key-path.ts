/**
 * Counts the files of `src` that two tasks run through. The sandbox stands for the service and does
 * not count.
 * - A CSV list, from the arguments of the command to standard output: every file of which a function
 *   runs.
 * - A note, from the key on an account's status to the drawn result: every file of which a function
 *   runs that did not run before. What opens the console, reads lists and shows the account has run by
 *   then.
 */
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { registerHooks } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const source = resolve(import.meta.dirname, "../src");

/** These run in a process or a thread of their own. */
const entries = /^(?:cli|program)\.ts$|^start\/|worker\.ts$/;

process.env.NODE_ENV = "production";

// Node reads TypeScript, but not the tags of components.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".tsx")) return next(url, context);
    const text = readFileSync(fileURLToPath(url), "utf8");
    const { code } = transformSync(text, { loader: "tsx", jsx: "automatic", target: "node24" });
    return { format: "module", source: code, shortCircuit: true };
  },
});

const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** The functions that have run since the last call, by their file; each by its place in it. */
async function functionsRun(): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  const files = new Map<string, ReadonlySet<number>>();
  for (const { url, functions } of result) {
    if (!url.startsWith("file:")) continue;
    const file = relative(source, fileURLToPath(url));
    if (file.startsWith("..") || file.startsWith("sandbox/")) continue;
    const ran = functions.flatMap(({ ranges: [range] }) => (range?.count ? [range] : []));
    files.set(file, new Set(ran.map(({ startOffset }) => startOffset)));
  }
  return files;
}

// Loaded at once, so that what a module does when it is loaded is not taken for the way.
for await (const file of glob("**/*.{ts,tsx}", { cwd: source })) {
  if (!entries.test(file)) await import(resolve(source, file));
}
const { runCommand } = await import("../test/helpers/command.ts");
const { fakeClock } = await import("../test/helpers/clock.ts");
const { openConsole } = await import("../test/helpers/console.ts");

await functionsRun();
const list = ["accounts", "list", "ACME", "--format", "csv", "--sandbox"];
const { code, stdout } = await runCommand(list);
if (code !== 0 || !stdout.includes("EXT-0000001")) throw new Error("the list is not complete");
const listed = [...(await functionsRun())].filter(([, ran]) => ran.size > 0);
print(
  "the CSV list",
  listed.map(([file]) => file),
);

// Time stands still, so that nothing runs because a while has passed.
const clock = fakeClock();
await using console = await openConsole(["--sandbox", "open", "ACME"], {
  cols: 120,
  rows: 30,
  clock,
});
await console.waitFor("of 120 imported");
console.press("enter");
await console.waitFor(/1 of 120/);
console.press("enter");
await console.waitFor("COMPLETED");
// What leaving the account runs is not of the key, and may come after the last frame.
console.press("esc");
await console.waitFor(/1 of 120/);
console.press("enter");
await console.waitFor("final, checked");
const before = await functionsRun();
console.press("n");
await console.waitFor("Note 1");
console.paste("called back");
await console.waitFor("called back");
console.press("ctrl-g");
await console.waitFor("s send now");
console.press("s");
await console.waitFor("NOTE_CREATION_SUCCESS");
const after = await functionsRun();

const files = [...after].filter(([file, ran]) => !ran.isSubsetOf(before.get(file) ?? new Set()));
print(
  "the note",
  files.map(([file]) => file),
);

function print(task: string, names: readonly string[]) {
  process.stdout.write(`${names.toSorted().join("\n")}\n${names.length} files: ${task}\n\n`);
}
