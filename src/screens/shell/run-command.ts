import { useEffect, useRef } from "react";
import { errorMessage } from "../../api/errors.ts";
import { useApp } from "../../hooks/app.tsx";
import { toJson } from "../../json/exact.ts";
import { runOnTerminal, runProgram } from "../../session/external-program.ts";
import { showInPager, waitForEnter } from "../../session/pager.ts";
import type { CustomCommand } from "../../settings/custom/custom-command.ts";
import {
  failureWords,
  firstLine,
  type ProgramResult,
  programEnvironment,
  runBounded,
} from "../../settings/custom/run-bounded.ts";
import {
  type FilledIn,
  filledIn,
  markedNumbers,
  type RowValues,
  type Values,
} from "../../settings/custom/values.ts";
import { shellQuote } from "../../text/shell-quote.ts";

export interface CommandRequest {
  readonly values: Values;
  readonly rows: readonly RowValues[];
  /** The current time in UTC, in the format of exports. */
  readonly now: string;
}

type Ready = Extract<FilledIn, { readonly kind: "ready" }>;

const maxOutput = 1024 * 1024;

/**
 * Returns a function that runs a command of the user and shows its output. The function asks first
 * if the command requires it, and does not run a writing command while writes are locked. A command
 * that is running is not started again. Ctrl-C stops a command.
 */
export function useRunCommand(): (command: CustomCommand, request: CommandRequest) => void {
  const app = useApp();
  const { env, end, settings, killGroup, notices, overlays, inFlight, key, navigation } = app;
  const running = useRef(new Set<string>());
  const closing = useRef(new AbortController());
  const currentStop = () => navigation.stops.get().at(-1)?.id;
  useEffect(() => {
    // React in development mode mounts twice, so each mount has a separate controller.
    const controller = new AbortController();
    closing.current = controller;
    return () => controller.abort();
  }, []);

  const onTerminal = async (command: CustomCommand, ready: Ready, childEnv: Values) => {
    let words: string | null = null;
    const use = async () => {
      const options = { env: childEnv, signal: end };
      const exit = await runOnTerminal(ready.program, ready.args, options);
      if (exit.kind === "failed") words = exit.words;
      if (exit.kind !== "hung-up") await runProgram(waitForEnter, [], { ...options, remedy: "" });
    };
    try {
      await app.borrowTerminal(use);
    } catch (error) {
      words = errorMessage(error);
    }
    if (words === null) notices.show(`${command.name} has ended.`);
    else notices.show(`${command.name}: ${words}`, "bad");
  };

  const inBackground = async (
    command: CustomCommand,
    ready: Ready,
    childEnv: Values,
    request: CommandRequest,
  ) => {
    const cancel = new AbortController();
    const unregister = inFlight.add(() => cancel.abort());
    const from = currentStop();
    const endNotice = notices.show(
      `${command.name} is running; ${key("cancel")} stops it.`,
      "busy",
    );
    const result = await runBounded(ready.program, ready.args, {
      env: childEnv,
      input: inputOf(command, request),
      signal: cancel.signal,
      end: AbortSignal.any([end, closing.current.signal]),
      timeoutMs: command.timeoutMs,
      maxBytes: maxOutput,
      killGroup,
    });
    unregister();
    endNotice();
    const problem = failureWords(command.name, result, command.timeoutMs);
    if (problem !== null) notices.announce(problem, "bad");
    if (result.kind !== "ended") return;
    if (command.output !== "pager") {
      if (problem === null) notices.announce(endedWords(command.name, result), "ok");
      return;
    }
    const isBusy = overlays.current.get() !== null || currentStop() !== from;
    if (isBusy)
      notices.announce(`${command.name} has ended; its screen was left, run it again to read.`);
    else if (result.stdout !== "") await showInPager(app, outputLines(result));
    else if (problem === null) notices.announce(`${command.name} has ended without output.`);
  };

  return (command, request) => {
    const { name } = command;
    if (running.current.has(name)) {
      notices.explain(`${name} is running already.`);
      return;
    }
    const values = { ...request.values, now: request.now };
    const numbers = request.rows.flatMap((row) => row.external_account_number ?? []);
    const ready = filledIn(command, values, numbers);
    if (ready.kind === "refused") {
      notices.show(`${name} was not run: ${ready.words}.`, "bad");
      return;
    }
    const start = () => {
      running.current.add(name);
      const childEnv = { ...programEnvironment(env, settings.profiles()), ...ready.env };
      const work =
        command.output === "terminal"
          ? onTerminal(command, ready, childEnv)
          : inBackground(command, ready, childEnv, request);
      work
        .catch((error: unknown) => notices.show(`${name}: ${String(error)}`, "bad"))
        .finally(() => running.current.delete(name));
    };
    const startIfUnlocked = () => {
      const refusal = command.writes ? app.lock.refusal() : null;
      if (refusal === null) start();
      else notices.show(`${refusal} Nothing was sent.`, "bad");
    };
    if (command.confirm === null) {
      startIfUnlocked();
      return;
    }
    overlays.confirm({
      question: filledText(command.confirm, values, request.rows.length),
      detail: [ready.program, ...ready.args].map(shellQuote).join(" "),
      yes: `Run ${name}`,
      onYes: startIfUnlocked,
    });
  };
}

/** Replaces the placeholders of a text that have a value. */
function filledText(text: string, values: Values, marked: number): string {
  return text.replace(/\{([a-z_]+)\}/g, (whole, name: string) =>
    name === markedNumbers ? String(marked) : (values[name] ?? whole),
  );
}

/** Returns one JSON object for the row, or one per line for the marked rows. */
function inputOf(command: CustomCommand, { values, rows, now }: CommandRequest): string {
  const lineOf = (row: Values) => `${toJson({ text: rowText(row), ...row, me: undefined, now })}\n`;
  if (command.rows === "one") return lineOf(values);
  return rows.map((row) => lineOf({ ...values, ...row })).join("");
}

function rowText(row: Values): string {
  const { import_supplier, external_account_number, external_identifier, status } = row;
  const number = external_account_number ?? external_identifier;
  const item = [import_supplier, number].filter((part) => part !== undefined).join("/");
  return [item, status, row.run, row.journal_id].filter((part) => part).join(" ");
}

function endedWords(
  name: string,
  result: Extract<ProgramResult, { readonly kind: "ended" }>,
): string {
  const line = firstLine(result.stdout);
  return line === null ? `${name} has ended.` : `${name}: ${line}`;
}

function outputLines(
  result: Extract<ProgramResult, { readonly kind: "ended" }>,
): readonly string[] {
  const lines = result.stdout.replace(/\n$/, "").split("\n");
  return result.isCut ? [...lines, "", "The output is longer; the rest was not read."] : lines;
}
