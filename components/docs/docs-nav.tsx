"use client";
import { Search } from "lucide-react";
import NextLink from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useState } from "react";
import { plural } from "#components/format.ts";
import { cn } from "#components/ui/cn.ts";
import { Input } from "#components/ui/input.tsx";

export interface NavOperation {
  href: string;
  method: string;
  path: string;
  summary: string;
  /** The searched text, in lower case. */
  text: string;
}

const link = "block rounded-sm px-2 py-1 text-13 hover:bg-wash pointer-coarse:py-2.5 wrap-anywhere";

export function DocsNav({
  pages,
  operations,
}: {
  pages: readonly { name: string; href: string }[];
  operations: readonly NavOperation[];
}) {
  const [search, setSearch] = useState("");
  const pathname = usePathname();
  const router = useRouter();
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => wanted.length > 0 && wanted.every((word) => text.includes(word));
  const found = operations.filter(({ text }) => has(text));
  // Those of this path come first.
  const named = found.filter(({ method, path }) => has(`${method} ${path}`.toLowerCase()));
  const shown = [...named, ...found.filter((operation) => !named.includes(operation))];
  return (
    <nav aria-label="Sections">
      <Input
        type="search"
        aria-label="Search operations"
        placeholder="Search operations"
        lead={<Search aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter" && shown[0]) router.push(shown[0].href);
        }}
      />
      <p role="status" className="mt-3 text-13 text-muted empty:hidden">
        {wanted.length === 0
          ? ""
          : shown.length === 0
            ? "No operation matches."
            : plural(shown.length, "operation", "operations")}
      </p>
      <ul className="mt-3 max-wide:columns-2">
        {wanted.length > 0
          ? shown.map(({ href, method, path, summary }) => (
              <li key={href}>
                <NextLink href={href} prefetch={false} className={link}>
                  {summary}
                  <span className="block font-mono text-12 text-muted">
                    {method} {path}
                  </span>
                </NextLink>
              </li>
            ))
          : pages.map(({ name, href }) => (
              <li key={href}>
                <NextLink
                  href={href}
                  prefetch={false}
                  aria-current={pathname === href ? "page" : undefined}
                  className={cn(link, pathname === href && "bg-wash font-medium")}
                >
                  {name}
                </NextLink>
              </li>
            ))}
      </ul>
    </nav>
  );
}
