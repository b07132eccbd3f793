import { execFileSync } from "node:child_process";
import { asCommand, asCurl } from "../../src/text/as-command.ts";
import { safeLines } from "../../src/text/sanitize.ts";
import { isArgument, shellQuote } from "../../src/text/shell-quote.ts";
import * as fc from "../helpers/fast-check.ts";
import { HOSTILE, mixes } from "./hostile.ts";

/** Returns the words that a real shell makes of a command line. */
function wordsOf(command: string, env: Record<string, string> = {}): string[] {
  const show = `show() { for word in "$@"; do printf '%s\\0' "$word"; done; }`;
  const script = `${show}\nshow ${command}`;
  const output = execFileSync("sh", ["-c", script], { env: { PATH: "/usr/bin:/bin", ...env } });
  return output.toString("utf8").split("\0").slice(0, -1);
}

describe("quoting for a shell", () => {
  test("plain words stay plain", () => {
    expect(shellQuote("EXT-1")).toBe("EXT-1");
    expect(shellQuote("EXT 1")).toBe("'EXT 1'");
    expect(shellQuote("")).toBe("''");
    expect(shellQuote("it's")).toBe("'it'\\''s'");
    for (const special of ["~x", "#x", "*", "a=b;c", "$(id)", "`id`", "!x", "{a,b}", "-n"]) {
      expect(wordsOf(shellQuote(special))).toEqual([special]);
    }
  });

  test("any text comes out of a real shell as it went in, and is safe to show", () => {
    const texts = [...Object.values(HOSTILE), ...fc.sample(mixes, 200)].filter(isArgument);
    const quoted = texts.map(shellQuote);
    expect(wordsOf(quoted.join(" "))).toEqual(texts);
    for (const text of quoted) expect(safeLines(text)).toBe(text);
  });
});

describe("the equivalent command", () => {
  test("names the place and the profile", () => {
    expect(asCommand({ kind: "account-status", supplier: "ACME", account: "EXT 1" }, "test")).toBe(
      "supplyline accounts status ACME 'EXT 1' --profile test",
    );
    expect(asCommand({ kind: "suppliers" }, "test")).toBe("supplyline open --profile test");
    expect(asCommand({ kind: "overview", supplier: "ACME" }, null)).toBe("supplyline open ACME");
    expect(asCommand({ kind: "profiles" }, "test")).toBe("supplyline profiles list");
    expect(asCommand({ kind: "supply-point-status", supplier: "ACME", id: "SP/1" }, null)).toBe(
      "supplyline supply-points status ACME SP/1",
    );
  });

  test("says which list and which filter", () => {
    const list = { kind: "accounts-list", supplier: "ACME" } as const;
    expect(asCommand({ ...list, state: "all" }, null)).toBe("supplyline accounts list ACME");
    expect(asCommand({ ...list, state: "pending", filter: "!x y" }, "test")).toBe(
      "supplyline accounts list ACME --state pending --filter '!x y' --profile test",
    );
    expect(asCommand({ ...list, state: "all", filter: "-x" }, null)).toBe(
      "supplyline accounts list ACME --filter=-x",
    );
  });

  test("says what a watch follows", () => {
    const watch = { kind: "account-watch", supplier: "ACME", account: "EXT-1" } as const;
    expect(asCommand(watch, null)).toBe("supplyline accounts watch ACME EXT-1");
    expect(asCommand({ ...watch, others: ["EXT 2", "E3"] }, null)).toBe(
      "supplyline accounts watch ACME EXT-1 'EXT 2' E3",
    );
    expect(asCommand({ kind: "supply-point-watch", supplier: "ACME", id: "S" }, null)).toBe(
      "supplyline supply-points watch ACME S",
    );
  });

  test("names that begin with a dash cannot be taken for options", () => {
    expect(asCommand({ kind: "account-status", supplier: "ACME", account: "-rf" }, "test")).toBe(
      "supplyline accounts status --profile test -- ACME -rf",
    );
  });

  test("survives a real shell whatever the names are", () => {
    const account = "E'X\u202eT $(id) \u001b[1m";
    const command = asCommand({ kind: "account-status", supplier: "A B", account }, "p'q");
    expect(wordsOf(command ?? "")).toEqual([
      ..."supplyline accounts status".split(" "),
      "A B",
      account,
      "--profile",
      "p'q",
    ]);
  });

  test("there is none for a name that no command can carry", () => {
    expect(asCommand({ kind: "overview", supplier: "A\0B" }, null)).toBeNull();
    expect(asCommand({ kind: "overview", supplier: "A\ud800" }, null)).toBeNull();
  });
});

describe("the equivalent curl", () => {
  const url = "https://service.example/v1/data-import/account-transfer-status/ACME/EXT%201/";

  test("a read, with the token left to the shell", () => {
    const command = asCurl({ method: "GET", url }, "token");
    expect(command.split("\n")).toEqual([
      "curl -sS \\",
      '  -H "Authorization: Token $SUPPLYLINE_TOKEN" \\',
      "  -H 'Accept: application/json' \\",
      `  ${url}`,
    ]);
    expect(wordsOf(command, { SUPPLYLINE_TOKEN: "s3 cr$et'" })).toEqual([
      "curl",
      "-sS",
      "-H",
      "Authorization: Token s3 cr$et'",
      "-H",
      "Accept: application/json",
      url,
    ]);
  });

  test("the bare form of the header", () => {
    expect(asCurl({ method: "GET", url }, "bare")).toContain('"Authorization: $SUPPLYLINE_TOKEN"');
  });

  test("a write's body arrives byte for byte", () => {
    const body = JSON.stringify(
      { notes: [{ body: "it's $HOME `id` \\ \" \u009b \n é 日" }] },
      null,
      2,
    );
    const words = wordsOf(asCurl({ method: "POST", url, body }, "token"));
    expect(words.slice(1, 4)).toEqual(["-sS", "-X", "POST"]);
    expect(words[words.indexOf("--data-binary") + 1]).toBe(body);
    expect(words.at(-1)).toBe(url);
  });

  test("curl's own special characters are disarmed", () => {
    expect(asCurl({ method: "POST", url, body: "@/etc/passwd" }, "token")).toContain(
      "--data-raw @/etc/passwd",
    );
    expect(wordsOf(asCurl({ method: "GET", url: "http://[::1]:80/a{b}" }, "token"))).toContain(
      "--globoff",
    );
  });

  test("a user and password in the address are left out", () => {
    const command = asCurl({ method: "GET", url: "https://me:pass@service.example/x@y" }, "token");
    expect(command).not.toContain("pass");
    expect(command).toContain("https://service.example/x@y");
  });
});
