import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withWriteLock } from "../../src/settings/json-file.ts";
import { freshFolder } from "./settings-folder.ts";

const short = { abandonedMs: 50, maxWaitMs: 5_000 };

test("the lock is held during the change and gone after it, also when the change fails", () => {
  const { root } = freshFolder();
  const lock = join(root, "lock");
  expect(withWriteLock(lock, () => existsSync(lock))).toBe(true);
  expect(() =>
    withWriteLock(lock, () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(readdirSync(root)).toEqual([]);
});

test("a lock left by a process that died is taken over", () => {
  const { root } = freshFolder();
  const lock = join(root, "lock");
  for (const left of ["dead", ""]) {
    writeFileSync(lock, left, { mode: 0o600 });
    expect(withWriteLock(lock, () => readFileSync(lock, "utf8"), short)).not.toBe(left);
    expect(readdirSync(root)).toEqual([]);
  }
});

test("a lock that does not come free in time is reported with its path, and stays", () => {
  const { root } = freshFolder();
  const lock = join(root, "lock");
  writeFileSync(lock, "alive", { mode: 0o600 });
  expect(() => withWriteLock(lock, () => "changed", { abandonedMs: 1_000, maxWaitMs: 50 })).toThrow(
    expect.objectContaining({ kind: "unwritable", facts: { fix: expect.stringContaining(lock) } }),
  );
  expect(readFileSync(lock, "utf8")).toBe("alive");
});
