import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pageText, project } from "./pages.ts";

test("the messages that troubleshooting quotes are messages of the program", () => {
  const headings = [...pageText("docs/troubleshooting.md").matchAll(/^### "(.+)"$/gm)];
  const source = globSync("src/**/*.{ts,tsx}", { cwd: project })
    .map((path) => readFileSync(join(project, path), "utf8"))
    .join("\n");
  const quoted = headings.map(([, text = ""]) => text);
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter((text) => !source.includes(text))).toEqual([]);
});
