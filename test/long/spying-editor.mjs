// An editor that leaves a folder named after the modes of what it was given, and changes the text.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [seen = "", file = ""] = process.argv.slice(2);
const mode = (path) => (statSync(path).mode & 0o777).toString(8);
mkdirSync(join(seen, `${mode(dirname(file))}-${mode(file)}`), { mode: 0o700 });
writeFileSync(file, readFileSync(file, "utf8").replace("half a note", "edited by the spy"));
