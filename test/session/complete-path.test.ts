import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { completePath, completion, expandPath, stemOf } from "../../src/session/complete-path.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";

let folders: Folders;
let home: string;

beforeAll(async () => {
  folders = await openFolders();
  home = folders.home;
  await mkdir(join(home, "waves"), { recursive: true });
  for (const name of ["waves/wave1.csv", "waves/wave2.csv", "waves/.hidden", "notes.txt"])
    await writeFile(join(home, name), "");
  await symlink(join(home, "waves"), join(home, "linked"));
});

test.each([
  ["~", "~/", [], true],
  ["~/no", "~/notes.txt", [], true],
  ["~/wav", "~/waves/", [], true],
  ["~/li", "~/linked/", [], true],
  ["~/waves/w", "~/waves/wave", ["wave1.csv", "wave2.csv"], true],
  ["~/waves/wave1.csv", "~/waves/wave1.csv", [], true],
  ["~/waves/.h", "~/waves/.hidden", [], true],
  ["~/nothing", "~/nothing", [], false],
  ["~/nowhere/x", "~/nowhere/x", [], false],
])("%s becomes %s", async (typed, text, names, isPossible) => {
  expect(await completePath(typed, home)).toEqual({ text, names, isPossible });
});

test("a path that begins at the root is completed too", async () => {
  const { text } = await completePath(join(home, "notes"), undefined);
  expect(text).toBe(join(home, "notes.txt"));
});

test("names are completed up to where they differ, never inside a character", () => {
  expect(completion("", ["a\u{1F600}", "a\u{1F601}"]).text).toBe("a");
  expect(completion("wave", ["wave-1", "wave-10", "other"])).toEqual({
    text: "wave-1",
    names: ["wave-1", "wave-10"],
    isPossible: true,
  });
});

test("the tilde is the home folder, at the beginning only", () => {
  expect(expandPath("~/a.csv", home)).toBe(join(home, "a.csv"));
  expect(expandPath("/x/~/a.csv", home)).toBe("/x/~/a.csv");
});

test("the stem of a file is its name without the ending", () => {
  expect(stemOf("/a/wave3.old.csv")).toBe("wave3.old");
  expect(stemOf("/a/.csv")).toBe(".csv");
});
