import { fieldEnd, TextColumn } from "../../accounts/columns.ts";
import { type AccountBatch, AccountFlag } from "../../accounts/ingest/batch.ts";
import type { Format } from "../global-options.ts";
import { listColumns } from "./aged-rows.ts";

/** How a format writes a row behind the first one. */
interface Form {
  /** Around the external account number. */
  readonly external: readonly [string, string];
  /** Around the other two texts, and what stands there where one is null. */
  readonly service: readonly [string, string, string];
  readonly created: readonly [string, string, string];
  /** Characters that it writes in another way, and those that change a text which begins with them. */
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
 * Writes all rows of a batch, none of which is the first one printed: equal to what the writer of rows
 * makes of them. `careful` gives that writer's text of one row.
 */
type BatchBytes = (batch: AccountBatch, careful: (row: number) => string) => Uint8Array;

/**
 * A way to write rows straight from the bytes of their batch; null for a format that has none. Rows
 * with anything but plain ASCII, or with something that the format writes in another way, are left to
 * `careful`.
 */
export function batchBytes(format: Format): BatchBytes | null {
  const form = forms[format];
  return form === undefined ? null : writerOf(form);
}

/** Of a byte in a text: it stands for itself, never does, or does not at the beginning. */
const Plain = { always: 0, never: 1, notFirst: 2 } as const;

/** What stands between the texts of a row, and behind it up to the text of the next. */
interface Between {
  /** Behind the external account number. */
  readonly external: Uint8Array;
  /** Behind the others; a null one has nothing behind it that is not said before. */
  readonly service: Uint8Array;
  readonly created: Uint8Array;
}

const nothing = new Uint8Array(0);
const nulls = AccountFlag.serviceNull | AccountFlag.createdNull;

/** The parts of a row, by which of its texts are null. */
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
  /** Bytes of a row besides its texts, at most. */
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
