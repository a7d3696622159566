"use client";

import { useMutation } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { signOut } from "../entry/sign-out.ts";
import { Button } from "../ui/button.tsx";

/** Ends the session and leaves for the sign-in page. */
export function SignOutButton({ isIcon }: { isIcon?: boolean }) {
  const leave = useMutation({ mutationFn: signOut });
  const isBusy = leave.isPending || leave.isSuccess;
  return (
    <Button
      variant={isIcon ? "quiet" : "outline"}
      size={isIcon ? "icon" : "md"}
      title={leave.error?.message ?? "Sign out"}
      aria-label="Sign out"
      disabled={isBusy}
      onClick={() => leave.mutate()}
    >
      <LogOut aria-hidden="true" />
      {!isIcon && "Sign out"}
    </Button>
  );
}
