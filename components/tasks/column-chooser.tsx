"use client";

import { Columns3 } from "lucide-react";
import { useStoredJson } from "../stored/stored-json.ts";
import { Button } from "../ui/button.tsx";
import { checkClass } from "../ui/input.tsx";
import { Popover } from "../ui/popover.tsx";
import { chosenColumns } from "./chosen-columns.ts";
import { columnPlaces, fixedColumns, usualColumns } from "./task-columns.tsx";
import { toggled } from "./task-filters.ts";

/** Which columns the table has, where there is room for columns. */
export function ColumnChooser() {
  const chosen = useStoredJson(chosenColumns, usualColumns);
  const free = Object.entries(columnPlaces).filter(([id]) => !fixedColumns.includes(id));
  return (
    <Popover label={<Columns3 aria-hidden="true" />} name="Columns" title="Columns" variant="quiet">
      <fieldset className="flex flex-col gap-0.5">
        <legend className="mb-1 font-medium">Columns</legend>
        {free.map(([id, { label, hint }]) => (
          <label key={id} title={hint} className="flex h-7 items-center gap-2.5">
            <input
              type="checkbox"
              className={checkClass}
              checked={chosen.includes(id)}
              onChange={() => chosenColumns.set(toggled(chosen, id))}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <Button
        size="sm"
        variant="quiet"
        className="mt-2"
        onClick={() => chosenColumns.set([...usualColumns])}
      >
        As it was
      </Button>
    </Popover>
  );
}
