/** Promise: an override passes the findings that were listed for its reason, and no other. */
import { showActivity } from "../../src/writes/activity-detail.ts";
import { close } from "../../src/writes/close-entry.ts";
import { readEntry } from "../../src/writes/journal/entry.ts";
import { readPasses } from "../../src/writes/journal/override.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { planResend, resend } from "../../src/writes/resend.ts";
import { askAboutEntry, entryBarOf } from "../../src/writes/resend-guard.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { recordWrite, sendIntent, submit } from "../../src/writes/submit.ts";
import { fakeClock } from "../helpers/clock.ts";
import * as fc from "../helpers/fast-check.ts";
import { type Act, openService } from "../helpers/service.ts";
import {
  contextFor,
  hurried,
  instruction,
  overrideFor,
  resendOverrideFor,
  sent,
  statement,
  transactions,
} from "./writing.ts";

const made: Act = { status: 201, body: { service_account_number: "A", reference: "R-1" } };
const refused: Act = { status: 400, body: {} };

describe("an override passes", () => {
  test.each<[string, readonly Act[], () => WriteRequest]>([
    ["a refused payment", [refused, made], instruction],
    ["a payment in doubt", ["reset", made], instruction],
    ["a confirmed payment", [made, made], instruction],
    ["a statement in doubt", ["reset", "reset"], statement],
    [
      "an unchecked transaction in doubt",
      ["reset", "reset"],
      () => transactions(["T-1"], { check_previously_added: "false" }),
    ],
  ])("%s that was found", async (_what, acts, write) => {
    const { context, server, options } = await sent(acts, write());
    await expect(submit(context, write(), options)).rejects.toMatchObject({ about: "write" });
    const before = server.writes().length;
    const override = overrideFor(context, write());
    const { journalId } = await submit(context, write(), { ...options, override });
    expect(server.writes().length).toBe(before + 1);
    expect(showActivity(context.journal, journalId).remarks).toMatchObject([
      { kind: "again", text: "meant" },
    ]);
  });

  test("nothing if it names no finding: it is not noted with the entry", async () => {
    const { context, options } = await sent([made], instruction("GOODPAY", "R-0"));
    const override = { reason: "meant", passes: [] };
    const { journalId } = await submit(context, instruction(), { ...options, override });
    expect(showActivity(context.journal, journalId).remarks).toEqual([]);
  });
});

/** Something that happens between the typed reason and the record of the write. */
type Between = (context: WriteContext, first: number) => Promise<unknown>;

const sendAnother: Between = (context) =>
  submit(context, instruction(), {
    ...hurried().options,
    override: overrideFor(context, instruction()),
  });
const resendFirst: Between = (context, first) =>
  resend(context, first, {
    ...hurried().options,
    override: resendOverrideFor(context, first),
  });

describe("an override does not pass what arises after its reason was typed", () => {
  test.each<[string, readonly Act[], Between]>([
    ["another entry with an effect, where a refusal was found", [refused, made], sendAnother],
    ["another entry in doubt, where a refusal was found", [refused, "reset"], sendAnother],
    ["another refusal", [refused, refused], sendAnother],
    ["another entry with an effect, where one in doubt was found", ["reset", made], sendAnother],
    ["another entry with an effect, where one was confirmed", [made, made], sendAnother],
    ["an effect of the refused entry", [refused, made], resendFirst],
    ["a doubt about the refused entry", [refused, "reset"], resendFirst],
    ["an effect of the entry in doubt", ["reset", made], resendFirst],
  ])("%s", async (_what, acts, between) => {
    const { context, server, options, id } = await sent([...acts, made], instruction());
    const override = overrideFor(context, instruction());
    expect(override.passes).toHaveLength(1);
    await between(context, id);
    const before = server.writes().length;
    await expect(submit(context, instruction(), { ...options, override })).rejects.toMatchObject({
      about: "write",
    });
    expect(server.writes()).toHaveLength(before);
  });

  test("another entry that is sent after the record of the write: it stays unsent", async () => {
    const { context, server, options } = await sent([refused, made, made], instruction());
    const override = overrideFor(context, instruction());
    const held = await recordWrite(context, instruction(), { ...options, override });
    const other = await submit(context, instruction(), { ...options, override });
    expect(other.outcome).toBe("confirmed");
    const result = await sendIntent(context, held, options);
    expect(result).toMatchObject({ outcome: "unsent", reason: "sent-before" });
    expect(result.bar).toMatchObject({ earlier: { journalId: other.journalId } });
    expect(server.writes()).toHaveLength(2);
  });

  test("an item beside the item that it was typed for", async () => {
    const unchecked = { check_previously_added: "false" };
    const { context, server, options } = await sent(["reset"], transactions(["T-1"], unchecked));
    const both = transactions(["T-1", "T-2"], unchecked);
    const override = overrideFor(context, both);
    await submit(context, transactions(["T-2"], unchecked), options);
    const before = server.writes().length;
    await expect(submit(context, both, { ...options, override })).rejects.toMatchObject({
      kind: "duplicate",
    });
    expect(server.writes()).toHaveLength(before);
  });

  test("a doubt about the entry itself, which arose after its resend was planned", async () => {
    const { context, server, options, id } = await sent([{ status: 404 }, "reset"], instruction());
    expect(planResend(context, id).kind).toBe("safe");
    await resend(context, id, options);
    expect(showActivity(context.journal, id).outcome).toBe("unknown");
    await expect(resend(context, id, options)).rejects.toMatchObject({ kind: "duplicate" });
    expect(server.writes()).toHaveLength(2);
  });
});

