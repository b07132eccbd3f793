/** Promise: Ctrl-C and a request to end are heeded while the program waits for something of this machine. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { note } from "../helpers/desk.ts";
import { eventually } from "../helpers/eventually.ts";
import { openService } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

const created = { status: 201, body: [{ body: "hello", status: "NOTE_CREATION_SUCCESS" }] };

test.each([
  ["a write", note("--body", "hello")],
  ["a look at the journal", ["activity", "list"]],
])(
  "%s that waits for a journal that is held says so and ends at Ctrl-C, and nothing is sent",
  async (_what, words) => {
    const { run, spawn, folders, service } = await world({ service: { writes: [created] } });
    expect(await run(["activity", "list"])).toMatchObject({ code: 0 });
    const other = new DatabaseSync(join(folders.state, "journal.sqlite"));
    other.exec("BEGIN EXCLUSIVE");
    const cli = await spawn(words);
    await cli.stderr.waitForText("Another process has locked the journal");
    cli.kill("SIGINT");
    expect(await cli.result).toMatchObject({ code: 130, signal: null });
    other.exec("ROLLBACK");
    other.close();
    expect(service.received).toEqual([]);
  },
);

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a credential helper that hangs ends with the program (%s)",
  async (signal) => {
    const server = await openService({});
    const { run, spawn, folders } = await world({ service: null });
    const pidFile = join(folders.home, "pid");
    const helper = join(folders.home, "helper.sh");
    const add = ["profiles", "add", "p", "--base-url", server.baseUrl];
    await run([...add, "--credential-helper", helper]);
    writeFileSync(
      helper,
      `#!/bin/sh\necho $$ > ${pidFile}.new\n/bin/mv ${pidFile}.new ${pidFile}\nexec /bin/sleep 600\n`,
      {
        mode: 0o700,
      },
    );
    const cli = await spawn(["accounts", "status", "ACME", "EXT-1", "--profile", "p"]);
    await eventually(() => expect(existsSync(pidFile)).toBe(true));
    const pid = Number(readFileSync(pidFile, "utf8"));
    cli.kill(signal);
    await cli.result;
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow());
  },
);
