import { expect, test } from "vitest";
import { copyRecords } from "../../src/commands/bulk/input-rows.ts";
import { inPieces } from "../bulk/input/inputs.ts";
import * as fc from "../helpers/fast-check.ts";

async function copied(
  input: string,
  lines: ReadonlySet<number> | Iterable<number>,
  format?: "csv" | "jsonl",
): Promise<string> {
  const parts: Uint8Array[] = [];
  const write = (bytes: Uint8Array) => {
    parts.push(bytes);
  };
  await copyRecords(inPieces(input, [5, 1]), lines, write, format);
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

test("what is written is waited for, one record at a time", async () => {
  let isWriting = false;
  let count = 0;
  await copyRecords(inPieces("a\n1\n2\n3\n"), [2, 3, 4], async () => {
    expect(isWriting).toBe(false);
    isWriting = true;
    await new Promise((resolve) => setImmediate(resolve));
    isWriting = false;
    count += 1;
  });
  expect(count).toBe(4);
});
