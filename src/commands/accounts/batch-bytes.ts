/** Formats rows of `accounts list` directly from bytes, for the fast output of long lists. */

import { fieldEnd, TextColumn } from "../../accounts/columns.ts";
import { type AccountBatch, AccountFlag } from "../../accounts/ingest/batch.ts";
import type { Format } from "../global-options.ts";
import { listColumns } from "./aged-rows.ts";

/** The fixed texts of a row in one format. The first row of the output is formatted differently. */
interface Form {
  /** The texts around the external account number. */
  readonly external: readonly [string, string];
  /**
   * The texts around the service account number, and the text for null. `created` has the same
   * three texts for the creation time.
   */
  readonly service: readonly [string, string, string];
  readonly created: readonly [string, string, string];
  /**
   * The characters that the format escapes or quotes. `unusualFirst` has those that it changes only
   * at the start of a text.
   */
  readonly unusual: string;
  readonly unusualFirst: string;
}

const [external, service, created] = listColumns.map(({ name }) => JSON.stringify(name));

const jsonl: Form = {
  external: [`{${external}:"`, '"'],
  service: [`,${service}:"`, '"', `,${service}:null`],
  created: [`,${created}:"`, '"}\n', `,${created}:null}\n`],
  unusual: '"\\',
  unusualFirst: "",
};
const forms: Partial<Readonly<Record<Format, Form>>> = {
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
 * the same as those of the row writer. `careful` formats one row with the row writer.
 */
type BatchBytes = (batch: AccountBatch, careful: (row: number) => string) => Uint8Array;

/**
 * Returns a function that formats rows directly from the bytes of their batch, or null for a format
 * without one. Rows that are not plain ASCII, or have a character that the format escapes, are
 * passed to `careful`.
 */
export function batchBytes(format: Format): BatchBytes | null {
  const form = forms[format];
  return form === undefined ? null : writerOf(form);
}

/**
 * The cases in which a byte is copied unchanged: always, never, or except at the start of a text.
 */
const Plain = { always: 0, never: 1, notFirst: 2 } as const;

/** The texts after each value of a row. The last text includes the beginning of the next row. */
interface Between {
  /** The text after the external account number. */
  readonly external: Uint8Array;
  /**
   * The text after the service account number. `created` is the text after the creation time. The
   * text is empty after a null value, because the text before it includes the null.
   */
  readonly service: Uint8Array;
  readonly created: Uint8Array;
}

const nothing = new Uint8Array(0);
const nulls = AccountFlag.serviceNull | AccountFlag.createdNull;

/** Returns the texts of a row for each combination of null values, indexed by the flags. */
function betweenOf({ external, service, created }: Form): readonly Between[] {
  const bytes = (...parts: readonly string[]) => Buffer.from(parts.join(""));
  const [head, tail] = external;
  return Array.from({ length: nulls + 1 }, (_, bits): Between => {
    const times = (bits & AccountFlag.createdNull) === 0 ? created[0] : created[2] + head;
    const last = times === created[0] ? bytes(created[1], head) : nothing;
    return (bits & AccountFlag.serviceNull) === 0
      ? { external: bytes(tail, service[0]), service: bytes(service[1], times), created: last }
      : { external: bytes(tail, service[2], times), service: nothing, created: last };
  });
}

function meaningsOf({ unusual, unusualFirst }: Form): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const character = String.fromCharCode(code);
    if (code < 0x20 || code > 0x7e || unusual.includes(character)) return Plain.never;
    return unusualFirst.includes(character) ? Plain.notFirst : Plain.always;
  });
}

function writerOf(form: Form): BatchBytes {
  const meanings = meaningsOf(form);
  const parts = betweenOf(form);
  const head = Buffer.from(form.external[0]);
  /** Maximum number of bytes of a row, without its values. */
  const most = [form.external, form.service, form.created].flat().join("").length;

  return (batch, careful) => {
    const { count, text, flags } = batch;
    let out = Buffer.allocUnsafe(text.length + (count + 1) * most);
    let at = 0;
    let isPlain = true;
    const put = (part: Uint8Array) => {
      out.set(part, at);
      at += part.length;
    };
    const copy = (from: number, to: number) => {
      if (from === to) return;
      let seen = (meanings[text[from] as number] as number) >> 1;
      let end = at;
      for (let next = from; next < to; next++) {
        const byte = text[next] as number;
        seen |= meanings[byte] as number;
        out[end++] = byte;
      }
      at = end;
      if ((seen & Plain.never) !== 0) isPlain = false;
    };
    put(head);
    for (let row = 0, from = 0; row < count; row++) {
      const begin = at;
      const externalEnd = fieldEnd(batch, row, TextColumn.external);
      const serviceEnd = fieldEnd(batch, row, TextColumn.service);
      const end = fieldEnd(batch, row, TextColumn.created);
      const between = parts[(flags[row] as number) & nulls] as Between;
      isPlain = true;
      copy(from, externalEnd);
      put(between.external);
      copy(externalEnd, serviceEnd);
      if (between.service.length > 0) put(between.service);
      copy(serviceEnd, end);
      if (between.created.length > 0) put(between.created);
      if (!isPlain) {
        const unusual = Buffer.from(careful(row));
        at = begin - head.length;
        const rest = text.length - end + (count - row) * most;
        if (at + unusual.length + rest > out.length)
          out = Buffer.concat([out.subarray(0, at)], at + unusual.length * 2 + rest);
        put(unusual);
        put(head);
      }
      from = end;
    }
    return out.subarray(0, at - head.length);
  };
}
