/** Clients made wrong on purpose: what is put in the place of what, and which promise that breaks. */
import type { Scenario } from "../scenarios/all.ts";

/** `from` must stand in the file once, or the sabotage is out of date and says so. */
export interface Patch {
  /** Below src/. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Sabotage {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** Cells that must show it, as faults and endpoints; or scenarios. */
  readonly shownBy:
    | { readonly faults: readonly string[]; readonly endpoints: readonly string[] }
    | { readonly scenarios: readonly Scenario[] };
  /** At least one of these must be broken. */
  readonly breaks: readonly string[];
}

const decide = "writes/decide.ts";
const payments = "writes/kinds/payment-instructions.ts";

export const sabotages: readonly Sabotage[] = [
  {
    name: "every POST is sent again",
    patches: [
      {
        file: decide,
        from: '    case "answer":\n      return false;',
        to: '    case "answer":\n      return true;',
      },
    ],
    shownBy: { faults: ["reset-after"], endpoints: ["statements", "payment-instructions"] },
    breaks: ["one effect", "no unsafe resend"],
  },
  {
    name: "a reset counts as never sent",
    patches: [
      {
        file: "writes/decide.ts",
        from: 'if (facts.httpStatus === undefined) return "no-answer";',
        to: 'if (facts.httpStatus === undefined) return "never-sent";',
      },
    ],
    shownBy: { faults: ["reset-after"], endpoints: ["statements", "payment-instructions"] },
    breaks: ["one effect", "no unsafe resend"],
  },
  {
    name: "a resend has another body",
    patches: [
      {
        file: "writes/send/send-entry.ts",
        from: "      body: write.body,\n",
        to: "      body: n > 1 ? Buffer.concat([write.body, Buffer.from(' ')]) : write.body,\n",
      },
    ],
    shownBy: { faults: ["503"], endpoints: ["notes", "transactions"] },
    breaks: ["nothing unrecorded"],
  },
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
        file: "writes/send/step.ts",
        from: '      report({ kind: "outcome", result }),\n      { kind: "point", point: "outcome-reported" },\n',
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
    name: "an answer for another item is trusted",
    patches: [
      {
        file: "writes/kinds/results.ts",
        from: '    return { kind: "nothing", because: "other-item", why: compared.difference };',
        to: '    return { kind: "confirmed", items: allItems(facts, "created") };',
      },
    ],
    shownBy: { faults: ["shape=other"], endpoints: ["payment-instructions", "statements"] },
    breaks: ["confirmed was said"],
  },
  {
    name: "a refusal for another item is trusted",
    patches: [
      {
        file: "writes/kinds/results.ts",
        from: '  if (compared.kind === "other") {',
        to: '  if (compared.kind === "other" && httpStatus >= 400) return { kind: "status" };\n  if (compared.kind === "other") {',
      },
    ],
    shownBy: { faults: ["400-after=other"], endpoints: ["payment-instructions", "statements"] },
    breaks: ["refused had no effect"],
  },
  {
    name: "another account in an answer is overlooked",
    patches: [
      {
        file: "writes/kinds/naming.ts",
        from: '  if (target !== null) return { kind: "other", difference: target };',
        to: "",
      },
    ],
    shownBy: {
      faults: ["shape=other-account"],
      endpoints: ["notes", "transactions", "payment-instructions", "statements"],
    },
    breaks: ["confirmed was said"],
  },
  {
    name: "an answer that contradicts itself confirms",
    patches: [
      {
        file: "writes/kinds/results.ts",
        from: "  if (contradiction !== null) return contradicts(contradiction);\n",
        to: "",
      },
    ],
    shownBy: {
      faults: ["shape=errors", "shape=no-account", "shape=import-error"],
      endpoints: ["transactions", "payment-instructions"],
    },
    breaks: ["confirmed was said"],
  },
  {
    name: "the last of repeated fields counts",
    patches: [
      {
        file: "writes/kinds/results.ts",
        from: "  const repeated = repeatedField(body);\n",
        to: "  const repeated = repeatedField(body) && null;\n",
      },
      {
        file: "writes/kinds/results.ts",
        from: 'repeated.join(".")',
        to: '[repeated].join(".")',
      },
    ],
    shownBy: { faults: ["shape=repeated"], endpoints: ["statements", "payment-instructions"] },
    breaks: ["confirmed was said"],
  },
  {
    name: "a redirect counts as a refusal",
    patches: [
      {
        file: decide,
        from: 'if (httpStatus >= 300 && httpStatus < 400) return "3xx";',
        to: 'if (httpStatus >= 300 && httpStatus < 400) return "4xx";',
      },
    ],
    shownBy: { faults: ["303-after"], endpoints: ["payment-instructions", "statements"] },
    breaks: ["refused had no effect"],
  },
  {
    name: "a gateway that gave up counts as a refusal",
    patches: [
      {
        file: decide,
        from: '  if (gaveUpStatuses.includes(httpStatus)) return "no-answer";\n',
        to: "  if (gaveUpStatuses.length === 0) return null;\n",
      },
    ],
    shownBy: {
      faults: ["444-after", "460-after", "499-after"],
      endpoints: ["payment-instructions", "statements"],
    },
    breaks: ["refused had no effect"],
  },
  {
    name: "a conflict is a refusal like any other",
    patches: [
      {
        file: decide,
        from: '  if (conflictStatuses.includes(httpStatus)) return "409";\n',
        to: "  if (conflictStatuses.length === 0) return null;\n",
      },
    ],
    shownBy: { faults: ["409-after", "423-after"], endpoints: ["payment-instructions", "notes"] },
    breaks: ["refused had no effect"],
  },
  {
    name: "the guard is not asked again before an attempt",
    patches: [
      {
        file: "writes/send/send-entry.ts",
        from: "  if (made > 0 || options.again !== undefined) return null;",
        to: "  if (made >= 0 || options.again !== undefined) return null;",
      },
    ],
    shownBy: { scenarios: [{ name: "blocked twins" }] },
    breaks: ["refused form not resent"],
  },
  {
    name: "the guard forgets closed entries",
    patches: [
      {
        file: "writes/journal/item-key-table.ts",
        from: "WHEN i.state IN ('retryable', 'closed') AND",
        to: "WHEN i.state IN ('retryable') AND",
      },
    ],
    shownBy: { scenarios: [{ name: "closed entries" }] },
    breaks: ["one effect", "no unsafe resend"],
  },
  {
    name: "the guard forgets conflicts",
    patches: [
      {
        file: "writes/journal/item-key-table.ts",
        from: "WHEN i.state = 'rejected' AND i.doubt <> 'none' THEN",
        to: "WHEN i.state = 'none' THEN",
      },
    ],
    shownBy: { scenarios: [{ name: "conflicts" }] },
    breaks: ["one effect"],
  },
  {
    name: "the guard compares requests",
    patches: [
      {
        file: "writes/item-keys.ts",
        // With its place, or the items of one request would repeat each other.
        from: "comparableJson(item)}",
        to: "comparableJson([items, items.indexOf(item)])}",
      },
    ],
    shownBy: { scenarios: [{ name: "items in other forms" }] },
    breaks: ["one effect"],
  },
  {
    name: "the guard takes amounts as they are typed",
    patches: [
      {
        file: "writes/item-keys.ts",
        from: "comparableJson(item)}",
        to: "canonicalJson(item)}",
      },
    ],
    shownBy: { scenarios: [{ name: "items in other forms" }] },
    breaks: ["one effect"],
  },
  {
    name: "the guard forgets flags",
    patches: [
      {
        file: "writes/guard.ts",
        from: "kind.isDeduplicated(query, ",
        to: 'kind.isDeduplicated({ ...query, check_previously_added: "true" }, ',
      },
    ],
    shownBy: { scenarios: [{ name: "items in other forms" }] },
    breaks: ["one effect"],
  },
  {
    name: "the guard's keys go with their entries",
    patches: [
      {
        file: "writes/journal/item-key-table.ts",
        from: "WHERE intent = OLD.id AND OLD.operation NOT IN ('notes create', 'supply-points create');",
        to: "WHERE intent = OLD.id AND OLD.operation IN ('none');",
      },
    ],
    shownBy: { scenarios: [{ name: "items in other forms" }] },
    breaks: ["one effect"],
  },
  {
    name: "queued calls ignore a pause",
    patches: [
      {
        file: "api/rate-limit.ts",
        from: "return Math.max(now(), pausedUntil, grantedAt",
        to: "return Math.max(now(), grantedAt",
      },
      {
        file: "api/rate-limit.ts",
        from: "return left > 0 ? pauseError(left) : null;",
        to: "return left > 0 ? null : null;",
      },
    ],
    shownBy: { scenarios: [{ name: "rate limit" }] },
    breaks: ["no request inside a pause"],
  },
  {
    name: "writes take no turn under a rate limit",
    patches: [
      {
        file: "writes/send/waits.ts",
        from: "return await service.rateLimit.pass(mostMs, options.signal, (until) =>\n      report(options, { ...wait, until }),\n    );",
        to: "return wait.skip ?? 0;",
      },
      {
        file: "api/http.ts",
        from: "const refusal = options.rateLimit.mayLeave();",
        to: 'const refusal = request.method === "POST" ? null : options.rateLimit.mayLeave();',
      },
    ],
    shownBy: { scenarios: [{ name: "rate limit" }] },
    breaks: ["refusals are few"],
  },
  {
    name: "retention trusts the machine's clock",
    patches: [
      {
        file: "api/client.ts",
        from: "return dated !== null && Math.abs(now - dated.service) <= mostApartMs ? now : null;",
        to: "return dated === null || mostApartMs > 0 ? now : null;",
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
      {
        file: "triage/observations/engine.ts",
        from: "      expire(rows, trusted);\n",
        to: "      expire(rows, trusted ?? Date.now());\n",
      },
      { file: "sqlite/retention.ts", from: "  return until + dayMs;\n", to: "  return trusted;\n" },
    ],
    shownBy: { scenarios: [{ name: "observing clocks" }] },
    breaks: ["no clock deletes history"],
  },
  {
    name: "a wrong clock is not noticed",
    patches: [
      {
        file: "api/client.ts",
        from: "return Math.abs(ahead) > mostApartMs ? ahead : 0;",
        to: "return Math.abs(ahead) > mostApartMs ? 0 : 0;",
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
        from: "gone: asked.gone ? await verifiedGone(options, ages) : null",
        to: 'gone: recorded?.kind === "off" ? { accounts: [], atLeast: false } : await verifiedGone(options, ages)',
      },
    ],
    shownBy: { scenarios: [{ name: "unstored checks" }] },
    breaks: ["no false all-clear"],
  },
  {
    name: "a list that cannot be stored is compared with nothing",
    patches: [
      {
        file: "triage/observations/open-observations.ts",
        from: 'await ask("recordUnstored", load, observed);',
        to: "{ seen: null, storedAt: null, hasHistory: false };",
      },
    ],
    shownBy: { scenarios: [{ name: "unstored checks" }] },
    breaks: ["no false all-clear"],
  },
  {
    name: "a changed profile is not noticed",
    patches: [
      {
        file: "settings/profile-change.ts",
        from: 'if (stored === null) return { kind: "gone" };',
        to: 'if (stored === null || stored !== opened) return { kind: "same" };',
      },
    ],
    shownBy: { scenarios: [{ name: "changed profile" }] },
    breaks: ["a changed profile is obeyed"],
  },
  {
    name: "a 201 that is cut short is trusted",
    patches: [
      {
        file: "writes/send/answer.ts",
        from: "    const { error } = sent;\n",
        to: '    const { error } = sent;\n    if (error.facts.httpStatus === 201) return { httpStatus: 201, body: "trusted", error: null };\n',
      },
      {
        file: "writes/send/answer.ts",
        from: "  const proof = isWhole(answer)\n",
        to: '  const proof = answer.body === "trusted"\n    ? { kind: "confirmed" as const, items: allItems(facts, "created") }\n    : isWhole(answer)\n',
      },
    ],
    shownBy: { faults: ["torn=length", "truncate=length"], endpoints: ["notes", "statements"] },
    breaks: ["confirmed took effect", "confirmed was said"],
  },
  {
    name: "half an answer is enough",
    patches: [
      {
        file: "writes/kinds/naming.ts",
        from: "results.length === ours.length ?",
        to: "results.length > 0 ?",
      },
      {
        file: "writes/kinds/results.ts",
        from: '    const status = textAt(results?.[position], "status");',
        to: '    if (results?.[position] === undefined) continue;\n    const status = textAt(results?.[position], "status");',
      },
    ],
    shownBy: { faults: ["truncate=prefix"], endpoints: ["notes"] },
    breaks: ["confirmed was said"],
  },
  {
    name: "unknown is cleared by a 400",
    patches: [
      {
        file: decide,
        from: 'if (doubt === "unknown") return "unknown";\n  const refused',
        to: 'if (doubt === "unknown" && situation !== "400") return "unknown";\n  const refused',
      },
      {
        file: decide,
        from: 'if (doubt === "vendor") return',
        to: 'if (doubt === "unknown") return "rejected";\n  if (doubt === "vendor") return',
      },
    ],
    shownBy: { faults: ["reset-after, then 400"], endpoints: ["notes", "transactions"] },
    breaks: ["refused had no effect", "doubt is kept"],
  },
  {
    name: "unknown is cleared by a 404",
    patches: [
      {
        file: decide,
        from: 'if (doubt === "unknown") return "unknown";\n  const refused',
        to: 'if (doubt === "unknown" && situation === "404") return "rejected";\n  if (doubt === "unknown") return "unknown";\n  const refused',
      },
    ],
    shownBy: { faults: ["reset-after, then 404"], endpoints: ["notes", "transactions"] },
    breaks: ["refused had no effect", "doubt is kept"],
  },
  {
    name: "absence is taken for proof",
    patches: [
      {
        file: "writes/send/step.ts",
        from: '  const found = probe.kind === "found" ?',
        to: '  if (probe.kind === "absent") return finish({ ...known, state: "rejected", doubt: "none" });\n  const found = probe.kind === "found" ?',
      },
    ],
    shownBy: { faults: ["late=5ms"], endpoints: ["supply-points-create"] },
    breaks: ["refused had no effect", "doubt is kept"],
  },
  {
    name: "a refused payment form is sent again",
    patches: [{ file: payments, from: '"400": "stop-and-block"', to: '"400": "resend"' }],
    shownBy: { faults: ["400"], endpoints: ["payment-instructions"] },
    breaks: ["refused form not resent"],
  },
  {
    name: "statements are sent again after a 500",
    patches: [
      {
        file: "writes/kinds/statements.ts",
        from: '    "500": "unknown",\n',
        to: '    "500": "resend",\n',
      },
    ],
    shownBy: { faults: ["500-after"], endpoints: ["statements"] },
    breaks: ["one effect", "no unsafe resend"],
  },
  {
    name: "a payment instruction is sent again after a 502",
    patches: [
      {
        file: payments,
        from: '    "500": "resend",\n    "5xx": "unknown",',
        to: '    "500": "resend",\n    "5xx": "resend",',
      },
    ],
    shownBy: { faults: ["502-after"], endpoints: ["payment-instructions"] },
    breaks: ["one effect", "no unsafe resend"],
  },
  {
    name: "nothing is ever sent again",
    patches: [
      {
        file: decide,
        from: "const again =\n    isResent(rule, standing) &&",
        to: "const again =\n    false &&",
      },
    ],
    shownBy: { faults: ["503"], endpoints: ["notes"] },
    breaks: ["no needless unknown"],
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
        to: '    const { sendEntry } = await import("./send/send-entry.ts");\n    for (const id of recovered.unknown) await sendEntry(context, id, ["unknown"], { signal: new AbortController().signal, settleMs: 0 });\n    return {\n      context,\n',
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
        from: "seen === there.requests && chain !== there.chain",
        to: "false",
      },
      { file: "bulk/record.ts", from: "if (!same || !complete", to: "if (!complete" },
    ],
    shownBy: { scenarios: [{ name: "changed input" }] },
    breaks: ["run is of its input"],
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
        file: "writes/send/answer.ts",
        from: "    response: body,\n    detail:",
        to: "    response: (body ?? '') + Reflect.get(globalThis, 'leaked'),\n    detail:",
      },
    ],
    shownBy: { faults: ["401"], endpoints: ["notes"] },
    breaks: ["no secrets"],
  },
];

export function sabotageNamed(name: string): Sabotage {
  const found = sabotages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no sabotage "${name}".`);
  return found;
}
