import { permanentRedirect } from "next/navigation";

/** The inbox is the front page. */
export default function QuestionsPage(): never {
  permanentRedirect("/");
}
