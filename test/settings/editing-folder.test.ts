import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type EditedText,
  editingFolders,
  filesBeside,
  keepBeside,
  oldEditorFiles,
  openEditing,
  readEdited,
} from "../../src/settings/editing-folder.ts";
import { openSocketService } from "../helpers/service.ts";
import { freshFolder, modeOf } from "./settings-folder.ts";

const text: EditedText = { draft: "draft-1", field: null, before: "before\n", owner: "me" };

function opened() {
  const stateDir = join(freshFolder().root, "state");
  return { stateDir, file: openEditing(stateDir, text, "json") };
}

/** Something else in the place of the file. */
function inPlace(make: (file: string) => void): string {
  const { file } = opened();
  rmSync(file);
  make(file);
  return file;
}

describe("what an editor left", () => {
  test("is read as UTF-8, without the byte order mark that some editors add", () => {
    const { file } = opened();
    writeFileSync(file, "\uFEFFcafé\n");
    expect(readEdited(file)).toEqual({ kind: "text", text: "café\n" });
  });

  test.each([
    ["Latin-1", Buffer.from("café\n", "latin1")],
    ["UTF-16 with a byte order mark", Buffer.from("\uFEFFcafé\n", "utf16le")],
    ["UTF-16 without one", Buffer.from("cafe\n", "utf16le")],
  ])("in %s is never taken for text", (_, bytes) => {
    const { file } = opened();
    writeFileSync(file, bytes);
    expect(readEdited(file)).toEqual({ kind: "undecodable" });
  });

  test("may hold a replacement character that was written as such", () => {
    const { file } = opened();
    writeFileSync(file, "a \uFFFD b");
    expect(readEdited(file)).toEqual({ kind: "text", text: "a \uFFFD b" });
  });

  test("is not followed where it is a link", () => {
    const elsewhere = join(freshFolder().root, "elsewhere");
    writeFileSync(elsewhere, "not this");
    const file = inPlace((path) => symlinkSync(elsewhere, path));
    expect(readEdited(file)).toEqual({ kind: "unusable", what: "a symbolic link" });
  });

  test("is not waited for where it is a pipe", () => {
    const file = inPlace((path) => execFileSync("mkfifo", [path]));
    expect(readEdited(file)).toEqual({ kind: "unusable", what: "a pipe" });
  });

  test("is named where it is a folder, a socket or missing", async () => {
    const folder = inPlace((path) => mkdirSync(path));
    expect(readEdited(folder)).toEqual({ kind: "unusable", what: "a folder" });
    const socket = inPlace(() => {});
    await openSocketService(() => {}, { path: socket });
    expect(readEdited(socket)).toEqual({ kind: "unusable", what: "a socket" });
    expect(readEdited(inPlace(() => {}))).toEqual({ kind: "missing" });
    expect(readEdited("/dev/null")).toEqual({ kind: "unusable", what: "a device" });
  });

  test("is moved beside its draft as it is, for its owner alone, when it cannot be used", () => {
    const { stateDir, file } = opened();
    writeFileSync(file, Buffer.from([0xff, 0x00]));
    const path = keepBeside(stateDir, file, { draft: "draft-1", now: 0 });
    expect(readFileSync(path)).toEqual(Buffer.from([0xff, 0x00]));
    expect([modeOf(path), modeOf(dirname(path))]).toEqual(["600", "700"]);
    expect(filesBeside(stateDir, "draft-1")).toEqual([path]);
    expect(filesBeside(stateDir, "draft-2")).toEqual([]);
  });
});

describe("a folder for an editor", () => {
  test("says whose text it holds, in files for their owner alone whatever the umask", () => {
    const stateDir = join(freshFolder().root, "state");
    const before = process.umask(0);
    const file = openEditing(stateDir, text, "json");
    process.umask(before);
    expect(editingFolders(stateDir)).toEqual([{ folder: dirname(file), file, text }]);
    expect(readdirSync(dirname(file)).map((name) => modeOf(join(dirname(file), name)))).toEqual([
      "600",
      "600",
    ]);
    expect(modeOf(dirname(file))).toBe("700");
  });

  test("is old when nothing in it changed since, and no process waits for it", () => {
    const { stateDir, file } = opened();
    const later = Date.now() + 60_000;
    expect(oldEditorFiles(stateDir, later, () => false)).toEqual([dirname(file)]);
    expect(oldEditorFiles(stateDir, later, () => true)).toEqual([]);
    expect(oldEditorFiles(stateDir, Date.now() - 60_000, () => false)).toEqual([]);
  });
});
