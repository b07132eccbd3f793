import { filledIn, maxArguments } from "../../../src/settings/custom/values.ts";
import { FORBIDDEN, HOSTILE } from "../../text/hostile.ts";

const fill = (argv: string[], values: Record<string, string>, numbers: string[] = []) =>
  filledIn({ argv, env: {} }, values, numbers);

describe("values in a program's arguments", () => {
  test("are whole arguments, whatever a shell would make of them", () => {
    const value = "$(rm -rf /) `id`; 'x' \"y\" * | > &";
    expect(fill(["t", "--title", "{status}", "{ok}"], { status: value, ok: "" })).toEqual({
      kind: "refused",
      words: "{ok} is not known here",
    });
    expect(fill(["t", "--title", "{status}"], { status: value })).toMatchObject({
      args: ["--title", value],
    });
  });

  test("are no options: a dash needs two dashes before it, or a variable", () => {
    expect(fill(["t", "{status}"], { status: "--output=/etc/passwd" })).toMatchObject({
      kind: "refused",
      words: expect.stringContaining('put "--" before it in "run", or pass it in "env"'),
    });
    expect(fill(["t", "--", "{status}"], { status: "-x" })).toMatchObject({ args: ["--", "-x"] });
    expect(filledIn({ argv: ["t"], env: { S: "{status}" } }, { status: "-x" })).toMatchObject({
      env: { S: "-x" },
    });
  });

  test("are refused where they hold control characters or half a character", () => {
    const outcomes = Object.entries(HOSTILE).map(([name, status]) => [
      name,
      fill(["t", "--", "{status}"], { status }),
    ]);
    for (const [name, outcome] of outcomes) {
      if (typeof outcome === "object" && outcome.kind === "ready")
        expect(outcome.args[1], String(name)).not.toMatch(/\p{Cc}|\p{Cs}/u);
      else expect(JSON.stringify(outcome)).not.toMatch(FORBIDDEN);
    }
  });

  test("of marked rows are one argument each, up to what a system takes", () => {
    const numbers = ["EXT-1", "EXT-2"];
    expect(fill(["t", "{external_account_numbers}", "end"], {}, numbers)).toMatchObject({
      args: ["EXT-1", "EXT-2", "end"],
    });
    const many = Array.from({ length: maxArguments + 1 }, (_, at) => `EXT-${at}`);
    expect(fill(["t", "{external_account_numbers}"], {}, many)).toMatchObject({ kind: "refused" });
  });
});
