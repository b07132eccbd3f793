/** Shows screens and forms as supplyline commands and as curl. */
import { apiUrl, type ReadPath, readPaths } from "../api/url.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { asCommand, asCurl, type CommandPlace, commandLine } from "../text/as-command.ts";
import { isArgument, shellQuote } from "../text/shell-quote.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import type { Here } from "./app.ts";
import { type Plan, urlOf } from "./plan.ts";

/** Shows the request of a screen as a supplyline command and as curl. */
export function showAsCommand({ app, session }: Here, place: CommandPlace, path: ReadPath): void {
  const isEmbedded = session.profile.baseUrl === null;
  app.overlays.command({
    command: asCommand(place, profileFlag(session.profile)),
    curl: asCurl({ method: "GET", url: apiUrl(session.baseUrl, path) }, session.authForm()),
    note: isEmbedded
      ? "With --sandbox, the command starts a separate sandbox. For one that commands share, run supplyline sandbox in another terminal and export the SUPPLYLINE_BASE_URL and SUPPLYLINE_API_KEY it prints."
      : null,
  });
}

/** Shows the list of a supplier's accounts as a supplyline command and as curl (INTERFACE 4.9). */
export function showListAsCommand(here: Here, place: CommandPlace, supplier: string): void {
  showAsCommand(here, place, readPaths.list("all", supplier));
}

export function showWriteAsCommand({ app, session }: Here, plan: Plan): void {
  const { path, query, body } = plan.prepared;
  const isEmbedded = session.profile.baseUrl === null;
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
      ...(isEmbedded ? ["With --sandbox, the command starts a separate sandbox."] : []),
      "curl keeps no journal and resends nothing.",
    ].join(" "),
  });
}

/**
 * Returns the `supplyline` command that sends the same payload, with the body on its standard input
 * or the fields as options, or null if a text cannot be an argument. `profile` is null if the
 * command needs no `--profile`.
 */
function writeCommand(plan: Plan, profile: string | null): string | null {
  const { operation, facts, query, body } = plan.prepared;
  const { target, payload } = facts;
  const text = new TextDecoder().decode(body);
  const missingFlags = plan.warnings.some(({ about }) => about === "missing")
    ? ["--allow-missing"]
    : [];
  const words = operation.split(" ");
  const { command: bodyInput } = kindOf(operation);
  if (bodyInput === "operand" || target.kind === "supply-point") {
    return withInput(text, commandLine({ words: [...words, "-"] }, profile));
  }
  const operands = [target.importSupplier, target.externalAccountNumber];
  if (bodyInput !== "from") {
    const options = bodyInput.options.flatMap((name): [string, string][] =>
      payload[name] === undefined ? [] : [[`--${name}`, String(payload[name])]],
    );
    return commandLine({ words, operands, options, flags: missingFlags }, profile);
  }
  const optionFlags = Object.keys(query)
    .filter((name) => query[name] === "false")
    .map((name) => `--no-${name.replaceAll("_", "-")}`);
  const flags = [...missingFlags, ...optionFlags];
  return withInput(
    text,
    commandLine({ words, operands, options: [["--from", "-"]], flags }, profile),
  );
}

function withInput(input: string, line: string | null): string | null {
  return line === null || !isArgument(input) ? null : `printf %s ${shellQuote(input)} | ${line}`;
}
