/** Shows an error in words: what happened, what to do, and why. */
import { Box } from "ink";
import type { ErrorContext } from "../errors/app-error.ts";
import { type ErrorWords, errorWords } from "../errors/error-words.ts";
import { useApp } from "../hooks/app.tsx";
import { useLinear, useRoom } from "../hooks/window.tsx";
import type { Session } from "../session/open-session.ts";
import { adHocName, profileFlag } from "../settings/sandbox-profile.ts";
import { wrap } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import { Text } from "./text.tsx";

export interface ProblemLine {
  readonly text: string;
  readonly tone: Tone;
}

/**
 * Describes a failure in lines of at most `width` cells: the failure, the remedy, the fix and the
 * reason. If these need more than `rows` lines, the remedy comes first, and the last line ends with
 * `more`, the words about the key that shows the rest.
 */
export function problemLines(
  words: ErrorWords,
  room: { readonly width: number; readonly rows: number; readonly more: string },
): readonly ProblemLine[] {
  const { width, rows, more } = room;
  const part = (text: string | null, tone: Tone): readonly ProblemLine[] =>
    text === null || text === "" ? [] : wrap(text, width).map((line) => ({ text: line, tone }));
  const failure = part(words.sentence, "bad");
  const remedy = part(words.remedy, "plain");
  const fix = part(words.fix && `To fix it: ${words.fix}`, "plain");
  const reason = part(words.why, "muted");
  const whole = [...failure, ...remedy, ...fix, ...reason];
  if (whole.length <= rows) return whole;
  const sign = ` … ${more}`;
  const cut = [...remedy, ...fix, ...failure, ...reason].slice(0, Math.max(1, rows));
  const last = cut.at(-1);
  if (last === undefined) return [];
  const [text = ""] = wrap(last.text, Math.max(1, width - sign.length));
  return [...cut.slice(0, -1), { ...last, text: text + sign }];
}

export function useProblemLines(
  error: unknown,
  context: ErrorContext,
  options: { readonly rows?: number; readonly remedy?: string | undefined } = {},
): readonly ProblemLine[] {
  const room = useRoom();
  const linear = useLinear();
  const { key } = useApp();
  if (error === null || error === undefined) return [];
  const words = errorWords(error, context);
  return problemLines(options.remedy === undefined ? words : { ...words, remedy: options.remedy }, {
    width: linear ? Number.MAX_SAFE_INTEGER : Math.max(8, room.columns),
    rows: linear ? Number.MAX_SAFE_INTEGER : (options.rows ?? Number.MAX_SAFE_INTEGER),
    more: `${key("raw")} shows all`,
  });
}

export function ProblemLines(props: { readonly lines: readonly ProblemLine[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.lines.map(({ text, tone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Text key={at} tone={tone} bold={tone === "bad" && at === 0}>
          {text}
        </Text>
      ))}
    </Box>
  );
}

export function Problem(props: {
  readonly error: unknown;
  readonly context: ErrorContext;
  readonly remedy?: string;
  readonly rows?: number;
}) {
  const { remedy, rows } = props;
  const lines = useProblemLines(props.error, props.context, {
    remedy,
    ...(rows === undefined ? {} : { rows }),
  });
  return <ProblemLines lines={lines} />;
}

export function errorPlace({
  profile,
  baseUrl,
}: Pick<Session, "profile" | "baseUrl">): Pick<
  ErrorContext,
  "profile" | "fromEnvironment" | "baseUrl"
> {
  return {
    profile: profile.baseUrl === null ? undefined : (profileFlag(profile) ?? undefined),
    fromEnvironment: profile.name === adHocName,
    baseUrl,
  };
}
