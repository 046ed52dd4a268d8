import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { parseTheme, THEME_COOKIE } from "#components/shell/theme-cookie.ts";
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
 * The cookie gives the first paint its theme without inline script. Reading it also makes every page
 * dynamic, as the content policy's nonce requires.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html
      lang="en"
      data-theme={theme}
      className={cn(inter.variable, interExtended.variable)}
      suppressHydrationWarning
    >
      <body>{children}</body>
    </html>
  );
}
