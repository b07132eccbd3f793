import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openLogFile } from "../../src/files/log-file.ts";
import { logFrame, logSlowKeys } from "../../src/screens/shell/slow-log.ts";
import { journalFolder } from "../helpers/folders.ts";

test("slow frames and keys are logged, and fast ones are not", () => {
  const path = join(journalFolder(), "a.log");
  const file = openLogFile({ path, pid: 7, hasBodies: false, now: () => 0 });
  const input = new EventEmitter();
  let now = 0;
  const size = { columns: 80, rows: 24 };
  const later: (() => void)[] = [];
  logSlowKeys(
    input,
    () => now,
    (call) => later.push(call),
  );
  for (const ms of [49, 50, 120]) {
    input.emit("data");
    now += ms;
    later.pop()?.();
    logFrame(ms + 1_000, size);
    logFrame(12, size);
  }
  file.close();
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const found = lines.map((line) => JSON.parse(line) as { event: string; ms: number });
  expect(found.map(({ event, ms }) => `${event} ${ms}`)).toEqual([
    "slow-frame 1049",
    "slow-key 50",
    "slow-frame 1050",
    "slow-key 120",
    "slow-frame 1120",
  ]);
});

test("the keys are not timed without a log", () => {
  const input = new EventEmitter();
  logSlowKeys(input);
  expect(input.listenerCount("data")).toBe(0);
});
