import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxDesk } from "../helpers/desk.ts";
import { standIn } from "../settings/custom/programs.ts";

test("on-alert runs when a check is met, and its failure changes no exit code", async () => {
  const desk = await sandboxDesk("reset-after@notesx4");
  const page = standIn("page", "exit 3");
  const hooks = { "on-alert": { run: [page.path, "{text}"] } };
  await mkdir(desk.folders.config, { recursive: true, mode: 0o700 });
  const path = join(desk.folders.config, "commands.json");
  await writeFile(path, JSON.stringify({ hooks }), { mode: 0o600 });
  const check = ["check", "ACME", "--unknown-writes"];
  expect((await desk.run(check)).code).toBe(0);
  expect(page.calls()).toEqual([]);
  const note = ["notes", "create", "ACME", "EXT-0000001", "--body", "Called", "--settle", "0s"];
  expect((await desk.run(note)).code).toBe(7);
  const { code, stderr } = await desk.run(check);
  expect(code).toBe(10);
  expect(stderr).toContain("hooks.on-alert failed with status 3.");
  const [call] = page.calls();
  expect(call?.args).toEqual(["ACME: unknown-writes 1"]);
  expect(JSON.parse(call?.stdin ?? "")).toMatchObject({
    event: "on-alert",
    items: [{ condition: "unknown-writes", figure: 1, import_supplier: "ACME" }],
  });
});
