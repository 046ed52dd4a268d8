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
 * The member's theme is in the first paint, without inline script. Reading the session also makes every page
 * dynamic, as the content policy's nonce requires.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  // A database that does not answer is the page's error, not the layout's.
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
