import { AdminLinks } from "./admin-links.tsx";
import { UserLink } from "./user-link.tsx";

/** The parts of the frame that are about who is signed in. */
export default function SignedInPart({ part }: { part: "admin" | "user" | "user-icon" }) {
  if (part === "admin") return <AdminLinks />;
  return <UserLink layout={part === "user" ? "column" : "icon"} />;
}
