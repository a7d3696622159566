"use client";

import { useMutation } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { authCall } from "../entry/auth-call.ts";
import { Button } from "../ui/button.tsx";

/** Ends the session and leaves for the sign-in page. */
export function SignOutButton({ isIcon }: { isIcon?: boolean }) {
  const signOut = useMutation({
    mutationFn: () => authCall("sign-out", {}),
    // A full load, so that nothing of what was shown is left in memory.
    onSuccess: () => location.replace("/sign-in"),
  });
  const isBusy = signOut.isPending || signOut.isSuccess;
  return (
    <Button
      variant={isIcon ? "quiet" : "outline"}
      size={isIcon ? "icon" : "md"}
      title={signOut.error?.message ?? "Sign out"}
      aria-label="Sign out"
      disabled={isBusy}
      onClick={() => signOut.mutate()}
    >
      <LogOut aria-hidden="true" />
      {!isIcon && "Sign out"}
    </Button>
  );
}
