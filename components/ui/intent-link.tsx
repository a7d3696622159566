"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose page is fetched ahead when the pointer or the focus reaches it, and not as soon as
 * it is on the screen: the first page then loads only what it needs itself.
 */
export function IntentLink(props: ComponentProps<typeof Link>) {
  const [isMeant, setMeant] = useState(false);
  const mean = () => setMeant(true);
  return <Link {...props} prefetch={isMeant} onPointerEnter={mean} onFocus={mean} />;
}
