"use client";

import { Bookmark, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useStoredJson } from "../stored/stored-json.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { Popover } from "../ui/popover.tsx";
import { noViews, savedViews, withName, withoutView, withView } from "./saved-views.ts";

interface ViewsMenuProps {
  /** The query of the list as it is now. */
  query: string;
  onOpen: (query: string) => void;
}

/** Filters and orders that were saved by name: to open, to rename, to delete. */
export function ViewsMenu({ query, onOpen }: ViewsMenuProps) {
  const views = useStoredJson(savedViews, noViews);
  const [isOpen, setOpen] = useState(false);
  const [renaming, setRenaming] = useState<string | null>(null);
  const present = views.find((view) => view.query === query);
  return (
    <Popover
      label={
        <>
          <Bookmark aria-hidden="true" />
          <bdi className="max-w-32 truncate max-sm:hidden">{present?.name ?? "Views"}</bdi>
        </>
      }
      name={`Views${present ? `: ${present.name}` : ""}`}
      title="Saved views"
      variant="quiet"
      isOpen={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        setRenaming(null);
      }}
    >
      <h2 className="font-medium">Saved views</h2>
      {views.length === 0 && (
        <p className="mt-1 text-ink-2">
          Filters you come back to can be kept under a name, in this browser.
        </p>
      )}
      <ul className="mt-1 flex flex-col">
        {views.map((view) => (
          <li key={view.name} className="flex min-h-8 items-center gap-1">
            {renaming === view.name ? (
              <NameForm
                label="New name"
                action="Rename"
                initial={view.name}
                onName={(name) => {
                  savedViews.set(withName(views, view.name, name));
                  setRenaming(null);
                }}
              />
            ) : (
              <>
                <button
                  type="button"
                  aria-current={view.query === query ? "true" : undefined}
                  className="h-7 min-w-0 flex-1 truncate rounded-md px-2 text-start hover:bg-hover aria-[current]:font-medium"
                  onClick={() => {
                    onOpen(view.query);
                    setOpen(false);
                  }}
                >
                  <bdi>{view.name}</bdi>
                </button>
                <Button
                  size="tiny"
                  variant="quiet"
                  title={`Rename ${view.name}`}
                  aria-label={`Rename ${view.name}`}
                  onClick={() => setRenaming(view.name)}
                >
                  <Pencil aria-hidden="true" />
                </Button>
                <Button
                  size="tiny"
                  variant="quiet"
                  title={`Delete ${view.name}`}
                  aria-label={`Delete ${view.name}`}
                  onClick={() => savedViews.set(withoutView(views, view.name))}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {!present && query !== "" && (
        <div className="mt-2 border-t pt-3">
          <NameForm
            label="Save this view as"
            action="Save"
            initial=""
            onName={(name) => {
              savedViews.set(withView(views, { name, query }));
              setOpen(false);
            }}
          />
        </div>
      )}
      {query === "" && (
        <p className="mt-2 text-ink-3 text-sm">
          Set filters or an order first, then save them here.
        </p>
      )}
    </Popover>
  );
}

function NameForm({
  label,
  action,
  initial,
  onName,
}: {
  label: string;
  action: string;
  initial: string;
  onName: (name: string) => void;
}) {
  const [name, setName] = useState(initial);
  return (
    <form
      className="flex flex-1 gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") onName(name.trim());
      }}
    >
      <Input
        aria-label={label}
        placeholder={label}
        isDense
        className="min-w-0 flex-1"
        maxLength={60}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" size="sm" disabled={name.trim() === ""}>
        {action}
      </Button>
    </form>
  );
}
