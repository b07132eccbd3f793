import { resolve } from "node:path";
import {
  failuresOf,
  type Report,
  skippedOf,
  suitesThatStartTheProgram,
} from "../../scripts/package/suites.ts";
import { checkSymbolVersions, tooNew } from "../../scripts/package/symbol-versions.ts";

test("the tests of an artifact are those that start processes, of commands and of the console", () => {
  const suites = suitesThatStartTheProgram();
  expect(suites).toEqual(
    expect.arrayContaining([
      "test/commands/hang-up-settles.test.ts",
      "test/commands/time-zone.test.ts",
      "test/long/terminals/hang-up.test.ts",
      "test/long/terminals/multiplexers.test.ts",
    ]),
  );
  // In the process of the test, and so without the artifact.
  expect(suites).not.toContain("test/commands/help.test.ts");
});

const report: Report = {
  numPassedTests: 1,
  testResults: [
    {
      name: "/project/test/a.test.ts",
      status: "failed",
      message: "",
      assertionResults: [
        { fullName: "in tmux it is whole", status: "failed" },
        { fullName: "it starts", status: "passed" },
        { fullName: "it is alone", status: "skipped" },
      ],
    },
    {
      name: "/project/test/b.test.ts",
      status: "failed",
      message: "Error: no such module\n  at b.test.ts",
      assertionResults: [],
    },
  ],
};

test("each test that failed or was skipped is named after its file, and so is a file that has no tests", () => {
  expect(failuresOf(report, "/project")).toEqual([
    "test/a.test.ts: in tmux it is whole",
    "test/b.test.ts: Error: no such module",
  ]);
  expect(skippedOf(report, "/project")).toEqual(["test/a.test.ts: it is alone"]);
});

const printed = (versions: string, needed: string) =>
  `  000: Name: ${versions}  Flags: none  Version: 3\n 0x1 (NEEDED)  Shared library: [${needed}]\n`;

test.each([
  [printed("GLIBC_2.28", "libc.so.6"), []],
  [printed("GLIBC_2.3.4", "ld-linux-aarch64.so.1"), []],
  [printed("GLIBC_2.29", "libc.so.6"), ["GLIBC_2.29"]],
  [printed("GLIBC_2.28.1", "libc.so.6"), ["GLIBC_2.28.1"]],
  [printed("GLIBCXX_3.4.26", "libatomic.so.1"), ["GLIBCXX_3.4.26", "libatomic.so.1"]],
  [printed("OTHER_1.0", "libm.so.6"), ["OTHER_1.0"]],
])("what an executable needs beyond glibc 2.28 and GCC 8 is found: %j", (text, found) => {
  expect(tooNew(text)).toEqual(found);
});

test("a printout without versions proves nothing", () => {
  expect(() => tooNew("")).toThrow("neither versions nor libraries");
});

test.runIf(process.platform === "linux")(
  "the Node of the executable starts with glibc 2.28",
  () => {
    expect(() => checkSymbolVersions(resolve(process.execPath))).not.toThrow();
  },
);
