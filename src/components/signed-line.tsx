import { Text as InkText } from "ink";
import { useTheme } from "../theme.tsx";
import { shownText } from "./text.tsx";

/** A line of the linear screen with a sign of what it is (see `linearSigns`). */
export function SignedLine(props: { readonly sign: string; readonly children: string }) {
  const { ascii } = useTheme();
  return <InkText>{shownText(props.children, ascii) + props.sign}</InkText>;
}
