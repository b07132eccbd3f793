import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { numbers } from "../helpers/list-service.ts";
import { openService, reply } from "../helpers/service.ts";

const source = numbers.join("\n");

/** Every command that reads a whole list, with its input. */
const readers: readonly (readonly [words: readonly string[], input?: string])[] = [
  [["accounts", "list", "ACME"]],
  [["accounts", "list", "ACME", "--format", "csv"]],
  [["accounts", "list", "ACME", "--ages", "--json"]],
  [["accounts", "list", "ACME", "--state", "imported", "--json"]],
  [["reconcile", "ACME", "--source", "-", "--json"], source],
  [["check", "ACME", "--gone"]],
  [["find", "EXT-1", "--supplier", "ACME", "--lists-only"]],
  [["suppliers", "show", "ACME", "--json"]],
  [["accounts", "watch", "ACME", "--from", "-", "--timeout", "1s"], source],
];

const errorText = "Service temporarily unavailable";

test.each([
  ["an error object", { detail: errorText, errors: [] }],
  ["an error object with texts", { errors: [errorText] }],
  ["an array of texts", [errorText]],
  ["an error around items", { detail: errorText, results: [{ external_account_number: "EXT-1" }] }],
])("%s in place of a list is unreadable for every reader, with its text", async (_, body) => {
  const service = await openService((_request, response) => reply(response, 200, body));
  for (const [words, input] of readers) {
    const { code, stdout, stderr } = await runCommand(words, {
      env: service.env,
      input: input ?? "",
    });
    const command = words.join(" ");
    const isWatch = words[1] === "watch";
    // A watch asks again until its time is over.
    expect(code, command).toBe(isWatch ? 8 : 6);
    expect(stdout, command).not.toContain("EXT-1,");
    if (!isWatch) expect(stderr, command).toContain(errorText);
  }
});

test("an error object after a list is not an observation, so nothing is gone", async () => {
  const folders = await openFolders();
  let body: unknown = numbers.map((number) => ({ external_account_number: number }));
  const service = await openService((_request, response) => reply(response, 200, body));
  const run = (...words: readonly string[]) => runCommand(words, { env: service.env, folders });
  expect(await run("accounts", "list", "ACME")).toMatchObject({ code: 0 });
  body = { errors: ["Not allowed"] };
  expect(await run("accounts", "list", "ACME")).toMatchObject({ code: 6 });
  body = [];
  expect((await run("observations", "list", "--json")).stdout).toContain('"observations":1');
});
