import { Search } from "lucide-react";
import NextLink from "next/link";
import type { ReactNode } from "react";
import { slugOf } from "#components/docs/openapi.ts";
import { SkipLink } from "#components/shell/app-shell.tsx";
import { Mark } from "#components/shell/mark.tsx";
import { SourceNote } from "#components/shell/source-note.tsx";
import { Input } from "#components/ui/input.tsx";
import { env } from "#lib/base/env.ts";
import { openApi, rareTags } from "./document.ts";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const pages = [
    { name: "Overview", href: "/docs" },
    ...openApi()
      .tags.filter(({ name }) => !rareTags.includes(name))
      .map(({ name }) => ({ name, href: `/docs/${slugOf(name)}` })),
    { name: "All operations", href: "/docs#operations" },
  ];
  return (
    <>
      <SkipLink />
      <header className="sticky top-0 z-20 flex h-12 items-center gap-3 border-b border-line bg-surface px-4">
        <NextLink
          href="/"
          prefetch={false}
          className="flex items-center gap-2 rounded-sm text-14 font-semibold tracking-tight"
        >
          <Mark className="size-6 text-accent" />
          Sluice
        </NextLink>
        <span className="text-14 whitespace-nowrap text-muted">API reference</span>
        <SourceNote url={env().SOURCE_URL} className="ms-auto max-desk:text-end" />
      </header>
      <div className="mx-auto max-w-page wide:grid wide:grid-cols-[16rem_minmax(0,1fr)]">
        <div className="px-4 pt-4 wide:sticky wide:top-12 wide:max-h-[calc(100dvh-3rem)] wide:self-start wide:overflow-y-auto wide:pb-4">
          <nav aria-label="Sections">
            <form action="/docs#operations" role="search">
              <Input
                type="search"
                name="q"
                aria-label="Search operations"
                placeholder="Search operations"
                lead={<Search aria-hidden />}
              />
            </form>
            <ul className="mt-3 max-wide:columns-2">
              {pages.map(({ name, href }) => (
                <li key={href}>
                  <NextLink
                    href={href}
                    prefetch={false}
                    className="block rounded-sm px-2 py-1 text-13 wrap-anywhere hover:bg-wash pointer-coarse:py-2.5"
                  >
                    {name}
                  </NextLink>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <main id="content" tabIndex={-1} className="min-w-0 px-4 py-4 focus-visible:outline-none wide:px-8">
          {children}
        </main>
      </div>
    </>
  );
}
