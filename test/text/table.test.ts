import { textTable } from "../../src/text/table.ts";

test("a column of parts goes on in further lines where it is narrow, and none of them is cut", () => {
  const columns = [{ title: "Run" }, { title: "Of them", isList: true }, { title: "Input" }];
  const rows = [
    ["r7mz9v", "5 unknown, 5 rejected, 107 confirmed", "/home/me/waves/notes-wave-3.csv"],
  ];
  expect(textTable(columns, rows, { maxWidth: 44 })).toEqual([
    "Run     Of them            Input",
    "r7mz9v  5 unknown,         /home/me/waves/n…",
    "        5 rejected,",
    "        107 confirmed",
  ]);
  expect(textTable(columns, rows)[1]).toContain("5 unknown, 5 rejected, 107 confirmed");
});

test("parts keep their room while other columns are cut down to nothing", () => {
  const columns = [{ title: "Of them", isList: true }, { title: "Input" }];
  const lines = textTable(columns, [["1 unknown, 1,234 confirmed", "a-long-name.csv"]], {
    maxWidth: 20,
  });
  expect(lines.join("\n")).toContain("1,234 confirmed");
});
