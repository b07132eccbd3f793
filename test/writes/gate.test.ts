import { formKinds } from "../../src/forms/forms.ts";
import {
  confirmationsOf,
  type Passed,
  passGate,
  type Question,
  type Sending,
  type ToSend,
} from "../../src/writes/gate.ts";
import { operationOf } from "../../src/writes/kinds/kinds.ts";

type Cell = "" | "yes" | "target" | "rows" | "rows-and-sum";

/** The questions for one entry and for many, for rows without amounts and with them. */
const table: readonly (readonly [
  environment: Sending["environment"],
  inDoubt: boolean,
  one: Cell,
  many: Cell,
  manyAmounts: Cell,
])[] = [
  ["sandbox", false, "", "", ""],
  ["sandbox", true, "", "", ""],
  ["test", false, "", "yes", "yes"],
  ["test", true, "target", "rows", "rows-and-sum"],
  ["production", false, "target", "rows", "rows-and-sum"],
  ["production", true, "target", "rows", "rows-and-sum"],
];

const cells = table.flatMap(([environment, inDoubt, one, many, manyAmounts]) =>
  formKinds.map(operationOf).flatMap((operation) => {
    const ofMany = operation === "transactions create" ? manyAmounts : many;
    const doubt = inDoubt ? "in doubt" : "not in doubt";
    return [
      { environment, doubt, operation, inDoubt, rows: "one", cell: one },
      { environment, doubt, operation, inDoubt, rows: "many", cell: ofMany },
    ] as const;
  }),
);

test.each(cells)('$environment, $rows $operation, $doubt: "$cell"', ({ cell, ...sending }) => {
  expect(confirmationsOf(sending).join("-and-")).toBe(cell);
});

const one: ToSend = {
  operation: "payment-instructions create",
  target: "EXT-1",
  rows: 1,
  sum: null,
  inDoubt: false,
  reason: null,
};

const charges: ToSend = {
  ...one,
  operation: "transactions create",
  target: null,
  rows: 1200,
  sum: "-940.15",
};

const found = { item: "key", kind: "confirmed", earlier: 7 } as const;
const barred = { inDoubt: true, reason: { passes: [found], without: null } };
const partly = { inDoubt: true, reason: { passes: [found], without: { rows: 3, sum: "7.50" } } };

const right: Readonly<Record<Question["kind"], string>> = {
  yes: "y",
  target: "EXT-1",
  rows: "1,200",
  sum: "-940.150",
  reason: "lost",
};

const fine = () => null;

/** Answers each question; returns the kinds asked and the verdict. */
function answered(
  send: ToSend,
  environment: Sending["environment"],
  answers: Partial<typeof right> = {},
  refusal: () => string | null = fine,
): { readonly asked: readonly string[]; readonly passed: Passed } {
  const gate = passGate(send, environment, refusal);
  const asked: string[] = [];
  let step = gate.next();
  while (!step.done) {
    const { kind } = step.value;
    asked.push(kind);
    step = gate.next(answers[kind] ?? right[kind]);
  }
  return { asked, passed: step.value };
}

const again = { reason: "lost", passes: [found] };

test.each<[string, ToSend, Sending["environment"], readonly string[], typeof again | null]>([
  ["one", one, "test", [], null],
  ["one", one, "production", ["target"], null],
  ["one that is barred", { ...one, ...barred }, "sandbox", ["reason"], again],
  ["one that is barred", { ...one, ...barred }, "test", ["target", "reason"], again],
  ["many", charges, "test", ["yes"], null],
  ["many", charges, "production", ["rows", "sum"], null],
  ["many, some barred", { ...charges, ...partly }, "test", ["reason", "rows", "sum"], again],
  ["many, all barred", { ...charges, ...barred }, "test", ["rows", "sum", "reason"], again],
])("%s (%o) on %s asks for %j", (_what, send, environment, asked, reason) => {
  expect(answered(send, environment)).toEqual({
    asked,
    passed: { kind: "sends", override: reason },
  });
});

test("without a reason the rows that are barred are left out, and the rest is confirmed", () => {
  const rest = answered({ ...charges, ...partly }, "production", {
    reason: "",
    rows: "3",
    sum: "7.5",
  });
  expect(rest).toEqual({
    asked: ["reason", "rows", "sum"],
    passed: { kind: "sends", override: null },
  });
});

test("a question is asked again until its answer fits, and one answer serves one question", () => {
  const gate = passGate({ ...charges, ...barred }, "production", fine);
  const kinds = ["", "1200", "1200", "-940.15", "", "lost"].map((typed, at) => {
    const step = at === 0 ? gate.next() : gate.next(typed);
    return step.done ? "over" : step.value.kind;
  });
  expect(kinds).toEqual(["rows", "sum", "sum", "reason", "reason", "over"]);
});

test("what may not be sent asks nothing", () => {
  const refused = answered(one, "production", {}, () => "Writes are locked.");
  expect(refused).toEqual({ asked: [], passed: { kind: "refused", why: "Writes are locked." } });
});

test.each([
  ["all of it", "lost"],
  ["the rest", ""],
])("a lock that closes before the last answer refuses %s", (_what, reason) => {
  let left = reason === "" ? 3 : 2;
  const refusal = () => {
    left -= 1;
    return left > 0 ? null : "Writes are locked.";
  };
  const answers = reason === "" ? { reason, rows: "3", sum: "7.5" } : {};
  expect(answered({ ...charges, ...partly }, "production", answers, refusal)).toEqual({
    asked: ["reason", "rows", "sum"],
    passed: { kind: "refused", why: "Writes are locked." },
  });
});
