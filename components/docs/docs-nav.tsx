"use client";
import { Search } from "lucide-react";
import NextLink from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useState } from "react";
import { cn } from "#components/ui/cn.ts";
import { Input } from "#components/ui/input.tsx";

export interface NavTag {
  name: string;
  href: string;
  operations: { id: string; method: string; path: string; summary: string }[];
}

const link = "block rounded-sm px-2 py-1 text-13 hover:bg-wash pointer-coarse:py-2.5 wrap-anywhere";

export function DocsNav({ tags }: { tags: readonly NavTag[] }) {
  const [search, setSearch] = useState("");
  const pathname = usePathname();
  const router = useRouter();
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = tags.flatMap(({ href, operations }) =>
    operations
      .filter(({ method, path, summary }) => {
        const text = `${method} ${path} ${summary}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      })
      .map((each) => ({ ...each, href: `${href}#${each.id}` })),
  );
  return (
    <nav aria-label="Sections">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted.length > 0 && found[0]) router.push(found[0].href);
        }}
      >
        <Input
          type="search"
          aria-label="Search operations"
          placeholder="Search operations"
          lead={<Search aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </form>
      <p
        role="status"
        className={wanted.length > 0 && found.length === 0 ? "mt-3 text-13 text-muted" : "hidden-visually"}
      >
        {wanted.length === 0
          ? ""
          : found.length === 0
            ? "No operation matches."
            : found.length === 1
              ? "1 operation"
              : `${found.length} operations`}
      </p>
      {wanted.length > 0 ? (
        <ul className="mt-3">
          {found.map(({ id, href, method, path, summary }) => (
            <li key={id}>
              <NextLink href={href} prefetch={false} className={link}>
                {summary}
                <span className="block font-mono text-12 text-muted">
                  {method} {path}
                </span>
              </NextLink>
            </li>
          ))}
        </ul>
      ) : (
        <ul className="mt-3 max-wide:columns-2">
          <li>
            <NextLink
              href="/docs"
              prefetch={false}
              aria-current={pathname === "/docs" ? "page" : undefined}
              className={cn(link, pathname === "/docs" && "bg-wash font-medium")}
            >
              Overview
            </NextLink>
          </li>
          {tags.map(({ name, href, operations }) => (
            <li key={href}>
              <NextLink
                href={href}
                prefetch={false}
                aria-current={pathname === href ? "page" : undefined}
                className={cn(link, pathname === href && "bg-wash font-medium")}
              >
                {name}
              </NextLink>
              {pathname === href ? (
                <ul className="ms-2 border-s border-line ps-1 max-wide:hidden">
                  {operations.map(({ id, summary }) => (
                    <li key={id}>
                      <a href={`#${id}`} className={cn(link, "text-muted hover:text-text")}>
                        {summary}
                      </a>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
