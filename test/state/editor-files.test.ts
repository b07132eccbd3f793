import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { editorFiles, openEditing, readEdited, removeEditorFiles } from "../../src/state/drafts.ts";
import { openSocketService } from "../helpers/service.ts";
import { freshFolder, modeOf } from "../settings/settings-folder.ts";

const text = { draft: "draft-1", text: "before\n", extension: "json" };

function opened() {
  const drafts = join(freshFolder().root, "drafts");
  return { drafts, file: openEditing(drafts, text) };
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
    expect(readEdited(file)).toEqual({ kind: "unusable", description: "a symbolic link" });
  });

  test("is not waited for where it is a pipe", () => {
    const file = inPlace((path) => execFileSync("mkfifo", [path]));
    expect(readEdited(file)).toEqual({ kind: "unusable", description: "a pipe" });
  });

  test("is named where it is a folder, a socket or missing", async () => {
    const folder = inPlace((path) => mkdirSync(path));
    expect(readEdited(folder)).toEqual({ kind: "unusable", description: "a folder" });
    const socket = inPlace(() => {});
    await openSocketService(() => {}, { path: socket });
    expect(readEdited(socket)).toEqual({ kind: "unusable", description: "a socket" });
    expect(readEdited(inPlace(() => {}))).toEqual({ kind: "missing" });
    expect(readEdited("/dev/null")).toEqual({ kind: "unusable", description: "a device" });
  });
});

describe("a folder for an editor", () => {
  test("holds the text in a file for its owner alone, whatever the umask", () => {
    const drafts = join(freshFolder().root, "drafts");
    const before = process.umask(0);
    const file = openEditing(drafts, text);
    process.umask(before);
    expect(readFileSync(file, "utf8")).toBe("before\n");
    expect([modeOf(file), modeOf(dirname(file)), modeOf(drafts)]).toEqual(["600", "700", "700"]);
  });

  test("is found and removed by its draft, also without the file that was in it", () => {
    const { drafts, file } = opened();
    const gone = openEditing(drafts, text);
    rmSync(gone);
    const other = openEditing(drafts, { ...text, draft: "draft-11" });
    expect([...editorFiles(drafts, "draft-1")].sort()).toEqual([file, dirname(gone)].sort());
    removeEditorFiles(drafts, "draft-1");
    expect(editorFiles(drafts, "draft-1")).toEqual([]);
    expect(editorFiles(drafts, "draft-11")).toEqual([other]);
  });
});
