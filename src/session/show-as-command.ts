/** Shows screens and forms as supplyline commands and as curl. */
import { apiUrl } from "../api/url.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { asCommand, asCurl, type CommandPlace, commandLine } from "../text/as-command.ts";
import { isArgument, shellQuote } from "../text/shell-quote.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import type { Here } from "./app.ts";
import { type Plan, urlOf } from "./plan.ts";

/**
 * Shows the request of a screen as a supplyline command and as curl. `segments` are the parts of
 * the path after the base URL, not encoded. The first part can contain slashes.
 */
export function showAsCommand(
  { app, session }: Here,
  place: CommandPlace,
  segments: readonly string[],
): void {
  const [path = "", ...identifiers] = segments;
  const embedded = session.profile.baseUrl === null;
  app.overlays.command({
    command: asCommand(place, profileFlag(session.profile)),
    curl: asCurl(
      { method: "GET", url: apiUrl(session.baseUrl, path, identifiers) },
      session.authForm(),
    ),
    note: embedded
      ? "With --sandbox, the command starts a separate sandbox. For one that commands share, run supplyline sandbox in another terminal and export the SUPPLYLINE_BASE_URL and SUPPLYLINE_API_KEY it prints."
      : null,
  });
}

/**
 * Shows a list of all accounts of a supplier as a supplyline command and as curl (INTERFACE 4.9).
 */
export function showListAsCommand(here: Here, place: CommandPlace, supplier: string): void {
  showAsCommand(here, place, ["v1/data-import/all-account-import-processes", supplier]);
}

/** Shows a form as a supplyline command and as curl. */
export function showWriteAsCommand({ app, session }: Here, plan: Plan): void {
  const { path, query, body } = plan.prepared;
  const embedded = session.profile.baseUrl === null;
  app.overlays.command({
    command: writeCommand(plan, profileFlag(session.profile)),
    curl: asCurl(
      {
        method: "POST",
        url: urlOf(session.baseUrl, path, query),
        body: new TextDecoder().decode(body),
      },
      session.authForm(),
    ),
    note: [
      ...(plan.split ? ["These send everything in one request."] : []),
      ...(embedded ? ["With --sandbox, the command starts a separate sandbox."] : []),
      "curl keeps no journal and resends nothing.",
    ].join(" "),
  });
}

/**
 * Returns the `supplyline` command that sends the same bytes, with the body on its standard input,
 * or null if a name cannot be an argument. `profile` is null if the option makes no difference.
 */
function writeCommand(plan: Plan, profile: string | null): string | null {
  const { operation, facts, query, body } = plan.prepared;
  const { target, payload } = facts;
  const text = new TextDecoder().decode(body);
  const allowing = plan.warnings.some(({ about }) => about === "missing")
    ? ["--allow-missing"]
    : [];
  const words = operation.split(" ");
  const { command: takes } = kindOf(operation);
  if (takes === "operand" || target.kind === "supply-point") {
    return fed(text, commandLine({ words: [...words, "-"] }, profile));
  }
  const operands = [target.importSupplier, target.externalAccountNumber];
  if (takes !== "from") {
    const options = takes.options.flatMap((name): [string, string][] =>
      payload[name] === undefined ? [] : [[`--${name}`, String(payload[name])]],
    );
    return commandLine({ words, operands, options, flags: allowing }, profile);
  }
  const unchecked = Object.keys(query)
    .filter((name) => query[name] === "false")
    .map((name) => `--no-${name.replaceAll("_", "-")}`);
  const flags = [...allowing, ...unchecked];
  return fed(text, commandLine({ words, operands, options: [["--from", "-"]], flags }, profile));
}

/** Returns a command with its standard input, or null if a shell cannot express one of them. */
function fed(input: string, line: string | null): string | null {
  return line === null || !isArgument(input) ? null : `printf %s ${shellQuote(input)} | ${line}`;
}
