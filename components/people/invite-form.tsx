"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type Role, roles } from "@/server/core/permission.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { groupsFromText } from "./groups-from-text.ts";

/** Makes an invite and shows its link, this once. */
export function InviteForm() {
  const client = useQueryClient();
  const id = useId();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("operator");
  const [groups, setGroups] = useState("");
  const invite = useMutation({
    mutationFn: () =>
      api.people.invite.mutate({ email: email || null, role, groups: groupsFromText(groups) }),
    onSuccess: () => {
      setEmail("");
      void client.invalidateQueries({ queryKey: ["people"] });
    },
  });
  const link = invite.data && `${location.origin}/invite#${invite.data.token}`;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!invite.isPending) invite.mutate();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <Field
          label="E-mail address"
          type="email"
          placeholder="optional"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <div className="flex flex-col gap-1">
          <label htmlFor={`${id}-role`} className="font-medium">
            Role
          </label>
          <Select
            id={`${id}-role`}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
          >
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </div>
        <Field
          label="Groups"
          placeholder="none"
          value={groups}
          onChange={(event) => setGroups(event.target.value)}
        />
      </div>
      {invite.error && <FieldError>{readApiError(invite.error).message}</FieldError>}
      <div>
        <Button type="submit" variant="primary" disabled={invite.isPending}>
          Make a link
        </Button>
      </div>
      {link && (
        <div role="status">
          <p className="text-ink-2">
            Send this link to them yourself. It works once, for seven days, and is not shown again.
          </p>
          <p className="mt-2 flex items-center gap-2 rounded-md bg-sunken px-3 py-2">
            <code data-invite-link className="min-w-0 flex-1 break-all font-mono text-sm">
              {link}
            </code>
            <CopyButton text={() => link} label="Copy the link" />
          </p>
        </div>
      )}
    </form>
  );
}
