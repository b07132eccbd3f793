import { Paragraph } from "../../components/paragraph.tsx";
import { wrap } from "../../text/width.ts";

/** More is left out: the lines below the title name everything in full. */
const mostRows = 2;

/** What is written and whom it is for, over two lines where one is too narrow to name it. */
export function Title(props: { readonly children: string }) {
  return (
    <Paragraph bold most={mostRows}>
      {props.children}
    </Paragraph>
  );
}

/** The lines that a title takes. */
export function titleRows(title: string, columns: number): number {
  return Math.min(mostRows, wrap(title, columns).length);
}
