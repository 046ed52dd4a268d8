import { Link } from "#components/ui/link.tsx";

/** Links a figure to the posts it counts. No prefetch, because a page has many of these links. */
export function FigureLink({ href, children }: { href: string | null; children: string }) {
  if (href === null) return children;
  return (
    <Link
      href={href}
      prefetch={false}
      tone="plain"
      className="inline-block min-h-6 leading-6 underline decoration-line-strong decoration-dotted hover:decoration-current"
    >
      {children}
    </Link>
  );
}
