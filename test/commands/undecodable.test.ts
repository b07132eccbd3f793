import { programInShell } from "../helpers/built-program.ts";
import { programEnvironment } from "../helpers/folders.ts";
import { runProcess } from "../helpers/process.ts";
import type { TestSandbox } from "../helpers/service.ts";
import { type World, world } from "../helpers/world.ts";

/** Runs the program with words as a shell writes them, so that any byte can be among them. */
async function shell(words: string, desk: World<TestSandbox>, before = "") {
  return await runProcess(["/bin/bash", "-c", `${before} exec ${programInShell()} ${words}`], {
    env: programEnvironment(desk.folders, desk.env),
  });
}

test.each([
  [String.raw`notes create ACME EXT-0000001 --body $'caf\xe9'`, "--body"],
  [String.raw`notes create ACME EXT-0000001 --body=$'caf\xe9'`, "--body"],
  [String.raw`notes create ACME $'EXT-\xe9' --body a`, "<account>"],
  [String.raw`notes create $'ACM\xe9' EXT-0000001 --body a`, "<supplier>"],
  [
    String.raw`notes create ACME EXT-0000001 --document a.pdf --document $'caf\xe9.pdf'`,
    "--document",
  ],
  [
    String.raw`payment-instructions create ACME EXT-0000001 --reference $'R\xe9F' --type CARD`,
    "--reference",
  ],
  [String.raw`accounts status ACME $'EXT-\xe9'`, "<account>"],
])("%s is refused before anything is sent", async (words, named) => {
  const desk = await world();
  const { code, stderr } = await shell(words, desk);
  expect(code).toBe(2);
  expect(stderr).toContain(`${named} contains bytes that are not UTF-8`);
  expect(desk.service.ledger()).toEqual([]);
});

test("a variable of the environment with such bytes is refused by its name", async () => {
  const desk = await world();
  const before = String.raw`export SUPPLYLINE_BRAND=$'caf\xe9';`;
  const { code, stderr } = await shell("notes create ACME EXT-0000001 --body a", desk, before);
  expect(code).toBe(2);
  expect(stderr).toContain("SUPPLYLINE_BRAND contains bytes that are not UTF-8");
});

test("a file that holds the sign itself, written as UTF-8, is sent as it is", async () => {
  const desk = await world();
  const from = await desk.file("notes.json", [{ body: "caf\uFFFD" }]);
  const { code } = await desk.run(["notes", "create", "ACME", "EXT-0000001", "--from", from]);
  expect(code).toBe(0);
  expect(desk.service.ledger()).toMatchObject([{ key: "caf\uFFFD" }]);
});
