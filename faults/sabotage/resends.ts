/** Clients that send again what might have taken effect, or do not when they should. */
import type { Sabotage } from "./sabotage.ts";

const decide = "writes/decide.ts";
const payments = "writes/kinds/payment-instructions.ts";

export const resends: readonly Sabotage[] = [
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
        file: "writes/send/request.ts",
        from: "const content = { path, query, body, freshConnection };",
        to: "const changed = n > 1 ? Buffer.concat([body, Buffer.from(' ')]) : body;\n    const content = { path, query, body: changed, freshConnection };",
      },
    ],
    shownBy: { faults: ["503"], endpoints: ["notes", "transactions"] },
    breaks: ["nothing unrecorded"],
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
        from: "const again =\n    isResent(rule, progress) &&",
        to: "const again =\n    false &&",
      },
    ],
    shownBy: { faults: ["503"], endpoints: ["notes"] },
    breaks: ["no needless unknown"],
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
        file: "writes/send/request.ts",
        from: "return await service.rateLimit.pass(maxMs, options.signal, (until) =>\n      report(options, { ...wait, until }),\n    );",
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
];
