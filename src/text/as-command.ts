/** Formats a place of the console as a `supplyline` command, and a request as a curl command. */
import { isArgument, shellQuote } from "./shell-quote.ts";

/** The profile name of the embedded sandbox. Commands select it with `--sandbox`. */
export const sandboxName = "sandbox";

export type CommandPlace =
  | { readonly kind: "suppliers" }
  | { readonly kind: "profiles" }
  | { readonly kind: "overview"; readonly supplier: string }
  | { readonly kind: "cohort"; readonly supplier: string; readonly cohort: string }
  | {
      readonly kind: "accounts-list";
      readonly supplier: string;
      readonly state: "all" | "pending" | "imported";
      readonly filter?: string | undefined;
      readonly ages?: boolean | undefined;
      readonly format?: string | undefined;
    }
  | {
      readonly kind: "activity-list";
      readonly supplier?: string | undefined;
      readonly account?: string | undefined;
      readonly supplyPoint?: string | undefined;
      readonly outcome?: string | undefined;
      readonly by?: "cause" | undefined;
      /** True for entries of this machine only. Default: those of the team. */
      readonly mine?: boolean | undefined;
      readonly ofProfile?: string | undefined;
    }
  | {
      readonly kind: "reconcile";
      readonly supplier: string;
      /** The list to compare: a path, or `-` for standard input. */
      readonly source?: string | undefined;
      readonly cohort?: string | undefined;
      readonly column?: string | undefined;
      readonly only?: string | undefined;
      readonly format?: string | undefined;
    }
  /** The numbers to find, or null for a text on standard input. */
  | {
      readonly kind: "find";
      readonly numbers: readonly string[] | null;
      readonly isAsking: boolean;
    }
  | { readonly kind: "runs" }
  | { readonly kind: "approvals" }
  | { readonly kind: "approval"; readonly id: string }
  | { readonly kind: "cohorts" }
  | { readonly kind: "run-resume" | "run-report"; readonly run: string }
  | {
      readonly kind: "changes";
      readonly supplier: string;
      readonly since?: string | undefined;
    }
  | { readonly kind: "observations-confirm"; readonly supplier: string }
  | { readonly kind: "sandbox" }
  | { readonly kind: "profile"; readonly name: string }
  | { readonly kind: "account-status"; readonly supplier: string; readonly account: string }
  | {
      readonly kind: "account-watch";
      readonly supplier: string;
      readonly account: string;
      readonly others?: readonly string[] | undefined;
    }
  | { readonly kind: "cohort-watch"; readonly supplier: string; readonly cohort: string }
  | { readonly kind: "supply-point-status"; readonly supplier: string; readonly id: string }
  | { readonly kind: "supply-point-watch"; readonly supplier: string; readonly id: string };

interface Parts {
  readonly words: readonly string[];
  readonly operands?: readonly string[];
  readonly options?: readonly (readonly [flag: string, value: string | undefined])[];
  readonly flags?: readonly string[];
}

function partsOf(place: CommandPlace): Parts {
  switch (place.kind) {
    // No command prints the suppliers or an overview, so `open` opens the console there.
    case "suppliers":
      return { words: ["open"] };
    case "overview":
      return { words: ["open"], operands: [place.supplier] };
    case "cohort":
      return partsOf({ ...place, kind: "reconcile" });
    case "profiles":
      return { words: ["profiles", "list"] };
    case "activity-list":
      return {
        words: ["activity", "list"],
        options: [
          ["--supplier", place.supplier],
          ["--account", place.account],
          ["--supply-point", place.supplyPoint],
          ["--outcome", place.outcome],
          ["--by", place.by],
          ["--of-profile", place.ofProfile],
        ],
        flags: place.mine ? ["--mine"] : [],
      };
    case "reconcile":
      return {
        words: ["reconcile"],
        operands: [place.supplier],
        options: [
          ["--source", place.source],
          ["--cohort", place.cohort],
          ["--column", place.column],
          ["--only", place.only],
          ["--format", place.format],
        ],
      };
    case "changes":
      return {
        words: ["changes"],
        operands: [place.supplier],
        options: [["--since", place.since]],
      };
    case "observations-confirm":
      return { words: ["observations", "confirm"], operands: [place.supplier] };
    case "cohorts":
      return { words: ["cohorts", "list"] };
    case "find":
      return {
        words: ["find"],
        operands: place.numbers ?? ["-"],
        flags: place.isAsking ? [] : ["--lists-only"],
      };
    case "approvals":
      return { words: ["approvals", "list"] };
    case "approval":
      return { words: ["approvals", "show"], operands: [place.id] };
    case "runs":
      return { words: ["bulk", "list"] };
    case "run-resume":
      return { words: ["bulk", "resume"], operands: [place.run] };
    case "run-report":
      return { words: ["bulk", "report"], operands: [place.run] };
    case "sandbox":
      return { words: ["--sandbox"] };
    case "profile":
      return { words: ["profiles", "show"], operands: [place.name] };
    case "accounts-list":
      return {
        words: ["accounts", "list", ...(place.ages ? ["--ages"] : [])],
        operands: [place.supplier],
        options: [
          ["--state", place.state === "all" ? undefined : place.state],
          ["--filter", place.filter === "" ? undefined : place.filter],
          ["--format", place.format],
        ],
      };
    case "account-status":
      return { words: ["accounts", "status"], operands: [place.supplier, place.account] };
    case "account-watch":
      return {
        words: ["accounts", "watch"],
        operands: [place.supplier, place.account, ...(place.others ?? [])],
      };
    case "cohort-watch":
      return {
        words: ["accounts", "watch"],
        operands: [place.supplier],
        options: [["--cohort", place.cohort]],
      };
    case "supply-point-status":
      return { words: ["supply-points", "status"], operands: [place.supplier, place.id] };
    case "supply-point-watch":
      return { words: ["supply-points", "watch"], operands: [place.supplier, place.id] };
  }
}

