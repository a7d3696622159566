import { setLeaving } from "../api/session.ts";
import { authCall } from "./auth-call.ts";

/** Ends the session and leaves for the sign-in page. @throws AuthRefusal and the session goes on. */
export async function signOut(): Promise<void> {
  setLeaving(true);
  try {
    await authCall("sign-out", {});
  } catch (error) {
    setLeaving(false);
    throw error;
  }
  // A full load, so that nothing of what was shown is left in memory.
  location.replace("/sign-in");
}
