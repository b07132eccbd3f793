import { copiedRecords } from "../../src/bulk/rows-to-fix.ts";
import * as fc from "../helpers/fast-check.ts";
import { inPieces } from "./input/inputs.ts";

async function copied(
  input: string,
  lines: Iterable<number>,
  format?: "csv" | "jsonl",
): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of copiedRecords(inPieces(input, [5, 1]), new Set(lines), format))
    parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

const csv = '\ufeffa;b\r\n1;"x\r\ny"\r\n\r\n2;ä\r\n"3";"open\r\n4;z';

test("rows come byte for byte, below the header", async () => {
  expect(await copied(csv, new Set([2]))).toBe('\ufeffa;b\r\n1;"x\r\ny"\r\n');
  expect(await copied(csv, new Set([5, 7]))).toBe("\ufeffa;b\r\n2;ä\r\n4;z");
  expect(await copied(csv, [5, 6])).toBe('\ufeffa;b\r\n2;ä\r\n"3";"open\r\n');
  expect(await copied(csv, new Set([3, 4, 99]))).toBe("\ufeffa;b\r\n");
});

test("JSONL has no header", async () => {
  const jsonl = '{"a":1}\n{"a":2}\n\n{"a":3}';
  expect(await copied(jsonl, new Set([2, 4]))).toBe('{"a":2}\n{"a":3}');
  expect(await copied("x\ny\n", [2], "jsonl")).toBe("y\n");
});

test("all rows together are the input without its empty lines", async () => {
  const text = fc
    .array(fc.constantFrom("a", ",", '"', '"q\nr"', "\n", "\r\n", "é"), { maxLength: 30 })
    .map((parts) => `h,i\n${parts.join("")}`);
  await fc.assert(
    fc.asyncProperty(text, async (input) => {
      const all = await copied(
        input,
        Array.from({ length: 99 }, (_, at) => at + 1),
      );
      expect(all.replace(/[\r\n]/g, "")).toBe(input.replace(/[\r\n]/g, ""));
    }),
  );
});

test("records come one at a time, when they are asked for", async () => {
  const records = copiedRecords(inPieces("a\n1\n2\n3\n"), new Set([2, 3, 4]));
  const text = async () => Buffer.from((await records.next()).value ?? []).toString("utf8");
  expect([await text(), await text()]).toEqual(["a\n", "1\n"]);
  expect([await text(), await text(), await text()]).toEqual(["2\n", "3\n", ""]);
});