test("closing an entry in doubt is no new finding", async () => {
  const { context, options, id } = await sent(["reset", made], instruction());
  const override = overrideFor(context, instruction());
  await close(context.journal, id, { reason: "seen at the vendor", tookEffect: "unknown" }, 1);
  const { outcome } = await submit(context, instruction(), { ...options, override });
  expect(outcome).toBe("confirmed");
});

test("an entry keeps its override in another process", async () => {
  const { context, options } = await sent([made, made], instruction());
  const override = overrideFor(context, instruction());
  const id = await recordWrite(context, instruction(), { ...options, override });
  const { outcome } = await sendIntent(context, id, hurried().options);
  expect(outcome).toBe("confirmed");
  expect(context.journal.read((rows) => readPasses(rows, id))).toEqual(override.passes);
});

/** One step of a random history of a payment. */
type Step =
  | { readonly kind: "record"; readonly isOverridden: boolean }
  | { readonly kind: "send" | "resend"; readonly which: number; readonly isOverridden: boolean };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("record" as const), isOverridden: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom("send" as const, "resend" as const),
      which: fc.nat(5),
      isOverridden: fc.boolean(),
    }),
  ),
  { minLength: 1, maxLength: 12 },
);
const answers = fc.array(
  fc.constantFrom<Act>(made, refused, "reset", { status: 404 }, { status: 409 }),
  { minLength: 16, maxLength: 16 },
);

test("over random histories, every started attempt was clear or its findings were overridden", async () => {
  await fc.assert(
    fc.asyncProperty(steps, answers, async (history, acts) => {
      const server = await openService({ writes: acts });
      const context = await contextFor(server.baseUrl, { clock: fakeClock() });
      const recorded: number[] = [];
      const starts: number[] = [];
      const options = hurried({
        atPoint: (point) => {
          if (point === "attempt-committed") starts.push(server.writes().length);
        },
      }).options;
      for (const step of history) {
        const id =
          "which" in step ? recorded[step.which % Math.max(1, recorded.length)] : undefined;
        if (step.kind === "record") {
          const override = step.isOverridden ? overrideFor(context, instruction()) : undefined;
          const recording = recordWrite(context, instruction(), { ...options, override });
          recorded.push(...(await recording.then((one) => [one]).catch(() => [])));
          continue;
        }
        if (id === undefined) continue;
        const allowed = isAllowed(context, id, step.kind === "resend" && step.isOverridden);
        const before = starts.length;
        const override = step.isOverridden ? resendOverrideFor(context, id) : undefined;
        await (step.kind === "send"
          ? sendIntent(context, id, options)
          : resend(context, id, { ...options, override })
        ).catch(() => {});
        // A vendor's 500 is not among the answers, so each sending starts one attempt at most.
        if (!allowed) expect(starts.length).toBe(before);
      }
    }),
    { numRuns: 40 },
  );
});

/** Returns true if every finding about an entry is passed by its stored or its new override. */
function isAllowed(context: WriteContext, id: number, isOverridden: boolean): boolean {
  if (isOverridden) return true;
  return context.journal.read((rows) => {
    const entry = readEntry(rows, id);
    if (entry === null || entry.body === null) return true;
    const write = prepareWrite({ ...entry, body: entry.body });
    return entryBarOf(askAboutEntry(rows, entry, write, readPasses(rows, id))) === null;
  });
}
