import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell.tsx";
import { Providers } from "@/components/shell/providers.tsx";
import { themeColors } from "@/components/shell/theme-colors.ts";
import "./globals.css";

const sans = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-geist",
});

// Not preloaded: the first screen can do with the system's monospace face for a moment.
const mono = localFont({
  src: "../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-geist-mono",
  preload: false,
  adjustFontFallback: false,
});

export const metadata: Metadata = {
  title: { template: "%s · toolthread", default: "toolthread" },
  description: "Long-running tasks of AI agents: watch them, and answer what they ask.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: themeColors.light },
    { media: "(prefers-color-scheme: dark)", color: themeColors.dark },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Its nonce makes each page one of its own, so none is rendered in advance.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // next-themes sets the class before React starts.
    <html lang="en" className={`${sans.variable} ${mono.variable}`} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce} framed={<AppShell>{children}</AppShell>}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
