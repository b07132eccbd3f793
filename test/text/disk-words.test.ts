import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { otherFolderRemedy } from "../../src/text/disk-words.ts";
import { journalFolder } from "../helpers/folders.ts";

test("another folder is advised only if nothing can be stored in the first one", () => {
  const folder = journalFolder();
  const stored = join(folder, "stored");
  writeFileSync(stored, "");
  symlinkSync("loop", join(folder, "loop"));
  const remedy = "set FOLDER to a folder that you can write";
  expect(otherFolderRemedy("FOLDER", join(folder, "missing", "journal"))).toBe(remedy);
  expect(otherFolderRemedy("FOLDER", join(stored, "journal"))).toBe(remedy);
  expect(otherFolderRemedy("FOLDER", stored)).toBeNull();
  // The system cannot say whether there is a journal.
  expect(otherFolderRemedy("FOLDER", join(folder, "loop", "journal"))).toBeNull();
});
