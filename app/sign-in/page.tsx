import type { Metadata } from "next";
import { SignIn } from "@/components/entry/sign-in.tsx";

export const metadata: Metadata = { title: "Sign in" };

export default function Page() {
  return <SignIn />;
}
