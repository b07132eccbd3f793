/** Promise: the page of the interface has every endpoint and every section that the source cites. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpointNames, pathOf, postEndpoints } from "../../src/sandbox/endpoints.ts";
import { pageText, project } from "./pages.ts";

const page = pageText("docs/interface.md");

/** A path without the names of its parameters. */
const shape = (path: string) => path.replace(/:\w+|[A-Z]+(?=\/)/g, "*");

test("the page lists every endpoint of the sandbox, with its method", () => {
  const rows = page.matchAll(/^\| (4\.\d+) \| `(GET|POST) ([^`]+)` \|/gm);
  const listed = [...rows].map(([, , method, path = ""]) => `${method} ${shape(path)}`);
  const served = endpointNames
    .filter((name) => name !== "token")
    .map((name) => {
      const method = postEndpoints.some((post) => post === name) ? "POST" : "GET";
      return `${method} ${shape(pathOf(name))}`;
    });
  expect(listed.toSorted()).toEqual(served.toSorted());
  expect(page).toContain(`\`${pathOf("token")}\``);
});

test("the page of the sandbox names every endpoint that a fault can have", () => {
  const text = pageText("docs/sandbox.md");
  const [paragraph = ""] = /^ENDPOINT is [\s\S]*?\n\n/m.exec(text) ?? [];
  expect(endpointNames.filter((name) => !paragraph.includes(`\`${name}\``))).toEqual([]);
});

/** The sections of the page: headings, and the numbered points of a part. */
const sections = new Set<string>();
let part = "";
for (const line of page.split("\n")) {
  const heading = /^###? (\d+(?:\.\d+)?)\.? /.exec(line)?.[1];
  const point = /^(\d+)\. /.exec(line)?.[1];
  if (heading !== undefined) sections.add(heading);
  if (line.startsWith("## ")) part = heading ?? "";
  if (point !== undefined && part !== "") sections.add(`${part}.${point}`);
}

test("every section of the interface that a comment cites is on the page", () => {
  const files = globSync("{src,test,faults,scripts,bench}/**/*.{ts,tsx}", { cwd: project });
  const cited = files.flatMap((path) =>
    [
      ...readFileSync(join(project, path), "utf8").matchAll(
        /INTERFACE(?:[\s*/]+part)?[\s*/]+(\d+(?:\.\d+)?)/g,
      ),
    ].map(([, section = ""]) => ({ path, section })),
  );
  expect(cited.length).toBeGreaterThan(200);
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([]);
});
