/** Clients whose duplicate guard or profile check lets through what it should keep back. */
import type * as profileChanges from "../../src/settings/profile-change.ts";
import type * as override from "../../src/writes/journal/override.ts";
import type * as resendGuard from "../../src/writes/resend-guard.ts";
import { replaceExport, type Sabotage } from "./sabotage.ts";

export const guard: readonly Sabotage[] = [
  {
    name: "the guard is not asked again before an attempt",
    replacements: [
      replaceExport<typeof resendGuard, "askAboutEntry">(
        "writes/resend-guard.ts",
        "askAboutEntry",
        () => () => ({ kind: "clear" }),
      ),
    ],
    shownBy: { scenarios: [{ name: "blocked twins" }] },
    breaks: ["refused form not resent"],
  },
  {
    name: "the guard forgets closed entries",
    patches: [
      {
        file: "writes/item-keys.ts",
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
        file: "writes/item-keys.ts",
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
        from: "normalJson(identityOf(item))}",
        to: "normalJson([items, items.indexOf(item)])}",
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
        from: "normalJson(identityOf(item))}",
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
        from: "isRecognized(operation, query, ",
        to: 'isRecognized(operation, { ...query, check_previously_added: "true" }, ',
      },
    ],
    shownBy: { scenarios: [{ name: "items in other forms" }] },
    breaks: ["one effect"],
  },
  {
    name: "the guard's keys go with their entries",
    patches: [
      {
        file: "writes/journal/schema.ts",
        from: "NOT IN ('notes create', 'supply-points create');\n  DELETE FROM item_key WHERE intent = OLD.id AND state IS NULL\n    AND OLD.operation NOT IN ('transactions create', 'payment-instructions create');",
        to: "IN ('none');\n  DELETE FROM item_key WHERE intent = OLD.id AND state IS NULL;",
      },
    ],
    shownBy: { scenarios: [{ name: "items in other forms" }] },
    breaks: ["one effect"],
  },
  {
    name: "a changed profile is not noticed",
    replacements: [
      replaceExport<typeof profileChanges, "profileChange">(
        "settings/profile-change.ts",
        "profileChange",
        () => () => ({ kind: "same" }),
      ),
    ],
    shownBy: { scenarios: [{ name: "changed profile" }] },
    breaks: ["a changed profile is obeyed"],
  },
  {
    name: "an override passes every row of its run",
    replacements: [
      replaceExport<typeof resendGuard, "askAboutEntry">(
        "writes/resend-guard.ts",
        "askAboutEntry",
        (original) => (rows, entry, write, passes) => {
          const overridden = rows.get(
            `SELECT 1 FROM override WHERE intent IN (SELECT id FROM intent
              WHERE run = (SELECT run FROM intent WHERE id = ?))`,
            entry.id,
          );
          return overridden === undefined
            ? original(rows, entry, write, passes)
            : { kind: "clear" };
        },
      ),
    ],
    shownBy: { scenarios: [{ name: "overrides" }] },
    breaks: ["an override passes its findings only"],
  },
  {
    name: "an override passes every finding about its items",
    replacements: [
      replaceExport<typeof override, "notPassed">(
        "writes/journal/override.ts",
        "notPassed",
        () => (findings, passes) => (passes.length === 0 ? findings : []),
      ),
    ],
    shownBy: { scenarios: [{ name: "overrides" }] },
    breaks: ["an override passes its findings only"],
  },
];
