import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { environment } from "../../scripts/manual/environment.ts";
import { manualPages } from "../../scripts/manual/pages.ts";
import { declaredProgram } from "../../scripts/reference/declared.ts";
import { inputColumnsOf } from "../../src/commands/bulk/columns.ts";
import { formKinds } from "../../src/forms/forms.ts";
import { actionIds } from "../../src/keys/bindings.ts";
import { preferenceSettings, profileSettings } from "../../src/settings/schemas.ts";
import { openFolders } from "../helpers/folders.ts";

const { commands } = await declaredProgram("1.2.3");
const pages = await manualPages("1.2.3");

const signs: Readonly<Record<string, string>> = {
  "-": "-",
  e: "\\",
  "(ha": "^",
  "(ti": "~",
  "(ga": "`",
};

/** A page with its words as they are typed: without escapes and changes of font. */
function pageOf(file: string): string {
  const text = pages.find((one) => one.file === file)?.text;
  expect(text, file).toBeDefined();
  return (text ?? "")
    .replaceAll(/\\f[BR]|\\&/g, "")
    .replaceAll(/\\(\((?:ha|ti|ga)|[-e])/g, (_, name: string) => signs[name] ?? "");
}

/** The terms of a page, in their order. */
const termsOf = (page: string) => [...page.matchAll(/^\.B (.+)$/gm)].map(([, term]) => term);

test("there is a page for each command, and one for the program, the keys and the settings", () => {
  expect(pages.map(({ file }) => file)).toEqual([
    "man1/supplyline.1",
    ...commands.map(({ path }) => `man1/supplyline-${path.replaceAll(" ", "-")}.1`),
    "man7/supplyline-keys.7",
    "man5/supplyline-config.5",
  ]);
});

test("values are printed as they are typed, with every default", () => {
  expect(pageOf("man1/supplyline-completion.1")).toMatch(/^bash, zsh, fish$/m);
  expect(pageOf("man1/supplyline-bulk-run.1")).toMatch(/^notes, transactions, statements/m);
  expect(pageOf("man1/supplyline-accounts-list.1")).toContain(
    "The state of the accounts: all, pending, imported (default: all).",
  );
  const watch = pageOf("man1/supplyline-accounts-watch.1");
  expect(watch).toContain("(default: COMPLETED).");
  expect(watch).toContain("(default: 5s).");
  expect(pageOf("man1/supplyline.1")).toContain("(default: table).");
});

test.each(commands)("the page of $path has its options, exit codes and examples", (command) => {
  const page = pageOf(`man1/supplyline-${command.path.replaceAll(" ", "-")}.1`);
  expect(termsOf(page)).toEqual(expect.arrayContaining(command.options.map(({ term }) => term)));
  expect(page).toContain(`.SH "EXIT STATUS"\n${command.exitCodes.join(", ")}. `);
  for (const line of command.examples) expect(page).toContain(`\n${line}\n`);
});

test("the page of the program lists every command", () => {
  const page = pageOf("man1/supplyline.1");
  expect(termsOf(page)).toEqual(expect.arrayContaining(commands.map(({ path }) => path)));
  expect(page).toMatch(/^\.SH "EXAMPLES"$/m);
  expect(page).toMatch(/^\.SH "SEE ALSO"$/m);
});

test("the page of bulk run has the columns of every kind", () => {
  const terms = termsOf(pageOf("man1/supplyline-bulk-run.1")).map((term) => term?.split(" ")[0]);
  const names = formKinds.flatMap((kind) => inputColumnsOf(kind).map(({ name }) => name));
  expect(terms).toEqual(expect.arrayContaining(names));
});

test("the page of keys names every action for keymap.json", () => {
  const page = pageOf("man7/supplyline-keys.7");
  expect(actionIds.filter((id) => !page.includes(`(${id}).`))).toEqual([]);
});

test("the page of settings has every setting and every variable", () => {
  const variables = environment.flatMap((group) => group.variables.map(({ name }) => name));
  const settings = [...Object.keys(profileSettings), ...Object.keys(preferenceSettings)];
  const terms = termsOf(pageOf("man5/supplyline-config.5"));
  expect(terms).toEqual(expect.arrayContaining([...variables, ...settings]));
});

const hasMan = spawnSync("man", ["--version"]).status === 0;

test.skipIf(!hasMan)("man finds the pages beside a program in PATH, and shows each", async () => {
  const folders = await openFolders();
  for (const { file, text } of pages) {
    const path = join(folders.home, "man", file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const man = (name: string) =>
    spawnSync("man", ["--warnings=w", "-Tutf8", name], {
      encoding: "utf8",
      env: { PATH: `${folders.home}:${process.env.PATH}`, MANWIDTH: "60", LC_ALL: "C.UTF-8" },
    });
  for (const name of ["supplyline", "supplyline-check", "supplyline-keys", "supplyline-config"]) {
    const { status, stderr } = man(name);
    expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: "" });
  }
  // The longest names of columns are wider than the page.
  const { status, stdout, stderr } = man("supplyline-bulk-run");
  expect(status).toBe(0);
  expect(stderr.replaceAll(/^.*can't break line\n/gm, "")).toBe("");
  // Printed bold, a letter stands twice with a backspace between.
  expect(stdout.replaceAll(/.\x08/g, "")).toContain("--allow-missing");
});
