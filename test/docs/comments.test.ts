import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { project } from "./pages.ts";

const riddle = /\/\*\*\s+(?:\* )?(?:What|How|Whether|Why|Where|When|Of|Which|Who|Those|Null)\b.*/g;

test("a doc comment begins with a verb or names the thing", () => {
  const found = globSync("{src,test,faults,bench,scripts}/**/*.{ts,tsx}", { cwd: project }).flatMap(
    (path) =>
      (readFileSync(join(project, path), "utf8").match(riddle) ?? []).map(
        (comment) => `${path}: ${comment}`,
      ),
  );
  expect(found).toEqual([]);
});
