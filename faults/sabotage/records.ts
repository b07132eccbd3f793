/**
 * Clients that lose or misread what is recorded, and those that recover or resume from it wrongly.
 */
import type * as retention from "../../src/triage/observations/retention.ts";
import type * as store from "../../src/triage/observations/store.ts";
import type * as standing from "../../src/writes/journal/standing.ts";
import { replaceExport, type Sabotage } from "./sabotage.ts";

export const records: readonly Sabotage[] = [
  {
    name: "queued is reported before it is on disk",
    patches: [
      {
        file: "sqlite/group-commit.ts",
        from: 'settled = jobs.map(runJob);\n      database.exec("COMMIT");',
        to: 'settled = jobs.map(runJob);\n      for (const one of settled) if ("done" in one) one.done();\n      await pause(20);\n      database.exec("COMMIT");',
      },
    ],
    shownBy: { scenarios: [{ name: "kill", at: "queued-reported" }] },
    breaks: ["no intent lost", "nothing unrecorded"],
  },
  {
    name: "confirmed is reported before it is on disk",
    patches: [
      {
        file: "writes/send/send-entry.ts",
        from: "      return record(sending, known, effect);",
        to: '      if (effect.over) {\n        report(options, { kind: "outcome", result: resultOf(known, null) });\n        await options.atPoint?.("outcome-reported");\n      }\n      return record(sending, known, effect);',
      },
      {
        file: "writes/send/state.ts",
        from: '      reportOf({ kind: "outcome", result }),\n      { kind: "point", point: "outcome-reported" },\n',
        to: "",
      },
    ],
    shownBy: { scenarios: [{ name: "kill", at: "outcome-reported" }] },
    breaks: ["reported is recorded"],
  },
  {
    name: "no fsync",
    patches: [
      {
        file: "sqlite/open-file.ts",
        from: '"FULL" : "EXTRA"',
        to: '"OFF" : "OFF"',
      },
    ],
    shownBy: { scenarios: [{ name: "durability" }] },
    breaks: ["commits are durable"],
  },
  {
    name: "retention trusts the machine's clock",
    patches: [
      {
        file: "api/client.ts",
        from: "return dated !== null && Math.abs(now - dated.service) <= maxApartMs ? now : null;",
        to: "return dated === null || maxApartMs > 0 ? now : null;",
      },
      // A day's worth at a time would take as many starts as there are days.
      { file: "sqlite/retention.ts", from: "  return until + dayMs;\n", to: "  return trusted;\n" },
    ],
    shownBy: { scenarios: [{ name: "wrong clocks" }] },
    breaks: ["no clock deletes history"],
  },
  {
    name: "lists expire by the machine's clock",
    patches: [
      { file: "sqlite/retention.ts", from: "  return until + dayMs;\n", to: "  return trusted;\n" },
    ],
    replacements: [
      replaceExport<typeof retention, "expire">(
        "triage/observations/retention.ts",
        "expire",
        (original) => (rows, trusted) => original(rows, trusted ?? Date.now()),
      ),
    ],
    shownBy: { scenarios: [{ name: "observing clocks" }] },
    breaks: ["no clock deletes history"],
  },
  {
    name: "a wrong clock is not noticed",
    patches: [
      {
        file: "api/client.ts",
        from: "return Math.abs(ahead) > maxApartMs ? ahead : 0;",
        to: "return Math.abs(ahead) > maxApartMs ? 0 : 0;",
      },
    ],
    shownBy: { scenarios: [{ name: "observing clocks" }] },
    breaks: ["no age that is not so"],
  },
  {
    name: "a check that stores nothing finds nothing gone",
    patches: [
      {
        file: "triage/check/gather-facts.ts",
        from: "gone: conditions.gone ? await verifiedGone(options, ages) : null",
        to: 'gone: recorded?.kind === "off" ? { accounts: [], atLeast: false } : await verifiedGone(options, ages)',
      },
    ],
    shownBy: { scenarios: [{ name: "unstored checks" }] },
    breaks: ["no false all-clear"],
  },
  {
    name: "a list that cannot be stored is compared with nothing",
    replacements: [
      replaceExport<typeof store, "copyList">(
        "triage/observations/store.ts",
        "copyList",
        () => () => false,
      ),
    ],
    shownBy: { scenarios: [{ name: "unstored checks" }] },
    breaks: ["no false all-clear"],
  },
  {
    name: "claims are not looked at",
    patches: [
      {
        file: "writes/send/account-lock.ts",
        from: "  const { self } = life;\n  const lock",
        to: '  const { self } = life;\n  if (entry.state === "sending") {\n    rows.run("UPDATE intent SET owner = ? WHERE id = ?", ownerText(self), id);\n    return { kind: "taken", entry };\n  }\n  const lock',
      },
    ],
    shownBy: { scenarios: [{ name: "same entries" }] },
    breaks: ["one effect", "one at a time"],
  },
  {
    name: "recovery sends again",
    patches: [
      {
        file: "writes/open-writes.ts",
        from: "    return {\n      context,\n",
        to: '    const { sendEntry } = await import("./send/send-entry.ts");\n    for (const id of recovered.unknown) await sendEntry(context, id, ["unknown"], { signal: new AbortController().signal, settleMs: 0 }).catch(() => null);\n    return {\n      context,\n',
      },
    ],
    shownBy: { scenarios: [{ name: "kill", at: "answered" }] },
    breaks: ["recovery sends nothing", "one effect"],
  },
  {
    name: "recovery takes what was being sent for unsent",
    patches: [
      {
        file: "writes/journal/changes.ts",
        from: '{ ...ended, doubt: "unknown" }',
        to: '{ ...ended, state: "unsent", doubt: "none" }',
      },
    ],
    shownBy: { scenarios: [{ name: "kill", at: "answered" }] },
    breaks: ["refused had no effect", "doubt is kept"],
  },
  {
    name: "a resumed run sends what is confirmed",
    patches: [
      {
        file: "bulk/write-work.ts",
        from: "    AND state IN ('intent', 'unsent', 'unknown', 'retryable')\n    AND (line",
        to: "    AND state IN ('intent', 'unsent', 'unknown', 'retryable', 'confirmed')\n    AND (line",
      },
      {
        file: "bulk/write-work.ts",
        from: '["intent", "unsent", "retryable"], sending)',
        to: '["intent", "unsent", "retryable", "confirmed"], sending)',
      },
    ],
    shownBy: { scenarios: [{ name: "kill bulk", at: "row-settled", of: "statements" }] },
    breaks: ["one effect"],
  },
  {
    name: "a changed input is not noticed",
    patches: [
      {
        file: "bulk/record.ts",
        from: "readRequestCount === before.requests && chain !== before.chain",
        to: "false",
      },
      { file: "bulk/record.ts", from: "if (!isSame || !isComplete", to: "if (!isComplete" },
    ],
    shownBy: { scenarios: [{ name: "changed input" }] },
    breaks: ["run is of its input"],
  },
  {
    name: "the remembered position of the journal is ignored",
    replacements: [
      replaceExport<typeof standing, "rememberJournal">(
        "writes/journal/standing.ts",
        "rememberJournal",
        () => () => ({
          standing: { kind: "current" },
          problem: () => null,
          committed: () => {},
          renew: () => {},
          close: () => {},
        }),
      ),
    ],
    shownBy: { scenarios: [{ name: "restored journal" }] },
    breaks: ["one effect", "nothing is sent from an older journal"],
  },
  {
    name: "an older journal refuses nothing",
    patches: [
      {
        file: "writes/older-journal.ts",
        from: 'if (standing.kind === "current") return null;',
        to: "if (path !== standing.kind) return null;",
      },
    ],
    shownBy: { scenarios: [{ name: "restored journal" }] },
    breaks: ["one effect", "nothing is sent from an older journal"],
  },
  {
    name: "the token is written into the journal",
    patches: [
      {
        file: "api/token.ts",
        from: "    http.send({\n      ...request,",
        to: "    Object.assign(globalThis, { leaked: token }) && http.send({\n      ...request,",
      },
      {
        file: "writes/send/classify-response.ts",
        from: "    response: body,\n    detail:",
        to: "    response: (body ?? '') + Reflect.get(globalThis, 'leaked'),\n    detail:",
      },
    ],
    shownBy: { faults: ["401"], endpoints: ["notes"] },
    breaks: ["no secrets"],
  },
  {
    name: "amounts are added as floating-point numbers",
    patches: [
      {
        file: "writes/done.ts",
        from: "else this.#sum.add(amount);",
        to: "else this.#float = Number(this.#float ?? 0) + Number(amount);",
      },
      {
        file: "writes/done.ts",
        from: "  #isSumKnown = true;\n",
        to: "  #isSumKnown = true;\n  #float: number | null = null;\n",
      },
      {
        file: "writes/done.ts",
        from: "this.#isSumKnown ? this.#sum.text() : null",
        to: "this.#isSumKnown ? String(this.#float ?? 0) : null",
      },
    ],
    shownBy: { faults: ["500"], endpoints: ["transactions"] },
    breaks: ["the summary is the ledger"],
  },
  {
    name: "the summary leaves out what already existed",
    patches: [
      {
        file: "writes/done.ts",
        from: 'if (item === "exists" && tookEffect === "yes") return { outcome: "exists", tookEffect };',
        to: 'if (item === "exists") return { outcome: "exists", tookEffect: "no" };',
      },
    ],
    shownBy: { faults: ["reset-after"], endpoints: ["transactions", "notes"] },
    breaks: ["the summary is the ledger"],
  },
];
