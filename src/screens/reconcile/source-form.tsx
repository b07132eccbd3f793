import { Box } from "ink";
import { useEffect, useRef, useState } from "react";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useConsole } from "../../hooks/console.tsx";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useRoom } from "../../hooks/window.tsx";
import {
  type Completion,
  completePath,
  completion,
  expandPath,
} from "../../session/complete-path.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { count } from "../../text/numbers.ts";

/** Asks for the list to compare: a path that Tab completes, or numbers that are pasted. */
export function SourceForm(props: {
  readonly supplier: string;
  readonly initial: ChosenSource | null;
  readonly onChoose: (chosen: ChosenSource) => void;
  /** Closes the form; null where it is the whole screen. */
  readonly onClose: (() => void) | null;
}) {
  const { supplier, initial, onChoose, onClose } = props;
  const { env, stateDir } = useConsole();
  const room = useRoom();
  const key = useKeyWords();
  const focus = useBodyFocus();
  const [text, setText] = useState(textOf(initial));
  const [names, setNames] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  // What was typed meanwhile is not replaced by the completion of something else.
  const latest = useRef(text);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const change = (next: string) => {
    latest.current = next;
    setText(next);
    setNames([]);
    setProblem(null);
  };
  const isPasted = text.includes("\n");
  const complete = async () => {
    const typed = latest.current;
    const found = await completed(typed, env.HOME, stateDir);
    if (!mounted.current || latest.current !== typed) return;
    change(found.text);
    setNames(found.names);
    if (found.text === typed && found.names.length === 0) setProblem("No name begins like this.");
  };
  const accept = () => {
    if (text.trim() === "") {
      setProblem("Type the path of a file, or paste the numbers, one per line.");
      return;
    }
    onChoose(
      isPasted
        ? { kind: "pasted", text }
        : (cohortIn(text) ?? {
            kind: "file",
            path: expandPath(text.trim(), env.HOME),
            column: null,
          }),
    );
  };
  useKeys(
    {
      open: { run: accept, label: "compare" },
      "next-tab": {
        run: () => void complete(),
        label: "complete",
        disabled: isPasted ? "A pasted list has no name to complete." : null,
      },
      ...(onClose === null ? {} : { back: { run: onClose, label: "cancel" } }),
    },
    { typing: true, active: focus },
  );
  const lines = isPasted ? text.split("\n").filter((line) => line.trim() !== "").length : 0;
  return (
    <Body>
      <Paragraph bold>{`Which accounts do you expect at ${supplier}?`}</Paragraph>
      <Box marginTop={1}>
        <Box flexShrink={0}>
          <Text tone="muted">{"File or numbers  "}</Text>
        </Box>
        <TextField
          focus={focus}
          multiline
          value={text}
          onChange={change}
          width={Math.max(20, room.columns - 18)}
        />
      </Box>
      <Box marginTop={1} flexDirection="column">
        {problem === null ? null : <Paragraph tone="bad">{problem}</Paragraph>}
        {isPasted ? (
          <Paragraph>{`${count(lines)} lines. ${key("open")} compares them.`}</Paragraph>
        ) : names.length > 0 ? (
          <Paragraph most={Math.max(1, room.rows - 6)}>{names.join("  ")}</Paragraph>
        ) : (
          <Paragraph tone="muted">
            {`A file with one account number per line, a JSON array, JSON lines, or CSV with the column external_account_number. ${key("next-tab")} completes the name. You can also paste the numbers here, one per line, or type ${cohortWord}NAME for a stored cohort.`}
          </Paragraph>
        )}
      </Box>
    </Body>
  );
}

const cohortWord = "cohort:";

/** The cohort that a typed text names; null where it names none. */
function cohortIn(text: string): ChosenSource | null {
  const typed = text.trim();
  if (!typed.startsWith(cohortWord)) return null;
  return { kind: "cohort", name: typed.slice(cohortWord.length).trim() };
}

/** The names that a path, or a cohort, can become. */
async function completed(
  typed: string,
  home: string | undefined,
  stateDir: string,
): Promise<Completion> {
  if (!typed.startsWith(cohortWord)) return completePath(typed, home);
  const { openCohorts } = await import("../../triage/cohorts/cohorts.ts");
  const begun = typed.slice(cohortWord.length);
  const { text, names } = completion(
    begun,
    await openCohorts(stateDir)
      .names()
      .catch(() => []),
  );
  return { text: cohortWord + text, names };
}

function textOf(chosen: ChosenSource | null): string {
  if (chosen === null) return "";
  if (chosen.kind === "cohort") return cohortWord + chosen.name;
  return chosen.kind === "file" ? chosen.path : chosen.text;
}
