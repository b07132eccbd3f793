/** Clients that conclude more from an answer than it says. */
import type { Sabotage } from "./sabotage.ts";

const decide = "writes/decide.ts";

export const answers: readonly Sabotage[] = [
  {
    name: "an answer for another item is trusted",
    patches: [
      {
        file: "writes/kinds/read-response.ts",
        from: '    return { kind: "nothing", because: "other-item", why: compared.difference };',
        to: '    return { kind: "confirmed", items: facts.labels.map((label, position) => ({ position, label, outcome: "created", status: null })) };',
      },
    ],
    shownBy: { faults: ["shape=other"], endpoints: ["payment-instructions", "statements"] },
    breaks: ["confirmed was said"],
  },
  {
    name: "a refusal for another item is trusted",
    patches: [
      {
        file: "writes/kinds/read-response.ts",
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
        file: "writes/kinds/read-response.ts",
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
        file: "writes/kinds/read-response.ts",
        from: "    if (error !== null) return contradiction(error);\n",
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
        file: "writes/kinds/read-response.ts",
        from: "  const repeated = repeatedField(body);\n",
        to: "  const repeated = repeatedField(body) && null;\n",
      },
      {
        file: "writes/kinds/read-response.ts",
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
        from: '  if (unprovenStatuses.includes(httpStatus)) return "no-answer";\n',
        to: "  if (unprovenStatuses.length === 0) return null;\n",
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
    name: "a 201 that is cut short is trusted",
    patches: [
      {
        file: "writes/send/classify-response.ts",
        from: "    const { error } = sent;\n",
        to: '    const { error } = sent;\n    if (error.facts.httpStatus === 201) return { httpStatus: 201, body: "trusted", error: null };\n',
      },
      {
        file: "writes/send/classify-response.ts",
        from: "  const proof = isComplete(received)\n",
        to: '  const proof = received.body === "trusted"\n    ? { kind: "confirmed" as const, items: allItems(facts, "created") }\n    : isComplete(received)\n',
      },
    ],
    shownBy: { faults: ["torn=length", "truncate=length"], endpoints: ["notes", "statements"] },
    breaks: ["confirmed took effect", "confirmed was said"],
  },
  {
    name: "half an answer is enough",
    patches: [
      {
        file: "writes/kinds/read-response.ts",
        from: "results.length === sentNames.length ?",
        to: "results.length > 0 ?",
      },
      {
        file: "writes/kinds/bodies.ts",
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
        from: '  const found = lookUp.kind === "found" ?',
        to: '  if (lookUp.kind === "absent") return finish({ ...known, state: "rejected", doubt: "none" });\n  const found = lookUp.kind === "found" ?',
      },
    ],
    shownBy: { faults: ["late=5ms"], endpoints: ["supply-points-create"] },
    breaks: ["refused had no effect", "doubt is kept"],
  },
];
