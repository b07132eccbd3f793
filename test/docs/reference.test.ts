import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedPages } from "../../scripts/reference/pages.ts";
import { project } from "./pages.ts";

test.each(generatedPages)(
  "$file is what the program generates (npm run reference writes it)",
  async ({ file, text }) => {
    expect(await readFile(join(project, file), "utf8")).toBe(await text());
  },
);
