import { expect, test } from "vitest";
import { State } from "../../../src/triage/observations/block-parts.ts";
import { Delta } from "../../../src/triage/observations/delta.ts";

const bytes = (text: string) => Buffer.from(text);

test("a delta without its content is the same list of changes, in fewer bytes", () => {
  const delta = new Delta();
  for (let row = 0; row < 200; row++) {
    delta.add(row * 3, State.pending, State.imported);
    delta.addContent(bytes(`A-${row * 7919}`), 1_768_467_600_000 + row * 1000, 0);
  }
  delta.add(700, State.imported, State.imported);
  delta.addContent(bytes("A-NEW"), 1_768_467_600_000, 0);
  delta.addBefore(bytes("A-OLD"));
  delta.add(701, State.pending, State.gone);
  const changes = Delta.unpack(delta.withoutContent().packed());
  const listed = (one: Delta) =>
    Array.from({ length: one.count }, (_, at) => [one.rows[at], one.change(at), one.from(at)]);
  expect(listed(changes)).toEqual(listed(delta));
  expect(Buffer.from(changes.service(200) ?? []).toString()).toBe("A-NEW");
  expect(Buffer.from(changes.before(200) ?? []).toString()).toBe("A-OLD");
  expect(changes.service(0)).toBeNull();
  expect(changes.packed().length).toBeLessThan(delta.packed().length / 4);
});
