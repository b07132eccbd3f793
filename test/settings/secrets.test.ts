import { inspect } from "node:util";
import { readSecrets } from "../../src/settings/secrets.ts";
import { thrownBy } from "./settings-folder.ts";

describe("secrets in the environment", () => {
  test("are read and then gone from it", () => {
    const env = { SUPPLYLINE_API_KEY: "key-1", SUPPLYLINE_TOKEN: "tok-1", HOME: "/home/ada" };
    const secrets = readSecrets(env);
    expect([secrets.apiKey, secrets.token]).toEqual(["key-1", "tok-1"]);
    expect(Object.keys(env)).toEqual(["HOME"]);
  });

  test("that are absent or empty are none", () => {
    const secrets = readSecrets({ SUPPLYLINE_API_KEY: "" });
    expect([secrets.apiKey, secrets.token]).toEqual([null, null]);
  });

  test("do not show when the object is printed or serialised", () => {
    const secrets = readSecrets({ SUPPLYLINE_API_KEY: "canary", SUPPLYLINE_TOKEN: "canary" });
    const shown = inspect({ secrets }, { depth: 9, showHidden: true }) + JSON.stringify(secrets);
    expect(shown).not.toContain("canary");
  });

  test.each([
    ["a line break", "canary\n"],
    ["a header of their own", "canary\r\nX-Evil: 1"],
    ["a blank", "canary canary"],
    ["an escape", "canary\u001b[31m"],
    ["the scheme word", "Token canary"],
    ["a letter no header may hold", "canary–é"],
  ])("with %s are refused, deleted all the same and not quoted", async (_, value) => {
    for (const name of ["SUPPLYLINE_API_KEY", "SUPPLYLINE_TOKEN"]) {
      const env = { [name]: value, SUPPLYLINE_TOKEN: value };
      const error = await thrownBy(() => readSecrets(env));
      expect(error).toMatchObject({ kind: "invalid", message: expect.stringContaining(name) });
      expect(inspect(error)).not.toContain("canary");
      expect(env).toEqual({});
    }
  });
});
