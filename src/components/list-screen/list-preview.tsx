import { Box } from "ink";
import { Fragment } from "react";
import { useRested } from "../../hooks/list-cursor.ts";
import type { Room } from "../../hooks/window.tsx";
import { Facts } from "../facts.tsx";
import { PreviewPane } from "../preview-pane.tsx";
import type { ListSpec } from "./list-spec.ts";

/** The preview of the row on which the cursor has come to rest. */
export function ListPreview<Row>(props: ListSpec<Row> & { readonly room: Room }) {
  const { list, preview = (row) => <Cells {...props} row={row} /> } = props;
  const id = list.idAt(list.position);
  const rested = useRested(id === null ? null : { id, row: list.current }, id ?? "");
  // What is known of the row can have changed since then.
  const row = rested === null ? null : (list.at(list.positionOf(rested.id)) ?? rested.row);
  return (
    <PreviewPane room={props.room}>
      {row === null || rested === null ? null : <Fragment key={rested.id}>{preview(row)}</Fragment>}
    </PreviewPane>
  );
}

/** Everything that the columns know of a row, below what the screen says about it. */
function Cells<Row>({ list, below, row }: ListSpec<Row> & { readonly row: Row }) {
  const facts = list.columns
    .filter(({ picture }) => !picture)
    .map(({ title, text }) => ({
      label: title.trim(),
      value: text(row, Number.POSITIVE_INFINITY).trim(),
    }))
    .filter(({ label, value }) => label !== "" && value !== "");
  return (
    <>
      {below?.shown(row)}
      <Box marginTop={below === undefined ? 0 : 1} flexDirection="column" flexShrink={0}>
        <Facts facts={facts} />
      </Box>
    </>
  );
}
