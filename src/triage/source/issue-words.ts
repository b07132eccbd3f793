import type { RowIssue } from "./source.ts";

/** Returns the reason why a row has no number, as a sentence. */
export function issueWords(issue: RowIssue): string {
  switch (issue.kind) {
    case "empty":
      return "The number is empty.";
    case "blank":
      return "The row is empty.";
    case "no-number":
      return "This is not a string. Put account numbers in quotes, to preserve leading zeros.";
    case "not-utf8":
      return "This row is not UTF-8 text.";
    case "unreadable":
    case "unusable":
      return issue.message;
  }
}
