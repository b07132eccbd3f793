import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readUserCommands } from "../../../src/commands/open/user-keys.ts";
import { defaultKeymap } from "../../../src/keys/keymap.ts";
import { readCustomCommands } from "../../../src/settings/custom/read-commands.ts";
import { freshFolder } from "../settings-folder.ts";

/** A settings folder with this `commands.json`. */
function folderWith(content: unknown, mode = 0o600): string {
  const { config } = freshFolder();
  mkdirSync(config, { mode: 0o700 });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(config, "commands.json"), text);
  chmodSync(join(config, "commands.json"), mode);
  return config;
}

const ticket = {
  key: "N",
  screens: ["account"],
  description: "Open a ticket",
  run: ["ticket", "{external_account_number}"],
};
const read = (content: unknown) => readCustomCommands(folderWith(content));
const issueOf = (command: object) =>
  read({ commands: { ticket: { ...ticket, ...command } } }).issues;

describe("commands.json", () => {
  test("names the key, the screens and the program of a command, and takes care by default", () => {
    const { commands, issues } = read({ commands: { ticket } });
    expect(issues).toEqual([]);
    expect(commands).toEqual([
      {
        entry: "commands.ticket",
        name: "ticket",
        key: "N",
        screens: ["account"],
        argv: ["ticket", "{external_account_number}"],
        env: {},
        rows: "one",
        description: "Open a ticket",
        confirm: null,
        output: "notice",
        writes: true,
        timeoutMs: 30_000,
      },
    ]);
  });

  test("that is not there holds nothing", () => {
    const { config } = freshFolder();
    expect(readCustomCommands(config)).toMatchObject({ commands: [], issues: [] });
  });

  test.each([
    [{ run: "ticket {x}" }, 'ticket.run: must be a list of texts, as ["jq", "."]; no shell reads'],
    [{ run: ["./ticket"] }, "ticket.run: must begin with an absolute path"],
    [{ run: ["{external_account_number}"] }, "ticket.run: must begin with the program"],
    [{ run: ["t", "{external_acount_number}"] }, "did you mean {external_account_number}?"],
    [{ run: ["t", "a={status}"] }, "has {status} inside"],
    [{ run: ["t", "{external_account_numbers}"] }, "names {external_account_numbers}"],
    [{ run: ["t", "a\0b"] }, "ticket.run: must not contain a NUL"],
    [{ env: { LD_PRELOAD: "{status}" } }, "ticket.env.LD_PRELOAD: cannot be set here"],
    [{ env: { "A B": "x" } }, "ticket.env.A B: must be the name of a variable"],
    [{ screens: "acount" }, 'ticket.screens: "acount" is not a screen; the screens are suppliers'],
    [{ rows: "marked", run: ["t"] }, "ticket.screens: nothing can be marked on account"],
    [{ output: "popup" }, "ticket.output: must be one of notice, pager, terminal"],
    [{ timeout: "soon" }, "ticket.timeout: must be a duration of at most an hour"],
    [{ writes: "no" }, "ticket.writes: must be true or false"],
    [{ description: "" }, "ticket.description: must be a text that is not empty"],
    [{ outptu: "pager" }, "ticket.outptu: is not a field; did you mean output?"],
  ])("with %j in an entry names the entry and the field", (command, words) => {
    const [issue, ...others] = issueOf(command);
    expect(issue).toContain("commands.json: commands.");
    expect(issue).toContain(words);
    expect(others).toEqual([]);
  });

  test("keeps the entries that are right", () => {
    const { commands, issues } = read({ hooks: {}, commands: { bad: {}, ticket } });
    expect(commands.map(({ name }) => name)).toEqual(["ticket"]);
    expect(issues).toEqual([
      "commands.json: hooks: is not a field; the fields are $schema, commands",
      "commands.json: commands.bad.description: is missing: a sentence for the help and the palette",
    ]);
  });

  test("is not used where others can reach it, or where it is a link", () => {
    const open = folderWith({ commands: { ticket } }, 0o622);
    const exposed = readCustomCommands(open);
    expect(exposed.commands).toEqual([]);
    expect(exposed.issues).toEqual([
      expect.stringMatching(
        /^Fix: chmod 600 \S+commands\.json\. The file \S+commands\.json is open to other users .*\.$/,
      ),
    ]);
    const linked = freshFolder().config;
    mkdirSync(linked, { mode: 0o700 });
    symlinkSync(join(open, "commands.json"), join(linked, "commands.json"));
    expect(readCustomCommands(linked).issues[0]).toContain("is a symbolic link");
  });

  test("that is no JSON is named with the line", () => {
    expect(read('{\n "commands": ]}').issues[0]).toContain("is not JSON at line 2");
  });
});

describe("a key of a command", () => {
  const keyed = (commands: Record<string, object>) =>
    readUserCommands(folderWith({ commands }), defaultKeymap);

  test.each([
    ["n", "n is the key of note"],
    ["7", "digits choose rows"],
    ["ctrl-h", "is reserved"],
    ["hyper", "hyper is not a key"],
  ])("%s is refused, and the command stays in the palette", (key, words) => {
    const { commands, issues } = keyed({ ticket: { ...ticket, key } });
    expect(commands).toMatchObject([{ name: "ticket", key: null }]);
    expect(issues).toEqual([
      expect.stringMatching(`^commands.json: commands.ticket.key: .*${words}`),
    ]);
  });

  test("is for one command of a screen, and may be another's elsewhere or for marked rows", () => {
    const { commands, issues } = keyed({
      one: ticket,
      other: { ...ticket, screens: ["account", "watch"] },
      elsewhere: { ...ticket, screens: ["accounts"] },
      marked: { ...ticket, screens: ["accounts"], rows: "marked", run: ["t"] },
    });
    expect(commands.map(({ name, key }) => [name, key])).toEqual([
      ["one", "N"],
      ["other", null],
      ["elsewhere", "N"],
      ["marked", "N"],
    ]);
    expect(issues).toEqual([
      "commands.json: commands.other.key: N is the key of commands.one; choose another; until then it is in the palette only",
    ]);
  });
});
