import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FileWriter, writeNewFile } from "../../src/files/new-file.ts";
import { openFolders } from "../helpers/folders.ts";

async function folder(): Promise<string> {
  const folders = await openFolders();
  return folders.home;
}

const filling = (pieces: Iterable<string>) => async (append: FileWriter) => {
  for (const piece of pieces) await append(piece);
};

const never = new AbortController().signal;

test("a file has its name only once it is whole, and is the user's alone", async () => {
  const home = await folder();
  const path = join(home, "rows.csv");
  const seen: boolean[] = [];
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  });
  const list = async () => (await readdir(home)).includes("rows.csv");
  const looks: Promise<boolean>[] = [];
  function* pieces() {
    for (let at = 0; at < 50; at++) {
      looks.push(list());
      yield `${"é".repeat(40_000)}\n`;
    }
  }
  const size = await writeNewFile(path, filling(pieces()), never);
  clearInterval(ticking);
  seen.push(...(await Promise.all(looks)));
  expect(seen.slice(0, 49)).not.toContain(true);
  expect(size).toBe(50 * 80_001);
  const facts = await stat(path);
  expect([facts.size, facts.mode & 0o777]).toEqual([size, 0o600]);
  expect(await readdir(home)).toContain("rows.csv");
  expect((await readdir(home)).filter((name) => name.includes(".part"))).toEqual([]);
  // Other events had their turn between the pieces.
  expect(turns).toBeGreaterThan(0);
});

test("given up, it leaves nothing behind", async () => {
  const home = await folder();
  const before = await readdir(home);
  const stop = new AbortController();
  function* pieces() {
    yield "one\n";
    stop.abort(new Error("enough"));
    yield "two\n";
  }
  await expect(
    writeNewFile(join(home, "rows.csv"), filling(pieces()), stop.signal),
  ).rejects.toThrow("enough");
  expect(await readdir(home)).toEqual(before);
});

test("rows that cannot be had leave nothing behind", async () => {
  const home = await folder();
  const before = await readdir(home);
  function* pieces() {
    yield "one\n";
    throw new Error("broken");
  }
  await expect(writeNewFile(join(home, "rows.csv"), filling(pieces()), never)).rejects.toThrow(
    "broken",
  );
  expect(await readdir(home)).toEqual(before);
});

test("a file that comes up meanwhile is left as it is", async () => {
  const home = await folder();
  const path = join(home, "rows.csv");
  const fill = async (append: FileWriter) => {
    await append("theirs");
    await writeFile(path, "mine");
  };
  await expect(writeNewFile(path, fill, never)).rejects.toThrow("was created meanwhile");
  expect(await readFile(path, "utf8")).toBe("mine");
  expect((await readdir(home)).filter((name) => name.includes(".part"))).toEqual([]);
});

test("an existing file is left as it is, and no content is requested", async () => {
  const home = await folder();
  const path = join(home, "rows.csv");
  await writeFile(path, "mine");
  let asked = false;
  const fill = async () => {
    asked = true;
  };
  await expect(writeNewFile(path, fill, never)).rejects.toThrow("nothing is overwritten");
  expect({ asked, text: await readFile(path, "utf8") }).toEqual({ asked: false, text: "mine" });
});

test("a missing folder is reported", async () => {
  const home = await folder();
  await expect(writeNewFile(join(home, "no", "rows.csv"), filling(["x"]), never)).rejects.toThrow(
    "ENOENT",
  );
});