function optionText(flag: string, value: string): string {
  return value.startsWith("-") && value !== "-"
    ? `${flag}=${shellQuote(value)}`
    : `${flag} ${shellQuote(value)}`;
}

/**
 * Returns the `supplyline` command for a place, ready to be pasted into a POSIX shell, or null if a
 * name in it cannot be an argument (see `isArgument`). Operands that begin with a dash follow `--`,
 * after the options. The list of profiles needs no `--profile`.
 */
export function asCommand(place: CommandPlace, profile: string | null): string | null {
  return commandLine(partsOf(place), place.kind === "profiles" ? null : profile);
}

/**
 * Adds a redirection of the output to a file. Returns null if there is no command or if the path
 * cannot be an argument.
 */
export function redirectTo(line: string | null, path: string): string | null {
  return line === null || !isArgument(path) ? null : `${line} > ${shellQuote(path)}`;
}

/**
 * Returns a command as text: its words, its operands, and its options. Returns null if a value
 * cannot be an argument.
 */
export function commandLine(
  { words, operands = [], options = [], flags = [] }: Parts,
  profile: string | null,
): string | null {
  const isSandbox = profile === sandboxName;
  const profileName = isSandbox ? undefined : (profile ?? undefined);
  const usedOptions = [...options, ["--profile", profileName] as const].filter(
    (pair): pair is readonly [string, string] => pair[1] !== undefined,
  );
  if (![...operands, ...usedOptions.map(([, value]) => value)].every(isArgument)) return null;
  const optionTexts = [
    ...usedOptions.map(([flag, value]) => optionText(flag, value)),
    ...flags,
    ...(isSandbox ? ["--sandbox"] : []),
  ];
  const operandTexts = operands.map(shellQuote);
  const rest = operands.some((operand) => operand.startsWith("-"))
    ? [...optionTexts, "--", ...operandTexts]
    : [...operandTexts, ...optionTexts];
  return ["supplyline", ...words, ...rest].join(" ");
}

interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
}

function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}

/**
 * Returns the curl command of a request over several lines, ready to be pasted into a POSIX shell.
 * The command never contains the token: the shell inserts `SUPPLYLINE_TOKEN`. `form` is the form of
 * the Authorization header (INTERFACE 5.3). The body is sent byte for byte.
 */
export function asCurl(request: CurlRequest, form: "token" | "bare"): string {
  const prefix = form === "token" ? "Token " : "";
  const url = withoutUserinfo(request.url);
  const method = request.method.toUpperCase();
  const lines = [
    method === "GET" ? "curl -sS" : `curl -sS -X ${shellQuote(method)}`,
    `-H "Authorization: ${prefix}$SUPPLYLINE_TOKEN"`,
    "-H 'Accept: application/json'",
  ];
  if (request.body !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    // A leading @ would make --data-binary read a file.
    const flag = request.body.startsWith("@") ? "--data-raw" : "--data-binary";
    lines.push(`${flag} ${shellQuote(request.body)}`);
  }
  // curl would read brackets and braces in a URL as patterns.
  if (/[[\]{}]/.test(url)) lines.push("--globoff");
  lines.push(shellQuote(url));
  return lines.join(" \\\n  ");
}
