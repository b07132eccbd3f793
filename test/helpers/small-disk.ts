import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolPath } from "./tools.ts";

/** A file system of one megabyte of its own, for tests of full and read-only disks. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves no room at all. */
  fill(): void;
  /** Lets nothing be written any more. */
  makeReadOnly(): void;
}

function mount(...words: string[]): boolean {
  const { error, status } = spawnSync(toolPath("mount") ?? "mount", words);
  return error === undefined && status === 0;
}

/** The folder to mount at, or null if this user cannot mount. A notice names the tests left out. */
export function openSmallDisk(): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "supplyline-disk-"));
  if (!mount("-t", "tmpfs", "-o", "size=1m,mode=0700", "none", path)) {
    rmSync(path, { recursive: true });
    console.warn("left out: tests on a small file system, which this user may not mount");
    return null;
  }
  return {
    path,
    fill() {
      const file = openSync(join(path, "fill"), "w");
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch {
        // The disk is full.
      } finally {
        closeSync(file);
      }
    },
    makeReadOnly() {
      if (!mount("-o", "remount,ro", path)) throw new Error("it could not be made read-only");
    },
    [Symbol.dispose]() {
      spawnSync(toolPath("umount") ?? "umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
