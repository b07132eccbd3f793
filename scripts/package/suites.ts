import { globSync, readFileSync } from "node:fs";

/** Imports, and a helper, that start the program as a process. */
const starters =
  /\/(?:process|terminal|built-program|pasted|hung-up)\.ts"|\b(?:spawn|terminal)\b[^;]*\b(?:World|world)\(/;

/** The stories and command tests that start processes; the others do not depend on the artifact. */
export function suitesThatStartTheProgram(): readonly string[] {
  return globSync("test/{commands,flows,long/terminals}/**/*.test.{ts,tsx}")
    .filter((path) => starters.test(readFileSync(path, "utf8")))
    .sort();
}

/** Returns the results of the files of a run, from the output of `vitest --reporter=json`. */
export interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Each test that was skipped, after its file. */
export function skippedOf(report: Report, checkout: string): readonly string[] {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "skipped" || status === "pending")
      .map(({ fullName }) => `${name.replace(`${checkout}/`, "")}: ${fullName}`),
  );
}

/** Each test that failed, after its file; a file that failed as a whole by the first line of its fault. */
export function failuresOf(report: Report, checkout: string): readonly string[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(`${checkout}/`, "");
    const failed = assertionResults.filter((one) => one.status === "failed");
    if (failed.length > 0) return failed.map(({ fullName }) => `${file}: ${fullName}`);
    return status === "failed" ? [`${file}: ${message.trim().split("\n", 1)[0]}`] : [];
  });
}
