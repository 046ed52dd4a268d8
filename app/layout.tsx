import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { currentMember } from "#lib/accounts/current-member.ts";
import { inter, interExtended } from "./fonts.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Sluice", template: "%s · Sluice" },
  // All pages are behind a sign-in.
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f7f6f3" },
    { media: "(prefers-color-scheme: dark)", color: "#151412" },
  ],
};

/**
 * Sets the member's theme on the server, so that the first paint has it without an inline script. Reading the session
 * also makes every page dynamic, which the nonce of the content policy requires.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  // If the database is away, the page shows the error, not the layout.
  const theme = (await currentMember().catch(() => null))?.theme;
  return (
    <html
      lang="en"
      data-theme={theme === "system" ? undefined : theme}
      className={cn(inter.variable, interExtended.variable)}
      suppressHydrationWarning
    >
      <body>{children}</body>
    </html>
  );
}
