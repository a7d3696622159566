"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTheme } from "next-themes";
import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { cn } from "../ui/cn.ts";

const themes = [
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
  { value: "system", label: "As the system", Icon: Monitor },
];

const never = () => () => {};

/** Light, dark, or as the system: three radio buttons. */
export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  useThemeColor(theme);
  const name = useId();
  // The server does not know the choice; none is marked until the browser has said it.
  const isClient = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <fieldset className="flex rounded-md bg-sunken p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map(({ value, label, Icon }) => (
        <label
          key={value}
          title={label}
          className={cn(
            "flex h-6 w-7 items-center justify-center rounded-sm text-ink-3 hover:text-ink",
            "has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm",
            "has-focus-visible:outline-2 has-focus-visible:outline-focus",
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={isClient && theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
          />
          <Icon className="size-3.5" aria-hidden="true" />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Has the browser's own bars follow the theme. As they come they are the system's. */
function useThemeColor(theme: string | undefined): void {
  const pathname = usePathname();
  const hasChosen = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page may come with tags of its own
  useEffect(() => {
    hasChosen.current ||= theme === "light" || theme === "dark";
    if (!hasChosen.current) return;
    void import("./theme-colors.ts").then(({ showThemeColor }) => showThemeColor(theme));
  }, [theme, pathname]);
}
