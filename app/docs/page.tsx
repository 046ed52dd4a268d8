import type { Metadata } from "next";
import { cookies } from "next/headers";
import NextLink from "next/link";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { Mark } from "#components/shell/mark.tsx";
import { parseTheme, THEME_COOKIE } from "#components/shell/theme-cookie.ts";
import { SourceNote } from "#components/shell/source-note.tsx";
import { words } from "#components/words/en.ts";
import { env } from "#lib/env.ts";
import { scalarVersion } from "#lib/http/scalar-version.ts";

export const metadata: Metadata = { title: words.docs.title };

const DOCUMENT = "/api/v1/openapi.json";

/** The reference of the API, open to everybody. */
export default async function DocsPage() {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <>
      {/* No header: on a telephone the reference brings one of its own. */}
      <nav
        aria-label={words.common.product}
        className="sticky top-0 z-20 flex h-12 items-center border-b border-line bg-surface px-4"
      >
        <NextLink
          href="/"
          prefetch={false}
          className="flex items-center gap-2 rounded-sm text-14 font-semibold tracking-tight"
        >
          <Mark className="size-6 text-accent" />
          {words.common.product}
        </NextLink>
        <SourceNote url={env().SOURCE_URL} className="ms-auto" />
        <h1 className="hidden-visually">{words.docs.title}</h1>
      </nav>
      {/* The reference brings a main part of its own. */}
      <div id="content">
        <noscript>
          <p className="p-6">
            {words.docs.withoutScript} <a href={DOCUMENT}>{DOCUMENT}</a>
          </p>
        </noscript>
        <ApiReference program={`/docs/scalar.js?v=${scalarVersion}`} document={DOCUMENT} theme={theme} />
      </div>
    </>
  );
}
