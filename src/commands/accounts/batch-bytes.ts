/** Formats rows of `accounts list` directly from bytes, for the fast output of long lists. */

import { listedFields } from "../../accounts/account-fields.ts";
import { fieldEnd, TextColumn } from "../../accounts/columns.ts";
import { type AccountBatch, AccountFlag } from "../../accounts/ingest/batch.ts";
import type { Format } from "../global-options.ts";

/** The fixed texts of a row in one format, except for the first row of the output. */
interface RowForm {
  readonly external: readonly [string, string];
  /** The texts around the service account number, and the text for null. */
  readonly service: readonly [string, string, string];
  /** The texts around the creation time, and the text for null. */
  readonly created: readonly [string, string, string];
  readonly unusual: string;
  /** The characters that the format changes only at the start of a text. */
  readonly unusualFirst: string;
}

const [external, service, created] = listedFields.map(({ name }) => JSON.stringify(name));

const jsonl: RowForm = {
  external: [`{${external}:"`, '"'],
  service: [`,${service}:"`, '"', `,${service}:null`],
  created: [`,${created}:"`, '"}\n', `,${created}:null}\n`],
  unusual: '"\\',
  unusualFirst: "",
};
const forms: Partial<Readonly<Record<Format, RowForm>>> = {
  jsonl,
  json: {
    ...jsonl,
    external: [`,\n{${external}:"`, '"'],
    created: [`,${created}:"`, '"}', `,${created}:null}`],
  },
  csv: {
    external: ["", ""],
    service: [",", "", ","],
    created: [",", "\n", ",\n"],
    unusual: '",',
    unusualFirst: "=+-@",
  },
};

/**
 * Formats all rows of a batch, which must not include the first row of the output. The bytes are
 * the same as those of the row writer. `formatRow` formats one row with the row writer.
 */
type BatchBytes = (batch: AccountBatch, formatRow: (row: number) => string) => Uint8Array;

/**
 * Returns a function that formats rows directly from the bytes of their batch, or null for a format
 * without such a function. Rows that are not plain ASCII, or have a character that the format
 * escapes, are passed to `formatRow`.
 */
export function batchBytes(format: Format): BatchBytes | null {
  const form = forms[format];
  return form === undefined ? null : writerOf(form);
}

/**
 * The cases in which a byte is copied unchanged: always, never, or except at the start of a text.
 */
const Copied = { always: 0, never: 1, notFirst: 2 } as const;

/** The texts after each value of a row. The last text includes the beginning of the next row. */
interface RowTexts {
  readonly external: Uint8Array;
  /** The text after the service account number, or no bytes if the text before has the null. */
  readonly service: Uint8Array;
  /** The text after the creation time, or no bytes if the text before has the null. */
  readonly created: Uint8Array;
}

const noBytes = new Uint8Array(0);
const nullFlags = AccountFlag.serviceNull | AccountFlag.createdNull;

function rowTextsOf({ external, service, created }: RowForm): readonly RowTexts[] {
  const bytes = (...parts: readonly string[]) => Buffer.from(parts.join(""));
  const [head, tail] = external;
  return Array.from({ length: nullFlags + 1 }, (_, flags): RowTexts => {
    const hasCreated = (flags & AccountFlag.createdNull) === 0;
    const beforeCreated = hasCreated ? created[0] : created[2] + head;
    const afterCreated = hasCreated ? bytes(created[1], head) : noBytes;
    return (flags & AccountFlag.serviceNull) === 0
      ? {
          external: bytes(tail, service[0]),
          service: bytes(service[1], beforeCreated),
          created: afterCreated,
        }
      : {
          external: bytes(tail, service[2], beforeCreated),
          service: noBytes,
          created: afterCreated,
        };
  });
}

function copiedByByteOf({ unusual, unusualFirst }: RowForm): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const character = String.fromCharCode(code);
    if (code < 0x20 || code > 0x7e || unusual.includes(character)) return Copied.never;
    return unusualFirst.includes(character) ? Copied.notFirst : Copied.always;
  });
}

function writerOf(form: RowForm): BatchBytes {
  const copiedByByte = copiedByByteOf(form);
  const textsByNulls = rowTextsOf(form);
  const head = Buffer.from(form.external[0]);
  const maxRowBytes = [form.external, form.service, form.created].flat().join("").length;

  return (batch, formatRow) => {
    const { count, text, flags } = batch;
    let output = Buffer.allocUnsafe(text.length + (count + 1) * maxRowBytes);
    let length = 0;
    let isPlain = true;
    const put = (bytes: Uint8Array) => {
      output.set(bytes, length);
      length += bytes.length;
    };
    /** Copies a text. Sets `isPlain` to false if a byte must be changed. */
    const copy = (from: number, to: number) => {
      if (from === to) return;
      // For the first byte, the shift converts `notFirst` to `never`.
      let cases = (copiedByByte[text[from] as number] as number) >> 1;
      let end = length;
      for (let index = from; index < to; index++) {
        const byte = text[index] as number;
        cases |= copiedByByte[byte] as number;
        output[end++] = byte;
      }
      length = end;
      if ((cases & Copied.never) !== 0) isPlain = false;
    };
    put(head);
    for (let row = 0, from = 0; row < count; row++) {
      const begin = length;
      const externalEnd = fieldEnd(batch, row, TextColumn.external);
      const serviceEnd = fieldEnd(batch, row, TextColumn.service);
      const end = fieldEnd(batch, row, TextColumn.created);
      const texts = textsByNulls[(flags[row] as number) & nullFlags] as RowTexts;
      isPlain = true;
      copy(from, externalEnd);
      put(texts.external);
      copy(externalEnd, serviceEnd);
      if (texts.service.length > 0) put(texts.service);
      copy(serviceEnd, end);
      if (texts.created.length > 0) put(texts.created);
      if (!isPlain) {
        const rowBytes = Buffer.from(formatRow(row));
        length = begin - head.length;
        const rest = text.length - end + (count - row) * maxRowBytes;
        if (length + rowBytes.length + rest > output.length)
          output = Buffer.concat([output.subarray(0, length)], length + rowBytes.length * 2 + rest);
        put(rowBytes);
        put(head);
      }
      from = end;
    }
    return output.subarray(0, length - head.length);
  };
}
